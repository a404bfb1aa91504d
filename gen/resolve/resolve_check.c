/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Rules that every pattern keeps, checked once its names are bound. */
#include "resolve_priv.h"

static void refuse(struct binder *b, enum diag_id id, struct place at, const char *text)
{
	fail(b->r, id, at, "%s", text);
	b->bad = true;
}

static void check_used(struct binder *b)
{
	for (size_t i = 0; i < b->p->noperands; i++) {
		const struct operand *o = &b->p->operands[i];

		if (o->kind == OPERAND_POOL ? b->p->pool != NULL : o->kind == OPERAND_ANNUL ? b->r->m->annul != NULL : b->used[i])
			continue;
		fail(b->r, DIAG_UNUSED, o->place,
		     o->kind == OPERAND_POOL ? "`%s` prints the pool's label, but there is no `pool` text" :
		     o->kind == OPERAND_ANNUL ? "`%s` skips a slot, but the machine's `delay` does not say how" :
						"`%s` is printed, but the effect does nothing with it",
		     o->name);
		b->bad = true;
	}
	if (b->p->pool && find_operand(b->p, "@") < 0)
		refuse(b, DIAG_MARK, b->sp->pool.place,
		       "there is a `pool` text, but no text prints its label {@}");
}

static bool is_blank(const struct text *t)
{
	for (size_t k = 0; k < t->nparts; k++)
		if (!t->parts[k].literal || t->parts[k].literal[strspn(t->parts[k].literal, " \t")])
			return false;
	return true;
}

/* What prints nothing does nothing, whatever its effect says. */
static void check_texts(struct binder *b)
{
	for (size_t i = 0; i < b->p->nlines; i++)
		if (is_blank(&b->p->lines[i].text))
			refuse(b, DIAG_TEXT, b->sp->lines[i].text.place, "an instruction has a text that is not blank");
	if (b->p->pool && is_blank(b->p->pool))
		refuse(b, DIAG_TEXT, b->sp->pool.place, "nothing would stand in the pool");
}

static bool expr_has(const struct expr *e, enum expr_op op)
{
	if (!e)
		return false;
	if (e->op == op)
		return true;
	for (int i = 0; i < 3; i++)
		if (expr_has(e->kid[i], op))
			return true;
	return false;
}

static bool has_all_elements(const struct pattern *p, int list)
{
	for (size_t i = 0; i < p->nlines; i++)
		for (size_t k = 0; k < p->lines[i].step.nacts; k++) {
			const struct action *a = &p->lines[i].step.acts[k];

			if ((a->target && a->target->op == EX_ELEMENT && a->target->index == list &&
			     a->target->kid[0]->op == EX_K) ||
			    (a->value && expr_has(a->value, EX_K)))
				return true;
		}
	return false;
}

static void check_lists(struct binder *b)
{
	int before = -1;

	for (size_t i = 0; i < b->p->noperands; i++) {
		const struct operand *o = &b->p->operands[i];

		if (o->kind != OPERAND_LIST)
			continue;
		if (before >= 0)
			refuse(b, DIAG_INDEX, o->place, "a pattern has one list at most");
		else if (!has_all_elements(b->p, (int)i))
			refuse(b, DIAG_INDEX, o->place,
			       "the effect never says what happens to each `[k]` of this list");
		before = (int)i;
	}
}

static int register_width(const struct binder *b, const struct expr *e)
{
	const struct machine *m = b->r->m;

	if (e->op == EX_REG)
		return m->regs[e->index].width;
	if (e->op == EX_OPERAND || e->op == EX_ELEMENT)
		return b->p->operands[e->index].kind == OPERAND_IMM
			       ? 64
			       : m->classes[b->p->operands[e->index].reg_class].width;
	return 64;
}

static void check_width(struct binder *b, const struct expr *mem, const struct expr *reg)
{
	int width = register_width(b, reg);

	if (mem->op != EX_MEM || !mem->kid[1] || mem->kid[1]->op != EX_CONST ||
	    mem->kid[1]->value <= (uint64_t)width)
		return;
	fail(b->r, DIAG_WIDER, mem->place, "%llu bytes are accessed, but the register has %d",
	     (unsigned long long)mem->kid[1]->value, width);
	b->bad = true;
}

