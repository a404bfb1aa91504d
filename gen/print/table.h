/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The exception tables of proved programs, in the forms that other tools read. */
#ifndef UCOPY_TABLE_H
#define UCOPY_TABLE_H

#include <stdio.h>

#include "label.h"

/* A proved program and its names. */
struct table_item {
	const struct program *program;
	const struct labels *labels;
};

void table_json(FILE *out, const struct table_item *items, size_t n);
void table_c(FILE *out, const struct table_item *items, size_t n);
void table_asm(FILE *out, const struct table_item *items, size_t n);

#endif
