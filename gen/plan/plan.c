/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "plan.h"

#include "analyse.h"
#include "array.h"
#include "fixup.h"
#include "free_registers.h"
#include "ir_edit.h"

struct site {
	size_t insn;
	int line;
	size_t entry;
};

struct planner {
	void *ctx;
	struct diag *diag;
	struct program *p;
	const struct analysis *a;
	struct site *sites;
	size_t nsites;
	struct entry *entries;
	size_t nentries;
	size_t nlabels;			/* of the program without fixups */
	bool plain;			/* sums without constants where there are such */
};

static bool exact_place(enum fixup_form f)
{
	return f == FIXUP_LADDER || f == FIXUP_BOTH;
}

static bool returns(enum fixup_form f)
{
	return f == FIXUP_DIRECT || f == FIXUP_LADDER;
}

/* Registers the state has values for, each reduced once. */
static void fill_space(const struct planner *pl, const struct dstate *s, struct sum_space *space)
{
	space->n = 0;
	for (int r = 0; r < (int)pl->p->machine->nregs && space->n < 64; r++) {
		int v = analysis_var(pl->a, r);
		struct form f = form_var(v);

		if (!v || !dstate_reduce(s, &f, &space->value[space->n]) || space->value[space->n].lost)
			continue;
		space->reg[space->n++] = r;
	}
}

/* The value cursor c must have when resuming at w. */
static struct form wanted_value(const struct planner *pl, int c, struct form w)
{
	switch (c) {
	case CURSOR_DST:
		return form_add(form_var(analysis_dst(pl->a)), w, 1);
	case CURSOR_SRC:
		return form_add(form_var(analysis_src(pl->a)), w, 1);
	default:
		return form_add(form_var(analysis_n(pl->a)), w, -1);
	}
}

/* Does the cursor's register hold it already, or does another site's sum fit, so that both can share code? */
static bool known_sum(const struct planner *pl, const struct sum_space *space, const struct dstate *s, const struct form *want,
		      const struct entry *e, int c, struct sum *ret)
{
	*ret = sum_of_reg(resume_reg(e->resume, c));
	if (sum_matches(space, s, want, ret) && !ret->c)
		return true;
	for (int near = 0; near < (pl->plain ? 1 : 2); near++)	/* the same sum, else one that differs by a constant */
		for (size_t k = pl->nentries; k-- > 0;) {
			if (pl->entries[k].resume != e->resume)
				continue;
			*ret = pl->entries[k].sum[c];
			if (sum_matches(space, s, want, ret) && (near || ret->c == pl->entries[k].sum[c].c))
				return true;
		}
	return false;
}

/* Sums for all cursors at w. */
static bool sums_at(const struct planner *pl, const struct sum_space *space, const struct dstate *s, struct form w, struct entry *e)
{
	for (int c = 0; c < CURSORS; c++) {
		struct form want;

		if (!e->wanted[c])
			continue;
		want = wanted_value(pl, c, w);
		if (!known_sum(pl, space, s, &want, e, c, &e->sum[c]) &&
		    !sum_find(space, s, &want, resume_reg(e->resume, c), pl->plain, &e->sum[c]))
			return false;
	}
	return true;
}

/* How many bytes are done when `value` is what cursor c holds. */
static struct form done_by(const struct planner *pl, int c, struct form value)
{
	switch (c) {
	case CURSOR_DST:
		return form_add(value, form_var(analysis_dst(pl->a)), -1);
	case CURSOR_SRC:
		return form_add(value, form_var(analysis_src(pl->a)), -1);
	default:
		return form_add(form_var(analysis_n(pl->a)), value, -1);
	}
}

/* Is w from 0 to W and farther than *best (a tie is for the first)?  Then it is the best, if sums tell it. */
static bool better_base(const struct planner *pl, const struct sum_space *space, const struct dstate *s, struct form w, bool found,
			struct form *best, struct entry *e)
{
	struct form below = form_add(form_var(analysis_written(pl->a)), w, -1), gain = form_add(w, *best, -1);
	struct entry try = *e;

	if (!dstate_ge0(s, &w) || !dstate_ge0(s, &below) || !dstate_ge0(s, &gain) || (found && dstate_eq0(s, &gain)) ||
	    !sums_at(pl, space, s, w, &try))
		return false;
	*e = try;
	*best = w;
	return true;
}

/*
 * The farthest place at or below W that some register stands at (taken as a destination pointer), or 0: what the hot
 * path keeps without effort.  Where none does, one taken as a source pointer, or as the number of bytes left.
 */
static bool sums_at_base(const struct planner *pl, const struct sum_space *space, const struct dstate *s, struct entry *e)
{
	struct form best = form_const(0);
	struct entry try = *e;
	bool found = sums_at(pl, space, s, best, &try);

	if (found)
		*e = try;
	for (int c = 0; c < CURSORS && !(c && found); c++)
		for (int i = 0; i < space->n; i++)
			found |= better_base(pl, space, s, done_by(pl, c, space->value[i]), found, &best, e);
	return found;
}

