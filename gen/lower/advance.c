/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Pointers that move earlier than the template says: an access with writeback takes part of a later `p += c` with
 * it, and what stands between then reads p minus what was taken.
 */
#include "lowering.h"

/* Does a constant added to reg show as a constant added to e, or to an address in it? */
static bool movable(const struct expr *e, int reg)
{
	struct sum_parts s;

	if (!e || !expr_reads_reg(e, reg) || e->op == EX_REG)
		return true;
	if (e->op == EX_MEM)
		return movable(e->kid[0], reg) && !expr_reads_reg(e->kid[1], reg);
	if (!expr_is_sum(e)) {
		for (int k = 0; k < expr_kids(e->op); k++)
			if (e->kid[k]->op != EX_MEM && expr_reads_reg(e->kid[k], reg))
				return false;
		return true;
	}
	s = sum_split(NULL, e);
	for (int t = 0; t < s.n; t++)
		if (s.term[t].neg ? expr_reads_reg(s.term[t].e, reg) : !movable(s.term[t].e, reg))
			return false;
	return !s.lost;
}

static bool act_movable(const struct action *a, int reg, int *uses)
{
	struct regset r = { { 0 } }, w = { { 0 } };

	action_reads(a, &r);
	action_writes(a, &w);
	if (a->kind == ACT_GOTO || a->kind == ACT_RETURN || a->kind == ACT_CALL || regset_has(&w, reg))
		return false;
	*uses += regset_has(&r, reg);
	if (a->cond || (a->target && a->target->op != EX_REG && !movable(a->target, reg)))
		return false;
	return movable(a->value, reg);
}

static bool advance_by(const struct need *n, int reg, uint64_t *ret_by)
{
	const struct action *a = &n->acts[0];
	struct sum_parts s;

	if (n->nacts != 1 || n->loop || a->kind != ACT_SET || a->target->op != EX_REG || a->target->index != reg)
		return false;
	s = sum_split(NULL, a->value);
	*ret_by = s.k;
	return s.n == 1 && !s.nopen && !s.term[0].neg && s.term[0].e->op == EX_REG && s.term[0].e->index == reg;
}

int find_advance(const struct needs *list, size_t from, int reg, uint64_t *ret_by, int *ret_uses)
{
	*ret_uses = 0;
	for (size_t k = from; k < list->n; k++) {
		if (list->v[k].is_label || list->v[k].loop)
			return -1;
		if (advance_by(&list->v[k], reg, ret_by))
			return (int)k;
		for (size_t j = 0; j < list->v[k].nacts; j++)
			if (!act_movable(&list->v[k].acts[j], reg, ret_uses))
				return -1;
	}
	return -1;
}

static struct expr *moved(struct lowering *l, struct expr *e, int reg, uint64_t by)
{
	if (!e || !expr_reads_reg(e, reg))
		return e;
	if (e->op == EX_REG || expr_is_sum(e))
		return expr_fold(l->ctx, expr_binary(l->ctx, EX_ADD, e, expr_const(l->ctx, -by, e->place), e->place),
				 8 * l->m->width);
	for (int k = 0; k < expr_kids(e->op); k++)
		if (e->op != EX_MEM || k == 0)
			e->kid[k] = moved(l, e->kid[k], reg, by);
	return e;
}

void advanced(struct lowering *l, struct needs *list, size_t from, size_t to, int reg, uint64_t by)
{
	for (size_t k = from; k <= to; k++)
		for (size_t j = 0; j < list->v[k].nacts; j++) {
			struct action *a = &list->v[k].acts[j];

			if (a->target && a->target->op != EX_REG)
				a->target = moved(l, expr_copy(l->ctx, a->target), reg, by);
			a->value = moved(l, expr_copy(l->ctx, a->value), reg, by);
		}
}
