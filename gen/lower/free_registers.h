/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What fixups may use. */
#ifndef UCOPY_FREE_REGISTERS_H
#define UCOPY_FREE_REGISTERS_H

#include "ir.h"

/* Sets free_at, framed and frame_at of a program. */
void find_free_registers(struct program *p);

#endif
