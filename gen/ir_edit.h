/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Questions about, and changes of, whole programs. */
#ifndef UCOPY_IR_EDIT_H
#define UCOPY_IR_EDIT_H

#include "ir.h"

/* By instruction (and one for the end): index of the instruction that made the frame open before it, or -1. */
int *ir_frames(void *ctx, const struct program *p);

/* Drops what neither control flow nor a fault reaches; labels, slots and `hot` are kept right. */
void ir_drop_unreached(void *ctx, struct program *p);

#endif
