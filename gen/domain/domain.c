/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The reduced product: assignments and assumptions. */
#include <string.h>
#include <talloc.h>

#include "arith.h"
#include "dstate.h"

struct dstate *dstate_top(void *ctx, int nvars)
{
	struct dstate *s = talloc(ctx, struct dstate);

	if (!s)
		return NULL;
	s->nvars = nvars;
	s->tab_live = false;
	s->tab = NULL;
	s->e.n = 0;
	memset(s->e.at, 0, sizeof(s->e.at));
	s->c.n = 0;
	s->c.rounded = false;
	cong_init(&s->k, nvars);
	return s;
}

struct dstate *dstate_copy(void *ctx, const struct dstate *s)
{
	struct dstate *d = talloc(ctx, struct dstate);

	if (!d)
		return NULL;
	d->nvars = s->nvars;
	d->tab = s->tab_live ? tab_copy(d, s->tab) : NULL;
	d->tab_live = d->tab != NULL;
	eq_copy(&d->e, &s->e);
	ineq_copy(&d->c, &s->c);
	cong_copy(&d->k, &s->k);
	return d;
}

void dstate_free(struct dstate *s)
{
	talloc_free(s);
}

struct tab *dstate_tab(const struct dstate *s)
{
	/* The tableau is a cache: a question may build it. */
	struct dstate *w = (struct dstate *)(uintptr_t)s;

	if (s->tab_live)
		return s->tab;
	if (s->tab)
		tab_init(s->tab);
	else
		w->tab = tab_new(w);
	if (!s->tab)
		return NULL;
	for (int i = 0; i < s->c.n; i++)
		tab_ge(s->tab, &s->c.row[i].f);
	w->tab_live = true;
	return s->tab;
}

/* Before the inequalities change: is there a tableau that follows, or is one to be built anew? */
static struct tab *live_tab(struct dstate *s)
{
	if (s->tab_live && (s->tab->state != TAB_GOOD || s->tab->nrows > TAB_ROWS - 16 ||
			    s->tab->nslacks > 4 * INEQ_MAX))
		s->tab_live = false;
	return s->tab_live ? s->tab : NULL;
}

/* After a change: a tableau that knows less than the rounded constants is of no use. */
static void settle(struct dstate *s)
{
	if (s->c.rounded)
		s->tab_live = false;
	s->c.rounded = false;
}

static bool feasible(struct dstate *s)
{
	struct tab *t = s->c.n ? dstate_tab(s) : NULL;

	return !t || t->state != TAB_EMPTY;
}

/* den * x := f, x being unconstrained and not in f, which is over free variables. */
static void define(struct dstate *s, int x, int64_t den, const struct form *f)
{
	struct tab *t = live_tab(s);
	struct form v = form_var(x), g;
	struct solution sol;

	if (!form_mix(&g, den, &v, -1, f) || eq_add(&s->e, &g, &sol) != EQ_NEW || sol.x == x)
		return;
	/* A free variable is now a form of x. */
	if (t && t->at[sol.x]) {
		tab_define(t, x, den, f);
		tab_drop(t, sol.x);
	}
	ineq_subst(&s->c, sol.x, sol.is.den, &sol.is.f);
}

/* The value of x's old value where f = den * x's new value holds x with coefficient f->c[at]. */
static bool solve_for(struct equation *ret, const struct form *f, int at, int x, int64_t den)
{
	struct form v = form_var(x), rest;
	int64_t a = f->c[at];

	form_copy(&rest, f);
	form_remove(&rest, at);
	ret->den = abs64(a);
	return form_mix(&ret->f, a > 0 ? den : -den, &v, a > 0 ? -1 : 1, &rest);
}

/* Forgets a free variable that equations mention: the one with the lowest pivot gives it away. */
static void forget_used(struct dstate *s, int x, int user)
{
	struct tab *t = live_tab(s);
	struct equation q = s->e.eq[s->e.at[user] - 1], value;

	eq_remove(&s->e, user);
	if (t && t->at[x])
		tab_define(t, user, q.den, &q.f);
	if (!solve_for(&value, &q.f, form_find(&q.f, x), user, q.den))
		value.f.lost = true;
	eq_subst(&s->e, x, value.den, &value.f);
	ineq_subst(&s->c, x, value.den, &value.f);
}

static void forget_numbers(struct dstate *s, int x)
{
	int user;

	if (s->e.at[x]) {
		eq_remove(&s->e, x);
		return;
	}
	user = eq_user(&s->e, x);
	if (user)
		forget_used(s, x, user);
	else
		ineq_project(&s->c, x);
	if (live_tab(s))
		tab_drop(s->tab, x);
	settle(s);
}

void dstate_forget(struct dstate *s, int x)
{
	cong_forget(&s->k, x);
	forget_numbers(s, x);
}

