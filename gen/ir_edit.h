/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Changes of whole programs. */
#ifndef UCOPY_IR_EDIT_H
#define UCOPY_IR_EDIT_H

#include "ir.h"

/* Drops what neither control flow nor a fault reaches; labels, slots and `hot` are kept right. */
void ir_drop_unreached(void *ctx, struct program *p);

#endif
