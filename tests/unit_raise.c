/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* x := max(x, f) in the numeric domain: what stays known, and that it is right on all points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <talloc.h>

#include "domain.h"
#include "random.h"

#define NV 4
#define POINTS 24

static int64_t value(const struct form *f, const int64_t *at)
{
	int64_t sum = f->k;

	for (int i = 0; i < f->n; i++)
		sum += f->c[i] * at[f->v[i]];
	return sum;
}

static struct form minus(int a, int b)
{
	return form_add(form_var(a), form_var(b), -1);
}

/* 0 <= w <= p <= n, end <= p, d = w + 5: w rises to end. */
static void test_bounds(void **state)
{
	enum { N = 1, P = 2, W = 3, END = 4, D = 5 };
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 5);
	struct form facts[] = { form_var(W), minus(P, W), minus(N, P), minus(P, END) };
	struct form d = form_plus(form_var(W), 5), end = form_var(END), f;

	(void)state;
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		assert_true(dstate_add_ge(s, &facts[i]));
	dstate_assign(s, D, &d);
	dstate_raise(s, W, &end, NULL, 0);
	for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
		assert_true(dstate_ge0(s, &facts[i]));
	f = minus(W, END);
	assert_true(dstate_ge0(s, &f));
	f = form_plus(minus(W, D), 5);			/* no longer equal, but no less */
	assert_true(dstate_ge0(s, &f));
	assert_false(dstate_is0(s, &f));
	f = form_plus(minus(P, D), 5);
	assert_true(dstate_ge0(s, &f));
	talloc_free(ctx);
}

/* x and f are both multiples of 8, and so is what x becomes. */
static void test_remainders(void **state)
{
	void *ctx = talloc_new(NULL);
	struct dstate *s = dstate_top(ctx, 2);
	struct form x = form_var(1), f = form_plus(form_var(2), 8);
	unsigned residue;

	(void)state;
	assert_true(dstate_add_cong(s, &x, 3, 0) && dstate_add_cong(s, &f, 4, 0));
	dstate_raise(s, 1, &f, NULL, 0);
	assert_int_equal(dstate_cong(s, &x, &residue), 3);
	assert_int_equal(residue, 0);
	talloc_free(ctx);
}

static struct form random_form(int terms)
{
	struct form f = form_const(between(-4, 4));

	for (int i = 0; i < terms; i++)
		f = form_add(f, form_var(between(1, NV)), between(-2, 2));
	return f;
}

struct points {
	int n;
	int64_t at[POINTS][NV + 1];
};

/* Assumes f >= 0, f = 0 or f even, as what all points have, or lets go those that don't. */
static void assume(struct points *p, struct dstate *s)
{
	struct form f = random_form(between(1, 3));
	int what = between(0, 3), kept = 0;

	for (int i = 0; i < p->n; i++) {
		int64_t v = value(&f, p->at[i]);

		if (what == 0 ? v == 0 : what == 1 ? v % 2 == 0 : v >= 0)
			kept++;
	}
	if (kept < 2)
		return;
	for (int i = kept = 0; i < p->n; i++) {
		int64_t v = value(&f, p->at[i]);

		if (!(what == 0 ? v == 0 : what == 1 ? v % 2 == 0 : v >= 0))
			continue;
		for (int k = 1; k <= NV; k++)
			p->at[kept][k] = p->at[i][k];
		kept++;
	}
	p->n = kept;
	assert_true(what == 0 ? dstate_add_eq(s, &f) : what == 1 ? dstate_add_cong(s, &f, 1, 0) :
		    dstate_add_ge(s, &f));
}

static void raise_points(struct points *p, int x, const struct form *f)
{
	for (int i = 0; i < p->n; i++) {
		int64_t v = value(f, p->at[i]);

		if (v > p->at[i][x])
			p->at[i][x] = v;
	}
}

static void check_fact(void *arg, bool is_eq, const struct form *f)
{
	const struct points *p = arg;

	for (int i = 0; i < p->n; i++) {
		int64_t v = value(f, p->at[i]);

		assert_true(is_eq ? v == 0 : v >= 0);
	}
}

static void check_bound(const struct points *p, const struct dstate *s)
{
	struct form f = random_form(2);
	unsigned residue;
	int k = dstate_cong(s, &f, &residue);
	int64_t min;

	for (int i = 0; i < p->n; i++) {
		int64_t v = value(&f, p->at[i]);

		assert_true(!dstate_min(s, &f, &min) || min <= v);
		assert_true(!k || ((uint64_t)v & ((1u << k) - 1)) == residue);
	}
}

static void test_points(void **state)
{
	long rounds = environment("DOMAIN_ROUNDS", 2000);

	(void)state;
	for (long r = 0; r < rounds; r++) {
		void *ctx = talloc_new(NULL);
		struct dstate *s = dstate_top(ctx, NV);
		struct points p = { .n = POINTS };

		for (int i = 0; i < POINTS; i++)
			for (int v = 1; v <= NV; v++)
				p.at[i][v] = between(-6, 6);
		for (int i = 0; i < 12; i++) {
			struct form f = random_form(between(0, 2)), direction = random_form(2);
			int x = between(1, NV);

			assume(&p, s);
			if (i % 3)
				continue;
			dstate_raise(s, x, &f, &direction, 1);
			raise_points(&p, x, &f);
			dstate_each(s, check_fact, &p);
			for (int k = 0; k < 4; k++)
				check_bound(&p, s);
		}
		talloc_free(ctx);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_bounds),
		cmocka_unit_test(test_remainders),
		cmocka_unit_test(test_points),
	};

	seed_from("DOMAIN_SEED");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
