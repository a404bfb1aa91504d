/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Joins: exact for equalities and congruences; inequalities in the directions both sides and the caller propose. */
#include <string.h>

#include "arith.h"
#include "dstate.h"

#define DIRECTIONS 256
#define SLOTS 1024		/* of the hash table, so that it is at most a quarter full */

struct directions {
	int n;
	const struct equalities *e;	/* of the join */
	uint16_t slot[SLOTS];		/* 1 + index */
	struct form f[DIRECTIONS];
};

/* Proposes f's direction, or its opposite. */
static void propose(struct directions *d, const struct form *f, bool opposite)
{
	struct form *r = &d->f[d->n];
	int64_t times;
	uint32_t h;

	if (d->n == DIRECTIONS || !eq_reduce(d->e, f, r, &times) || !r->n)
		return;
	form_divide(r, form_content(r));
	r->k = 0;
	if (opposite)
		form_negate(r);
	for (h = form_hash(r) % SLOTS; d->slot[h]; h = (h + 1) % SLOTS)
		if (form_parallel(&d->f[d->slot[h] - 1], r))
			return;
	d->slot[h] = (uint16_t)++d->n;
}

/* What one side brings: its inequalities and, as two directions each, the equations the join lost. */
static void propose_side(struct directions *d, const struct dstate *s)
{
	for (int i = 0; i < s->c.n; i++)
		propose(d, &s->c.row[i].f, false);
	for (int i = 0; i < s->e.n; i++) {
		struct form f;

		eq_form(&s->e, s->e.pivot[i], &f);
		propose(d, &f, false);
		propose(d, &f, true);
	}
}

/* A side's least value of f, rounded up; an empty side has none to heed. */
static bool side_min(const struct dstate *s, const struct form *f, int64_t *ret_min)
{
	switch (dstate_bound(s, f, ret_min)) {
	case LP_OPTIMUM:
		return true;
	case LP_EMPTY:
		*ret_min = INT64_MAX;
		return true;
	default:
		return false;
	}
}

/* What an inequality of the direction itself says on a side; false: there is none. */
static bool stated(const struct dstate *s, const struct form *f, int64_t *ret)
{
	int i = ineq_find(&s->c, f);

	if (i >= 0)
		*ret = -s->c.row[i].f.k;
	return i >= 0;
}

static void keep_direction(struct dstate *r, const struct dstate *a, const struct dstate *b, bool widen, struct form *f)
{
	int64_t ma, mb, known = 0;

	/* First the side that states less: often the other one states enough, and is not asked. */
	if (!widen && stated(a, f, &ma) && (!stated(b, f, &mb) || mb < ma)) {
		const struct dstate *t = a;

		a = b;
		b = t;
	}
	if (!side_min(a, f, &ma))
		return;
	if (!stated(b, f, &known) || known < ma) {
		if (!side_min(b, f, &mb) || (widen && mb < ma))
			return;
		if (mb < ma)
			ma = mb;
	}
	if (ma == INT64_MAX || ma == INT64_MIN)
		return;
	f->k = -ma;
	ineq_add(&r->c, f);
}

/* Equations that only one side or neither had as they are: the congruences should know them too. */
static void tell_congruences(struct dstate *r, const struct dstate *a)
{
	for (int i = 0; i < r->e.n; i++) {
		int x = r->e.pivot[i];
		const struct equation *q = a->e.at[x] ? &a->e.eq[a->e.at[x] - 1] : NULL;
		struct form f;

		if (q && q->den == r->e.eq[i].den && form_equal(&q->f, &r->e.eq[i].f))
			continue;
		eq_form(&r->e, x, &f);
		cong_add(&r->k, &f, 1);
	}
}

struct dstate *dstate_join(void *ctx, const struct dstate *a, const struct dstate *b, bool widen,
			   const struct form *directions, size_t ndirections)
{
	struct dstate *r = dstate_top(ctx, a->nvars);
	struct directions d;

	if (!r)
		return NULL;
	eq_join(&r->e, &a->e, &b->e);
	cong_join(&r->k, &a->k, &b->k);
	tell_congruences(r, a);
	d.n = 0;
	d.e = &r->e;
	memset(d.slot, 0, sizeof(d.slot));
	propose_side(&d, a);
	if (!widen)
		propose_side(&d, b);
	for (size_t i = 0; i < ndirections; i++)
		propose(&d, &directions[i], false);
	for (int i = 0; i < d.n; i++)
		keep_direction(r, a, b, widen, &d.f[i]);
	dstate_tidy(r);
	return r;
}
