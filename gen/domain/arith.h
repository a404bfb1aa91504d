/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Checked integer arithmetic of the numeric domain. */
#ifndef UCOPY_ARITH_H
#define UCOPY_ARITH_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 wide_t;

static inline int64_t abs64(int64_t a)
{
	return a < 0 ? -a : a;
}

/* a >= 0, b >= 0; gcd(0, b) = b. */
static inline int64_t gcd64(int64_t a, int64_t b)
{
	while (a > 1) {
		int64_t t = b % a;

		b = a;
		a = t;
	}
	return a ? 1 : b;
}

/* *ret = p * a + q * b; false on overflow.  INT64_MIN counts as one, so that negation is always safe. */
static inline bool mix64(int64_t p, int64_t a, int64_t q, int64_t b, int64_t *ret)
{
	int64_t x, y;
	bool over = __builtin_mul_overflow(p, a, &x);

	over |= __builtin_mul_overflow(q, b, &y);
	over |= __builtin_add_overflow(x, y, ret);
	return !over && *ret != INT64_MIN;
}

static inline bool mul64(int64_t a, int64_t b, int64_t *ret)
{
	return !__builtin_mul_overflow(a, b, ret) && *ret != INT64_MIN;
}

/* b > 0 */
static inline int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static inline int64_t ceil_div(int64_t a, int64_t b)
{
	return a / b + (a % b > 0);
}

#endif
