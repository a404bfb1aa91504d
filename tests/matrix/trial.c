/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One call of a routine, held against the contract. */
#include "matrix.h"
#include MACHINE_H

#include <stdio.h>
#include <string.h>

enum { NREGS = sizeof(machine_regs) / sizeof(machine_regs[0]), MARGIN = 64 };

const char *const violation_text[VIOLATIONS] = {
	[FINE] = "fine",
	[NO_ENTRY] = "a fault without a table entry",
	[STRAY] = "an access outside of the buffers",
	[UNALIGNED] = "an access that isn't aligned",
	[CRASH] = "a crash",
	[ENDLESS] = "a call that doesn't end",
	[RESIDUAL_RANGE] = "a residual above n",
	[CLAIMS] = "bytes claimed that weren't copied",
	[WRONG_DATA] = "wrong data",
	[NOT_ZEROED] = "the residual's bytes weren't zeroed",
	[PAST_COUNT] = "a byte written past the reported count",
	[OUTSIDE] = "a byte written outside of the destination",
	[SOURCE_CHANGED] = "the source was changed",
	[NO_PROGRESS] = "no progress though bytes could be copied",
	[NOT_MAXIMAL] = "fewer bytes copied than could be",
	[REGISTER] = "a register that must be kept was changed",
	[RESULT] = "the result isn't the destination",
	[HELD] = "memory is held twice, let go when none is, or held still",
};

struct frame *matrix_frame;
static struct frame frame;

bool kind_has_source(enum kind kind)
{
	return kind != KIND_CLEAR && kind != KIND_MEMSET;
}

bool kind_source_is_user(enum kind kind)
{
	return kind == KIND_FROM || kind == KIND_IN;
}

bool kind_dest_is_user(enum kind kind)
{
	return kind == KIND_TO || kind == KIND_IN || kind == KIND_CLEAR;
}

static bool kind_returns_dest(enum kind kind)
{
	return kind == KIND_MEMCPY || kind == KIND_MEMSET;
}

static void blame(struct trial *t, enum violation violation, const unsigned char *where, unsigned should)
{
	t->violation = violation;
	t->where = where;
	t->was = where ? *where : 0;
	t->should = (unsigned char)should;
}

static void frame_prepare(const struct trial *t)
{
	bool fill = !kind_has_source(t->routine->kind);

	if (!matrix_frame) {
		matrix_frame = &frame;
		for (size_t i = 0; i < NREGS; i++)
			frame.want[i] = (unsigned long)0xc0ffee5ca1ab1e00 + i * 0x101;
		machine_want(frame.want);
	}
	frame.routine = t->routine->address;
	frame.arg[0] = (unsigned long)t->dst;
	frame.arg[1] = (unsigned long)t->src;
	frame.arg[2] = t->n;
	if (fill && t->routine->kind == KIND_CLEAR)
		frame.arg[1] = t->n, frame.arg[2] = ~(unsigned long)0 / 3;
	else if (fill)
		frame.arg[1] = (unsigned long)t->c;
}

static void judge_registers(struct trial *t)
{
	for (size_t i = 0; i < NREGS; i++)
		if (frame.got[i] != frame.want[i]) {
			t->violation = REGISTER;
			t->reg = machine_regs[i];
			t->reg_was = frame.got[i];
			t->reg_should = frame.want[i];
			return;
		}
}

static bool all_like(const unsigned char *at, unsigned char value, size_t n)
{
	return !n || (*at == value && !memcmp(at, at + 1, n - 1));
}

/* The first done bytes of the destination; all of them are accessible. */
static bool judge_data(const struct bench *bench, struct trial *t, size_t done)
{
	unsigned char value = t->routine->kind == KIND_MEMSET ? (unsigned char)t->c : 0;
	bool copy = kind_has_source(t->routine->kind);
	const unsigned char *like = copy ? bench->pattern + (t->src - bench->src.lo) : NULL;

	if (copy ? !memcmp(t->dst, like, done) : all_like(t->dst, value, done))
		return true;
	for (size_t i = 0; i < done; i++) {
		unsigned char should = copy ? like[i] : value;

		if (t->dst[i] != should) {
			blame(t, t->dst[i] == FILL ? CLAIMS : WRONG_DATA, t->dst + i, should);
			return false;
		}
	}
	return true;
}

static bool judge_zeroes(struct trial *t, size_t done)
{
	for (size_t i = done; i < t->n; i++)
		if (t->dst[i]) {
			blame(t, NOT_ZEROED, t->dst + i, 0);
			return false;
		}
	return true;
}

/* All of the destination is filled again where it may be written; now nothing may differ from the fill. */
static bool judge_outside(const struct bench *bench, struct trial *t)
{
	const struct arena *a = &bench->dst;
	const unsigned char *from = t->deep ? a->lo : t->dst - MARGIN,
			    *to = t->deep ? a->end : t->dst + t->n + MARGIN;
	const unsigned char *at = arena_differs(a, from, to, bench->filled, a->back - a->lo);

	if (at)
		blame(t, at >= t->dst && at < t->dst + t->n ? PAST_COUNT : OUTSIDE, at, FILL);
	return !at;
}

