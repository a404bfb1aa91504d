/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The numeric domain against concrete points: what is claimed of a state must hold for every point that reaches it, and
 * joins must keep what they are to keep.  DOMAIN_SEED and DOMAIN_ROUNDS change the random tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "domain.h"
#include "random.h"

/* k + c * v + d * w; v or w may be 0 */
static struct form form2(int64_t k, int64_t c, int v, int64_t d, int w)
{
	struct form f = form_const(k);

	if (v)
		f = form_add(f, form_var(v), c);
	if (w)
		f = form_add(f, form_var(w), d);
	return f;
}

static struct form random_form(int nvars, int terms, int size)
{
	struct form f = form_const(between(-4, 4));

	for (int i = 0; i < terms; i++)
		f = form_add(f, form_var(between(1, nvars)), between(-size, size));
	return f;
}

/* ---- one thing at a time ---- */

static void test_forms(void **state)
{
	struct form f = form2(3, 2, 5, -1, 2);
	int64_t k;

	(void)state;
	assert_int_equal(f.n, 2);
	assert_int_equal(f.v[0], 2);
	assert_int_equal(f.c[0], -1);
	f = form_add(f, form_var(2), 1);
	assert_int_equal(f.n, 1);
	f = form_plus(form_add(f, form_var(5), -2), 4);
	assert_true(form_is_const(&f, &k));
	assert_int_equal(k, 7);
	assert_true(form_plus(form_const(INT64_MAX), 1).lost);
	assert_true(form_scale(form_scale(form_var(1), INT64_MAX / 2), 3).lost);
	f = form_const(0);
	for (int v = 1; v <= FORM_TERMS + 1; v++)
		f = form_add(f, form_var(v), v);
	assert_true(f.lost);
}

static void test_equalities(void **state)
{
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 6), *t;
	struct form f = form2(8, 1, 1, 0, 0), g, r;

	(void)state;
	dstate_assign(s, 5, &f);			/* v5 := v1 + 8 */
	g = form2(-8, 1, 5, -1, 1);
	assert_true(dstate_eq0(s, &g));
	t = dstate_copy(ctx, s);
	f = form2(4, 1, 5, 0, 0);
	dstate_assign(s, 5, &f);			/* v5 := v5 + 4 */
	assert_false(dstate_eq0(s, &g));
	assert_true(dstate_eq0(t, &g));
	g = form2(-12, 1, 5, -1, 1);
	assert_true(dstate_eq0(s, &g));
	f = form_var(5);
	assert_true(dstate_reduce(s, &f, &r));
	assert_int_equal(r.v[0], 1);
	assert_int_equal(r.k, 12);
	dstate_forget(s, 1);
	assert_false(dstate_eq0(s, &g));
	f = form2(1, 2, 1, 0, 0);
	assert_false(dstate_add_eq(s, &f));		/* 2 * v1 + 1 = 0 */
	talloc_free(ctx);
}

static void test_reduction(void **state)
{
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 4);
	struct form v = form_var(2), minus = form_scale(v, -1), up, f;
	unsigned residue;
	int64_t min;

	(void)state;
	assert_true(dstate_add_cong(s, &v, 4, 3));
	assert_int_equal(dstate_cong(s, &v, &residue), 4);
	assert_int_equal(residue, 3);
	assert_true(dstate_add_ge(s, &v));
	assert_true(dstate_min(s, &v, &min));
	assert_int_equal(min, 3);
	up = form_plus(minus, 18);			/* v2 <= 18 */
	f = form_plus(v, -3);
	assert_false(dstate_is0(s, &f));
	assert_true(dstate_add_ge(s, &up));
	assert_true(dstate_eq0(s, &f));
	f = form_plus(v, -5);
	assert_false(dstate_add_eq(s, &f));
	talloc_free(ctx);
}

static void test_rounding(void **state)
{
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 4);
	struct form f = form2(-1, 2, 1, 0, 0), g = form2(5, -3, 1, 0, 0), h = form_plus(form_var(1), -1);

	(void)state;
	assert_true(dstate_add_ge(s, &f));		/* 2 * v1 >= 1 */
	assert_true(dstate_ge0(s, &h));
	assert_true(dstate_add_ge(s, &g));		/* 3 * v1 <= 5 */
	assert_true(dstate_is0(s, &h));
	f = form2(-3, 2, 1, 0, 0);
	assert_false(dstate_add_ge(s, &f));
	talloc_free(ctx);
}

