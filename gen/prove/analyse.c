/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "analyse.h"

#include <talloc.h>

#include "engine.h"

struct analysis {
	struct engine *e;
	struct point *point;		/* by line */
};

/* What the planner sees of a register is its number; one that holds bytes has none. */
static struct dstate *numbers_only(struct engine *e, void *ctx, const struct astate *s)
{
	struct dstate *d = dstate_copy(ctx, s->d);

	for (int v = e->vars.base; v <= e->vars.count; v++)
		if (s->held[v - e->vars.base].kind != HELD_NUMBER)
			dstate_forget(d, v);
	return d;
}

static void keep_point(void *arg, int line, struct astate *s)
{
	struct analysis *a = arg;
	struct point *pt = &a->point[line];

	talloc_free(pt->state);
	pt->site = access_is_site(a->e, s, line, &pt->store);
	pt->state = numbers_only(a->e, a, s);
}

/* Places where only fixups lead to are begun at as the fixups will leave them. */
static void start_resumes(struct engine *e, struct flow *f)
{
	for (size_t k = 0; k < e->p->nresumes && !e->gave_up; k++) {
		int l = cfg_label(e->cfg, e->p->resumes[k].label);

		if (l < 0 || l >= e->cfg->lines || flow_at(f, l))
			continue;
		flow_start(e, f, l, engine_resumed(e, &e->p->resumes[k]));
		flow_run(e, f);
	}
}

struct analysis *analyse_program(void *ctx, const struct program *p)
{
	struct analysis *a = talloc_zero(ctx, struct analysis);
	struct flow *f;
	const char *why;

	a->e = engine_new(a, p, false, &why);
	if (!a->e || !a->e->cfg->lines)
		return a;
	a->point = talloc_zero_array(a, struct point, (unsigned)a->e->cfg->lines + 1);
	f = flow_new(a->e, a->e, NULL, -1);
	flow_watch(f, keep_point, a);
	flow_start(a->e, f, 0, engine_entry(a->e));
	flow_run(a->e, f);
	start_resumes(a->e, f);
	talloc_free(f);
	if (a->e->gave_up)
		a->point = NULL;
	return a;
}

struct point analysis_point(const struct analysis *a, size_t insn, int line)
{
	if (!a->point || insn >= a->e->p->ninsns ||
	    a->e->cfg->first[insn] + line >= a->e->cfg->first[insn + 1])
		return (struct point){ 0 };
	return a->point[a->e->cfg->first[insn] + line];
}

int analysis_var(const struct analysis *a, int reg)
{
	return a->e && reg >= 0 && reg < 256 ? a->e->vars.of_reg[reg] : 0;
}

int analysis_n(const struct analysis *a)
{
	(void)a;
	return VAR_N;
}

int analysis_dst(const struct analysis *a)
{
	(void)a;
	return VAR_DST0;
}

int analysis_src(const struct analysis *a)
{
	return a->e && a->e->p->info.content == CONTENT_COPY ? VAR_SRC0 : 0;
}

int analysis_written(const struct analysis *a)
{
	(void)a;
	return VAR_W;
}
