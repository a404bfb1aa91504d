/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * x := max(x, f) without a case for either.  What bounded x from below still does, as x only rises, and f does too.  What
 * bounded it from above does as far as it bounds f: t - max(x, f) is the lesser of t - x and t - f.
 */
#include "arith.h"
#include "dstate.h"

#define BOUNDS 96

struct raise {
	const struct dstate *s;		/* before */
	int x;
	const struct form *to;
	int n;
	struct form ge[BOUNDS];		/* what is not negative afterwards */
};

static void keep(struct raise *r, const struct form *f)
{
	if (r->n < BOUNDS && !f->lost)
		form_copy(&r->ge[r->n++], f);
}

/* t with x replaced by what it may be raised to. */
static struct form raised(const struct raise *r, const struct form *t, int64_t c)
{
	struct form rest = form_add(*t, form_var(r->x), -c);

	return form_add(rest, *r->to, c);
}

/* t >= 0 before. */
static void keep_bound(struct raise *r, const struct form *t)
{
	int64_t c = form_coef(t, r->x), least = 0;
	struct form f;

	if (!c)
		return;
	if (c < 0) {
		f = raised(r, t, c);
		if (!dstate_ge0(r->s, &f) && !dstate_min(r->s, &f, &least))
			return;
	}
	f = form_plus(*t, least < 0 ? -least : 0);
	keep(r, &f);
}

static void keep_known(void *arg, bool is_eq, const struct form *f)
{
	struct form minus;

	keep_bound(arg, f);
	if (!is_eq)
		return;
	form_copy(&minus, f);
	form_negate(&minus);
	keep_bound(arg, &minus);
}

static void keep_direction(struct raise *r, const struct form *t)
{
	int64_t c = form_coef(t, r->x), old, new;
	struct form f;

	if (c >= 0)
		return;
	f = raised(r, t, c);
	if (!dstate_min(r->s, &f, &new) || !dstate_min(r->s, t, &old))
		return;
	f = form_plus(*t, -(new < old ? new : old));
	keep(r, &f);
}

/* What is known of remainders: what both the old and the raised x keep. */
static void raise_remainders(struct congruences *k, int x, const struct form *f)
{
	struct congruences old, raised;

	cong_copy(&old, k);
	cong_copy(&raised, k);
	cong_assign(&raised, x, f);
	cong_join(k, &old, &raised);
}

void dstate_raise(struct dstate *s, int x, const struct form *f, const struct form *directions, size_t n)
{
	struct form least = form_add(form_var(x), *f, -1), g;
	struct congruences k;
	int64_t times;
	struct raise r;

	r.s = s;
	r.x = x;
	r.to = f;
	r.n = 0;
	if (!form_coef(f, x))
		keep(&r, &least);
	dstate_each(s, keep_known, &r);
	for (size_t i = 0; i < n; i++)
		keep_direction(&r, &directions[i]);
	cong_copy(&k, &s->k);
	raise_remainders(&k, x, f);
	dstate_forget(s, x);
	cong_copy(&s->k, &k);
	for (int i = 0; i < r.n; i++)
		if (eq_reduce(&s->e, &r.ge[i], &g, &times))
			ineq_add(&s->c, &g);
	dstate_tidy(s);
}
