/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a pattern reads and writes, and which of its operands must therefore be different registers. */
#include "resolve_priv.h"

static void read_expr(struct uses *u, const struct expr *e, bool address)
{
	if (!e)
		return;
	if (e->op == EX_OPERAND || e->op == EX_ELEMENT) {
		u->reads |= (uint32_t)1 << e->index;
		if (address)
			u->addresses |= (uint32_t)1 << e->index;
		return;
	}
	if (e->op == EX_MEM) {
		u->loads = true;
		read_expr(u, e->kid[0], true);
		read_expr(u, e->kid[1], false);
		return;
	}
	for (int i = 0; i < expr_kids(e->op); i++)
		read_expr(u, e->kid[i], address);
}

static void read_cond(struct uses *u, const struct cond *c)
{
	if (c) {
		read_expr(u, c->lhs, false);
		read_expr(u, c->rhs, false);
	}
}

struct uses action_uses(const struct action *a)
{
	struct uses u = {.sets = a->clobber};

	read_expr(&u, a->value, false);
	read_cond(&u, a->cond);
	if (a->kind == ACT_STORE || a->kind == ACT_HINT) {
		bool loads = u.loads;

		read_expr(&u, a->target, false);
		u.loads = loads;
		u.stores = a->kind == ACT_STORE;
	} else if (a->target && a->target->op == EX_REG) {
		regset_add(&u.sets, a->target->index);
	} else if (a->target) {
		u.writes |= (uint32_t)1 << a->target->index;
	}
	return u;
}

static void merge(struct uses *u, const struct uses *more)
{
	u->reads |= more->reads;
	u->writes |= more->writes;
	u->addresses |= more->addresses;
	u->loads |= more->loads;
	u->stores |= more->stores;
	for (int i = 0; i < 4; i++)
		u->sets.bits[i] |= more->sets.bits[i];
}

static struct uses step_uses(const struct step *s)
{
	struct uses u = {0};

	read_cond(&u, s->loop);
	for (size_t i = 0; i < s->nacts; i++) {
		struct uses one = action_uses(&s->acts[i]);

		merge(&u, &one);
	}
	return u;
}

static uint32_t printed(const struct text *t)
{
	uint32_t set = 0;

	for (size_t i = 0; i < t->nparts; i++)
		if (!t->parts[i].literal)
			set |= (uint32_t)1 << t->parts[i].operand;
	return set;
}

static void differ(struct pattern *p, uint32_t a, uint32_t b)
{
	for (size_t i = 0; i < p->noperands; i++) {
		uint32_t bit = (uint32_t)1 << i;

		if (a & bit)
			p->differ[i] |= b & ~bit;
		if (b & bit)
			p->differ[i] |= a & ~bit;
	}
}

static uint32_t registers(const struct pattern *p)
{
	uint32_t set = 0;

	for (size_t i = 0; i < p->noperands; i++)
		if (p->operands[i].kind == OPERAND_REG || p->operands[i].kind == OPERAND_LIST)
			set |= (uint32_t)1 << i;
	return set;
}

/* Lines without an effect are part of the next one's: what they may have written must not be read under
 * another name. */
static void differ_in_group(struct pattern *p, size_t first, size_t last, uint32_t written)
{
	for (size_t i = first; i < last; i++)
		for (size_t k = i + 1; k <= last; k++)
			differ(p, written & printed(&p->lines[i].text), printed(&p->lines[k].text));
}

/*
 * Registers that one line writes differ; what a line has written is another register than what a later one
 * reads under another name; a base that is written back is no other operand.
 */
void find_distinct(struct pattern *p)
{
	struct uses all = {0};
	uint32_t regs = registers(p);
	size_t group = 0;

	p->differ = ARRAY_NEW(p->operands, uint32_t, p->noperands + 1);
	for (size_t i = 0; i < p->nlines; i++) {
		struct uses u = step_uses(&p->lines[i].step);

		if (p->lines[i].step.nacts) {
			differ(p, u.writes, u.writes);
			differ(p, all.writes, u.reads);
			differ_in_group(p, group, i, u.writes);
			group = i + 1;
		}
		merge(&all, &u);
	}
	differ(p, all.writes & all.addresses, regs);
	p->own = all.sets;
	for (size_t i = 0; i < p->noperands; i++)
		p->differ[i] = regs >> i & 1 ? p->differ[i] & regs : 0;
}
