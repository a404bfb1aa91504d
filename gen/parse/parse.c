/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Files, what they include, and the parser's entry points. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <talloc.h>

#include "ast_build.h"
#include "parse.h"

/* A tree with what only reading needs to know: which files it has, and where its memory comes from. */
struct unit {
	struct tree tree;		/* first: a tree made here is a unit */
	struct arena arena;
	struct file { dev_t device; ino_t inode; } *files;	/* by index of tree.sources; memory: inode 0 */
	size_t nfiles;
};

static struct unit *unit_of(struct tree *t)
{
	return (struct unit *)t;
}

static struct unit *unit_new(void *ctx)
{
	struct unit *u = talloc_zero(ctx, struct unit);

	if (!u)
		abort();
	u->arena.ctx = u;
	return u;
}

/* Reads a regular file of at most FILE_LIMIT bytes. */
static struct source *read_file(struct arena *a, struct diag *d, int fd, const char *name, struct place at)
{
	struct source *s = arena_get(a, sizeof(*s));
	char *text = talloc_size(a->ctx, FILE_LIMIT + 1);
	size_t n = 0;
	ssize_t k = 0;

	if (!text)
		abort();
	while (n < FILE_LIMIT + 1 && (k = read(fd, text + n, FILE_LIMIT + 1 - n)) > 0)
		n += (size_t)k;
	if (k < 0)
		diag_error(d, DIAG_FILE, at, "can not read `%s`: %s", name, strerror(errno));
	else if (n > FILE_LIMIT)
		diag_error(d, DIAG_LARGE, at, "`%s` is larger than %d bytes", name, FILE_LIMIT);
	if (k < 0 || n > FILE_LIMIT) {
		talloc_free(text);
		return NULL;
	}
	text = talloc_realloc_size(a->ctx, text, n + 1);
	text[n] = '\0';
	*s = (struct source){ name, text, (uint32_t)n };
	return s;
}

/* Adds a source to the tree and parses it. */
static bool parse_source(struct unit *u, struct diag *d, const struct source *s, struct file file, struct parser *includer)
{
	struct parser p = {
		.arena = &u->arena, .d = d, .tree = &u->tree, .includer = includer, .before = { s, 0, 0 },
		.scanner = { s, s->text, s->text, s->text + s->size, 0, d }, .where = IN_NEITHER,
	};

	PUSH(&p, u->tree.sources, u->tree.nsources, s);
	PUSH(&p, u->files, u->nfiles, file);
	parse_tokens(&p);
	return !p.fatal;
}

static bool same_file(struct file a, struct file b)
{
	return a.inode && a.inode == b.inode && a.device == b.device;
}

static bool report_cycle(struct diag *d, const struct source *s, struct parser *includer, struct place at)
{
	for (struct parser *p = includer; p; p = p->includer)
		if (p->scanner.source == s) {
			diag_error(d, DIAG_CYCLE, at, "this file includes itself");
			for (; includer != p; includer = includer->includer)
				diag_note(d, includer->includer->include, "through the include here");
			return false;
		}
	return true;
}

#define DETOURS_MAX 500			/* bytes of a name: each is looked at once for each of the others */

/* `a/b/../c` as `a/c`, if that is the same file: it isn't where b is a link. */
static const char *without_detours(struct unit *u, const char *name, struct file file)
{
	char *text = arena_get(&u->arena, strlen(name) + 1);
	const char *up = strlen(name) <= DETOURS_MAX ? name : "";

	while ((up = strstr(up, "/../"))) {
		const char *part = up;
		struct stat st;

		while (part > name && part[-1] != '/')
			part--;
		sprintf(text, "%.*s%s", (int)(part - name), name, up + 4);
		if (up > part && strncmp(part, "../", 3) && !stat(text, &st) &&
		    same_file(file, (struct file){ st.st_dev, st.st_ino }))
			return without_detours(u, text, file);
		up++;
	}
	return name;
}

/* Names stand in comments and rules of what is written: none shall end a line there. */
static bool has_control(const char *name)
{
	while (*name && (unsigned char)*name >= ' ' && *name != 127)
		name++;
	return *name;
}

/* name: for messages and relative to the working directory.  at: the include that asks for it. */
static bool parse_path(struct unit *u, struct diag *d, const char *name, struct parser *includer, struct place at)
{
	struct source *s;
	struct stat st;
	bool ok;
	int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);

	if (fd < 0 || fstat(fd, &st)) {
		diag_error(d, DIAG_FILE, at, "can not read `%s`: %s", name, strerror(errno));
		if (fd >= 0)
			close(fd);
		return false;
	}
	for (size_t i = 0; i < u->nfiles; i++)
		if (same_file(u->files[i], (struct file){ st.st_dev, st.st_ino })) {
			close(fd);
			return report_cycle(d, u->tree.sources[i], includer, at);
		}
	if (!S_ISREG(st.st_mode)) {
		diag_error(d, DIAG_FILE, at, "can not read `%s`: not a regular file", name);
		close(fd);
		return false;
	}
	if (has_control(name)) {
		diag_error(d, DIAG_FILE, at, "can not read `%s`: its name has control characters", name);
		close(fd);
		return false;
	}
	name = without_detours(u, name, (struct file){ st.st_dev, st.st_ino });
	s = read_file(&u->arena, d, fd, name, at);
	close(fd);
	ok = s && parse_source(u, d, s, (struct file){ st.st_dev, st.st_ino }, includer);
	return ok;
}

void parse_include(struct parser *p, struct token text)
{
	struct text_at t = text_at(p, text);
	const char *own = p->scanner.source->name, *slash = strrchr(own, '/');
	size_t directory = slash && *t.text != '/' ? (size_t)(slash - own) + 1 : 0, n = strlen(t.text);
	unsigned depth = 0;
	char *name;

	for (struct parser *q = p; q; q = q->includer)
		depth++;
	if (depth > INCLUDE_DEPTH) {
		diag_error(p->d, DIAG_DEEP, text.place, "includes are nested deeper than %d", INCLUDE_DEPTH);
		return;
	}
	if (p->tree->nsources >= FILES_MAX) {
		diag_error(p->d, DIAG_MANY, text.place, "more than %d files are included", FILES_MAX);
		p->fatal = true;
		return;
	}
	name = arena_get(p->arena, directory + n + 1);
	memcpy(name, own, directory);
	memcpy(name + directory, t.text, n);
	p->include = text.place;
	parse_path(unit_of(p->tree), p->d, name, p, text.place);
}

bool parse_more(struct tree *tree, struct diag *d, const char *path)
{
	struct unit *u = unit_of(tree);

	return parse_path(u, d, arena_string(&u->arena, path, strlen(path)), NULL, (struct place){ 0 });
}

struct tree *parse_file(void *ctx, struct diag *d, const char *path)
{
	struct unit *u = unit_new(ctx);

	if (parse_more(&u->tree, d, path))
		return &u->tree;
	return NULL;		/* u stays until ctx goes: messages quote its sources */
}

struct tree *parse_text(void *ctx, struct diag *d, const char *name, const char *text, size_t size)
{
	struct unit *u = unit_new(ctx);
	struct source *s = arena_get(&u->arena, sizeof(*s));

	if (size > FILE_LIMIT) {
		diag_error(d, DIAG_LARGE, (struct place){ 0 }, "`%s` is larger than %d bytes", name, FILE_LIMIT);
		return NULL;
	}
	*s = (struct source){ arena_string(&u->arena, name, strlen(name)), arena_string(&u->arena, text, size), (uint32_t)size };
	if (parse_source(u, d, s, (struct file){ 0 }, NULL))
		return &u->tree;
	return NULL;
}