/* Substituting rounds constants, and the tighter of two stays. */
static void test_substitution(void **state)
{
	enum { A = 1, B = 2, E = 3, C = 4 };
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 4);
	struct form ge1 = form2(-1, 1, A, 0, 0), ge3 = form2(-3, 1, B, 0, 0), same = form2(0, 1, A, -1, B);
	struct form odd = form2(-3, 1, C, 0, 0), half = form2(0, 1, C, -2, E);
	int64_t min;

	(void)state;
	assert_true(dstate_add_ge(s, &ge1) && dstate_add_ge(s, &ge3) && dstate_add_ge(s, &odd));
	assert_true(dstate_add_eq(s, &same) && dstate_add_eq(s, &half));
	ge1 = form_var(A);
	assert_true(dstate_min(s, &ge1, &min));
	assert_int_equal(min, 3);
	odd = form_var(E);				/* 2 * e >= 3 */
	assert_true(dstate_min(s, &odd, &min));
	assert_int_equal(min, 2);
	odd = form_var(C);
	assert_true(dstate_min(s, &odd, &min));
	assert_int_equal(min, 4);
	talloc_free(ctx);
}

/* Of 0 <= x <= 0 and 0 <= x <= 1 the widening keeps what did not change. */
static void test_widening(void **state)
{
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 2), *t = dstate_top(ctx, 2), *w;
	struct form x = form_var(1), minus = form_scale(x, -1), most = form_plus(minus, 1), zero = form_const(0);
	int64_t min;

	(void)state;
	dstate_assign(s, 1, &zero);
	assert_true(dstate_add_ge(t, &x) && dstate_add_ge(t, &most));
	w = dstate_join(ctx, s, t, false, NULL, 0);
	assert_true(dstate_min(w, &x, &min) && min == 0 && dstate_min(w, &minus, &min) && min == -1);
	w = dstate_join(ctx, s, t, true, NULL, 0);
	assert_true(dstate_min(w, &x, &min) && min == 0);
	assert_false(dstate_min(w, &minus, &min));
	assert_true(dstate_same(w, dstate_join(ctx, w, t, true, NULL, 0)));
	talloc_free(ctx);
}

static void test_overflow_is_silent(void **state)
{
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 6);
	int64_t big = INT64_MAX / 3, min;

	(void)state;
	for (int i = 1; i < 6; i++) {
		struct form f = form2(i, big - i, i, -(big / (i + 1)), i + 1), g = form2(-i, big, i + 1, 1 - big, i);

		dstate_add_ge(s, &f);
		dstate_add_ge(s, &g);
		dstate_assign(s, i, &f);
		dstate_add_eq(s, &g);
	}
	for (int i = 1; i <= 6; i++) {
		struct form f = form_var(i);

		(void)dstate_min(s, &f, &min);
	}
	talloc_free(ctx);
}

/* A loop i = 0, 4, 8 .. below n: the join finds 0 <= i <= n and i = 0 modulo 4. */
static void test_loop(void **state)
{
	enum { N = 1, I = 2, C = 3 };
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 3), *head;
	struct form n = form_var(N), i = form_var(I), zero = form_const(0), f, directions[2];
	unsigned residue;
	int round;

	(void)state;
	assert_true(dstate_add_ge(s, &n));
	dstate_assign(s, C, &n);
	dstate_assign(s, I, &zero);
	directions[0] = i;
	directions[1] = form_add(n, i, -1);
	head = s;
	for (round = 0; round < 10; round++) {
		struct dstate *body = dstate_copy(ctx, head), *next;

		f = form_plus(form_add(n, i, -1), -4);
		assert_true(dstate_add_ge(body, &f));	/* i + 4 <= n */
		f = form_plus(i, 4);
		dstate_assign(body, I, &f);
		f = form_plus(form_var(C), -4);
		dstate_assign(body, C, &f);
		next = dstate_join(ctx, head, body, round > 3, directions, 2);
		if (dstate_same(next, head))
			break;
		head = next;
	}
	assert_true(round < 6);
	assert_true(dstate_ge0(head, &i));
	f = form_add(n, i, -1);
	assert_true(dstate_ge0(head, &f));
	f = form_add(f, form_var(C), -1);
	assert_true(dstate_eq0(head, &f));		/* c = n - i */
	assert_true(dstate_cong(head, &i, &residue) >= 2);
	assert_int_equal(residue % 4, 0);
	talloc_free(ctx);
}

