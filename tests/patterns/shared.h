/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the maker of cases and the runner agree on. */
#ifndef PATTERNS_SHARED_H
#define PATTERNS_SHARED_H

#include <stddef.h>
#include <stdint.h>

#define ARENA 2048		/* bytes of memory a case may touch */
#define VALUE_BYTES 32		/* the widest register */

static inline uint64_t noise(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state * 0x2545f4914f6cdd1du;
}

/* Memory before a case. */
static inline void arena_fill(uint8_t *bytes, uint64_t seed)
{
	uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;

	for (int i = 0; i < ARENA; i++)
		bytes[i] = (uint8_t)(noise(&state) >> 56);
}

#endif
