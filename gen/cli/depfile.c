/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "depfile.h"

#include <stdlib.h>
#include <string.h>

#include <talloc.h>

#include "path.h"

/* Nothing keeps make from taking these for what they are to it, and that of a pattern where it is a target. */
static bool can_be_named(struct run *run, const char *name, const char *not)
{
	struct place nowhere = { NULL, 0, 0 };

	if (!strpbrk(name, not))
		return true;
	diag_error(run->diag, DIAG_NOT_WRITTEN, nowhere, "%s: no rule of make can name `%s`", run->options->depfile, name);
	return false;
}

static bool takes_no_place(struct run *run, const char *name, const char *what)
{
	struct place nowhere = { NULL, 0, 0 };

	if (!path_is(run->options->depfile, name))
		return true;
	diag_error(run->diag, DIAG_TWICE, nowhere, "%s is given twice: as the depfile, and as a file that is %s",
		   run->options->depfile, what);
	return false;
}

bool depfile_fits(struct run *run, struct output_file **files)
{
	bool ok = true;

	for (size_t i = 0; ok && i < run->inputs.n; i++)
		ok = takes_no_place(run, run->inputs.v[i], "read") && can_be_named(run, run->inputs.v[i], ";|\t\n");
	for (size_t i = 0; ok && i < run->nunits; i++)
		ok = takes_no_place(run, files[i]->path, "written") && can_be_named(run, files[i]->path, ";|%\t\n");
	return ok;
}

/* A backslash is one by itself; in front of what needs one it needs one, too. */
static void escaped(FILE *out, const char *name)
{
	size_t slashes = 0;

	for (; *name; name++) {
		if (*name == '$')
			fputc('$', out);
		for (size_t i = 0; strchr(" #:", *name) && i <= slashes; i++)
			fputc('\\', out);
		fputc(*name, out);
		slashes = *name == '\\' ? slashes + 1 : 0;
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

struct output_file *depfile_print(struct run *run, void *ctx, struct output_file **files)
{
	struct output_file *f = output_begin(ctx, run->options->depfile);

	if (!f)
		return NULL;
	f->there = true;
	for (size_t i = 0; i < run->nunits; i++) {
		escaped(f->stream, files[i]->path);
		fputs(i + 1 == run->nunits ? ":" : " ", f->stream);
	}
	qsort(run->inputs.v, run->inputs.n, sizeof *run->inputs.v, by_name);
	for (size_t i = 0; i < run->inputs.n; i++) {
		fputc(' ', f->stream);
		escaped(f->stream, run->inputs.v[i]);
	}
	fputc('\n', f->stream);
	return output_end(f) ? f : NULL;
}
