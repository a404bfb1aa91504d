/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "show.h"

#include <inttypes.h>
#include <string.h>

#include <talloc.h>

#include "claim.h"
#include "profile.h"

#define COLUMN 10

/* "A", .. "Z", "A1", .. */
static const char *letter(void *ctx, size_t method)
{
	return method < 26 ? talloc_asprintf(ctx, "%c", (char)('A' + method)) :
			     talloc_asprintf(ctx, "%c%zu", (char)('A' + method % 26), method / 26);
}

/* Instructions as they are, times as nanoseconds with a decimal. */
static void print_number(FILE *out, const struct bench *b, uint64_t n)
{
	if (b->counts)
		fprintf(out, "%*" PRIu64, COLUMN, n);
	else
		fprintf(out, "%*.1f", COLUMN, (double)n / 1000);
}

static void print_legend(FILE *out, const struct bench *b)
{
	void *ctx = talloc_new(NULL);

	fprintf(out, "%s/%s: ", b->machine->name, b->machine->target.full_name);
	if (b->counts)
		fputs("instructions a call", out);
	else
		fprintf(out, "nanoseconds a call, medians of the %u quietest of %u rounds", b->nquiet, b->rounds);
	fputs("; both sides aligned, then neither\n", out);
	for (size_t m = 0; m < b->nmethods; m++) {
		const char *on = b->methods[m].chooses ? program_goes_on(ctx, b->methods[m].program) : NULL;

		fprintf(out, "  %-3s %s%s%s\n", letter(ctx, m), bench_method_name(ctx, &b->methods[m]), on ? ", goes on in " : "",
			on ? on : "");
	}
	talloc_free(ctx);
}

static void print_head(FILE *out, const struct bench *b)
{
	void *ctx = talloc_new(NULL);

	fprintf(out, "%*s", COLUMN, "bytes");
	for (int a = 0; a < ALIGNMENTS; a++) {
		fputs(a == ALIGNED ? "" : "   ", out);
		for (size_t m = 0; m < b->nmethods; m++)
			fprintf(out, "%*s", COLUMN, letter(ctx, m));
	}
	fputc('\n', out);
	talloc_free(ctx);
}

static void print_rows(FILE *out, const struct bench *b)
{
	void *ctx = talloc_new(NULL);

	for (size_t w = 0; w < bench_works(b); w++) {
		fprintf(out, "%*s", COLUMN, bench_work_name(ctx, b, w));
		for (int a = 0; a < ALIGNMENTS; a++) {
			fputs(a == ALIGNED ? "" : "   ", out);
			for (size_t m = 0; m < b->nmethods; m++)
				print_number(out, b, bench_median(b, w, a, m));
		}
		fputc('\n', out);
	}
	talloc_free(ctx);
}

static void print_threshold(FILE *out, const struct bench *b, const struct bench_choice *c)
{
	void *ctx = talloc_new(NULL);
	const char *above = bench_method_name(ctx, &b->methods[c->above]), *below = bench_method_name(ctx, &b->methods[c->below]);

	if (c->crossing == b->nsizes)
		fprintf(out, "%s: never; at %u bytes %s is still slower than %s", c->tune->name, b->sizes[c->crossing - 1], above,
			below);
	else
		fprintf(out, "%s: %" PRIu64 "; from %u bytes on %s is nowhere slower than %s", c->tune->name, c->value,
			b->sizes[c->crossing], above, below);
	if (c->crossing)
		fprintf(out, " (at %u bytes %.2f times as %s)", b->sizes[c->crossing - 1],
			bench_ratio(b, c->crossing - 1, c->above, c->below), b->counts ? "many" : "long");
	fputc('\n', out);
	talloc_free(ctx);
}

/* Which of a tune's candidates is taken. */
static void print_candidate(FILE *out, const struct bench *b, const struct bench_choice *c)
{
	uint64_t own = machine_tune(b->machine, c->tune->name);

	fprintf(out, "%s: %" PRIu64, c->tune->name, c->value);
	if (c->value == own)
		fputs("; none of the others is better by 1 %\n", out);
	else
		fprintf(out, "; over all sizes %.2f times as %s as with %" PRIu64 "\n", c->gain, b->counts ? "many" : "long", own);
}

static bool goes_on_in(const struct bench_method *m, const char *symbol)
{
	const char **all = program_exits(NULL, m->program);
	bool found = false;

	for (size_t i = 0; all[i] && !found; i++)
		found = strcmp(all[i], symbol) == 0;
	talloc_free(all);
	return found;
}

/* How many times as long a routine that chooses takes as the better of its two methods. */
static double over_better(const struct bench *b, size_t work, size_t chooses, size_t x, size_t y)
{
	double over_x = bench_ratio(b, work, chooses, x), over_y = bench_ratio(b, work, chooses, y);

	return over_x > over_y ? over_x : over_y;
}

/* Where a routine that chooses is worst, against the better of its methods. */
static void print_worst(FILE *out, const struct bench *b, const struct declared *tune, size_t chooses)
{
	size_t x = (size_t)bench_method(b, tune->between[0].name, NULL, 0);
	size_t y = (size_t)bench_method(b, tune->between[1].name, NULL, 0), worst = 0;

	if (!goes_on_in(&b->methods[chooses], b->methods[x].symbol) || !goes_on_in(&b->methods[chooses], b->methods[y].symbol))
		return;
	for (size_t w = 1; w < b->nsizes; w++)
		if (over_better(b, w, chooses, x, y) > over_better(b, worst, chooses, x, y))
			worst = w;
	fprintf(out, "%s, %s %" PRIu64 ": at %u bytes %.2f times as %s as the better of the two, elsewhere less\n",
		b->methods[chooses].routine, tune->name, machine_tune(b->machine, tune->name), b->sizes[worst],
		over_better(b, worst, chooses, x, y), b->counts ? "many" : "long");
}

void bench_table(FILE *out, const struct bench *b, const struct bench_choice *choices, size_t n)
{
	print_legend(out, b);
	print_head(out, b);
	print_rows(out, b);
	for (size_t i = 0; i < n; i++) {
		const struct declared *tune = choices[i].tune;

		if (!tune->between[0].name) {
			print_candidate(out, b, &choices[i]);
			continue;
		}
		print_threshold(out, b, &choices[i]);
		for (size_t m = 0; m < b->nmethods; m++)
			if (b->methods[m].chooses)
				print_worst(out, b, tune, m);
	}
}
