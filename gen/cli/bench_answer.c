/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "bench_answer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "array.h"
#include "bench_build.h"
#include "claim.h"
#include "path.h"
#include "print.h"
#include "show.h"

#define ROUNDS 101

/* A routine as it is printed. */
static char *text_of(struct run *run, const struct program *p)
{
	struct print_options o = { .comments = false };
	char *text = NULL, *copy = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (out) {
		print_program(out, p, labels_new(run, p), &o);
		fclose(out);
		copy = talloc_strdup(run, text);
	}
	free(text);
	return copy;
}

/* Does a candidate differ from what the machine has without it? */
static bool is_another(struct run *run, const struct unit *candidate)
{
	bool differs = true;

	for (size_t i = 0; i < run->nunits; i++) {
		const struct unit *u = &run->units[i];
		char *a, *b;

		if (u->tune || strcmp(u->routine, candidate->routine) != 0)
			continue;
		a = text_of(run, u->program);
		b = text_of(run, candidate->program);
		differs = a && b && strcmp(a, b) != 0;
		talloc_free(a);
		talloc_free(b);
	}
	return differs;
}

static bool names_method(const struct templates *t, const char *routine)
{
	for (size_t i = 0; i < t->ntunes; i++)
		for (int k = 0; t->tunes[i].between[0].name && k < 2; k++)
			if (strcmp(t->tunes[i].between[k].name, routine) == 0)
				return true;
	return false;
}

static void add(struct bench *b, struct unit *u, bool chooses)
{
	struct bench_method m = { u->program, u->routine, u->program->info.symbol, u->tune, u->value, chooses };

	/* beside the others it needs a name of its own, which its labels begin with */
	if (u->tune)
		m.symbol = u->program->info.symbol = talloc_asprintf(u->program, "%s_%s_%" PRIu64, m.symbol, u->tune, u->value);
	if (b->nmethods == BENCH_METHODS_MAX)
		return;
	b->methods[b->nmethods++] = m;
}

static bool is_symbol_of(const struct bench *b, const char *symbol)
{
	for (size_t i = 0; i < b->nmethods; i++)
		if (strcmp(b->methods[i].symbol, symbol) == 0)
			return true;
	return false;
}

/* All it goes on in is measured as well, or it could not be linked. */
static bool chooses(void *ctx, const struct bench *b, const struct unit *u)
{
	const char **exits = program_exits(ctx, u->program);

	for (size_t i = 0; exits[i]; i++)
		if (!is_symbol_of(b, exits[i]))
			return false;
	return exits[0] != NULL;
}

/* Methods as they are, what chooses one of them, and candidates. */
static void collect(struct run *run, struct bench *b)
{
	for (size_t i = 0; i < run->nunits; i++)
		if (!run->units[i].tune && names_method(b->templates, run->units[i].routine))
			add(b, &run->units[i], false);
	for (size_t i = 0; i < run->nunits; i++)
		if (!run->units[i].tune && !names_method(b->templates, run->units[i].routine) && chooses(run, b, &run->units[i]))
			add(b, &run->units[i], true);
	for (size_t i = 0; i < run->nunits; i++)
		if (run->units[i].tune && run->units[i].proved && is_another(run, &run->units[i]))
			add(b, &run->units[i], false);
}

/* Would be asked for the same by the same call? */
static bool alike(const struct routine_info *a, const struct routine_info *b)
{
	return a->content == b->content && a->contract == b->contract && (a->src < 0) == (b->src < 0) &&
	       (a->value < 0) == (b->value < 0);
}

static bool check_alike(struct run *run, const struct bench *b)
{
	bool ok = true;

	for (size_t i = 0; i < b->templates->ntunes; i++) {
		const struct declared *t = &b->templates->tunes[i];

		if (!bench_is_threshold(b, t) ||
		    alike(&b->methods[bench_method(b, t->between[0].name, NULL, 0)].program->info,
			  &b->methods[bench_method(b, t->between[1].name, NULL, 0)].program->info))
			continue;
		diag_error(run->diag, DIAG_UNLIKE, t->between[1].place, "`%s` and `%s` do not do the same", t->between[0].name,
			   t->between[1].name);
		ok = false;
	}
	return ok;
}

static bool is_read(const struct run *run, const char *path)
{
	for (size_t k = 0; k < run->inputs.n; k++)
		if (path_is(path, run->inputs.v[k]))
			return true;
	return false;
}

/* Neither takes the other's place, nor that of a file that was read. */
static bool outputs_differ(struct run *run)
{
	const char *profile = run->options->out, *plot = run->options->plot, *twice = NULL;
	struct place nowhere = { NULL, 0, 0 };

	if (profile && is_read(run, profile))
		twice = profile;
	else if (plot && (is_read(run, plot) || (profile && path_is(plot, profile))))
		twice = plot;
	if (twice)
		diag_error(run->diag, DIAG_TWICE, nowhere, "%s is given twice: the profile, the picture and what is read are files of "
			   "their own", twice);
	return !twice;
}

typedef void print_fn(FILE *out, const struct bench *b, const struct bench_choice *choices, size_t n);

/* A file in memory. False: an error was said. */
static bool prepare(struct run *run, const char *path, print_fn *print, const struct bench *b, const struct bench_choice *choices,
		    size_t n, struct output_file **ret)
{
	struct place nowhere = { NULL, 0, 0 };
	struct output_file *f = output_begin(run, path);

	if (f) {
		f->there = true;
		print(f->stream, b, choices, n);
		if (output_end(f)) {
			*ret = f;
			return true;
		}
	}
	diag_error(run->diag, DIAG_NOT_WRITTEN, nowhere, "%s: %s", path, strerror(errno));
	return false;
}

static int give(struct run *run, struct bench *b)
{
	const struct options *o = run->options;
	struct output_file *files[2];
	struct bench_choice *choices;
	size_t n, nfiles = 0;
	int status;

	bench_find_quiet(run, b);
	choices = bench_choose(run, b, &n);
	if (o->out && !prepare(run, o->out, bench_profile, b, choices, n, &files[nfiles++]))
		return EXIT_FAULT;
	if (o->plot && !prepare(run, o->plot, bench_plot, b, choices, n, &files[nfiles++]))
		return EXIT_FAULT;
	status = answer_write(run, files, nfiles);
	if (status == EXIT_DONE)
		bench_table(stdout, b, choices, n);
	return status;
}

int bench_answer(struct run *run)
{
	const struct options *o = run->options;
	struct bench b = { .machine = run->units[0].machine, .templates = &run->units[0].tree->templates, .counts = o->run != NULL };
	int status;

	b.rounds = b.counts ? 1 : o->rounds ? o->rounds : ROUNDS;
	b.sizes = bench_sizes(&b.nsizes);
	b.methods = ARRAY_NEW(run, struct bench_method, BENCH_METHODS_MAX);
	collect(run, &b);
	if (!check_alike(run, &b) || !outputs_differ(run))
		return EXIT_INPUT;
	b.taken = ARRAY_NEW(run, uint64_t, b.rounds * bench_works(&b) * ALIGNMENTS * b.nmethods);
	status = bench_measure(run, &b);
	return status == EXIT_DONE ? give(run, &b) : status;
}
