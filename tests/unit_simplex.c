/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tableau of the numeric domain against brute force: the vertices of small polyhedra.  SIMPLEX_SEED and SIMPLEX_ROUNDS
 * change the random tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "simplex.h"
#include "random.h"

#define D 3			/* variables */
#define CONSTRAINTS 14
#define BOX 9

/* Constraints and goals: [0] is the constant, [v] the coefficient of variable v. */
typedef int64_t row_t[D + 1];

struct polyhedron {
	int n;
	row_t c[CONSTRAINTS];
};

/* Where three constraints meet, by Cramer's rule; false: nowhere. */
static bool vertex(const struct polyhedron *p, const int *pick, int64_t *ret_num, int64_t *ret_den)
{
	int64_t d[D + 1];

	for (int col = 0; col <= D; col++) {
		int64_t a[D][D];

		for (int i = 0; i < D; i++)
			for (int j = 0; j < D; j++)
				a[i][j] = j + 1 == col ? -p->c[pick[i]][0] : p->c[pick[i]][j + 1];
		d[col] = a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) -
			a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
			a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
	}
	*ret_den = d[0] < 0 ? -d[0] : d[0];
	for (int i = 0; i < D; i++)
		ret_num[i] = d[0] < 0 ? -d[i + 1] : d[i + 1];
	return d[0] != 0;
}

static int64_t at_vertex(const int64_t *c, const int64_t *num, int64_t den)
{
	return c[0] * den + c[1] * num[0] + c[2] * num[1] + c[3] * num[2];
}

/* The least value of goal, constraint `without` left out; false: the polyhedron is empty.  A box must bound it. */
static bool brute_min(const struct polyhedron *p, int without, const int64_t *goal, int64_t *ret_num, int64_t *ret_den)
{
	bool found = false;
	int k[D];

	for (k[0] = 0; k[0] < p->n; k[0]++)
		for (k[1] = k[0] + 1; k[1] < p->n; k[1]++)
			for (k[2] = k[1] + 1; k[2] < p->n; k[2]++) {
				int64_t num[D], den, v;
				bool inside = k[0] != without && k[1] != without && k[2] != without;

				if (!inside || !vertex(p, k, num, &den))
					continue;
				for (int i = 0; i < p->n && inside; i++)
					inside = i == without || at_vertex(p->c[i], num, den) >= 0;
				if (!inside)
					continue;
				v = at_vertex(goal, num, den);
				if (!found || v * *ret_den < *ret_num * den) {
					*ret_num = v;
					*ret_den = den;
				}
				found = true;
			}
	return found;
}

static void random_row(int64_t *c, int64_t low, int64_t high)
{
	c[0] = between((int)low, (int)high);
	do {
		for (int v = 1; v <= D; v++)
			c[v] = between(-4, 4);
	} while (!c[1] && !c[2] && !c[3]);
}

static void add_box(struct polyhedron *p)
{
	memset(p, 0, sizeof(*p));
	for (int v = 1; v <= D; v++)
		for (int sign = -1; sign < 2; sign += 2, p->n++) {
			p->c[p->n][0] = BOX;
			p->c[p->n][v] = sign;
		}
}

/* What the tableau's variables are in terms of the polyhedron's; those dropped are not `there`. */
struct view {
	row_t is[D + 1];
	bool there[D + 1];
};

static void view_init(struct view *w)
{
	memset(w, 0, sizeof(*w));
	for (int v = 1; v <= D; v++) {
		w->is[v][v] = 1;
		w->there[v] = true;
	}
}

/* A random form over the variables that are there, and what it is in terms of the polyhedron's. */
static struct form random_form(const struct view *w, int64_t low, int64_t high, int64_t *ret)
{
	struct form f = form_const(between((int)low, (int)high));

	memset(ret, 0, sizeof(row_t));
	ret[0] = f.k;
	for (int v = 1; v <= D; v++) {
		int64_t c = w->there[v] ? between(-3, 3) : 0;

		f = form_add(f, form_var(v), c);
		for (int i = 0; i <= D; i++)
			ret[i] += c * w->is[v][i];
	}
	return f;
}

