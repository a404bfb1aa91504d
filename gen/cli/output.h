/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Files that appear whole or not at all: text is collected in memory, written beside the target and renamed.  A file
 * that already holds the same bytes is left alone, its times too.
 */
#ifndef UCOPY_OUTPUT_H
#define UCOPY_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "temporary.h"

struct output_file {
	const char *path;
	char *text;		/* written through `stream`; valid after output_end */
	size_t size;
	FILE *stream;
	bool there;		/* its folder must be there: none is made */
	size_t made;		/* its folders from this byte of the path on were made for it; 0: none was */
	const char *why;	/* why it can't be staged, where errno has no word for it; NULL */
	struct temporary *temporary;	/* staged: will take the path, or has; NULL: the same bytes are there */
};

/* Opens a file in memory; path is copied.  NULL: out of memory. */
struct output_file *output_begin(void *ctx, const char *path);
/* Closes the stream.  False: something was not written. */
bool output_end(struct output_file *f);
/*
 * Makes the folders it may and writes a temporary file, unless the same bytes are there already.  False: f->why or errno says
 * why.  What is staged and never committed vanishes with the context, or with the program.
 */
bool output_stage(struct output_file *f);
/* These won't be committed: what was staged goes, and the folders that were made for it. */
void output_drop(struct output_file **files, size_t n);
/* Renames what is staged.  False: errno says why. */
bool output_commit(struct output_file *f);

#endif
