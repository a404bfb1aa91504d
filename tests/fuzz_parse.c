/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entry for libFuzzer (clang -fsanitize=fuzzer,address,undefined) and afl-clang-fast: any bytes as a spec, then each of
 * the texts found as far as its holes go.
 */
#include <string.h>

#include <talloc.h>

#include "fuzz.h"
#include "parse.h"

#define NAME "/dev/null/input"		/* below a file: includes find nothing */

static void holes(void *ctx, struct diag *d, struct text_at t)
{
	const char *source = t.place.source->text, *at = source + t.place.start, *end = source + t.place.end;

	while ((at = memchr(at, '{', (size_t)(end - at)))) {
		const char *close = memchr(at, '}', (size_t)(end - at));
		struct spec_hole h;

		if (!close)
			return;
		parse_hole(ctx, d, (struct place){ t.place.source, (uint32_t)(at + 1 - source), (uint32_t)(close - source) }, &h);
		at = close;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	clock_t start = clock();
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 20);
	struct tree *t = parse_text(ctx, d, NAME, (const char *)data, size);
	FILE *nowhere = fopen("/dev/null", "w");

	for (size_t m = 0; t && m < t->nmachines; m++)
		for (size_t p = 0; p < t->machines[m]->body.npatterns; p++)
			for (size_t l = 0; l < t->machines[m]->body.patterns[p].nlines; l++)
				holes(ctx, d, t->machines[m]->body.patterns[p].lines[l].text);
	if (nowhere) {
		diag_flush(d, nowhere, size & 1, size & 2);
		fclose(nowhere);
	}
	talloc_free(ctx);
	fuzz_stop_slow(start);
	return 0;
}
