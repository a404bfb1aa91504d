/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Affine inequalities f >= 0 over integers: one a direction, coefficients without a common factor, constant rounded. */
#ifndef UCOPY_INEQUALITIES_H
#define UCOPY_INEQUALITIES_H

#include "form.h"

#define INEQ_MAX 64

struct inequality {
	uint32_t hash;
	struct varset vars;
	struct form f;
};

struct inequalities {
	int n;
	bool rounded;		/* a constant was rounded: the set is tighter than what was put in */
	struct inequality row[INEQ_MAX];
};

void ineq_copy(struct inequalities *to, const struct inequalities *from);
void ineq_copy_row(struct inequality *to, const struct inequality *from);
/* Adds f >= 0; false: it is a negative constant.  The longest goes when there are too many. */
bool ineq_add(struct inequalities *c, const struct form *f);
/* The place of f's direction (divided by its content), -1: none. */
int ineq_find(const struct inequalities *c, const struct form *f);
/* Substitutes x by f / den; false: one became false. */
bool ineq_subst(struct inequalities *c, int x, int64_t den, const struct form *f);
bool ineq_has(const struct inequalities *c, int x);
/* Projects x away. */
void ineq_project(struct inequalities *c, int x);
bool ineq_same(const struct inequalities *a, const struct inequalities *b);

#endif
