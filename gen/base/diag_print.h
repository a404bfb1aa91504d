/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A message as diag.c keeps it, and its printing. */
#ifndef UCOPY_DIAG_PRINT_H
#define UCOPY_DIAG_PRINT_H

#include "diag.h"

struct message_line {
	struct place place;
	char *text;
};

struct message {
	enum diag_id id;
	unsigned number;		/* order of arrival */
	struct message_line line;
	struct message_line *notes;
	unsigned nnotes;
	const char **about;		/* routines it was said of */
	unsigned nabout;
};

/* "syntax-error" */
const char *diag_id_name(enum diag_id id);

/* Of what others wrote, with anything but printable ASCII spelled out. */
void put_escaped(const char *s, size_t n, FILE *out);

void message_print(const struct message *m, FILE *out, bool colour);
/* One object on one line. */
void message_print_json(const struct message *m, FILE *out);

#endif
