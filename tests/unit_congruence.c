/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Congruences against brute force: four variables modulo 8, all 4096 points.  What is known of a form must be exactly what
 * is so at the points.  CONGRUENCE_SEED and CONGRUENCE_ROUNDS change the random tests.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "congruence.h"
#include "random.h"

#define D 4
#define BITS 3
#define MOD (1 << BITS)
#define POINTS (1 << BITS * D)

/* The points, one flag each; coordinate v of point i is in its bits 3 * (v - 1) and up.  Always an affine set. */
struct set {
	bool in[POINTS];
};

static int coordinate(int point, int v)
{
	return point >> BITS * (v - 1) & (MOD - 1);
}

static int value(const struct form *f, int point)
{
	int64_t sum = f->k;

	for (int i = 0; i < f->n; i++)
		sum += f->c[i] * coordinate(point, f->v[i]);
	return (int)((uint64_t)sum & (MOD - 1));
}

static int with(int point, int v, int x)
{
	return (point & ~((MOD - 1) << BITS * (v - 1))) | x << BITS * (v - 1);
}

/* Adds coordinate by coordinate, without carries between them. */
static int plus(int a, int b)
{
	int sum = 0;

	for (int v = 1; v <= D; v++)
		sum = with(sum, v, (coordinate(a, v) + coordinate(b, v)) & (MOD - 1));
	return sum;
}

static int some_point(const struct set *s)
{
	int from = between(0, POINTS - 1);

	for (int i = 0; i < POINTS; i++)
		if (s->in[(from + i) % POINTS])
			return (from + i) % POINTS;
	fail();
	return 0;
}

/* The least affine set around both. */
static void set_join(struct set *a, const struct set *b)
{
	struct set group = { { false } };
	int origin = some_point(a), minus = 0;

	for (int v = 1; v <= D; v++)
		minus = with(minus, v, -coordinate(origin, v) & (MOD - 1));
	group.in[0] = true;
	for (int i = 0; i < POINTS; i++) {
		int d = plus(i, minus);

		if ((!a->in[i] && !b->in[i]) || group.in[d])
			continue;
		for (int times = 1; times < MOD; times *= 2) {
			/* All that is there, and the same moved by times * d. */
			struct set old = group;

			for (int j = 0; j < POINTS; j++)
				if (old.in[j])
					group.in[plus(j, d)] = true;
			d = plus(d, d);
		}
	}
	for (int i = 0; i < POINTS; i++)
		a->in[i] = group.in[plus(i, minus)];
}

static void set_forget(struct set *s, int x)
{
	for (int i = 0; i < POINTS; i++)
		if (s->in[i])
			for (int c = 0; c < MOD; c++)
				s->in[with(i, x, c)] = true;
}

static void set_assign(struct set *s, int x, const struct form *f)
{
	struct set to = { { false } };

	for (int i = 0; i < POINTS; i++)
		if (s->in[i])
			to.in[with(i, x, value(f, i))] = true;
	*s = to;
}

static void set_add(struct set *s, const struct form *f, int k)
{
	for (int i = 0; i < POINTS; i++)
		s->in[i] = s->in[i] && !(value(f, i) & ((1 << k) - 1));
}

static bool set_empty(const struct set *s)
{
	return !memchr(s->in, true, sizeof(s->in));
}

static int set_known(const struct set *s, const struct form *f, unsigned *ret_residue)
{
	int first = value(f, some_point(s)), k = BITS;

	for (int i = 0; i < POINTS; i++)
		while (s->in[i] && k && (value(f, i) - first) & ((1 << k) - 1))
			k--;
	*ret_residue = (unsigned)first & ((1u << k) - 1);
	return k;
}

struct both {
	struct congruences c;
	struct set s;
};

static void start(struct both *b)
{
	cong_init(&b->c, D);
	memset(b->s.in, true, sizeof(b->s.in));
}

static struct form random_form(int terms)
{
	struct form f = form_const(between(0, MOD - 1));

	for (int i = 0; i < terms; i++)
		f = form_add(f, form_var(between(1, D)), between(-MOD, MOD));
	return f;
}

static void check(const struct both *b)
{
	for (int i = 0; i < 12; i++) {
		struct form f = random_form(i / 3);
		unsigned want = 0, got = 0;
		int kwant = set_known(&b->s, &f, &want), k = cong_known(&b->c, &f, &got);

		/* Assignments are known modulo 2^8, points modulo 8. */
		if (k > BITS)
			k = BITS;
		assert_int_equal(k, kwant);
		assert_int_equal(got & ((1u << k) - 1), want);
	}
}