/* Where a fault in the code behind `r` resumes: what a fixup that returns at once goes to. */
static const struct resume *resume_after(const struct planner *pl, const struct resume *r)
{
	const struct program *p = pl->p;

	for (size_t i = (size_t)p->labels[r->label].at; i < p->ninsns; i++)
		for (int k = 0; k < p->insns[i].nsteps; k++)
			if (p->resume_of[i] >= 0 && analysis_point(pl->a, i, k).site)
				return &p->resumes[p->resume_of[i]];
	return r;
}

static struct entry *new_entry(struct planner *pl)
{
	ARRAY_RESIZE(pl->ctx, pl->entries, struct entry, pl->nentries + 1);
	pl->entries[pl->nentries] = (struct entry){ .label = -1 };
	return &pl->entries[pl->nentries];
}

static size_t keep_entry(struct planner *pl, const struct entry *e)
{
	for (size_t k = 0; k < pl->nentries; k++)
		if (entry_same(&pl->entries[k], e))
			return k;
	*new_entry(pl) = *e;
	return pl->nentries++;
}

static void error_site(struct planner *pl, const struct insn *in, enum diag_id id, const char *what)
{
	diag_error(pl->diag, id, in->pattern ? in->pattern->place : in->place, "%s", what);
	diag_note(pl->diag, in->place, "the access is needed here");
}

static void plan_site(struct planner *pl, size_t i, int line, const struct point *at)
{
	struct program *p = pl->p;
	const struct insn *in = &p->insns[i];
	enum fixup_form form = p->machine->fixup;
	struct entry e = { .label = -1, .site = in->place };
	struct sum_space space;
	bool ok;

	if (p->resume_of[i] < 0) {
		error_site(pl, in, DIAG_NO_RESUME, "an access that can fault stands before any `resume` clause");
		return;
	}
	e.resume = &p->resumes[p->resume_of[i]];
	if (returns(form))
		e.resume = resume_after(pl, e.resume);
	for (int c = 0; c < CURSORS; c++)
		e.wanted[c] = resume_reg(e.resume, c) >= 0;
	e.leaves = p->framed[i] && !p->framed[p->labels[e.resume->label].at];
	if (e.leaves)
		e.frame = p->frame_at[i];
	fill_space(pl, at->state, &space);
	ok = exact_place(form) && sums_at(pl, &space, at->state, form_var(analysis_written(pl->a)), &e);
	if (!ok && !sums_at_base(pl, &space, at->state, &e)) {
		error_site(pl, in, DIAG_NO_RESUME, "no sum of registers tells where to resume after a fault here");
		return;
	}
	ARRAY_RESIZE(pl->ctx, pl->sites, struct site, pl->nsites + 1);
	pl->sites[pl->nsites++] = (struct site){ i, line, keep_entry(pl, &e) };
}

static void plan_sites(struct planner *pl)
{
	const struct program *p = pl->p;

	pl->nsites = pl->nentries = 0;
	for (size_t i = 0; i < p->hot; i++)
		for (int k = 0; k < p->insns[i].nsteps; k++) {
			struct point at = analysis_point(pl->a, i, k);

			if (at.state && at.site)
				plan_site(pl, i, k, &at);
		}
}

/* Plans and appends all fixups, in place of those that were appended before. */
static bool append_fixups(struct planner *pl, struct diag *d, bool plain)
{
	unsigned before = diag_errors(d);

	pl->diag = d;
	pl->plain = plain;
	pl->p->ninsns = pl->p->hot;
	pl->p->nlabels = pl->nlabels;
	plan_sites(pl);
	return diag_errors(d) == before && fixup_emit(pl->ctx, d, pl->p, pl->entries, pl->nentries);
}

/* Do some differ by constants only? */
static bool has_ladder(const struct planner *pl)
{
	for (size_t i = 0; i < pl->nentries; i++)
		for (size_t j = 0; j < i; j++)
			if (entry_same_terms(&pl->entries[i], &pl->entries[j]))
				return true;
	return false;
}

/* By the nearest sums, or by some that more sites have in common, whichever takes fewer instructions. */
static bool plan_shortest(struct planner *pl)
{
	struct diag *d = pl->diag;
	size_t n;
	bool ok = append_fixups(pl, d, false);

	n = pl->p->ninsns;
	if (!ok || !has_ladder(pl) || (append_fixups(pl, diag_new(pl->ctx, 1), true) && pl->p->ninsns < n))
		return ok;
	return append_fixups(pl, d, false);
}

bool plan_fixups(void *ctx, struct diag *d, struct program *p)
{
	struct planner pl = { .ctx = talloc_new(ctx), .diag = d, .p = p, .nlabels = p->nlabels };
	bool ok = true;

	p->hot = p->ninsns;
	if (p->info.src_user || p->info.dst_user) {
		pl.a = analyse_program(pl.ctx, p);
		ok = plan_shortest(&pl);
	}
	if (ok) {
		for (size_t k = 0; k < pl.nsites; k++)
			p->insns[pl.sites[k].insn].fixup[pl.sites[k].line] = pl.entries[pl.sites[k].entry].label;
		ir_drop_unreached(p);
		find_free_registers(p);
	}
	talloc_free(pl.ctx);
	return ok;
}
