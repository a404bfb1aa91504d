/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "interp.h"

#include <string.h>
#include <talloc.h>

#include "interp_op.h"
#include "interp_run.h"

uint64_t run_noise(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1du;
}

/*
 * The source's bytes are even and not 0, neighbours up to 126 apart differ; the destination's are odd before the run,
 * so that what is right is never what was there.
 */
static uint8_t source_byte(int i)
{
	return (uint8_t)(2 + 2 * (i * 50 % 127));
}

static void fill_memory(struct interp *in)
{
	uint64_t noise = 0x9e3779b97f4a7c15u;

	in->bytes[0] = talloc_array(in, uint8_t, 2 * INTERP_HALF);
	in->bytes[1] = talloc_array(in, uint8_t, 2 * INTERP_HALF);
	in->fresh = talloc_array(in, uint8_t, 2 * INTERP_HALF);
	for (int i = 0; i < 2 * INTERP_HALF; i++) {
		in->bytes[0][i] = source_byte(i);
		in->fresh[i] = (uint8_t)(run_noise(&noise) | 1);
	}
	memcpy(in->bytes[1], in->fresh, 2 * INTERP_HALF);
	in->fill = in->program->info.content == CONTENT_ZERO ? 0 : 0xa4;
}

static void fill_registers(struct interp *in)
{
	const struct machine *m = in->program->machine;
	uint64_t noise = 88172645463325252u;

	in->entry = talloc_zero_array(in, uint64_t, (unsigned)in->nregwords + 1);
	for (size_t r = 0; r < m->nregs; r++)
		for (int k = 0; k < flat_words(m->regs[r].width); k++)
			in->entry[in->slot[r] + k] = run_noise(&noise) & flat_mask(m->regs[r].width);
	if (in->zero >= 0)
		in->entry[in->slot[in->zero]] = 0;
}

struct interp *interp_new(void *ctx, const struct program *p, const char **ret_why)
{
	struct interp *in = talloc_zero(ctx, struct interp);
	int bits = 8 * p->machine->width;

	in->program = p;
	if (p->machine->nstates > FLAT_STATES || !flat_compile(in, ret_why)) {
		talloc_free(in);
		return NULL;
	}
	in->mask = flat_mask(p->machine->width);
	in->region[0] = (uint64_t)1 << (bits - 2);
	in->region[1] = (uint64_t)1 << (bits - 1);
	fill_memory(in);
	fill_registers(in);
	return in;
}

static bool holds(const struct flat_cond *c, const uint64_t *v)
{
	uint64_t a = v[c->a] << c->shift, b = v[c->b] << c->shift, sign = (uint64_t)1 << 63;

	if (c->rel >= REL_SLT) {
		a ^= sign;
		b ^= sign;
	}
	switch (c->rel) {
	case REL_EQ: return a == b;
	case REL_NE: return a != b;
	case REL_LT: case REL_SLT: return a < b;
	case REL_LE: case REL_SLE: return a <= b;
	case REL_GT: case REL_SGT: return a > b;
	default: return a >= b;
	}
}

static enum outcome run_ops(struct run *r, const struct flat_step *s, struct flat_part part)
{
	const struct flat_op *ops = r->in->ops;		/* NULL where nothing is computed */

	for (int k = part.first; k < part.first + part.n; k++) {
		const struct flat_op *o = &ops[k];

		if (o->op == FLAT_LOAD) {
			enum outcome out = run_load(r, s, o);

			if (out != OUT_DONE)
				return out;
		} else if (o->words > 1) {
			flat_wide(o, r->v);
		} else {
			r->v[o->d] = flat_narrow(o, r->v) & o->mask;
		}
	}
	return OUT_DONE;
}

static void clobber(struct run *r, const struct regset *regs)
{
	const struct machine *m = r->in->program->machine;

	for (int g = 0; g < (int)m->nregs; g++) {
		if (!regset_has(regs, g) || g == r->in->zero)
			continue;
		for (int k = 0; k < flat_words(m->regs[g].width); k++)
			r->v[r->in->slot[g] + k] = run_noise(&r->noise) & flat_mask(m->regs[g].width);
	}
}

/* Moves the registers of a frame to or from where they are saved; false: too many. */
static bool move_frame(struct run *r, const struct regset *regs, bool save)
{
	const struct machine *m = r->in->program->machine;
	int at = save ? r->saved : r->frame[r->frames].base;

	if (save)
		r->frame[r->frames] = (struct flat_frame){ regs, at };
	for (int g = 0; g < (int)m->nregs; g++) {
		size_t words = (size_t)flat_words(m->regs[g].width);
		uint64_t *reg = r->v + r->in->slot[g];

		if (!regset_has(regs, g))
			continue;
		if (at + (int)words > FLAT_FRAME)
			return false;
		memcpy(save ? r->in->frame + at : reg, save ? reg : r->in->frame + at, sizeof *reg * words);
		at += (int)words;
	}
	if (save)
		r->saved = at;
	else
		r->saved = r->frame[r->frames].base;
	return true;
}

static enum outcome enter_or_leave(struct run *r, const struct flat_event *e)
{
	bool enter = e->kind == ACT_ENTER;

	if (enter ? r->frames == 8 : r->frames == 0)
		return run_end(r, RUN_FRAME);
	if (!enter)
		r->frames--;
	if (!move_frame(r, e->regs, enter))
		return run_end(r, RUN_FRAME);
	if (enter)
		r->frames++;
	return OUT_DONE;
}

