/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Howell form modulo 2^8: bytes wrap by themselves. */
#include <string.h>

#include "howell.h"

/* Eight bytes, the first lowest. */
static uint64_t word(const uint8_t *p)
{
	uint64_t w;

	memcpy(&w, p, sizeof(w));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	w = __builtin_bswap64(w);
#endif
	return w;
}

int howell_highest(const uint8_t *a, const uint8_t *mask, int end)
{
	int b = (end - 1) & ~7;
	uint64_t inside = ~(uint64_t)0 >> 8 * (b + 8 - end);

	for (; b >= 0; b -= 8, inside = ~(uint64_t)0) {
		uint64_t w = word(a + b) & inside;

		if (mask)
			w &= word(mask + b);
		if (w)
			return b + (63 - __builtin_clzll(w)) / 8;
	}
	return -1;
}

void howell_subtract(uint8_t *restrict a, unsigned t, const uint8_t *restrict b, int width)
{
	uint8_t times = (uint8_t)t;

	for (int i = 0; i < width; i += BLOCK)
		for (int j = 0; j < BLOCK; j++)
			a[i + j] = (uint8_t)(a[i + j] - times * b[i + j]);
}

void howell_scale(uint8_t *a, unsigned t, int width)
{
	uint8_t times = (uint8_t)t;

	if (times == 1)
		return;
	for (int i = 0; i < width; i += BLOCK)
		for (int j = 0; j < BLOCK; j++)
			a[i + j] = (uint8_t)(a[i + j] * times);
}

void howell_reduce(const struct howell *h, uint8_t *v, int end)
{
	int j;

	while ((j = howell_highest(v, h->over, end)) >= 0) {
		howell_subtract(v, (unsigned)v[j] >> howell_power(h->over[j]), howell_row(h, j), h->width);
		end = j;
	}
}

/* The lowest free place, so that few rows need little memory. */
static uint8_t free_place(struct howell *h)
{
	int w = 0, place;

	while (!~h->used[w])
		w++;
	place = __builtin_ctzll(~h->used[w]);
	h->used[w] |= (uint64_t)1 << place;
	return (uint8_t)(w * 64 + place);
}

void howell_place(struct howell *h, int j, const uint8_t *v)
{
	if (!howell_leads(h, j))
		h->at[j] = free_place(h);
	memcpy(howell_row(h, j), v, (size_t)h->width);
	h->lead[j >> 6] |= (uint64_t)1 << (j & 63);
	h->over[j] = (uint8_t)~(v[j] - 1);
}

void howell_insert_closure(struct howell *h, const uint8_t *v, int j)
{
	uint8_t up[2 * COLUMNS];
	int e = howell_power(v[j]);

	if (!e)
		return;
	memcpy(up, v, (size_t)h->width);
	howell_scale(up, 1u << (CONG_BITS - e), h->width);
	howell_insert(h, up);
}

void howell_insert(struct howell *h, uint8_t *v)
{
	uint8_t new[2 * COLUMNS];
	int j;

	for (;;) {
		bool taken;

		howell_reduce(h, v, h->width);
		j = howell_highest(v, NULL, h->width);
		if (j < 0)
			return;
		howell_scale(v, howell_inverse((unsigned)v[j] >> howell_power(v[j])), h->width);
		memcpy(new, v, (size_t)h->width);
		taken = howell_leads(h, j);
		if (taken)
			memcpy(v, howell_row(h, j), (size_t)h->width);
		howell_place(h, j, new);
		howell_insert_closure(h, new, j);
		if (!taken)
			return;
	}
}

static bool meet(const uint8_t *a, const uint8_t *b, int width)
{
	uint64_t any = 0;

	for (int i = 0; i < width; i += 8)
		any |= word(a + i) & word(b + i);
	return any != 0;
}

/* From the lowest up, so that the lower ones are reduced already. */
void howell_tidy(struct howell *h)
{
	for (int w = 0; w * 64 < h->width; w++)
		for (uint64_t m = h->lead[w]; m; m &= m - 1) {
			int j = w * 64 + __builtin_ctzll(m);
			uint8_t own = h->over[j];

			/* Most rows are reduced as they are. */
			h->over[j] = 0;
			if (meet(howell_row(h, j), h->over, h->width))
				howell_reduce(h, howell_row(h, j), j);
			h->over[j] = own;
		}
}

void howell_insert_tidy(struct howell *h, uint8_t *v)
{
	int j;

	howell_reduce(h, v, h->width);
	j = howell_highest(v, NULL, h->width);
	if (j < 0)
		return;
	if (howell_leads(h, j) || !(v[j] & 1)) {
		howell_insert(h, v);
		howell_tidy(h);
		return;
	}
	if (v[j] != 1) {
		howell_scale(v, howell_inverse(v[j]), h->width);
		howell_reduce(h, v, j);
	}
	howell_place(h, j, v);
	for (int w = j >> 6; w * 64 < h->width; w++)
		for (uint64_t m = h->lead[w]; m; m &= m - 1) {
			int i = w * 64 + __builtin_ctzll(m);

			if (i > j && howell_row(h, i)[j])
				howell_reduce(h, howell_row(h, i), i);
		}
}

void howell_clear(struct howell *h)
{
	memset(h->over, 0, (size_t)h->width);
	for (int w = 0; w * 64 < h->width; w++)
		h->lead[w] = h->used[w] = 0;
}

void howell_delete(struct howell *h, int j)
{
	h->used[h->at[j] >> 6] &= ~((uint64_t)1 << (h->at[j] & 63));
	h->lead[j >> 6] &= ~((uint64_t)1 << (j & 63));
	h->over[j] = 0;
}
