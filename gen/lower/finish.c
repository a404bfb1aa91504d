/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is known only when all is lowered: which frames are needed, and who jumps out of them. */
#include "lowering.h"

#include <string.h>

#include "array.h"

static bool needed(const struct saving *s)
{
	return s->wanted || !regset_empty(&s->used);
}

static void find_used(struct lowering *l)
{
	struct regset saved = { { 0 } };

	for (size_t k = 0; k < l->m->nsaved; k++)
		regset_add(&saved, l->m->saved[k]);
	for (size_t k = 0; k < l->p->ninsns; k++) {
		const struct insn *i = &l->p->insns[k];

		for (int s = 0; l->origins[k].saving >= 0 && s < i->nsteps; s++)
			for (size_t j = 0; j < i->steps[s].nacts; j++)
				action_writes(&i->steps[s].acts[j], &l->savings[l->origins[k].saving].used);
	}
	for (int k = 0; k < l->nsavings; k++)
		for (int w = 0; w < 4; w++)
			l->savings[k].used.bits[w] &= saved.bits[w];
}

static int frame_of(const struct origin *o)
{
	return o->enters >= 0 ? o->enters : o->leaves;
}

/* A frame that calls may have to save an even number of registers, or an odd one. */
static bool even_out(struct lowering *l, struct saving *s)
{
	const struct machine *m = l->m;
	size_t n = 0;

	for (size_t k = 0; k < m->nsaved; k++)
		n += regset_has(&s->used, m->saved[k]);
	if (!l->p->calls || m->call_saves == PARITY_ANY || n % 2 == (m->call_saves == PARITY_ODD))
		return true;
	for (size_t k = 0; k < m->nsaved; k++)
		if (!regset_has(&s->used, m->saved[k])) {
			regset_add(&s->used, m->saved[k]);
			return true;
		}
	diag_error(l->d, DIAG_NO_REGISTER, l->p->place, "no register is left to save beside those that a frame must save");
	return false;
}

static bool find_frames(struct lowering *l)
{
	bool ok = true;

	find_used(l);
	for (int k = 0; k < l->nsavings; k++)
		ok = ok && (!needed(&l->savings[k]) || even_out(l, &l->savings[k]));
	return ok;
}

/* Enters and leaves get their registers; those of frames nobody needs go. */
static void settle_frames(struct lowering *l)
{
	struct program *p = l->p;
	int *to = ARRAY_NEW(l->ctx, int, p->ninsns + 1);
	size_t n = 0;

	for (size_t k = 0; k < p->ninsns; k++) {
		int f = frame_of(&l->origins[k]);

		to[k] = (int)n;
		if (f >= 0 && !needed(&l->savings[f]))
			continue;
		if (f >= 0)
			p->insns[k].steps[0].acts[0].clobber = l->savings[f].used;
		p->insns[n] = p->insns[k];
		p->resume_of[n] = p->resume_of[k];
		l->origins[n++] = l->origins[k];
	}
	to[p->ninsns] = (int)n;
	for (size_t k = 0; k < p->nlabels; k++)
		if (p->labels[k].at >= 0)
			p->labels[k].at = to[p->labels[k].at];
	p->ninsns = n;
}

/* The frame that is open where a label stands; -1: none, or it is nowhere in this routine. */
static int frame_at(const struct lowering *l, int label)
{
	int at = l->p->labels[label].at, s;

	if (at < 0 || (size_t)at >= l->p->ninsns)
		return -1;
	s = l->origins[at].saving;
	return s >= 0 && needed(&l->savings[s]) ? s : -1;
}

static void retarget(struct insn *i, int from, int to)
{
	for (size_t o = 0; o < i->pattern->noperands; o++)
		if (i->pattern->operands[o].kind == OPERAND_LABEL && i->operands[o].label == from)
			i->operands[o].label = to;
	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++)
			if (i->steps[k].acts[j].kind == ACT_GOTO && i->steps[k].acts[j].label == from)
				i->steps[k].acts[j].label = to;
}

struct way_out { int frame, label, stub; };

/* Code behind all else that drops a frame (-1: there is none) and goes on to the label. */
static int stub_for(struct lowering *l, struct way_out *ways, size_t *n, int frame, int label, struct place at)
{
	struct action go = { .kind = ACT_GOTO, .index = -1, .label = label, .place = at };
	struct needs list = { .n = 0 };

	for (size_t k = 0; k < *n; k++)
		if (ways[k].frame == frame && ways[k].label == label)
			return ways[k].stub;
	ways[*n] = (struct way_out){ frame, label, program_label(l->p, NULL) };
	label_here(l->p, ways[*n].stub);
	if (frame >= 0) {
		l->saving = frame;
		lower_frame(l, frame, false, at);
		l->p->insns[l->p->ninsns - 1].steps[0].acts[0].clobber = l->savings[frame].used;
		l->saving = -1;
	}
	if (l->p->labels[label].symbol) {
		go.jump = true;
		go.name = l->p->labels[label].name;
	}
	needs_append(l, &list, need_single(l, go, at));
	if (!lower_needs(l, &list))
		return -1;
	return ways[(*n)++].stub;
}

static int goes_to(const struct insn *i)
{
	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++)
			if (i->steps[k].acts[j].kind == ACT_GOTO)
				return i->steps[k].acts[j].label;
	return -1;
}

/* A branch to another routine, where the ABI wants something done before: not before it is known to be taken. */
static bool must_leave_first(const struct lowering *l, size_t at, int label)
{
	return label >= 0 && l->p->labels[label].symbol && l->m->leave.n && insn_falls_through(&l->p->insns[at]);
}

bool finish_frames(struct lowering *l)
{
	struct way_out *ways;
	size_t n, nways = 0;

	if (!find_frames(l))
		return false;
	settle_frames(l);
	n = l->p->ninsns;
	ways = ARRAY_NEW(l->ctx, struct way_out, n + 1);
	for (size_t k = 0; k < n; k++) {
		struct place at = l->p->insns[k].place;
		int label = goes_to(&l->p->insns[k]), from = l->origins[k].saving, to, stub;

		if (label < 0 || (from >= 0 && !needed(&l->savings[from])))
			from = -1;
		to = label < 0 ? -1 : frame_at(l, label);
		if (from == to && !must_leave_first(l, k, label))
			continue;
		if (to >= 0) {
			diag_error(l->d, DIAG_INTO_SAVING, at, "this jumps into a `saving` that needs a frame");
			return false;
		}
		stub = stub_for(l, ways, &nways, from, label, at);
		if (stub < 0)
			return false;
		retarget(&l->p->insns[k], label, stub);
	}
	return true;
}
