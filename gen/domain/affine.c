/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Affine equalities: fraction-free rows, one common denominator each. */
#include <string.h>

#include "affine.h"
#include "arith.h"

static void equation_copy(struct equation *to, const struct equation *from)
{
	to->den = from->den;
	to->vars = from->vars;
	form_copy(&to->f, &from->f);
}

void eq_copy(struct equalities *to, const struct equalities *from)
{
	to->n = from->n;
	memcpy(to->at, from->at, sizeof(to->at));
	memcpy(to->pivot, from->pivot, (size_t)from->n);
	for (int i = 0; i < from->n; i++)
		equation_copy(&to->eq[i], &from->eq[i]);
}

static const struct equation *eq_of(const struct equalities *e, int x)
{
	return e->at[x] ? &e->eq[e->at[x] - 1] : NULL;
}

/* *f, a multiple *times of something that holds c * x, has x's place taken by its equation. */
static bool put_equation(struct form *f, int64_t *times, int64_t c, const struct equation *q)
{
	struct form old;
	int64_t g, scale;

	if (!mul64(c, *times, &c))
		return false;
	if (q->den == 1)
		return form_addmul(f, c, &q->f);
	g = gcd64(abs64(c), q->den);
	scale = q->den / g;
	if (!mul64(*times, scale, times))
		return false;
	form_copy(&old, f);
	return form_mix(f, scale, &old, c / g, &q->f);
}

bool eq_reduce(const struct equalities *e, const struct form *f, struct form *ret, int64_t *ret_times)
{
	int n = 0;
	bool pivots = false;

	*ret_times = 1;
	ret->lost = f->lost;
	if (f->lost)
		return false;
	ret->k = f->k;
	for (int i = 0; i < f->n; i++) {
		if (e->at[f->v[i]]) {
			pivots = true;
			continue;
		}
		ret->v[n] = f->v[i];
		ret->c[n++] = f->c[i];
	}
	ret->n = n;
	for (int i = 0; pivots && i < f->n; i++) {
		const struct equation *q = eq_of(e, f->v[i]);

		if (q && !put_equation(ret, ret_times, f->c[i], q)) {
			ret->lost = true;
			return false;
		}
	}
	return true;
}

/* Takes common factors out; false: the coefficients have one that k lacks, so no integer point is left. */
static bool equation_normalise(struct equation *q)
{
	int64_t g = q->den == 1 ? 1 : gcd64(form_content(&q->f), q->den);

	if (g == 1)
		return true;
	if (q->f.k % g)
		return false;
	q->den /= g;
	q->f.k /= g;
	form_divide(&q->f, g);
	return true;
}

void eq_remove(struct equalities *e, int x)
{
	int i = e->at[x] - 1, last = e->n - 1;

	if (i < 0)
		return;
	e->at[x] = 0;
	e->n = last;
	if (i == last)
		return;
	equation_copy(&e->eq[i], &e->eq[last]);
	e->pivot[i] = e->pivot[last];
	e->at[e->pivot[i]] = (uint8_t)(i + 1);
}

bool eq_subst(struct equalities *e, int x, int64_t den, const struct form *f)
{
	for (int i = e->n - 1; i >= 0; i--) {
		struct equation *q = &e->eq[i], new;
		int64_t times;

		if (!varset_has(&q->vars, x))
			continue;
		if (!form_subst(&new.f, &q->f, form_find(&q->f, x), den, f, &times) || !mul64(q->den, times, &new.den)) {
			eq_remove(e, e->pivot[i]);
			continue;
		}
		if (!equation_normalise(&new))
			return false;
		new.vars = form_vars(&new.f);
		equation_copy(q, &new);
	}
	return true;
}

static void eq_append(struct equalities *e, int x, const struct equation *q)
{
	equation_copy(&e->eq[e->n], q);
	e->pivot[e->n] = (uint8_t)x;
	e->at[x] = (uint8_t)++e->n;
}

enum eq_result eq_add(struct equalities *e, const struct form *f, struct solution *ret_sol)
{
	struct solution *s = ret_sol;

	if (f->lost)
		return EQ_DROPPED;
	if (!f->n)
		return f->k ? EQ_EMPTY : EQ_KNOWN;
	if (e->n == EQ_MAX)
		return EQ_DROPPED;
	form_copy(&s->is.f, f);
	s->x = f->v[f->n - 1];
	s->is.den = f->c[f->n - 1];
	s->is.f.n--;
	if (s->is.den < 0)
		s->is.den = -s->is.den;
	else
		form_negate(&s->is.f);
	s->is.vars = form_vars(&s->is.f);
	if (!equation_normalise(&s->is) || !eq_subst(e, s->x, s->is.den, &s->is.f))
		return EQ_EMPTY;
	eq_append(e, s->x, &s->is);
	return EQ_NEW;
}

