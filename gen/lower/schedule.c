/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "schedule.h"

#include <string.h>

#include "array.h"
#include "free_registers.h"

struct uses {
	struct regset reads, writes;
	bool control, barrier, loads, stores;	/* control: nothing may pass it; barrier: nor go into its slot */
};

static struct uses uses_of(const struct insn *i)
{
	struct uses u = { .control = !i->pattern };

	for (int k = 0; k < i->nsteps; k++) {
		const struct step *s = &i->steps[k];

		cond_reads(s->loop, &u.reads);
		for (size_t j = 0; j < s->nacts; j++) {
			const struct action *a = &s->acts[j];

			action_reads(a, &u.reads);
			action_writes(a, &u.writes);
			u.stores |= a->kind == ACT_STORE;
			u.loads |= a->kind != ACT_STORE && action_access(a);
			u.barrier |= a->kind == ACT_CALL || a->kind == ACT_STATE || a->kind == ACT_FENCE;
			u.control |= a->kind == ACT_GOTO || a->kind == ACT_RETURN || u.barrier;
		}
	}
	return u;
}

static bool independent(const struct uses *a, const struct uses *b)
{
	return !a->control && !b->control && !regset_meet(&a->writes, &b->reads) &&
	       !regset_meet(&a->reads, &b->writes) && !regset_meet(&a->writes, &b->writes);
}

static void move_insn(struct program *p, size_t from, size_t to)
{
	struct insn i = p->insns[from];
	int r = p->resume_of[from];

	memmove(&p->insns[to + 1], &p->insns[to], (from - to) * sizeof(i));
	memmove(&p->resume_of[to + 1], &p->resume_of[to], (from - to) * sizeof(r));
	p->insns[to] = i;
	p->resume_of[to] = r;
}

static bool label_inside(const struct program *p, size_t from)
{
	for (size_t k = 0; k < p->nlabels; k++)
		if (p->labels[k].at > (int)from)
			return true;
	return false;
}

void schedule_weave(void *ctx, struct program *p, size_t from, size_t middle)
{
	struct uses *u = ARRAY_NEW(ctx, struct uses, p->ninsns + 1);
	size_t low = from;

	if (label_inside(p, from))		/* no straight line: as it is */
		return;
	for (size_t k = from; k < p->ninsns; k++)
		u[k] = uses_of(&p->insns[k]);
	for (size_t k = middle; k < p->ninsns; k++) {
		struct uses own = u[k];
		size_t to = k;

		while (to > low && independent(&u[to - 1], &own))
			to--;
		move_insn(p, k, to);
		memmove(&u[to + 1], &u[to], (k - to) * sizeof(own));
		u[to] = own;
		low = to + 1;
	}
	if (from < p->ninsns)			/* a loop still begins where it did */
		for (size_t k = from + 1; k < p->ninsns; k++)
			if (p->insns[k].align) {
				p->insns[k].align = false;
				p->insns[from].align = true;
			}
}

static bool is_target(const struct program *p, size_t at)
{
	for (size_t k = 0; k < p->nlabels; k++)
		if (p->labels[k].at == (int)at)
			return true;
	return false;
}

static bool user_access(const struct program *p, const struct insn *i)
{
	bool any = !p->machine->target.user_by_user && (p->info.src_user || p->info.dst_user);

	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++) {
			const struct expr *mem = action_access(&i->steps[k].acts[j]);

			if (!mem)
				continue;
			if (mem->letter == ACCESS_USER || (mem->letter != ACCESS_KERNEL && any))
				return true;
		}
	return false;
}

#define SLOT_REACH 6			/* instructions looked at for a slot */

/* Can the instruction be moved right before the one at `branch`, and from there into its slot? */
static bool fills(const struct program *p, size_t at, size_t branch)
{
	const struct insn *i = &p->insns[at];
	struct uses a = uses_of(i), b = uses_of(&p->insns[branch]);
	bool memory = a.loads || a.stores;

	if (!i->pattern || i->pattern->nlines != 1 || i->pattern->slot || i->in_slot || i->align)
		return false;
	/* An access of the branch's own, whose fixup counts on all that stood before it, precedes the slot. */
	if (b.barrier || b.loads || b.stores)
		return false;
	b.control = false;
	if (!independent(&a, &b))
		return false;
	for (size_t k = at + 1; k < branch; k++) {
		struct uses between = uses_of(&p->insns[k]);

		/* accesses keep their order, and each finds the registers its fixup counts on */
		if (memory || between.loads || between.stores || !independent(&a, &between))
			return false;
	}
	/* what faults in a slot faults after the branch has done its part */
	return !user_access(p, i) || (p->machine->slot_fault == SLOT_SELF && regset_empty(&b.writes));
}

/* Puts an instruction right before another that stands behind it. */
static void move_down(struct program *p, size_t from, size_t before)
{
	struct insn i = p->insns[from];
	int r = p->resume_of[from];
	size_t n = before - 1 - from;

	memmove(&p->insns[from], &p->insns[from + 1], n * sizeof(i));
	memmove(&p->resume_of[from], &p->resume_of[from + 1], n * sizeof(r));
	p->insns[before - 1] = i;
	p->resume_of[before - 1] = r;
}

static void fill_slot(struct program *p, size_t branch)
{
	for (size_t k = branch; k-- > 0 && branch - k <= SLOT_REACH;) {
		if (is_target(p, k + 1) || p->insns[k + 1].align)
			return;
		if (!fills(p, k, branch))
			continue;
		move_down(p, k, branch);
		p->insns[branch].slot = (int)branch - 1;
		p->insns[branch - 1].in_slot = true;
		return;
	}
}

/* Is it sure to go elsewhere, or does it go further down than right behind it? */
static bool goes_ahead(const struct program *p, size_t branch)
{
	const struct insn *i = &p->insns[branch];
	const struct step *last = &i->steps[i->nsteps - 1];

	for (size_t j = 0; j < last->nacts; j++) {
		const struct action *a = &last->acts[j];

		if (a->kind != ACT_GOTO || !a->cond)
			continue;
		if (p->labels[a->label].at < (int)branch + 2)
			return false;
		/* where it does not go, what is behind it stands in its slot */
		if (p->machine->slot_fault != SLOT_SELF && user_access(p, &p->insns[branch + 1]))
			return false;
	}
	return true;
}

static void annul_slot(struct program *p, size_t branch)
{
	struct insn *i = &p->insns[branch];

	for (size_t o = 0; o < i->pattern->noperands; o++)
		if (i->pattern->operands[o].kind == OPERAND_ANNUL)
			i->operands[o].annul = i->slot < 0 && goes_ahead(p, branch);
}

void schedule_slots(struct program *p)
{
	if (p->machine->delay != 1)
		return;
	for (size_t k = 0; k < p->ninsns; k++)
		if (p->insns[k].pattern && p->insns[k].pattern->slot && p->insns[k].slot < 0)
			fill_slot(p, k);
	for (size_t k = 0; k < p->ninsns; k++)
		if (p->insns[k].pattern && p->insns[k].pattern->slot)
			annul_slot(p, k);
	find_free_registers(p);
}
