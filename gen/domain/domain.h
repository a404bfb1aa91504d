/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The numeric abstract domain of the proof: a reduced product of
 *
 *	E	affine equalities over the rationals (Karr, "Affine relationships among variables of a program", 1976)
 *	C	affine inequalities over E's free variables, entailed by exact linear programming; joins are weak: they keep
 *		the directions of both sides and those of given templates
 *	K	affine congruences modulo 2^8 in Howell form (Mueller-Olm and Seidl, "Analysis of modular arithmetic", 2007)
 *
 * Variables are integers, numbered from 1; number 0 stands for the constant 1.  Low numbers should be ghosts and high
 * ones registers: equalities are solved for the highest variable, so registers become forms of ghosts.
 * All arithmetic is checked: an overflow loses a fact (or an answer), never invents one.
 */
#ifndef UCOPY_DOMAIN_H
#define UCOPY_DOMAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DOMAIN_VARS 96		/* variables are 1 .. DOMAIN_VARS - 1 */
#define FORM_TERMS 24

/* An affine form k + sum c[i] * v[i], v ascending, c nonzero. */
struct form {
	int n;
	bool lost;		/* too many terms or an overflow: nothing is known of it */
	int64_t k;
	uint8_t v[FORM_TERMS];
	int64_t c[FORM_TERMS];
};

struct form form_const(int64_t k);
struct form form_var(int v);
struct form form_add(struct form a, struct form b, int64_t times);	/* a + times * b */
struct form form_scale(struct form a, int64_t times);
struct form form_plus(struct form a, int64_t k);			/* a + k */
bool form_is_const(const struct form *a, int64_t *ret_k);

struct dstate;			/* never bottom: what would be is reported by the function that finds it */

/* A state of `nvars` variables (numbers 1 .. nvars) of which nothing is known; owned by ctx. */
struct dstate *dstate_top(void *ctx, int nvars);
struct dstate *dstate_copy(void *ctx, const struct dstate *s);
/* Not needed, but memory that is used again at once is faster than fresh memory: free states that are done with. */
void dstate_free(struct dstate *s);

/* x := f.  f may contain x. */
void dstate_assign(struct dstate *s, int x, const struct form *f);
/* x := max(x, f); directions: as in dstate_join. */
void dstate_raise(struct dstate *s, int x, const struct form *f, const struct form *directions, size_t ndirections);
/* x := anything. */
void dstate_forget(struct dstate *s, int x);

/* Assume f = 0, f >= 0, or f = r modulo 2^k (1 <= k <= 8).  False: no integer point is left (the state is then unspecified). */
bool dstate_add_eq(struct dstate *s, const struct form *f);
bool dstate_add_ge(struct dstate *s, const struct form *f);
bool dstate_add_cong(struct dstate *s, const struct form *f, int k, unsigned r);

/* Entailment: does every point have f = 0 (by equalities alone | also by inequalities), f >= 0? */
bool dstate_eq0(const struct dstate *s, const struct form *f);
bool dstate_is0(const struct dstate *s, const struct form *f);
bool dstate_ge0(const struct dstate *s, const struct form *f);
/* A lower bound of f (the greatest the inequalities give, rounded up); false: none. */
bool dstate_min(const struct dstate *s, const struct form *f, int64_t *ret_min);
/* The greatest k <= 8 such that f modulo 2^k is known; the residue.  0: nothing is known. */
int dstate_cong(const struct dstate *s, const struct form *f, unsigned *ret_residue);
/* f reduced by the equalities to free variables; false when it has no integer coefficients. */
bool dstate_reduce(const struct dstate *s, const struct form *f, struct form *ret);

/*
 * An upper bound of a and b, owned by ctx.  `directions`: forms whose lower bounds are worth keeping besides the
 * inequalities of both sides.  widen: only inequalities of a that b holds unchanged are kept.
 */
struct dstate *dstate_join(void *ctx, const struct dstate *a, const struct dstate *b, bool widen,
			   const struct form *directions, size_t ndirections);
/* Do a and b hold the same facts (syntactically; false may be said of equal ones)? */
bool dstate_same(const struct dstate *a, const struct dstate *b);

/* Calls fn for each equality (is_eq: f = 0) and inequality (f >= 0), in a fixed order. */
void dstate_each(const struct dstate *s, void (*fn)(void *arg, bool is_eq, const struct form *f), void *arg);

#endif
