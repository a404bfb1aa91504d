/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "bench_build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "command.h"
#include "print.h"
#include "temporary.h"

#define SAID_MAX 8			/* lines of a program's complaints that are shown */
#define TEXT_LIMIT (64u * 1024 * 1024)	/* bytes of what a program says, beside the numbers it is asked for */
#define TEXT_MOST (200u * 1024 * 1024)	/* what talloc makes one text of */
#define NUMBER_SIZE 21			/* of one of those, with what parts it from the next */

struct work {
	struct run *run;
	struct bench *b;
	struct temporary *folder;
	void *files;			/* of what is in it: goes first */
	struct names sources;
	const char *program, *said, *complaints;
};

static int drop(struct work *w)
{
	talloc_free(w->files);
	talloc_free(w->folder);
	return 0;
}

static int failed(struct work *w, enum diag_id id, const char *what)
{
	struct place nowhere = { NULL, 0, 0 };

	diag_error(w->run->diag, id, nowhere, "%s", what);
	return EXIT_FAULT;
}

static const char *file(struct work *w, const char *name)
{
	return temporary_name(temporary_inside(w->files, w->folder, name));
}

/* Bytes, and more can't be of use to anybody. */
static size_t said_limit(const struct bench *b)
{
	size_t n = TEXT_LIMIT + b->rounds * bench_works(b) * ALIGNMENTS * (b->nmethods + 2) * NUMBER_SIZE;

	return n < TEXT_MOST ? n : TEXT_MOST;
}

/* What a file holds, cut off where it is too long; empty when it can't be read. */
static char *contents(struct work *w, const char *path)
{
	FILE *in = fopen(path, "rb");
	char *text = talloc_strdup(w->files, ""), piece[4096];
	size_t n, all = 0;

	while (in && all < said_limit(w->b) && (n = fread(piece, 1, sizeof piece - 1, in)) > 0) {
		piece[n] = '\0';
		text = talloc_strdup_append_buffer(text, piece);
		all += n;
	}
	if (in)
		fclose(in);
	return text;
}

/* The first lines of what a program complained of, as notes. */
static void note_complaints(struct work *w)
{
	struct place nowhere = { NULL, 0, 0 };
	char *text = contents(w, w->complaints), *rest = text;

	for (int i = 0; i < SAID_MAX && *rest; i++) {
		size_t n = strcspn(rest, "\n");

		if (n)
			diag_note(w->run->diag, nowhere, "%.*s", n < 200 ? (int)n : 200, rest);
		rest += n + (rest[n] == '\n');
	}
	talloc_free(text);
}

static int call(struct work *w, enum diag_id id, const struct names *args)
{
	int status = command_run(w->files, args, w->said, w->complaints, (off_t)said_limit(w->b));

	if (!status)
		return EXIT_DONE;
	if (status == COMMAND_SAID_TOO_MUCH)
		return failed(w, id, talloc_asprintf(w->files, "`%s` says too much, and was ended", args->v[0]));
	if (status < 0)
		return failed(w, id, talloc_asprintf(w->files, "`%s` can not be run: %s", args->n ? args->v[0] : "", strerror(errno)));
	failed(w, id, talloc_asprintf(w->files, "`%s` ended with exit status %d", args->v[0], status));
	note_complaints(w);
	return EXIT_FAULT;
}

static FILE *open_file(struct work *w, const char *name)
{
	const char *path = file(w, name);
	FILE *out = fopen(path, "wb");

	if (!out)
		failed(w, DIAG_NOT_WRITTEN, talloc_asprintf(w->files, "%s: %s", path, strerror(errno)));
	return out;
}

static int close_file(struct work *w, FILE *out)
{
	bool bad = ferror(out) != 0;

	bad |= fclose(out) != 0;
	return bad ? failed(w, DIAG_NOT_WRITTEN, "what is to be measured could not be written: no room?") : EXIT_DONE;
}

static int write_lines(struct work *w, const char *name, const char *const *lines)
{
	FILE *out = open_file(w, name);

	if (!out)
		return EXIT_FAULT;
	bench_print_lines(out, lines);
	return close_file(w, out);
}

static int write_methods(struct work *w)
{
	FILE *out = open_file(w, "methods.h");

	if (!out)
		return EXIT_FAULT;
	bench_print_methods(out, w->b);
	return close_file(w, out);
}

static int write_routine(struct work *w, size_t method)
{
	const struct program *p = w->b->methods[method].program;
	const char *name = talloc_asprintf(w->files, "%zu.s", method);
	struct print_options o = { .comments = false };
	FILE *out = open_file(w, name);

	if (!out)
		return EXIT_FAULT;
	command_add(w->files, &w->sources, talloc_asprintf(w->files, "%s/%s", temporary_name(w->folder), name));
	print_program(out, p, labels_new(w->files, p), &o);
	return close_file(w, out);
}

static int write_sources(struct work *w)
{
	int status = write_lines(w, "harness.c", bench_harness);

	command_add(w->files, &w->sources, talloc_asprintf(w->files, "%s/harness.c", temporary_name(w->folder)));
	if (status == EXIT_DONE)
		status = write_lines(w, "mixes.h", bench_mixes);
	if (status == EXIT_DONE)
		status = write_methods(w);
	for (size_t i = 0; status == EXIT_DONE && i < w->b->nmethods; i++)
		status = write_routine(w, i);
	return status;
}

static const char *cc_of(const char *asked)
{
	return asked ? asked : "cc";
}

