/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the passes hand on, as text for whoever looks for a fault in one. */
#ifndef UCOPY_DUMP_H
#define UCOPY_DUMP_H

#include <stdio.h>

#include "ir.h"

void dump_machine(FILE *out, const struct machine *m);
/* Each instruction's text, effect, and where a fault goes. */
void dump_program(FILE *out, const struct program *p);

#endif
