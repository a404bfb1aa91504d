/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A need no pattern meets, in other words.  Each repair puts needs in front of what is left of it; whether these
 * are met is found out by trying, so a repair need not know what the machine has.
 */
#include <talloc.h>

#include "lowering.h"

static struct expr *binary(struct lowering *l, enum expr_op op, struct expr *a, struct expr *b)
{
	return expr_fold(l->ctx, expr_binary(l->ctx, op, a, b, a->place), 8 * l->m->width);
}

static struct expr *reg(struct lowering *l, int r, struct place at)
{
	return expr_reg(l->ctx, r, at);
}

static int fresh(struct lowering *l)
{
	return alloc_take(&l->spare, 0);
}

static void out_set(struct lowering *l, struct needs *out, int r, struct expr *value)
{
	needs_append(l, out, need_set(l, r, value, value->place));
}

static bool is_set(const struct need *n)
{
	return n->acts[0].kind == ACT_SET && n->acts[0].target->op == EX_REG && n->acts[0].value->op != EX_MEM;
}

/* A copy of an operator with one operand exchanged. */
static struct expr *with_kid(struct lowering *l, const struct expr *e, int k, struct expr *kid)
{
	struct expr *r = expr_copy(l->ctx, e);

	r->kid[k] = kid;
	return r;
}

/* d = x op y, d being neither: d = x; d = d op y.  which: the operand that goes first. */
static bool tied(struct lowering *l, const struct need *n, int which, struct needs *out)
{
	const struct action *a = &n->acts[0];
	int d;

	if (!is_set(n) || expr_is_sum(a->value) || which >= expr_kids(a->value->op))
		return false;
	d = a->target->index;
	if (expr_reads_reg(a->value, d) || a->value->kid[which]->op != EX_REG)
		return false;
	out_set(l, out, d, expr_copy(l->ctx, a->value->kid[which]));
	out_set(l, out, d, with_kid(l, a->value, which, reg(l, d, n->place)));
	return true;
}

/* d = x op d: in a register of its own, then d. */
static bool aside(struct lowering *l, const struct need *n, struct needs *out)
{
	const struct action *a = &n->acts[0];
	int t;

	if (!is_set(n) || (a->value->op == EX_REG) || !expr_reads_reg(a->value, a->target->index))
		return false;
	t = fresh(l);
	if (t < 0)
		return false;
	out_set(l, out, t, expr_copy(l->ctx, a->value));
	out_set(l, out, a->target->index, reg(l, t, n->place));
	return true;
}

/* The terms of a sum but for the one that is done first, added to d one by one. */
static void add_rest(struct lowering *l, const struct need *n, struct needs *out, int d,
		     const struct sum_parts *s, int first)
{
	for (int k = 0; k < s->n; k++)
		if (k != first)
			out_set(l, out, d, binary(l, s->term[k].neg ? EX_SUB : EX_ADD, reg(l, d, n->place),
						  expr_copy(l->ctx, s->term[k].e)));
	if (s->k)
		out_set(l, out, d, binary(l, EX_ADD, reg(l, d, n->place), expr_const(l->ctx, s->k, n->place)));
}

/* The term that a sum begins with: d itself, else the first that is added; -1: none is. */
static int first_term(const struct sum_parts *s, int d)
{
	int first = -1;

	for (int k = 0; k < s->n; k++) {
		if (s->term[k].neg || s->term[k].e->op != EX_REG)
			continue;
		if (s->term[k].e->index == d)
			return k;
		if (first < 0)
			first = k;
	}
	return first;
}

static bool sum_of(const struct need *n, struct sum_parts *ret)
{
	if (!is_set(n) || !expr_is_sum(n->acts[0].value))
		return false;
	*ret = sum_split(NULL, n->acts[0].value);
	return !ret->lost;
}

