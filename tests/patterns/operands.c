/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Operands of a case: registers of the right class, edges of immediates. */
#include "make.h"

#include <talloc.h>

#include "instantiate.h"

#define EDGES_MAX 64

struct edges { int64_t v[EDGES_MAX]; int n; };

/* The immediate that is printed as x; any number if there is none, imm_fits will refuse it. */
static int64_t printed_as(const struct text_part *part, int64_t x)
{
	int64_t at0 = printed_value(part, 0), slope = printed_value(part, 1) - at0;

	if (slope == 1 || slope == -1)
		return (x - at0) * slope;
	for (int64_t i = -1024; i <= 1024; i++)
		if (printed_value(part, i) == x)
			return i;
	return x;
}

static void add_edge(const struct maker *k, const struct pattern *p, int o, const struct text_part *part, int64_t x,
		     struct edges *e)
{
	int64_t imm;

	if (e->n == EDGES_MAX || !imm_fits(k->machine, p, o, (uint64_t)printed_as(part, x), &imm))
		return;
	for (int i = 0; i < e->n; i++)
		if (e->v[i] == imm)
			return;
	e->v[e->n++] = imm;
}

static int64_t power(const struct range *r, int64_t ones)
{
	uint64_t p = (uint64_t)1 << (ones < 63 ? ones : 63);

	if (r->kind == RANGE_ONES)
		return ones > 63 ? -1 : (int64_t)(p - 1);
	return (int64_t)(0 - p);
}

static int64_t step_of(const struct range *r)
{
	return r->step > 0 ? r->step : 1;
}

static void range_edges(const struct maker *k, const struct pattern *p, int o, const struct text_part *part,
			const struct range *r, struct edges *e)
{
	int64_t step = step_of(r);

	if (r->kind != RANGE_STEP) {
		const int64_t ones[] = { 1, 2, 8, r->hi / 2, r->hi - 1, r->hi };

		for (size_t i = 0; i < sizeof ones / sizeof *ones; i++)
			if (ones[i] >= 1)
				add_edge(k, p, o, part, power(r, ones[i]), e);
		return;
	}
	add_edge(k, p, o, part, r->lo, e);
	add_edge(k, p, o, part, r->hi, e);
	if ((uint64_t)r->hi - (uint64_t)r->lo < (uint64_t)step)
		return;
	add_edge(k, p, o, part, r->lo + step, e);
	add_edge(k, p, o, part, r->hi - step, e);
	add_edge(k, p, o, part, 0, e);
}

/* Calls for each hole that prints operand o; the pool's text counts. */
static struct edges edges_of(const struct maker *k, const struct pattern *p, int o)
{
	struct edges e = { .n = 0 };

	for (size_t l = 0; l <= p->nlines; l++) {
		const struct text *t = l < p->nlines ? &p->lines[l].text : p->pool;

		for (size_t i = 0; t && i < t->nparts; i++) {
			const struct text_part *part = &t->parts[i];

			if (part->literal || part->operand != o)
				continue;
			for (size_t r = 0; r < part->ranges.n; r++)
				range_edges(k, p, o, part, &part->ranges.v[r], &e);
		}
	}
	return e;
}

int edges(const struct maker *k, const struct pattern *p)
{
	int most = 0;

	for (size_t o = 0; o < p->noperands; o++)
		if (p->operands[o].kind == OPERAND_IMM) {
			int n = edges_of(k, p, (int)o).n;

			most = n > most ? n : most;
		}
	return most;
}

static int64_t within(struct maker *k, const struct range *r)
{
	uint64_t span = (uint64_t)r->hi - (uint64_t)r->lo, step = (uint64_t)step_of(r);

	if (r->kind != RANGE_STEP)
		return power(r, 1 + (int64_t)below(k, (uint64_t)r->hi));
	/* Half of them small, as most are in use. */
	if (span / step > 64 && below(k, 2))
		span = 64 * step;
	span /= step;
	return (int64_t)((uint64_t)r->lo + step * (span == ~(uint64_t)0 ? noise(&k->random) : below(k, span + 1)));
}