/* Every row leads with a power of two, is reduced by the others, and is closed: its multiples below add nothing. */
static void check_form(const struct congruences *c, int nvars)
{
	struct congruences again;

	for (int j = 1; j <= nvars; j++) {
		const uint8_t *r;

		if (!(c->lead[j >> 6] >> (j & 63) & 1)) {
			assert_int_equal(c->over[j], 0);
			continue;
		}
		r = cong_row(c, j);
		assert_true(r[j] && !(r[j] & (r[j] - 1)));
		assert_int_equal(c->over[j], (uint8_t)-r[j]);
		for (int l = 0; l <= nvars; l++)
			assert_int_equal(l > j ? r[l] : l < j ? r[l] & c->over[l] : 0, 0);
		for (int times = 1; times < 256; times *= 2) {
			struct form f = form_const((int64_t)r[0] * times);

			for (int l = 1; l <= nvars; l++)
				f = form_add(f, form_var(l), r[l] * times);
			cong_copy(&again, c);
			assert_true(cong_add(&again, &f, 1));
			assert_true(cong_same(&again, c));
		}
	}
}

static void step(struct both *b, const struct both *other)
{
	int x = between(1, D), k = between(1, BITS);
	struct form f = random_form(between(0, 3));
	struct congruences joined;

	switch (between(0, 6)) {
	case 0: case 1: case 2:
		if (between(0, 3))
			f = form_plus(f, -value(&f, some_point(&b->s)));
		set_add(&b->s, &f, k);
		assert_int_equal(cong_add(&b->c, &f, 1 << (CONG_BITS - k)), !set_empty(&b->s));
		if (set_empty(&b->s))
			start(b);
		break;
	case 3: case 4:
		if (!between(0, 3))
			f = form_plus(form_var(x), between(0, 9));
		set_assign(&b->s, x, &f);
		cong_assign(&b->c, x, &f);
		break;
	case 5:
		set_forget(&b->s, x);
		cong_forget(&b->c, x);
		break;
	default:
		set_join(&b->s, &other->s);
		cong_join(&joined, &b->c, &other->c);
		cong_copy(&b->c, &joined);
	}
}

static void test_against_points(void **state)
{
	long rounds = environment("CONGRUENCE_ROUNDS", 150);
	struct both *b = calloc(2, sizeof(*b));

	(void)state;
	for (long r = 0; r < rounds; r++) {
		start(&b[0]);
		start(&b[1]);
		for (int i = 0; i < 24; i++) {
			int which = between(0, 1);

			step(&b[which], &b[!which]);
			check(&b[which]);
			check_form(&b[which].c, D);
		}
	}
	free(b);
}

/* Many variables: joins of what was made in another order are the same. */
static void test_canonical(void **state)
{
	struct congruences *c = calloc(4, sizeof(*c));
	struct form f[12];

	(void)state;
	for (int r = 0; r < 300; r++) {
		cong_init(&c[0], DOMAIN_VARS - 1);
		cong_init(&c[1], DOMAIN_VARS - 1);
		for (int i = 0; i < 12; i++) {
			f[i] = form_const(between(0, 31) * 8);
			for (int t = 0; t < 4; t++)
				f[i] = form_add(f[i], form_var(between(1, DOMAIN_VARS - 1)), between(-16, 16) * (8 >> t));
			f[i].k = 0;
		}
		for (int i = 0; i < 12; i++) {
			assert_true(cong_add(&c[0], &f[i], 1 << i % 3));
			assert_true(cong_add(&c[1], &f[11 - i], 1 << (11 - i) % 3));
		}
		assert_true(cong_same(&c[0], &c[1]));
		for (int i = 0; i < 3; i++)
			cong_forget(&c[i & 1], between(1, DOMAIN_VARS - 1));
		cong_join(&c[2], &c[0], &c[1]);
		cong_join(&c[3], &c[1], &c[0]);
		assert_true(cong_same(&c[2], &c[3]));
		cong_join(&c[3], &c[2], &c[0]);
		assert_true(cong_same(&c[2], &c[3]));
	}
	free(c);
}

/* Few variables, all powers of two: what is forgotten leaves the form as it should be. */
static void test_forget(void **state)
{
	enum { NV = 9 };
	struct congruences c;

	(void)state;
	for (int r = 0; r < 20000; r++) {
		cong_init(&c, NV);
		for (int i = 0; i < 6; i++) {
			struct form f = form_const(0);

			for (int t = 0; t < 5; t++)
				f = form_add(f, form_var(between(1, NV)), between(-3, 3) * (1 << between(0, 6)));
			assert_true(cong_add(&c, &f, 1));
		}
		check_form(&c, NV);
		for (int i = 0; i < 3; i++) {
			cong_forget(&c, between(1, NV));
			check_form(&c, NV);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_points),
		cmocka_unit_test(test_canonical),
		cmocka_unit_test(test_forget),
	};

	seed_from("CONGRUENCE_SEED");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
