/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Affine equalities over the rationals in reduced echelon form: each equation is solved for its highest variable (its
 * pivot), and no pivot occurs on a right side.  The form is canonical: equal spaces have equal equations.
 */
#ifndef UCOPY_AFFINE_H
#define UCOPY_AFFINE_H

#include "form.h"

#define EQ_MAX 64

struct equation {
	int64_t den;		/* den * pivot = f, den > 0, no common factor */
	struct varset vars;	/* of f; kept for those in the set of equalities */
	struct form f;
};

struct equalities {
	int n;
	uint8_t at[DOMAIN_VARS];	/* 0: not a pivot, else 1 + the equation's index */
	uint8_t pivot[EQ_MAX];
	struct equation eq[EQ_MAX];
};

/* The variable an equation was newly solved for: den * x = f. */
struct solution {
	int x;
	struct equation is;
};

enum eq_result { EQ_EMPTY, EQ_KNOWN, EQ_NEW, EQ_DROPPED };

void eq_copy(struct equalities *to, const struct equalities *from);
/* *ret = times * f over free variables, times > 0; false: lost. */
bool eq_reduce(const struct equalities *e, const struct form *f, struct form *ret, int64_t *ret_times);
/* Adds f = 0, f being reduced.  EQ_NEW: *ret_sol tells what is to be substituted elsewhere. */
enum eq_result eq_add(struct equalities *e, const struct form *f, struct solution *ret_sol);
/* Substitutes x everywhere by den * x = f; an equation that overflows is dropped. */
bool eq_subst(struct equalities *e, int x, int64_t den, const struct form *f);
/* The equation of pivot x as a form that is 0. */
void eq_form(const struct equalities *e, int x, struct form *ret);
void eq_remove(struct equalities *e, int x);
/* Of the equations with x on the right side, the one with the lowest pivot; 0: none. */
int eq_user(const struct equalities *e, int x);
/* A pivot whose equation mentions a higher variable; 0: none, the form is canonical. */
int eq_unsolved(const struct equalities *e);
bool eq_same(const struct equalities *a, const struct equalities *b);
/* Exact: the equations that hold on both sides (*ret must be empty). */
void eq_join(struct equalities *ret, const struct equalities *a, const struct equalities *b);

#endif
