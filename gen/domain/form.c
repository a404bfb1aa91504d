/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Affine forms: sorted terms, checked arithmetic. */
#include <string.h>

#include "arith.h"
#include "form.h"

static void form_zero(struct form *f)
{
	f->n = 0;
	f->lost = false;
	f->k = 0;
}

static bool form_lose(struct form *f)
{
	form_zero(f);
	f->lost = true;
	return false;
}

struct form form_const(int64_t k)
{
	struct form f;

	form_zero(&f);
	f.k = k;
	if (k == INT64_MIN)
		form_lose(&f);
	return f;
}

struct form form_var(int v)
{
	struct form f;

	form_zero(&f);
	f.n = 1;
	f.v[0] = (uint8_t)v;
	f.c[0] = 1;
	return f;
}

struct form form_add(struct form a, struct form b, int64_t times)
{
	struct form f;

	form_mix(&f, 1, &a, times, &b);
	return f;
}

struct form form_scale(struct form a, int64_t times)
{
	struct form f, zero = form_const(0);

	form_mix(&f, times, &a, 0, &zero);
	return f;
}

struct form form_plus(struct form a, int64_t k)
{
	int64_t sum;

	if (!mix64(1, a.k, 1, k, &sum))
		form_lose(&a);
	else
		a.k = sum;
	return a;
}

bool form_is_const(const struct form *a, int64_t *ret_k)
{
	if (a->lost || a->n)
		return false;
	if (ret_k)
		*ret_k = a->k;
	return true;
}

bool form_mix(struct form *ret, int64_t p, const struct form *a, int64_t q, const struct form *b)
{
	int i = 0, j = 0, n = 0;

	if (a->lost || b->lost || p == INT64_MIN || q == INT64_MIN)
		return form_lose(ret);
	ret->lost = false;
	if (!mix64(p, a->k, q, b->k, &ret->k))
		return form_lose(ret);
	while (i < a->n || j < b->n) {
		int va = i < a->n ? a->v[i] : DOMAIN_VARS, vb = j < b->n ? b->v[j] : DOMAIN_VARS;
		int v = va < vb ? va : vb;
		int64_t c, ca = va == v ? a->c[i++] : 0, cb = vb == v ? b->c[j++] : 0;

		if (!mix64(p, ca, q, cb, &c))
			return form_lose(ret);
		if (!c)
			continue;
		if (n == FORM_TERMS)
			return form_lose(ret);
		ret->v[n] = (uint8_t)v;
		ret->c[n++] = c;
	}
	ret->n = n;
	return true;
}

bool form_addmul(struct form *f, int64_t q, const struct form *b)
{
	struct form sum;

	if (!b->n && !b->lost && !f->lost)
		return mix64(1, f->k, q, b->k, &f->k) || form_lose(f);
	form_mix(&sum, 1, f, q, b);
	form_copy(f, &sum);
	return !f->lost;
}

int form_find(const struct form *f, int v)
{
	for (int i = 0; i < f->n; i++)
		if (f->v[i] >= v)
			return f->v[i] == v ? i : -1;
	return -1;
}

int64_t form_coef(const struct form *f, int v)
{
	int at = form_find(f, v);

	return at < 0 ? 0 : f->c[at];
}

void form_remove(struct form *f, int at)
{
	size_t after = (size_t)(f->n - at - 1);

	memmove(f->v + at, f->v + at + 1, after);
	memmove(f->c + at, f->c + at + 1, after * sizeof(f->c[0]));
	f->n--;
}

void form_negate(struct form *f)
{
	f->k = -f->k;
	for (int i = 0; i < f->n; i++)
		f->c[i] = -f->c[i];
}

int64_t form_content(const struct form *f)
{
	int64_t g = 0;

	for (int i = 0; i < f->n && g != 1; i++)
		g = gcd64(abs64(f->c[i]), g);
	return g;
}

void form_divide(struct form *f, int64_t g)
{
	if (g == 1)
		return;
	for (int i = 0; i < f->n; i++)
		f->c[i] /= g;
}

bool form_subst(struct form *ret, const struct form *h, int at, int64_t den, const struct form *value,
		int64_t *ret_times)
{
	int64_t c = h->c[at], g = den == 1 ? 1 : gcd64(abs64(c), den);
	struct form rest;

	form_copy(&rest, h);
	form_remove(&rest, at);
	*ret_times = den / g;
	return form_mix(ret, den / g, &rest, c / g, value);
}

uint32_t form_hash(const struct form *f)
{
	uint64_t h = 0;

	for (int i = 0; i < f->n; i++) {
		h ^= (uint64_t)f->c[i] * 0x9E3779B97F4A7C15u + f->v[i];
		h *= 0xD6E8FEB86659FD93u;
		h ^= h >> 29;
	}
	return (uint32_t)(h >> 16);
}

bool form_parallel(const struct form *a, const struct form *b)
{
	size_t n = (size_t)a->n;

	return a->n == b->n && !memcmp(a->v, b->v, n) && !memcmp(a->c, b->c, n * sizeof(a->c[0]));
}

bool form_equal(const struct form *a, const struct form *b)
{
	return a->k == b->k && form_parallel(a, b);
}
