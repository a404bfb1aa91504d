/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the parser makes of templates: routines and macros as trees of statements.  (The trees of specs are in
 * ast_spec.h; only resolve reads those.)  Everything is owned by the talloc context given to parse.
 */
#ifndef UCOPY_AST_H
#define UCOPY_AST_H

#include "effect.h"

struct stmt;

struct body {
	struct stmt **v;
	size_t n;
};

enum test_op { TEST_NAME, TEST_NOT, TEST_AND, TEST_OR, TEST_COMPARE, TEST_CAN };

/* Decided when the template is expanded. */
struct test {
	enum test_op op;
	const char *name;		/* TEST_NAME: feature, flag of `with`, or known name */
	struct test *kid[2];		/* NOT, AND, OR */
	struct cond *compare;		/* TEST_COMPARE: both sides constant when expanded */
	struct action *acts;		/* TEST_CAN: would this group lower?  Its variables are declared ones */
	size_t nacts;
	unsigned depth;			/* of those below it */
	struct place place;
};

struct temp {
	const char *name;
	struct expr *count;		/* list of so many registers; NULL: one register */
	const char *reg_class;		/* NULL: the machine's first */
	struct place place, class_place;
};

#define FAMILY_MAX 64			/* alternatives of one line */

struct resume_arg {			/* `dst = d`: variable d holds parameter dst's entry value moved by w */
	const char *param;
	const char *var;
	struct place place;
};

enum stmt_kind {
	STMT_GROUP,	/* acts, all at once */
	STMT_WHILE,	/* while cond { acts }: what a resumable instruction does */
	STMT_LABEL,	/* name: */
	STMT_RESUME,	/* resume name(args) */
	STMT_TEMP,	/* temp temps */
	STMT_CONST,	/* const name = value, const name when test */
	STMT_FOR,	/* for name in from .. to step by body */
	STMT_WHEN,	/* when test body [else other] */
	STMT_TRY,	/* try body else other; other NULL or ending in another STMT_TRY */
	STMT_WEAVE,	/* weave body other */
	STMT_SAVING,	/* saving body */
	STMT_STATES,	/* states body */
	STMT_EXPAND,	/* name(values) */
	STMT_RETURN,	/* return value */
	STMT_JUMP,	/* jump name: to another routine, the arguments as they are */
	STMT_ALIGN,	/* a loop head follows */
	STMT_FAIL,	/* fail `text`: no way to lower this */
	STMT_CALL,	/* [value =] call name(values): a hook or another routine; value is the place of its result */
};

struct stmt {
	enum stmt_kind kind;
	struct place place, name_place;
	const char *name;
	struct action *acts;
	size_t nacts;
	struct cond *cond;
	struct test *test;
	struct expr *value, *from, *to, *by;
	struct expr **values;
	size_t nvalues;
	struct temp *temps;
	size_t ntemps;
	struct resume_arg *args;
	size_t nargs;
	struct body body, other;
	bool has_other;
};

struct param { const char *name; struct place place; };

struct macro {
	const char *name;
	struct param *params;
	size_t nparams;
	struct body body;
	struct place place;
};

struct with {				/* `src user`, `dst stream`, `result dst`, or a flag: `zeroing` (what NULL) */
	const char *name, *what;
	struct place place;
};

struct routine {
	const char *name;
	const char *base;		/* routine name = base with ...; NULL: it has a body of its own */
	struct param *params;
	size_t nparams;
	struct body body;
	struct with *withs;
	size_t nwiths;
	struct place place;
};

#define TUNE_NEVER (UINT64_C(1) << 30)	/* of what is measured the largest value: a threshold that nothing reaches, in bytes */

struct declared {			/* a tune and its default, or a feature that a machine may have */
	const char *name;
	uint64_t value;
	struct place place;
	const uint64_t *of;		/* a tune's candidates: what measuring may choose from */
	size_t nof;
	struct place of_place;
	/* A tune that is a threshold: routines of which the second is meant to be the quicker from so many bytes on; no names: none. */
	struct param between[2];
};

bool tune_measured(const struct declared *tune);
/* Could a profile have this value?  What is never in one can have any. */
bool tune_fits(const struct declared *tune, uint64_t value);

/* A function of the kernel: what the routine that calls it may count on. */
enum hook_kind {
	HOOK_NOTHING,			/* no more than that it comes back */
	HOOK_HOLD,			/* result not 0: the page of an address is accessible until it is released */
	HOOK_RELEASE			/* .. now */
};

struct hook {
	const char *name;
	struct param *params;
	size_t nparams;
	enum hook_kind kind;
	const char *held;		/* HOOK_HOLD: which parameter is the address */
	struct place held_place;
	struct place place;
};

struct templates {
	struct hook *hooks;
	size_t nhooks;
	struct macro **macros;
	size_t nmacros;
	struct routine **routines;
	size_t nroutines;
	struct declared *tunes;
	size_t ntunes;
	struct declared *features;
	size_t nfeatures;
};

/* The hook of that name; NULL: there is none. */
const struct hook *templates_hook(const struct templates *t, const char *name);

#endif
