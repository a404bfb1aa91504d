/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "fixup.h"

#include <string.h>

#include "array.h"
#include "assign.h"

#define PIVOTS_MAX 6			/* registers that are tried */
#define READ_MAX (CURSORS * SUM_TERMS)

int resume_reg(const struct resume *r, int cursor)
{
	return cursor == CURSOR_DST ? r->dst : cursor == CURSOR_SRC ? r->src : r->n;
}

/* Do both end at the same place, with the same frame to drop? */
static bool same_end(const struct entry *a, const struct entry *b)
{
	return a->resume == b->resume && a->leaves == b->leaves && !memcmp(&a->frame, &b->frame, sizeof(a->frame));
}

bool entry_same(const struct entry *a, const struct entry *b)
{
	bool same = same_end(a, b);

	for (int c = 0; c < CURSORS && same; c++)
		same = !a->wanted[c] || sum_same(&a->sum[c], &b->sum[c]);
	return same;
}

bool entry_same_terms(const struct entry *a, const struct entry *b)
{
	bool same = same_end(a, b);

	for (int c = 0; c < CURSORS && same; c++)
		same = !a->wanted[c] || sum_same_terms(&a->sum[c], &b->sum[c]);
	return same;
}

/* How far entry a's place is ahead of b's, bytes; both have the same terms. */
static int64_t ahead(const struct entry *a, const struct entry *b)
{
	if (a->wanted[CURSOR_N])
		return b->sum[CURSOR_N].c - a->sum[CURSOR_N].c;
	return a->sum[CURSOR_DST].c - b->sum[CURSOR_DST].c;
}

/* Nothing to do: all cursors are where they belong. */
static bool trivial(const struct entry *e)
{
	for (int c = 0; c < CURSORS; c++) {
		struct sum own = sum_of_reg(resume_reg(e->resume, c));

		if (e->wanted[c] && !sum_same(&e->sum[c], &own))
			return false;
	}
	return !e->leaves;
}

/* The registers e's sums read. */
static int read_registers(const struct entry *e, int *ret)
{
	int n = 0;

	for (int c = 0; c < CURSORS; c++)
		for (int i = 0; e->wanted[c] && i < e->sum[c].n; i++) {
			int k = 0;

			while (k < n && ret[k] != e->sum[c].reg[i])
				k++;
			if (k == n)
				ret[n++] = e->sum[c].reg[i];
		}
	return n;
}

/*
 * How far each cursor's place in entry a is from that in b, in units of *ret_unit; false when one is farther off than
 * the others.  Cursors that are moved at each access may differ in one only.
 */
static bool find_steps(const struct entry *a, const struct entry *b, int *ret_steps, int64_t *ret_unit)
{
	int64_t unit = 0;

	for (int c = 0; c < CURSORS; c++) {
		int64_t d = a->wanted[c] ? a->sum[c].c - b->sum[c].c : 0;

		if (!unit)
			unit = d < 0 ? -d : d;
		if (d && d != unit && d != -unit)
			return false;
		ret_steps[c] = d ? (int)(d / unit) : 0;
	}
	*ret_unit = unit;
	return unit != 0;
}

/* Does adding `times[i]` units to reg[i] move every cursor by its steps? */
static bool moves_all(const struct entry *e, const int *steps, const int *reg, const int *times, int n)
{
	for (int c = 0; c < CURSORS; c++) {
		int moved = 0;

		if (!e->wanted[c])
			continue;
		for (int i = 0; i < n; i++)
			moved += sum_sign(&e->sum[c], reg[i]) * times[i];
		if (moved != steps[c])
			return false;
	}
	return true;
}

/* The fewest registers that a rung must move so that all cursors move by their steps; 0: there are none. */
static int find_pivots(const struct entry *e, const int *steps, int *reg, int *times)
{
	int all[READ_MAX], t[PIVOTS_MAX], n = read_registers(e, all), total = 1, best = 0;

	n = n < PIVOTS_MAX ? n : PIVOTS_MAX;
	for (int i = 0; i < n; i++)
		total *= 3;
	for (int code = 1; code < total; code++) {
		int used = 0;

		for (int i = 0, rest = code; i < n; i++, rest /= 3) {
			t[i] = rest % 3 == 2 ? -1 : rest % 3;
			used += t[i] != 0;
		}
		if ((best && used >= best) || !moves_all(e, steps, all, t, n))
			continue;
		best = 0;
		for (int i = 0; i < n; i++)
			if (t[i]) {
				reg[best] = all[i];
				times[best++] = t[i];
			}
	}
	return best;
}

/* Registers free where we resume, but for those that e reads. */
static struct regset scratch_of(const struct program *p, const struct entry *e)
{
	struct regset s = p->free_at[p->labels[e->resume->label].at];
	int reg[READ_MAX], n = read_registers(e, reg);

