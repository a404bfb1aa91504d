/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Directions for joins.  When two paths meet, only bounds in given directions are looked for; these are the ones that
 * loops need before they have shown them by themselves: how far each cursor, counter and limit is from the others.
 */
#include <talloc.h>

#include "engine.h"

/* Registers by what they are used for; number: what is compared, an address, or added to. */
struct roles {
	struct regset dst, src, number;
};

static struct form var_of(const struct engine *e, int reg)
{
	return form_var(e->vars.of_reg[reg]);
}

static bool has_direction(const struct engine *e, const struct form *f)
{
	for (size_t k = 0; k < e->ndirections; k++)
		if (form_same(&e->directions[k], f))
			return true;
	return false;
}

/* No register (-1) wants none. */
static bool has_variable(const struct engine *e, int reg)
{
	return reg < 0 || e->vars.of_reg[reg];
}

static void add(struct engine *e, struct form f, int a, int b)
{
	struct regset regs = { 0 };

	f.k = 0;
	if (f.lost || !f.n || !has_variable(e, a) || !has_variable(e, b) || has_direction(e, &f))
		return;
	if (a >= 0)
		regset_add(&regs, a);
	if (b >= 0)
		regset_add(&regs, b);
	e->directions = talloc_realloc(e->ctx, e->directions, struct form, (unsigned)e->ndirections + 1);
	e->direction_regs = talloc_realloc(e->ctx, e->direction_regs, struct regset,
					   (unsigned)e->ndirections + 1);
	e->directions[e->ndirections] = f;
	e->direction_regs[e->ndirections++] = regs;
}

static struct form minus(int a, int b)
{
	return form_add(form_var(a), form_var(b), -1);
}

static void ghost_directions(struct engine *e)
{
	bool user = side_is_user(e, SIDE_SRC) || side_is_user(e, SIDE_DST);

	add(e, minus(VAR_N, VAR_W), -1, -1);
	add(e, minus(VAR_M, VAR_W), -1, -1);
	add(e, minus(VAR_W, VAR_M), -1, -1);
	add(e, form_var(VAR_W), -1, -1);
	if (user) {
		add(e, minus(VAR_P, VAR_W), -1, -1);
		add(e, minus(VAR_W, VAR_P), -1, -1);
		add(e, minus(VAR_P, VAR_M), -1, -1);
		add(e, minus(VAR_N, VAR_P), -1, -1);
	}
	if (e->p->info.zeroing) {
		add(e, minus(VAR_Y, VAR_W), -1, -1);
		add(e, minus(VAR_N, VAR_Y), -1, -1);
	}
}

static void find_addresses(const struct expr *x, struct roles *r, struct regset *side)
{
	if (!x)
		return;
	if (x->op == EX_MEM) {
		expr_reads(x->kid[0], side);
		expr_reads(x->kid[0], &r->number);
		expr_reads(x->kid[1], &r->number);
		return;
	}
	if (x->op == EX_ADD || x->op == EX_SUB || x->op == EX_NEG)
		expr_reads(x, &r->number);
	for (int k = 0; k < expr_kids(x->op); k++)
		find_addresses(x->kid[k], r, side);
}

static void find_roles(const struct engine *e, struct roles *r)
{
	for (int l = 0; l < e->cfg->lines; l++) {
		const struct step *s = cfg_step(e->cfg, l);

		for (size_t k = 0; k < s->nacts; k++) {
			const struct action *a = &s->acts[k];

			if (a->kind == ACT_STORE)
				find_addresses(a->target, r, &r->dst);
			if (a->kind == ACT_STORE || a->kind == ACT_SET)
				find_addresses(a->value, r, &r->src);
			cond_reads(a->cond, &r->number);
		}
		cond_reads(s->loop, &r->number);
	}
}

