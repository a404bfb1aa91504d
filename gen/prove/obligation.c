/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What could not be shown, as diagnostics: at the spec's line of the site that leads there, with the reasons. */
#include <talloc.h>

#include "proof.h"
#include "witness.h"

struct found_edge {
	int line, kind, to;
	struct astate *s;
};

struct edge_list {
	struct engine *e;
	int to;
	struct found_edge *v;
	size_t n;
};

/* Failures where control leaves: they are the fault of what happened before. */
static bool is_at_exit(enum diag_id id)
{
	return id == DIAG_RESIDUAL || id == DIAG_PAST || id == DIAG_MAXIMAL || id == DIAG_PROGRESS ||
	       id == DIAG_CLEARED;
}

static void keep_edge(void *arg, int line, int kind, struct astate *s)
{
	struct edge_list *list = arg;
	size_t i = list->n;

	if (kind < EDGE_FAULT)
		return;
	list->v = talloc_realloc(list->e->ctx, list->v, struct found_edge, (unsigned)list->n + 1);
	for (list->n++; i > 0 && list->v[i - 1].line > line; i--)
		list->v[i] = list->v[i - 1];
	list->v[i] = (struct found_edge){ line, kind, list->to, s };
}

/* Does what flows along one fault edge lead to the failure by itself?  Its work counts. */
static bool leads_to(struct engine *e, const struct found_edge *edge, const struct failure *f)
{
	struct engine alone = *e;
	struct flow *flow = flow_new(&alone, e->ctx, NULL, -1);
	bool found = false;

	alone.failures = NULL;
	alone.nfailures = 0;
	alone.checking = false;
	flow_start(&alone, flow, edge->to, state_copy(&alone, edge->s));
	flow_run(&alone, flow);
	alone.checking = true;
	if (!alone.gave_up)
		flow_walk(&alone, flow, NULL, NULL);
	for (size_t k = 0; k < alone.nfailures; k++)
		found |= alone.failures[k].id == f->id && alone.failures[k].line == f->line;
	e->steps = alone.steps;
	e->joins = alone.joins;
	talloc_free(flow);
	return found;
}

static void find_site(struct engine *e, const struct flow *flow, struct failure *f)
{
	struct edge_list list = { .e = e };

	for (int l = 0; l < e->cfg->lines; l++) {
		list.to = l;
		if (flow_at(flow, l))
			flow_edges(flow, l, keep_edge, &list);
	}
	for (size_t k = 0; k < list.n && f->site < 0; k++)
		if (leads_to(e, &list.v[k], f))
			f->site = list.v[k].line;
	talloc_free(list.v);
}

static const struct insn *insn_at(const struct engine *e, int line)
{
	return &e->p->insns[e->cfg->line[line].insn];
}

/* The line of the spec; what opens or drops a frame is no line, but has the texts of the stack. */
static struct place spec_place(const struct engine *e, int line)
{
	const struct insn *i = insn_at(e, line);
	const struct texts *t;

	if (i->pattern)
		return i->pattern->place;
	t = i->nsteps && i->steps[0].nacts && i->steps[0].acts[0].kind == ACT_ENTER ? &e->m->stack_enter : &e->m->stack_leave;
	return t->n ? t->v[0].place : i->place;
}

/* Does a line store? */
static bool stores(const struct engine *e, int line)
{
	const struct step *s = cfg_step(e->cfg, line);

	for (size_t k = 0; k < s->nacts; k++)
		if (s->acts[k].kind == ACT_STORE)
			return true;
	return false;
}

static const char *fixup_text(enum fixup_form f)
{
	switch (f) {
	case FIXUP_DIRECT:
		return "a fixup takes the registers as they are and returns; a constant for each site, or a retry, would tell more";
	case FIXUP_LADDER:
		return "a fixup goes to the exact place by constants and returns; bytes copied from there would tell more";
	case FIXUP_RETRY:
		return "a fixup takes the registers as they are and copies on byte by byte";
	default:
		return "a fixup goes to the exact place by constants and copies on byte by byte";
	}
}

static void explain_exit(const struct engine *e, struct diag *d, const struct failure *f)
{
	if (!is_at_exit(f->id) || f->site < 0)
		return;
	diag_note(d, insn_at(e, f->line)->place, "the routine is left here");
	if (e->m->update == UPDATE_BLOCK)
		diag_note(d, e->m->update_place,
			  "pointers move once per block, so they lag behind what was written");
	diag_note(d, e->m->fixup_place, "%s", fixup_text(e->m->fixup));
}

static void report(struct engine *e, struct diag *d, const struct failure *f)
{
	int at = f->site >= 0 ? f->site : f->line;
	const char *after = f->site < 0 ? "" :
			    stores(e, at) ? "after a fault in this store " : "after a fault in this load ";

	diag_error(d, f->id, spec_place(e, at), "%s: %s%s", e->p->info.name, after, f->text);
	diag_note(d, insn_at(e, at)->place, "it is needed here");
	explain_exit(e, d, f);
}

static bool reported(const struct engine *e, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (e->failures[i].id == e->failures[k].id)
			return true;
	return false;
}

/* Does a failure follow from another one? */
static bool follows_from(enum diag_id id, enum diag_id other)
{
	if (id == other)
		return false;
	if (other == DIAG_CALL)
		return id != DIAG_FRAME;
	if (is_at_exit(id) && (other == DIAG_GAP || other == DIAG_DATA || other == DIAG_OUTSIDE))
		return true;
	if (id == DIAG_MAXIMAL || id == DIAG_PROGRESS)
		return other == DIAG_RESIDUAL || other == DIAG_PAST || other == DIAG_MISALIGNED;
	return is_at_exit(id) && other == DIAG_RESIDUAL;
}

/* One of a kind is told, the first; what follows from a worse one is not. */
static bool is_consequence(const struct engine *e, size_t k)
{
	for (size_t i = 0; i < e->nfailures; i++)
		if (follows_from(e->failures[k].id, e->failures[i].id))
			return true;
	return false;
}

/* Could a run show one of the failures? */
static bool can_show(const struct engine *e)
{
	for (size_t k = 0; k < e->nfailures; k++)
		if (e->failures[k].id != DIAG_UNREACHED)
			return true;
	return false;
}

static void report_failures(const struct proof *proof, struct diag *d)
{
	struct engine *e = proof->e;

	e->steps = e->joins = 0;
	for (size_t k = 0; k < e->nfailures; k++) {
		if (reported(e, k) || is_consequence(e, k))
			continue;
		if (is_at_exit(e->failures[k].id))
			find_site(e, proof->flow, &e->failures[k]);
		report(e, d, &e->failures[k]);
	}
}

bool proof_report(const struct proof *proof, struct diag *d)
{
	const struct program *p = proof->p;

	if (proof->why) {
		diag_error(d, DIAG_TOO_LARGE, p->place, "%s can't be proved: %s", p->info.name, proof->why);
		return false;
	}
	report_failures(proof, d);
	return can_show(proof->e);
}

void proof_example(const struct program *p, struct diag *d, uint64_t *steps)
{
	void *ctx = talloc_new(NULL);
	bool looked = *steps > 0;
	struct witness w;

	if (witness_search(ctx, p, steps, &w))
		diag_note_all(d, (struct place){ 0 }, witness_text(ctx, &w));
	else if (looked)
		diag_note_all(d, (struct place){ 0 },
			      "no run of small sizes was found to go wrong: it may be the proof that sees too little");
	talloc_free(ctx);
}