static struct form form_of(const int64_t *c)
{
	struct form f = form_const(c[0]);

	for (int v = 1; v <= D; v++)
		f = form_add(f, form_var(v), c[v]);
	return f;
}

static void check_goal(struct tab *t, const struct polyhedron *p, const struct form *f, const int64_t *goal)
{
	int64_t want_num = 0, want_den = 1, num = 0, den = 1, below;
	bool any = brute_min(p, -1, goal, &want_num, &want_den);
	enum lp r;

	assert_int_equal(t->state, any ? TAB_GOOD : TAB_EMPTY);
	/* With a bound first, from wherever the last question ended: never a wrong "below". */
	below = want_num / want_den + between(-2, 2);
	r = tab_min(t, f, &below, &num, &den);
	if (r == LP_BELOW)
		assert_true(want_num <= below * want_den);
	else if (any)
		assert_true(r == LP_OPTIMUM && num * want_den == want_num * den);
	r = tab_min(t, f, NULL, &num, &den);
	assert_int_equal(r, any ? LP_OPTIMUM : LP_EMPTY);
	if (any)
		assert_true(num * want_den == want_num * den);
}

/* One change of tableau and polyhedron; false: no room for more. */
static bool change(struct tab *t, struct polyhedron *p, struct view *w)
{
	int x = between(1, D);
	struct form f;
	row_t c;

	switch (between(0, 5)) {
	case 0:
		if (p->n + 2 > CONSTRAINTS)
			return false;
		f = random_form(w, -6, 6, p->c[p->n]);
		for (int i = 0; i <= D; i++)
			p->c[p->n + 1][i] = -p->c[p->n][i];
		tab_eq(t, &f);
		p->n += 2;
		return true;
	case 1:
		f = random_form(w, -6, 6, c);
		tab_define(t, x, 1, &f);
		memcpy(w->is[x], c, sizeof(c));
		w->there[x] = true;
		return true;
	case 2:
		tab_drop(t, x);
		w->there[x] = false;
		return true;
	default:
		if (p->n == CONSTRAINTS)
			return false;
		f = random_form(w, -3, 12, p->c[p->n]);
		tab_ge(t, &f);
		p->n++;
		return true;
	}
}

static void test_against_vertices(void **state)
{
	long rounds = environment("SIMPLEX_ROUNDS", 1500);
	struct tab *t = tab_new(NULL), *copy;

	(void)state;
	for (long r = 0; r < rounds; r++) {
		struct polyhedron p;
		struct view w;
		struct form f;
		row_t goal;

		add_box(&p);
		view_init(&w);
		tab_init(t);
		for (int i = 0; i < p.n; i++) {
			f = form_of(p.c[i]);
			tab_ge(t, &f);
		}
		while (t->state == TAB_GOOD && change(t, &p, &w)) {
			f = random_form(&w, -5, 5, goal);
			check_goal(t, &p, &f, goal);
			copy = tab_copy(t, t);
			f = random_form(&w, -5, 5, goal);
			check_goal(copy, &p, &f, goal);
			talloc_free(copy);
		}
	}
	talloc_free(t);
}

static void test_redundancy(void **state)
{
	long rounds = environment("SIMPLEX_ROUNDS", 1500) / 2;
	struct tab *t = tab_new(NULL);

	(void)state;
	for (long r = 0; r < rounds; r++) {
		struct polyhedron p;
		int64_t num, den;
		int id[CONSTRAINTS];

		add_box(&p);
		tab_init(t);
		while (p.n < CONSTRAINTS)
			random_row(p.c[p.n++], 0, 15);
		for (int i = 0; i < p.n; i++) {
			struct form f = form_of(p.c[i]);

			tab_ge(t, &f);
			id[i] = i;
		}
		for (int i = p.n - 1; i >= 2 * D; i--) {
			bool implied;

			assert_true(brute_min(&p, i, p.c[i], &num, &den));
			implied = num >= 0;
			assert_int_equal(tab_redundant(t, id[i]), implied);
			if (!implied)
				continue;
			p.n--;
			memmove(p.c[i], p.c[i + 1], (size_t)(p.n - i) * sizeof(p.c[0]));
			memmove(&id[i], &id[i + 1], (size_t)(p.n - i) * sizeof(id[0]));
		}
	}
	talloc_free(t);
}

