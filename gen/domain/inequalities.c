/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Affine inequalities: a small array, found by the hash of their direction. */
#include <string.h>

#include "arith.h"
#include "inequalities.h"

void ineq_copy_row(struct inequality *to, const struct inequality *from)
{
	to->hash = from->hash;
	to->vars = from->vars;
	form_copy(&to->f, &from->f);
}

void ineq_copy(struct inequalities *to, const struct inequalities *from)
{
	to->n = from->n;
	to->rounded = from->rounded;
	for (int i = 0; i < from->n; i++)
		ineq_copy_row(&to->row[i], &from->row[i]);
}

static int find_hashed(const struct inequalities *c, uint32_t hash, const struct form *f)
{
	for (int i = 0; i < c->n; i++)
		if (c->row[i].hash == hash && form_parallel(&c->row[i].f, f))
			return i;
	return -1;
}

int ineq_find(const struct inequalities *c, const struct form *f)
{
	return find_hashed(c, form_hash(f), f);
}

/* Room for a row of n terms: at the end, or a longer one's; -1: it would be the longest itself. */
static int room(struct inequalities *c, int n)
{
	int longest = 0;

	if (c->n < INEQ_MAX)
		return c->n++;
	for (int i = 1; i < c->n; i++)
		if (c->row[i].f.n >= c->row[longest].f.n)
			longest = i;
	return c->row[longest].f.n > n ? longest : -1;
}

bool ineq_add(struct inequalities *c, const struct form *f)
{
	struct inequality new;
	int64_t g = form_content(f);
	int i;

	if (f->lost)
		return true;
	if (!f->n)
		return f->k >= 0;
	form_copy(&new.f, f);
	if (g > 1) {
		form_divide(&new.f, g);
		new.f.k = floor_div(f->k, g);
		c->rounded |= f->k % g != 0;
	}
	new.hash = form_hash(&new.f);
	i = find_hashed(c, new.hash, &new.f);
	if (i >= 0) {
		if (new.f.k < c->row[i].f.k)
			c->row[i].f.k = new.f.k;
		return true;
	}
	i = room(c, new.f.n);
	new.vars = form_vars(&new.f);
	if (i >= 0)
		ineq_copy_row(&c->row[i], &new);
	return true;
}

bool ineq_has(const struct inequalities *c, int x)
{
	for (int i = 0; i < c->n; i++)
		if (varset_has(&c->row[i].vars, x))
			return true;
	return false;
}

/* Moves the rows that mention x to `out`; returns how many. */
static int take(struct inequalities *c, int x, struct form *out)
{
	int kept = 0, taken = 0;

	for (int i = 0; i < c->n; i++) {
		if (varset_has(&c->row[i].vars, x))
			form_copy(&out[taken++], &c->row[i].f);
		else if (kept++ != i)
			ineq_copy_row(&c->row[kept - 1], &c->row[i]);
	}
	c->n = kept;
	return taken;
}

bool ineq_subst(struct inequalities *c, int x, int64_t den, const struct form *f)
{
	struct form old[INEQ_MAX], new;
	int n = take(c, x, old);
	bool ok = true;
	int64_t times;

	for (int i = 0; i < n; i++) {
		form_subst(&new, &old[i], form_find(&old[i], x), den, f, &times);
		ok = ineq_add(c, &new) && ok;
	}
	return ok;
}

void ineq_project(struct inequalities *c, int x)
{
	struct form old[INEQ_MAX], sum;
	int n = take(c, x, old);

	for (int i = 0; i < n; i++) {
		int64_t p = form_coef(&old[i], x);

		for (int j = 0; p > 0 && j < n; j++) {
			int64_t q = -form_coef(&old[j], x), g;

			if (q < 0)
				continue;
			g = gcd64(p, q);
			form_mix(&sum, q / g, &old[i], p / g, &old[j]);
			ineq_add(c, &sum);
		}
	}
}

bool ineq_same(const struct inequalities *a, const struct inequalities *b)
{
	if (a->n != b->n)
		return false;
	for (int i = 0; i < a->n; i++) {
		int j = find_hashed(b, a->row[i].hash, &a->row[i].f);

		if (j < 0 || b->row[j].f.k != a->row[i].f.k)
			return false;
	}
	return true;
}
