/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "depfile.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <talloc.h>

/* Puts components of a path that are not there yet behind the name of what is. */
static char *below(char *whole, const char *rest)
{
	while (*rest) {
		size_t n = strcspn(rest, "/");
		char *last = strrchr(whole, '/');

		if (n == 2 && strncmp(rest, "..", n) == 0)
			*(last ? last : whole) = '\0';
		else if (n && !(n == 1 && *rest == '.'))
			whole = talloc_asprintf_append(whole, "/%.*s", (int)n, rest);
		rest += n + (rest[n] == '/');
	}
	return whole;
}

/* Where a file is, or will be, whatever folders it is named by.  A link counts as a file: it would be replaced. */
static char *whole_path(void *ctx, const char *path)
{
	char whole[PATH_MAX];

	for (size_t n = strlen(path) + 1; n-- > 0;) {
		if (n && path[n - 1] != '/')
			continue;
		if (realpath(n ? talloc_strndup(ctx, path, n) : ".", whole))
			return below(talloc_strdup(ctx, strcmp(whole, "/") ? whole : ""), path + n);
	}
	return talloc_strdup(ctx, path);
}

static bool same_file(void *ctx, const char *a, const char *b)
{
	struct stat sa, sb;

	if (stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino)
		return true;
	return strcmp(whole_path(ctx, a), whole_path(ctx, b)) == 0;
}

/* Nothing keeps make from taking these for what they are to it, and that of a pattern where it is a target. */
static bool can_be_named(struct run *run, const char *name, const char *not)
{
	struct place nowhere = { NULL, 0, 0 };

	if (!strpbrk(name, not))
		return true;
	diag_error(run->diag, DIAG_NOT_WRITTEN, nowhere, "%s: no rule of make can name `%s`", run->options->depfile, name);
	return false;
}

static bool takes_no_place(struct run *run, void *ctx, const char *name, const char *what)
{
	struct place nowhere = { NULL, 0, 0 };

	if (!same_file(ctx, run->options->depfile, name))
		return true;
	diag_error(run->diag, DIAG_TWICE, nowhere, "%s is given twice: as the depfile, and as a file that is %s",
		   run->options->depfile, what);
	return false;
}

bool depfile_fits(struct run *run, struct output_file **files)
{
	void *ctx = talloc_new(NULL);
	bool ok = true;

	for (size_t i = 0; ok && i < run->inputs.n; i++)
		ok = takes_no_place(run, ctx, run->inputs.v[i], "read") && can_be_named(run, run->inputs.v[i], ";|\t\n");
	for (size_t i = 0; ok && i < run->nunits; i++)
		ok = takes_no_place(run, ctx, files[i]->path, "written") && can_be_named(run, files[i]->path, ";|%\t\n");
	talloc_free(ctx);
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
