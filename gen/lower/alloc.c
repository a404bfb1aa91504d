/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "alloc.h"

struct alloc alloc_new(const struct machine *m, const struct regset *taken)
{
	struct alloc a = { .machine = m };

	for (size_t k = 0; k < m->nfree; k++)
		regset_add(&a.there, m->free[k]);
	for (size_t k = 0; k < m->nargs; k++)
		regset_add(&a.there, m->args[k]);
	regset_minus(&a.there, taken);
	if (m->zero >= 0)
		regset_del(&a.there, m->zero);
	return a;
}

void alloc_saved(struct alloc *a)
{
	for (size_t k = 0; k < a->machine->nsaved; k++)
		regset_add(&a->there, a->machine->saved[k]);
}

int alloc_class(const struct machine *m, const char *role)
{
	int c = role ? machine_class(m, role) : 0;

	return c < 0 ? 0 : c;
}

size_t alloc_count(const struct alloc *a, int reg_class)
{
	const struct reg_class *c = &a->machine->classes[reg_class];
	size_t n = 0;

	for (size_t k = 0; k < c->nregs; k++)
		n += regset_has(&a->there, c->regs[k]);
	return n;
}

static int take_from(struct alloc *a, const struct reg_class *c, const int *regs, size_t n)
{
	for (size_t k = 0; k < n; k++) {
		if (!regset_has(&a->there, regs[k]) || class_position(c, regs[k]) < 0)
			continue;
		regset_del(&a->there, regs[k]);
		return regs[k];
	}
	return -1;
}

int alloc_take_kept(struct alloc *a)
{
	const struct target *t = &a->machine->target;
	struct alloc kept = *a;
	int reg;

	for (size_t k = 0; k < t->nhooks; k++)
		regset_minus(&kept.there, &t->hooks[k].clobber);
	reg = take_from(&kept, &a->machine->classes[0], a->machine->saved, a->machine->nsaved);
	if (reg >= 0)
		regset_del(&a->there, reg);
	return reg;
}

int alloc_take(struct alloc *a, int reg_class)
{
	const struct machine *m = a->machine;
	const struct reg_class *c = &m->classes[reg_class];
	int reg = take_from(a, c, m->free, m->nfree);

	if (reg < 0)
		reg = take_from(a, c, m->args, m->nargs);
	if (reg < 0)
		reg = take_from(a, c, m->saved, m->nsaved);
	return reg < 0 ? take_from(a, c, c->regs, c->nregs) : reg;
}
