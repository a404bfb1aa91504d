/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "bench.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "mixes.h"

#define EACH 32			/* bytes: up to here every size, */
#define DENSE 128		/* .. up to here every fourth, */
#define MOST (1u << 20)		/* .. and up to here four for each power of two */

const unsigned *bench_sizes(size_t *ret_n)
{
	static unsigned sizes[256];
	size_t n = 0;

	for (unsigned s = 0; s < EACH; s++)
		sizes[n++] = s;
	for (unsigned s = EACH; s < DENSE; s += 4)
		sizes[n++] = s;
	for (unsigned s = DENSE; s < MOST; s *= 2)
		for (unsigned k = 4; k < 8; k++)
			sizes[n++] = s / 4 * k;
	sizes[n++] = MOST;
	*ret_n = n;
	return sizes;
}

size_t bench_works(const struct bench *b)
{
	return b->nsizes + MIXES;
}

const char *bench_work_name(void *ctx, const struct bench *b, size_t work)
{
	return work < b->nsizes ? talloc_asprintf(ctx, "%u", b->sizes[work]) : mix[work - b->nsizes].name;
}

const char *bench_method_name(void *ctx, const struct bench_method *m)
{
	return m->tune ? talloc_asprintf(ctx, "%s, %s %" PRIu64, m->routine, m->tune, m->value) : m->routine;
}

int bench_method(const struct bench *b, const char *routine, const char *tune, uint64_t value)
{
	for (size_t i = 0; i < b->nmethods; i++) {
		const struct bench_method *m = &b->methods[i];

		if (strcmp(m->routine, routine) != 0 || !m->tune != !tune)
			continue;
		if (!tune || (strcmp(m->tune, tune) == 0 && m->value == value))
			return (int)i;
	}
	return -1;
}

uint64_t *bench_taken(const struct bench *b, unsigned round, size_t work, int alignment, size_t method)
{
	size_t cell = (round * bench_works(b) + work) * ALIGNMENTS + (size_t)alignment;

	return &b->taken[cell * b->nmethods + method];
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *v, size_t n)
{
	qsort(v, n, sizeof *v, by_value);
	return v[n / 2];
}

static double both(const struct bench *b, unsigned round, size_t work, size_t method)
{
	return (double)(*bench_taken(b, round, work, ALIGNED, method) + *bench_taken(b, round, work, MISALIGNED, method));
}

/* A round, and how long all methods together took in it. */
struct whole {
	double taken;			/* first: by_value compares it */
	unsigned round;
};

void bench_find_quiet(void *ctx, struct bench *b)
{
	struct whole v[BENCH_ROUNDS_MAX];

	b->nquiet = (b->rounds + 3) / 4;
	b->quiet = ARRAY_NEW(ctx, unsigned, bench_works(b) * b->nquiet);
	for (size_t w = 0; w < bench_works(b); w++) {
		for (unsigned r = 0; r < b->rounds; r++) {
			v[r] = (struct whole){ 0, r };
			for (size_t m = 0; m < b->nmethods; m++)
				v[r].taken += both(b, r, w, m);
		}
		qsort(v, b->rounds, sizeof *v, by_value);
		for (unsigned q = 0; q < b->nquiet; q++)
			b->quiet[w * b->nquiet + q] = v[q].round;
	}
}

uint64_t bench_median(const struct bench *b, size_t work, int alignment, size_t method)
{
	double v[BENCH_ROUNDS_MAX];

	for (unsigned q = 0; q < b->nquiet; q++)
		v[q] = (double)*bench_taken(b, b->quiet[work * b->nquiet + q], work, alignment, method);
	return (uint64_t)median(v, b->nquiet);
}

double bench_ratio(const struct bench *b, size_t work, size_t x, size_t y)
{
	double v[BENCH_ROUNDS_MAX];

	for (unsigned q = 0; q < b->nquiet; q++) {
		unsigned r = b->quiet[work * b->nquiet + q];
		double less = both(b, r, work, y);

		v[q] = both(b, r, work, x) / (less > 0 ? less : 1);
	}
	return median(v, b->nquiet);
}

/* The next number of a line; false: there is none, or it is larger than any. */
static bool number(const char **at, uint64_t *ret)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	*ret = strtoull(*at, &end, 10);
	*at = *end == ' ' || *end == '\n' ? end + 1 : end;
	return *ret < UINT64_MAX / 4;
}

static bool read_cell(struct bench *b, const char **at, unsigned round, size_t work, int alignment)
{
	uint64_t said_work, said_alignment;

	if (!number(at, &said_work) || !number(at, &said_alignment) || said_work != work || said_alignment != (uint64_t)alignment)
		return false;
	for (size_t m = 0; m < b->nmethods; m++)
		if (!number(at, bench_taken(b, round, work, alignment, m)))
			return false;
	return true;
}

bool bench_read_times(struct bench *b, const char *text)
{
	for (unsigned r = 0; r < b->rounds; r++)
		for (size_t w = 0; w < bench_works(b); w++)
			for (int a = 0; a < ALIGNMENTS; a++)
				if (!read_cell(b, &text, r, w, a))
					return false;
	return !*text;
}

/* Two marks around each: what is counted up to the first is of no interest. */
static bool read_count(struct bench *b, const char **at, size_t work, int alignment, size_t method)
{
	uint64_t *n = bench_taken(b, 0, work, alignment, method), before;

	if (!number(at, &before) || !number(at, n))
		return false;
	if (work >= b->nsizes)
		*n = (*n + COUNTED_CALLS / 2) / COUNTED_CALLS;
	return true;
}

bool bench_read_counts(struct bench *b, const char *text)
{
	for (size_t w = 0; w < bench_works(b); w++)
		for (int a = 0; a < ALIGNMENTS; a++)
			for (size_t m = 0; m < b->nmethods; m++)
				if (!read_count(b, &text, w, a, m))
					return false;
	return !*text;
}
