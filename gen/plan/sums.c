/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "sums.h"

#include <string.h>

struct sum sum_of_reg(int reg)
{
	return (struct sum){ .n = 1, .reg = { reg }, .sign = { 1 } };
}

struct sum sum_pair(int a, int sign_a, int b, int sign_b)
{
	if (a > b)
		return sum_pair(b, sign_b, a, sign_a);
	return (struct sum){ .n = 2, .reg = { a, b }, .sign = { sign_a, sign_b } };
}

bool sum_same_terms(const struct sum *a, const struct sum *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++)
		if (a->reg[i] != b->reg[i] || a->sign[i] != b->sign[i])
			return false;
	return true;
}

bool sum_same(const struct sum *a, const struct sum *b)
{
	return a->c == b->c && sum_same_terms(a, b);
}

int sum_sign(const struct sum *a, int reg)
{
	for (int i = 0; i < a->n; i++)
		if (a->reg[i] == reg)
			return a->sign[i];
	return 0;
}

/* a += sign * reg, kept ascending. */
static bool add_term(struct sum *a, int reg, int sign)
{
	int i = 0;

	while (i < a->n && a->reg[i] < reg)
		i++;
	if (i < a->n && a->reg[i] == reg) {
		if (a->sign[i] == sign)
			return false;
		a->n--;
		for (; i < a->n; i++) {
			a->reg[i] = a->reg[i + 1];
			a->sign[i] = a->sign[i + 1];
		}
		return true;
	}
	if (a->n == SUM_TERMS)
		return false;
	for (int k = a->n; k > i; k--) {
		a->reg[k] = a->reg[k - 1];
		a->sign[k] = a->sign[k - 1];
	}
	a->reg[i] = reg;
	a->sign[i] = sign;
	a->n++;
	return true;
}

bool sum_substitute(const struct sum *a, int reg, const struct sum *b, struct sum *ret)
{
	int sign = sum_sign(a, reg);
	struct sum r = *a;

	if (sign) {
		if (!add_term(&r, reg, -sign))
			return false;
		for (int i = 0; i < b->n; i++)
			if (!add_term(&r, b->reg[i], sign * b->sign[i]))
				return false;
		if (__builtin_add_overflow(r.c, sign * b->c, &r.c))
			return false;
	}
	*ret = r;
	return true;
}

/* target minus the sum's registers, when that is a constant. */
static bool rest_is_const(const struct form *target, const struct sum_space *space, const int *index, const int *sign, int n,
			  int64_t *ret)
{
	struct form f = *target;

	for (int i = 0; i < n; i++)
		f = form_add(f, space->value[index[i]], -sign[i]);
	return form_is_const(&f, ret);
}

/* Tries all choices of `want` registers, ascending; the first that fits wins.  plain: without a constant beside them. */
static bool search(const struct sum_space *space, const struct form *target, bool plain, int *index, int *sign, int have, int want,
		   int64_t *ret)
{
	if (have == want)
		return rest_is_const(target, space, index, sign, have, ret) && !(plain && *ret);
	for (int i = have ? index[have - 1] + 1 : 0; i < space->n; i++)
		for (int s = 1; s >= -1; s -= 2) {
			index[have] = i;
			sign[have] = s;
			if (search(space, target, plain, index, sign, have + 1, want, ret))
				return true;
		}
	return false;
}

static struct sum make_sum(const struct sum_space *space, const int *index, const int *sign, int n, int64_t c)
{
	struct sum s = { .c = c };

	for (int i = 0; i < n; i++)
		add_term(&s, space->reg[index[i]], sign[i]);
	return s;
}

static bool find_terms(const struct sum_space *space, const struct form *t, int terms, bool plain, struct sum *ret)
{
	int index[SUM_TERMS], sign[SUM_TERMS];
	int64_t c;

	if (!search(space, t, plain, index, sign, 0, terms, &c))
		return false;
	*ret = make_sum(space, index, sign, terms, c);
	return true;
}

bool sum_find(const struct sum_space *space, const struct dstate *s, const struct form *target, int own, bool plain, struct sum *ret)
{
	int index[1], sign[1] = { 1 };
	struct form t;
	int64_t c;

	if (!dstate_reduce(s, target, &t) || t.lost)
		return false;
	for (int n = 1; plain && n <= 2; n++)
		if (find_terms(space, &t, n, true, ret))
			return true;
	for (int i = 0; i < space->n; i++) {
		index[0] = i;
		if (space->reg[i] == own && rest_is_const(&t, space, index, sign, 1, &c)) {
			*ret = make_sum(space, index, sign, 1, c);
			return true;
		}
	}
	for (int n = 0; n <= 3; n++)
		if (find_terms(space, &t, n, false, ret))
			return true;
	return false;
}

bool sum_matches(const struct sum_space *space, const struct dstate *s, const struct form *target, struct sum *sum)
{
	struct form t;

	if (!dstate_reduce(s, target, &t) || t.lost)
		return false;
	for (int i = 0; i < sum->n; i++) {
		int k = 0;

		while (k < space->n && space->reg[k] != sum->reg[i])
			k++;
		if (k == space->n)
			return false;
		t = form_add(t, space->value[k], -sum->sign[i]);
	}
	return form_is_const(&t, &sum->c);
}
