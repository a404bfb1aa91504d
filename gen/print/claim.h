/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is said of a proved program: in the head of its file, in its tables and in `check`. */
#ifndef UCOPY_CLAIM_H
#define UCOPY_CLAIM_H

#include <stdio.h>

#include "label.h"

/* A source's name without what depends on where the tree lies: its folder's name and its own. */
const char *source_name(void *ctx, const char *path);

/* A place as a file and a line, "" for none. */
const char *place_line(void *ctx, struct place at);

/* Every source that the program's instructions come from, sorted; *ret_n of them. */
const char **program_sources(void *ctx, const struct program *p, size_t *ret_n);

/* Registers a program writes and does not put back. */
struct regset program_clobbers(const struct program *p);

/* Symbols of the routines it goes on in, up to NULL.  As exact and maximal as these it is, and no more. */
const char **program_exits(void *ctx, const struct program *p);
/* The same with ` and ` between them; NULL: in none.  Whether those were proved, too, is for who has them all to say. */
const char *program_goes_on(void *ctx, const struct program *p);

/* Symbols of what it calls, up to NULL, each once.  They must keep their contracts. */
const char **program_calls(void *ctx, const struct program *p);

/* Does it go on in routines, or call some?  Then what they store is known where they are compiled; hooks store nothing of it. */
bool program_leans(void *ctx, const struct program *p);

/* Can an access of it, or of what it goes on in, fault? */
bool program_faults(const struct program *p);

/* What was proved, in words: `exact, maximal`. */
const char *program_claim(void *ctx, const struct program *p);

/* The comments a file begins with. */
void claim_header(FILE *out, const struct program *p, const struct labels *l);

#endif