/* den * x := f, f with free x's old value at term `at`: everything that mentions x is rewritten. */
static void transform(struct dstate *s, int x, int64_t den, const struct form *f, int at)
{
	struct tab *t = live_tab(s);
	struct equation value;
	int p;

	if (t && t->at[x])
		tab_define(t, x, den, f);
	if (!solve_for(&value, f, at, x, den))
		value.f.lost = true;
	eq_subst(&s->e, x, value.den, &value.f);
	ineq_subst(&s->c, x, value.den, &value.f);
	while ((p = eq_unsolved(&s->e))) {
		struct equation q = s->e.eq[s->e.at[p] - 1];

		eq_remove(&s->e, p);
		define(s, p, q.den, &q.f);
	}
}

void dstate_assign(struct dstate *s, int x, const struct form *f)
{
	struct form r;
	int64_t den;
	int at;

	cong_assign(&s->k, x, f);
	if (!eq_reduce(&s->e, f, &r, &den)) {
		forget_numbers(s, x);
		return;
	}
	at = form_find(&r, x);
	if (at >= 0) {
		transform(s, x, den, &r, at);
	} else {
		forget_numbers(s, x);
		define(s, x, den, &r);
	}
	settle(s);
}

/* f divided by what its coefficients share; false: k does not share it, so f is never 0. */
static bool primitive(struct form *f)
{
	int64_t g = form_content(f);

	if (g < 2)
		return true;
	if (f->k % g)
		return false;
	f->k /= g;
	form_divide(f, g);
	return true;
}

bool dstate_add_eq(struct dstate *s, const struct form *f)
{
	struct tab *t = live_tab(s);
	struct solution sol;
	enum eq_result result;
	struct form r;
	int64_t times;

	if (f->lost)
		return true;
	form_copy(&r, f);
	if (!primitive(&r) || !cong_add(&s->k, &r, 1))
		return false;
	if (!eq_reduce(&s->e, f, &r, &times))
		return true;
	if (!primitive(&r) || !cong_add(&s->k, &r, 1))
		return false;
	result = eq_add(&s->e, &r, &sol);
	if (result != EQ_NEW)
		return result != EQ_EMPTY;
	if (!ineq_has(&s->c, sol.x) && !(t && t->at[sol.x]))
		return true;
	if (t) {
		tab_eq(t, &r);
		tab_drop(t, sol.x);
	}
	if (!ineq_subst(&s->c, sol.x, sol.is.den, &sol.is.f))
		return false;
	settle(s);
	return feasible(s);
}

/* f >= 0 is reduced and no constant: how far can it rise?  0: it can't be; 1: not to `step`; 2: so far or farther. */
static int reach(struct dstate *s, const struct form *f, int64_t step)
{
	struct tab *t = dstate_tab(s);
	struct form minus;
	int64_t num, den, below = -step;
	enum lp r;

	if (!t)
		return 2;
	form_copy(&minus, f);
	form_negate(&minus);
	r = tab_min(t, &minus, &below, &num, &den);
	if (r == LP_EMPTY)
		return 0;
	if (r != LP_OPTIMUM || (wide_t)num <= (wide_t)below * den)
		return 2;
	return num <= 0;
}

static bool add_row(struct dstate *s, struct form *r)
{
	int64_t g = form_content(r);
	struct tab *t;
	int i;

	if (g > 1) {
		form_divide(r, g);
		r->k = floor_div(r->k, g);
	}
	i = ineq_find(&s->c, r);
	if (i >= 0 && s->c.row[i].f.k <= r->k)
		return true;
	t = live_tab(s);
	ineq_add(&s->c, r);
	if (t)
		tab_ge(t, r);
	return !t || t->state != TAB_EMPTY;
}

bool dstate_add_ge(struct dstate *s, const struct form *f)
{
	unsigned residue = 0;
	int k = dstate_cong(s, f, &residue);
	int64_t times, step;
	struct form r, tight;

	if (f->lost)
		return true;
	/* f >= 0 and f = c modulo 2^k, 0 <= c < 2^k: f >= c. */
	tight = form_plus(*f, k ? -(int64_t)residue : 0);
	if (!eq_reduce(&s->e, &tight, &r, &times))
		return true;
	if (!r.n)
		return r.k >= 0;
	if (!mul64(times, (int64_t)1 << k, &step))
		return true;
	switch (s->c.n ? reach(s, &r, step) : 2) {
	case 0:
		return false;
	case 1:
		return dstate_add_eq(s, &tight);
	default:
		return add_row(s, &r);
	}
}

/* f = residue modulo 2^k: its least value, if there is one, rises to the next such number. */
static bool tighten(struct dstate *s, const struct form *f, int64_t step, int64_t residue)
{
	int64_t min, rest;

	if (dstate_bound(s, f, &min) != LP_OPTIMUM)
		return true;
	rest = (min - residue) % step;
	if (!rest)
		return true;
	min += step - (rest < 0 ? rest + step : rest);
	struct form g = form_plus(*f, -min);
	return dstate_add_ge(s, &g);
}

bool dstate_add_cong(struct dstate *s, const struct form *f, int k, unsigned r)
{
	struct form g = form_plus(*f, -(int64_t)r), minus;
	int64_t step = (int64_t)1 << k;

	if (!cong_add(&s->k, &g, (int64_t)1 << (CONG_BITS - k)))
		return false;
	minus = form_scale(*f, -1);
	return tighten(s, f, step, r) && tighten(s, &minus, step, -(int64_t)r);
}
