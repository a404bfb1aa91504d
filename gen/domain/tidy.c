/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What inequalities that were put together say twice, or say as equalities. */
#include "dstate.h"

#define PRUNE_ABOVE 22		/* so many inequalities are kept without asking whether all are needed */

/*
 * Takes out what follows from the rest, the longest first.  Over the rationals: what follows only for integers would take
 * strength along.
 */
static void prune(struct dstate *s)
{
	struct tab *t = dstate_tab(s);
	bool gone[INEQ_MAX] = { false };
	int kept = 0, longest = 0;

	if (!t)
		return;
	for (int i = 0; i < s->c.n; i++)
		longest = s->c.row[i].f.n > longest ? s->c.row[i].f.n : longest;
	for (int n = longest; n > 0; n--)
		for (int i = 0; i < s->c.n; i++)
			if (s->c.row[i].f.n == n)
				gone[i] = tab_redundant(t, i);
	for (int i = 0; i < s->c.n; i++) {
		if (gone[i])
			continue;
		if (kept != i)
			ineq_copy_row(&s->c.row[kept], &s->c.row[i]);
		kept++;
	}
	s->c.n = kept;
}

/* f >= 0 and -f >= 0 are an equality. */
static void find_equalities(struct dstate *s)
{
	for (int i = 0; i < s->c.n; i++) {
		struct form minus;
		int j;

		form_copy(&minus, &s->c.row[i].f);
		form_negate(&minus);
		j = ineq_find(&s->c, &minus);
		if (j < 0 || s->c.row[j].f.k != minus.k)
			continue;
		dstate_add_eq(s, &minus);
		i = -1;
	}
}

void dstate_tidy(struct dstate *s)
{
	s->tab_live = false;
	s->c.rounded = false;
	if (s->c.n > PRUNE_ABOVE)
		prune(s);
	find_equalities(s);
}
