/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Numbers for which an operator has no value: shifts by as many bits as a register has, signs of no byte, divisions by
 * 0.  The ranges of what is printed say what a number can be.  That finds a range given for the operand where the text
 * prints something else.
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

/* What the second operand of an operator can be; false: it isn't known, or no number. */
struct amounts { uint64_t first, last; int operand; struct bounds range; };

static bool find_amounts(const struct binder *b, const struct expr *e, struct amounts *ret)
{
	int o = only_number(b->p, e);
	struct bounds range = {0, 0, true};

	if (o >= 0)
		range = operand_bounds(b->p, o);
	if (o == -2 || !range.known)
		return false;
	*ret = (struct amounts){amount(e, range.lo), amount(e, range.hi), o, range};
	return true;
}

static void note_range(struct binder *b, const struct amounts *a)
{
	if (a->operand >= 0)
		note(b->r, b->p->operands[a->operand].place,
		     "a range is of what is printed; `%s` itself goes from %lld to %lld",
		     b->p->operands[a->operand].name, (long long)a->range.lo, (long long)a->range.hi);
	b->bad = true;
}

static void check_shift(struct binder *b, const struct expr *e)
{
	uint64_t bits = 8 * (uint64_t)b->r->m->width;
	struct amounts a;

	if (!find_amounts(b, e, &a) || (a.first < bits && a.last < bits))
		return;
	fail(b->r, DIAG_SHIFT, e->place, "the amount of this shift goes from %lld to %lld, yet a register has %d bits",
	     (long long)a.first, (long long)a.last, (int)bits);
	note_range(b, &a);
}

static void check_sign(struct binder *b, const struct expr *e)
{
	uint64_t bytes = (uint64_t)b->r->m->width;
	struct amounts a;

	if (!find_amounts(b, e, &a) || (a.first - 1 < bytes && a.last - 1 < bytes))
		return;
	fail(b->r, DIAG_VALUE, e->place, "the bytes of this sign go from %lld to %lld, yet a register has 1 to %d",
	     (long long)a.first, (long long)a.last, (int)bytes);
	note_range(b, &a);
}

static void check_divisor(struct binder *b, const struct expr *e)
{
	struct amounts a;

	if (!find_amounts(b, e, &a) || ((int64_t)a.first > 0 && (int64_t)a.last > 0) ||
	    ((int64_t)a.first < 0 && (int64_t)a.last < 0))
		return;
	fail(b->r, DIAG_VALUE, e->place, "this divides by 0%s", a.operand < 0 ? "" : ", too");
	note_range(b, &a);
}

static void check_expr(struct binder *b, const struct expr *e)
{
	if (!e)
		return;
	if (e->op == EX_SHL || e->op == EX_SHR)
		check_shift(b, e->kid[1]);
	if (e->op == EX_FUNNEL)
		check_shift(b, e->kid[2]);
	if (e->op == EX_SX)
		check_sign(b, e->kid[1]);
	if (e->op == EX_DIV || e->op == EX_MOD)
		check_divisor(b, e->kid[1]);
	for (int i = 0; i < 3; i++)
		check_expr(b, e->kid[i]);
}

static void check_cond(struct binder *b, const struct cond *c)
{
	if (c) {
		check_expr(b, c->lhs);
		check_expr(b, c->rhs);
	}
}

static void check_step(struct binder *b, const struct step *s)
{
	check_cond(b, s->loop);
	for (size_t k = 0; k < s->nacts; k++) {
		check_expr(b, s->acts[k].target);
		check_expr(b, s->acts[k].value);
		check_cond(b, s->acts[k].cond);
	}
}

static void check_text(struct binder *b, const struct text *t)
{
	for (size_t k = 0; k < t->nparts; k++)
		check_expr(b, t->parts[k].print);
}

void check_numbers(struct binder *b)
{
	for (size_t i = 0; i < b->p->nlines; i++) {
		check_text(b, &b->p->lines[i].text);
		check_step(b, &b->p->lines[i].step);
	}
	if (b->p->pool)
		check_text(b, b->p->pool);
	check_step(b, &b->p->as);
}
