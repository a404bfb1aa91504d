/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The smallest wrong example of a program that could not be proved. */
#ifndef UCOPY_WITNESS_H
#define UCOPY_WITNESS_H

#include "interp.h"

struct witness {
	const struct program *program;
	struct interp_case c;		/* to run it again */
	struct interp_result result;
	unsigned dst_align, src_align;	/* addresses modulo 16 */
	uint64_t right;			/* the residual that would be right */
};

/*
 * Looks for a wrong run of the smallest size; of those the one whose result is farthest from the truth, then the one
 * with the fewest accessible bytes.  *steps bounds it, in instructions that are run (some 80 million in a second), and
 * is what is left of them: counted, not timed, so that the same is found everywhere.
 * Not maximal counts as wrong only on a machine whose fixups copy bytes.  False: none was found.
 */
bool witness_search(void *ctx, const struct program *p, uint64_t *steps, struct witness *ret);

/* Is any run wrong?  Much quicker: the first that is found, not the smallest. */
bool witness_any(void *ctx, const struct program *p, uint64_t *steps, struct witness *ret);

/*
 * Sizes beyond what a search goes through one by one where a routine may go another way: about each of the machine's
 * tunes.  At most max of them, from `above` on, into ret; how many.
 */
size_t witness_sizes(const struct machine *m, uint64_t above, uint64_t *ret, size_t max);

/* One line: `copy_to_user, n = 128, the 4th store faults: returns 128, but 48 bytes were written, 80 is right`. */
const char *witness_text(void *ctx, const struct witness *w);

/*
 * All cases of one size.  thorough: 16 x 16 alignments, every way of tearing, holes, both sides at once (small sizes);
 * else a few of each.  fn is called for each run; false from it ends the enumeration.
 */
typedef bool witness_fn(void *arg, const struct interp_case *c, const struct interp_result *res);
void witness_each(struct interp *in, const struct program *p, uint64_t n, bool thorough, witness_fn *fn, void *arg);

#endif
