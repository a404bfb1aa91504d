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
#define STEPS (EXAMPLE_STEPS / 20)	/* sanitizers and coverage make each step twenty times as slow */

struct one {			/* input */
	void *ctx;
	struct diag *d;
	const struct tree *tree;
	uint64_t steps;
};

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

static void compile(struct one *o, const struct machine *m, const char *routine)
{
	struct program *p = lower_routine(o->ctx, o->d, m, &o->tree->templates, routine);
	struct proof *proof;

	if (!p || !plan_fixups(o->ctx, o->d, p))
		return;
	schedule_slots(p);
	proof = prove_program(o->ctx, p);
	if (proof_holds(proof))
		print_all(p, proof);
	else if (proof_report(proof, o->d))
		proof_example(p, o->d, &o->steps);
	talloc_free(proof);
}

/* Why lines that begin so were not taken. */
static void ask_why(struct one *o, const struct machine *m, FILE *out)
{
	struct why why = { .text = "l" };

	lower_routine_why(o->ctx, o->d, m, &o->tree->templates, m->target.emit[0], &why);
	why_print(out, m, m->target.emit[0], &why);
}

static void compile_target(struct one *o, const char *machine, const char *target, FILE *out)
{
	const struct machine *m = resolve_machine(o->ctx, o->d, o->tree, machine, target);

	for (size_t r = 0; m && r < m->target.nemit && r < ROUTINES; r++)
		compile(o, m, m->target.emit[r]);
	if (m && m->target.nemit)
		ask_why(o, m, out);
}

static void compile_machine(struct one *o, const struct spec_machine *m, FILE *out)
{
	const struct spec_body *b = &m->body;
	const struct tree *t = o->tree;

	if (!b->ntargets)
		compile_target(o, m->name.name, t->ntargets ? t->targets[0]->name.name : NULL, out);
	for (size_t i = 0; i < b->ntargets && i < TARGETS; i++)
		compile_target(o, m->name.name, b->targets[i]->name.name, out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	clock_t start = clock();
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 20);
	struct tree *t = parse_text(ctx, d, NAME, (const char *)data, size);
	struct one o = { ctx, d, t, STEPS };
	FILE *nowhere = fopen("/dev/null", "w");

	if (t && !diag_errors(d))
		check_names(ctx, d, t);
	if (t && nowhere && !diag_errors(d) && t->nmachines)
		compile_machine(&o, t->machines[0], nowhere);
	if (nowhere) {
		diag_flush(d, nowhere, size & 1, size & 2);
		fclose(nowhere);
	}
	talloc_free(ctx);
	fuzz_stop_slow(start);
	return 0;
}