static bool judge_source(const struct bench *bench, struct trial *t)
{
	const struct arena *a = &bench->src;

	if (!kind_has_source(t->routine->kind))
		return true;
	const unsigned char *from = t->deep ? a->lo : t->src - MARGIN,
			    *to = t->deep ? a->end : t->src + t->n + MARGIN;
	const unsigned char *at = arena_differs(a, from, to, bench->pattern, a->back - a->lo);

	if (at)
		blame(t, SOURCE_CHANGED, at, bench->pattern[at - a->lo]);
	return !at;
}

static void judge(const struct bench *bench, struct trial *t)
{
	size_t r = kind_returns_dest(t->routine->kind) ? 0 : t->result, done = t->n - r, written = done;

	if (r > t->n || done > t->p) {
		blame(t, r > t->n ? RESIDUAL_RANGE : CLAIMS, NULL, 0);
		return;
	}
	if (!judge_data(bench, t, done))
		return;
	if (t->routine->zeroing) {
		if (!judge_zeroes(t, done))
			return;
		written = t->n;
	}
	memset(t->dst, FILL, written);
	if (!judge_outside(bench, t) || !judge_source(bench, t))
		return;
	if (kind_returns_dest(t->routine->kind) && t->result != (unsigned long)t->dst)
		t->violation = RESULT;
	else if (r == t->n && t->p)
		t->violation = NO_PROGRESS;
	else if (t->routine->maximal && r != t->n - t->p)
		t->violation = NOT_MAXIMAL;
	else if (!hooks_done())
		t->violation = HELD;
	else
		judge_registers(t);
}

static size_t accessible(const struct bench *bench, const struct trial *t)
{
	size_t p = arena_reach(&bench->dst, t->dst, t->n);

	return kind_has_source(t->routine->kind) ? arena_reach(&bench->src, t->src, p) : p;
}

/* Both arenas are as bench_restore leaves them, before and after. */
void trial_run(struct bench *bench, struct trial *t)
{
	t->p = accessible(bench, t);
	t->violation = FINE;
	t->where = NULL;
	t->reg = NULL;
	t->faults = 0;
	t->serial++;
	t->misheld = false;
	hooks_watch(&bench->dst, t);
	frame_prepare(t);
	if (!sigsetjmp(t->leave, 0)) {
		t->running = true;
		matrix_call(&frame);
		t->running = false;
		t->result = frame.result;
		judge(bench, t);
	}
	t->running = false;
	if (t->violation != FINE)
		bench_restore(bench);
}

static int print_place(char *to, size_t size, const char *name, const struct arena *arena,
		       const unsigned char *at)
{
	const char *mark = at < arena->lo + page   ? "first page's start"
			   : at < arena->hi + page ? "border"
						   : "second start";
	const unsigned char *from = at < arena->lo + page   ? arena->lo
				    : at < arena->hi + page ? arena->hi
							    : arena->back;

	return snprintf(to, size, ", %s %u mod 16 (%s %+ld)", name, (unsigned)((uintptr_t)at % 16), mark,
			(long)(at - from));
}

static int print_violation(const struct trial *t, char *to, size_t size)
{
	const char *text = violation_text[t->violation];
	unsigned long pc = t->fault_pc - code_of(t->routine);
	const unsigned char *dst = t->dst;

	switch (t->violation) {
	case NO_ENTRY:
	case CRASH:
		return snprintf(to, size, ": %s at %s%+ld (signal %d)", text, t->routine->name, (long)pc,
				t->signal);
	case STRAY:
	case UNALIGNED:
		return snprintf(to, size, ": %s at %s%+ld: dst%+ld, src%+ld", text, t->routine->name,
				(long)pc, (long)(t->fault_address - (uintptr_t)dst),
				(long)(t->fault_address - (uintptr_t)t->src));
	case ENDLESS:
		return snprintf(to, size, ": %s, last seen at %s%+ld", text, t->routine->name, (long)pc);
	case REGISTER:
		return snprintf(to, size, ": returned %lu: %s: %s is %#lx, was %#lx", t->result, text, t->reg,
				t->reg_was, t->reg_should);
	default:
		break;
	}
	if (t->where && t->violation != SOURCE_CHANGED)
		return snprintf(to, size, ": returned %lu, right is %lu: %s: dst%+ld is %#x, should be %#x",
				t->result, (unsigned long)(t->n - t->p), text, (long)(t->where - dst), t->was,
				t->should);
	return snprintf(to, size, ": returned %lu, right is %lu: %s", t->result, (unsigned long)(t->n - t->p),
			text);
}

void trial_print(const struct bench *bench, const struct trial *t, char *to, size_t size)
{
	size_t at = (size_t)snprintf(to, size, "n = %zu, p = %zu", t->n, t->p);

	at += (size_t)print_place(to + at, size - at, "destination", &bench->dst, t->dst);
	if (kind_has_source(t->routine->kind))
		at += (size_t)print_place(to + at, size - at, "source", &bench->src, t->src);
	if (t->routine->holds && t->grants >= 0)
		at += (size_t)snprintf(to + at, size - at, ", memory is held %d times", t->grants);
	if (t->routine->kind == KIND_MEMSET)
		at += (size_t)snprintf(to + at, size - at, ", c = %#x", (unsigned)t->c);
	if (t->violation != FINE)
		print_violation(t, to + at, size - at);
}
