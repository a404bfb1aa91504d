/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The program that `ucopy bench` builds together with the routines it measures: harness ROUNDS, or harness 0, where the
 * emulator around it counts instructions.  It is in ucopy as text.
 *
 * Each round goes once through all works (a size, or a mix of sizes) and alignments and calls all methods there one after the
 * other, another one first each time.  So a slow moment of the machine meets one round, not one method.  A line for each work
 * and alignment of each round: their numbers, and of each method the picoseconds a call took.
 *
 * methods.h is made for it: METHOD lines, sizes[], of which there are SIZES, and MOST, the largest.
 */
#define _POSIX_C_SOURCE 199309L		/* clock_gettime */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mixes.h"

enum { CALLS = 4096, WINDOW = 16384, PAGE = 4096 };

struct call {				/* offsets into both buffers, and the size */
	uint32_t dst, src, n;
};

static unsigned char *to, *from;
static struct call calls[CALLS];

/* Each method has a loop of its own, with the call in it. */
#define COPY(f) \
	unsigned long f(void *, const void *, unsigned long); \
	LOOP(f, f(to + c->dst, from + c->src, c->n))
#define FILL(f) \
	unsigned long f(void *, unsigned long); \
	LOOP(f, f(to + c->dst, c->n))
#define SET(f) \
	unsigned long f(void *, int, unsigned long); \
	LOOP(f, f(to + c->dst, 0x5a, c->n))
#define LOOP(f, does) \
	static void run_##f(size_t n) \
	{ \
		for (const struct call *c = calls; c < calls + n; c++) \
			does; \
	}
#define METHOD(kind, f) kind(f)
#include "methods.h"
#undef METHOD

#define METHOD(kind, f) run_##f,
static void (*const methods[])(size_t n) = {
#define METHODS_ONLY
#include "methods.h"
};

enum { METHODS = sizeof methods / sizeof methods[0] };

static uint64_t state;

static unsigned random_below(unsigned limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)((state >> 33) % limit);
}

static unsigned mixed_size(unsigned which)
{
	unsigned at = random_below(1000), i = 0, low;

	while (at >= mix[which].line[i].permille)
		at -= mix[which].line[i++].permille;
	low = mix[which].line[i].low;
	return low + random_below(mix[which].line[i].high - low + 1);
}

/* Aligned: to 64 bytes.  Misaligned: both sides, to no 16. */
static uint32_t offset(unsigned room, int misaligned)
{
	uint32_t at = random_below(room);

	return misaligned ? (at & ~UINT32_C(15)) + 1 + at % 15 : at & ~UINT32_C(63);
}

/* Small copies stay in the first cache, large ones go where they must.  Returns how many there are. */
static size_t calls_make(unsigned work, int misaligned, size_t most)
{
	unsigned size = work < SIZES ? sizes[work] : MIX_MOST, room = WINDOW;
	size_t n = work < SIZES ? (1u << 19) / (size + 128) + 1 : 1024;

	while (room < 2 * size)
		room *= 2;
	n = n < most ? n : most;
	for (size_t i = 0; i < n; i++) {
		calls[i].n = work < SIZES ? size : mixed_size(work - SIZES);
		calls[i].dst = offset(room - size, misaligned);
		calls[i].src = offset(room - size, misaligned);
	}
	return n;
}

static uint64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static uint64_t picoseconds(unsigned method, size_t n)
{
	uint64_t start;

	methods[method](n / 8 + 1);		/* caches, and what branches remember, are its own */
	start = now();
	methods[method](n);
	return (now() - start) * 1000 / n;
}

static void time_all(unsigned round, unsigned work, int misaligned)
{
	size_t n = calls_make(work, misaligned, CALLS);
	uint64_t taken[METHODS];

	for (unsigned i = 0; i < METHODS; i++) {
		unsigned k = (round + work + i) % METHODS;

		taken[k] = picoseconds(k, n);
	}
	if (!round)				/* touched for the first time */
		return;
	printf("%u %d", work, misaligned);
	for (unsigned k = 0; k < METHODS; k++)
		printf(" %llu", (unsigned long long)taken[k]);
	putchar('\n');
}

/* Where the counter writes down what it has and starts again; called so that no compiler can draw it in. */
static volatile unsigned marks;

void ucopy_bench_mark(void);
void ucopy_bench_mark(void)
{
	marks++;
}

static void count_all(unsigned work, int misaligned)
{
	void (*volatile mark)(void) = ucopy_bench_mark;
	size_t n = calls_make(work, misaligned, work < SIZES ? 1 : COUNTED_CALLS);

	if (work < SIZES) {
		calls[0].dst = misaligned ? 3 : 0;
		calls[0].src = misaligned ? 1 : 0;
	}
	for (unsigned k = 0; k < METHODS; k++) {
		mark();
		methods[k](n);
		mark();
	}
}

static unsigned char *buffer(size_t size)
{
	unsigned char *p = malloc(size + PAGE);

	if (!p)
		exit(1);
	memset(p, 0x5a, size + PAGE);
	return p + (PAGE - (uintptr_t)p % PAGE);
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
	size_t room = 4 * (size_t)MOST + 2 * WINDOW;

	to = buffer(room);
	from = buffer(room);
	for (unsigned round = 0; round <= rounds; round++)
		for (unsigned work = 0; work < SIZES + MIXES; work++)
			for (int misaligned = 0; misaligned < 2; misaligned++) {
				state = round * 1000003u + work * 7u + 1;
				if (rounds)
					time_all(round, work, misaligned);
				else
					count_all(work, misaligned);
			}
	return fflush(stdout) || ferror(stdout);
}
