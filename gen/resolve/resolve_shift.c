/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Shifts by a number: the ranges of what is printed say what the number can be, and it must be less than the
 * register's bits.  That finds a range given for the operand where the text prints something else.
 */
#include "resolve_priv.h"

struct bounds { int64_t lo, hi; bool known; };

static void widen(struct bounds *b, const struct text_part *part, int64_t printed)
{
	int64_t v;

	if (!printed_inverse(part, printed, &v))
		return;
	if (!b->known || v < b->lo)
		b->lo = v;
	if (!b->known || v > b->hi)
		b->hi = v;
	b->known = true;
}

static struct bounds part_bounds(const struct text_part *part)
{
	struct bounds b = {0};

	for (size_t i = 0; i < part->ranges.n; i++) {
		const struct range *r = &part->ranges.v[i];

		if (r->kind != RANGE_STEP)
			continue;
		widen(&b, part, r->lo);
		widen(&b, part, r->hi);
	}
	return b;
}

static struct bounds operand_bounds(const struct pattern *p, int o)
{
	struct bounds all = {0};

	for (size_t i = 0; i < p->nlines; i++)
		for (size_t k = 0; k < p->lines[i].text.nparts; k++) {
			const struct text_part *part = &p->lines[i].text.parts[k];
			struct bounds b;

			if (part->literal || part->operand != o)
				continue;
			b = part_bounds(part);
			if (!b.known)
				continue;
			all.lo = all.known && all.lo > b.lo ? all.lo : b.lo;
			all.hi = all.known && all.hi < b.hi ? all.hi : b.hi;
			all.known = true;
		}
	return all;
}

/* The one number an amount depends on, -1: none, -2: more, or a register. */
static int only_number(const struct pattern *p, const struct expr *e)
{
	int found = -1;

	if (e->op == EX_OPERAND)
		return p->operands[e->index].kind == OPERAND_IMM ? e->index : -2;
	if (e->op != EX_CONST && expr_kids(e->op) == 0)
		return -2;
	if (e->op == EX_MEM || e->op == EX_ELEMENT)
		return -2;
	for (int i = 0; i < expr_kids(e->op); i++) {
		int other = only_number(p, e->kid[i]);

		if (other == -2 || (other >= 0 && found >= 0 && other != found))
			return -2;
		found = other >= 0 ? other : found;
	}
	return found;
}

static uint64_t amount(const struct expr *e, int64_t imm)
{
	uint64_t v[3] = {0}, result = 0;

	if (e->op == EX_CONST)
		return e->value;
	if (e->op == EX_OPERAND)
		return (uint64_t)imm;
	for (int i = 0; i < expr_kids(e->op); i++)
		v[i] = amount(e->kid[i], imm);
	return expr_apply(e->op, v, 64, &result) ? result : UINT64_MAX;
}

static void check_amount(struct binder *b, const struct expr *e)
{
	int o = only_number(b->p, e);
	int bits = 8 * b->r->m->width;
	struct bounds range = {0, 0, true};
	uint64_t first, last;

	if (o >= 0)
		range = operand_bounds(b->p, o);
	if (o == -2 || !range.known)
		return;
	first = amount(e, range.lo);
	last = amount(e, range.hi);
	if (first < (uint64_t)bits && last < (uint64_t)bits)
		return;
	fail(b->r, DIAG_SHIFT, e->place,
	     "the amount of this shift goes from %lld to %lld, yet a register has %d bits", (long long)first,
	     (long long)last, bits);
	if (o >= 0)
		note(b->r, b->p->operands[o].place,
		     "a range is of what is printed; `%s` itself goes from %lld to %lld",
		     b->p->operands[o].name, (long long)range.lo, (long long)range.hi);
	b->bad = true;
}

static void check_expr(struct binder *b, const struct expr *e)
{
	if (!e)
		return;
	if (e->op == EX_SHL || e->op == EX_SHR)
		check_amount(b, e->kid[1]);
	if (e->op == EX_FUNNEL)
		check_amount(b, e->kid[2]);
	for (int i = 0; i < 3; i++)
		check_expr(b, e->kid[i]);
}

void check_shifts(struct binder *b)
{
	for (size_t i = 0; i < b->p->nlines; i++)
		for (size_t k = 0; k < b->p->lines[i].step.nacts; k++) {
			const struct action *a = &b->p->lines[i].step.acts[k];

			check_expr(b, a->target);
			check_expr(b, a->value);
			if (a->cond) {
				check_expr(b, a->cond->lhs);
				check_expr(b, a->cond->rhs);
			}
		}
}
