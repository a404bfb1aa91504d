/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "why.h"

#include <string.h>

#include "array.h"

/* The line's text without backticks, as the spec has it. */
static const char *line_text(const struct pattern *p, size_t *ret_length)
{
	const char *text = p->place.source->text + p->place.start + 1;

	*ret_length = strcspn(text, "`\n");
	return text;
}

bool why_asked(const struct why *w, const struct pattern *p)
{
	const struct text *t = &p->lines[0].text;
	size_t asked = strlen(w->text), length;
	const char *text = line_text(p, &length);

	if (asked <= length && memcmp(text, w->text, asked) == 0)
		return true;
	return t->nparts && t->parts[0].literal && strncmp(t->parts[0].literal, w->text, asked) == 0;
}

static void taken(struct lowering *l, struct why *w, const struct pattern *p)
{
	size_t k = 0;

	while (k < w->ntaken && w->taken[k].pattern != p)
		k++;
	if (k == w->ntaken) {
		ARRAY_RESIZE(l->ctx, w->taken, struct why_taken, w->ntaken + 1);
		w->taken[w->ntaken++] = (struct why_taken){ p, 0 };
	}
	w->taken[k].times++;
}

static bool same_place(struct place a, struct place b)
{
	return a.source == b.source && a.start == b.start;
}

static void not_taken(struct lowering *l, struct why *w, const struct pattern *p, const struct need *need, const char *reason)
{
	for (size_t k = 0; k < w->n; k++)
		if (w->v[k].pattern == p && same_place(w->v[k].place, need->place) && !strcmp(w->v[k].reason, reason)) {
			w->v[k].times++;
			return;
		}
	ARRAY_RESIZE(l->ctx, w->v, struct why_not, w->n + 1);
	w->v[w->n++] = (struct why_not){ p, need->place, need_text(l, need), reason, 1 };
}

static const char *beaten(struct lowering *l, const struct found *by, int worth, const struct found *f, int value)
{
	size_t length;
	const char *text = line_text(by->shape->pattern, &length), *how = "stands before it";

	if (value <= 0)
		return "it moves a pointer that nothing here wants moved by so much";
	if (by->acts > f->acts)
		how = "does more of what follows";
	else if (worth > value)
		how = "saves moving the pointer later, or moves none too early";
	return talloc_asprintf(l->ctx, "%s `%.*s` does it too, and %s", place_text(l->ctx, by->shape->pattern->place),
			       (int)length, text, how);
}

/* Shapes of one pattern, from first to before end: the one that came farthest. */
static void look_at(struct lowering *l, struct why *w, const struct needs *list, size_t at, const struct found *best, int worth,
		    const struct shape *first, const struct shape *end)
{
	struct miss miss = { .score = -1 };
	struct found f, found = { .shape = NULL };
	const char *reason = NULL;
	int value = -1;

	for (const struct shape *s = first; s < end; s++)
		for (int borrow = 0; borrow < (l->straight ? 1 : 2); borrow++) {
			l->mx.miss = &miss;
			if (match_shape(&l->mx, s, &list->v[at], list->n - at, borrow, &f)) {
				int v = found_worth(l, list, at, &f);

				if (v > value) {
					value = v;
					found = f;
				}
			}
			l->mx.miss = NULL;
		}
	if (found.shape && best)
		reason = beaten(l, best, worth, &found, value);
	else if (found.shape)
		reason = beaten(l, &found, worth, &found, value);
	else
		reason = miss.text;
	if (reason)
		not_taken(l, w, first->pattern, &list->v[at], reason);
}

void why_note(struct lowering *l, struct why *w, const struct needs *list, size_t at, const struct found *best, int worth)
{
	const struct shape *v = l->mx.shapes->v, *all = v + l->mx.shapes->n;

	l->mx.every_miss = true;
	while (v < all) {
		const struct shape *end = v;

		while (end < all && end->pattern == v->pattern)
			end++;
		if (why_asked(w, v->pattern)) {
			if (best && best->shape->pattern == v->pattern)
				taken(l, w, v->pattern);
			else
				look_at(l, w, list, at, best, worth, v, end);
		}
		v = end;
	}
	l->mx.every_miss = false;
}

static const char *times(void *ctx, unsigned n)
{
	return n == 1 ? "once" : n == 2 ? "twice" : talloc_asprintf(ctx, "%u times", n);
}

static void print_pattern(FILE *out, void *ctx, const struct pattern *p, const struct why *w)
{
	size_t length;
	const char *text = line_text(p, &length);
	bool never = true;

	fprintf(out, "%s: `%.*s`\n", place_text(ctx, p->place), (int)length, text);
	for (size_t k = 0; k < w->ntaken; k++)
		if (w->taken[k].pattern == p) {
			fprintf(out, "    taken %s\n", times(ctx, w->taken[k].times));
			never = false;
		}
	for (size_t k = 0; k < w->n; k++) {
		const struct why_not *not = &w->v[k];

		if (not->pattern != p)
			continue;
		fprintf(out, "    %s: not for `%s`", place_text(ctx, not->place), not->need);
		if (not->times > 1)
			fprintf(out, " and %u like it", not->times - 1);
		fprintf(out, ": %s\n", not->reason);
		never = false;
	}
	if (never)
		fputs("    nothing here is like what it does\n", out);
}

bool why_print(FILE *out, const struct machine *m, const char *routine, const struct why *w)
{
	void *ctx = talloc_new(NULL);
	bool any = false;

	for (size_t k = 0; k < m->npatterns; k++) {
		if (!why_asked(w, &m->patterns[k]))
			continue;
		if (!any)
			fprintf(out, "%s of %s/%s\n", routine, m->name, m->target.full_name);
		print_pattern(out, ctx, &m->patterns[k], w);
		any = true;
	}
	talloc_free(ctx);
	return any;
}
