/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What entries for a fuzzer share: an input that takes long is a find, too. */
#ifndef UCOPY_FUZZ_H
#define UCOPY_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef FUZZ_MS
#define FUZZ_MS 1000		/* of the processor's time, with sanitizers; without them it is a fraction of that */
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_stop_slow(clock_t start)
{
	clock_t ms = (clock() - start) / (CLOCKS_PER_SEC / 1000);

	if (ms > FUZZ_MS) {
		fprintf(stderr, "too slow: %ld ms\n", (long)ms);
		abort();
	}
}

#endif
