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

/* Over n columns, as all that follows. */
static inline void row_normalise(struct tab_row *r, int n)
{
	int64_t g = gcd64(abs64(r->k), r->den);

	for (int j = 0; j < n && g != 1; j++)
		g = gcd64(abs64(r->a[j]), g);
	if (g == 1)
		return;
	r->den /= g;
	r->k /= g;
	for (int j = 0; j < n; j++)
		r->a[j] /= g;
}

/* *r := *r + q * *s on the coefficients. */
static inline bool row_add(struct tab_row *restrict r, int64_t q, const struct tab_row *restrict s, int n)
{
	bool lost = !mix64(1, r->k, q, s->k, &r->k);

	for (int j = 0; j < n; j++) {
		int64_t x;

		lost |= __builtin_mul_overflow(q, s->a[j], &x);
		lost |= __builtin_add_overflow(r->a[j], x, &r->a[j]);
		lost |= r->a[j] == INT64_MIN;
	}
	return !lost;
}

/* *r := p * *r + q * *s on the coefficients, p > 0 going into the denominator too. */
static inline bool row_mix(struct tab_row *r, int64_t p, int64_t q, const struct tab_row *s, int n)
{
	if (p == 1)
		return row_add(r, q, s, n);
	if (!mix64(p, r->k, q, s->k, &r->k) || !mul64(p, r->den, &r->den))
		return false;
	for (int j = 0; j < n; j++)
		if (!mix64(p, r->a[j], q, s->a[j], &r->a[j]))
			return false;
	return true;
}

/* r mentions column j, which is now what s says: den * column = k + sum. */
static inline bool row_put(struct tab_row *r, int j, const struct tab_row *s, int n)
{
	int64_t b = r->a[j], g = s->den == 1 ? 1 : gcd64(abs64(b), s->den);

	r->a[j] = 0;
	if (!row_mix(r, s->den / g, b / g, s, n))
		return false;
	if (r->den != 1)
		row_normalise(r, n);
	return true;
}

static inline void row_zero(struct tab_row *r, int64_t k, int n)
{
	r->den = 1;
	r->k = k;
	memset(r->a, 0, (size_t)n * sizeof(r->a[0]));
}

#endif
