/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof that a program keeps the contract for all sizes, alignments and fault places.  It runs the effects of the
 * instructions, with an edge from every fault site to its fixup, and knows nothing of how either was chosen.
 */
#ifndef UCOPY_PROVE_H
#define UCOPY_PROVE_H

#include "diag.h"
#include "ir.h"

#define EXAMPLES_MAX 50		/* errors; behind them no more examples are looked for, which may take a second each */

struct proof;

struct proof_counts {
	unsigned lines, states, steps, joins, loops;
};

/*
 * Proves a program.  True: it is proved, p->maximal says whether all that can be copied is, and *ret (owned by ctx)
 * holds what was found.  False: errors say what could not be shown, with the smallest wrong example when there is one.
 */
bool prove_program(void *ctx, struct diag *d, struct program *p, struct proof **ret);

/* Frees it; NULL. */
struct proof *prove_done(struct proof *proof);

/* The same without a word: whether it is proved. */
bool prove_quietly(void *ctx, struct program *p);

struct proof_counts proof_counts(const struct proof *proof);

/*
 * What holds just before a line of an instruction, as short texts (`d = dst + W`, `W = n - left`), owned by ctx;
 * *ret_n of them.  NULL: control never gets there.
 */
const char **proof_facts(void *ctx, const struct proof *proof, size_t insn, int line, size_t *ret_n);

/* The bytes that are not written when a line faults, as `n - W` or `n - W, at most 64`; NULL: it is no fault site. */
const char *proof_residual(void *ctx, const struct proof *proof, size_t insn, int line);

#endif
