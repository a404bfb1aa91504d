/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Diagnostics.  A message is collected with its place and notes, and printed by diag_flush sorted by source and place:
 *
 *	file:line:col: error: text [id]
 *	    source line
 *	    ^~~~ caret
 *	file:line:col: note: text
 *
 * Ids are listed once, in diag_ids.h (X-macro), and are never reused.
 */
#ifndef UCOPY_DIAG_H
#define UCOPY_DIAG_H

#include <stdbool.h>
#include <stdio.h>

#include "place.h"

struct source {
	const char *name;		/* as the user gave it, or as an include spelled it */
	const char *text;		/* size bytes, then one NUL */
	uint32_t size;
};

enum diag_id {
#define DIAG(id, name) id,
#include "diag_ids.h"
#undef DIAG
	DIAG_COUNT
};

struct diag;

/* Makes a collector, owned by ctx.  Messages beyond `limit` are counted, not kept (0: 100). */
struct diag *diag_new(void *ctx, unsigned limit);

/* An error at a place (place.source may be NULL: no place is printed). */
void diag_error(struct diag *d, enum diag_id id, struct place at, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * What is compiled from here on; NULL: nothing.  The same error at the same place, with another routine or in another
 * turn of a loop, is counted, but printed once, with the names of the routines.
 */
void diag_about(struct diag *d, const char *routine);

/* A note on the newest error. */
void diag_note(struct diag *d, struct place at, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same note, behind what there is, on every error that is kept. */
void diag_note_all(struct diag *d, struct place at, const char *text);

/* Moves the messages of another collector behind those of d, as if they were said now. */
void diag_take(struct diag *d, struct diag *from);

/* Number of errors so far. */
unsigned diag_errors(const struct diag *d);

/* Prints all messages and forgets them.  json: one object a line.  Colour only when `colour`. */
void diag_flush(struct diag *d, FILE *out, bool json, bool colour);

/* Line and column (both from 1; columns count bytes, tabs as one) of a place's start. */
void place_line_column(struct place at, unsigned *ret_line, unsigned *ret_column);

/* Its file as messages name it, and the line; "" for no place. */
const char *place_text(void *ctx, struct place at);

/* The nearest of n names to `name` by edit distance, or NULL when none is near. */
const char *diag_near(const char *name, const char *const *names, size_t n);

#endif
