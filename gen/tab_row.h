/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rows of the tableau: checked, fraction-free arithmetic on the columns in use. */
#ifndef UCOPY_TAB_ROW_H
#define UCOPY_TAB_ROW_H

#include <string.h>

#include "arith.h"
#include "simplex.h"

static inline int first(uint64_t mask)
{
	return __builtin_ctzll(mask);
}

static inline uint64_t bit(int j)
{
	return (uint64_t)1 << j;
}

static inline struct tab_row *row_of(const struct tab *t, int i)
{
	return (struct tab_row *)(uintptr_t)(t->cells + (size_t)i * (size_t)t->stride);
}

static inline void row_copy(struct tab_row *to, const struct tab_row *from, int ncols)
{
	memcpy(to, from, offsetof(struct tab_row, a) + (size_t)ncols * sizeof(from->a[0]));
}

static inline void row_normalise(struct tab_row *r)
{
	int64_t g = gcd64(abs64(r->k), r->den);

	for (uint64_t m = r->mask; m && g != 1; m &= m - 1)
		g = gcd64(abs64(r->a[first(m)]), g);
	if (g == 1)
		return;
	r->den /= g;
	r->k /= g;
	for (uint64_t m = r->mask; m; m &= m - 1)
		r->a[first(m)] /= g;
}

/* *r := p * *r + q * *s on the coefficients, p > 0 going into the denominator too. */
static inline bool row_mix(struct tab_row *r, int64_t p, int64_t q, const struct tab_row *s)
{
	uint64_t m = p == 1 ? s->mask : r->mask | s->mask;

	if (!mix64(p, r->k, q, s->k, &r->k) || !mul64(p, r->den, &r->den))
		return false;
	for (uint64_t left = m; left; left &= left - 1) {
		int j = first(left);
		int64_t a = r->mask & bit(j) ? r->a[j] : 0, b = s->mask & bit(j) ? s->a[j] : 0;

		if (!mix64(p, a, q, b, &r->a[j]))
			return false;
		if (r->a[j])
			r->mask |= bit(j);
		else
			r->mask &= ~bit(j);
	}
	return true;
}

/* r mentions column j, which is now what s says: den * column = k + sum. */
static inline bool row_put(struct tab_row *r, int j, const struct tab_row *s)
{
	int64_t b = r->a[j], g = s->den == 1 ? 1 : gcd64(abs64(b), s->den);

	r->mask &= ~bit(j);
	r->a[j] = 0;
	if (!row_mix(r, s->den / g, b / g, s))
		return false;
	if (r->den != 1)
		row_normalise(r);
	return true;
}

static inline struct tab_row *row_zero(struct tab_row *r, int64_t k)
{
	r->den = 1;
	r->k = k;
	r->mask = 0;
	return r;
}

#endif