static void test_unbounded(void **state)
{
	struct tab *t = tab_new(NULL);
	struct form x = form_var(1), minus = form_scale(x, -1), y = form_var(2), f;
	int64_t num, den;

	(void)state;
	tab_init(t);
	assert_int_equal(tab_min(t, &x, NULL, &num, &den), LP_UNBOUNDED);
	f = form_add(form_plus(x, -3), y, 2);			/* x + 2y >= 3 */
	tab_ge(t, &f);
	assert_int_equal(tab_min(t, &x, NULL, &num, &den), LP_UNBOUNDED);
	f = form_add(form_plus(form_scale(x, 5), -15), y, 10);
	assert_int_equal(tab_min(t, &f, NULL, &num, &den), LP_OPTIMUM);
	assert_int_equal(num, 0);
	f = form_plus(minus, 10);
	tab_ge(t, &f);						/* x <= 10 */
	assert_int_equal(tab_min(t, &y, NULL, &num, &den), LP_OPTIMUM);
	assert_int_equal(num, -7);
	assert_int_equal(den, 2);
	assert_int_equal(tab_min(t, &x, NULL, &num, &den), LP_UNBOUNDED);
	f = form_plus(x, -11);
	tab_ge(t, &f);
	assert_int_equal(tab_min(t, &x, NULL, &num, &den), LP_EMPTY);
	talloc_free(t);
}

/* Many columns: a chain v1 + 1 <= v2, v2 + 1 <= v3 ... defined and dropped on the way; too many are no answer. */
static void test_many_columns(void **state)
{
	struct tab *t = tab_new(NULL);

	(void)state;
	tab_init(t);
	for (int v = 1; v < DOMAIN_VARS - 1; v++) {
		struct form f = form_add(form_plus(form_var(v + 1), -1), form_var(v), -1), g;
		int64_t num = 0, den = 1;

		tab_ge(t, &f);
		g = form_add(form_var(v + 1), form_var(1 + v / 2), -1);
		if (v >= TAB_COLS) {
			assert_int_equal(t->state, TAB_BROKEN);
			assert_int_equal(tab_min(t, &g, NULL, &num, &den), LP_UNBOUNDED);
			continue;
		}
		assert_int_equal(t->state, TAB_GOOD);
		assert_int_equal(tab_min(t, &g, NULL, &num, &den), LP_OPTIMUM);
		assert_int_equal(num, v - v / 2);
		f = form_plus(form_var(v + 1), 5);
		tab_define(t, v + 1, 1, &f);
		f = form_plus(form_var(v + 1), -5);
		tab_define(t, v + 1, 1, &f);
	}
	talloc_free(t);
}

/* Numbers too large: no answer, rather than a wrong one. */
static void test_overflow(void **state)
{
	struct tab *t = tab_new(NULL);
	int64_t num, den, big = INT64_MAX / 7;

	(void)state;
	tab_init(t);
	for (int i = 0; i < 8; i++) {
		struct form f = form_add(form_scale(form_var(1 + i % 4), big - 31 * i), form_var(1 + (i + 1) % 4), i - big);

		f = form_add(f, form_var(1 + (i + 2) % 4), 3 * i + 1);
		f = form_plus(f, big / (i + 3));
		tab_ge(t, &f);
	}
	for (int i = 1; i <= 4; i++) {
		struct form f = form_var(i);

		assert_int_not_equal(tab_min(t, &f, NULL, &num, &den), LP_EMPTY);
	}
	assert_int_equal(t->state, TAB_BROKEN);
	talloc_free(t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_unbounded),
		cmocka_unit_test(test_many_columns),
		cmocka_unit_test(test_overflow),
		cmocka_unit_test(test_against_vertices),
		cmocka_unit_test(test_redundancy),
	};

	seed_from("SIMPLEX_SEED");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
