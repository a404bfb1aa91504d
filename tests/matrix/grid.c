/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which calls a routine is put through: sizes, places of both buffers, and what of their product is taken. */
#include "matrix.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

enum {
	ALIGNMENTS = 16,
	OPEN_PLACES = 2 * ALIGNMENTS, /* at the first page's start, and at the last one's end */
	ALL_BELOW = 161,	      /* every n and every p */
	ALL_PLACES_BELOW = 600,	      /* every p of the sizes below */
	MOST_PLACES = 8192,
	NEAR = 80,
	MOST_HANGS = 2,
};

/* Blocks, pages, and both together with a tail; holes come of n beyond a page. */
static const size_t large[] = {
	176,  191,  192,  193,	207,  224,  239,  240,	255,  256,  257,   272,	  300,
	319,  320,  321,  383,	384,  385,  447,  448,	449,  511,  512,   513,	  575,
	640,  768,  777,  1023, 1024, 1025, 1040, 1056, 1536, 2047, 2048,  2049,  4095,
	4096, 4097, 4111, 4160, 4256, 5000, 8191, 8192, 8193, 8256, 12289, 16384, 16417,
};

struct grid {
	const struct options *options;
	struct result *result;
	struct bench bench;
	struct trial trial;
	uint64_t random;
	unsigned hangs;
};

static unsigned random_below(struct grid *g, size_t limit)
{
	g->random = g->random * 6364136223846793005 + 1442695040888963407;
	return (unsigned)((g->random >> 33) % limit);
}

static unsigned char *open_place(const struct arena *arena, size_t n, unsigned k)
{
	return k < ALIGNMENTS ? arena->lo + k : arena->hi - n - (k - ALIGNMENTS);
}

static bool is_taken(struct grid *g, size_t n, size_t p)
{
	if (n < ALL_PLACES_BELOW && !g->options->quick)
		return true;
	if (n < ALL_BELOW || p <= NEAR / 4 || p + NEAR / 4 >= n)
		return true;
	if (p <= NEAR || p + NEAR >= n)
		return p % 2 == 0;
	return random_below(g, 2 * n / NEAR) == 0;
}

/*
 * Starts of a range whose bytes can't all be accessed: p bytes before the border; within the inaccessible
 * page, at any alignment; and so that its end, but not its start, can be accessed.
 */
static size_t closed_places(struct grid *g, const struct arena *arena, size_t n, unsigned char **ret_places)
{
	size_t count = 0;

	for (size_t p = 0; p < n && p < (size_t)(arena->hi - arena->lo); p++)
		if (is_taken(g, n, p))
			ret_places[count++] = arena->hi - p;
	for (size_t a = 1; n && a < ALIGNMENTS; a++)
		ret_places[count++] = arena->hi + a;
	for (size_t k = 1; k < n && k <= page; k++)
		if (is_taken(g, n, k))
			ret_places[count++] = arena->back - k;
	return count;
}

static void note(struct grid *g)
{
	struct result *result = g->result;
	struct trial *t = &g->trial;

	result->by_violation[t->violation]++;
	if (!result->wrong++)
		trial_print(&g->bench, t, result->first, sizeof(result->first));
	if (t->violation == ENDLESS && t->signal != SIGSEGV)
		g->hangs++;
}

static void run(struct grid *g, unsigned char *dst, unsigned char *src)
{
	struct trial *t = &g->trial;

	t->dst = dst;
	t->src = src;
	if (g->hangs > MOST_HANGS)
		return;
	trial_run(&g->bench, t);
	if (!t->deep)
		g->result->cases++;
	if (t->violation != FINE && (!t->deep || t->violation == OUTSIDE || t->violation == SOURCE_CHANGED))
		note(g);
}

static void run_memset(struct grid *g, unsigned char *dst, unsigned k)
{
	static const int values[] = {0, 0x5a, 0x7fffff80, -3, 0x1c5};

	g->trial.c = values[k % (sizeof(values) / sizeof(values[0]))];
	run(g, dst, NULL);
}

