/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Templates run for one machine: what is decided when compiled is decided here.  Private to lowering. */
#ifndef UCOPY_EXPAND_H
#define UCOPY_EXPAND_H

#include "ast.h"
#include "lowering.h"

enum var_kind { VAR_CONST, VAR_REGS, VAR_EXPR };

struct var {
	const char *name;
	enum var_kind kind;
	uint64_t value;
	const int *regs;		/* VAR_REGS: a register, or a list */
	int n;
	bool is_list;
	const struct expr *expr;	/* VAR_EXPR: what a macro was given, over registers */
};

struct named_label {
	const char *name;
	int label;
	bool placed, jumped_to;		/* not jumped to: only resumed at */
	struct place place;		/* where it is, or the first that asks for it */
};

/* What one `{ }` has declared.  Names are looked for outwards, through the macros that are being expanded. */
struct scope {
	struct scope *outer;
	struct var *vars;
	size_t nvars;
	bool labels;			/* labels are its own: a routine, an expansion, a turn of a loop, a body of `try` */
	struct named_label *named;
	size_t nnamed;
	const struct stmt *expansion;	/* the statement that expands a macro here; NULL */
};

/* Two numbers for one label: a name was looked for outwards and found later. */
struct label_merge { int from, to; };

struct expansion {
	struct lowering l;
	const struct templates *templates;
	const struct routine *routine;	/* the one with a body */
	const char **flags;
	size_t nflags;
	struct label_merge *merges;
	size_t nmerges;
	int depth;
	size_t work;			/* statements and parts of expressions so far */
	bool broken;			/* an error was reported: no alternative helps */
};

/* Reports an error of a template, with the expansions it is in; returns false. */
bool template_error(struct expansion *x, enum diag_id id, struct place at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A name that isn't there, and a near one of those that are.  lack: "unknown macro". */
bool unknown_error(struct expansion *x, enum diag_id id, struct place at, const char *lack, const char *name,
		   const char *const *names, size_t n);

/* Counts what is expanded; false: it has become too much, and that was said. */
bool spend(struct expansion *x, size_t work, struct place at);

/* After a failure scopes are left open, so that notes can tell what was being expanded. */
struct scope *scope_enter(struct expansion *x, bool labels);
void scope_leave(struct expansion *x);
const struct var *scope_find(struct expansion *x, const char *name);
bool scope_declare(struct expansion *x, struct var v, struct place at);
/* The label of a name, made when it is new. */
int scope_label(struct expansion *x, const char *name, bool jumped_to, struct place at);
bool scope_place(struct expansion *x, const char *name, struct place at);
/* Names nobody has placed are errors, unless they are only resumed at and nothing can fault. */
bool scope_finish(struct expansion *x);
/* What each label's number has become. */
int *labels_merged(const struct expansion *x);

/* A copy over registers and constants, folded; NULL after an error. */
struct expr *expand_expr(struct expansion *x, const struct expr *e);
bool expand_const(struct expansion *x, const struct expr *e, uint64_t *ret);
bool expand_test(struct expansion *x, const struct test *t, bool *ret);
/* An action over registers and constants.  asked: it is only a question (`can`), its labels are nobody's. */
bool expand_action(struct expansion *x, const struct action *a, bool asked, struct action *ret);
struct cond *expand_cond(struct expansion *x, const struct cond *c);

/* A label that is another routine; -1: this one can't go on there, and that was said. */
int expand_leaving(struct expansion *x, const char *routine, struct place at);
/* False: there is none of that name, and that was said. */
/* What a routine that is jumped to or called promises; or why it can't be. */
const char *expand_promise(struct expansion *x, const char *routine, struct routine_info *ret);
bool expand_call(struct expansion *x, const struct stmt *s);
bool known_routine(struct expansion *x, const char *name, struct place at);
/* What a routine does, and where its arguments are, from its head alone.  False: its head is wrong. */
bool routine_promise(const struct expansion *x, const char *name, struct routine_info *ret);

bool expand_body(struct expansion *x, const struct body *b);
/* Lowers what has been collected. */
bool flush(struct expansion *x);

bool expand_try(struct expansion *x, const struct stmt *s);
bool expand_weave(struct expansion *x, const struct stmt *s);
bool expand_saving(struct expansion *x, const struct stmt *s);
bool expand_states(struct expansion *x, const struct stmt *s);

#endif