static void check_widths(struct binder *b)
{
	for (size_t i = 0; i < b->p->nlines; i++)
		for (size_t k = 0; k < b->p->lines[i].step.nacts; k++) {
			const struct action *a = &b->p->lines[i].step.acts[k];

			if (a->kind == ACT_SET)
				check_width(b, a->value, a->target);
			else if (a->kind == ACT_STORE)
				check_width(b, a->target, a->value);
		}
}

static bool step_has(const struct step *s, enum action_kind kind)
{
	for (size_t k = 0; k < s->nacts; k++)
		if (s->acts[k].kind == kind)
			return true;
	return false;
}

static bool has_kind(const struct pattern *p, enum action_kind kind)
{
	for (size_t i = 0; i < p->nlines; i++)
		if (step_has(&p->lines[i].step, kind))
			return true;
	return false;
}

static bool goes_elsewhere(const struct step *s)
{
	return step_has(s, ACT_GOTO) || step_has(s, ACT_RETURN) || step_has(s, ACT_CALL);
}

static bool has_access(const struct pattern *p)
{
	for (size_t i = 0; i < p->nlines; i++)
		for (size_t k = 0; k < p->lines[i].step.nacts; k++)
			if (p->lines[i].step.acts[k].kind == ACT_STORE ||
			    expr_has(p->lines[i].step.acts[k].value, EX_MEM))
				return true;
	return false;
}

/* The slot is printed behind all lines. */
static void check_slot(struct binder *b)
{
	const struct spec_pattern *sp = b->sp;
	size_t last = b->p->nlines - 1, i = 0;

	while (i < last && !goes_elsewhere(&b->p->lines[i].step))
		i++;
	if (i < last)
		refuse(b, DIAG_MARK, sp->lines[i].effect_place,
		       "the slot is behind the last line, yet this one goes elsewhere");
	else if (!goes_elsewhere(&b->p->lines[last].step))
		refuse(b, DIAG_MARK, sp->place, "`slot` is for what goes elsewhere");
	else if (!b->r->m->delay)
		refuse(b, DIAG_MARK, sp->place, "`slot`, but the machine has no `delay`");
}

static void check_marks(struct binder *b)
{
	const struct spec_pattern *sp = b->sp;

	if (sp->tears.n && !has_kind(b->p, ACT_STORE))
		refuse(b, DIAG_MARK, sp->tears.place,
		       "`tears` says how a store is torn, but nothing is stored");
	if (sp->aligned.n && !has_access(b->p))
		refuse(b, DIAG_MARK, sp->aligned.place, "`aligned` is about accesses, but there is none");
	if (sp->slot)
		check_slot(b);
}

/* A load that another access needs to know where, or how much. */
static struct expr *load_in_access(struct expr *e)
{
	struct expr *found = NULL;

	for (int i = 0; e && i < 3 && !found; i++)
		found = e->op == EX_MEM ? expr_find_mem(e->kid[i]) : load_in_access(e->kid[i]);
	return found;
}

static void refuse_load(struct binder *b, const struct expr *load)
{
	if (load)
		refuse(b, DIAG_LOAD, load->place, "nothing can be loaded here: loads stand in what is assigned, "
		       "stored or compared by `if`, and in no address");
}

static void refuse_load_in_cond(struct binder *b, const struct cond *c, struct expr *(*find)(struct expr *e))
{
	if (c) {
		refuse_load(b, find(c->lhs));
		refuse_load(b, find(c->rhs));
	}
}

/* The proof sees accesses in what is assigned, stored or compared by `if`: what is read elsewhere would be none. */
static void check_loads(struct binder *b)
{
	for (size_t i = 0; i < b->p->nlines; i++) {
		const struct step *s = &b->p->lines[i].step;

		refuse_load_in_cond(b, s->loop, expr_find_mem);
		for (size_t k = 0; k < s->nacts; k++) {
			const struct action *a = &s->acts[k];

			refuse_load(b, load_in_access(a->target));
			refuse_load(b, load_in_access(a->value));
			refuse_load_in_cond(b, a->cond, a->kind == ACT_NEED ? expr_find_mem : load_in_access);
		}
	}
}

