/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What registers hold before a case, so that accesses lie in the arena, and after it. */
#include "make.h"

#include <string.h>
#include <talloc.h>

#include "interp.h"

#define TRIES 300
#define NOWHERE 0x1000000	/* so far from the arena there is no memory */

static uint64_t mask_of(int width)
{
	return width < 8 ? ((uint64_t)1 << 8 * width) - 1 : ~(uint64_t)0;
}

static uint64_t random_value(struct maker *k, int width)
{
	uint64_t r = noise(&k->random), top = (uint64_t)1 << (8 * width - 1);

	switch (below(k, 8)) {
	case 0: return r % 3 - 1;			/* -1, 0, 1 */
	case 1: return r % 80;
	case 2: return top + r % 3 - 1;
	case 3: return r & 0xffffffffu;
	case 4: return (uint64_t)1 << r % (8 * (uint64_t)width);
	case 5: return (r & 255) * 0x0101010101010101u;
	default: return r;
	}
}

/* Registers of amounts hold no more than an amount. */
static void keep_amounts_small(const struct maker *k, struct trial *t)
{
	const struct machine *m = k->machine;

	for (size_t c = 0; c < m->nclasses; c++) {
		const struct reg_class *cl = &m->classes[c];
		int limit = 0;

		if (strcmp(cl->name, "shift") == 0)
			limit = 8 * m->width;
		else if (strcmp(cl->name, "align") == 0)
			limit = m->width;
		for (size_t i = 0; limit && i < cl->nregs; i++)
			t->before[cl->regs[i]].word[0] %= (uint64_t)limit;
	}
}

static void random_registers(struct maker *k, struct trial *t)
{
	const struct machine *m = k->machine;

	for (size_t r = 0; r < m->nregs; r++) {
		int width = m->regs[r].width;

		for (int w = 0; w < (width + 7) / 8; w++)
			t->before[r].word[w] = random_value(k, width < 8 ? width : 8) & mask_of(width);
	}
	keep_amounts_small(k, t);
	if (m->zero >= 0)
		t->before[m->zero].word[0] = 0;
}

/* What a line before `line` has put into a register, and (*ret_line) which; NULL: none has. */
static const struct expr *set_before(const struct trial *t, int reg, int line, int *ret_line)
{
	while (line-- > 0) {
		const struct step *s = &t->program->insns[0].steps[line];

		for (size_t a = 0; a < s->nacts; a++)
			if (s->acts[a].kind == ACT_SET && s->acts[a].target->index == reg)
				return *ret_line = line, s->acts[a].value;
	}
	return NULL;
}

/* A value of registers and constants, as it is at a line; false: it is none. */
static bool eval(const struct maker *k, const struct trial *t, const struct expr *e, int line, uint64_t *ret)
{
	uint64_t v[3] = { 0, 0, 0 };

	if (e->op == EX_CONST) {
		*ret = e->value;
	} else if (e->op == EX_REG) {
		const struct expr *set = set_before(t, e->index, line, &line);

		if (set)
			return eval(k, t, set, line, ret);
		*ret = t->before[e->index].word[0];
	} else {
		if (!expr_kids(e->op) || e->op == EX_MEM)
			return false;
		for (int i = 0; i < expr_kids(e->op); i++)
			if (!eval(k, t, e->kid[i], line, &v[i]))
				return false;
		if (!expr_apply(e->op, v, 8 * k->machine->width, ret))
			return false;
	}
	*ret &= mask_of(k->machine->width);
	return true;
}

/* The register that moves a value when it is added to; -1: none. */
static int base_of(const struct maker *k, const struct trial *t, const struct expr *e, int line)
{
	const struct expr *set;
	int r;

	switch (e->op) {
	case EX_REG:
		set = set_before(t, e->index, line, &line);
		if (set)
			return base_of(k, t, set, line);
		return e->index == k->machine->zero ? -1 : e->index;
	case EX_ADD:
		r = base_of(k, t, e->kid[0], line);
		return r >= 0 ? r : base_of(k, t, e->kid[1], line);
	case EX_SUB: case EX_AND:
		return base_of(k, t, e->kid[0], line);
	default:
		return -1;
	}
}

static void move(struct maker *k, struct trial *t, const struct expr *e, int line, uint64_t to)
{
	int base = base_of(k, t, e, line);
	uint64_t now;

	if (base >= 0 && eval(k, t, e, line, &now))
		t->before[base].word[0] = (t->before[base].word[0] + to - now) & mask_of(k->machine->regs[base].width);
}

struct placing { struct maker *k; struct trial *t; int base[4]; int n; bool aligned; };

/* Each base register has a quarter of the arena of its own. */
static uint64_t place_for(struct placing *p, int base)
{
	uint64_t offset = (uint64_t)p->n * (ARENA / 4) + 96 + below(p->k, 64);

	p->base[p->n++] = base;
	return p->k->arena + (p->aligned ? offset & ~(uint64_t)15 : offset);
}

