/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The tableau: fraction-free rows, primal simplex from the last vertex, Bland's rule. */
#include <string.h>
#include <talloc.h>

#include "tab_row.h"

#define PIVOTS_MAX 1000
#define FIRST_ROWS 24

/* Room for so many rows, and the goal. */
static bool make_room(struct tab *t, int rows, int stride)
{
	size_t need = (size_t)(rows + 1) * (size_t)stride, room = need + need / 2;
	int64_t *cells;

	if (need <= t->room)
		return true;
	cells = talloc_realloc(t, t->cells, int64_t, (unsigned)room);
	if (!cells) {
		t->state = TAB_BROKEN;
		return false;
	}
	t->cells = cells;
	t->room = room;
	return true;
}

void tab_init(struct tab *t)
{
	t->state = TAB_GOOD;
	t->nrows = t->ncols = t->nslacks = 0;
	t->stride = TAB_HEAD;
	t->free = 0;
	memset(t->at, 0, sizeof(t->at));
	make_room(t, FIRST_ROWS, TAB_HEAD + 8);
}

struct tab *tab_new(void *ctx)
{
	struct tab *t = talloc(ctx, struct tab);

	if (!t)
		return NULL;
	t->room = 0;
	t->cells = NULL;
	tab_init(t);
	return t;
}

struct tab *tab_copy(void *ctx, const struct tab *from)
{
	struct tab *to = talloc(ctx, struct tab);

	if (!to)
		return NULL;
	memcpy(to, from, sizeof(*to));
	to->room = 0;
	to->cells = NULL;
	if (make_room(to, from->nrows, from->stride))
		memcpy(to->cells, from->cells, (size_t)from->nrows * (size_t)from->stride * sizeof(from->cells[0]));
	return to;
}

/* Room for one more column. */
static bool widen(struct tab *t)
{
	size_t old = (size_t)t->stride, new = old + 8 < TAB_HEAD + TAB_COLS ? old + 8 : TAB_HEAD + TAB_COLS;

	if (!make_room(t, t->nrows, (int)new))
		return false;
	for (size_t i = (size_t)t->nrows; i-- > 0;)
		memmove(t->cells + i * new, t->cells + i * old, old * sizeof(t->cells[0]));
	t->stride = (int)new;
	return true;
}

static void place(struct tab *t, int id, int where)
{
	if (id > TAB_NONE && id < TAB_SLACK)
		t->at[id] = (int16_t)where;
}

/* Row i, whose quantity is to take column j's place, says what column j is. */
static void solve_row(struct tab_row *r, int j, int ncols)
{
	int64_t a = r->a[j];

	/* a * column = den * row - k - sum of the others */
	if (a > 0) {
		r->k = -r->k;
		for (int c = 0; c < ncols; c++)
			r->a[c] = -r->a[c];
	}
	r->a[j] = a > 0 ? r->den : -r->den;
	r->den = abs64(a);
	if (r->den != 1)
		row_normalise(r, ncols);
}

/* Row i and column j change places, in all rows and (goal) the one after them. */
static bool pivot(struct tab *t, int i, int j, bool goal)
{
	const struct tab_row *s = row_of(t, i);
	int64_t *cells = t->cells;
	int16_t id = t->row_id[i];

	solve_row(row_of(t, i), j, t->ncols);
	for (int n = 0; n < t->nrows + goal; n++, cells += t->stride) {
		struct tab_row *r = (struct tab_row *)cells;

		if (n == i || !r->a[j])
			continue;
		if (!row_put(r, j, s, t->ncols)) {
			t->state = TAB_BROKEN;
			return false;
		}
	}
	t->row_id[i] = t->col_id[j];
	t->col_id[j] = id;
	place(t, t->row_id[i], i + 1);
	place(t, id, -1 - j);
	if (id >= TAB_SLACK)
		t->free &= ~bit(j);
	else
		t->free |= bit(j);
	return true;
}

/*
 * The row that first stops column j when it rises (sign 1) or falls (sign -1): the slack that reaches 0 first, the lowest
 * id of several.  -1: none.
 */
static int blocking(const struct tab *t, int j, int sign)
{
	const int64_t *cells = t->cells;
	int64_t slope = 0, k = 0;
	int best = -1;

	for (int i = 0; i < t->nrows; i++, cells += t->stride) {
		const struct tab_row *r = (const struct tab_row *)cells;
		int64_t a = -sign * r->a[j];
		wide_t d;

		if (a <= 0 || t->row_id[i] < TAB_SLACK)
			continue;
		d = best < 0 ? -1 : (wide_t)r->k * slope - (wide_t)k * a;
		if (d < 0 || (d == 0 && t->row_id[i] < t->row_id[best])) {
			best = i;
			slope = a;
			k = r->k;
		}
	}
	return best;
}

/* Bland: of the columns whose rise changes r that way (sign), the one with the lowest id; -1: none. */
static int entering(const struct tab *t, const struct tab_row *r, int sign)
{
	int best = -1;

	for (int j = 0; j < t->ncols; j++)
		if (sign * r->a[j] > 0 && (best < 0 || t->col_id[j] < t->col_id[best]))
			best = j;
	return best;
}

