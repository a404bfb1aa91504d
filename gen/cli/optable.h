/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tables of commands and options, for options.c and help.c. */
#ifndef UCOPY_OPTABLE_H
#define UCOPY_OPTABLE_H

#include "options.h"

struct command_row {
	const char *name, *args;
	int least, most;		/* number of words; most < 0: any */
	const char *help;
};

enum option_kind {
	OPT_FLAG,	/* bool */
	OPT_TEXT,	/* const char * */
	OPT_COMMAND,	/* the same, with a word in it at least */
	OPT_NAMES,	/* struct names; may be repeated */
	OPT_CHOICE,	/* int, index into values */
	OPT_MAYBE,	/* the same; without a value, the second */
	OPT_NUMBER,	/* unsigned, 1 to ROUNDS_MAX */
};

struct option_row {
	char letter;			/* 0: none */
	const char *name, *arg;
	enum option_kind kind;
	size_t offset;			/* in struct options */
	unsigned commands;		/* bits; 0: stands without a command */
	const char *const *values;	/* OPT_CHOICE, OPT_MAYBE: up to NULL */
	const char *help;
};

extern const struct command_row commands[CMD_COUNT];
extern const struct option_row option_rows[];		/* up to a row without a name */

#endif
