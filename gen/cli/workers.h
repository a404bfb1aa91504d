/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routines are compiled on all processors at once.  Each has memory and messages of its own, shares only what nobody
 * changes, and is looked at in order afterwards, so that all that is said and written is the same on any number.
 */
#ifndef UCOPY_WORKERS_H
#define UCOPY_WORKERS_H

#include "driver.h"

/* Allocates in u->ctx, says in u->diag; must change nothing but *u. */
typedef void compile_fn(const struct options *o, struct unit *u);

/* Calls fn once for each of the run's units; comes back when all are done. */
void run_compile(struct run *run, compile_fn *fn);

#endif
