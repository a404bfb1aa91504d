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

/* Finds what holds everywhere, then what of it is not as it should be; *ret_why: what kept it from that. */
static bool settle(struct engine *e, struct flow *f, const char **ret_why)
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
		*ret_why = e->exhausted ? "its loops and branches take too many steps" :
					  "the search for what holds in its loops doesn't settle";
	return !e->gave_up;
}

/* NULL: it could not be run at all, *ret_why says why. */
static struct proof *run(void *ctx, const struct program *p, const char **ret_why)
{
	struct proof *proof = talloc_zero(ctx, struct proof);

	*ret_why = "it has no instructions";
	proof->e = p->ninsns ? engine_new(proof, p, true, ret_why) : NULL;
	if (proof->e) {
		proof->flow = flow_new(proof->e, proof->e, NULL, -1);
		if (settle(proof->e, proof->flow, ret_why))
			return proof;
	}
	talloc_free(proof);
	return NULL;
}

bool prove_program(void *ctx, struct diag *d, struct program *p, struct proof **ret)
{
	const char *why;
	struct proof *proof = run(ctx, p, &why);

	if (!proof) {
		give_up(d, p, why);
		return false;
	}
	if (proof->e->nfailures) {
		report_failures(proof->e, proof->flow, d);
		talloc_free(proof);
		return false;
	}
	p->maximal = proof->e->maximal;
	p->rewrites = proof->e->rewrites;
	*ret = proof;
	return true;
}

struct proof *prove_done(struct proof *proof)
{
	talloc_free(proof);
	return NULL;
}

bool prove_quietly(void *ctx, struct program *p)
{
	const char *why;
	struct proof *proof = run(ctx, p, &why);
	bool ok = proof && !proof->e->nfailures;

	if (ok) {
		p->maximal = proof->e->maximal;
		p->rewrites = proof->e->rewrites;
	}
	talloc_free(proof);
	return ok;
}
