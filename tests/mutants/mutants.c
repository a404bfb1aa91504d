/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Mutants against the prover: changes each routine of a machine in small ways, a fixed random choice of them, and asks
 * the prover about each.  A mutant counts when the interpreter finds a case that it gets wrong (so none that is as good
 * as the original counts); every counted one must be refused.
 *
 *	mutants [--count N] [--seed S] [--target NAME] [--routine NAME] [--list] SPEC
 *
 * N wrong ones are looked for in all of a machine's targets together.  --list prints every mutant's fate.  Ends with 1 when
 * a wrong mutant was proved, or fewer than N were wrong.
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "lower.h"
#include "mutant.h"
#include "parse.h"
#include "plan.h"
#include "prove.h"
#include "resolve.h"
#include "targets.h"
#include "witness.h"

#define SEARCH_STEPS 200000000u	/* for a run that a mutant gets wrong */

struct tally {
	unsigned tried, none, wrong, refused, harmless_proved, harmless_refused;
	unsigned by_kind[MUTANT_KINDS], refused_by_kind[MUTANT_KINDS];
};

static unsigned wanted = 500;
static uint64_t seed = 1;
static bool list;
static const char *only, *only_target;

static uint64_t next_random(void)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return seed * 0x2545f4914f6cdd1d;
}

static void shuffle(struct mutant *v, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = (size_t)(next_random() % i);
		struct mutant m = v[i - 1];

		v[i - 1] = v[k];
		v[k] = m;
	}
}

/*
 * One of each kind after the other, so that kinds with many members leave room for the rest; where a routine's share is
 * less than one of each, the next routine's begins with other kinds.
 */
static struct mutant *deal(void *ctx, const struct mutant *v, size_t n, unsigned first)
{
	struct mutant *dealt = talloc_array(ctx, struct mutant, (unsigned)n + 1);
	size_t next[MUTANT_KINDS] = { 0 }, k = 0;

	while (k < n)
		for (unsigned turn = 0; turn < MUTANT_KINDS; turn++) {
			unsigned kind = (first + turn) % MUTANT_KINDS;
			size_t *i = &next[kind];

			while (*i < n && v[*i].kind != (enum mutant_kind)kind)
				++*i;
			if (*i < n)
				dealt[k++] = v[(*i)++];
		}
	return dealt;
}

static void judge(const struct program *p, const struct mutant *m, struct tally *t)
{
	void *ctx = talloc_new(NULL);
	struct program *q = mutate(ctx, p, m);
	uint64_t steps = SEARCH_STEPS;
	struct witness w;
	bool wrong, ok;

	if (!q) {
		talloc_free(ctx);
		return;
	}
	t->tried++;
	ok = proof_holds(prove_program(ctx, q));
	wrong = witness_any(ctx, q, &steps, &w);
	if (wrong) {
		t->wrong++;
		t->by_kind[m->kind]++;
		t->refused += !ok;
		t->refused_by_kind[m->kind] += !ok;
	} else {
		t->harmless_proved += ok;
		t->harmless_refused += !ok;
	}
	if (list || (wrong && ok))
		printf("%s, %s: %s%s%s\n", wrong ? "wrong" : "harmless", ok ? "proved" : "refused", mutant_text(ctx, p, m),
		       wrong ? ": " : "", wrong ? witness_text(ctx, &w) : "");
	talloc_free(ctx);
}

static struct program *make(void *ctx, struct diag *d, const struct machine *m, const struct tree *t, const char *name)
{
	struct program *p = lower_routine(ctx, d, m, &t->templates, name);

	return p && plan_fixups(ctx, d, p) && proof_holds(prove_program(ctx, p)) ? p : NULL;
}

