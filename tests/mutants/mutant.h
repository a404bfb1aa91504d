/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Small changes of a proved program: what a slip of the hand could make of it. */
#ifndef UCOPY_MUTANT_H
#define UCOPY_MUTANT_H

#include "ir.h"

enum mutant_kind {
	MUTANT_DROP,		/* an instruction is missing */
	MUTANT_SWAP,		/* it stands behind the next one */
	MUTANT_IMMEDIATE,	/* a constant is off by `by` */
	MUTANT_REGISTER,	/* operand is another register of the program */
	MUTANT_RELATION,	/* a branch's condition is another one */
	MUTANT_TARGET,		/* a branch goes to another label */
	MUTANT_NO_FIXUP,	/* a table entry is missing */
	MUTANT_FIXUP,		/* a table entry names another fixup */
	MUTANT_KINDS
};

struct mutant {
	enum mutant_kind kind;
	size_t insn;
	int operand;		/* or line, for fixups */
	int64_t by;		/* difference, register, relation or label */
};

/* All mutants of a program, in a fixed order; owned by ctx. */
struct mutant *mutants_of(void *ctx, const struct program *p, size_t *ret_n);

/* The changed program, owned by ctx; NULL when the machine has no such instruction, or nothing would change. */
struct program *mutate(void *ctx, const struct program *p, const struct mutant *m);

const char *mutant_text(void *ctx, const struct program *p, const struct mutant *m);
const char *mutant_kind_text(enum mutant_kind k);

#endif