/* A free column that r mentions; -1: none. */
static int free_column(const struct tab *t, const struct tab_row *r)
{
	for (uint64_t m = t->free; m; m &= m - 1)
		if (r->a[first(m)])
			return first(m);
	return -1;
}

/* Minimises the goal row. */
static enum lp minimise(struct tab *t, struct tab_row *goal, const int64_t *below)
{
	for (int n = 0; n < PIVOTS_MAX; n++) {
		int i, j;

		if (free_column(t, goal) >= 0)
			return LP_UNBOUNDED;
		j = entering(t, goal, -1);
		if (j < 0)
			return LP_OPTIMUM;
		if (below && (wide_t)*below * goal->den >= goal->k)
			return LP_BELOW;
		i = blocking(t, j, 1);
		if (i < 0 || !pivot(t, i, j, true))
			return LP_UNBOUNDED;
	}
	return LP_UNBOUNDED;
}

/* A free column for a variable that is not there yet. */
static bool tab_need(struct tab *t, int v)
{
	int j = t->ncols;

	if (t->at[v])
		return true;
	if (j == TAB_COLS) {
		t->state = TAB_BROKEN;
		return false;
	}
	if ((int)TAB_HEAD + j == t->stride && !widen(t))
		return false;
	t->ncols++;
	t->col_id[j] = (int16_t)v;
	t->at[v] = (int16_t)(-1 - j);
	t->free |= bit(j);
	for (int i = 0; i < t->nrows; i++)
		row_of(t, i)->a[j] = 0;
	return true;
}

/* r += c * v, v being there. */
static bool row_add_var(struct tab *t, struct tab_row *r, int64_t c, int v)
{
	const struct tab_row *s;
	int64_t g, q;

	if (t->at[v] < 0) {
		int j = -1 - t->at[v];

		return mix64(c, r->den, 1, r->a[j], &r->a[j]);
	}
	s = row_of(t, t->at[v] - 1);
	if (s->den == 1 && r->den == 1)
		return row_add(r, c, s, t->ncols);
	/* r / rd + c * s / sd = (sd/g * r + c * rd/g * s) / (rd * sd/g) */
	g = gcd64(s->den, r->den);
	return mul64(c, r->den / g, &q) && row_mix(r, s->den / g, q, s, t->ncols);
}

/* The row of f, all of whose variables are there. */
static bool row_form(struct tab *t, struct tab_row *r, const struct form *f)
{
	row_zero(r, f->k, t->ncols);
	for (int i = 0; i < f->n; i++)
		if (!row_add_var(t, r, f->c[i], f->v[i]))
			return false;
	if (r->den != 1)
		row_normalise(r, t->ncols);
	return true;
}

enum lp tab_min(struct tab *t, const struct form *f, const int64_t *below, int64_t *ret_num, int64_t *ret_den)
{
	struct tab_row *goal = row_of(t, t->nrows);
	enum lp r;

	if (t->state == TAB_EMPTY)
		return LP_EMPTY;
	if (t->state == TAB_BROKEN || f->lost)
		return LP_UNBOUNDED;
	for (int i = 0; i < f->n; i++)
		if (!t->at[f->v[i]])
			return LP_UNBOUNDED;
	if (!row_form(t, goal, f))
		return LP_UNBOUNDED;
	r = minimise(t, goal, below);
	if (r == LP_OPTIMUM) {
		*ret_num = goal->k;
		*ret_den = goal->den;
	}
	return r;
}

static int new_row(struct tab *t, int id)
{
	int i = t->nrows;

	if (i == TAB_ROWS) {
		t->state = TAB_BROKEN;
		return -1;
	}
	if (!make_room(t, i + 1, t->stride))
		return -1;
	t->row_id[i] = (int16_t)id;
	t->nrows++;
	return i;
}

/* The row after the last, holding f; variables that are not there yet get columns.  NULL: broken. */
static struct tab_row *tab_form(struct tab *t, const struct form *f)
{
	struct tab_row *r;

	for (int i = 0; i < f->n; i++)
		if (!tab_need(t, f->v[i]))
			return NULL;
	r = row_of(t, t->nrows);
	if (!f->lost && row_form(t, r, f))
		return r;
	t->state = TAB_BROKEN;
	return NULL;
}

/*
 * Raises row i, a slack that is negative, until it is 0 and a column, or shows that it can't be.  Other rows stop it on
 * the way; itself it does not stop anything.
 */
static void raise_slack(struct tab *t, int i)
{
	for (int n = 0; n < PIVOTS_MAX; n++) {
		struct tab_row *r = row_of(t, i);
		int16_t id = t->row_id[i];
		int j = entering(t, r, 1), b;
		wide_t d;

		if (j < 0) {
			t->state = TAB_EMPTY;
			return;
		}
		t->row_id[i] = TAB_NONE;
		b = blocking(t, j, 1);
		t->row_id[i] = id;
		d = b < 0 ? 0 : (wide_t)row_of(t, b)->k * r->a[j] + (wide_t)r->k * -row_of(t, b)->a[j];
		if (b < 0 || d >= 0) {
			pivot(t, i, j, false);
			return;
		}
		if (!pivot(t, b, j, false) || row_of(t, i)->k >= 0)
			return;
	}
	t->state = TAB_BROKEN;
}

