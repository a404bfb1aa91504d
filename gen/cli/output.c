/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <talloc.h>

static int drop(struct output_file *f)
{
	if (f->stream)
		fclose(f->stream);
	free(f->text);
	return 0;
}

struct output_file *output_begin(void *ctx, const char *path)
{
	struct output_file *f = talloc_zero(ctx, struct output_file);

	f->path = talloc_strdup(f, path);
	f->stream = open_memstream(&f->text, &f->size);
	talloc_set_destructor(f, drop);
	if (f->stream)
		return f;
	talloc_free(f);
	return NULL;
}

bool output_end(struct output_file *f)
{
	bool bad = ferror(f->stream) != 0;

	bad |= fclose(f->stream) != 0;
	f->stream = NULL;
	return !bad;
}

/* A file to read; what is no file (nobody may ever write to it) is replaced like one that differs. */
static FILE *open_regular(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
	struct stat st;
	FILE *in = NULL;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		in = fdopen(fd, "rb");
	if (fd >= 0 && !in)
		close(fd);
	return in;
}

static bool same(const struct output_file *f)
{
	FILE *old = open_regular(f->path);
	char piece[4096];
	size_t at = 0, n;
	bool equal = old != NULL;

	while (equal && (n = fread(piece, 1, sizeof piece, old)) > 0) {
		equal = n <= f->size - at && memcmp(piece, f->text + at, n) == 0;
		at += n;
	}
	equal = equal && at == f->size && !ferror(old);
	if (old)
		fclose(old);
	return equal;
}

static bool make_folders(struct output_file *f)
{
	char *copy = talloc_strdup(NULL, f->path);
	bool ok = true;

	for (char *p = copy + 1; ok && (p = strchr(p, '/')); *p++ = '/') {
		*p = '\0';
		if (mkdir(copy, 0777) != 0)
			ok = errno == EEXIST;
		else if (!f->made)
			f->made = (size_t)(p - copy);
	}
	talloc_free(copy);
	return ok;
}

/* From the last to the first; those that others put something into stay. */
static void remove_folders(const struct output_file *f)
{
	char *copy = talloc_strdup(NULL, f->path), *p;

	while (f->made && (p = strrchr(copy, '/')) && (size_t)(p - copy) >= f->made) {
		*p = '\0';
		rmdir(copy);
	}
	talloc_free(copy);
}

void output_drop(struct output_file **files, size_t n)
{
	int why = errno;

	for (size_t i = 0; i < n; i++)
		TALLOC_FREE(files[i]->temporary);
	while (n)
		remove_folders(files[--n]);
	errno = why;
}

static bool write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		text += n;
		size -= (size_t)n;
	}
	return true;
}

/* The mode a newly made file has: mkstemp's is narrower than the user's mask allows. */
static mode_t plain_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* By a folder a rename would fail when others are done; a device, /dev/null say, it would replace. */
static bool in_the_way(struct output_file *f)
{
	struct stat st;

	if (lstat(f->path, &st) != 0 || !(S_ISDIR(st.st_mode) || S_ISCHR(st.st_mode) || S_ISBLK(st.st_mode)))
		return false;
	errno = EISDIR;
	f->why = S_ISDIR(st.st_mode) ? NULL : "not a regular file";
	return true;
}

bool output_stage(struct output_file *f)
{
	bool ok;
	int fd;

	if (in_the_way(f))
		return false;
	if (same(f))
		return true;
	if (!f->there && !make_folders(f))
		return false;
	f->temporary = temporary_new(f, f->path, &fd);
	if (!f->temporary)
		return false;
	ok = write_all(fd, f->text, f->size) && fchmod(fd, plain_mode()) == 0;
	return close(fd) == 0 && ok;
}

bool output_commit(struct output_file *f)
{
	return !f->temporary || temporary_rename(f->temporary, f->path);
}
