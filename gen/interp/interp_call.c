/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls: routines that can't fault do what they promise, and hooks hold as many granules as the case lets them. */
#include "interp_run.h"

static uint64_t value_of(const struct run *r, int reg)
{
	return r->v[r->in->slot[reg]] & r->in->mask;
}

/* An address as an offset into a side's region. */
static int64_t offset_of(const struct run *r, int side, uint64_t address)
{
	return (int64_t)((address - r->in->region[side] + INTERP_HALF) & r->in->mask);
}

/* May a routine that can't fault go to bytes from .. from + n - 1 of a side? */
static enum outcome reach(struct run *r, int side, int64_t from, uint64_t n)
{
	bool inside = n <= INTERP_N_MAX && from >= r->start[side] && from + (int64_t)n <= r->start[side] + r->size[side];

	if (!inside)
		return run_end(r, side ? RUN_STRAY_STORE : RUN_STRAY_LOAD);
	if (r->user[side] && r->in->program->machine->target.user_by_user)
		return run_end(r, RUN_FORM);
	if (r->user[side] && !(r->holds && side == r->held_side && from >= r->held_from && from + (int64_t)n <= r->held_to))
		return run_end(r, RUN_UNHELD);
	return OUT_DONE;
}

static enum outcome call_routine(struct run *r, const struct callee *c)
{
	const struct routine_info *i = &c->info;
	bool copies = i->content == CONTENT_COPY;
	uint64_t n = value_of(r, i->n);
	int64_t to = offset_of(r, 1, value_of(r, i->dst)), from = copies ? offset_of(r, 0, value_of(r, i->src)) : 0;
	uint8_t fill = i->content == CONTENT_BYTE ? (uint8_t)value_of(r, i->value) : 0;

	r->answer = value_of(r, i->dst);
	if (!n)
		return OUT_DONE;
	if (reach(r, 1, to, n) != OUT_DONE || (copies && reach(r, 0, from, n) != OUT_DONE))
		return OUT_END;
	for (int64_t k = 0; k < (int64_t)n; k++)
		r->in->bytes[1][to + k] = copies ? r->in->bytes[0][from + k] : fill;
	r->low = to < r->low ? to : r->low;
	r->high = to + (int64_t)n > r->high ? to + (int64_t)n : r->high;
	return OUT_DONE;
}

/* The whole granule must be accessible, and the case must have it held. */
static enum outcome hold(struct run *r, uint64_t address)
{
	int64_t granule = r->in->program->machine->granule, from;
	int side = r->user[1];

	if (r->holds)
		return run_end(r, RUN_HELD);
	from = offset_of(r, side, address & ~(uint64_t)(granule - 1));
	r->held_side = side;
	r->held_from = from;
	r->held_to = from + granule;
	r->answer = r->grants != 0 && (r->held_to <= r->bad[side] || from >= r->good[side]);
	r->holds = r->answer;
	r->grants -= r->answer && r->grants > 0;
	return OUT_DONE;
}

/* As the prover asks for: a frame where the call destroys what no class has, and all states as at entry. */
static enum outcome check(struct run *r)
{
	const struct machine *m = r->in->program->machine;
	const struct pattern *p = r->in->program->insns[r->pc].pattern;

	if ((m->call_enter.n || (p && p->needs_frame)) && !r->frames)
		return run_end(r, RUN_FRAME);
	for (size_t s = 0; s < m->nstates; s++)
		if (r->state[s])
			return run_end(r, RUN_STATE);
	return OUT_DONE;
}

enum outcome run_call(struct run *r, const struct callee *c)
{
	if (check(r) != OUT_DONE)
		return OUT_END;
	r->answer = run_noise(&r->noise) & r->in->mask;
	switch (c->kind) {
	case CALLEE_ROUTINE:
		return call_routine(r, c);
	case CALLEE_HOLD:
		return hold(r, value_of(r, c->held));
	case CALLEE_RELEASE:
		if (!r->holds)
			return run_end(r, RUN_HELD);
		r->holds = false;
		return OUT_DONE;
	default:
		return OUT_DONE;
	}
}