/* A register that addresses the destination: how far it is from W; one that may count or limit: how far from those. */
static void register_directions(struct engine *e, const struct roles *r, int reg)
{
	struct form far = form_add(var_of(e, reg), form_var(VAR_DST0), -1);

	if (regset_has(&r->dst, reg)) {
		add(e, form_add(form_var(VAR_W), far, -1), reg, -1);
		add(e, form_add(far, form_var(VAR_W), -1), reg, -1);
		add(e, far, reg, -1);
	} else if (regset_has(&r->src, reg)) {
		add(e, form_add(var_of(e, reg), form_var(VAR_SRC0), -1), reg, -1);
	} else {
		add(e, var_of(e, reg), reg, -1);
		add(e, form_scale(var_of(e, reg), -1), reg, -1);
		for (int d = 0; d < (int)e->m->nregs; d++)
			if (regset_has(&r->dst, d) && d != e->p->info.dst)
				add(e, form_add(var_of(e, reg), var_of(e, d), -1), reg, d);
	}
}

/* What an address is compared with may be a limit in its buffer. */
static void limit_direction(struct engine *e, const struct roles *r, int address, int limit)
{
	struct form below = form_add(form_var(VAR_N), var_of(e, limit), -1);

	if (regset_has(&r->dst, address))
		add(e, form_add(below, form_var(VAR_DST0), 1), limit, -1);
	if (regset_has(&r->src, address))
		add(e, form_add(below, form_var(VAR_SRC0), 1), limit, -1);
}

/* Numbers that are compared. */
static void compare_directions(struct engine *e, const struct roles *r, const struct cond *c)
{
	const struct expr *a, *b;

	if (!c)
		return;
	a = c->lhs;
	b = c->rhs;
	if (a->op != EX_REG || b->op != EX_REG || a->index == b->index)
		return;
	add(e, form_add(var_of(e, a->index), var_of(e, b->index), -1), a->index, b->index);
	add(e, form_add(var_of(e, b->index), var_of(e, a->index), -1), a->index, b->index);
	limit_direction(e, r, a->index, b->index);
	limit_direction(e, r, b->index, a->index);
}

void directions_find(struct engine *e)
{
	struct roles r = { 0 };

	ghost_directions(e);
	find_roles(e, &r);
	for (int reg = 0; reg < (int)e->m->nregs; reg++)
		if (regset_has(&r.number, reg) && reg != e->m->zero)
			register_directions(e, &r, reg);
	for (int l = 0; l < e->cfg->lines; l++) {
		const struct step *s = cfg_step(e->cfg, l);

		compare_directions(e, &r, s->loop);
		for (size_t k = 0; k < s->nacts; k++)
			compare_directions(e, &r, s->acts[k].cond);
	}
}

static bool all_numbers(const struct engine *e, const struct astate *s, const struct regset *regs,
			const struct regset *live)
{
	for (int w = 0; w < 4; w++)
		for (uint64_t b = regs->bits[w]; b; b &= b - 1) {
			int reg = 64 * w + __builtin_ctzll(b);

			if (!regset_has(live, reg) ||
			    s->held[e->vars.of_reg[reg] - e->vars.base].kind != HELD_NUMBER)
				return false;
		}
	return true;
}

size_t directions_at(const struct engine *e, const struct astate *s, const struct regset *live,
		     struct form *ret)
{
	size_t n = 0;

	for (size_t k = 0; k < e->ndirections; k++)
		if (all_numbers(e, s, &e->direction_regs[k], live))
			ret[n++] = e->directions[k];
	for (int i = 0; i < FAMILIES; i++)
		if (s->family[i]) {
			ret[n++] = form_var(e->vars.quotient[i]);
			ret[n++] = form_var(e->vars.rest[i]);
			ret[n++] = form_scale(form_var(e->vars.rest[i]), -1);
		}
	for (int i = 0; s->bits && i < e->vars.nbits; i++) {
		ret[n++] = form_var(e->vars.bit[i]);
		ret[n++] = form_scale(form_var(e->vars.bit[i]), -1);
	}
	/* What is left of what is held, behind anything that may count it. */
	for (int v = e->vars.base, most = GRANTED_MAX; s->granted && v <= e->vars.count && most; v++)
		if (s->held[v - e->vars.base].kind == HELD_NUMBER && regset_has(live, e->vars.reg_of[v])) {
			ret[n++] = form_add(form_add(*s->granted, form_var(VAR_W), -1), form_var(v), -1);
			most--;
		}
	if (e->measuring) {
		ret[n++] = form_add(form_var(e->measuring), form_var(e->vars.measure), -1);
		ret[n++] = form_add(form_var(e->vars.measure), form_var(e->measuring), -1);
	}
	return n;
}
