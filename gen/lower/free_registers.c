/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is free where, and where a frame is open: for fixups. */
#include "free_registers.h"

#include "alloc.h"
#include "array.h"
#include "liveness.h"

static const struct action *frame_action(const struct insn *i)
{
	const struct action *a = i->pattern ? NULL : &i->steps[0].acts[0];

	return a && (a->kind == ACT_ENTER || a->kind == ACT_LEAVE) ? a : NULL;
}

static bool reach(struct program *p, int at, bool framed, const struct regset *saved)
{
	if (at < 0 || (size_t)at > p->ninsns || !framed || p->framed[at])
		return false;
	p->framed[at] = true;
	p->frame_at[at] = *saved;
	return true;
}

static bool reach_from(struct program *p, size_t at)
{
	const struct insn *i = &p->insns[at];
	const struct action *frame = frame_action(i);
	bool framed = frame ? frame->kind == ACT_ENTER : p->framed[at], changed = false;
	const struct regset *saved = frame ? &frame->clobber : &p->frame_at[at];

	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++)
			if (i->steps[k].acts[j].kind == ACT_GOTO)
				changed |= reach(p, p->labels[i->steps[k].acts[j].label].at, framed, saved);
	if (insn_falls_through(i))
		changed |= reach(p, (int)at + 1, framed, saved);
	return changed;
}

static void find_frames(struct program *p)
{
	bool changed = true;

	p->framed = ARRAY_NEW(p, bool, p->ninsns + 1);
	p->frame_at = ARRAY_NEW(p, struct regset, p->ninsns + 1);
	while (changed) {
		changed = false;
		for (size_t k = 0; k < p->ninsns; k++)
			changed |= reach_from(p, k);
	}
}

void find_free_registers(struct program *p)
{
	struct regset *live = live_in(p, p, true), none = { { 0 } };
	struct alloc all = alloc_new(p->machine, &none);

	find_frames(p);
	p->free_at = ARRAY_NEW(p, struct regset, p->ninsns + 1);
	for (size_t k = 0; k < p->ninsns; k++) {
		p->free_at[k] = all.there;
		if (p->framed[k])
			regset_or(&p->free_at[k], &p->frame_at[k]);
		regset_minus(&p->free_at[k], &live[k]);
	}
}
