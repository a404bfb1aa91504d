/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof that a program keeps the contract for all sizes, alignments and fault places.  It runs the effects of the
 * instructions, with an edge from every fault site to its fixup, and knows nothing of how either was chosen.
 */
#ifndef UCOPY_PROVE_H
#define UCOPY_PROVE_H

#include "diag.h"
#include "ir.h"

struct proof;

struct proof_counts {
	unsigned lines, states, steps, joins, loops;
};

/* Never NULL, owned by ctx.  Where it holds, p->maximal says whether all that can be copied is; so does p->rewrites. */
struct proof *prove_program(void *ctx, struct program *p);

/* Is the program proved? */
bool proof_holds(const struct proof *proof);

#define EXAMPLE_STEPS 20000000u	/* of the search for examples in a whole run: a third of a second */

/* Errors for what could not be shown.  Returns whether a run could show any of it. */
bool proof_report(const struct proof *proof, struct diag *d);

/*
 * Notes on all of d's errors, which are a program's: its smallest wrong example, if one is found in *steps instructions
 * that are run (witness_search), which are taken from it, or that none was.
 */
void proof_example(const struct program *p, struct diag *d, uint64_t *steps);

struct proof_counts proof_counts(const struct proof *proof);

/*
 * What holds just before a line of an instruction, as short texts (`d = dst + W`, `W = n - left`), owned by ctx;
 * *ret_n of them.  NULL: control never gets there.
 */
const char **proof_facts(void *ctx, const struct proof *proof, size_t insn, int line, size_t *ret_n);

/* The bytes that are not written when a line faults, as `n - W` or `n - W, at most 64`; NULL: it is no fault site. */
const char *proof_residual(void *ctx, const struct proof *proof, size_t insn, int line);

#endif
