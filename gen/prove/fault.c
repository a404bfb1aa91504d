/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a fault in an access leaves: where the first inaccessible byte may be, and what a torn store has stored. */
#include "access.h"

#include <talloc.h>

/* What was inaccessible may have become accessible. */
void fault_age(struct engine *e, struct astate *s)
{
	struct form j = form_var(e->vars.spare[0]), d;

	if (s->aged)
		return;
	state_forget(e, s, e->vars.spare[0]);
	d = form_add(j, form_var(VAR_P), -1);
	dstate_add_ge(s->d, &d);
	d = form_add(form_var(VAR_N), j, -1);
	dstate_add_ge(s->d, &d);
	state_assign(e, s, VAR_P, &j);
	state_forget(e, s, e->vars.spare[0]);
	s->aged = true;
}

/* Bytes at the span's end that share their accessibility. */
static int64_t granule_of(const struct engine *e, const struct astate *s, const struct span *sp)
{
	int64_t g = (int64_t)1 << known_alignment(s, &sp->address);

	if (sp->size <= 0)
		return 1;
	while (sp->size % g || e->m->granule % g)
		g /= 2;
	return g;
}

/* A part of one aligned word, of any size: it can be accessed as a whole or not at all. */
static bool in_one_granule(const struct engine *e, const struct astate *s, const struct span *sp)
{
	struct form end = form_add(sp->address, sp->len, 1);
	int word = e->word;

	return sp->size < 0 && sp->n == 1 && e->m->granule % word == 0 && form_at_most(s, sp->len, form_const(word)) &&
	       (((1 << known_alignment(s, &sp->address)) % word) == 0 || ((1 << known_alignment(s, &end)) % word) == 0);
}

/* p <= top, or p = 0 where top < 0: each on a state of its own. */
static bool assume_either(struct engine *e, struct astate *s, struct form top)
{
	struct form p = form_var(VAR_P), below = form_plus(form_scale(top, -1), -1), d = form_add(top, p, -1);
	struct astate *t = state_copy(e, s);
	bool a = dstate_add_ge(s->d, &top) && dstate_add_ge(s->d, &d);
	bool b = dstate_add_ge(t->d, &below) && dstate_add_eq(t->d, &p);

	if (a && b)
		state_merge(e, s, t);
	else if (b)
		state_swap(s, t);
	talloc_free(t);
	return a || b;
}

/* Where bounds alone say that all up to p is written, it is said as an equality: those last at joins. */
static bool settle(struct astate *s)
{
	struct form d = form_add(form_var(VAR_P), form_var(VAR_W), -1);

	return dstate_eq0(s->d, &d) || !dstate_is0(s->d, &d) || dstate_add_eq(s->d, &d);
}

/* A fault in the span: p <= max(at + len - g, 0). */
static bool assume_fault(struct engine *e, struct astate *s, const struct span *sp)
{
	struct form p = form_var(VAR_P), top = form_plus(end_of(&sp->at, &sp->len), -granule_of(e, s, sp)), d;

	if (sp->size < 0) {
		d = form_plus(sp->len, -1);
		if (!dstate_add_ge(s->d, &d))
			return false;
		if (in_one_granule(e, s, sp))
			top = sp->at;
	}
	s->aged = false;
	if (top.lost)
		return true;
	if (form_at_least(s, top, 0)) {
		d = form_add(top, p, -1);
		return dstate_add_ge(s->d, &d) && settle(s);
	}
	if (form_at_least(s, form_scale(top, -1), 0))
		return dstate_add_eq(s->d, &p);
	return assume_either(e, s, top);
}

/* Units that a faulting store may have stored some of, counted from each access's start; 0: it stores all or nothing. */
static int tear_unit(const struct engine *e, int line, const struct span *sp)
{
	const struct pattern *p = pattern_at(e, line);
	int unit = p && p->tears ? p->tears : e->m->granularity;

	return unit && (sp->n > 1 || sp->size < 0 || sp->size > unit) ? unit : 0;
}

/* At least so many bytes at the end of the span are in its last unit, whichever access is the last of it. */
static int64_t last_unit(const struct span *sp, int unit)
{
	int64_t least = unit;

	for (int i = 0; i < sp->n; i++) {
		int64_t size = sp->first[i].size, rest = size > 0 ? (size - 1) % unit + 1 : 1;

		least = rest < least ? rest : least;
	}
	return least;
}

/*
 * May the stored units be no prefix of the span?  Not where all of it is accessible or nothing is; nor where its first
 * byte is accessible or ends a granule before it: what can't be accessed then reaches to the span's end.
 */
static bool tears_anywhere(const struct engine *e, const struct astate *s, int line, const struct span *sp)
{
	const struct pattern *p = pattern_at(e, line);

	bool rises = form_same(&sp->at, &sp->first->at);

	if (rises && !(p && p->tears_any) && !e->strict)
		return false;
	if (sp->size < 0 || sp->size > e->m->granule)
		return true;
	if (granule_of(e, s, sp) >= sp->size)
		return false;
	return !form_at_least(s, sp->at, 1) || !form_at_most(s, sp->at, form_var(VAR_P));
}

/* M becomes anything the stored units can have made it. */
static bool tear(struct engine *e, struct astate *s, int line, const struct span *sp, int unit)
{
	struct form m = form_var(VAR_M), j = form_var(e->vars.spare[0]);
	struct form top = form_plus(end_of(&sp->at, &sp->len), -last_unit(sp, unit)), d;
	bool anywhere = tears_anywhere(e, s, line, sp);

	if (anywhere)
		top = end_of(&sp->at, &sp->len);
	s->clearing = false;
	state_forget_dest(e, s);
	if (form_at_most(s, top, m))
		return true;
	state_forget(e, s, e->vars.spare[0]);
	d = form_add(j, m, -1);
	if (!dstate_add_ge(s->d, &d))
		return false;
	d = form_add(top, j, -1);
	if (form_at_most(s, m, top) && !dstate_add_ge(s->d, &d))
		return false;
	d = form_add(form_var(VAR_P), j, -1);
	if (!anywhere && form_at_most(s, m, form_var(VAR_P)) && !dstate_add_ge(s->d, &d))
		return false;
	state_assign(e, s, VAR_M, &j);
	state_forget(e, s, e->vars.spare[0]);
	return true;
}

bool may_tear(const struct engine *e, int line)
{
	const struct pattern *p = pattern_at(e, line);

	return e->m->granularity || (p && p->tears);
}

void fault_edge(struct engine *e, const struct astate *s, int line, int k, const struct span *sp, bool store)
{
	const struct cfg_line *l = &e->cfg->line[line];
	int label = e->p->insns[l->insn].fixup[l->step], unit;
	struct astate *f;

	if (!e->proving)
		return;
	if (label < 0) {
		engine_fail(e, DIAG_NO_FIXUP, line, "this access to user memory has no fixup");
		return;
	}
	f = state_copy(e, s);
	/* Its units are non-temporal stores like any, so some of them may await a fence. */
	f->owed |= store && may_tear(e, line) && span_streams(sp);
	unit = store ? tear_unit(e, line, sp) : 0;
	if (!assume_fault(e, f, sp) || (unit && !tear(e, f, line, sp, unit))) {
		talloc_free(f);
		return;
	}
	flow_push(e, line, EDGE_FAULT + k, cfg_label(e->cfg, label), f);
}
