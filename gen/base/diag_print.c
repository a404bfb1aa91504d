/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Printing of messages, for people and as JSON. */
#include <string.h>

#include <jansson.h>
#include <talloc.h>

#include "diag_print.h"

#define EXCERPT 160		/* bytes of a source line shown */
#define BEFORE 80		/* of a longer one: so many before the place */
#define ABOUT_MAX 3		/* routines named */

static const char *const id_names[DIAG_COUNT] = {
#define DIAG(id, name) [id] = name,
#include "diag_ids.h"
#undef DIAG
};

const char *diag_id_name(enum diag_id id)
{
	return id_names[id];
}

/* Anything but printable ASCII can change what a terminal shows. */
static bool is_plain(char c)
{
	return c >= ' ' && c <= '~';
}

void put_escaped(const char *s, size_t n, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		if (is_plain(s[i]) || s[i] == '\t')
			fputc(s[i], out);
		else
			fprintf(out, "\\x%02x", (unsigned char)s[i]);
	}
}

/* The same width as put_escaped, in blanks or in tildes. */
static void put_width(const char *s, size_t n, char with, FILE *out)
{
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\t' && with == ' ')
			fputc('\t', out);
		else
			for (int k = is_plain(s[i]) || s[i] == '\t' ? 1 : 4; k; k--)
				fputc(with, out);
	}
}

/* The source line of a place, and a caret with tildes below it. */
static void put_excerpt(struct place at, FILE *out)
{
	const struct source *s = at.source;
	const char *text = s->text, *limit = text + s->size;
	const char *start = text + at.start, *end = text + at.end, *line = start, *stop;
	const char *dots = "";

	while (line > text && line[-1] != '\n')
		line--;
	stop = memchr(start, '\n', (size_t)(limit - start));
	if (!stop)
		stop = limit;
	if (stop == line)
		return;
	if (stop - line > EXCERPT && start - line > BEFORE) {
		line = start - BEFORE;
		dots = "...";
	}
	if (stop - line > EXCERPT)
		stop = line + EXCERPT;
	fprintf(out, "    %s", dots);
	put_escaped(line, (size_t)(stop - line), out);
	fprintf(out, "\n    %*s", (int)strlen(dots), "");
	put_width(line, (size_t)(start - line), ' ', out);
	if (end > stop)
		end = stop;
	fputc('^', out);
	if (end > start) {		/* the caret is the first character's first column */
		put_width("~~~", is_plain(*start) || *start == '\t' ? 0 : 3, '~', out);
		put_width(start + 1, (size_t)(end - start) - 1, '~', out);
	}
	fputc('\n', out);
}

static void put_line(const struct message_line *l, struct place fallback, const char *kind, const char *colour, FILE *out)
{
	struct place at = l->place.source ? l->place : fallback;
	unsigned line, column;

	if (at.source) {
		place_line_column(at, &line, &column);
		put_escaped(at.source->name, strlen(at.source->name), out);
		fprintf(out, ":%u:%u: ", line, column);
	}
	fprintf(out, "%s%s:%s ", colour, kind, *colour ? "\033[0m" : "");
	put_escaped(l->text, strlen(l->text), out);
}

/* `a, b and 3 more`: which routines it is about. */
static void put_about(const struct message *m, const char *colour, FILE *out)
{
	unsigned shown = m->nabout <= ABOUT_MAX ? m->nabout : ABOUT_MAX - 1;
	struct message_line l = { m->line.place, NULL };
	char *text;

	if (!m->nabout)
		return;
	text = talloc_strdup(NULL, "in ");
	for (unsigned i = 0; i < shown; i++)
		text = talloc_asprintf_append_buffer(text, "%s%s", !i ? "" : i + 1 == m->nabout ? " and " : ", ", m->about[i]);
	if (shown < m->nabout)
		text = talloc_asprintf_append_buffer(text, " and %u more", m->nabout - shown);
	l.text = text;
	put_line(&l, m->line.place, "note", colour, out);
	fputc('\n', out);
	talloc_free(text);
}

void message_print(const struct message *m, FILE *out, bool colour)
{
	put_line(&m->line, m->line.place, "error", colour ? "\033[1;31m" : "", out);
	fprintf(out, " [%s]\n", diag_id_name(m->id));
	if (m->line.place.source)
		put_excerpt(m->line.place, out);
	put_about(m, colour ? "\033[1;36m" : "", out);
	for (size_t i = 0; i < m->nnotes; i++) {
		put_line(&m->notes[i], m->line.place, "note", colour ? "\033[1;36m" : "", out);
		fputc('\n', out);
	}
}

/* Strings of JSON must be UTF-8; names and texts need not be.  The escapes are those of the printed form. */
static json_t *string(void *ctx, const char *s)
{
	char *safe = talloc_strdup(ctx, "");
	json_t *j;

	for (; safe && *s; s++)
		safe = is_plain(*s) ? talloc_asprintf_append_buffer(safe, "%c", *s) :
			talloc_asprintf_append_buffer(safe, "\\x%02x", (unsigned char)*s);
	j = json_string(safe ? safe : "");
	talloc_free(safe);
	return j;
}

static json_t *object(void *ctx, const struct message_line *l)
{
	json_t *o = json_object();
	struct place at = l->place;
	unsigned line, column;

	json_object_set_new(o, "text", string(ctx, l->text));
	if (!at.source)
		return o;
	json_object_set_new(o, "file", string(ctx, at.source->name));
	place_line_column(at, &line, &column);
	json_object_set_new(o, "line", json_integer(line));
	json_object_set_new(o, "column", json_integer(column));
	at.start = at.end;
	place_line_column(at, &line, &column);
	json_object_set_new(o, "end_line", json_integer(line));
	json_object_set_new(o, "end_column", json_integer(column));
	return o;
}

void message_print_json(const struct message *m, FILE *out)
{
	void *ctx = talloc_new(NULL);
	json_t *o = object(ctx, &m->line), *notes = json_array(), *about = json_array();

	json_object_set_new(o, "severity", json_string("error"));
	json_object_set_new(o, "id", json_string(diag_id_name(m->id)));
	for (size_t i = 0; i < m->nnotes; i++)
		json_array_append_new(notes, object(ctx, &m->notes[i]));
	json_object_set_new(o, "notes", notes);
	for (size_t i = 0; i < m->nabout; i++)
		json_array_append_new(about, string(ctx, m->about[i]));
	json_object_set_new(o, "routines", about);
	json_dumpf(o, out, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
	fputc('\n', out);
	json_decref(o);
	talloc_free(ctx);
}
