/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Texts: characters and holes, read left to right; `{{` and `}}` are braces.  A hole with commas is a list of
 * alternatives, one for each member of a family: literal characters when it has no colon, else what stands
 * behind it.
 */
#include "resolve_priv.h"

struct span { size_t from, to; };

static struct span trim(const char *text, struct span s)
{
	while (s.from < s.to && text[s.from] == ' ')
		s.from++;
	while (s.to > s.from && text[s.to - 1] == ' ')
		s.to--;
	return s;
}

static size_t find(const char *text, struct span s, char ch)
{
	const char *p = memchr(text + s.from, ch, s.to - s.from);

	return p ? (size_t)(p - text) : s.to;
}

static size_t count_alternatives(const char *text, struct span s)
{
	size_t n = 1;

	for (size_t i = s.from; i < s.to; i++)
		n += text[i] == ',';
	return n;
}

static struct span alternative(const char *text, struct span s, size_t choice)
{
	struct span a = s;

	for (;; choice--) {
		a.to = find(text, (struct span){a.from, s.to}, ',');
		if (choice == 0 || a.to == s.to)
			return a;
		a.from = a.to + 1;
	}
}

/* The hole that opens at text[at]: what is between its braces; to == length + 1 when it never closes. */
static struct span hole_span(const char *text, size_t at, size_t length)
{
	size_t to = at + 1;

	while (to < length && text[to] != '}')
		to++;
	return (struct span){at + 1, to < length ? to : length + 1};
}

/* Where the alternatives of a hole are. */
static struct span list_span(const char *text, struct span hole)
{
	size_t colon = find(text, hole, ':');

	return colon < hole.to ? (struct span){colon + 1, hole.to} : hole;
}

static void add_piece(struct resolver *r, struct pieces *list, struct piece piece)
{
	if (piece.literal && list->n && list->v[list->n - 1].literal) {
		char *joined = talloc_asprintf(r->ctx, "%s%s", list->v[list->n - 1].literal, piece.literal);

		list->v[list->n - 1].literal = joined;
		return;
	}
	ARRAY_RESIZE(r->ctx, list->v, struct piece, list->n + 1);
	list->v[list->n++] = piece;
}

static void add_literal(struct resolver *r, struct pieces *list, const char *text, struct span s)
{
	if (s.from < s.to)
		add_piece(r, list,
			  (struct piece){.literal = talloc_strndup(r->ctx, text + s.from, s.to - s.from)});
}

static bool add_hole(struct resolver *r, struct pieces *list, const struct text_at *t, struct span s,
		     size_t choice)
{
	size_t colon = find(t->text, s, ':');
	struct span what = list_span(t->text, s);
	struct hole *hole;

	if (count_alternatives(t->text, what) > 1)
		what = alternative(t->text, what, choice);
	if (colon == s.to && find(t->text, s, ',') < s.to) {
		add_literal(r, list, t->text, what);
		return true;
	}
	hole = talloc_zero(r->ctx, struct hole);
	hole->place = place_part(t->place, s.from - 1, s.to + 1);
	what = trim(t->text, what);
	if (colon == s.to)
		what.from = what.to;
	else if (what.from == what.to)
		fail(r, DIAG_TEXT, hole->place, "nothing stands behind the `:` of this hole");
	add_piece(r, list, (struct piece){.hole = hole});
	return parse_hole_parts(r, t, s.from, colon, what.from, what.to, hole);
}

bool text_pieces(struct resolver *r, const struct text_at *t, size_t choice, struct pieces *ret)
{
	size_t length = strlen(t->text), at = 0, plain = 0;
	bool good = true;

	*ret = (struct pieces){0};
	for (; at < length; at++) {
		char ch = t->text[at];
		struct span s;

		if (ch != '{' && ch != '}')
			continue;
		add_literal(r, ret, t->text, (struct span){plain, at});
		if (t->text[at + 1] == ch) {
			add_literal(r, ret, t->text, (struct span){at, at + 1});
			plain = ++at + 1;
			continue;
		}
		s = hole_span(t->text, at, length);
		if (ch == '}' || s.to > length) {
			fail(r, DIAG_TEXT, place_part(t->place, at, at + 1), ch == '}' ?
			     "a `}` without `{`; a brace that is printed is written `}}`" :
			     "a `{` without `}`; a brace that is printed is written `{{`");
			return false;
		}
		good = add_hole(r, ret, t, s, choice) && good;
		at = s.to;
		plain = at + 1;
	}
	add_literal(r, ret, t->text, (struct span){plain, length});
	return good;
}

const char *plain_text(struct resolver *r, const struct text_at *t)
{
	size_t at = strcspn(t->text, "{}");

	if (t->text[at])
		fail(r, DIAG_TEXT, place_part(t->place, at, at + 1),
		     "this text is printed as it stands: it can have no braces");
	return t->text;
}

void text_families(const struct text_at *t, void (*fn)(void *arg, size_t n, struct place at), void *arg)
{
	size_t length = strlen(t->text);

	for (size_t at = 0; at < length; at++) {
		struct span s, v;
		size_t n;

		if (t->text[at] != '{')
			continue;
		if (t->text[at + 1] == '{') {
			at++;
			continue;
		}
		s = hole_span(t->text, at, length);
		if (s.to > length)
			return;
		v = list_span(t->text, s);
		n = count_alternatives(t->text, v);
		if (n > 1)
			fn(arg, n, place_part(t->place, s.from - 1, s.to + 1));
		at = s.to;
	}
}
