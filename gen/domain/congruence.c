/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Affine congruences: what assignments, assumptions and joins do to the rows. */
#include <string.h>

#include "howell.h"

static struct howell howell_of(const struct congruences *c)
{
	struct congruences *w = (struct congruences *)(uintptr_t)c;

	return (struct howell){ c->width, w->lead, w->used, w->over, w->at, w->rows };
}

/* A copy of all rows, packed; returns how many. */
static int take_rows(const struct howell *h, uint8_t (*out)[COLUMNS])
{
	int n = 0;

	for (int w = 0; w * 64 < h->width; w++)
		for (uint64_t m = h->lead[w]; m; m &= m - 1)
			memcpy(out[n++], howell_row(h, w * 64 + __builtin_ctzll(m)), (size_t)h->width);
	return n;
}

static void rebuild(struct howell *h, uint8_t (*rows)[COLUMNS], int n)
{
	howell_clear(h);
	for (int i = 0; i < n; i++)
		howell_insert(h, rows[i]);
	howell_tidy(h);
}

void cong_init(struct congruences *c, int nvars)
{
	c->width = (nvars + BLOCK) / BLOCK * BLOCK;
	memset(c->lead, 0, sizeof(c->lead));
	memset(c->used, 0, sizeof(c->used));
	memset(c->over, 0, sizeof(c->over));
}

void cong_copy(struct congruences *to, const struct congruences *from)
{
	uint8_t n = 0;

	to->width = from->width;
	memcpy(to->lead, from->lead, sizeof(to->lead));
	memset(to->used, 0, sizeof(to->used));
	memcpy(to->over, from->over, sizeof(to->over));
	for (int w = 0; w < CONG_WORDS; w++)
		for (uint64_t m = from->lead[w]; m; m &= m - 1) {
			int j = w * 64 + __builtin_ctzll(m);

			to->at[j] = n;
			to->used[n >> 6] |= (uint64_t)1 << (n & 63);
			memcpy(to->rows + (size_t)n++ * (size_t)from->width, cong_row(from, j), (size_t)from->width);
		}
}

static void bytes_of(const struct congruences *c, const struct form *f, uint8_t *v)
{
	memset(v, 0, (size_t)c->width);
	v[0] = (uint8_t)f->k;
	for (int i = 0; i < f->n; i++)
		v[f->v[i]] = (uint8_t)f->c[i];
}

bool cong_add(struct congruences *c, const struct form *f, int64_t times)
{
	struct howell h = howell_of(c);
	uint8_t v[COLUMNS];

	if (f->lost)
		return true;
	bytes_of(c, f, v);
	howell_scale(v, (unsigned)times, c->width);
	howell_insert_tidy(&h, v);
	return !howell_leads(&h, 0);
}

/*
 * Of rows that are 0, leaves what follows without column x: the row where x has the least power of two clears the others,
 * and stays itself multiplied until x is gone.  `aside`, if any, is one more column.
 */
static void eliminate(uint8_t (*rows)[COLUMNS], uint8_t *aside, int n, int x, int width)
{
	int q = -1;

	for (int i = 0; i < n; i++)
		if (rows[i][x] && (q < 0 || howell_power(rows[i][x]) < howell_power(rows[q][x])))
			q = i;
	if (q < 0)
		return;
	int e = howell_power(rows[q][x]);
	unsigned inv = howell_inverse((unsigned)rows[q][x] >> e);

	for (int i = 0; i < n; i++) {
		unsigned t = (unsigned)(rows[i][x] >> e) * inv;

		if (i == q || !rows[i][x])
			continue;
		howell_subtract(rows[i], t, rows[q], width);
		if (aside)
			aside[i] = (uint8_t)(aside[i] - t * aside[q]);
	}
	howell_scale(rows[q], 1u << (CONG_BITS - e), width);
	if (aside)
		aside[q] = (uint8_t)(aside[q] << (CONG_BITS - e));
}

/* The lowest row that mentions x with an odd coefficient, -1: none; *ret_users: how many mention it at all. */
static int odd_user(const struct howell *h, int x, int *ret_users)
{
	int odd = -1, n = 0;

	for (int w = 0; w * 64 < h->width; w++)
		for (uint64_t m = h->lead[w]; m; m &= m - 1) {
			int j = w * 64 + __builtin_ctzll(m);
			uint8_t c = howell_row(h, j)[x];

			n += c != 0;
			if ((c & 1) && odd < 0)
				odd = j;
		}
	*ret_users = n;
	return odd;
}

