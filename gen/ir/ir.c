/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "ir.h"

#include <string.h>

#include "array.h"

struct program *program_new(void *ctx, const struct machine *m)
{
	struct program *p = talloc_zero(ctx, struct program);

	p->machine = m;
	p->info.dst = p->info.src = p->info.n = p->info.value = -1;
	return p;
}

static void grow(struct program *p)
{
	p->capacity = p->capacity ? 2 * p->capacity : 64;
	ARRAY_RESIZE(p, p->insns, struct insn, p->capacity);
	ARRAY_RESIZE(p, p->resume_of, int, p->capacity);
}

struct insn *program_append(struct program *p, const struct pattern *pattern, struct place at)
{
	struct insn *i;

	if (p->ninsns == p->capacity)
		grow(p);
	p->resume_of[p->ninsns] = -1;
	i = &p->insns[p->ninsns++];
	memset(i, 0, sizeof(*i));
	i->pattern = pattern;
	i->operands = pattern ? ARRAY_NEW(p, union operand_value, pattern->noperands + 1) : NULL;
	i->slot = -1;
	i->place = at;
	for (int k = 0; k < LINES_MAX; k++)
		i->fixup[k] = -1;
	return i;
}

int program_label(struct program *p, const char *name)
{
	ARRAY_RESIZE(p, p->labels, struct label, p->nlabels + 1);
	p->labels[p->nlabels] = (struct label){ .name = name, .at = -1 };
	return (int)p->nlabels++;
}

void label_here(struct program *p, int label)
{
	p->labels[label].at = (int)p->ninsns;
}

static bool ends(const struct action *a)
{
	return a->kind == ACT_RETURN || (a->kind == ACT_GOTO && !a->cond);
}

bool insn_falls_through(const struct insn *i)
{
	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++)
			if (ends(&i->steps[k].acts[j]))
				return false;
	return true;
}

bool insn_annuls(const struct insn *i)
{
	for (size_t o = 0; i->pattern && o < i->pattern->noperands; o++)
		if (i->pattern->operands[o].kind == OPERAND_ANNUL)
			return i->operands[o].annul;
	return false;
}

void expr_reads(const struct expr *e, struct regset *add_to)
{
	if (!e)
		return;
	if (e->op == EX_REG)
		regset_add(add_to, e->index);
	for (int k = 0; k < expr_kids(e->op); k++)
		expr_reads(e->kid[k], add_to);
}

void cond_reads(const struct cond *c, struct regset *add_to)
{
	if (!c)
		return;
	expr_reads(c->lhs, add_to);
	expr_reads(c->rhs, add_to);
}

void action_reads(const struct action *a, struct regset *add_to)
{
	if (a->kind == ACT_ENTER)
		regset_or(add_to, &a->clobber);
	if (a->target && a->target->op != EX_REG)
		expr_reads(a->target, add_to);
	expr_reads(a->value, add_to);
	cond_reads(a->cond, add_to);
	if (a->callee)
		regset_or(add_to, &a->callee->reads);
}

void action_writes(const struct action *a, struct regset *add_to)
{
	if (a->kind == ACT_CLOBBER || a->kind == ACT_LEAVE)
		regset_or(add_to, &a->clobber);
	if (a->callee)
		regset_or(add_to, &a->callee->writes);
	if (a->kind == ACT_SET && a->target && a->target->op == EX_REG)
		regset_add(add_to, a->target->index);
}

/* Effects have at most one load in a value; it may stand below a shift or a mask. */
struct expr *expr_find_mem(struct expr *e)
{
	struct expr *found = NULL;

	if (!e || e->op == EX_MEM)
		return e;
	for (int k = 0; k < expr_kids(e->op) && !found; k++)
		found = expr_find_mem(e->kid[k]);
	return found;
}

struct expr *action_access(const struct action *a)
{
	struct expr *mem = a->kind == ACT_STORE ? a->target : a->kind == ACT_SET ? expr_find_mem(a->value) : NULL;

	if (!mem && a->cond)
		mem = expr_find_mem(a->cond->lhs);
	return mem || !a->cond ? mem : expr_find_mem(a->cond->rhs);
}
