/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Making cases: for a pattern, operands; for operands, what registers hold and what they hold afterwards. */
#ifndef PATTERNS_MAKE_H
#define PATTERNS_MAKE_H

#include "ir.h"
#include "shared.h"

struct maker {
	void *ctx;
	const struct machine *machine;
	uint64_t random;
	uint64_t arena;			/* its address */
	bool *used;			/* by register: is it in a class, and not the zero register? */
};

struct value { uint64_t word[VALUE_BYTES / 8]; };

struct trial {
	const struct pattern *pattern;
	struct program *program;	/* one instruction; label 0: taken, 1: pool */
	struct value *before, *after;	/* by register */
	struct regset any;		/* registers that hold anything afterwards */
	uint64_t seed;			/* of memory */
	uint8_t memory[ARENA];		/* afterwards */
	struct program *behind;		/* a move that is printed behind a branch whose slot is annulled; else NULL */
	bool taken;
	bool known;			/* is what happens? */
};

static inline uint64_t below(struct maker *k, uint64_t n)
{
	return noise(&k->random) % n;
}

/* How many edges the pattern's immediates have. */
int edges(const struct maker *k, const struct pattern *p);
/*
 * A program of the pattern with operands; `edge` picks the immediates' edges, beyond them they are random.  NULL: none
 * was found.
 */
struct program *choose_operands(struct maker *k, const struct pattern *p, int edge);
/* Registers and memory before and after; `want` taken, if it can be had.  False: *ret_why says why there is none. */
bool choose_values(struct maker *k, struct trial *t, bool want, const char **ret_why);

#endif
