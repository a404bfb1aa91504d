/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "answer.h"

#include <errno.h>
#include <string.h>

#include "array.h"
#include "bench_answer.h"
#include "claim.h"
#include "depfile.h"
#include "explain.h"
#include "output.h"
#include "print.h"
#include "table.h"

static bool has_word(const struct program *p, const char *word)
{
	for (size_t i = 0; i < p->ninsns; i++)
		if (p->insns[i].pattern && pattern_begins(p->insns[i].pattern, word))
			return true;
	return false;
}

/* Block instructions of the machine that a routine could have, and does without. */
static void print_missing(const struct program *p)
{
	const char *const *words = p->machine->block_words;
	bool load = words[0] && p->info.src >= 0 && !has_word(p, words[0]);
	bool store = words[1] && !has_word(p, words[1]);

	if (load || store)
		printf(" without %s%s%s", load ? words[0] : "", load && store ? " and " : "", store ? words[1] : "");
}

static int check(struct run *run)
{
	for (size_t i = 0; i < run->nunits; i++) {
		const struct unit *u = &run->units[i];
		size_t sites = u->labels->nentries;

		printf("%s/%s %s: %zu instructions", u->machine->name, u->machine->target.full_name, u->routine,
		       u->program->ninsns);
		print_missing(u->program);
		fputs(", ", stdout);
		if (sites)
			printf("%zu fault site%s, ", sites, sites == 1 ? "" : "s");
		puts(program_claim(run, u->program));
	}
	return EXIT_DONE;
}

/* why: NULL for what errno says */
static int failed(struct run *run, const char *path, const char *why)
{
	struct place nowhere = { NULL, 0, 0 };

	diag_error(run->diag, DIAG_NOT_WRITTEN, nowhere, "%s: %s", path, why ? why : strerror(errno));
	return EXIT_FAULT;
}

/* Several routines at once, of one machine and target. */
struct total {
	size_t routines, sites, written;
	bool faults, maximal, open, rewrites;	/* open: some go on in others that were not asked for */
};

static void total_add(const struct run *run, struct total *t, const struct unit *u, bool changed)
{
	t->routines++;
	t->faults |= program_faults(u->program);
	t->sites += u->labels->nentries;
	t->written += changed;
	t->maximal &= u->program->maximal || !u->labels->nentries;
	t->open |= run->options->routines.n && program_goes_on(u->labels, u->program);
	t->rewrites |= u->program->rewrites;
}

static const char *total_claim(const struct total *t)
{
	if (t->open)
		return t->maximal ? "as exact and maximal as what they go on in" :
				    "as exact as what they go on in, not all maximal";
	return t->maximal ? "exact, maximal" : "exact, not all maximal";
}

static void total_print(const struct total *t, const struct machine *m)
{
	printf("%s/%s %zu routine%s, ", m->name, m->target.full_name, t->routines, t->routines == 1 ? "" : "s");
	if (!t->faults)
		fputs("no fault sites", stdout);
	else
		printf("%zu fault site%s, %s", t->sites, t->sites == 1 ? "" : "s", total_claim(t));
	if (t->rewrites)
		fputs(", rewrites", stdout);
	if (t->written)
		printf(", %zu written\n", t->written);
	else
		puts(", unchanged");
}

static const char *unit_path(const struct run *run, void *ctx, const struct unit *u)
{
	const struct machine *m = u->machine;
	const char *dir = run->options->out ? run->options->out : "out";

	return talloc_asprintf(ctx, "%s/%s/%s/%s.S", dir, m->name, m->target.full_name, u->routine);
}

/* Text in memory: no file is touched before there is one for each. */
static struct output_file *print_unit(const struct run *run, void *ctx, const struct unit *u, const char *path)
{
	struct print_options o = { .comments = run->options->comments };
	struct output_file *f = output_begin(ctx, path);

	if (!f)
		return NULL;
	print_program(f->stream, u->program, u->labels, &o);
	return output_end(f) ? f : NULL;
}

/* Renames all that was staged; what is said of it comes behind, when no reader that went away can do harm. */
static int commit(struct run *run, struct output_file **files, size_t n)
{
	sigset_t before;
	size_t i = 0;
	int status;

	signals_hold(&before);
	while (i < n && output_commit(files[i]))
		i++;
	status = i == n ? EXIT_DONE : failed(run, files[i]->path, NULL);
	output_drop(files + i, n - i);
	signals_release(&before);
	return status;
}

