/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the files of resolve share; nobody else includes this. */
#ifndef UCOPY_RESOLVE_PRIV_H
#define UCOPY_RESOLVE_PRIV_H

#include <string.h>

#include "array.h"
#include "ast_spec.h"
#include "diag.h"
#include "ir.h"
#include "machine.h"

#define OPERANDS_MAX 32			/* of a pattern: what fits pattern.differ */

struct said { const char *text; struct place at; };

/* What was reported, so that a family or a second target does not say it again. */
struct history {
	struct said *v;
	size_t n;
};

struct resolver {
	void *ctx;			/* owner of the machine */
	struct diag *d;
	const struct tree *tree;
	const struct spec_machine *spec;
	struct machine *m;
	struct history *history;
	bool said;			/* was the last error a new one?  Only then it gets notes */
	struct name_list foreign;	/* registers of no class that patterns destroy */
	bool lacks;			/* patterns with errors are left out: what only they do is not missed */
	const struct spec_target **chain;	/* the target, what it is made from, and so on */
	size_t nchain;
	const struct spec_variant **applied;
	size_t napplied;
	const struct spec_body **layers;	/* chain, applied variants, machine: the first that says it counts */
	size_t nlayers;
};

/* resolve_say.c */
void fail(struct resolver *r, enum diag_id id, struct place at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void note(struct resolver *r, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* `LACK` ends in "no THING"; then follow the name and a near one of those collected with near_add. */
struct near { const char **v; size_t n; };
void near_add(struct resolver *r, struct near *list, const char *name);
void fail_unknown(struct resolver *r, enum diag_id id, struct place at, const char *lack, const char *name,
		  struct near list);
struct place place_part(struct place at, size_t from, size_t to);

/* resolve_list.c: what stands in a register list; names of which a list has a range are spelled out. */
struct name_list register_names(struct resolver *r, const struct text_at *t);
/* Is this another one than the last?  All names of a span have its place, and one error of it is enough. */
bool other_span(struct place *last, struct place at);
/* Their registers; unknown ones are reported and left out. */
int *register_list(struct resolver *r, const struct text_at *t, size_t *ret_n);
void register_set(struct resolver *r, const char *list, struct place at, struct regset *ret, bool *ret_foreign);

/* resolve_layer.c */
const struct spec_fact *find_fact(const struct resolver *r, enum fact_kind kind);
/* Things of one kind by name, in the order of the machine; a higher layer replaces, two in a body are an error. */
const void **in_effect(struct resolver *r, size_t array, size_t count, size_t size, size_t *ret_n);
#define IN_EFFECT(r, field, type, ret_n) \
	((const struct type **)(void *)in_effect(r, offsetof(struct spec_body, field), \
		offsetof(struct spec_body, n##field), sizeof(struct type), ret_n))
void check_facts_once(struct resolver *r, const struct spec_body *body);

/* resolve_fact.c, resolve_reg.c, resolve_abi.c, resolve_target.c, resolve_frame.c, resolve_machine_check.c */
void resolve_facts(struct resolver *r);
void resolve_registers(struct resolver *r);
/* A class's index; -1: there is none, which was said. */
int class_named(struct resolver *r, const char *name, struct place at);
void resolve_abi(struct resolver *r);
/* None of these registers, said there, may be the one that is always 0. */
void check_not_zero(struct resolver *r, const int *regs, size_t n, struct place at, enum fact_kind kind);
void resolve_target(struct resolver *r);
void resolve_frame(struct resolver *r);		/* behind the target, which has its texts */
void check_frames(struct resolver *r);		/* .. and behind the patterns */
void check_machine(struct resolver *r);
void check_routine(struct resolver *r, const struct name_at *name);
/* A text outside patterns, in which holes are those names whose bits are in `allowed`. */
struct text bind_text(struct resolver *r, const struct text_at *t, unsigned allowed);
bool knows_target(const struct resolver *r, const char *name);

/* resolve_hook.c */
void resolve_hooks(struct resolver *r);

/* resolve_symbol.c */
void resolve_symbols(struct resolver *r);
bool has_symbol(const struct target *t, const char *routine);
/* What is made of the text must be a name for the assembler; what: "symbol". */
void check_symbol_name(struct resolver *r, const char *what, const struct text_at *from, const struct text *t);
void check_symbols(struct resolver *r);		/* and labels, when all is resolved */

/* resolve_text.c */
struct hole {
	const char *name;		/* of the operand; "@": the pool's label */
	struct expr *print;		/* over EX_NAME; NULL: the bare name */
	bool is_list;
	int list_min, list_max;
	enum list_order order;
	const char *what;		/* view, class or range, or NULL */
	struct place what_place;
	struct ranges ranges;		/* in place */
	bool has_ranges;
	struct place place;		/* with the braces */
};
struct piece { const char *literal; struct hole *hole; };
struct pieces { struct piece *v; size_t n; };
/* Cuts a text up, taking alternative `choice` of every list in it.  False: an error was reported. */
bool text_pieces(struct resolver *r, const struct text_at *t, size_t choice, struct pieces *ret);
/* A text that is printed as it stands, and has no holes. */
const char *plain_text(struct resolver *r, const struct text_at *t);
/* Calls fn for each list of alternatives in a text. */
void text_families(const struct text_at *t, void (*fn)(void *arg, size_t n, struct place at), void *arg);

/* resolve_hole.c: between the braces: head, then what stands behind the colon (from == to: nothing). */
bool parse_hole_parts(struct resolver *r, const struct text_at *t, size_t head, size_t head_end,
		      size_t from, size_t to, struct hole *ret);

/* resolve_pattern.c */
struct binder {				/* one pattern, being bound */
	struct resolver *r;
	const struct spec_pattern *sp;
	struct pattern *p;
	size_t choice;			/* of its families */
	struct pieces *texts;		/* lines, then the pool */
	size_t ntexts;
	struct place *first;		/* where each operand is printed first */
	bool *used;			/* by operand: stands in a line's effect */
	bool counting;			/* false: what is bound is `as` */
	bool bad;
};
void resolve_patterns(struct resolver *r);
int find_operand(const struct pattern *p, const char *name);

/* resolve_operand.c: kinds and classes of operands from all holes, then the texts' parts. */
void resolve_operands(struct binder *b);

/* resolve_bind.c */
void bind_step(struct binder *b, const struct step *from, struct step *ret);

/* resolve_check.c, resolve_number.c */
void check_pattern(struct binder *b);
void check_numbers(struct binder *b);

/* resolve_uses.c: fills in pattern.differ and pattern.own */
void find_distinct(struct pattern *p);
/* What an action reads and writes of operands and fixed registers. */
struct uses { uint32_t reads, writes, addresses; struct regset sets; bool loads, stores; };
struct uses action_uses(const struct action *a);

#endif
