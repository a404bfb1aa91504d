/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Instructions as the lines the assembler sees. */
#ifndef UCOPY_TEXT_H
#define UCOPY_TEXT_H

#include "ir.h"

/*
 * The lines of an instruction, NULL behind the last, owned by ctx.  Of a pattern: exactly its lines, in order (slots,
 * the pool's text and what the ABI wants before a return are not among them).  Of a frame: the machine's texts.
 * label_names: by label of the program; NULL, or NULL for one: `.L`, its name, its number.
 */
const char **insn_text(void *ctx, const struct program *p, const struct insn *i, const char *const *label_names);

/* The text that lies in the pool for an instruction whose pattern has one. */
const char *pool_text(void *ctx, const struct program *p, const struct insn *i, const char *const *label_names);

/* A whole program as bare lines, for tests: labels, slots and pools included, no target's texts. */
const char *program_text(void *ctx, const struct program *p);

#endif
