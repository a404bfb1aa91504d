/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Operators of the flat form on values of any width. */
#include "interp_op.h"

#include <string.h>

static uint64_t narrow_shift(uint64_t x, uint64_t by, int bits, bool left)
{
	if (by >= (uint64_t)bits)
		return 0;
	return left ? x << by : x >> by;
}

static uint64_t narrow_funnel(uint64_t hi, uint64_t lo, uint64_t by, int bits)
{
	if (!by)
		return lo;
	return narrow_shift(lo, by, bits, false) | narrow_shift(hi, (uint64_t)bits - by, bits, true);
}

static uint64_t sign_extend(uint64_t x, uint64_t bytes)
{
	int shift = bytes && bytes < 8 ? 64 - 8 * (int)bytes : 0;
	uint64_t sign = (uint64_t)1 << (63 - shift);

	x &= ~(uint64_t)0 >> shift;
	return (x ^ sign) - sign;
}

uint64_t flat_narrow(const struct flat_op *o, const uint64_t *v)
{
	uint64_t a = v[o->a], b = v[o->b];
	int bits = 8 * o->width;

	switch (o->op) {
	case FLAT_COPY: return a;
	case FLAT_NEG: return -a;
	case FLAT_NOT: return ~a;
	case FLAT_ADD: return a + b;
	case FLAT_SUB: return a - b;
	case FLAT_MUL: return a * b;
	case FLAT_DIV: return b ? a / b : 0;
	case FLAT_MOD: return b ? a % b : 0;
	case FLAT_AND: return a & b;
	case FLAT_OR: return a | b;
	case FLAT_XOR: return a ^ b;
	case FLAT_SHL: return narrow_shift(a, b, bits, true);
	case FLAT_SHR: return narrow_shift(a, b, bits, false);
	case FLAT_FUNNEL: return narrow_funnel(a, b, v[o->c], bits);
	case FLAT_SX: return sign_extend(a, b);
	case FLAT_REP: return (a & 255) * 0x0101010101010101u;
	case FLAT_LOAD: break;
	}
	return 0;
}

/* Bits by .. by + 63 of the value x; zero outside of it. */
static uint64_t window(const uint64_t *x, int words, int64_t at)
{
	int64_t word = at >= 0 ? at / 64 : -((63 - at) / 64);
	int part = (int)(at - 64 * word);
	uint64_t low = word >= 0 && word < words ? x[word] : 0;
	uint64_t high = word + 1 >= 0 && word + 1 < words ? x[word + 1] : 0;

	return part ? low >> part | high << (64 - part) : low;
}

static void wide_shift(uint64_t *d, const uint64_t *x, int words, uint64_t by, bool left)
{
	int64_t amount = by >= (uint64_t)(64 * words) ? 64 * words : (int64_t)by;

	for (int i = 0; i < words; i++)
		d[i] = window(x, words, 64 * (int64_t)i + (left ? -amount : amount));
}

static void wide_funnel(uint64_t *d, const uint64_t *hi, const uint64_t *lo, int words, uint64_t by)
{
	uint64_t both[2 * FLAT_WORDS];

	memcpy(both, lo, sizeof *lo * (size_t)words);
	memcpy(both + words, hi, sizeof *hi * (size_t)words);
	for (int i = 0; i < words; i++)
		d[i] = window(both, 2 * words, 64 * (int64_t)i + (int64_t)by);
}

static void wide_sum(uint64_t *d, const uint64_t *a, const uint64_t *b, int words, bool minus)
{
	uint64_t carry = minus;

	for (int i = 0; i < words; i++) {
		uint64_t x = a ? a[i] : 0, y = minus ? ~b[i] : b[i], sum = x + y;
		uint64_t out = sum < x;

		d[i] = sum + carry;
		carry = out | (d[i] < sum);
	}
}

static uint64_t bitwise(enum flat_opcode op, uint64_t a, uint64_t b)
{
	switch (op) {
	case FLAT_NOT: return ~a;
	case FLAT_AND: return a & b;
	case FLAT_OR: return a | b;
	default: return a ^ b;
	}
}

void flat_wide(const struct flat_op *o, uint64_t *v)
{
	uint64_t *d = v + o->d;
	const uint64_t *a = v + o->a, *b = v + o->b;
	int words = o->words;

	switch (o->op) {
	case FLAT_COPY:
		for (int i = 0; i < words; i++)
			d[i] = i < o->b ? a[i] : 0;
		break;
	case FLAT_REP:
		for (int i = 0; i < words; i++)
			d[i] = (*a & 255) * 0x0101010101010101u;
		break;
	case FLAT_SHL: case FLAT_SHR:
		wide_shift(d, a, words, *b, o->op == FLAT_SHL);
		break;
	case FLAT_FUNNEL:
		wide_funnel(d, a, b, words, v[o->c]);
		break;
	case FLAT_ADD: case FLAT_SUB:
		wide_sum(d, a, b, words, o->op == FLAT_SUB);
		break;
	case FLAT_NEG:
		wide_sum(d, NULL, a, words, true);
		break;
	default:
		for (int i = 0; i < words; i++)
			d[i] = bitwise(o->op, a[i], o->op == FLAT_NOT ? 0 : b[i]);
	}
}
