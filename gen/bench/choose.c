/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "choose.h"

#include <math.h>
#include <string.h>

#include "array.h"
#include "profile.h"

#define SLOWER 1.02		/* what noise can't be told from; counts have none */
#define BETTER 0.99

/* A tune at a value that is not the machine's; tune NULL: all is as the machine has it. */
struct setting {
	const char *tune;
	uint64_t value;
};

bool bench_is_threshold(const struct bench *b, const struct declared *tune)
{
	return tune->between[0].name && bench_method(b, tune->between[0].name, NULL, 0) >= 0 &&
	       bench_method(b, tune->between[1].name, NULL, 0) >= 0;
}

/* The routine as it is with the first of these settings that makes it another one. */
static size_t method_of(const struct bench *b, const char *routine, const struct setting *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int m = bench_method(b, routine, s[i].tune, s[i].value);

		if (m >= 0)
			return (size_t)m;
	}
	return (size_t)bench_method(b, routine, NULL, 0);
}

static struct bench_choice threshold(const struct bench *b, const struct declared *tune, const struct setting *s, size_t n)
{
	struct bench_choice c = { .tune = tune, .crossing = b->nsizes };

	c.below = method_of(b, tune->between[0].name, s, n);
	c.above = method_of(b, tune->between[1].name, s, n);
	while (c.crossing && bench_ratio(b, c.crossing - 1, c.above, c.below) <= (b->counts ? 1 : SLOWER))
		c.crossing--;
	c.value = c.crossing < b->nsizes ? b->sizes[c.crossing] : TUNE_NEVER;
	return c;
}

static size_t taken_at(const struct bench_choice *c, size_t work)
{
	return work < c->crossing ? c->below : c->above;
}

/* How many times as long all takes with a setting, sizes counting alike, each with the threshold that is right for it. */
static double cost(const struct bench *b, const struct setting *s)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = 0; i < b->templates->ntunes; i++) {
		const struct declared *tune = &b->templates->tunes[i];
		struct bench_choice now, then;

		if (!bench_is_threshold(b, tune))
			continue;
		now = threshold(b, tune, NULL, 0);
		then = threshold(b, tune, s, 1);
		for (size_t w = 0; w < b->nsizes; w++, n++)
			sum += log(fmax(bench_ratio(b, w, taken_at(&then, w), taken_at(&now, w)), 1e-9));
	}
	return n ? exp(sum / (double)n) : 1;
}

static bool is_measured(const struct bench *b, const struct setting *s)
{
	for (size_t i = 0; i < b->nmethods; i++)
		if (b->methods[i].tune && strcmp(b->methods[i].tune, s->tune) == 0 && b->methods[i].value == s->value)
			return true;
	return false;
}

/* The best of a tune's candidates.  False: none was measured, as it changes no method. */
static bool best(const struct bench *b, const struct declared *tune, struct bench_choice *ret)
{
	bool any = false;

	*ret = (struct bench_choice){ .tune = tune, .value = machine_tune(b->machine, tune->name), .gain = 1 };
	for (size_t i = 0; i < tune->nof; i++) {
		struct setting s = { tune->name, tune->of[i] };
		double c = is_measured(b, &s) ? cost(b, &s) : 1;

		any |= is_measured(b, &s);
		if (c < BETTER && c < ret->gain) {
			ret->gain = c;
			ret->value = s.value;
		}
	}
	return any;
}

struct bench_choice *bench_choose(void *ctx, const struct bench *b, size_t *ret_n)
{
	const struct templates *t = b->templates;
	struct bench_choice *all = ARRAY_NEW(ctx, struct bench_choice, t->ntunes + 1);
	struct setting *s = ARRAY_NEW(all, struct setting, t->ntunes + 1);
	size_t n = 0;

	for (size_t i = 0; i < t->ntunes; i++)
		if (best(b, &t->tunes[i], &all[n])) {
			s[n] = (struct setting){ t->tunes[i].name, all[n].value };
			n++;
		}
	*ret_n = n;
	for (size_t i = 0; i < t->ntunes; i++)
		if (bench_is_threshold(b, &t->tunes[i]))
			all[(*ret_n)++] = threshold(b, &t->tunes[i], s, n);
	return all;
}
