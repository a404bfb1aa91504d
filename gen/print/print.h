/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A proved program as a file for the assembler: the target's texts around one fixed text an instruction. */
#ifndef UCOPY_PRINT_H
#define UCOPY_PRINT_H

#include <stdio.h>

#include "label.h"

struct print_options {
	bool comments;			/* the template's and the spec's line beside each instruction */
};

void print_program(FILE *out, const struct program *p, const struct labels *l, const struct print_options *o);

/* The table alone, as it stands in the file. */
void print_entries(FILE *out, const struct program *p, const struct labels *l);


#endif
