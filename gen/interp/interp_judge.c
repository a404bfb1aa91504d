/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A case of the contract: setting it up, and judging the run when it returns. */
#include "interp_run.h"

#include <string.h>

static int arg_of(const struct run *r, int side)
{
	const struct routine_info *i = &r->in->program->info;

	return side ? i->dst : i->src;
}

static uint64_t address(const struct run *r, int side)
{
	return (r->in->region[side] + (uint64_t)(r->start[side] - INTERP_HALF)) & r->in->mask;
}

static void set_side(struct run *r, int side, const struct interp_side *s, uint64_t n, bool user)
{
	r->start[side] = INTERP_HALF + s->start;
	r->bad[side] = 4 * INTERP_HALF;
	r->good[side] = r->bad[side];
	r->user[side] = user;
	r->size[side] = arg_of(r, side) >= 0 ? (int64_t)n : 0;
	if (!user || s->bad >= s->good)
		return;
	r->bad[side] = INTERP_HALF + s->bad;
	r->good[side] = INTERP_HALF + s->good;
}

static void set_arg(struct run *r, int reg, uint64_t v)
{
	if (reg >= 0)
		r->in->entry[r->in->slot[reg]] = v & r->in->mask;
}

static void set_entry(struct run *r, uint64_t n, uint64_t features)
{
	const struct routine_info *i = &r->in->program->info;
	const struct machine *m = r->in->program->machine;

	set_arg(r, i->dst, address(r, 1));
	set_arg(r, i->src, address(r, 0));
	set_arg(r, i->n, n);
	set_arg(r, i->value, 0x7e57c0de5eed5a00u | r->in->fill);
	memcpy(r->v, r->in->entry, sizeof *r->v * r->in->nregwords);
	for (size_t f = 0; f < m->nfeatures; f++)
		if (m->features[f].value == FEATURE_VARIANT)
			r->v[r->in->feature + f] = features >> f & 1;
}

/* p: bytes from the start that can be accessed on both sides. */
static int64_t accessible(const struct run *r, int64_t n)
{
	int64_t p = n;

	for (int side = 0; side < 2; side++) {
		int64_t at = r->bad[side] - r->start[side];

		if (!r->size[side] || at >= n || r->good[side] <= r->start[side])
			continue;
		at = at > 0 ? at : 0;
		p = at < p ? at : p;
	}
	return p;
}

void interp_run(struct interp *in, const struct interp_case *c, struct interp_result *ret)
{
	const struct routine_info *i = &in->program->info;
	struct run r = { .in = in, .v = in->v, .res = ret, .tear = c->tear, .grants = c->holds, .stretch = -1,
			 .noise = c->n + 1 };

	*ret = (struct interp_result){ .first = { -1, -1, false, 0 }, .last = { -1, -1, false, 0 }, .reg = -1 };
	set_side(&r, 0, &c->src, c->n, i->src_user);
	set_side(&r, 1, &c->dst, c->n, i->dst_user);
	set_entry(&r, c->n, c->features);
	r.left = 4096 + 64 * c->n;
	r.low = 2 * INTERP_HALF;
	r.high = 0;
	ret->accessible = (uint64_t)accessible(&r, (int64_t)c->n);
	run_go(&r);
	if (r.high > r.low)
		memcpy(in->bytes[1] + r.low, in->fresh + r.low, (size_t)(r.high - r.low));
}

static uint8_t right_byte(const struct run *r, int64_t i)
{
	return r->in->program->info.content == CONTENT_COPY ? r->in->bytes[0][r->start[0] + i] : r->in->fill;
}

static int64_t right_bytes(const struct run *r)
{
	const uint8_t *dst = r->in->bytes[1] + r->start[1];
	int64_t w = 0;

	while (w < r->size[1] && dst[w] == right_byte(r, w))
		w++;
	return w;
}

/* Is all that may have been changed, but for bytes from .. to - 1, as it was? */
static bool untouched(const struct run *r, int64_t from, int64_t to)
{
	const struct interp *in = r->in;

	for (int64_t i = r->low; i < r->high; i++)
		if ((i < from || i >= to) && in->bytes[1][i] != in->fresh[i])
			return false;
	return true;
}

static bool cleared(const struct run *r, int64_t from, int64_t to)
{
	for (int64_t i = from; i < to; i++)
		if (r->in->bytes[1][i])
			return false;
	return true;
}

static enum verdict leaves_clean(struct run *r)
{
	const struct machine *m = r->in->program->machine;

	for (int g = 0; g < (int)m->nregs; g++) {
		size_t at = r->in->slot[g], words = (size_t)flat_words(m->regs[g].width);

		if (!regset_has(&m->kept, g) || memcmp(r->v + at, r->in->entry + at, sizeof *r->v * words) == 0)
			continue;
		r->res->reg = g;
		return RUN_KEPT;
	}
	for (size_t s = 0; s < m->nstates; s++)
		if (r->state[s])
			return RUN_STATE;
	if (r->holds)
		return RUN_HELD;
	return r->owed ? RUN_FENCE : r->frames ? RUN_FRAME : RUN_OK;
}

