/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The command line.  Commands and options stand in one table each (options.c); parsing, --help, the man page's option
 * part and shell completion are all made from them.
 */
#ifndef UCOPY_OPTIONS_H
#define UCOPY_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum exit_status { EXIT_DONE, EXIT_INPUT, EXIT_USAGE, EXIT_FAULT };

enum command { CMD_CHECK, CMD_GEN, CMD_EXPLAIN, CMD_WHY_NOT, CMD_TABLE, CMD_BENCH, CMD_COUNT };
enum format { FORMAT_JSON, FORMAT_C, FORMAT_ASM };
enum dump { DUMP_NONE, DUMP_MACHINE, DUMP_IR, DUMP_PROOF };
#define ROUNDS_MAX 1001

enum help_form { HELP_NONE, HELP_TEXT, HELP_MAN, HELP_BASH };

struct names {
	const char **v;
	size_t n;
};

struct options {
	enum command command;
	struct names specs;
	const char *out;		/* gen: the folder, NULL: `out`; bench: the profile, NULL: none */
	struct names targets;		/* none: all */
	struct names routines;		/* none: what the target emits */
	const char *text;		/* why-not: beginning of the lines it is about */
	int format, dump, help;
	int diagnostics;		/* 1: json */
	bool comments, version;
	const char *depfile;
	const char *tune;		/* a profile; NULL: none */
	const char *cc, *host_cc;	/* bench: commands, NULL: `cc` */
	const char *run;		/* bench: an emulator, NULL: none */
	const char *plot;		/* bench: a file, NULL: none */
	unsigned rounds;		/* bench; 0: as many as usual */
};

/*
 * Reads the arguments.  False: nothing is left to do, and *ret_status says how to end (help and version were asked for
 * and printed, or the usage was wrong and stderr says why).
 */
bool options_read(void *ctx, int argc, char **argv, struct options *ret, int *ret_status);

#endif
