/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns as shapes, and sums taken apart: what matching compares. */
#include "match.h"

#include "array.h"

bool constant_like(const struct pattern *p, const struct expr *e)
{
	switch (e->op) {
	case EX_REG: case EX_ELEMENT: case EX_MEM: case EX_NAME: case EX_INDEX: case EX_TEXT: case EX_FEATURE:
		return false;
	case EX_OPERAND:
		return p && p->operands[e->index].kind == OPERAND_IMM;
	default:
		break;
	}
	for (int k = 0; k < expr_kids(e->op); k++)
		if (e->kid[k] && !constant_like(p, e->kid[k]))
			return false;
	return true;
}

static void add_term(struct sum_parts *s, bool open, bool neg, const struct expr *e)
{
	int *n = open ? &s->nopen : &s->n;

	if (*n == TERMS_MAX) {
		s->lost = true;
		return;
	}
	if (open) {
		s->open[*n].neg = neg;
		s->open[*n].e = e;
	} else {
		s->term[*n].neg = neg;
		s->term[*n].e = e;
	}
	++*n;
}

static void add_parts(const struct pattern *p, struct sum_parts *s, const struct expr *e, bool neg)
{
	switch (e->op) {
	case EX_CONST:
		s->k += neg ? -e->value : e->value;
		break;
	case EX_ADD:
	case EX_SUB:
		add_parts(p, s, e->kid[0], neg);
		add_parts(p, s, e->kid[1], neg != (e->op == EX_SUB));
		break;
	case EX_NEG:
		add_parts(p, s, e->kid[0], !neg);
		break;
	default:
		add_term(s, constant_like(p, e), neg, e);
	}
}

struct sum_parts sum_split(const struct pattern *p, const struct expr *e)
{
	struct sum_parts s = { .n = 0 };

	add_parts(p, &s, e, false);
	return s;
}

/* Does it stand for each k of a list? */
static bool uses_k(const struct expr *e)
{
	if (!e)
		return false;
	if (e->op == EX_K)
		return true;
	if (e->op == EX_ELEMENT)
		return uses_k(e->kid[0]);
	for (int k = 0; k < expr_kids(e->op); k++)
		if (uses_k(e->kid[k]))
			return true;
	return false;
}

static struct expr *unroll(struct expr *e, int k, int length)
{
	if (!e)
		return NULL;
	if (e->op == EX_K || e->op == EX_LENGTH) {
		e->value = (uint64_t)(e->op == EX_K ? k : length);
		e->op = EX_CONST;
		return e;
	}
	if (e->op == EX_ELEMENT)
		e->kid[0] = unroll(e->kid[0], k, length);
	for (int j = 0; j < expr_kids(e->op); j++)
		e->kid[j] = unroll(e->kid[j], k, length);
	return e;
}

static struct expr *shape_expr(struct shapes *all, const struct machine *m, const struct expr *e, int k,
			       int length)
{
	return e ? expr_fold(all, unroll(expr_copy(all, e), k, length), 8 * m->width) : NULL;
}

static struct cond *shape_cond(struct shapes *all, const struct machine *m, const struct cond *c, int length)
{
	struct cond *r = c ? cond_copy(all, c) : NULL;

	if (r) {
		r->lhs = shape_expr(all, m, c->lhs, 0, length);
		r->rhs = shape_expr(all, m, c->rhs, 0, length);
	}
	return r;
}

static void shape_act(struct shapes *all, const struct machine *m, struct shape *s, const struct action *a,
		      int line, int k)
{
	struct action *r;

	ARRAY_RESIZE(all, s->acts, struct action, s->n + 1);
	ARRAY_RESIZE(all, s->line, int, s->n + 1);
	s->line[s->n] = line;
	r = &s->acts[s->n++];
	*r = *a;
	r->target = shape_expr(all, m, a->target, k, s->length);
	r->value = shape_expr(all, m, a->value, k, s->length);
	r->cond = shape_cond(all, m, a->cond, s->length);
}

static bool asked_for(const struct action *a, bool states)
{
	return a->kind != ACT_CLOBBER && a->kind != ACT_NEED && (a->kind == ACT_STATE) == states;
}

static void shape_step(struct shapes *all, const struct machine *m, struct shape *s, const struct step *step,
		       int line, bool states)
{
	for (size_t j = 0; j < step->nacts; j++) {
		const struct action *a = &step->acts[j];
		bool each = uses_k(a->target) || uses_k(a->value);

		for (int k = 0; asked_for(a, states) && k < (each ? s->length : 1); k++)
			shape_act(all, m, s, a, line, k);
	}
	if (step->loop)
		s->loop = shape_cond(all, m, step->loop, s->length);
}

/* a = a + something constant, a being what another action's address is made of. */
static int moved_operand(const struct shape *s, size_t j)
{
	const struct action *a = &s->acts[j];
	struct sum_parts sum;

	if (a->kind != ACT_SET || a->target->op != EX_OPERAND)
		return -1;
	sum = sum_split(s->pattern, a->value);
	if (sum.lost || sum.n != 1 || sum.term[0].neg || !expr_equal(sum.term[0].e, a->target))
		return -1;
	for (size_t k = 0; k < s->n; k++) {
		const struct expr *mem = action_access(&s->acts[k]);

		if (mem) {
			sum = sum_split(s->pattern, mem->kid[0]);
			for (int t = 0; t < sum.n; t++)
				if (expr_equal(sum.term[t].e, a->target))
					return a->target->index;
		}
	}
	return -1;
}

static void find_moves(struct shape *s)
{
	s->moves = s->base = -1;
	for (size_t j = 0; j < s->n && s->moves < 0; j++) {
		s->base = moved_operand(s, j);
		if (s->base >= 0)
			s->moves = (int)j;
	}
}

static void shape_new(struct shapes *all, const struct machine *m, const struct pattern *p, int list, int length)
{
	struct shape s = { .pattern = p, .list = list, .length = length };

	/* a state's change counts only where it is all that is done */
	for (int states = 0; states < 2 && !s.n; states++) {
		if (p->as.nacts)
			shape_step(all, m, &s, &p->as, 0, states);
		for (size_t l = 0; l < p->nlines && !p->as.nacts; l++)
			shape_step(all, m, &s, &p->lines[l].step, (int)l, states);
	}
	if (!s.n || (s.loop && p->nlines > 1))
		return;
	find_moves(&s);
	ARRAY_RESIZE(all, all->v, struct shape, all->n + 1);
	all->v[all->n++] = s;
}

struct shapes *shapes_new(void *ctx, const struct machine *m)
{
	struct shapes *all = talloc_zero(ctx, struct shapes);

	for (size_t i = 0; i < m->npatterns; i++) {
		const struct pattern *p = &m->patterns[i];
		int list = -1;

		for (size_t o = 0; o < p->noperands; o++)
			if (p->operands[o].kind == OPERAND_LIST)
				list = (int)o;
		if (list < 0)
			shape_new(all, m, p, -1, 0);
		for (int n = list < 0 ? 0 : p->operands[list].list_max; n && n >= p->operands[list].list_min; n--)
			shape_new(all, m, p, list, n);
	}
	return all;
}