/* Inserts what the rows with an even leading byte lead to below, where it may be missing. */
static void close_rows(struct howell *h)
{
	for (int j = h->width - 1; j >= 0; j--)
		if (h->over[j] && h->over[j] != 0xff)
			howell_insert_closure(h, howell_row(h, j), j);
}

/*
 * Row q, where x is odd, clears the others of x and goes.  A row that leads higher than q stays where it is; one that leads
 * lower now leads as q did, and is inserted anew; others may have led to it.
 */
static void eliminate_by(struct howell *h, int q, int x)
{
	uint8_t row[COLUMNS], moved[COLUMNS][COLUMNS];
	unsigned inv;
	int n = 0;

	memcpy(row, howell_row(h, q), (size_t)h->width);
	inv = howell_inverse(row[x]);
	howell_delete(h, q);
	for (int w = 0; w * 64 < h->width; w++)
		for (uint64_t m = h->lead[w]; m; m &= m - 1) {
			int j = w * 64 + __builtin_ctzll(m);
			uint8_t *r = howell_row(h, j);

			if (!r[x])
				continue;
			howell_subtract(r, r[x] * inv, row, h->width);
			if (j > q) {
				howell_reduce(h, r, j);
				continue;
			}
			memcpy(moved[n++], r, (size_t)h->width);
			howell_delete(h, j);
		}
	if (!n)
		return;
	for (int i = 0; i < n; i++)
		howell_insert(h, moved[i]);
	close_rows(h);
	howell_tidy(h);
}

void cong_forget(struct congruences *c, int x)
{
	struct howell h = howell_of(c);
	uint8_t rows[COLUMNS][COLUMNS];
	int n, q;

	if (h.over[x] == 0xff) {
		/* Its own row is the only one that mentions it. */
		howell_delete(&h, x);
		return;
	}
	q = odd_user(&h, x, &n);
	if (q >= 0) {
		eliminate_by(&h, q, x);
	} else if (n) {
		n = take_rows(&h, rows);
		eliminate(rows, NULL, n, x, c->width);
		rebuild(&h, rows, n);
	}
}

/* x := v where v mentions x with the odd coefficient a: x's old value is (x - rest) / a. */
static void assign_invertible(struct howell *h, int x, uint8_t *v)
{
	uint8_t rows[COLUMNS][COLUMNS];
	unsigned inv = howell_inverse(v[x]);
	bool shift = v[x] == 1;
	int n;

	v[x] = 0;
	shift = shift && howell_highest(v, NULL, h->width) <= 0;
	n = shift ? 0 : take_rows(h, rows);
	for (int i = 0; i < n; i++) {
		unsigned c = rows[i][x] * inv;

		howell_subtract(rows[i], c, v, h->width);
		rows[i][x] = (uint8_t)c;
	}
	if (!shift) {
		rebuild(h, rows, n);
		return;
	}
	/* Only constants change. */
	for (int w = 0; w * 64 < h->width; w++)
		for (uint64_t m = h->lead[w]; m; m &= m - 1) {
			uint8_t *r = howell_row(h, w * 64 + __builtin_ctzll(m));

			r[0] = (uint8_t)(r[0] - r[x] * v[0]);
		}
}

/* x := v where v mentions x with an even coefficient: the new x stands aside while the old one is eliminated. */
static void assign_even(struct howell *h, int x, const uint8_t *v)
{
	uint8_t rows[COLUMNS + 1][COLUMNS], aside[COLUMNS + 1] = { 0 };
	int n = take_rows(h, rows);

	memcpy(rows[n], v, (size_t)h->width);
	aside[n++] = 0xff;
	eliminate(rows, aside, n, x, h->width);
	for (int i = 0; i < n; i++)
		rows[i][x] = aside[i];
	rebuild(h, rows, n);
}

void cong_assign(struct congruences *c, int x, const struct form *f)
{
	struct howell h = howell_of(c);
	uint8_t v[COLUMNS];

	if (f->lost) {
		cong_forget(c, x);
		return;
	}
	bytes_of(c, f, v);
	if (h.over[x] == 0xff && v[x])
		howell_subtract(v, v[x], howell_row(&h, x), c->width);
	if (v[x] & 1) {
		assign_invertible(&h, x, v);
	} else if (v[x]) {
		assign_even(&h, x, v);
	} else {
		cong_forget(c, x);
		v[x] = 0xff;
		howell_insert_tidy(&h, v);
	}
}

