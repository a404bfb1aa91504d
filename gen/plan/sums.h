/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Values as sums of registers: how a fixup gets at what it needs. */
#ifndef UCOPY_SUMS_H
#define UCOPY_SUMS_H

#include "domain.h"
#include "ir.h"

#define SUM_TERMS 4

/* c + sign[0] * reg[0] + ..; registers ascending. */
struct sum {
	int n;
	int reg[SUM_TERMS];
	int sign[SUM_TERMS];		/* 1 or -1 */
	int64_t c;
};

/* The registers of a state that may be used, with their values reduced by its equalities. */
struct sum_space {
	int n;
	int reg[64];
	struct form value[64];
};

struct sum sum_of_reg(int reg);
/* Of two different registers. */
struct sum sum_pair(int a, int sign_a, int b, int sign_b);
bool sum_same(const struct sum *a, const struct sum *b);		/* c included */
bool sum_same_terms(const struct sum *a, const struct sum *b);		/* c left out */
/* +1, -1, or 0 when reg is not in it. */
int sum_sign(const struct sum *a, int reg);
/* a with reg replaced by b; false when it would have too many terms or a coefficient beyond 1. */
bool sum_substitute(const struct sum *a, int reg, const struct sum *b, struct sum *ret);

/*
 * The cheapest sum of at most three registers and a constant that equals `target` by the state's equalities; own: the
 * register that will hold it, preferred when it already does (-1: none).  plain: before all, one of at most two registers
 * and no constant, which many places may have in common.  False: there is none.
 */
bool sum_find(const struct sum_space *space, const struct dstate *s, const struct form *target, int own, bool plain, struct sum *ret);

/* Does the sum equal target, up to a constant, which is put into its c? */
bool sum_matches(const struct sum_space *space, const struct dstate *s, const struct form *target, struct sum *sum);

#endif
