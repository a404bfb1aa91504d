/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Do all loops end?  For each loop a number is looked for that has risen (or fallen) whenever control comes back to the
 * loop's head, and has a bound: W for nearly all of them, else a register.  Then the head is taken out and the loops
 * that are left are looked at.
 */
#include <string.h>
#include <talloc.h>

#include "engine.h"

struct measured {
	struct engine *e;
	int var;
	bool rises, falls;
};

static bool at_least(const struct astate *s, struct form f, int64_t k)
{
	f = form_plus(f, -k);
	return dstate_ge0(s->d, &f);
}

static void measure_edge(void *arg, int line, int kind, struct astate *s)
{
	struct measured *m = arg;
	struct form now = form_var(m->var), d = form_add(now, form_var(m->e->vars.measure), -1);
	struct form bound = form_scale(form_var(VAR_HALF), 4);

	(void)line;
	(void)kind;
	m->rises = m->rises && at_least(s, d, 1) && at_least(s, form_add(bound, now, -1), 0);
	m->falls = m->falls && at_least(s, form_scale(d, -1), 1) && at_least(s, form_add(bound, now, 1), 0);
}

static bool is_measure(struct engine *e, const struct flow *f, const bool *within, int head, int var)
{
	struct measured m = { .e = e, .var = var, .rises = true, .falls = true };
	struct flow *inner = flow_new(e, e->ctx, within, head);
	struct astate *s = state_copy(e, flow_at(f, head));
	struct form now = form_var(var);
	bool checking = e->checking;

	dstate_assign(s->d, e->vars.measure, &now);
	e->checking = false;
	e->measuring = var;
	flow_start(e, inner, head, s);
	flow_run(e, inner);
	e->measuring = 0;
	e->checking = checking;
	/* Where this does not settle, another number may still do. */
	if (e->gave_up)
		m.rises = m.falls = false;
	e->gave_up = e->exhausted;
	flow_edges(inner, head, measure_edge, &m);
	talloc_free(inner);
	return m.rises || m.falls;
}

static void changed_in(const struct engine *e, const bool *within, struct regset *ret)
{
	for (int l = 0; l < e->cfg->lines; l++) {
		const struct step *s = cfg_step(e->cfg, l);

		for (size_t k = 0; within[l] && k < s->nacts; k++)
			if (s->acts[k].kind == ACT_SET)
				action_writes(&s->acts[k], ret);
	}
}

static bool has_measure(struct engine *e, const struct flow *f, const bool *within, int head)
{
	const struct astate *s = flow_at(f, head);
	struct regset changed = { 0 };

	if (is_measure(e, f, within, head, VAR_W))
		return true;
	changed_in(e, within, &changed);
	for (int v = e->vars.base; v <= e->vars.count && !e->gave_up; v++) {
		int reg = e->vars.reg_of[v];

		if (regset_has(&changed, reg) && regset_has(&e->cfg->line[head].live, reg) &&
		    s->held[v - e->vars.base].kind == HELD_NUMBER && is_measure(e, f, within, head, v))
			return true;
	}
	return false;
}

/* The next head to try, after `before` in the order of trying: heads first, then by reverse post-order. */
static int next_head(const struct engine *e, const struct flow *f, const bool *within, const bool *tried)
{
	const struct cfg_line *line = e->cfg->line;
	int best = -1;

	for (int l = 0; l < e->cfg->lines; l++) {
		if (!within[l] || tried[l] || !flow_at(f, l))
			continue;
		if (best < 0 || (line[l].head && !line[best].head) ||
		    (line[l].head == line[best].head && line[l].order < line[best].order))
			best = l;
	}
	return best;
}

static int first_line(const struct engine *e, const bool *within)
{
	int l = 0;

	while (l < e->cfg->lines && !within[l])
		l++;
	return l;
}

static void check_loops(struct engine *e, const struct flow *f, const bool *lines);

static void check_loop(struct engine *e, const struct flow *f, bool *within)
{
	unsigned n = (unsigned)e->cfg->lines + 1;
	bool *tried = talloc_zero_array(e->ctx, bool, n);
	int head = -1;

	e->loops++;
	for (int tries = 0; tries < 3; tries++) {
		head = next_head(e, f, within, tried);
		if (head < 0 || has_measure(e, f, within, head))
			break;
		tried[head] = true;
		head = -1;
	}
	talloc_free(tried);
	if (head < 0) {
		engine_fail(e, DIAG_ENDLESS, first_line(e, within),
			    "no number was found that shows that this loop ends");
		return;
	}
	within[head] = false;
	check_loops(e, f, within);
}

static void check_loops(struct engine *e, const struct flow *f, const bool *lines)
{
	int *component, n = cfg_components(e->ctx, e->cfg, lines, &component);
	bool *within = talloc_array(component, bool, (unsigned)e->cfg->lines + 1);

	for (int c = 0; c < n && !e->gave_up; c++) {
		for (int l = 0; l < e->cfg->lines; l++)
			within[l] = component[l] == c;
		check_loop(e, f, within);
	}
	talloc_free(component);
}

void terminate(struct engine *e, const struct flow *f, const bool *reached)
{
	check_loops(e, f, reached);
}
