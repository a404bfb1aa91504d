/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Random numbers of the randomised tests: the same ones each time, unless the environment says otherwise. */
#ifndef UCOPY_TESTS_RANDOM_H
#define UCOPY_TESTS_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

static uint64_t seed = 1;

static inline long environment(const char *name, long otherwise)
{
	const char *s = getenv(name);

	return s ? strtol(s, NULL, 10) : otherwise;
}

static inline void seed_from(const char *name)
{
	seed = (uint64_t)environment(name, 1) * 0x9E3779B97F4A7C15u | 1;
}

static inline uint64_t rnd(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545F4914F6CDD1Du >> 16;
}

/* low .. high */
static inline int between(int low, int high)
{
	return low + (int)(rnd() % (uint64_t)(high - low + 1));
}

#endif
