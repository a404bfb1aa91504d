/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The concrete interpreter: runs a program's effects on numbers and bytes, for one size, one placing of the buffers and
 * one fault place at a time, and holds the run against the whole contract.  It shares nothing with the prover, so that
 * each can be tested by the other.
 *
 * A side is one region of memory around a boundary: a page border, and the middle of the address space or of its
 * lower half, so that signed comparisons of addresses show.  All places are relative to that boundary.
 */
#ifndef UCOPY_INTERP_H
#define UCOPY_INTERP_H

#include "ir.h"

#define INTERP_HALF 4096	/* bytes of a region on either side of its boundary */
#define INTERP_N_MAX 2048	/* largest size a case may have */

/* How much of a faulting store that tears is stored. */
enum tear {
	TEAR_NONE,
	TEAR_ALL,	/* every whole unit before the first inaccessible byte */
	TEAR_HALF,
	TEAR_BUT_ONE,
	TEAR_BEHIND,	/* any subset: every accessible unit, those behind inaccessible ones too */
	TEAR_LAST,	/* any subset: only the last accessible unit */
	TEAR_COUNT
};

enum verdict {
	RUN_OK,
	RUN_NOT_MAXIMAL, RUN_NO_PROGRESS,	/* exact, but more could have been copied */
	RUN_RESIDUAL, RUN_PAST, RUN_NOT_ZEROED, RUN_RESULT, RUN_INCOMPLETE,
	RUN_STRAY_LOAD, RUN_STRAY_STORE, RUN_MISALIGNED, RUN_FORM, RUN_NO_SITE,
	RUN_KEPT, RUN_STATE, RUN_FENCE, RUN_FRAME, RUN_NEED, RUN_CALL, RUN_HELD, RUN_UNHELD,
	RUN_AWAY, RUN_OFF_END, RUN_LENGTH,
	RUN_VERDICTS
};

struct interp_side {
	int64_t start;		/* where the buffer starts; -2048 .. 2047 */
	int64_t bad, good;	/* bytes bad .. good - 1 are inaccessible; bad >= good: none */
};

struct interp_case {
	uint64_t n;
	struct interp_side dst, src;
	enum tear tear;
	int holds;		/* so often a hook holds memory when asked; < 0: always */
	uint64_t features;	/* bit k: the CPU has the machine's feature k, where the target leaves that open */
};

struct interp_fault {
	int insn, line;		/* -1: there was none */
	bool store;		/* a store faulted, else a load */
	unsigned ordinal;	/* so manieth store (or load) since the loop or the straight stretch began; from 1 */
};

struct interp_result {
	enum verdict verdict;
	int at;			/* instruction that ended the run */
	int reg;		/* RUN_KEPT: which register */
	uint64_t returned;
	uint64_t written;	/* W: bytes that are right, from the start */
	uint64_t accessible;	/* p */
	struct interp_fault first, last;
	unsigned faults;
	bool torn;		/* another way of tearing could have made a difference */
	bool behind;		/* so could a subset that is no prefix */
	uint64_t steps;
};

struct interp;

/* The program in flat form, owned by ctx.  NULL: it can not be run, and *ret_why (if wanted) says why. */
struct interp *interp_new(void *ctx, const struct program *p, const char **ret_why);

/* Runs one case and judges it.  The program is not changed; no memory is taken. */
void interp_run(struct interp *in, const struct interp_case *c, struct interp_result *ret);

/* What a verdict means, in a few words. */
const char *interp_verdict_text(enum verdict v);

/*
 * Running without a contract: registers and one memory as the caller wants them.  A register's value is its
 * low byte first, whatever the machine's order.
 */
struct interp_memory { uint64_t base, size; uint8_t *bytes; };

/* The place of register r's value: *ret_bytes long, in the host's words of 8 bytes, low word first. */
uint64_t *interp_reg(struct interp *in, int r, int *ret_bytes);

/*
 * Runs from instruction 0 until control leaves the instructions; *ret_at: where it went (a label's place), or -1 after
 * a return.  Every access must lie inside the memory.
 */
enum verdict interp_free(struct interp *in, const struct interp_memory *m, int *ret_at);

#endif