int cong_known(const struct congruences *c, const struct form *f, unsigned *ret_residue)
{
	struct howell h = howell_of(c);
	uint8_t v[COLUMNS];
	int shift = 0, more, j;

	if (f->lost)
		return 0;
	bytes_of(c, f, v);
	/* 2^shift * f reduces to a constant: the highest variable left tells how much further to shift, at least. */
	for (;;) {
		howell_reduce(&h, v, c->width);
		j = howell_highest(v, NULL, c->width);
		if (j <= 0)
			break;
		more = (h.over[j] ? howell_power(h.over[j]) : CONG_BITS) - howell_power(v[j]);
		shift += more;
		if (shift >= CONG_BITS)
			return 0;
		howell_scale(v, 1u << more, c->width);
	}
	*ret_residue = (unsigned)v[0] >> shift;
	return CONG_BITS - shift;
}

bool cong_same(const struct congruences *a, const struct congruences *b)
{
	if (memcmp(a->lead, b->lead, sizeof(a->lead)))
		return false;
	for (int w = 0; w < CONG_WORDS; w++)
		for (uint64_t m = a->lead[w]; m; m &= m - 1) {
			int j = w * 64 + __builtin_ctzll(m);

			if (memcmp(cong_row(a, j), cong_row(b, j), (size_t)a->width))
				return false;
		}
	return true;
}

/*
 * The rows of a and b that are not the same: pairs (row of b, 0) and (row of a, row of a) in Howell form; where the left half
 * is 0, the right half is a member of both.  Rows of b alone are in that form already.
 */
static void intersect(struct congruences *ret, uint8_t (*rows)[COLUMNS], int n, const struct congruences *b,
		      const uint64_t *common)
{
	static const uint8_t zero[COLUMNS];
	uint8_t pairs[4 * COLUMNS * COLUMNS], over[2 * COLUMNS], at[2 * COLUMNS], pair[2 * COLUMNS];
	uint64_t lead[2 * CONG_WORDS], used[2 * CONG_WORDS];
	int width = b->width;
	struct howell h = { 2 * width, lead, used, over, at, pairs }, out = howell_of(ret);

	howell_clear(&h);
	for (int j = 0; j < width; j++) {
		if (!((b->lead[j >> 6] & ~common[j >> 6]) >> (j & 63) & 1))
			continue;
		memcpy(pair, zero, (size_t)width);
		memcpy(pair + width, cong_row(b, j), (size_t)width);
		howell_place(&h, width + j, pair);
	}
	for (int i = 0; i < n; i++) {
		memcpy(pair, rows[i], (size_t)width);
		memcpy(pair + width, rows[i], (size_t)width);
		howell_insert(&h, pair);
	}
	for (int j = 0; j < width; j++)
		if (howell_leads(&h, j)) {
			memcpy(pair, howell_row(&h, j), (size_t)width);
			howell_insert(&out, pair);
		}
}

void cong_join(struct congruences *ret, const struct congruences *a, const struct congruences *b)
{
	struct howell out;
	uint8_t rows[COLUMNS][COLUMNS];
	uint64_t common[CONG_WORDS] = { 0 };
	bool b_more = false;
	int n = 0;

	cong_init(ret, a->width - 1);
	out = howell_of(ret);
	for (int j = 0; j < a->width; j++) {
		uint64_t m = (uint64_t)1 << (j & 63);
		int w = j >> 6;

		if (!(a->lead[w] & m)) {
			b_more = b_more || (b->lead[w] & m);
		} else if (a->over[j] == 0xff && (b->lead[w] & m) && !memcmp(cong_row(a, j), cong_row(b, j), (size_t)a->width)) {
			/* What both have and leads with 1 occurs in no other row: it can be left out of what follows. */
			common[w] |= m;
			howell_place(&out, j, cong_row(a, j));
		} else {
			memcpy(rows[n++], cong_row(a, j), (size_t)a->width);
			b_more = b_more || (b->lead[w] & m);
		}
	}
	if (n && b_more)
		intersect(ret, rows, n, b, common);
	howell_tidy(&out);
}