static enum verdict judge_residual(struct run *r)
{
	int64_t start = r->start[1], n = r->size[1], w = (int64_t)r->res->written;
	bool zeroing = r->in->program->info.zeroing;

	if (r->res->returned != (uint64_t)(n - w))
		return RUN_RESIDUAL;
	if (!untouched(r, start, start + (zeroing ? n : w)))
		return RUN_PAST;
	if (zeroing && !cleared(r, start + w, start + n))
		return RUN_NOT_ZEROED;
	if (!w && r->res->accessible)
		return RUN_NO_PROGRESS;
	return r->res->written == r->res->accessible ? RUN_OK : RUN_NOT_MAXIMAL;
}

static enum verdict judge_result(struct run *r)
{
	if (r->res->written != (uint64_t)r->size[1])
		return RUN_INCOMPLETE;
	if (!untouched(r, r->start[1], r->start[1] + r->size[1]))
		return RUN_PAST;
	return r->res->returned == address(r, 1) ? RUN_OK : RUN_RESULT;
}

/* Another routine goes on: it must find its arguments as if it were called for what is left. */
static enum verdict judge_jump(struct run *r)
{
	const struct routine_info *i = &r->in->program->info;
	bool whole = i->contract == CONTRACT_RESULT_DST;
	uint64_t done = (r->v[r->in->slot[i->dst]] - r->in->entry[r->in->slot[i->dst]]) & r->in->mask;
	const struct { int reg; uint64_t moved, mask; } args[] = {
		{ i->src, done, r->in->mask }, { i->n, 0 - done, r->in->mask }, { i->value, 0, 0xff },
	};

	if (done > r->res->written || (whole && done))
		return RUN_CALL;
	for (size_t k = 0; k < sizeof args / sizeof *args; k++) {
		uint64_t *v = args[k].reg >= 0 ? &r->v[r->in->slot[args[k].reg]] : NULL;

		if (v && ((*v - r->in->entry[r->in->slot[args[k].reg]] - args[k].moved) & args[k].mask))
			return RUN_CALL;
	}
	return untouched(r, r->start[1], r->start[1] + (int64_t)done) ? RUN_OK : RUN_PAST;
}

void run_judge(struct run *r, bool jump)
{
	const struct program *p = r->in->program;
	enum verdict clean = leaves_clean(r), v;

	r->res->returned = r->v[r->in->slot[p->machine->result]] & r->in->mask;
	r->res->written = (uint64_t)right_bytes(r);
	if (jump)
		v = judge_jump(r);
	else if (p->info.contract == CONTRACT_RESULT_DST)
		v = judge_result(r);
	else
		v = judge_residual(r);
	r->res->verdict = v > RUN_NO_PROGRESS || clean == RUN_OK ? v : clean;
}

const char *interp_verdict_text(enum verdict v)
{
	static const char *const text[RUN_VERDICTS] = {
		[RUN_OK] = "right",
		[RUN_NOT_MAXIMAL] = "more could have been copied",
		[RUN_NO_PROGRESS] = "nothing was copied, though something could be",
		[RUN_RESIDUAL] = "the result is not the number of bytes that were not copied",
		[RUN_PAST] = "bytes that must stay as they were are modified",
		[RUN_NOT_ZEROED] = "the rest of the destination is not cleared",
		[RUN_RESULT] = "the result is not the destination",
		[RUN_INCOMPLETE] = "the destination does not hold what it must",
		[RUN_STRAY_LOAD] = "a load outside of the source",
		[RUN_STRAY_STORE] = "a store outside of the destination",
		[RUN_MISALIGNED] = "an address is not aligned",
		[RUN_FORM] = "an access of the wrong form for its side",
		[RUN_NO_SITE] = "an access to user memory is no fault site",
		[RUN_KEPT] = "a register that must be kept is changed",
		[RUN_STATE] = "a state is not as at entry",
		[RUN_FENCE] = "a fence is owed",
		[RUN_FRAME] = "frames are not entered and left in turn",
		[RUN_NEED] = "what an instruction needs does not hold",
		[RUN_HELD] = "memory is held twice, let go when none is, or held still",
		[RUN_UNHELD] = "a routine that can't fault is called for memory that is not held",
		[RUN_CALL] = "control leaves for another routine that does not find its arguments",
		[RUN_AWAY] = "it does not end",
		[RUN_OFF_END] = "it runs off its end",
		[RUN_LENGTH] = "an access is longer than the value",
	};

	return v < RUN_VERDICTS ? text[v] : "";
}