/* d = a + b + c: two at a time. */
static bool chain(struct lowering *l, const struct need *n, struct needs *out)
{
	struct sum_parts s, rest;
	int d = n->acts[0].target ? n->acts[0].target->index : -1, first, second = -1;
	struct expr *e;

	if (!sum_of(n, &s) || s.n + (s.k != 0) < 3)
		return false;
	first = first_term(&s, d);
	if (first < 0)
		return false;
	for (int k = 0; k < s.n; k++)		/* what reads d must not come after d is written */
		if (k != first && (second < 0 || expr_reads_reg(s.term[k].e, d)))
			second = k;
	e = binary(l, s.term[second].neg ? EX_SUB : EX_ADD, expr_copy(l->ctx, s.term[first].e),
		   expr_copy(l->ctx, s.term[second].e));
	rest = s;
	for (int k = rest.n = 0; k < s.n; k++)
		if (k != first && k != second) {
			if (expr_reads_reg(s.term[k].e, d))
				return false;
			rest.term[rest.n++] = s.term[k];
		}
	out_set(l, out, d, e);
	add_rest(l, n, out, d, &rest, -1);
	return true;
}

/* d = a + b with d being neither: d = a; d = d + b. */
static bool tied_sum(struct lowering *l, const struct need *n, struct needs *out)
{
	struct sum_parts s;
	int d, first;

	if (!sum_of(n, &s) || s.n + (s.k != 0) != 2 || expr_reads_reg(n->acts[0].value, n->acts[0].target->index))
		return false;
	d = n->acts[0].target->index;
	first = first_term(&s, d);
	if (first < 0)
		return false;
	out_set(l, out, d, expr_copy(l->ctx, s.term[first].e));
	add_rest(l, n, out, d, &s, first);
	return true;
}

/* d = c - b: t = c; d = t - b.  d is t when b is something else. */
static bool from_constant(struct lowering *l, const struct need *n, struct needs *out)
{
	struct sum_parts s;
	int d, t;

	if (!sum_of(n, &s) || s.n != 1 || !s.term[0].neg)
		return false;
	d = n->acts[0].target->index;
	t = expr_reads_reg(s.term[0].e, d) ? fresh(l) : d;
	if (t < 0)
		return false;
	out_set(l, out, t, expr_const(l->ctx, s.k, n->place));
	out_set(l, out, d, expr_binary(l->ctx, EX_SUB, reg(l, t, n->place), expr_copy(l->ctx, s.term[0].e),
				       n->place));
	return true;
}

/* d = c - b: d = -b; d = d + c. */
static bool negate_first(struct lowering *l, const struct need *n, struct needs *out)
{
	struct sum_parts s;
	int d;

	if (!sum_of(n, &s) || s.n != 1 || !s.term[0].neg)
		return false;
	d = n->acts[0].target->index;
	if (!s.k && s.term[0].e->op == EX_REG && s.term[0].e->index == d)
		return false;
	out_set(l, out, d, s.k ? binary(l, EX_NEG, expr_copy(l->ctx, s.term[0].e), NULL) :
				 expr_copy(l->ctx, s.term[0].e));
	out_set(l, out, d, s.k ? binary(l, EX_ADD, reg(l, d, n->place), expr_const(l->ctx, s.k, n->place)) :
				 binary(l, EX_NEG, reg(l, d, n->place), NULL));
	return true;
}

/* d = a - d: d = -d; d = d + a. */
static bool negate_itself(struct lowering *l, const struct need *n, struct needs *out)
{
	struct sum_parts s;
	int d, own = -1;

	if (!sum_of(n, &s) || s.n < 2)
		return false;
	d = n->acts[0].target->index;
	for (int k = 0; k < s.n; k++)
		if (s.term[k].neg && s.term[k].e->op == EX_REG && s.term[k].e->index == d)
			own = k;
		else if (expr_reads_reg(s.term[k].e, d))
			return false;
	if (own < 0)
		return false;
	out_set(l, out, d, binary(l, EX_NEG, reg(l, d, n->place), NULL));
	add_rest(l, n, out, d, &s, own);
	return true;
}

/* A register for a constant operand of a value: what is written, if the value doesn't read it. */
static int constant_register(struct lowering *l, const struct action *a)
{
	if (a->kind == ACT_SET && class_position(&l->m->classes[0], a->target->index) >= 0 &&
	    !expr_reads_reg(a->value, a->target->index))
		return a->target->index;
	return fresh(l);
}

