/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of a state of the numeric domain. */
#ifndef UCOPY_DSTATE_H
#define UCOPY_DSTATE_H

#include "affine.h"
#include "congruence.h"
#include "inequalities.h"
#include "simplex.h"

struct dstate {
	int nvars;
	bool tab_live;		/* tab says what c says; else it is to be built again */
	struct tab *tab;	/* a cache of c, whose vertex moves with each question; may be NULL */
	struct equalities e;
	struct inequalities c;	/* over e's free variables */
	struct congruences k;
};

/* The tableau, built if need be. */
struct tab *dstate_tab(const struct dstate *s);
/* The least value of f on s, rounded up.  LP_OPTIMUM or why there is none. */
enum lp dstate_bound(const struct dstate *s, const struct form *f, int64_t *ret_min);
/* Once inequalities were put in as they came: equalities among them are found, and of many those that follow go. */
void dstate_tidy(struct dstate *s);

#endif
