/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One run of the interpreter: what its parts share. */
#ifndef UCOPY_INTERP_RUN_H
#define UCOPY_INTERP_RUN_H

#include "interp_flat.h"

enum outcome { OUT_DONE, OUT_FAULT, OUT_END };	/* OUT_END: the run is over, its verdict set */

struct run {
	struct interp *in;
	uint64_t *v;
	struct interp_result *res;
	const struct interp_memory *free;	/* no contract: all accesses go here */
	enum tear tear;

	/* By side (source, destination), as offsets into its region: the buffer, and what can't be accessed. */
	int64_t start[2], bad[2], good[2];
	int64_t size[2];			/* bytes of the buffer; 0: the routine has no such side */
	bool user[2];
	int64_t low, high;			/* bytes low .. high - 1 of the destination's region may be changed */

	int pc, line;
	int stretch;
	unsigned loads, stores;			/* in this stretch */
	bool counted;				/* this step's loads have been */
	uint64_t left;				/* steps until it has run away */
	bool owed;				/* a fence */
	int state[FLAT_STATES];
	struct flat_frame frame[8];
	int frames, saved;
	uint64_t noise;

	int grants;				/* how often a hook will hold memory still; < 0: always */
	bool holds;				/* .. does now: bytes held_from .. held_to - 1 of held_side */
	int held_side;
	int64_t held_from, held_to;
	uint64_t answer;			/* what the last call returns */
};

static inline enum outcome run_end(struct run *r, enum verdict v)
{
	r->res->verdict = v;
	r->res->at = r->pc;
	return OUT_END;
}

enum outcome run_load(struct run *r, const struct flat_step *s, const struct flat_op *o);
enum outcome run_stores(struct run *r, const struct flat_step *s);
/* What a call does, but for what it leaves in registers. */
enum outcome run_call(struct run *r, const struct callee *c);
/* Executes from instruction 0 until the run ends, or control leaves the instructions (r->pc; -1: by a return). */
void run_go(struct run *r);
/* Judges a run that returned, or (jump) went on in another routine. */
void run_judge(struct run *r, bool jump);

uint64_t run_noise(uint64_t *state);

#endif
