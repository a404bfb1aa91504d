/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Finds the pattern whose effect is what a template needs.  Private to lowering.
 *
 * A *need* is a group of actions over registers and constants, all at once.  A *shape* is a pattern as it is looked
 * for: its effect without what lowering doesn't ask for, lists unrolled to one length.
 */
#ifndef UCOPY_MATCH_H
#define UCOPY_MATCH_H

#include "ir.h"

#define OPERANDS_MAX 32
#define LIST_MAX 32

struct scope;

struct need {
	struct action *acts;
	size_t nacts;
	struct cond *loop;		/* `while`: acts are one turn; else NULL */
	int label;			/* with is_label: no need, but where this label is */
	bool is_label;
	struct place place;
	const struct scope *scope;	/* of the template; for notes */
	struct regset spare;		/* registers that hold nothing when it is met: repairs may use them */
};

struct needs {
	struct need *v;
	size_t n, capacity;
};

struct shape {
	const struct pattern *pattern;
	struct action *acts;
	int *line;			/* by action: the pattern's line it is of */
	size_t n;
	struct cond *loop;
	int list, length;		/* list operand, or -1, and how many registers this shape gives it */
	int moves, base;		/* action that moves a pointer which the others access, and its operand; or -1 */
};

#define TRIES_MAX 4000000		/* of shapes, for one routine */

struct shapes {
	struct shape *v;
	size_t n;
	unsigned tries;			/* so far */
};

struct binding {
	union operand_value v[OPERANDS_MAX];
	uint32_t bound;			/* bits of operands */
	int list[LIST_MAX];
	uint32_t listed;		/* bits of elements of the list */
};

/* Why the nearest pattern was not it. */
struct miss {
	int score;
	const struct pattern *pattern;
	const char *text;
};

struct matcher {
	void *ctx;
	const struct machine *machine;
	const struct routine_info *info;
	struct shapes *shapes;
	const struct shape *shape;	/* the one being tried */
	bool zeros;			/* what a pattern adds more than is wanted may be the register that is 0 */
	bool stream;			/* stores to a streamed side: only by stream patterns (else: only by others) */
	int score;
	struct miss *miss;		/* NULL: nobody wants to know */
	bool every_miss;		/* also of what begins like it and then does something else */
};

/* What was found: so many needs from the first on are met. */
struct found {
	const struct shape *shape;
	struct binding b;
	size_t needs;
	size_t acts;			/* actions of the needs it covers */
	uint64_t moved;			/* it moves its pointer by so much, unasked by these needs; 0: it doesn't */
	int base;			/* that pointer's register */
};

struct shapes *shapes_new(void *ctx, const struct machine *m);

/* A sum taken apart: terms that are no constants, each with its sign; what is constant once bound; a number. */
#define TERMS_MAX 8
struct sum_parts {
	struct { bool neg; const struct expr *e; } term[TERMS_MAX], open[TERMS_MAX];
	int n, nopen;
	uint64_t k;
	bool lost;			/* too many terms */
};

static inline bool expr_is_sum(const struct expr *e)
{
	return e->op == EX_ADD || e->op == EX_SUB || e->op == EX_NEG;
}

static inline bool expr_reads_reg(const struct expr *e, int reg)
{
	struct regset s = { { 0 } };

	expr_reads(e, &s);
	return regset_has(&s, reg);
}

/* p: the pattern that e is of; NULL: e is a need's. */
struct sum_parts sum_split(const struct pattern *p, const struct expr *e);
/* Has it no registers and no memory, now or when bound? */
bool constant_like(const struct pattern *p, const struct expr *e);

/*
 * Does the shape meet the first needs?  With `borrow`, its move of a pointer isn't one of them: what it moves by is
 * then the bytes it accesses, or what else its operands say.
 */
bool match_shape(struct matcher *mx, const struct shape *s, const struct need *needs, size_t n, bool borrow,
		 struct found *ret);

/* One pattern part against one part of a need. */
bool unify(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g);
bool unify_cond(struct matcher *mx, struct binding *b, const struct cond *e, const struct cond *g);
/* The immediate expression e shall be c: binds the one operand that is open. */
bool solve(struct matcher *mx, struct binding *b, const struct expr *e, uint64_t c);
/* The value of an immediate expression whose operands are all bound. */
bool bound_value(const struct matcher *mx, const struct binding *b, const struct expr *e, uint64_t *ret);

void missed(struct matcher *mx, int score, const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
