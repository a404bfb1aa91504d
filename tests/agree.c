/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Prover against interpreter: no routine that is proved may fail in any run, and what a failed proof shows as a wrong
 * example must be one.  Usage: agree [-n MAX] [-r ROUTINE] [-t TARGET] SPEC..; all targets if none is given
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>
#include <time.h>

#include "lower.h"
#include "parse.h"
#include "plan.h"
#include "prove.h"
#include "resolve.h"
#include "schedule.h"
#include "targets.h"
#include "witness.h"

static uint64_t size_max = 200;
static const char *only, *only_target;

struct tally {
	const struct program *program;
	uint64_t runs, steps, wrong;
	struct witness first;
};

static bool see(void *arg, const struct interp_case *c, const struct interp_result *res)
{
	struct tally *t = arg;

	t->runs++;
	t->steps += res->steps;
	if (res->verdict == RUN_OK || (res->verdict == RUN_NOT_MAXIMAL && !t->program->maximal))
		return true;
	if (!t->wrong++) {
		t->first = (struct witness){ .program = t->program, .c = *c, .result = *res };
		t->first.right = c->n - res->written;
	}
	return t->wrong < 100;
}

/* Every run of a proved program; true: all are right. */
static bool runs_right(void *ctx, const struct program *p, struct tally *t)
{
	uint64_t sizes[16];
	size_t n;
	const char *why = "?";
	struct interp *in = interp_new(ctx, p, &why);

	*t = (struct tally){ .program = p };
	if (!in) {
		printf("%s: can't be run: %s\n", p->info.name, why);
		return false;
	}
	for (uint64_t size = 0; size <= size_max && !t->wrong; size++)
		witness_each(in, p, size, true, see, t);
	n = witness_sizes(p->machine, size_max + 1, sizes, sizeof sizes / sizeof *sizes);
	for (size_t i = 0; i < n && !t->wrong; i++)
		witness_each(in, p, sizes[i], false, see, t);
	talloc_free(in);
	return !t->wrong;
}

static struct program *compile(void *ctx, struct diag *d, const struct machine *m, const struct tree *tree,
			       const char *routine)
{
	struct program *p = lower_routine(ctx, d, m, &tree->templates, routine);

	if (!p || !plan_fixups(ctx, d, p))
		return NULL;
	schedule_slots(p);
	return p;
}

static bool agree_proved(void *ctx, const struct program *p)
{
	clock_t start = clock();
	struct tally t;
	bool ok = runs_right(ctx, p, &t);

	printf("%s: proved%s, %" PRIu64 " runs, %" PRIu64 " steps, %.1f s: %s\n", p->info.name,
	       p->maximal ? "" : " (not maximal)", t.runs, t.steps, (double)(clock() - start) / CLOCKS_PER_SEC,
	       ok ? "all right" : "WRONG");
	if (t.wrong)
		printf("\t%s\n", witness_text(ctx, &t.first));
	return ok;
}

/* A refused program is no disagreement; the wrong example that was found must be wrong when it is run again. */
static bool agree_refused(void *ctx, const struct program *p)
{
	struct interp_result again;
	struct interp *in;
	struct witness w;
	uint64_t steps = 10 * EXAMPLE_STEPS;

	if (!witness_search(ctx, p, &steps, &w)) {
		printf("%s: refused, no wrong run was found\n", p->info.name);
		return true;
	}
	in = interp_new(ctx, p, NULL);
	interp_run(in, &w.c, &again);
	printf("%s: refused: %s\n", p->info.name, witness_text(ctx, &w));
	return again.verdict == w.result.verdict && again.returned == w.result.returned;
}

static bool agree_routine(const struct machine *m, const struct tree *tree, const char *routine)
{
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 0);
	struct program *p = compile(ctx, d, m, tree, routine);
	bool ok = false;

	if (p)
		ok = proof_holds(prove_program(ctx, p)) ? agree_proved(ctx, p) : agree_refused(ctx, p);
	else
		diag_flush(d, stderr, false, false);
	fflush(stdout);
	talloc_free(ctx);
	return ok;
}

static bool agree_target(const struct machine *m, const struct tree *tree)
{
	bool ok = true;

	printf("%s/%s:\n", m->name, m->target.full_name);
	for (size_t i = 0; i < m->target.nemit; i++)
		if (!only || strcmp(only, m->target.emit[i]) == 0)
			ok &= agree_routine(m, tree, m->target.emit[i]);
	return ok;
}

static bool agree_spec(const char *spec)
{
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 0);
	struct tree *tree = parse_file(ctx, d, spec);
	bool ok = tree && !diag_errors(d);
	struct targets all = ok ? targets_of(ctx, tree, only_target) : (struct targets){ NULL, 0 };

	for (size_t i = 0; i < all.n; i++) {
		struct machine *m = targets_resolve(ctx, d, tree, &all, i);

		ok &= m && agree_target(m, tree);
	}
	diag_flush(d, stderr, false, false);
	talloc_free(ctx);
	return ok;
}

int main(int argc, char **argv)
{
	bool ok = true;
	int o;

	while ((o = getopt(argc, argv, "n:r:t:")) >= 0) {
		if (o == 'n') {
			size_max = strtoull(optarg, NULL, 0);
		} else if (o == 'r') {
			only = optarg;
		} else if (o == 't') {
			only_target = optarg;
		} else {
			fprintf(stderr, "usage: %s [-n MAX] [-r ROUTINE] [-t TARGET] SPEC..\n", argv[0]);
			return 2;
		}
	}
	for (int i = optind; i < argc; i++)
		ok &= agree_spec(argv[i]);
	return !ok;
}
