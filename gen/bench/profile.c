/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "profile.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <talloc.h>

#include "array.h"
#include "json.h"

struct profile {
	const struct source *source;
	json_t *whole;			/* an object with a machine's name and an object of tunes */
};

static int drop(struct profile *p)
{
	json_decref(p->whole);
	return 0;
}

/* Nothing but a file: who reads from a fifo or a terminal waits. */
static int open_regular(struct diag *d, const char *path)
{
	struct place nowhere = { NULL, 0, 0 };
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	struct stat st;

	if (fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		return fd;
	diag_error(d, DIAG_FILE, nowhere, "can not read `%s`: %s", path, fd < 0 ? strerror(errno) : "not a regular file");
	if (fd >= 0)
		close(fd);
	return -1;
}

static const struct source *read_source(void *ctx, struct diag *d, const char *path)
{
	struct place nowhere = { NULL, 0, 0 };
	struct source *s = talloc_zero(ctx, struct source);
	char *text = ARRAY_NEW(s, char, PROFILE_LIMIT + 2);
	int fd = open_regular(d, path);
	size_t n = 0;
	ssize_t k = 0;

	if (fd < 0)
		return NULL;
	while (n <= PROFILE_LIMIT && (k = read(fd, text + n, PROFILE_LIMIT + 1 - n)) > 0)
		n += (size_t)k;
	if (k < 0)
		diag_error(d, DIAG_FILE, nowhere, "can not read `%s`: %s", path, strerror(errno));
	else if (n > PROFILE_LIMIT)
		diag_error(d, DIAG_LARGE, nowhere, "`%s` is larger than %d bytes", path, PROFILE_LIMIT);
	close(fd);
	*s = (struct source){ talloc_strdup(s, path), text, (uint32_t)n };
	return k < 0 || n > PROFILE_LIMIT ? NULL : s;
}

/* A byte of the source, or behind its last. */
static struct place byte_at(const struct source *s, size_t at)
{
	uint32_t start = at < s->size ? (uint32_t)at : s->size;

	return (struct place){ s, start, start < s->size ? start + 1 : start };
}

/* Where a key is written, behind the first place of another one, in plain letters as it should be; else the file's begin. */
static struct place key_place(const struct source *s, const char *behind, const char *key)
{
	char *quoted = talloc_asprintf(NULL, "\"%s\"", key), *first = talloc_asprintf(NULL, "\"%s\"", behind);
	const char *from = *behind ? strstr(s->text, first) : s->text, *at = from ? strstr(from + strlen(behind), quoted) : NULL;
	struct place p = byte_at(s, 0);

	if (at)
		p = (struct place){ s, (uint32_t)(at - s->text), (uint32_t)((size_t)(at - s->text) + strlen(quoted)) };
	talloc_free(quoted);
	talloc_free(first);
	return p;
}

/* What makes JSON no profile; NULL: it is one. */
static const char *lack(const json_t *j)
{
	if (json_integer_value(json_object_get(j, "profile")) != PROFILE_FORM)
		return "it has no `profile`, or another number than is known here";
	if (!json_is_string(json_object_get(j, "machine")))
		return "it has no `machine`";
	if (!json_is_object(json_object_get(j, "tunes")))
		return "it has no `tunes`";
	return NULL;
}

struct profile *profile_read(void *ctx, struct diag *d, const char *path)
{
	struct profile *p = talloc_zero(ctx, struct profile);
	const char *why;
	json_error_t e;

	talloc_set_destructor(p, drop);
	p->source = read_source(p, d, path);
	if (!p->source)
		return NULL;
	p->whole = json_loadb(p->source->text, p->source->size, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &e);
	if (!p->whole) {
		diag_error(d, DIAG_JSON, byte_at(p->source, e.position > 0 ? (size_t)e.position - 1 : 0), "%s", e.text);
		return NULL;
	}
	why = lack(p->whole);
	if (!why)
		return p;
	diag_error(d, DIAG_PROFILE, byte_at(p->source, 0), "this is no tuning profile: %s", why);
	return NULL;
}

static bool unknown(struct diag *d, const struct templates *t, struct place at, const char *name)
{
	const char **names = ARRAY_NEW(NULL, const char *, t->ntunes + 1), *near;
	size_t n = 0;

	for (size_t i = 0; i < t->ntunes; i++)
		if (tune_measured(&t->tunes[i]))
			names[n++] = t->tunes[i].name;
	near = diag_near(name, names, n);
	diag_error(d, DIAG_TUNE, at, "no template has a tune `%s` that is measured", name);
	if (near)
		diag_note(d, at, "there is `%s`", near);
	talloc_free(names);
	return false;
}

static bool not_among(struct diag *d, const struct declared *tune, struct place at, int64_t value)
{
	char *all = talloc_strdup(NULL, "");

	for (size_t i = 0; i < tune->nof; i++)
		all = talloc_asprintf_append(all, "%s%" PRIu64, i == 0 ? "" : i + 1 == tune->nof ? " or " : ", ", tune->of[i]);
	diag_error(d, DIAG_VALUE, at, "`%s` is %s, not %" PRId64, tune->name, all, value);
	talloc_free(all);
	return false;
}

/* own: what the machine has without the profile. */
static bool value_fits(struct diag *d, const struct declared *tune, struct place at, const json_t *j, uint64_t own)
{
	int64_t value = json_integer_value(j);

	if (!json_is_integer(j)) {
		diag_error(d, DIAG_VALUE, at, "`%s` must be a whole number", tune->name);
		return false;
	}
	for (size_t i = 0; i < tune->nof; i++)
		if (value >= 0 && ((uint64_t)value == tune->of[i] || (uint64_t)value == own))
			return true;
	if (tune->nof)
		return not_among(d, tune, at, value);
	if (value >= 0 && (uint64_t)value <= TUNE_NEVER)
		return true;
	diag_error(d, DIAG_VALUE, at, "`%s` must be 0 to %" PRIu64 " bytes, not %" PRId64, tune->name, TUNE_NEVER, value);
	return false;
}

static bool set(const struct profile *p, struct diag *d, const struct templates *t, struct machine *m, const char *name,
		const json_t *value)
{
	struct place at = key_place(p->source, "tunes", name);
	const struct declared *tune = NULL;

	for (size_t i = 0; i < t->ntunes && !tune; i++)
		if (strcmp(t->tunes[i].name, name) == 0 && tune_measured(&t->tunes[i]))
			tune = &t->tunes[i];
	if (!tune)
		return unknown(d, t, at, name);
	for (size_t i = 0; i < m->ntunes; i++)
		if (strcmp(m->tunes[i].name, name) == 0 && value_fits(d, tune, at, value, m->tunes[i].value)) {
			m->tunes[i].value = (uint64_t)json_integer_value(value);
			m->tunes[i].tuned = true;
			return true;
		}
	return false;
}

bool profile_apply(const struct profile *p, struct diag *d, const struct templates *t, struct machine *m)
{
	const char *of = json_string_value(json_object_get(p->whole, "machine")), *name;
	json_t *value;
	bool ok = true;

	if (strcmp(of, m->name) != 0) {
		diag_error(d, DIAG_FOREIGN, key_place(p->source, "", "machine"), "this profile is of machine `%s`, not of `%s`", of,
			   m->name);
		return false;
	}
	json_object_foreach(json_object_get(p->whole, "tunes"), name, value)
		ok &= set(p, d, t, m, name, value);
	return ok;
}
