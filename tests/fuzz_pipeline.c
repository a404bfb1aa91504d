/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Entry for libFuzzer (clang -fsanitize=fuzzer,address,undefined): any bytes as a spec with its templates, through all
 * passes, and what comes out into memory.  Its includes are below a file, so that there are none.
 */
#include <stdlib.h>

#include <talloc.h>

#include "explain.h"
#include "fuzz.h"
#include "lower.h"
#include "names.h"
#include "parse.h"
#include "plan.h"
#include "print.h"
#include "prove.h"
#include "resolve.h"
#include "schedule.h"
#include "table.h"
#include "why.h"

#define NAME "/dev/null/input"
#define ROUTINES 4		/* that are compiled of one input */
#define TARGETS 2

static void print_all(struct program *p, const struct proof *proof)
{
	struct print_options o = { .comments = true };
	struct explain_options e = { .comments = true };
	struct labels *labels = labels_new(p, p);
	struct table_item item = { p, labels };
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		abort();
	print_program(out, p, labels, &o);
	table_json(out, &item, 1);
	table_c(out, &item, 1);
	table_asm(out, &item, 1);
	explain_program(out, p, labels, proof, &e);
	fclose(out);
	free(text);
}

static void compile(void *ctx, struct diag *d, const struct tree *t, const struct machine *m, const char *routine)
{
	struct program *p = lower_routine(ctx, d, m, &t->templates, routine);
	struct proof *proof;

	if (!p || !plan_fixups(ctx, d, p))
		return;
	schedule_slots(p);
	if (prove_program(ctx, d, p, &proof))
		print_all(p, proof);
}

/* Why lines that begin so were not taken. */
static void ask_why(void *ctx, struct diag *d, const struct tree *t, const struct machine *m, FILE *out)
{
	struct why why = { .text = "l" };

	lower_routine_why(ctx, d, m, &t->templates, m->target.emit[0], &why);
	why_print(out, m, m->target.emit[0], &why);
}

static void compile_target(void *ctx, struct diag *d, const struct tree *t, const char *machine, const char *target,
			   FILE *out)
{
	const struct machine *m = resolve_machine(ctx, d, t, machine, target);

	for (size_t r = 0; m && r < m->target.nemit && r < ROUTINES; r++)
		compile(ctx, d, t, m, m->target.emit[r]);
	if (m && m->target.nemit)
		ask_why(ctx, d, t, m, out);
}

static void compile_machine(void *ctx, struct diag *d, const struct tree *t, const struct spec_machine *m, FILE *out)
{
	const struct spec_body *b = &m->body;

	if (!b->ntargets)
		compile_target(ctx, d, t, m->name.name, t->ntargets ? t->targets[0]->name.name : NULL, out);
	for (size_t i = 0; i < b->ntargets && i < TARGETS; i++)
		compile_target(ctx, d, t, m->name.name, b->targets[i]->name.name, out);
}

/* Behind so many errors no wrong example is looked for when a proof fails: that takes its time. */
static struct diag *diag_full(void *ctx)
{
	struct diag *d = diag_new(ctx, 20 + EXAMPLES_MAX);

	for (int i = 0; i < EXAMPLES_MAX; i++)
		diag_error(d, DIAG_TOO_LARGE, (struct place){ NULL, 0, 0 }, "%d", i);
	return d;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	clock_t start = clock();
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 20), *full = diag_full(ctx);
	struct tree *t = parse_text(ctx, d, NAME, (const char *)data, size);
	FILE *nowhere = fopen("/dev/null", "w");

	if (t && !diag_errors(d))
		check_names(ctx, d, t);
	if (t && nowhere && !diag_errors(d) && t->nmachines)
		compile_machine(ctx, full, t, t->machines[0], nowhere);
	if (nowhere) {
		diag_flush(d, nowhere, size & 1, size & 2);
		diag_flush(full, nowhere, size & 1, size & 2);
		fclose(nowhere);
	}
	talloc_free(ctx);
	fuzz_stop_slow(start);
	return 0;
}
