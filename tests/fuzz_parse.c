/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Entry for libFuzzer (clang -fsanitize=fuzzer,address,undefined) and afl-clang-fast: any bytes as a spec. */
#include <talloc.h>

#include "fuzz.h"
#include "parse.h"

#define NAME "/dev/null/input"		/* below a file: includes find nothing */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	clock_t start = clock();
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 20);
	FILE *nowhere = fopen("/dev/null", "w");

	parse_text(ctx, d, NAME, (const char *)data, size);
	if (nowhere) {
		diag_flush(d, nowhere, size & 1, size & 2);
		fclose(nowhere);
	}
	talloc_free(ctx);
	fuzz_stop_slow(start);
	return 0;
}
