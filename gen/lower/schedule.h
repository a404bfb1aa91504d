/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The order of instructions, where the template leaves it open. */
#ifndef UCOPY_SCHEDULE_H
#define UCOPY_SCHEDULE_H

#include "ir.h"

/*
 * Two straight lines, from .. middle - 1 and middle .. the end, become one: each keeps its order, and those of the
 * second go as early as what they read and write allows.
 */
void schedule_weave(void *ctx, struct program *p, size_t from, size_t middle);

/* Fills delay slots with the instruction before, where that changes nothing; annuls those that stay idle, where that can be. */
void schedule_slots(struct program *p);

#endif
