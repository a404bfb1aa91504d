/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What holds in a program before it has fixups, for the planner: the prover's engine without fault edges and without
 * obligations.  Registers that are dead are NOT forgotten here (a fixup may want the arguments long after the hot path
 * has done with them).
 */
#ifndef UCOPY_ANALYSE_H
#define UCOPY_ANALYSE_H

#include "domain.h"
#include "ir.h"

struct analysis;

/* The state just before one line of an instruction, when control can get there. */
struct point {
	struct dstate *state;		/* NULL: not reached */
	bool site;			/* the line accesses a user side: it can fault */
	bool store;			/* the access that can fault first is a store */
};

/* Owned by ctx.  The fixpoint always exists; what could not be analysed is simply unknown. */
struct analysis *analyse_program(void *ctx, const struct program *p);

struct point analysis_point(const struct analysis *a, size_t insn, int line);

/* Numbers of variables in the states: of a register (0: its value is not tracked) and of the ghosts. */
int analysis_var(const struct analysis *a, int reg);
int analysis_n(const struct analysis *a);	/* n at entry */
int analysis_dst(const struct analysis *a);	/* dst at entry */
int analysis_src(const struct analysis *a);	/* src at entry, 0: there is none */
int analysis_written(const struct analysis *a);	/* W: the first W bytes of the destination are right */

#endif