static int build(struct work *w)
{
	struct names args = { NULL, 0 };

	command_words(w->files, &args, cc_of(w->run->options->cc));
	command_add(w->files, &args, "-O2");
	/* where it lies must be known before it runs, and an emulator has no libraries of its machine */
	if (w->b->counts)
		command_add(w->files, &args, "-static");
	command_add(w->files, &args, "-o");
	command_add(w->files, &args, w->program);
	for (size_t i = 0; i < w->sources.n; i++)
		command_add(w->files, &args, w->sources.v[i]);
	return call(w, DIAG_NOT_BUILT, &args);
}

static int run_times(struct work *w)
{
	struct names args = { NULL, 0 };
	int status;

	command_add(w->files, &args, w->program);
	command_add(w->files, &args, talloc_asprintf(w->files, "%u", w->b->rounds));
	status = call(w, DIAG_NOT_RUN, &args);
	if (status == EXIT_DONE && !bench_read_times(w->b, contents(w, w->said)))
		status = failed(w, DIAG_NOT_RUN, "what was built says something else than times");
	return status;
}

/* The counter for the emulator. */
static int build_plugin(struct work *w, const char *path)
{
	struct names args = { NULL, 0 };
	int status = write_lines(w, "plugin.c", bench_plugin);

	if (status == EXIT_DONE)
		status = write_lines(w, "qemu_plugin.h", bench_plugin_api);
	command_words(w->files, &args, cc_of(w->run->options->host_cc));
	command_words(w->files, &args, "-O2 -shared -fPIC -o");
	command_add(w->files, &args, path);
	command_add(w->files, &args, talloc_asprintf(w->files, "%s/plugin.c", temporary_name(w->folder)));
	return status == EXIT_DONE ? call(w, DIAG_NOT_BUILT, &args) : status;
}

/* The program's symbols: a line for each with its name, a letter, its address and its size.  NULL: an error was said. */
static const char *symbols(struct work *w)
{
	struct names ask = { NULL, 0 }, args = { NULL, 0 };

	command_words(w->files, &ask, cc_of(w->run->options->cc));
	command_add(w->files, &ask, "-print-prog-name=nm");
	if (call(w, DIAG_NOT_BUILT, &ask) != EXIT_DONE)
		return NULL;
	command_words(w->files, &args, contents(w, w->said));
	command_words(w->files, &args, "-P -S -t x");
	command_add(w->files, &args, w->program);
	return call(w, DIAG_NOT_BUILT, &args) == EXIT_DONE ? contents(w, w->said) : NULL;
}

/* size: 0 where there is none. */
static bool symbol(const char *all, const char *name, uint64_t *ret_at, uint64_t *ret_size)
{
	size_t n = strlen(name);
	char kind;

	for (const char *line = all; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		*ret_size = 0;
		if (strncmp(line, name, n) == 0 && line[n] == ' ' &&
		    sscanf(line + n, " %c %" SCNx64 " %" SCNx64, &kind, ret_at, ret_size) >= 2)
			return true;
	}
	return false;
}

/* What the counter is told: where to write to, and which instructions count.  NULL: an error was said. */
static const char *plugin_options(struct work *w, const char *plugin, const char *counts)
{
	const char *all = symbols(w);
	uint64_t at, size;
	char *text;

	if (!all || !symbol(all, "ucopy_bench_mark", &at, &size)) {
		if (all)
			failed(w, DIAG_NOT_BUILT, "what was built has no symbols");
		return NULL;
	}
	text = talloc_asprintf(w->files, "%s,mark=%#" PRIx64 ",out=%s", plugin, at, counts);
	for (size_t i = 0; i < w->b->nmethods; i++) {
		if (!symbol(all, w->b->methods[i].symbol, &at, &size) || !size) {
			failed(w, DIAG_NOT_BUILT, talloc_asprintf(w->files, "`%s` has no size", w->b->methods[i].symbol));
			return NULL;
		}
		text = talloc_asprintf_append(text, ",range=%#" PRIx64 "-%#" PRIx64, at, at + size);
	}
	return text;
}

static int run_counts(struct work *w)
{
	const char *plugin = file(w, "plugin.so"), *counts = file(w, "counts"), *options;
	struct names args = { NULL, 0 };
	int status = build_plugin(w, plugin);

	if (status != EXIT_DONE)
		return status;
	options = plugin_options(w, plugin, counts);
	if (!options)
		return EXIT_FAULT;
	command_words(w->files, &args, w->run->options->run);
	command_add(w->files, &args, "-plugin");
	command_add(w->files, &args, options);
	command_add(w->files, &args, w->program);
	command_add(w->files, &args, "0");
	status = call(w, DIAG_NOT_RUN, &args);
	if (status == EXIT_DONE && !bench_read_counts(w->b, contents(w, counts)))
		status = failed(w, DIAG_NOT_RUN, "the emulator did not count what it was asked to");
	return status;
}

int bench_measure(struct run *run, struct bench *b)
{
	struct work *w = talloc_zero(run, struct work);
	int status = EXIT_FAULT;

	w->run = run;
	w->b = b;
	w->folder = temporary_folder(run);
	if (!w->folder) {
		failed(w, DIAG_NOT_WRITTEN, talloc_asprintf(w, "no folder for what is built: %s", strerror(errno)));
	} else {
		w->files = talloc_new(run);
		talloc_set_destructor(w, drop);
		w->program = file(w, "harness");
		w->said = file(w, "said");
		w->complaints = file(w, "complaints");
		status = write_sources(w);
		if (status == EXIT_DONE)
			status = build(w);
		if (status == EXIT_DONE)
			status = b->counts ? run_counts(w) : run_times(w);
	}
	talloc_free(w);
	return status;
}