/* What is repeated comes to its end by its condition: an edge out of its middle would be none of the graph's. */
static void check_loop(struct binder *b)
{
	for (size_t i = 0; i < b->p->nlines; i++) {
		const struct step *s = &b->p->lines[i].step;

		for (size_t k = 0; s->loop && k < s->nacts; k++)
			if (s->acts[k].kind == ACT_GOTO || s->acts[k].kind == ACT_RETURN || s->acts[k].kind == ACT_CALL)
				refuse(b, DIAG_LOOP_LEAVES, s->acts[k].place, "what is done in a `while` can't go elsewhere");
	}
}

static void check_sides(struct binder *b)
{
	for (size_t i = 0; i < b->p->noperands; i++)
		if (b->p->operands[i].kind == OPERAND_SPACE && !b->r->m->target.sides[0]) {
			fail(b->r, DIAG_SIDES, b->p->operands[i].place,
			     "`%s` prints a side's space, but target `%s` has no `sides`",
			     b->p->operands[i].name, b->r->m->target.name);
			b->bad = true;
		}
}

/* Widest store whose length is known. */
static uint64_t widest_store(const struct pattern *p)
{
	uint64_t widest = 0;

	for (size_t i = 0; i < p->nlines; i++)
		for (size_t k = 0; k < p->lines[i].step.nacts; k++) {
			const struct action *a = &p->lines[i].step.acts[k];

			if (a->kind == ACT_STORE && a->target->kid[1]->op == EX_CONST &&
			    a->target->kid[1]->value > widest)
				widest = a->target->kid[1]->value;
		}
	return widest;
}

/* Fixed registers that a pattern takes for itself are nobody else's. */
static void check_own(struct binder *b)
{
	const struct machine *m = b->r->m;
	struct regset hidden = b->p->own;
	bool called = has_kind(b->p, ACT_CALL), bracket = has_kind(b->p, ACT_STATE);

	for (size_t i = 0; i < b->p->nlines && !b->p->as.nacts; i++)
		for (size_t k = 0; k < b->p->lines[i].step.nacts; k++)
			if (b->p->lines[i].step.acts[k].kind == ACT_SET &&
			    b->p->lines[i].step.acts[k].target->op == EX_REG)
				regset_del(&hidden, b->p->lines[i].step.acts[k].target->index);
	if (m->zero >= 0 && regset_has(&b->p->own, m->zero)) {
		fail(b->r, DIAG_OWN, b->p->place, "this writes `%s`, which is always 0", m->regs[m->zero].name);
		b->bad = true;
	}
	if (b->p->needs_frame && !called)
		refuse(b, DIAG_OWN, b->p->place, "this destroys a register that must be as at entry on every way out");
	for (int i = 0; i < (int)m->nregs && !called; i++) {
		bool is_free = false;

		for (size_t k = 0; k < m->nfree; k++)
			is_free = is_free || m->free[k] == i;
		if (regset_has(&b->p->own, i) && regset_has(&m->kept, i)) {
			fail(b->r, DIAG_OWN, b->p->place,
			     "this writes `%s`, which must be as at entry on every way out", m->regs[i].name);
			b->bad = true;
		} else if (regset_has(&hidden, i) && is_free && !bracket) {
			fail(b->r, DIAG_OWN, b->p->place, "this destroys `%s`, which is free for anything",
			     m->regs[i].name);
			b->bad = true;
		}
	}
}

void check_pattern(struct binder *b)
{
	check_texts(b);
	check_used(b);
	check_lists(b);
	check_widths(b);
	check_marks(b);
	check_loads(b);
	check_loop(b);
	check_sides(b);
	check_numbers(b);
	find_distinct(b->p);
	check_own(b);
	if (!b->sp->tears.n && b->r->m->granularity && widest_store(b->p) > (uint64_t)b->r->m->granularity)
		b->p->tears = b->r->m->granularity;
}