	for (int i = 0; i < n; i++)
		regset_del(&s, reg[i]);
	return s;
}

static int begin_entry(struct emitter *em, const struct entry *e)
{
	em->place = e->resume->place;
	em->site = e->site;
	return emit_label(em);
}

static void emit_body(struct emitter *em, const struct entry *e)
{
	struct assignment v[CURSORS];
	int n = 0;

	for (int c = 0; c < CURSORS; c++)
		if (e->wanted[c])
			v[n++] = (struct assignment){ .reg = resume_reg(e->resume, c), .sum = e->sum[c] };
	assign_all(em, v, n, scratch_of(em->p, e));
	/* Only now: the sums may read what the frame's registers hold. */
	if (e->leaves)
		emit_leave(em, &e->frame);
	emit_goto(em, e->resume->label);
}

/* One more register's value makes an emitted entry's sums ours: set it and go there. */
static bool emit_through(struct emitter *em, struct entry *e, const struct entry *done)
{
	int reg[READ_MAX], n = read_registers(done, reg);

	if (!same_end(e, done) || done->label < 0 || done->leaves)
		return false;
	for (int i = 0; i < n; i++)
		for (int c = 0; c < CURSORS; c++) {
			bool same = e->wanted[c] && resume_reg(e->resume, c) == reg[i];
			struct assignment v = { .reg = reg[i], .sum = e->sum[c] };

			for (int k = 0; k < CURSORS && same; k++) {
				struct sum s;

				same = !e->wanted[k] || (sum_substitute(&done->sum[k], reg[i], &e->sum[c], &s) && sum_same(&s, &e->sum[k]));
			}
			if (!same)
				continue;
			e->label = begin_entry(em, e);
			assign_all(em, &v, 1, scratch_of(em->p, e));
			emit_goto(em, done->label);
			return true;
		}
	return false;
}

/* From entry a's place to b's, into which it falls; a body of its own where no registers lead there. */
static void emit_rung(struct emitter *em, struct entry *a, const struct entry *b)
{
	struct assignment rung[PIVOTS_MAX];
	int reg[PIVOTS_MAX], times[PIVOTS_MAX], steps[CURSORS], n = 0;
	int64_t unit;

	a->label = begin_entry(em, a);
	if (find_steps(a, b, steps, &unit))
		n = find_pivots(a, steps, reg, times);
	for (int k = 0; k < n; k++) {
		rung[k] = (struct assignment){ .reg = reg[k], .sum = sum_of_reg(reg[k]) };
		rung[k].sum.c = times[k] * unit;
	}
	if (n)
		assign_all(em, rung, n, scratch_of(em->p, a));
	else
		emit_body(em, a);
}

/* The rungs from v[0], the farthest ahead, down to v[n - 1], which falls into the body. */
static void emit_ladder(struct emitter *em, struct entry **v, size_t n)
{
	for (size_t i = 0; i + 1 < n; i++)
		emit_rung(em, v[i], v[i + 1]);
	v[n - 1]->label = begin_entry(em, v[n - 1]);
	emit_body(em, v[n - 1]);
}

/* Entries with the terms of `first` that have no code yet, farthest ahead first. */
static size_t collect(struct entry *entries, size_t n, struct entry *first, struct entry **ret)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		size_t j = k;

		if (entries[i].label >= 0 || !entry_same_terms(first, &entries[i]))
			continue;
		for (; j > 0 && ahead(&entries[i], ret[j - 1]) > 0; j--)
			ret[j] = ret[j - 1];
		ret[j] = &entries[i];
		k++;
	}
	return k;
}

static int terms(const struct entry *e)
{
	int n = 0;

	for (int c = 0; c < CURSORS; c++)
		n += e->wanted[c] ? e->sum[c].n : 0;
	return n;
}

/* The entry without code that has most terms: others may go through it. */
static struct entry *next_entry(struct entry *entries, size_t n)
{
	struct entry *best = NULL;

	for (size_t i = 0; i < n; i++)
		if (entries[i].label < 0 && (!best || terms(&entries[i]) > terms(best)))
			best = &entries[i];
	return best;
}

bool fixup_emit(void *ctx, struct diag *d, struct program *p, struct entry *entries, size_t n)
{
	struct emitter em = { .ctx = ctx, .diag = d, .p = p, .place = p->place };
	struct entry **v = ARRAY_NEW(ctx, struct entry *, n + 1), *e;

	for (size_t i = 0; i < n; i++)
		if (trivial(&entries[i]))
			entries[i].label = entries[i].resume->label;
	while (!em.failed && (e = next_entry(entries, n))) {
		size_t k = 0, group = collect(entries, n, e, v);

		while (k < n && !emit_through(&em, e, &entries[k]))
			k++;
		if (k < n)
			continue;
		emit_ladder(&em, v, group);
	}
	return !em.failed;
}
