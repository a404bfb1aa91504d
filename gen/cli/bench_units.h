/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What `ucopy bench` compiles: all that a target emits, and its methods once more for each candidate of a tune. */
#ifndef UCOPY_BENCH_UNITS_H
#define UCOPY_BENCH_UNITS_H

#include "driver.h"

/* Adds a target's units, where it is the first one that has methods.  False: errors are in run->diag. */
bool bench_units(struct run *run, const struct tree *t, const struct machine *m);

/* An error where no target of the spec had any. */
void bench_units_there(struct run *run, const char *spec);

#endif
