/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Templates into instructions of a machine. */
#ifndef UCOPY_LOWER_H
#define UCOPY_LOWER_H

#include "ast.h"
#include "diag.h"
#include "ir.h"

/* A routine for a machine and its target; no fixups yet.  NULL after errors.  Owned by ctx. */
struct program *lower_routine(void *ctx, struct diag *d, const struct machine *m, const struct templates *t,
			      const char *routine);

struct why;
/* The same, and notes in *why for lines of the spec why they are not taken (why.h). */
struct program *lower_routine_why(void *ctx, struct diag *d, const struct machine *m, const struct templates *t,
				  const char *routine, struct why *why);

/*
 * Appends what meets the actions, one after the other: sums of registers and constants into registers, jumps to
 * labels of the program, returns, changes of states, and ACT_LEAVE of the frame that is open.  Only registers in
 * `scratch` are used besides those named.  False: no instruction does it (and d, when not NULL, says what); the
 * program is as before.  wanted: words for the actions, as in "adds two registers"; NULL: they speak for themselves.
 */
bool lower_acts(void *ctx, struct diag *d, struct program *p, const struct action *acts, size_t n,
		struct regset scratch, struct place at, const char *wanted);

#endif
