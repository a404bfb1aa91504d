/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef UCOPY_INTERP_OP_H
#define UCOPY_INTERP_OP_H

#include "interp_flat.h"

/* The value of an operation of one word, not masked yet. */
uint64_t flat_narrow(const struct flat_op *o, const uint64_t *v);
/* Runs an operation of several words. */
void flat_wide(const struct flat_op *o, uint64_t *v);

#endif
