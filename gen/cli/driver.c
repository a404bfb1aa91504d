/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "driver.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "answer.h"
#include "array.h"
#include "bench_units.h"
#include "dump.h"
#include "json.h"
#include "names.h"
#include "profile.h"
#include "prove.h"
#include "resolve.h"
#include "temporary.h"

#define UNITS_MAX 4096

static bool named(const struct names *names, const char *name, size_t length)
{
	for (size_t i = 0; i < names->n; i++) {
		if (strncmp(names->v[i], name, length) == 0 && !names->v[i][length])
			return true;
	}
	return false;
}

static void add_name(void *ctx, struct names *names, const char *name)
{
	if (named(names, name, strlen(name)))
		return;
	ARRAY_RESIZE(ctx, names->v, const char *, names->n + 1);
	names->v[names->n++] = name;
}

struct run *run_new(void *ctx, const struct options *o)
{
	struct run *run = talloc_zero(ctx, struct run);
	const char *no_colour = getenv("NO_COLOR");

	temporaries_guard();
	json_memory();
	run->options = o;
	run->diag = diag_new(run, 0);
	run->terminal = o->diagnostics == 0 && isatty(STDERR_FILENO);
	run->colour = run->terminal && !(no_colour && *no_colour);
	run->start = time(NULL);
	run->steps = EXAMPLE_STEPS;
	if (o->tune)
		run->profile = profile_read(run, run->diag, o->tune);
	if (run->profile)
		add_name(run, &run->inputs, o->tune);
	return run;
}

struct unit *run_add_unit(struct run *run, const struct tree *t, const struct machine *m, const char *routine)
{
	if (run->nunits == UNITS_MAX) {
		diag_error(run->diag, DIAG_MANY, m->place, "more than %d routines are asked for", UNITS_MAX);
		return NULL;
	}
	ARRAY_RESIZE(run, run->units, struct unit, run->nunits + 1);
	run->units[run->nunits] = (struct unit){ .tree = t, .machine = m, .routine = routine,
							  .why = { .text = run->options->text } };
	return &run->units[run->nunits++];
}

/* Linked together, each routine must be found by its own name; of those a target emits resolving has seen to it. */
static void check_symbols_differ(struct run *run, const struct machine *m, const struct names *asked)
{
	void *ctx = talloc_new(NULL);

	for (size_t i = 0; i < asked->n; i++)
		for (size_t k = 0; k < i; k++) {
			const char *symbol = target_symbol(ctx, m, asked->v[i]);

			if (strcmp(symbol, target_symbol(ctx, m, asked->v[k])) == 0)
				diag_error(run->diag, DIAG_SAME_SYMBOL, m->place, "`%s` and `%s` are both named `%s`",
					   asked->v[k], asked->v[i], symbol);
		}
	talloc_free(ctx);
}

/* A target as the options name it: with a variant behind a plus, too.  first: of its machine. */
static bool add_target(struct run *run, const struct tree *t, const char *machine, const char *target, bool first)
{
	const struct options *o = run->options;
	struct machine *m = (first ? resolve_machine : resolve_next)(run, run->diag, t, machine, target);

	if (!m || (run->profile && !profile_apply(run->profile, run->diag, &t->templates, m)))
		return false;
	if (o->dump == DUMP_MACHINE)
		dump_machine(stderr, m);
	if (o->command == CMD_BENCH)
		return bench_units(run, t, m);
	check_symbols_differ(run, m, &o->routines);
	for (size_t i = 0; i < o->routines.n; i++)
		run_add_unit(run, t, m, o->routines.v[i]);
	for (size_t i = 0; !o->routines.n && i < m->target.nemit; i++)
		run_add_unit(run, t, m, m->target.emit[i]);
	return true;
}

/* The targets a machine has, in its own body and in files of their own. */
static struct names targets_of(void *ctx, const struct tree *t, const struct spec_machine *m)
{
	struct names all = { NULL, 0 };

	for (size_t i = 0; i < m->body.ntargets; i++)
		add_name(ctx, &all, m->body.targets[i]->name.name);
	for (size_t i = 0; i < t->ntargets; i++) {
		const struct spec_target *target = t->targets[i];

		if (target->of.name && strcmp(target->of.name, m->name.name) == 0)
			add_name(ctx, &all, target->name.name);
	}
	return all;
}

static void add_machine(struct run *run, const struct tree *t, const struct spec_machine *m)
{
	const struct names *asked = &run->options->targets;
	struct names all = targets_of(run, t, m);
	bool ok = true;

	/* without a target of its own, resolving says what is missing; wrong once, it would be wrong for each target */
	if (!all.n)
		add_target(run, t, m->name.name, NULL, true);
	for (size_t i = 0; ok && !asked->n && i < all.n; i++)
		ok = add_target(run, t, m->name.name, all.v[i], i == 0);
	for (size_t i = 0; ok && all.n && i < asked->n; i++)
		ok = add_target(run, t, m->name.name, asked->v[i], i == 0);
}

void run_add_spec(struct run *run, const char *path)
{
	unsigned others = diag_errors(run->diag);	/* of the specs before: this one's are told as well */
	struct tree *t = run->options->tune && !run->profile ? NULL : parse_file(run, run->diag, path);

	if (!t)
		return;
	for (size_t i = 0; i < t->nsources; i++)
		add_name(run, &run->inputs, t->sources[i]->name);
	if (diag_errors(run->diag) == others)
		check_names(run, run->diag, t);
	if (diag_errors(run->diag) != others)
		return;
	if (!t->nmachines) {
		struct place nowhere = { NULL, 0, 0 };

		diag_error(run->diag, DIAG_NO_MACHINE, nowhere, "no machine is described in %s", path);
	}
	for (size_t i = 0; i < t->nmachines; i++)
		add_machine(run, t, t->machines[i]);
	if (run->options->command == CMD_BENCH && diag_errors(run->diag) == others)
		bench_units_there(run, path);
}

void run_progress(struct run *run, const struct unit *u)
{
	if (!run->terminal || time(NULL) - run->start < 2)
		return;
	fprintf(stderr, "\r\033[K%s/%s %s", u->machine->name, u->machine->target.full_name, u->routine);
	fflush(stderr);
	run->progress = true;
}

void run_progress_end(struct run *run)
{
	if (run->progress)
		fputs("\r\033[K", stderr);
	run->progress = false;
}

int run_finish(struct run *run)
{
	int status = EXIT_DONE;

	if (diag_errors(run->diag))
		status = run->refused ? EXIT_FAULT : EXIT_INPUT;
	/* why lines were not taken is wanted most where a routine can't be lowered */
	if (status == EXIT_DONE || run->options->command == CMD_WHY_NOT) {
		int end = answer(run);

		status = status == EXIT_DONE ? end : status;
	}
	diag_flush(run->diag, stderr, run->options->diagnostics != 0, run->colour);
	return status;
}