/* d = x op c: t = c; d = x op t.  Of a sum: also t = -c; d = x - t. */
static bool constant_operand(struct lowering *l, const struct need *n, bool minus, struct needs *out)
{
	const struct action *a = &n->acts[0];
	struct sum_parts s;
	struct expr *e = NULL;
	int t, k = 0;

	if (!is_set(n))
		return false;
	if (sum_of(n, &s)) {
		if (s.n != 1 || s.term[0].neg || !s.k)
			return false;
		t = constant_register(l, a);
		if (t < 0)
			return false;
		s.k = const_wrap(minus ? -s.k : s.k, 8 * l->m->width);
		out_set(l, out, t, expr_const(l->ctx, s.k, n->place));
		e = binary(l, minus ? EX_SUB : EX_ADD, expr_copy(l->ctx, s.term[0].e), reg(l, t, n->place));
		out_set(l, out, a->target->index, e);
		return true;
	}
	while (k < expr_kids(a->value->op) && a->value->kid[k]->op != EX_CONST)
		k++;
	if (minus || k == expr_kids(a->value->op) || (t = constant_register(l, a)) < 0)
		return false;
	out_set(l, out, t, expr_copy(l->ctx, a->value->kid[k]));
	out_set(l, out, a->target->index, with_kid(l, a->value, k, reg(l, t, n->place)));
	return true;
}

/* What is stored or compared with is a constant: t = c first. */
static bool constant_elsewhere(struct lowering *l, const struct need *n, struct needs *out)
{
	struct action a = n->acts[0];
	struct expr **where = NULL;
	struct cond *c;
	int t;

	if (a.kind == ACT_GOTO && a.cond) {
		c = a.cond = cond_copy(l->ctx, a.cond);
		where = c->rhs->op == EX_CONST ? &c->rhs : c->lhs->op == EX_CONST ? &c->lhs : NULL;
	} else if (a.kind == ACT_STORE) {
		where = a.value->op == EX_CONST ? &a.value : NULL;
	}
	if (!where || (t = fresh(l)) < 0)
		return false;
	out_set(l, out, t, expr_copy(l->ctx, *where));
	*where = reg(l, t, n->place);
	needs_append(l, out, need_single(l, a, n->place));
	return true;
}

/* An access at base + register + c: t = base + register, then at t + c.  all: t is the whole address. */
static bool address(struct lowering *l, const struct need *n, bool all, struct needs *out)
{
	struct action a = n->acts[0];
	struct expr **mem = a.kind == ACT_STORE ? &a.target : &a.value, *at;
	struct sum_parts s;
	int t;

	if ((a.kind != ACT_STORE && a.kind != ACT_SET) || (*mem)->op != EX_MEM)
		return false;
	at = (*mem)->kid[0];
	s = sum_split(NULL, at);
	if (at->op == EX_REG || s.lost || (!all && s.n < 2))
		return false;
	t = a.kind == ACT_SET ? constant_register(l, &a) : fresh(l);
	if (t < 0)
		return false;
	if (!all) {
		at = binary(l, EX_ADD, expr_copy(l->ctx, at), expr_const(l->ctx, -s.k, n->place));
		s.k = const_wrap(s.k, 8 * l->m->width);
	}
	out_set(l, out, t, expr_copy(l->ctx, at));
	*mem = with_kid(l, *mem, 0, binary(l, EX_ADD, reg(l, t, n->place),
					   expr_const(l->ctx, all ? 0 : s.k, n->place)));
	needs_append(l, out, need_single(l, a, n->place));
	return true;
}

/* if a & c == 0: t = a & c; if t == 0. */
static bool test_first(struct lowering *l, const struct need *n, struct needs *out)
{
	struct action a = n->acts[0];
	struct expr **where;
	int t;

	if (a.kind != ACT_GOTO || !a.cond)
		return false;
	a.cond = cond_copy(l->ctx, a.cond);
	where = expr_kids(a.cond->lhs->op) ? &a.cond->lhs : &a.cond->rhs;
	if (!expr_kids((*where)->op) || (t = fresh(l)) < 0)
		return false;
	out_set(l, out, t, *where);
	*where = reg(l, t, n->place);
	needs_append(l, out, need_single(l, a, n->place));
	return true;
}

/* No branch for a relation: its inverse, around a goto. */
static bool around(struct lowering *l, const struct need *n, struct needs *out)
{
	struct action a = n->acts[0], b = a;
	int skip;

	if (a.kind != ACT_GOTO || !a.cond)
		return false;
	skip = program_label(l->p, NULL);
	a.cond = cond_copy(l->ctx, a.cond);
	a.cond->rel = relation_inverse(a.cond->rel);
	a.label = skip;
	a.jump = false;
	b.cond = NULL;
	needs_append(l, out, need_single(l, a, n->place));
	needs_append(l, out, need_single(l, b, n->place));
	needs_append(l, out, (struct need){ .is_label = true, .label = skip, .place = n->place });
	return true;
}

