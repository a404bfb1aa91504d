/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Errors of resolve: each said once, unknown names with a near one. */
#include "resolve_priv.h"

#define SAID_MAX 500			/* what has so many errors needs no more of them said */

struct place place_part(struct place at, size_t from, size_t to)
{
	return (struct place){at.source, at.start + (uint32_t)from, at.start + (uint32_t)to};
}

static bool said_before(const struct history *h, const char *text, struct place at)
{
	for (size_t i = 0; i < h->n; i++)
		if (h->v[i].at.source == at.source && h->v[i].at.start == at.start &&
		    strcmp(h->v[i].text, text) == 0)
			return true;
	return false;
}

static bool remember(struct history *h, const char *text, struct place at)
{
	if (h->n == SAID_MAX || said_before(h, text, at))
		return false;
	ARRAY_RESIZE(h, h->v, struct said, h->n + 1);
	h->v[h->n++] = (struct said){text, at};
	return true;
}

void fail(struct resolver *r, enum diag_id id, struct place at, const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = talloc_vasprintf(r->history, format, ap);
	va_end(ap);
	r->said = remember(r->history, text, at);
	if (r->said)
		diag_error(r->d, id, at, "%s", text);
}

void note(struct resolver *r, struct place at, const char *format, ...)
{
	va_list ap;
	char *text;

	if (!r->said)
		return;
	va_start(ap, format);
	text = talloc_vasprintf(r->ctx, format, ap);
	va_end(ap);
	diag_note(r->d, at, "%s", text);
}

void near_add(struct resolver *r, struct near *list, const char *name)
{
	ARRAY_RESIZE(r->ctx, list->v, const char *, list->n + 1);
	list->v[list->n++] = name;
}

void fail_unknown(struct resolver *r, enum diag_id id, struct place at, const char *lack, const char *name,
		  struct near list)
{
	const char *near = list.n && r->history->n < SAID_MAX ? diag_near(name, list.v, list.n) : NULL;

	if (near)
		fail(r, id, at, "%s `%s`; did you mean `%s`?", lack, name, near);
	else
		fail(r, id, at, "%s `%s`", lack, name);
}
