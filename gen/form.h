/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the numeric domain does with affine forms besides domain.h's own.  No argument may alias *ret. */
#ifndef UCOPY_FORM_H
#define UCOPY_FORM_H

#include "domain.h"

void form_copy(struct form *to, const struct form *from);
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
