/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The buffers: pages to copy in, with nothing accessible before, between and behind them. */
#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { FRONT_PAGES = 8, OPEN_PAGES = 6, BACK_PAGES = 2 };

size_t page;

static void *must(void *p, const char *what)
{
	if (!p || p == MAP_FAILED) {
		perror(what);
		exit(3);
	}
	return p;
}

/* Wide inaccessible margins: a range that runs past its arena meets no memory of anybody else. */
void arena_new(struct arena *arena)
{
	page = (size_t)sysconf(_SC_PAGESIZE);
	size_t all = (2 * FRONT_PAGES + OPEN_PAGES + 1 + BACK_PAGES) * page;
	unsigned char *start = must(mmap(NULL, all, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), "mmap");

	arena->lo = start + FRONT_PAGES * page;
	arena->hi = arena->lo + OPEN_PAGES * page;
	arena->back = arena->hi + page;
	arena->end = arena->back + BACK_PAGES * page;
	if (mprotect(arena->lo, OPEN_PAGES * page, PROT_READ | PROT_WRITE) ||
	    mprotect(arena->back, BACK_PAGES * page, PROT_READ | PROT_WRITE))
		must(NULL, "mprotect");
}

/* Bytes from start up to the first inaccessible one, at most n. */
size_t arena_reach(const struct arena *arena, const unsigned char *start, size_t n)
{
	const unsigned char *stop = start;

	if (start >= arena->lo && start < arena->hi)
		stop = arena->hi;
	else if (start >= arena->back && start < arena->end)
		stop = arena->end;
	return n < (size_t)(stop - start) ? n : (size_t)(stop - start);
}

static const unsigned char *differs(const unsigned char *from, const unsigned char *to,
				    const unsigned char *lo, const unsigned char *hi,
				    const unsigned char *like)
{
	if (from < lo)
		from = lo;
	if (to > hi)
		to = hi;
	if (from >= to || !memcmp(from, like + (from - lo), (size_t)(to - from)))
		return NULL;
	for (like += from - lo; *from == *like; like++)
		from++;
	return from;
}

/*
 * The first accessible byte of from .. to that isn't like its copy.  `like` is the copy of lo .. hi, and
 * `back` further on in it lies that of back .. end.
 */
const unsigned char *arena_differs(const struct arena *arena, const unsigned char *from,
				   const unsigned char *to, const unsigned char *like, ptrdiff_t back)
{
	const unsigned char *at = differs(from, to, arena->lo, arena->hi, like);

	return at ? at : differs(from, to, arena->back, arena->end, like + back);
}

void arena_fill(const struct arena *arena, const unsigned char *like, ptrdiff_t back)
{
	memcpy(arena->lo, like, (size_t)(arena->hi - arena->lo));
	memcpy(arena->back, like + back, (size_t)(arena->end - arena->back));
}

static uint64_t mix(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
	x = (x ^ x >> 27) * 0x94d049bb133111eb;
	return x ^ x >> 31;
}

/* Source bytes are 1 .. 127, without a period: neither fill nor zero nor a neighbour passes for one. */
void bench_new(struct bench *bench, uint64_t seed)
{
	arena_new(&bench->dst);
	arena_new(&bench->src);
	size_t size = (size_t)(bench->dst.end - bench->dst.lo);

	bench->filled = must(malloc(size), "malloc");
	bench->pattern = must(malloc(size), "malloc");
	memset(bench->filled, FILL, size);
	for (size_t i = 0; i < size; i++)
		bench->pattern[i] = (unsigned char)(1 + mix(seed + i) % 127);
	bench_restore(bench);
}

void bench_restore(const struct bench *bench)
{
	ptrdiff_t back = bench->dst.back - bench->dst.lo;

	arena_fill(&bench->dst, bench->filled, back);
	arena_fill(&bench->src, bench->pattern, back);
}

bool bench_clean(const struct bench *bench)
{
	ptrdiff_t back = bench->dst.back - bench->dst.lo;

	return !arena_differs(&bench->dst, bench->dst.lo, bench->dst.end, bench->filled, back) &&
	       !arena_differs(&bench->src, bench->src.lo, bench->src.end, bench->pattern, back);
}
