/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Code of fixups: blocks that put cursors in place, shared and entered through ladders. */
#ifndef UCOPY_FIXUP_H
#define UCOPY_FIXUP_H

#include "diag.h"
#include "sums.h"

enum { CURSOR_DST, CURSOR_SRC, CURSOR_N, CURSORS };

/* What must hold when a fixup is done: each cursor's register is a sum of registers as they were at the fault. */
struct entry {
	const struct resume *resume;
	bool leaves;			/* the frame in `frame` must be dropped */
	struct regset frame;
	bool wanted[CURSORS];
	struct sum sum[CURSORS];
	int label;			/* where its code begins; -1: none yet */
	struct place site;		/* the template's line of the first access it is for */
};

/* The register a resume clause wants a cursor in; -1: it doesn't want it. */
int resume_reg(const struct resume *r, int cursor);

/* Same code does for both. */
bool entry_same(const struct entry *a, const struct entry *b);

/* They differ by constants at most, and can share a ladder. */
bool entry_same_terms(const struct entry *a, const struct entry *b);

/* Appends code for all entries to the program and sets their labels.  False after an error. */
bool fixup_emit(void *ctx, struct diag *d, struct program *p, struct entry *entries, size_t n);

#endif
