/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which registers are still needed. */
#ifndef UCOPY_LIVENESS_H
#define UCOPY_LIVENESS_H

#include "ir.h"

/*
 * By instruction, and one for the end: registers that are read before they are written on some path from it.  At a
 * return these are the result and what the ABI keeps; at a jump to another routine the arguments and what it keeps.
 * resumes: an access that can be resumed may go on there too, and what its cursors are made of is needed then.
 */
struct regset *live_in(void *ctx, const struct program *p, bool resumes);

#endif