int answer_write(struct run *run, struct output_file **files, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!output_stage(files[i])) {
			output_drop(files, i + 1);
			return failed(run, files[i]->path, files[i]->why);
		}
	return commit(run, files, n);
}

static void print_totals(const struct run *run, struct output_file **files)
{
	struct total t = { .maximal = true };

	for (size_t i = 0; i < run->nunits; i++) {
		const struct unit *u = &run->units[i];

		total_add(run, &t, u, files[i]->temporary != NULL);
		if (i + 1 == run->nunits || run->units[i + 1].machine != u->machine) {
			total_print(&t, u->machine);
			t = (struct total){ .maximal = true };
		}
	}
}

static bool same_file(const struct unit *a, const struct unit *b)
{
	return !strcmp(a->routine, b->routine) && !strcmp(a->machine->target.full_name, b->machine->target.full_name) &&
	       !strcmp(a->machine->name, b->machine->name);
}

/* Of two specs, or one: each file is written once. */
static bool files_differ(struct run *run)
{
	for (size_t i = 0; i < run->nunits; i++)
		for (size_t k = 0; k < i; k++) {
			const struct unit *u = &run->units[i], *before = &run->units[k];

			if (!same_file(u, before))
				continue;
			diag_error(run->diag, DIAG_TWICE, u->machine->place, "%s/%s/%s.S is given twice", u->machine->name,
				   u->machine->target.full_name, u->routine);
			diag_note(run->diag, before->machine->place, "it is given here already");
			return false;
		}
	return true;
}

/* One for each unit, and the depfile behind them. */
static int print_files(struct run *run, void *ctx, struct output_file **files)
{
	for (size_t i = 0; i < run->nunits; i++) {
		const char *path = unit_path(run, ctx, &run->units[i]);

		files[i] = print_unit(run, ctx, &run->units[i], path);
		if (!files[i])
			return failed(run, path, NULL);
	}
	if (run->options->depfile) {
		if (!depfile_fits(run, files))
			return EXIT_INPUT;
		files[run->nunits] = depfile_print(run, ctx, files);
		if (!files[run->nunits])
			return failed(run, run->options->depfile, NULL);
	}
	return EXIT_DONE;
}

static int generate(struct run *run)
{
	void *ctx = talloc_new(run);
	struct output_file **files = ARRAY_NEW(ctx, struct output_file *, run->nunits + 1);
	int status = files_differ(run) ? print_files(run, ctx, files) : EXIT_INPUT;

	if (status == EXIT_DONE)
		status = answer_write(run, files, run->nunits + (run->options->depfile ? 1 : 0));
	if (status == EXIT_DONE)
		print_totals(run, files);
	talloc_free(ctx);
	return status;
}

static int table(struct run *run)
{
	struct table_item *items = ARRAY_NEW(run, struct table_item, run->nunits + 1);

	for (size_t i = 0; i < run->nunits; i++) {
		items[i].program = run->units[i].program;
		items[i].labels = run->units[i].labels;
	}
	if (run->options->format == FORMAT_C)
		table_c(stdout, items, run->nunits);
	else if (run->options->format == FORMAT_ASM)
		table_asm(stdout, items, run->nunits);
	else
		table_json(stdout, items, run->nunits);
	return EXIT_DONE;
}

static int explain(struct run *run)
{
	struct explain_options o = { .comments = run->options->comments };

	for (size_t i = 0; i < run->nunits; i++)
		explain_program(stdout, run->units[i].program, run->units[i].labels, run->units[i].proof, &o);
	return EXIT_DONE;
}

static int why_not(struct run *run)
{
	struct place nowhere = { NULL, 0, 0 };
	bool any = false;

	for (size_t i = 0; i < run->nunits; i++)
		any |= why_print(stdout, run->units[i].machine, run->units[i].routine, &run->units[i].why);
	if (any || !run->nunits)
		return EXIT_DONE;
	diag_error(run->diag, DIAG_NO_LINE, nowhere, "no line of the spec begins with `%s`", run->options->text);
	return EXIT_INPUT;
}

int answer(struct run *run)
{
	switch (run->options->command) {
	case CMD_GEN:
		return generate(run);
	case CMD_TABLE:
		return table(run);
	case CMD_EXPLAIN:
		return explain(run);
	case CMD_WHY_NOT:
		return why_not(run);
	case CMD_BENCH:
		return bench_answer(run);
	default:
		return check(run);
	}
}
