/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a program's labels and fault sites are called where it is printed, and its exception table as a list: printing,
 * the tables in other forms and explanations all read this one list, made from the program that was proved.
 */
#ifndef UCOPY_LABEL_H
#define UCOPY_LABEL_H

#include "ir.h"

struct table_entry {
	size_t insn;		/* the fault site: this line of this instruction */
	int line;
	int fixup;		/* label of the program */
	size_t at;		/* instruction and line that carry the site's label: these, or the branch in whose slot it is */
	int at_line;
	const char *site, *next;	/* labels' names in the target */
};

struct labels {
	const char **name;	/* by label of the program: the name in the target, NULL when nothing goes there */
	struct table_entry *entries;	/* in the order of the program */
	size_t nentries;
	bool next;		/* the target's entry asks for the label behind a site */
};

/* Names everything; owned by ctx. */
struct labels *labels_new(void *ctx, const struct program *p);
/* The entry of a line that is printed as a site's; NULL: it is none. */
const struct table_entry *labels_entry(const struct labels *l, size_t insn, int line);

/* A target's text with its holes filled: values by enum text_name, NULL where the text can't ask. */
const char *target_text(void *ctx, const struct text *t, const char *const values[TEXT_NAMES]);
/* Values with what never changes within a routine filled in. */
void target_values(const struct program *p, const char *values[TEXT_NAMES]);

#endif