/* ---- random programs over points ---- */

#define NV 6
#define POINTS 48

struct world {
	struct dstate *s;
	int n;
	int64_t at[POINTS][NV + 1];
};

static int64_t value(const struct form *f, const int64_t *at)
{
	int64_t sum = f->k;

	for (int i = 0; i < f->n; i++)
		sum += f->c[i] * at[f->v[i]];
	return sum;
}

static void check_fact(void *arg, bool is_eq, const struct form *f)
{
	const struct world *w = arg;

	assert_false(f->lost);
	for (int i = 0; i < w->n; i++) {
		int64_t v = value(f, w->at[i]);

		assert_true(is_eq ? v == 0 : v >= 0);
	}
}

static void check_form(const struct world *w, const struct form *f)
{
	int64_t low = INT64_MAX, min;
	bool zero = true;
	unsigned residue = 0;
	struct form r;
	int k = dstate_cong(w->s, f, &residue);

	for (int i = 0; i < w->n; i++) {
		int64_t v = value(f, w->at[i]);

		low = v < low ? v : low;
		zero = zero && v == 0;
		if (k)
			assert_int_equal((uint64_t)v & ((1u << k) - 1), residue);
	}
	if (dstate_eq0(w->s, f) || dstate_is0(w->s, f))
		assert_true(zero);
	if (dstate_ge0(w->s, f))
		assert_true(low >= 0);
	if (dstate_min(w->s, f, &min)) {
		struct form g = form_plus(*f, -min);

		assert_true(min <= low);
		assert_true(dstate_ge0(w->s, &g));
	}
	if (dstate_reduce(w->s, f, &r))
		for (int i = 0; i < w->n; i++)
			assert_int_equal(value(&r, w->at[i]), value(f, w->at[i]));
}

static void check_world(struct world *w)
{
	dstate_each(w->s, check_fact, w);
	for (int i = 0; i < 6; i++) {
		struct form f = random_form(NV, 1 + i / 2, 1 + i);

		check_form(w, &f);
	}
	for (int v = 1; v <= NV; v++) {
		struct form f = form_var(v);

		check_form(w, &f);
	}
}

static void start(struct world *w, void *ctx)
{
	w->s = dstate_top(ctx, NV);
	w->n = POINTS / 2;
	for (int i = 0; i < w->n; i++)
		for (int v = 1; v <= NV; v++)
			w->at[i][v] = between(-9, 9);
}

/* Keeps the points with f >= 0 (what 0), f = 0 (1), f = residue modulo 2^k (2). */
static int filter(struct world *w, const struct form *f, int what, int k, unsigned residue)
{
	int n = 0;

	for (int i = 0; i < w->n; i++) {
		int64_t v = value(f, w->at[i]);

		if (what == 0 ? v >= 0 : what == 1 ? v == 0 : ((uint64_t)v & ((1u << k) - 1)) == residue)
			memmove(w->at[n++], w->at[i], sizeof(w->at[0]));
	}
	return w->n = n;
}

/* An assumption that at least one point survives; the others may go. */
static void assume(struct world *w)
{
	struct form f = random_form(NV, between(1, 3), between(1, 3));
	const int64_t *keep = w->at[between(0, w->n - 1)];
	int what = between(0, 9) ? 0 : between(1, 2), k = between(1, 8);
	int64_t v = value(&f, keep);
	unsigned residue = (unsigned)v & ((1u << k) - 1);

	if (what == 0)
		f = form_plus(f, between(0, 5) - v);
	else if (what == 1)
		f = form_plus(f, -v);
	assert_true(filter(w, &f, what, k, residue) > 0);
	if (what == 0)
		assert_true(dstate_add_ge(w->s, &f));
	else if (what == 1)
		assert_true(dstate_add_eq(w->s, &f));
	else
		assert_true(dstate_add_cong(w->s, &f, k, residue));
}

