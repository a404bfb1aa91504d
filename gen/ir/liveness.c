/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "liveness.h"

#include "array.h"

struct liveness {
	const struct program *p;
	struct regset *in;
	bool resumes;
};

static struct regset at_label(const struct liveness *l, int label)
{
	const struct label *to = &l->p->labels[label];
	const struct machine *m = l->p->machine;
	struct regset r = { { 0 } };

	if (to->at >= 0)
		return l->in[to->at];
	if (to->symbol) {
		r = m->kept;
		for (size_t k = 0; k < m->nargs; k++)
			regset_add(&r, m->args[k]);
	}
	return r;
}

static struct regset at_return(const struct liveness *l)
{
	struct regset r = l->p->machine->kept;

	regset_add(&r, l->p->machine->result);
	return r;
}

static void before_step(const struct liveness *l, const struct insn *i, int k, struct regset *live)
{
	const struct step *s = &i->steps[k];
	struct regset r = { { 0 } }, w = { { 0 } };

	for (size_t j = 0; j < s->nacts; j++) {
		const struct action *a = &s->acts[j];
		struct regset to;

		if (a->kind == ACT_RETURN)
			*live = at_return(l);
		if (a->kind == ACT_GOTO) {
			to = at_label(l, a->label);
			if (a->cond)
				regset_or(live, &to);
			else
				*live = to;
		}
		action_reads(a, &r);
		action_writes(a, &w);
	}
	cond_reads(s->loop, &r);
	if (!s->loop)
		regset_minus(live, &w);
	regset_or(live, &r);
	if (i->fixup[k] >= 0) {
		r = at_label(l, i->fixup[k]);
		regset_or(live, &r);
	}
}

static void may_resume(const struct liveness *l, size_t at, struct regset *live)
{
	const struct routine_info *info = &l->p->info;
	const int anchors[] = { info->dst, info->src, info->n };
	int r = l->p->resume_of[at];
	struct regset to;

	if (r < 0)
		return;
	to = at_label(l, l->p->resumes[r].label);
	regset_or(live, &to);
	for (int k = 0; k < 3; k++)
		if (anchors[k] >= 0)
			regset_add(live, anchors[k]);
}

static bool before_insn(const struct liveness *l, size_t at)
{
	const struct insn *i = &l->p->insns[at];
	struct regset live = l->in[at + 1], *in = &l->in[at];
	bool changed = false;

	for (int k = i->nsteps; k-- > 0;)
		before_step(l, i, k, &live);
	if (l->resumes)
		may_resume(l, at, &live);
	for (int w = 0; w < 4; w++)
		changed |= live.bits[w] != in->bits[w];
	*in = live;
	return changed;
}

struct regset *live_in(void *ctx, const struct program *p, bool resumes)
{
	struct liveness l = { .p = p, .resumes = resumes, .in = ARRAY_NEW(ctx, struct regset, p->ninsns + 1) };
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t k = p->ninsns; k-- > 0;)
			changed |= before_insn(&l, k);
	}
	return l.in;
}
