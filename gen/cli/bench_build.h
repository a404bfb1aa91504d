/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From methods to numbers: their program is built in a folder of its own, run, and what it says read. */
#ifndef UCOPY_BENCH_BUILD_H
#define UCOPY_BENCH_BUILD_H

#include "bench.h"
#include "driver.h"

/* Fills b->taken.  Returns how to end; what goes wrong is said in run->diag. */
int bench_measure(struct run *run, struct bench *b);

#endif
