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

/* Finds what holds everywhere, then what of it is not as it should be; NULL, or what kept it from that. */
static const char *settle(struct engine *e, struct flow *f)
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
	if (!e->gave_up)
		return NULL;
	return e->exhausted ? "its loops and branches take too many steps" :
			      "the search for what holds in its loops doesn't settle";
}

bool proof_holds(const struct proof *proof)
{
	return !proof->why && !proof->e->nfailures;
}

struct proof *prove_program(void *ctx, struct program *p)
{
	struct proof *proof = talloc_zero(ctx, struct proof);

	proof->p = p;
	proof->why = "it has no instructions";
	proof->e = p->ninsns ? engine_new(proof, p, true, &proof->why) : NULL;
	if (!proof->e)
		return proof;
	proof->flow = flow_new(proof->e, proof->e, NULL, -1);
	proof->why = settle(proof->e, proof->flow);
	if (proof_holds(proof)) {
		p->maximal = proof->e->maximal;
		p->rewrites = proof->e->rewrites;
	}
	return proof;
}