/* What is decided on the values before the step: needs, and where control goes on (*next). */
static enum outcome decide(struct run *r, const struct flat_step *s, int *next, const struct flat_event **ret_leave)
{
	const struct flat_event *e = r->in->events + s->events.first, *end = e + s->events.n;

	for (; e < end; e++) {
		bool now = !e->conditional || holds(&e->cond, r->v);

		if (e->kind == ACT_NEED && (e->state >= 0 ? r->state[e->state] != e->value : !now))
			return run_end(r, RUN_NEED);
		if (*next >= 0 || *ret_leave || !now)
			continue;
		if (e->kind == ACT_GOTO && !e->jump)
			*next = e->target;
		else if (e->kind == ACT_RETURN || e->kind == ACT_GOTO || (e->kind == ACT_CALL && (r->free || !e->callee)))
			*ret_leave = e;
	}
	return OUT_DONE;
}

/* What is called runs before the step's own clobbers and answers behind them. */
static enum outcome call_all(struct run *r, const struct flat_step *s, bool *ret_called)
{
	*ret_called = false;
	for (int i = 0; i < s->events.n; i++) {
		const struct flat_event *e = &r->in->events[s->events.first + i];

		if (e->kind != ACT_CALL || !e->callee || r->free)
			continue;
		*ret_called = true;
		if (run_call(r, e->callee) != OUT_DONE)
			return OUT_END;
	}
	return OUT_DONE;
}

static enum outcome commit(struct run *r, const struct flat_step *s)
{
	const struct interp *in = r->in;

	for (int i = 0; i < s->sets.n; i++) {
		const struct flat_set *t = &in->sets[s->sets.first + i];

		for (int k = 0; k < t->words; k++)
			r->v[t->reg + k] = r->v[t->value + k] & t->mask;
	}
	for (int i = 0; i < s->events.n; i++) {
		const struct flat_event *e = &in->events[s->events.first + i];

		if (e->kind == ACT_STATE)
			r->state[e->state] = e->value;
		else if (e->kind == ACT_FENCE)
			r->owed = false;
		else if (e->kind == ACT_CLOBBER)
			clobber(r, e->regs);
		else if (e->kind == ACT_CALL && e->callee)
			clobber(r, &e->callee->writes);
		else if ((e->kind == ACT_ENTER || e->kind == ACT_LEAVE) && enter_or_leave(r, e) != OUT_DONE)
			return OUT_END;
	}
	return OUT_DONE;
}

/* A return is judged, or only seen (without a contract); anything else that leaves the routine can't be followed. */
static enum outcome leave(struct run *r, const struct flat_event *e)
{
	r->res->at = r->pc;
	if (e->kind == ACT_CALL)
		return run_end(r, RUN_CALL);
	if (r->free)
		r->pc = -1;
	else
		run_judge(r, e->jump);
	return OUT_END;
}

static enum outcome once(struct run *r, const struct flat_step *s, int *next)
{
	const struct flat_event *out = NULL;
	bool called = false;
	enum outcome o = run_ops(r, s, s->ops);

	if (o == OUT_DONE)
		o = decide(r, s, next, &out);
	if (o == OUT_DONE && s->stores.n)
		o = run_stores(r, s);
	if (o == OUT_DONE)
		o = call_all(r, s, &called);
	if (o == OUT_DONE)
		o = commit(r, s);
	if (called)
		r->v[r->in->slot[r->in->program->machine->result]] = r->answer;
	if (o == OUT_DONE && out)
		o = leave(r, out);
	return o;
}

static enum outcome run_step(struct run *r, const struct flat_step *s, int *next)
{
	enum outcome o = OUT_DONE;

	do {
		if (r->left-- == 0)
			return run_end(r, RUN_AWAY);
		r->counted = false;
		if (s->loop) {
			o = run_ops(r, s, s->head);
			if (o != OUT_DONE || !holds(&s->cond, r->v))
				break;
		}
		o = once(r, s, next);
	} while (s->loop && o == OUT_DONE && *next < 0);
	if (o == OUT_FAULT)
		*next = s->fixup;
	return o;
}

/* Runs one instruction; true: the run is over. */
static bool run_insn(struct run *r, const struct flat_insn *n)
{
	int next = -1;

	if (n->head || n->stretch != r->stretch) {
		r->stretch = n->stretch;
		r->loads = r->stores = 0;
	}
	for (r->line = 0; r->line < n->steps.n && next < 0; r->line++)
		if (run_step(r, &r->in->steps[n->steps.first + r->line], &next) == OUT_END)
			return true;
	r->pc = next >= 0 ? next : r->pc + 1;
	return false;
}

void run_go(struct run *r)
{
	uint64_t left = r->left;

	while (r->pc < r->in->ninsns)
		if (run_insn(r, &r->in->insns[r->pc]))
			goto out;
	if (!r->free)
		run_end(r, RUN_OFF_END);
out:
	r->res->steps = left - r->left;
}

uint64_t *interp_reg(struct interp *in, int r, int *ret_bytes)
{
	if (ret_bytes)
		*ret_bytes = in->program->machine->regs[r].width;
	return in->v + in->slot[r];
}

enum verdict interp_free(struct interp *in, const struct interp_memory *m, int *ret_at)
{
	struct interp_result res = { .verdict = RUN_OK, .first = { -1, -1, false, 0 }, .last = { -1, -1, false, 0 } };
	struct run r = { .in = in, .v = in->v, .res = &res, .free = m, .stretch = -1, .left = 1000000, .noise = 1 };

	run_go(&r);
	*ret_at = r.pc;
	return res.verdict;
}