static void place_expr(struct placing *p, const struct expr *e, int line)
{
	uint64_t length;
	int base;

	if (!e)
		return;
	if (e->op != EX_MEM) {
		for (int i = 0; i < expr_kids(e->op); i++)
			place_expr(p, e->kid[i], line);
		return;
	}
	base = base_of(p->k, p->t, e->kid[0], line);
	for (int i = 0; i < p->n; i++)
		if (p->base[i] == base)
			return;
	if (base < 0 || p->n == 4)
		return;
	move(p->k, p->t, e->kid[0], line, place_for(p, base));
	/* What moves no byte must not fault anywhere. */
	if (eval(p->k, p->t, e->kid[1], line, &length) && !length)
		p->t->before[base].word[0] ^= NOWHERE;
}

static void near_equal(struct maker *k, struct trial *t, const struct cond *c, int line)
{
	uint64_t rhs;

	if (c && below(k, 2) && eval(k, t, c->rhs, line, &rhs))
		move(k, t, c->lhs, line, rhs + below(k, 3) - 1);
}

static void place_all(struct placing *p)
{
	const struct insn *n = &p->t->program->insns[0];

	for (int l = 0; l < n->nsteps; l++) {
		const struct step *s = &n->steps[l];

		if (s->loop)
			move(p->k, p->t, s->loop->lhs, l, below(p->k, 12));
		for (size_t a = 0; a < s->nacts; a++)
			near_equal(p->k, p->t, s->acts[a].cond, l);
	}
	for (int l = 0; l < n->nsteps; l++)
		for (size_t a = 0; a < n->steps[l].nacts; a++) {
			const struct action *act = &n->steps[l].acts[a];

			if (act->kind != ACT_SET && act->kind != ACT_STORE)
				continue;
			place_expr(p, act->kind == ACT_STORE ? act->target : NULL, l);
			place_expr(p, act->value, l);
		}
}

/*
 * Does a line move memory to memory by one register?  The two might overlap, where an effect (all reads before all
 * writes) says nothing about the order of bytes, and no routine relies on it.
 */
static bool may_overlap(const struct maker *k, const struct trial *t)
{
	const struct insn *n = &t->program->insns[0];

	for (int l = 0; l < n->nsteps; l++)
		for (size_t a = 0; a < n->steps[l].nacts; a++) {
			const struct action *act = &n->steps[l].acts[a];

			if (act->kind == ACT_STORE && act->value->op == EX_MEM &&
			    base_of(k, t, act->target->kid[0], l) == base_of(k, t, act->value->kid[0], l))
				return true;
		}
	return false;
}

static void note_clobbers(struct trial *t)
{
	const struct insn *n = &t->program->insns[0];

	t->any = (struct regset){ { 0 } };
	for (int l = 0; l < n->nsteps; l++)
		for (size_t a = 0; a < n->steps[l].nacts; a++)
			if (n->steps[l].acts[a].kind == ACT_CLOBBER)
				regset_or(&t->any, &n->steps[l].acts[a].clobber);
}

/* States are entered by other instructions; here every one is as the pattern needs it. */
static void drop_states(struct trial *t)
{
	struct insn *n = &t->program->insns[0];

	for (int l = 0; l < n->nsteps; l++) {
		struct step *s = &n->steps[l];
		size_t kept = 0;

		for (size_t a = 0; a < s->nacts; a++)
			if (s->acts[a].kind != ACT_STATE && (s->acts[a].kind != ACT_NEED || s->acts[a].index < 0))
				s->acts[kept++] = s->acts[a];
		s->nacts = kept;
	}
}

static void move_registers(struct maker *k, struct interp *in, struct value *v, bool set)
{
	for (int r = 0; r < (int)k->machine->nregs; r++) {
		int bytes;
		uint64_t *at = interp_reg(in, r, &bytes);
		size_t size = sizeof *at * (size_t)((bytes + 7) / 8);

		if (set)
			memcpy(at, v[r].word, size);
		else
			memcpy(v[r].word, at, size);
	}
}

static enum verdict execute(struct maker *k, struct trial *t, struct interp *in)
{
	struct interp_memory m = { k->arena, ARENA, t->memory };
	enum verdict v;
	int at;

	arena_fill(t->memory, t->seed);
	move_registers(k, in, t->before, true);
	v = interp_free(in, &m, &at);
	move_registers(k, in, t->after, false);
	t->taken = at == 2;
	return v;
}

bool choose_values(struct maker *k, struct trial *t, bool want, const char **ret_why)
{
	struct interp *in;
	bool aligned = false, found = false;

	drop_states(t);
	note_clobbers(t);
	*ret_why = "source and destination overlap";
	in = may_overlap(k, t) ? NULL : interp_new(k->ctx, t->program, ret_why);
	if (!in)
		return false;
	for (int tries = 0; tries < TRIES; tries++) {
		struct placing p = { .k = k, .t = t, .aligned = aligned };
		enum verdict v;

		t->seed = 1 + below(k, 1000000);
		random_registers(k, t);
		place_all(&p);
		v = execute(k, t, in);
		aligned |= v == RUN_MISALIGNED;
		if (v != RUN_OK)
			*ret_why = interp_verdict_text(v);
		found = v == RUN_OK;
		/* After half the tries either way will do. */
		if (found && (t->taken == want || tries > TRIES / 2))
			break;
	}
	talloc_free(in);
	return found;
}
