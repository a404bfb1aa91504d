/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "prove.h"

#include <talloc.h>

#include "engine.h"
#include "proof.h"

static void mark_reached(void *arg, int line, struct astate *s)
{
	bool *reached = arg;

	(void)s;
	reached[line] = true;
}

static void check_reached(struct engine *e, const bool *reached)
{
	for (int l = 0; l < e->cfg->lines; l++)
		if (!reached[l])
			engine_fail(e, DIAG_UNREACHED, l, "control never gets to this instruction");
}

static void give_up(struct diag *d, const struct program *p, const char *why)
{
	diag_error(d, DIAG_TOO_LARGE, p->place, "%s can't be proved: %s", p->info.name, why);
}

static bool settle(struct engine *e, struct flow *f, struct diag *d)
{
	bool *reached = talloc_zero_array(e, bool, (unsigned)e->cfg->lines + 1);

	flow_start(e, f, 0, engine_entry(e));
	flow_run(e, f);
	e->checking = true;
	if (!e->gave_up) {
		flow_walk(e, f, mark_reached, reached);
		check_reached(e, reached);
		terminate(e, f, reached);
	}
	e->checking = false;
	if (e->gave_up)
		give_up(d, e->p, "the search for what holds in its loops doesn't settle");
	return !e->gave_up;
}

bool prove_program(void *ctx, struct diag *d, struct program *p, struct proof **ret)
{
	const char *why;
	struct proof *proof;
	struct engine *e;

	if (!p->ninsns) {
		give_up(d, p, "it has no instructions");
		return false;
	}
	proof = talloc_zero(ctx, struct proof);
	e = proof->e = engine_new(proof, p, true, &why);
	if (!e) {
		give_up(d, p, why);
		talloc_free(proof);
		return false;
	}
	proof->flow = flow_new(e, e, NULL, -1);
	if (!settle(e, proof->flow, d) || e->nfailures) {
		report_failures(e, proof->flow, d);
		talloc_free(proof);
		return false;
	}
	p->maximal = e->maximal;
	p->rewrites = e->rewrites;
	*ret = proof;
	return true;
}