bool repair(struct lowering *l, int which, const struct need *n, struct needs *out)
{
	if (n->nacts != 1 || n->loop)
		return false;
	switch (which) {
	case 0: return tied(l, n, 0, out);
	case 1: return tied_sum(l, n, out);
	case 2: return from_constant(l, n, out);
	case 3: return negate_first(l, n, out);
	case 4: return negate_itself(l, n, out);
	case 5: return chain(l, n, out);
	case 6: return constant_operand(l, n, false, out);
	case 7: return constant_operand(l, n, true, out);
	case 8: return constant_elsewhere(l, n, out);
	case 9: return address(l, n, false, out);
	case 10: return address(l, n, true, out);
	case 11: return test_first(l, n, out);
	case 12: return tied(l, n, 1, out);
	case 13: return aside(l, n, out);
	case 14: return around(l, n, out);
	default: return false;
	}
}

/* The last `if` of x = x + c, if x == k in terms of the new x. */
static bool renew(struct lowering *l, const struct action *set, struct action *branch)
{
	struct sum_parts s;
	struct cond *c;

	if (set->kind != ACT_SET || branch->kind != ACT_GOTO || !branch->cond)
		return false;
	c = branch->cond;
	s = sum_split(NULL, set->value);
	if ((c->rel != REL_EQ && c->rel != REL_NE) || c->rhs->op != EX_CONST ||
	    !expr_equal(c->lhs, set->target) || s.n != 1 || s.term[0].neg || !expr_equal(s.term[0].e, set->target))
		return false;
	branch->cond = cond_copy(l->ctx, c);
	branch->cond->rhs = binary(l, EX_ADD, branch->cond->rhs, expr_const(l->ctx, s.k, c->rhs->place));
	return true;
}

/* A copy of an action that reads register `from` where it read `to`. */
static struct expr *renamed(struct lowering *l, const struct expr *e, int from, int to)
{
	struct expr *r = expr_copy(l->ctx, e);

	if (r && r->op == EX_REG && r->index == from)
		r->index = to;
	for (int k = 0; r && k < expr_kids(r->op); k++)
		r->kid[k] = renamed(l, r->kid[k], from, to);
	return r;
}

static void rename_reads(struct lowering *l, struct action *a, int from, int to)
{
	if (a->target && a->target->op != EX_REG)
		a->target = renamed(l, a->target, from, to);
	a->value = renamed(l, a->value, from, to);
	if (a->cond) {
		a->cond = cond_copy(l->ctx, a->cond);
		a->cond->lhs = renamed(l, a->cond->lhs, from, to);
		a->cond->rhs = renamed(l, a->cond->rhs, from, to);
	}
}

/* What an action reads that one before it wrote is kept aside, and put there first. */
static bool keep_old(struct lowering *l, const struct need *need, struct action *acts, struct needs *first)
{
	struct regset written = { { 0 } };

	for (size_t k = 0; k < need->nacts; k++) {
		struct regset r = { { 0 } };

		action_reads(&acts[k], &r);
		for (int old = 0; old < (int)l->m->nregs; old++) {
			int t;

			if (!regset_has(&r, old) || !regset_has(&written, old))
				continue;
			if ((t = fresh(l)) < 0)
				return false;
			out_set(l, first, t, reg(l, old, need->place));
			for (size_t j = k; j < need->nacts; j++)
				rename_reads(l, &acts[j], old, t);
		}
		action_writes(&need->acts[k], &written);
	}
	return true;
}

bool split_group(struct lowering *l, const struct need *need, struct needs *out)
{
	struct action *acts = talloc_memdup(l->ctx, need->acts, need->nacts * sizeof(*acts));

	l->spare.there = need->spare;
	if ((need->nacts != 2 || !renew(l, &acts[0], &acts[1])) && !keep_old(l, need, acts, out))
		return false;
	for (size_t k = 0; k < need->nacts; k++)
		needs_append(l, out, need_single(l, acts[k], need->place));
	for (size_t k = 0; k < out->n; k++)
		inherit(&out->v[k], need, l->spare.there);
	return true;
}