static bool routine(struct diag *d, const struct machine *m, const struct tree *t, const char *name, unsigned quota, struct tally *all)
{
	static unsigned begun;
	void *ctx = talloc_new(NULL);
	struct program *p = make(ctx, d, m, t, name);
	struct tally here = { 0 };
	struct mutant *v;
	size_t n;

	if (!p) {
		printf("%s/%s %s: not proved\n", m->name, m->target.full_name, name);
		talloc_free(ctx);
		return false;
	}
	v = mutants_of(ctx, p, &n);
	shuffle(v, n);
	v = deal(ctx, v, n, begun);
	begun += quota;
	for (size_t i = 0; i < n && here.wrong < quota; i++)
		judge(p, &v[i], &here);
	printf("%s/%s %s: %u mutants, %u wrong, %u of them refused by the prover; harmless: %u proved, %u refused\n", m->name,
	       m->target.full_name, name, here.tried, here.wrong, here.refused, here.harmless_proved, here.harmless_refused);
	fflush(stdout);
	for (size_t i = 0; i < sizeof(here) / sizeof(unsigned); i++)
		((unsigned *)all)[i] += ((unsigned *)&here)[i];
	talloc_free(ctx);
	return true;
}

static int summary(const struct machine *m, const struct tally *all)
{
	for (int k = 0; k < MUTANT_KINDS; k++)
		printf("%s   %-24s %4u wrong, %4u refused\n", m->name, mutant_kind_text((enum mutant_kind)k), all->by_kind[k],
		       all->refused_by_kind[k]);
	printf("%s: %u mutants, %u wrong, the prover alone refuses %u of them (%.1f %%)\n", m->name, all->tried, all->wrong, all->refused,
	       all->wrong ? 100.0 * all->refused / all->wrong : 0.0);
	return all->wrong == all->refused && (only || all->wrong >= wanted) ? 0 : 1;
}

/* A routine's share of what is wanted, and of two more for each of a target's, as some have fewer wrong ones than that. */
static unsigned share(size_t of_target, size_t routines)
{
	return (unsigned)((wanted + 2 * of_target + routines - 1) / routines);
}

static int run(const char *spec)
{
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 0);
	struct tree *t = parse_file(ctx, d, spec);
	struct targets some = t && !diag_errors(d) ? targets_of(ctx, t, only_target) : (struct targets){ NULL, 0 };
	struct machine **m = talloc_zero_array(ctx, struct machine *, (unsigned)some.n + 1);
	struct tally all = { 0 };
	size_t routines = 0;
	bool proved = true;
	int status = 1;

	for (size_t i = 0; i < some.n && !diag_errors(d); i++) {
		m[i] = targets_resolve(ctx, d, t, &some, i);
		routines += m[i] ? m[i]->target.nemit : 0;
	}
	for (size_t k = 0; k < some.n; k++)
		for (size_t i = 0; m[k] && i < m[k]->target.nemit && !diag_errors(d); i++)
			if (!only || !strcmp(only, m[k]->target.emit[i]))
				proved &= routine(d, m[k], t, m[k]->target.emit[i], share(m[0]->target.nemit, routines), &all);
	if (m[0] && !diag_errors(d))
		status = summary(m[0], &all) || !proved;
	diag_flush(d, stderr, false, false);
	talloc_free(ctx);
	return status;
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "count", required_argument, NULL, 'c' }, { "seed", required_argument, NULL, 's' },
		{ "target", required_argument, NULL, 't' }, { "routine", required_argument, NULL, 'r' },
		{ "list", no_argument, NULL, 'l' }, { NULL, 0, NULL, 0 },
	};
	int o;

	while ((o = getopt_long(argc, argv, "", options, NULL)) >= 0)
		switch (o) {
		case 'c':
			wanted = (unsigned)strtoul(optarg, NULL, 10);
			break;
		case 's':
			seed = strtoull(optarg, NULL, 10) | 1;
			break;
		case 't':
			only_target = optarg;
			break;
		case 'r':
			only = optarg;
			break;
		case 'l':
			list = true;
			break;
		default:
			return 2;
		}
	if (optind + 1 != argc)
		return 2;
	return run(argv[optind]);
}
