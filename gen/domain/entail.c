/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The reduced product: what a state entails. */
#include "arith.h"
#include "dstate.h"

bool dstate_eq0(const struct dstate *s, const struct form *f)
{
	struct form r;
	int64_t times;

	return eq_reduce(&s->e, f, &r, &times) && !r.n && !r.k;
}

bool dstate_is0(const struct dstate *s, const struct form *f)
{
	struct form minus;

	if (f->lost)
		return false;
	if (dstate_eq0(s, f))
		return true;
	form_copy(&minus, f);
	form_negate(&minus);
	return dstate_ge0(s, f) && dstate_ge0(s, &minus);
}

/* Does a constraint of r's own direction give r > -times already? */
static bool quick_ge(const struct dstate *s, const struct form *r, int64_t times)
{
	struct form d;
	int64_t g = form_content(r);
	int i;

	if (g > 1) {
		form_copy(&d, r);
		form_divide(&d, g);
		r = &d;
	}
	i = ineq_find(&s->c, r);
	/* direction >= -k: r >= r->k - g * k */
	return i >= 0 && (wide_t)r->k - (wide_t)g * s->c.row[i].f.k > -(wide_t)times;
}

bool dstate_ge0(const struct dstate *s, const struct form *f)
{
	struct form r;
	struct tab *t;
	int64_t times, num, den, below;
	unsigned residue = 0;
	int k;

	if (!eq_reduce(&s->e, f, &r, &times))
		return false;
	if (!r.n)
		return r.k >= 0;
	if (!s->c.n)
		return false;
	if (quick_ge(s, &r, times))
		return true;
	t = dstate_tab(s);
	if (!t)
		return false;
	/* Integers: f > -1 is enough; f > -2^k + c is if f = c modulo 2^k. */
	below = -times;
	switch (tab_min(t, &r, &below, &num, &den)) {
	case LP_EMPTY:
		return true;
	case LP_OPTIMUM:
		if ((wide_t)num > (wide_t)below * den)
			return true;
		break;
	case LP_BELOW:
		break;
	case LP_UNBOUNDED:
		return false;
	}
	k = dstate_cong(s, f, &residue);
	if (!k || !mul64(times, (int64_t)residue - ((int64_t)1 << k), &below) || below == -times)
		return false;
	return tab_min(t, &r, &below, &num, &den) == LP_OPTIMUM && (wide_t)num > (wide_t)below * den;
}

enum lp dstate_bound(const struct dstate *s, const struct form *f, int64_t *ret_min)
{
	struct form r;
	struct tab *t;
	int64_t times, num, den;
	enum lp result;

	if (!eq_reduce(&s->e, f, &r, &times))
		return LP_UNBOUNDED;
	if (!r.n) {
		*ret_min = ceil_div(r.k, times);
		return LP_OPTIMUM;
	}
	t = s->c.n ? dstate_tab(s) : NULL;
	if (!t)
		return LP_UNBOUNDED;
	result = tab_min(t, &r, NULL, &num, &den);
	if (result != LP_OPTIMUM)
		return result;
	if (!mul64(den, times, &den))
		return LP_UNBOUNDED;
	*ret_min = ceil_div(num, den);
	return LP_OPTIMUM;
}

bool dstate_min(const struct dstate *s, const struct form *f, int64_t *ret_min)
{
	int64_t min, step, rest;
	unsigned residue = 0;

	if (dstate_bound(s, f, &min) != LP_OPTIMUM)
		return false;
	step = (int64_t)1 << dstate_cong(s, f, &residue);
	rest = (min - (int64_t)residue) % step;
	if (rest)
		min += step - (rest < 0 ? rest + step : rest);
	*ret_min = min;
	return true;
}

static bool has_fractions(const struct dstate *s, const struct form *f)
{
	for (int i = 0; i < f->n; i++)
		if (s->e.at[f->v[i]] && s->e.eq[s->e.at[f->v[i]] - 1].den != 1)
			return true;
	return false;
}

int dstate_cong(const struct dstate *s, const struct form *f, unsigned *ret_residue)
{
	int k = cong_known(&s->k, f, ret_residue), k2;
	unsigned residue = 0;
	struct form r;

	/* The congruences know the equations, up to a denominator. */
	if (k == CONG_BITS || !has_fractions(s, f) || !dstate_reduce(s, f, &r))
		return k;
	k2 = cong_known(&s->k, &r, &residue);
	if (k2 > k)
		*ret_residue = residue;
	return k2 > k ? k2 : k;
}

bool dstate_reduce(const struct dstate *s, const struct form *f, struct form *ret)
{
	struct form r;
	int64_t times;

	if (!eq_reduce(&s->e, f, &r, &times) || r.k % times || form_content(&r) % times)
		return false;
	form_divide(&r, times);
	r.k /= times;
	*ret = (struct form){ 0 };
	form_copy(ret, &r);
	return true;
}

bool dstate_same(const struct dstate *a, const struct dstate *b)
{
	return a->nvars == b->nvars && eq_same(&a->e, &b->e) && ineq_same(&a->c, &b->c) && cong_same(&a->k, &b->k);
}

void dstate_each(const struct dstate *s, void (*fn)(void *arg, bool is_eq, const struct form *f), void *arg)
{
	struct form f;

	for (int x = 1; x <= s->nvars; x++)
		if (s->e.at[x]) {
			eq_form(&s->e, x, &f);
			fn(arg, true, &f);
		}
	for (int i = 0; i < s->c.n; i++)
		fn(arg, false, &s->c.row[i].f);
}
