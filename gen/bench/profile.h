/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tuning profiles: JSON that `ucopy bench` writes and `--tune` reads.  What is read may have come from anybody: nothing but
 * a profile's machine and the values of tunes that templates say how to choose is taken from it.
 */
#ifndef UCOPY_PROFILE_H
#define UCOPY_PROFILE_H

#include "ast.h"
#include "diag.h"
#include "machine.h"

#define PROFILE_FORM 1			/* what is written as `profile`; another number is another form */
#define PROFILE_LIMIT (1024 * 1024)	/* bytes of a file */

struct profile;

/* Reads one, owned by ctx.  NULL: errors are in d. */
struct profile *profile_read(void *ctx, struct diag *d, const char *path);

/* Gives the machine's tunes the values measured.  False: it is another machine's, or a value can't be; errors are in d. */
bool profile_apply(const struct profile *p, struct diag *d, const struct templates *t, struct machine *m);

#endif
