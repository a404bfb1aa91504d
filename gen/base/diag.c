/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Collecting and ordering of messages; diag_print.c prints them. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <talloc.h>

#include "diag.h"
#include "diag_print.h"

#define DEFAULT_LIMIT 100
#define NOTES_MAX 16
#define NEAR_MAX 64		/* longer names are near to nothing */

struct diag {
	struct message **v;
	unsigned n, limit, errors, lost;
	bool dropped;		/* the newest error wasn't kept, nor are its notes */
	const char *about;
};

static void *must(void *p)
{
	if (!p) {
		fputs("ucopy: out of memory\n", stderr);
		abort();
	}
	return p;
}

struct diag *diag_new(void *ctx, unsigned limit)
{
	struct diag *d = must(talloc_zero(ctx, struct diag));

	d->limit = limit ? limit : DEFAULT_LIMIT;
	return d;
}

unsigned diag_errors(const struct diag *d)
{
	return d->errors;
}

void diag_about(struct diag *d, const char *routine)
{
	d->about = routine;
}

static bool same_source(const struct source *a, const struct source *b)
{
	return a == b || (a && b && strcmp(a->name, b->name) == 0);
}

/* The message that is kept for the same error. */
static struct message *find_same(const struct diag *d, const struct message *like)
{
	struct place at = like->line.place;

	for (unsigned i = d->n; i-- > 0;) {
		struct message *m = d->v[i];

		if (m->id == like->id && m->line.place.start == at.start && same_source(m->line.place.source, at.source) &&
		    strcmp(m->line.text, like->line.text) == 0)
			return m;
	}
	return NULL;
}

/* Where the text itself doesn't begin with the routine's name. */
static void add_about(struct message *m, const char *routine)
{
	if (!routine || (strstr(m->line.text, routine) == m->line.text && m->line.text[strlen(routine)] == ':'))
		return;
	for (unsigned i = 0; i < m->nabout; i++)
		if (strcmp(m->about[i], routine) == 0)
			return;
	m->about = must(talloc_realloc(m, m->about, const char *, m->nabout + 1));
	m->about[m->nabout++] = must(talloc_strdup(m, routine));
}

/* Takes over m, or frees it where it is known or there is no room. */
static void keep(struct diag *d, struct message *m)
{
	struct message *same = find_same(d, m);

	d->dropped = same || d->n >= d->limit;
	if (!d->dropped) {
		m->number = d->n;
		d->v = must(talloc_realloc(d, d->v, struct message *, d->n + 1));
		d->v[d->n++] = talloc_steal(d, m);
		return;
	}
	d->lost += !same;
	for (unsigned i = 0; same && i < m->nabout; i++)
		add_about(same, m->about[i]);
	talloc_free(m);
}

void diag_error(struct diag *d, enum diag_id id, struct place at, const char *format, ...)
{
	struct message *m = must(talloc_zero(d, struct message));
	va_list ap;

	m->id = id;
	m->line.place = at;
	va_start(ap, format);
	m->line.text = must(talloc_vasprintf(m, format, ap));
	va_end(ap);
	add_about(m, d->about);
	d->errors++;
	keep(d, m);
}

void diag_take(struct diag *d, struct diag *from)
{
	d->errors += from->errors;
	d->lost += from->lost;
	for (unsigned i = 0; i < from->n; i++)
		keep(d, from->v[i]);
	TALLOC_FREE(from->v);
	from->n = from->lost = from->errors = 0;
	from->dropped = true;
}

static void add_note(struct message *m, struct place at, char *text)
{
	if (m->nnotes == NOTES_MAX) {
		talloc_free(text);
		return;
	}
	m->notes = must(talloc_realloc(m, m->notes, struct message_line, m->nnotes + 1));
	m->notes[m->nnotes++] = (struct message_line){ at, talloc_steal(m, text) };
}

