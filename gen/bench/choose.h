/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the numbers say: the best of a tune's candidates, and from which size on a second method is the quicker. */
#ifndef UCOPY_CHOOSE_H
#define UCOPY_CHOOSE_H

#include "bench.h"

/* One tune, and its value. */
struct bench_choice {
	const struct declared *tune;
	uint64_t value;
	size_t below, above;		/* a threshold's two methods */
	size_t crossing;		/* index into sizes; their number: never */
	double gain;			/* a candidate's: how many times as long all takes with it */
};

/* Is the tune a threshold between routines that were both measured? */
bool bench_is_threshold(const struct bench *b, const struct declared *tune);

/*
 * All that were found, thresholds last, *ret_n of them.  A candidate is taken in place of what the machine has only where it
 * is better by more than 1 % over all sizes; a threshold is the smallest size from which on the second method nowhere takes
 * more than 2 % longer than the first one, instructions being counted more at all.
 */
struct bench_choice *bench_choose(void *ctx, const struct bench *b, size_t *ret_n);

#endif
