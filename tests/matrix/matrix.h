/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fault matrix: every routine with an exception table in the contract's form, called for every size,
 * alignment and place of the first inaccessible byte, as a kernel would call it.
 *
 * Memory can only be taken away by pages, so the user side's alignment follows from p: its start lies p bytes
 * before a page border.  The other side has all 16 alignments, at both ends of its accessible pages.
 */
#ifndef UCOPY_MATRIX_H
#define UCOPY_MATRIX_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum kind { KIND_FROM, KIND_TO, KIND_IN, KIND_CLEAR, KIND_MEMCPY, KIND_MEMSET };

struct routine { /* the runner makes the table of them from the object's symbols */
	const char *name;
	uintptr_t address;
	unsigned long size;
	enum kind kind;
	bool zeroing;
	bool maximal;
	bool holds; /* it calls hooks that hold memory */
};

extern struct routine matrix_routines[];
extern const size_t matrix_nroutines;

/* What a machine's trampoline loads before the call and stores after it; its assembly knows the layout. */
enum { FRAME_REGS = 48 };
struct frame {
	uintptr_t routine;
	unsigned long arg[3];
	unsigned long result;
	unsigned long want[FRAME_REGS];
	unsigned long got[FRAME_REGS];
};
extern struct frame *matrix_frame;
void matrix_call(struct frame *frame);

/* The pages of one buffer: lo .. hi and back .. end, a page apart; nothing around them is accessible. */
struct arena {
	unsigned char *lo, *hi, *back, *end;
};

enum { FILL = 0xdb }; /* what a destination holds before each call; no source byte is like it */

extern size_t page;
void arena_new(struct arena *arena);
size_t arena_reach(const struct arena *arena, const unsigned char *start, size_t n);
const unsigned char *arena_differs(const struct arena *arena, const unsigned char *from,
				   const unsigned char *to, const unsigned char *like, ptrdiff_t back);
void arena_fill(const struct arena *arena, const unsigned char *like, ptrdiff_t back);

enum violation {
	FINE,
	/* the call was abandoned */
	NO_ENTRY,
	STRAY,
	UNALIGNED,
	CRASH,
	ENDLESS,
	/* it returned */
	RESIDUAL_RANGE,
	CLAIMS,
	WRONG_DATA,
	NOT_ZEROED,
	PAST_COUNT,
	OUTSIDE,
	SOURCE_CHANGED,
	NO_PROGRESS,
	NOT_MAXIMAL,
	REGISTER,
	RESULT,
	HELD,
	VIOLATIONS
};
extern const char *const violation_text[VIOLATIONS];

/* One call, and what is known of it so far. */
struct trial {
	const struct routine *routine;
	unsigned char *dst, *src;
	size_t n, p;
	int c; /* KIND_MEMSET */
	unsigned long serial;
	int grants; /* so often memory is held when asked for; below 0: always */
	bool misheld;
	bool deep; /* look at the whole arenas after this call */

	volatile enum violation violation;
	volatile uintptr_t fault_pc, fault_address;
	volatile int signal;
	volatile unsigned faults;
	volatile bool running;
	unsigned long result;
	const unsigned char *where; /* byte of a destination or source that is wrong */
	unsigned char was, should;
	const char *reg;
	unsigned long reg_was, reg_should;
	sigjmp_buf leave;
};

struct bench { /* the buffers: destination and source, and copies of what they should hold */
	struct arena dst, src;
	unsigned char *filled, *pattern; /* like dst.lo .. dst.end, src.lo .. src.end */
};

void bench_new(struct bench *bench, uint64_t seed);
bool kind_has_source(enum kind kind);
bool kind_source_is_user(enum kind kind);
bool kind_dest_is_user(enum kind kind);

void trial_run(struct bench *bench, struct trial *trial);
bool bench_clean(const struct bench *bench);
void bench_restore(const struct bench *bench);
void trial_print(const struct bench *bench, const struct trial *trial, char *to, size_t size);

/* hooks.c: before a call, and whether all that was held in it was let go, once. */
void hooks_watch(const struct arena *user, struct trial *trial);
bool hooks_done(void);

/* fault.c: the table, and the handler that does what a kernel does. */
extern size_t table_size;
extern uint32_t *table_hits; /* by entry; shared by all processes */
bool table_check(void);
size_t table_site_count(size_t *ret_hit);
void table_print_missed(void);
/* Where its first instruction is; the address a routine is called by may say more than that. */
uintptr_t code_of(const struct routine *routine);
void faults_catch(void);
void faults_watch(struct trial *trial);

/* What a run over a routine found; lies in memory shared with the parent. */
struct result {
	unsigned long cases, wrong, by_violation[VIOLATIONS];
	char first[512];
	char current[128];
	bool done;
};

struct options {
	const char *glob, *not_maximal;
	uint64_t seed;
	size_t n_min, n_max;
	bool quick, list, coverage;
	unsigned jobs, repeat;
};

void grid_run(const struct routine *routine, const struct options *options, struct result *result);

#endif
