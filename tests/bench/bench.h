/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef UCOPY_BENCH_H
#define UCOPY_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum family { COPY, NOCACHE, FILL, FAMILIES };

struct call { /* one call of a batch: offsets into both buffers, and the size */
	uint32_t dst, src, n;
};

struct batch {
	unsigned char *dst;
	const unsigned char *src;
	struct call *calls;
	size_t ncalls;
};

struct peer {
	const char *name;
	enum family family;
	bool ours;
	void (*run)(const struct batch *batch);
};

extern const struct peer peers[];
extern const size_t npeers;

#endif
