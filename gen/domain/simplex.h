/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Exact linear programming on a tableau that lives as long as its state: the vertex where one question ended is where the
 * next one starts, and constraints are added to it one by one.  Each quantity (a variable, or the slack of a constraint)
 * is a row, den * quantity = k + sum a[j] * column[j], or one of the columns, which are 0 at the vertex.  Slacks are never
 * negative there.  Variables can be redefined and dropped; what they did to the others stays.
 */
#ifndef UCOPY_SIMPLEX_H
#define UCOPY_SIMPLEX_H

#include "form.h"

#define TAB_ROWS 144
#define TAB_COLS 56
#define TAB_SLACK 128		/* slack i has the id TAB_SLACK + i */
#define TAB_NONE 0		/* the id of a variable that was dropped */

struct tab_row {
	int64_t den, k;
	int64_t a[];
};

#define TAB_HEAD (sizeof(struct tab_row) / sizeof(int64_t))

enum tab_state { TAB_GOOD, TAB_EMPTY, TAB_BROKEN };	/* broken: too large, or an overflow: answers nothing */

struct tab {
	enum tab_state state;
	int nrows, ncols, nslacks;
	int stride;			/* of rows: few columns need little memory */
	uint64_t free;			/* the columns that may be negative */
	int16_t row_id[TAB_ROWS], col_id[TAB_COLS];
	int16_t at[DOMAIN_VARS];	/* of a variable: 0: absent, 1 + row, or -1 - column */
	size_t room;			/* for so many cells: one row more than there are, for the goal */
	int64_t *cells;
};

enum lp { LP_OPTIMUM, LP_BELOW, LP_UNBOUNDED, LP_EMPTY };

/* Owned by ctx; without memory they are broken. */
struct tab *tab_new(void *ctx);
struct tab *tab_copy(void *ctx, const struct tab *from);
void tab_init(struct tab *t);
/* Add f >= 0, f = 0. */
void tab_ge(struct tab *t, const struct form *f);
void tab_eq(struct tab *t, const struct form *f);
/* den * x := f; f may mention x's old value. */
void tab_define(struct tab *t, int x, int64_t den, const struct form *f);
void tab_drop(struct tab *t, int x);
/* The least value num / den of f (LP_OPTIMUM); LP_BELOW: it is `below` or less, for sure, if `below` is given. */
enum lp tab_min(struct tab *t, const struct form *f, const int64_t *below, int64_t *ret_num, int64_t *ret_den);
/* Does slack i follow (rationally) from the other constraints?  It is taken out if so. */
bool tab_redundant(struct tab *t, int i);

#endif
