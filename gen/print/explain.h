/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A proof for a reader: each instruction beside what holds before it, each fault site with what a fault there returns. */
#ifndef UCOPY_EXPLAIN_H
#define UCOPY_EXPLAIN_H

#include <stdio.h>

#include "label.h"

struct proof;

struct explain_options {
	bool comments;			/* below each instruction, the lines of template and spec it is from */
};

void explain_program(FILE *out, const struct program *p, const struct labels *l, const struct proof *proof,
		     const struct explain_options *o);

#endif
