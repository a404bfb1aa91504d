/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the numeric domain does with affine forms besides domain.h's own.  No argument may alias *ret. */
#ifndef UCOPY_FORM_H
#define UCOPY_FORM_H

#include <string.h>

#include "domain.h"

/* Which variables a row mentions. */
struct varset {
	uint64_t bits[(DOMAIN_VARS + 63) / 64];
};

static inline bool varset_has(const struct varset *s, int v)
{
	return s->bits[v >> 6] >> (v & 63) & 1;
}

static inline struct varset form_vars(const struct form *f)
{
	struct varset s = { { 0 } };

	for (int i = 0; i < f->n; i++)
		s.bits[f->v[i] >> 6] |= (uint64_t)1 << (f->v[i] & 63);
	return s;
}

/* Of the terms only those in use, in steps the compiler does without a call. */
static inline void form_copy(struct form *to, const struct form *from)
{
	to->n = from->n;
	to->lost = from->lost;
	to->k = from->k;
	for (int i = 0; i < from->n; i += 8)
		memcpy(to->v + i, from->v + i, 8);
	for (int i = 0; i < from->n; i++)
		to->c[i] = from->c[i];
}

/* *ret = p * a + q * b; false when it is lost. */
bool form_mix(struct form *ret, int64_t p, const struct form *a, int64_t q, const struct form *b);
/* *f += q * b in place. */
bool form_addmul(struct form *f, int64_t q, const struct form *b);
/* The place of v in f, or -1; its coefficient, or 0. */
int form_find(const struct form *f, int v);
int64_t form_coef(const struct form *f, int v);
void form_remove(struct form *f, int at);
void form_negate(struct form *f);
/* The greatest common divisor of the coefficients (not of k), 0 for a constant. */
int64_t form_content(const struct form *f);
/* Divide the coefficients by the positive g, which divides them. */
void form_divide(struct form *f, int64_t g);
/* *ret = times * h with term `at` of h replaced by value / den; times and den are positive. */
bool form_subst(struct form *ret, const struct form *h, int at, int64_t den, const struct form *value,
		int64_t *ret_times);
/* Of the direction alone: k is no part of it. */
uint32_t form_hash(const struct form *f);
bool form_parallel(const struct form *a, const struct form *b);
bool form_equal(const struct form *a, const struct form *b);

#endif
