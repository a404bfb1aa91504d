/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <talloc.h>

#include "diag.h"
#include "driver.h"
#include "dump.h"
#include "explain.h"
#include "lower.h"
#include "out_of_memory.h"
#include "plan.h"
#include "prove.h"
#include "schedule.h"
#include "workers.h"

/* A routine's way from its template to proved instructions; each pass has what the one before it made. */
static void compile(const struct options *o, struct unit *u)
{
	const struct templates *t = &u->tree->templates;

	if (o->command == CMD_WHY_NOT) {
		lower_routine_why(u->ctx, u->diag, u->machine, t, u->routine, &u->why);
		return;
	}
	u->program = lower_routine(u->ctx, u->diag, u->machine, t, u->routine);
	if (!u->program || !plan_fixups(u->ctx, u->diag, u->program))
		return;
	schedule_slots(u->program);
	u->proof = prove_program(u->ctx, u->program);
	u->proved = proof_holds(u->proof);
	u->refused = !u->proved;
	u->shows = u->refused && proof_report(u->proof, u->diag);
	/* What the proof found is large. */
	if (o->command != CMD_EXPLAIN && o->dump != DUMP_PROOF)
		TALLOC_FREE(u->proof);
}

/* What the proof found, also where that was not enough. */
static void dump_proof(struct run *run, const struct unit *u)
{
	struct explain_options o = { .comments = false };

	explain_program(stderr, u->program, labels_new(run, u->program), u->proof, &o);
}

/* What became of it: messages, and labels for what is proved. */
static void conclude(struct run *run, struct unit *u)
{
	/* a candidate that can't be had is none */
	if (u->tune && !u->proved)
		return;
	if (u->program && run->options->dump == DUMP_IR)
		dump_program(stderr, u->program);
	if (u->proof && run->options->dump == DUMP_PROOF)
		dump_proof(run, u);
	/* One bound for all examples: they are looked for in order. */
	if (u->shows)
		proof_example(u->program, u->diag, &run->steps);
	run->refused |= u->refused;
	diag_take(run->diag, u->diag);
	if (!u->proved)
		return;
	u->labels = labels_new(run, u->program);
}

/* What the proof of one routine gives back, the next one takes: the system need not have it in between. */
static void keep_memory(void)
{
#ifdef M_TRIM_THRESHOLD
	mallopt(M_TRIM_THRESHOLD, 64 * 1024 * 1024);
#endif
}

int main(int argc, char **argv)
{
	static void *volatile ctx;	/* all memory of the run, which goes with the process */
	struct options options;
	int status;

	keep_memory();
	stack_reserve();
	ctx = talloc_zero(NULL, char);	/* not empty: leak checkers know no block by the address behind it */
	if (options_read(ctx, argc, argv, &options, &status)) {
		struct run *run = run_new(ctx, &options);

		for (size_t i = 0; i < options.specs.n; i++)
			run_add_spec(run, options.specs.v[i]);
		run_compile(run, compile);
		for (size_t i = 0; i < run->nunits; i++)
			conclude(run, &run->units[i]);
		status = run_finish(run);
	}
	if (fflush(stdout) || ferror(stdout)) {
		perror("ucopy: standard output");
		status = EXIT_FAULT;
	}
	return status;
}
