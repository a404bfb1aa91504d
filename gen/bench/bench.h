/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What was measured: methods, routines that do the same in different ways, over sizes and mixes of sizes, both sides aligned
 * or neither.  Times are picoseconds a call, counts are instructions executed in the routine; an integer either way.
 */
#ifndef UCOPY_BENCH_H
#define UCOPY_BENCH_H

#include <stdio.h>

#include "ast.h"
#include "diag.h"
#include "ir.h"

enum { ALIGNED, MISALIGNED, ALIGNMENTS };

#define BENCH_METHODS_MAX 64
#define BENCH_ROUNDS_MAX 1001

struct bench_method {
	const struct program *program;
	const char *routine;
	const char *symbol;		/* what it is linked as: no two have the same */
	const char *tune;		/* made with this tune, */
	uint64_t value;			/* .. at this value; tune NULL: with all as the machine has them */
	bool chooses;			/* goes on in others */
};

/*
 * A work is a size (index into sizes) or, behind those, one of the mixes.  Of each there is a number for every round,
 * alignment and method: bench_taken.
 */
struct bench {
	const struct machine *machine;
	const struct templates *templates;
	bool counts;			/* instructions, not picoseconds; there is one round then */
	unsigned rounds;
	struct bench_method *methods;
	size_t nmethods;
	const unsigned *sizes;		/* bytes, rising */
	size_t nsizes;
	uint64_t *taken;
	unsigned *quiet, nquiet;	/* of each work: rounds that count, others were disturbed */
};

/* 0 to 1 MiB: densely at first, then four sizes for each power of two. */
const unsigned *bench_sizes(size_t *ret_n);

/* Works there are. */
size_t bench_works(const struct bench *b);
/* "64", or the name of a mix. */
const char *bench_work_name(void *ctx, const struct bench *b, size_t work);
/* "copy_to_user_blocks, block 32" */
const char *bench_method_name(void *ctx, const struct bench_method *m);
/* Position of the method made of a routine with a tune at a value (tune NULL: as the machine has them); -1: it isn't there. */
int bench_method(const struct bench *b, const char *routine, const char *tune, uint64_t value);

uint64_t *bench_taken(const struct bench *b, unsigned round, size_t work, int alignment, size_t method);
/*
 * Fills b->quiet, owned by ctx: the quarter of a work's rounds in which all methods together took least.  Whatever else the
 * machine does, some moments are free of it; and what disturbs one method more than another must not decide between them.
 */
void bench_find_quiet(void *ctx, struct bench *b);
/* Over these rounds. */
uint64_t bench_median(const struct bench *b, size_t work, int alignment, size_t method);
/* How many times as long x takes as y, both alignments together: the median of what each of these rounds says. */
double bench_ratio(const struct bench *b, size_t work, size_t x, size_t y);

/* What the program of measured routines is built from: harness.c and mixes.h as they are, methods.h made. */
extern const char *const bench_harness[], *const bench_mixes[];
/* .. and what counts instructions in an emulator: plugin.c, qemu_plugin.h. */
extern const char *const bench_plugin[], *const bench_plugin_api[];
void bench_print_lines(FILE *out, const char *const *lines);
void bench_print_methods(FILE *out, const struct bench *b);

/* What the harness printed, or the counter wrote, into b->taken.  False: it is something else. */
bool bench_read_times(struct bench *b, const char *text);
bool bench_read_counts(struct bench *b, const char *text);

#endif
