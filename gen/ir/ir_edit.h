/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Changes of whole programs. */
#ifndef UCOPY_IR_EDIT_H
#define UCOPY_IR_EDIT_H

#include "ir.h"

/*
 * Drops what neither control flow nor a fault reaches; labels, slots and `hot` are kept right.  What is known by
 * instruction (free_at, framed, frame_at) must be found anew.
 */
void ir_drop_unreached(struct program *p);

#endif
