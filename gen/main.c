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
#include "plan.h"
#include "prove.h"
#include "schedule.h"

/* A routine's way from its template to proved instructions; each pass has what the one before it made. */
static void compile(struct run *run, struct unit *u)
{
	struct diag *d = run->diag;

	diag_about(d, u->routine);
	if (run->options->command == CMD_WHY_NOT) {
		lower_routine_why(run, d, u->machine, &u->tree->templates, u->routine, &u->why);
		return;
	}
	u->program = lower_routine(run, d, u->machine, &u->tree->templates, u->routine);
	if (!u->program || !plan_fixups(run, d, u->program))
		return;
	schedule_slots(u->program);
	if (run->options->dump == DUMP_IR)
		dump_program(stderr, u->program);
	if (!prove_program(run, d, u->program, &u->proof)) {
		run->refused = true;
		return;
	}
	u->labels = labels_new(run, u->program);
	if (run->options->dump == DUMP_PROOF) {
		struct explain_options o = { .comments = false };

		explain_program(stderr, u->program, u->labels, u->proof, &o);
	}
	/* What the proof found is large, and only explaining asks for it. */
	if (run->options->command != CMD_EXPLAIN)
		u->proof = prove_done(u->proof);
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
	ctx = talloc_zero(NULL, char);	/* not empty: leak checkers know no block by the address behind it */
	if (options_read(ctx, argc, argv, &options, &status)) {
		struct run *run = run_new(ctx, &options);

		for (size_t i = 0; i < options.specs.n; i++)
			run_add_spec(run, options.specs.v[i]);
		for (size_t i = 0; i < run->nunits; i++) {
			run_progress(run, &run->units[i]);
			compile(run, &run->units[i]);
		}
		diag_about(run->diag, NULL);
		status = run_finish(run);
	}
	if (fflush(stdout) || ferror(stdout)) {
		perror("ucopy: standard output");
		status = EXIT_FAULT;
	}
	return status;
}
