/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Other programs. */
#ifndef UCOPY_COMMAND_H
#define UCOPY_COMMAND_H

#include <sys/types.h>

#include "options.h"

#define COMMAND_SAID_TOO_MUCH (-2)
#define COMMAND_BLANKS " \t\n"

/* Adds an argument; adds the words of a text, which blanks are between. */
void command_add(void *ctx, struct names *args, const char *arg);
void command_words(void *ctx, struct names *args, const char *text);

/*
 * Runs a program, looked for in PATH, with nothing to read, its output and its complaints to files that it makes anew.
 * Returns its exit status, 128 and a signal's number, or -1: errno says why it was not run; or that it said too much: once a
 * file has more than limit bytes, it is ended.
 */
int command_run(void *ctx, const struct names *args, const char *out, const char *complaints, off_t limit);

#endif