static bool random_imm(struct maker *k, const struct pattern *p, int o, int64_t *ret)
{
	for (size_t l = 0; l <= p->nlines; l++) {
		const struct text *t = l < p->nlines ? &p->lines[l].text : p->pool;

		for (size_t i = 0; t && i < t->nparts; i++) {
			const struct text_part *part = &t->parts[i];
			const struct ranges *r = &part->ranges;
			int64_t x;

			if (part->literal || part->operand != o || !r->n)
				continue;
			x = printed_as(part, within(k, &r->v[below(k, r->n)]));
			if (imm_fits(k->machine, p, o, (uint64_t)x, ret))
				return true;
		}
	}
	return imm_fits(k->machine, p, o, below(k, 16), ret);
}

static bool choose_imm(struct maker *k, const struct pattern *p, int o, int edge, int64_t *ret)
{
	struct edges e = edges_of(k, p, o);

	if (edge >= 0 && edge < e.n)
		return *ret = e.v[edge], true;
	if (e.n && below(k, 3) == 0)
		return *ret = e.v[below(k, (uint64_t)e.n)], true;
	return random_imm(k, p, o, ret);
}

static bool choose_reg(struct maker *k, const struct pattern *p, int o, int *ret)
{
	const struct reg_class *c = &k->machine->classes[p->operands[o].reg_class];

	*ret = c->regs[below(k, c->nregs)];
	return reg_fits(k->machine, p, o, *ret);
}

static bool choose_list(struct maker *k, const struct operand *o, union operand_value *v)
{
	const struct reg_class *c = &k->machine->classes[o->reg_class];
	size_t length = (size_t)o->list_min + below(k, (uint64_t)(o->list_max - o->list_min) + 1);
	size_t from = below(k, c->nregs);
	int *regs = talloc_array(k->ctx, int, (unsigned)length);
	bool run = o->list_order == LIST_RUN || o->list_order == LIST_EVEN;
	size_t n = 0;

	for (size_t i = run ? from : 0; i < c->nregs && n < length; i++)
		if (run || below(k, c->nregs - i) < length - n)
			regs[n++] = c->regs[i];
	v->list.regs = regs;
	v->list.n = (int)n;
	return n == length && list_fits(k->machine, o, regs, (int)n);
}

static bool choose_relation(struct maker *k, const struct operand *o, enum relation *ret)
{
	*ret = (enum relation)below(k, REL_COUNT);
	return o->relation->text[*ret] != NULL;
}

static const char *space_of(const struct machine *m)
{
	return m->target.sides[1] ? m->target.sides[1] : m->target.sides[0];
}

static bool choose_one(struct maker *k, const struct pattern *p, int o, int edge, union operand_value *v)
{
	switch (p->operands[o].kind) {
	case OPERAND_REG:
		return choose_reg(k, p, o, &v->reg);
	case OPERAND_LIST:
		return choose_list(k, &p->operands[o], v);
	case OPERAND_IMM:
		return choose_imm(k, p, o, edge, &v->imm);
	case OPERAND_RELATION:
		return choose_relation(k, &p->operands[o], &v->rel);
	case OPERAND_LABEL:
		v->label = 0;
		return true;
	case OPERAND_POOL:
		v->label = 1;
		return true;
	case OPERAND_ANNUL:
		v->annul = edge & 1;
		return true;
	case OPERAND_SPACE:
		v->symbol = space_of(k->machine);
		return v->symbol != NULL;
	case OPERAND_CALLEE:
		break;
	}
	return false;
}

static bool choose_all(struct maker *k, const struct pattern *p, int edge, union operand_value *v)
{
	for (size_t o = 0; o < p->noperands; o++) {
		int tries = 100;

		while (!choose_one(k, p, (int)o, edge, &v[o]))
			if (!--tries)
				return false;
	}
	return true;
}

struct program *choose_operands(struct maker *k, const struct pattern *p, int edge)
{
	struct program *prog = program_new(k->ctx, k->machine);
	struct insn *i = program_append(prog, p, p->place);

	program_label(prog, "taken");
	program_label(prog, "pool");
	prog->labels[0].at = 2;
	prog->labels[1].at = 2;
	i->operands = talloc_zero_array(prog, union operand_value, (unsigned)p->noperands + 1);
	for (int tries = 0; tries < 200; tries++)
		if (choose_all(k, p, edge, i->operands) && instantiate(prog, k->machine, p, i->operands, i->steps)) {
			i->nsteps = (int)p->nlines;
			return prog;
		}
	talloc_free(prog);
	return NULL;
}