void eq_form(const struct equalities *e, int x, struct form *ret)
{
	const struct equation *q = eq_of(e, x);
	struct form v = form_var(x);

	form_mix(ret, q->den, &v, -1, &q->f);
}

int eq_user(const struct equalities *e, int x)
{
	int best = 0;

	for (int i = 0; i < e->n; i++)
		if ((!best || e->pivot[i] < best) && varset_has(&e->eq[i].vars, x))
			best = e->pivot[i];
	return best;
}

int eq_unsolved(const struct equalities *e)
{
	for (int i = 0; i < e->n; i++) {
		const struct form *f = &e->eq[i].f;

		if (f->n && f->v[f->n - 1] > e->pivot[i])
			return e->pivot[i];
	}
	return 0;
}

static bool equation_same(const struct equation *a, const struct equation *b)
{
	return b && a->den == b->den && form_equal(&a->f, &b->f);
}

bool eq_same(const struct equalities *a, const struct equalities *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (!equation_same(&a->eq[i], eq_of(b, a->pivot[i])))
			return false;
	return true;
}

/* An equation of the left side beside what the right side leaves of it; pivot 0 is the constant. */
struct residue {
	struct form left, right;
	int pivot;
};

static int64_t residue_at(const struct residue *r, int v)
{
	return v ? form_coef(&r->right, v) : r->right.k;
}

/* Takes d's pivot away from r; false: overflow. */
static bool residue_eliminate(struct residue *r, const struct residue *d)
{
	int64_t c = residue_at(r, d->pivot), p = residue_at(d, d->pivot), g;
	struct residue old;

	if (!c)
		return true;
	g = gcd64(abs64(c), abs64(p));
	form_copy(&old.left, &r->left);
	form_copy(&old.right, &r->right);
	return form_mix(&r->left, p / g, &old.left, -c / g, &d->left) &&
		form_mix(&r->right, p / g, &old.right, -c / g, &d->right);
}

static void residue_normalise(struct residue *r)
{
	int64_t g = form_content(&r->left);

	if (g < 2)
		return;
	g = gcd64(form_content(&r->right), g);
	g = gcd64(abs64(r->left.k), g);
	g = gcd64(abs64(r->right.k), g);
	if (g < 2)
		return;
	form_divide(&r->left, g);
	form_divide(&r->right, g);
	r->left.k /= g;
	r->right.k /= g;
}

static void join_add(struct equalities *ret, const struct form *f)
{
	struct solution sol;
	struct form r;
	int64_t times;

	if (eq_reduce(ret, f, &r, &times))
		eq_add(ret, &r, &sol);
}

/* The residue at done[ndone] either adds an equation to the join or becomes one to eliminate with: returns their number. */
static int join_residue(struct equalities *ret, struct residue *done, int ndone)
{
	struct residue *r = &done[ndone];

	for (int i = 0; i < ndone; i++) {
		if (!residue_eliminate(r, &done[i]))
			return ndone;
		residue_normalise(r);
	}
	if (!r->right.n && !r->right.k) {
		join_add(ret, &r->left);
		return ndone;
	}
	r->pivot = r->right.n ? r->right.v[r->right.n - 1] : 0;
	return ndone + 1;
}

void eq_join(struct equalities *ret, const struct equalities *a, const struct equalities *b)
{
	const struct form zero = { 0 };
	struct residue done[EQ_MAX + 1];
	int ndone = 0;

	/* What both have is solved already: the right sides are free on both sides. */
	for (int i = 0; i < a->n; i++)
		if (equation_same(&a->eq[i], eq_of(b, a->pivot[i])))
			eq_append(ret, a->pivot[i], &a->eq[i]);
	for (int i = 0; i < a->n; i++) {
		struct residue *r = &done[ndone];
		struct form f;
		int64_t times;

		if (equation_same(&a->eq[i], eq_of(b, a->pivot[i])))
			continue;
		eq_form(a, a->pivot[i], &f);
		if (eq_reduce(b, &f, &r->right, &times) && form_mix(&r->left, times, &f, 0, &zero))
			ndone = join_residue(ret, done, ndone);
	}
}