static void assign(struct world *w)
{
	int x = between(1, NV);
	struct form f = random_form(NV, between(0, 3), between(1, 2));

	if (between(0, 2) == 0)
		f = form_plus(form_var(x), between(-8, 8));
	for (int i = 0; i < w->n; i++)
		w->at[i][x] = value(&f, w->at[i]);
	dstate_assign(w->s, x, &f);
}

static void forget(struct world *w)
{
	int x = between(1, NV), n = w->n;

	for (int i = 0; i < n; i++) {
		if (w->n < POINTS)
			memcpy(w->at[w->n++], w->at[i], sizeof(w->at[0]));
		w->at[i][x] = between(-30, 30);
	}
	dstate_forget(w->s, x);
}

/* Equalities and congruences are exact; so is the least value of a direction that was asked for. */
static void check_joined(const struct dstate *s, const struct dstate *a, const struct dstate *b, const struct form *f,
			 bool asked)
{
	unsigned ra = 0, rb = 0, rs = 0;
	int ka = dstate_cong(a, f, &ra), kb = dstate_cong(b, f, &rb), k = ka < kb ? ka : kb;
	int64_t la, lb, ls;

	assert_int_equal(dstate_eq0(s, f), dstate_eq0(a, f) && dstate_eq0(b, f));
	while (k && (ra - rb) & ((1u << k) - 1))
		k--;
	assert_true(dstate_cong(s, f, &rs) >= k);
	assert_int_equal((rs - ra) & ((1u << k) - 1), 0);
	if (!asked || !dstate_min(a, f, &la) || !dstate_min(b, f, &lb))
		return;
	assert_true(dstate_min(s, f, &ls));
	/* Not below what either gives, but for the rounding that congruences allow the sides; above it, as rounding of other
	 * directions helps, it may be. */
	assert_true(ls > (la < lb ? la : lb) - 256);
}

static void join(struct world *w, const struct world *other, void *ctx)
{
	struct form directions[4];
	struct dstate *s;
	bool widen = between(0, 4) == 0;

	for (int i = 0; i < 4; i++)
		directions[i] = random_form(NV, between(1, 2), 1);
	s = dstate_join(ctx, w->s, other->s, widen, directions, 4);
	for (int i = 0; i < 4; i++)
		check_joined(s, w->s, other->s, &directions[i], !widen);
	for (int i = 0; i < 12; i++) {
		struct form f = random_form(NV, between(1, 3), 2);

		check_joined(s, w->s, other->s, &f, false);
	}
	w->s = s;
	for (int i = 0; i < other->n; i++)
		memcpy(w->at[w->n < POINTS ? w->n++ : between(0, POINTS - 1)], other->at[i], sizeof(w->at[0]));
}

static bool small(const struct world *w)
{
	for (int i = 0; i < w->n; i++)
		for (int v = 1; v <= NV; v++)
			if (llabs(w->at[i][v]) > 100000)
				return false;
	return true;
}

static void step(struct world *w, const struct world *other, void *ctx)
{
	switch (between(0, 9)) {
	case 0: case 1: case 2: case 3:
		assume(w);
		break;
	case 4: case 5: case 6:
		assign(w);
		break;
	case 7:
		forget(w);
		break;
	case 8:
		w->s = dstate_copy(ctx, w->s);
		break;
	default:
		join(w, other, ctx);
	}
}

static void test_random_programs(void **state)
{
	long rounds = environment("DOMAIN_ROUNDS", 400);

	(void)state;
	for (long r = 0; r < rounds; r++) {
		void *ctx = talloc_new(NULL);
		struct world w[2];

		start(&w[0], ctx);
		start(&w[1], ctx);
		for (int i = 0; i < 40; i++) {
			int which = between(0, 1);

			step(&w[which], &w[!which], ctx);
			if (!small(&w[which]))
				start(&w[which], ctx);
			check_world(&w[which]);
		}
		talloc_free(ctx);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_forms),
		cmocka_unit_test(test_equalities),
		cmocka_unit_test(test_reduction),
		cmocka_unit_test(test_rounding),
		cmocka_unit_test(test_substitution),
		cmocka_unit_test(test_widening),
		cmocka_unit_test(test_overflow_is_silent),
		cmocka_unit_test(test_loop),
		cmocka_unit_test(test_random_programs),
	};

	seed_from("DOMAIN_SEED");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