static void open_grid(struct grid *g, size_t n)
{
	const struct bench *b = &g->bench;
	bool sample = g->options->quick || n >= ALL_BELOW;

	for (unsigned d = 0; d < OPEN_PLACES; d++)
		for (unsigned s = 0; s < OPEN_PLACES; s++) {
			if (sample && random_below(g, g->options->quick ? 24 : 4))
				continue;
			if (g->trial.routine->kind == KIND_MEMSET)
				run_memset(g, open_place(&b->dst, n, d), s);
			else
				run(g, open_place(&b->dst, n, d), open_place(&b->src, n, s));
		}
}

/* Closed places on one side, against all open ones of the other. */
static void half_open_grid(struct grid *g, size_t n, bool dst_closed)
{
	static unsigned char *places[MOST_PLACES];
	const struct arena *closed = dst_closed ? &g->bench.dst : &g->bench.src;
	const struct arena *open = dst_closed ? &g->bench.src : &g->bench.dst;
	size_t count = closed_places(g, closed, n, places);
	unsigned step = g->options->quick ? OPEN_PLACES : n < ALL_BELOW ? 1 : OPEN_PLACES / 4;

	if (!kind_has_source(g->trial.routine->kind))
		step = OPEN_PLACES;
	for (size_t i = 0; i < count; i++) {
		/* nothing can be copied when only the end can be accessed: fewer of the other's places do */
		unsigned by = places[i] <= closed->hi || step > 4 ? step : 4;

		if (g->options->quick && n >= ALL_BELOW && random_below(g, 8))
			continue;
		for (unsigned k = random_below(g, by); k < OPEN_PLACES; k += by) {
			unsigned char *other = open_place(open, n, k);

			run(g, dst_closed ? places[i] : other, dst_closed ? other : places[i]);
		}
	}
}

/* Both sides closed: all pairs as long as they are few. */
static void closed_grid(struct grid *g, size_t n)
{
	static unsigned char *dst[MOST_PLACES], *src[MOST_PLACES];
	size_t ndst = closed_places(g, &g->bench.dst, n, dst), nsrc = closed_places(g, &g->bench.src, n, src);
	size_t most = g->options->quick ? 200 : 6000, every = ndst * nsrc / most + 1;

	for (size_t i = random_below(g, every); i < ndst * nsrc; i += 1 + random_below(g, 2 * every - 1))
		run(g, dst[i / nsrc], src[i % nsrc]);
}

static void run_size(struct grid *g, size_t n)
{
	enum kind kind = g->trial.routine->kind;

	g->random = g->options->seed * 1000003 + n;
	g->trial.n = n;
	open_grid(g, n);
	if (kind_dest_is_user(kind))
		half_open_grid(g, n, true);
	if (kind_source_is_user(kind))
		half_open_grid(g, n, false);
	if (kind == KIND_IN)
		closed_grid(g, n);
}

/* A byte changed far from the buffers is seen only after all calls of a size: repeat them to find the call.
 */
static void grid_size(struct grid *g, size_t n)
{
	if (n < g->options->n_min || n > g->options->n_max)
		return;
	snprintf(g->result->current, sizeof(g->result->current), "n = %zu", n);
	/* hooks that always hold a page, never, or only the first ones */
	g->trial.grants = -1;
	run_size(g, n);
	for (int k = 0; g->trial.routine->holds && k < 3; k++) {
		g->trial.grants = k;
		run_size(g, n);
	}
	if (bench_clean(&g->bench))
		return;
	unsigned long wrong = g->result->wrong;

	bench_restore(&g->bench);
	g->trial.deep = true;
	run_size(g, n);
	g->trial.deep = false;
	if (g->result->wrong == wrong) {
		g->result->by_violation[OUTSIDE]++;
		g->result->wrong++;
	}
}

void grid_run(const struct routine *routine, const struct options *options, struct result *result)
{
	static struct grid grid;

	grid = (struct grid){.options = options, .result = result};
	grid.trial.routine = routine;
	bench_new(&grid.bench, options->seed);
	faults_watch(&grid.trial);
	for (size_t n = 0; n < ALL_BELOW; n++)
		grid_size(&grid, n);
	for (size_t i = 0; i < sizeof(large) / sizeof(large[0]); i++)
		grid_size(&grid, large[i]);
}
