/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What lowering is in the middle of.  Private to it. */
#ifndef UCOPY_LOWERING_H
#define UCOPY_LOWERING_H

#include "alloc.h"
#include "diag.h"
#include "match.h"

struct why;

/* Why something could not be lowered. */
struct failure {
	bool known;
	enum { WANT_INSTRUCTION, WANT_REGISTER, WANT_VALUE, WANT_NOTHING, WANT_LESS } want;	/* NOTHING: `fail` said so;
								   LESS: beyond a limit, text says which */
	bool starved;			/* no register was left for parts of it */
	int reg_class;			/* of the register that is wanted, or that was for parts */
	struct place place;
	const char *text;		/* the need */
	const struct scope *scope;	/* where the template was */
	struct miss miss;
};

/* A `saving` block: its frame is there when it saves something or something in it wants one. */
struct saving {
	struct regset used;
	bool wanted;
};

/* What is known of an instruction only while lowering. */
struct origin {
	int saving;			/* the block it stands in; -1: none */
	int enters, leaves;		/* it is that block's enter or a leave of it; -1 */
};

struct lowering {
	void *ctx;
	struct diag *d;
	struct program *p;
	const struct machine *m;
	struct matcher mx;
	struct alloc alloc;		/* what the template has not taken here */
	struct alloc spare;		/* what repairs of the need at hand may take */
	bool straight;			/* needs are as they are: no pointer is moved earlier than asked */
	struct scope *scope;		/* innermost of what the template has open */
	struct needs pending;		/* of the straight line that is being collected */
	struct failure failure;
	int resume;			/* index into resumes for what follows; -1 */
	bool align;			/* the next instruction begins a loop */
	bool opens, closes;		/* .. a `states` block; has one before it */
	struct saving *savings;
	int nsavings, saving;		/* saving: the one that is open; -1 */
	struct origin *origins;		/* by instruction */
	const char *wanted;		/* words for what is lowered; NULL: the need itself */
	struct why *why;		/* somebody asks why lines are not taken; NULL */
};

void needs_append(struct lowering *l, struct needs *list, struct need need);
struct need need_single(struct lowering *l, struct action act, struct place at);
/* n is part of what `from` was. */
void inherit(struct need *n, const struct need *from, struct regset spare);
/* reg = value */
struct need need_set(struct lowering *l, int reg, struct expr *value, struct place at);

/* Meets the needs in order, appending to the program; false: l->failure says what can't be met. */
bool lower_needs(struct lowering *l, struct needs *list);

/* What a found pattern is worth for the needs from `at` on; 0 or less: it must not be taken. */
int found_worth(struct lowering *l, const struct needs *list, size_t at, const struct found *f);

/* A need in words, without quotes. */
const char *need_text(struct lowering *l, const struct need *need);

/* Is there one pattern for this need as it stands? */
bool need_met(struct lowering *l, const struct need *need);

/* How a need that no pattern meets can be put in other words, in the order they are tried. */
#define REPAIRS 15
bool repair(struct lowering *l, int which, const struct need *need, struct needs *out);

/* A member of a group can't wait for the others: two or more needs in place of one, if that means the same. */
bool split_group(struct lowering *l, const struct need *need, struct needs *out);

/*
 * Where the straight line moves pointer `reg` by a constant next, from need `from` on: its index, or -1 when what stands
 * between can't be put in terms of the moved pointer.  *ret_uses: how many needs between use it.
 */
int find_advance(const struct needs *list, size_t from, int reg, uint64_t *ret_by, int *ret_uses);
/* Pointer `reg` is already `by` further: needs from `from` to `to` say so. */
void advanced(struct lowering *l, struct needs *list, size_t from, size_t to, int reg, uint64_t by);

/* Appends a frame's enter or leave, for a `saving` block; `at` is what wants it. */
void lower_frame(struct lowering *l, int saving, bool enter, struct place at);

/* Says what l->failure holds as an error of the place it is of; notes go with it. */
void report_failure(struct lowering *l, const struct failure *f);
void note_failure(struct lowering *l, const struct failure *f);
/* Notes for the macros that were being expanded. */
void note_expansions(struct lowering *l, const struct scope *s);

/* After all is lowered: frames that are needed, branches out of them, states that must be closed. */
bool finish_frames(struct lowering *l);
bool finish_states(struct lowering *l);

#endif
