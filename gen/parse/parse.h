/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Text into trees. */
#ifndef UCOPY_PARSE_H
#define UCOPY_PARSE_H

#include "ast_spec.h"
#include "diag.h"

/*
 * Reads a file and all it includes (each file once, paths relative to the including file).  Errors are counted in d;
 * NULL when nothing usable came out (the file can't be read, or is nested or large beyond all limits).  Owned by ctx.
 */
struct tree *parse_file(void *ctx, struct diag *d, const char *path);

/* Reads one more file into a tree; what the tree has already read is skipped.  False: as NULL above. */
bool parse_more(struct tree *tree, struct diag *d, const char *path);

/* Like parse_file, of size bytes in memory; includes are relative to name. */
struct tree *parse_text(void *ctx, struct diag *d, const char *name, const char *text, size_t size);

#endif
