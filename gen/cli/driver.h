/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One run of the compiler: what is asked for is worked out from the options, main compiles it routine by routine, and
 * when all are proved the command's answer is given.  Nothing is written before that.
 */
#ifndef UCOPY_DRIVER_H
#define UCOPY_DRIVER_H

#include <time.h>

#include "diag.h"
#include "label.h"
#include "options.h"
#include "parse.h"
#include "why.h"

struct proof;
struct profile;

struct unit {				/* a routine of one machine and target */
	const struct tree *tree;
	const struct machine *machine;
	const char *routine;
	void *ctx;			/* of all that is made for it */
	struct diag *diag;
	struct program *program;
	struct proof *proof;
	bool proved, refused;		/* neither: there was nothing to prove */
	bool shows;			/* a wrong example may be found */
	struct labels *labels;		/* made once it is proved */
	struct why why;			/* why-not */
	const char *tune;		/* bench: a candidate, made with that tune at another value; NULL: none */
	uint64_t value;
};

struct run {
	const struct options *options;
	struct diag *diag;
	struct unit *units;
	size_t nunits;
	struct profile *profile;	/* NULL: none was asked for, or it is wrong */
	struct names inputs;		/* every file read */
	bool refused;			/* a proof failed */
	uint64_t steps;			/* left of the search for examples */
	bool terminal, colour;		/* of stderr */
	bool progress;			/* a line of progress stands there */
	time_t start;
};

struct run *run_new(void *ctx, const struct options *o);

/* Parses a spec, resolves what the options ask of it and adds a unit for each routine.  Errors are in run->diag. */
void run_add_spec(struct run *run, const char *path);

/* A routine that is to be compiled.  What is returned is good until the next one is added; NULL: an error says why. */
struct unit *run_add_unit(struct run *run, const struct tree *t, const struct machine *m, const char *routine);

/* Says on a terminal what is being done, once a run has taken a second. */
void run_progress(struct run *run, const struct unit *u);
/* Takes that away, before anything else is said. */
void run_progress_end(struct run *run);

/* Prints messages and, when there are none, the command's answer.  Returns how to end. */
int run_finish(struct run *run);

#endif
