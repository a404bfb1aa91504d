/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Control flow of a program, line by line: a *line* is one step of one instruction.  A basic block begins at a leader
 * and goes on line by line up to the next leader, or to a line that nothing falls through.
 */
#ifndef UCOPY_CFG_H
#define UCOPY_CFG_H

#include "ir.h"

struct cfg_line {
	int insn, step;
	int *succ;			/* fixup first, then jumps, then what follows; `lines` stands for the end of the list */
	int nsucc;
	int order;			/* in reverse post-order, from 0; -1: no path leads here */
	bool leader, head;		/* head: a loop's */
	struct regset live;		/* registers that are read before they are written, on some path from here */
};

struct cfg {
	const struct program *program;
	int lines;
	struct cfg_line *line;
	int *first;			/* by instruction (and behind the last): its first line */
};

/* Owned by ctx.  faults: edges from fault sites to their fixups count. */
struct cfg *cfg_new(void *ctx, const struct program *p, bool faults);

/* The step a line runs, and the line a label stands at (-1: in no list, control leaves the routine there). */
const struct step *cfg_step(const struct cfg *c, int line);
int cfg_label(const struct cfg *c, int label);

/*
 * Strongly connected components with at least one edge among the lines of `within` (by line): *ret_component numbers
 * them by line from 0, -1: in none.  Returns how many there are.
 */
int cfg_components(void *ctx, const struct cfg *c, const bool *within, int **ret_component);

#endif