void tab_ge(struct tab *t, const struct form *f)
{
	int i, j, id = TAB_SLACK + t->nslacks;

	if (t->state != TAB_GOOD || !tab_form(t, f))
		return;
	i = new_row(t, id);
	if (i < 0)
		return;
	t->nslacks++;
	j = free_column(t, row_of(t, i));
	if (j >= 0)
		pivot(t, i, j, false);
	else if (row_of(t, i)->k < 0)
		raise_slack(t, i);
}

static void remove_row(struct tab *t, int i)
{
	int last = --t->nrows;

	if (i == last)
		return;
	row_copy(row_of(t, i), row_of(t, last), t->ncols);
	t->row_id[i] = t->row_id[last];
	place(t, t->row_id[i], i + 1);
}

/* The quantity of column j is 0 for good. */
static void remove_column(struct tab *t, int j)
{
	int last = --t->ncols;

	for (int i = 0; i < t->nrows; i++)
		row_of(t, i)->a[j] = row_of(t, i)->a[last];
	t->free = (t->free & ~bit(j)) | (t->free & bit(last) ? bit(j) : 0);
	t->free &= ~bit(last);
	if (j == last)
		return;
	t->col_id[j] = t->col_id[last];
	place(t, t->col_id[j], -1 - j);
}

static int find_id(const int16_t *ids, int n, int id)
{
	for (int i = 0; i < n; i++)
		if (ids[i] == id)
			return i;
	return -1;
}

static int any_column(const struct tab *t, const struct tab_row *r)
{
	for (int j = 0; j < t->ncols; j++)
		if (r->a[j])
			return j;
	return -1;
}

void tab_eq(struct tab *t, const struct form *f)
{
	struct form minus;
	int id = TAB_SLACK + t->nslacks;

	form_copy(&minus, f);
	form_negate(&minus);
	tab_ge(t, f);
	tab_ge(t, &minus);
	if (t->state != TAB_GOOD)
		return;
	/* Both slacks are 0 everywhere: a column goes, or the row says so already. */
	for (int s = id; s < id + 2; s++) {
		int i, j = find_id(t->col_id, t->ncols, s);

		if (j < 0) {
			i = find_id(t->row_id, t->nrows, s);
			j = any_column(t, row_of(t, i));
			if (j < 0) {
				remove_row(t, i);
				continue;
			}
			/* 0 at the vertex, so the change of places is one of names only */
			if (!pivot(t, i, j, false))
				return;
		}
		remove_column(t, j);
	}
}

void tab_drop(struct tab *t, int x)
{
	int at = t->at[x];

	if (!at)
		return;
	t->at[x] = 0;
	if (at > 0)
		remove_row(t, at - 1);
	else
		t->col_id[-1 - at] = TAB_NONE;
}

void tab_define(struct tab *t, int x, int64_t den, const struct form *f)
{
	struct tab_row *r = t->state == TAB_GOOD ? tab_form(t, f) : NULL;

	if (!r)
		return;
	if (!mul64(r->den, den, &r->den)) {
		t->state = TAB_BROKEN;
		return;
	}
	if (r->den != 1)
		row_normalise(r, t->ncols);
	if (t->at[x] > 0) {
		row_copy(row_of(t, t->at[x] - 1), r, t->ncols);
		return;
	}
	tab_drop(t, x);
	if (new_row(t, x) >= 0)
		t->at[x] = (int16_t)t->nrows;
}

/* Slack id is a column: makes it a row at the same vertex; false: it can fall below 0 there, so nothing implies it. */
static bool slack_to_row(struct tab *t, int id, int *ret_row)
{
	int i = find_id(t->row_id, t->nrows, id), j;

	if (i >= 0) {
		*ret_row = i;
		return true;
	}
	j = find_id(t->col_id, t->ncols, id);
	if (j < 0)
		return false;
	i = blocking(t, j, -1);
	if (i < 0 || row_of(t, i)->k || !pivot(t, i, j, false))
		return false;
	*ret_row = i;
	return true;
}

bool tab_redundant(struct tab *t, int i)
{
	int row, id = TAB_SLACK + i;

	if (t->state != TAB_GOOD || !slack_to_row(t, id, &row))
		return false;
	for (int n = 0; n < PIVOTS_MAX; n++) {
		struct tab_row *r = row_of(t, row);
		int j = entering(t, r, -1), b;
		wide_t d;

		if (j < 0) {
			remove_row(t, row);
			return true;
		}
		/* Only if another row stops the fall before 0 is passed can it be implied. */
		t->row_id[row] = TAB_NONE;
		b = blocking(t, j, 1);
		t->row_id[row] = (int16_t)id;
		if (b < 0)
			return false;
		d = (wide_t)r->k * -row_of(t, b)->a[j] - (wide_t)row_of(t, b)->k * -r->a[j];
		if (d < 0 || !pivot(t, b, j, false))
			return false;
	}
	return false;
}