void diag_note(struct diag *d, struct place at, const char *format, ...)
{
	va_list ap;

	if (!d->n || d->dropped)
		return;
	va_start(ap, format);
	add_note(d->v[d->n - 1], at, must(talloc_vasprintf(d, format, ap)));
	va_end(ap);
}

void diag_note_all(struct diag *d, struct place at, const char *text)
{
	for (unsigned i = 0; i < d->n; i++)
		add_note(d->v[i], at, must(talloc_strdup(d, text)));
}

/* By source's name, then place, then the order they came in; those without a place first. */
static int compare(const void *pa, const void *pb)
{
	const struct message *a = *(struct message *const *)pa, *b = *(struct message *const *)pb;
	const struct source *sa = a->line.place.source, *sb = b->line.place.source;
	int c;

	if (!sa != !sb)
		return sa ? 1 : -1;
	c = sa && sa != sb ? strcmp(sa->name, sb->name) : 0;
	if (c)
		return c;
	if (sa && a->line.place.start != b->line.place.start)
		return a->line.place.start < b->line.place.start ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

void diag_flush(struct diag *d, FILE *out, bool json, bool colour)
{
	if (d->n)
		qsort(d->v, d->n, sizeof(*d->v), compare);
	for (size_t i = 0; i < d->n; i++) {
		if (json)
			message_print_json(d->v[i], out);
		else
			message_print(d->v[i], out, colour);
		talloc_free(d->v[i]);
	}
	if (d->lost && !json)
		fprintf(out, "%u more error%s not shown\n", d->lost, d->lost == 1 ? "" : "s");
	else if (d->lost)
		fprintf(out, "{\"more\": %u}\n", d->lost);
	talloc_free(d->v);
	d->v = NULL;
	d->n = 0;
	d->lost = 0;
	d->dropped = true;
}

void place_line_column(struct place at, unsigned *ret_line, unsigned *ret_column)
{
	const char *text = at.source->text, *end = text + at.start, *p;
	unsigned line = 1;

	while ((p = memchr(text, '\n', (size_t)(end - text)))) {
		line++;
		text = p + 1;
	}
	*ret_line = line;
	*ret_column = (unsigned)(end - text) + 1;
}

const char *place_text(void *ctx, struct place at)
{
	unsigned line, column;

	if (!at.source)
		return "";
	place_line_column(at, &line, &column);
	return must(talloc_asprintf(ctx, "%s:%u", at.source->name, line));
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned m = a < b ? a : b;

	return m < c ? m : c;
}

/* Number of single characters to insert, delete, replace or swap with a neighbour to make b of a. */
static unsigned distance(const char *a, size_t na, const char *b, size_t nb)
{
	unsigned row[3][NEAR_MAX + 1], *before = row[0], *above = row[1], *now = row[2], *spare;

	for (size_t j = 0; j <= nb; j++)
		above[j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		now[0] = (unsigned)i;
		for (size_t j = 1; j <= nb; j++) {
			now[j] = least(above[j - 1] + (a[i - 1] != b[j - 1]), above[j] + 1, now[j - 1] + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < now[j])
				now[j] = before[j - 2] + 1;
		}
		spare = before;
		before = above;
		above = now;
		now = spare;
	}
	return above[nb];
}

const char *diag_near(const char *name, const char *const *names, size_t n)
{
	size_t length = strlen(name);
	unsigned best = length < 3 ? 1 : (unsigned)(length + 2) / 3;	/* at least two thirds must agree */
	const char *near = NULL;

	if (length > NEAR_MAX)
		return NULL;
	for (size_t i = 0; i < n; i++) {
		size_t other = names[i] ? strlen(names[i]) : 0;
		unsigned d;

		if (!other || other > NEAR_MAX)
			continue;
		d = distance(name, length, names[i], other);
		if (d > best || (near && d == best) || d >= length || d >= other)
			continue;
		best = d;
		near = names[i];
	}
	return near;
}
