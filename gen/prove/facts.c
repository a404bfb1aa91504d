/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What was proved of a line, as short texts: where registers stand, what they hold, what a fault there leaves. */
#include <inttypes.h>
#include <string.h>
#include <talloc.h>

#include "proof.h"

struct facts {
	void *ctx;
	const struct engine *e;
	int line;
	const char **v;
	size_t n;
	bool reached;
	const char *residual;
};

/* A variable's name, or NULL: one of those that say how a number was split. */
static const char *name_of(const struct engine *e, int var)
{
	static const char *const ghosts[] = {
		[VAR_DST0] = "dst", [VAR_SRC0] = "src", [VAR_N] = "n",
		[VAR_P] = "p", [VAR_W] = "W", [VAR_M] = "M", [VAR_Y] = "Y",
	};

	if (var < VAR_FIRST)
		return ghosts[var];
	return var >= e->vars.base ? e->m->regs[e->vars.reg_of[var]].name : NULL;
}

static bool can_be_said(const struct engine *e, const struct form *f)
{
	for (int i = 0; i < f->n; i++)
		if (!name_of(e, f->v[i]))
			return false;
	return !f->lost && f->n <= 5;
}

static char *add_term(char *s, int64_t c, const char *name)
{
	uint64_t size = c < 0 ? -(uint64_t)c : (uint64_t)c;

	s = talloc_strdup_append(s, c < 0 ? (*s ? " - " : "-") : *s ? " + " : "");
	if (size != 1 || !name)
		s = talloc_asprintf_append(s, "%" PRIu64 "%s", size, name ? " " : "");
	return name ? talloc_strdup_append(s, name) : s;
}

static char *print_form(void *ctx, const struct engine *e, const struct form *f)
{
	char *s = talloc_strdup(ctx, "");

	for (int sign = 1; sign >= -1; sign -= 2)
		for (int i = 0; i < f->n; i++)
			if ((f->c[i] > 0) == (sign > 0))
				s = add_term(s, f->c[i], name_of(e, f->v[i]));
	return f->k || !f->n ? add_term(s, f->k, NULL) : s;
}

static void add(struct facts *f, const char *text)
{
	f->v = talloc_realloc(f->ctx, f->v, const char *, (unsigned)f->n + 1);
	f->v[f->n++] = text;
}

static void add_number(struct facts *f, struct astate *s, int var)
{
	struct form x = form_var(var), r;
	const char *name = name_of(f->e, var);

	if (dstate_reduce(s->d, &x, &r) && !form_has(&r, var) && can_be_said(f->e, &r))
		add(f, talloc_asprintf(f->ctx, "%s = %s", name, print_form(f->ctx, f->e, &r)));
}

static void add_lanes(struct facts *f, struct astate *s, int var, const struct holding *h)
{
	struct form x = form_var(var), r;
	int64_t lo, hi;

	if (!form_is_const(h->lo, &lo) || !form_is_const(h->hi, &hi))
		return;
	if (!dstate_reduce(s->d, &x, &r) || !can_be_said(f->e, &r))
		return;
	r = form_plus(r, h->slope < 0 ? -(hi - 1) : lo);
	add(f, talloc_asprintf(f->ctx, "%s: %" PRId64 " bytes of src at %s", name_of(f->e, var), hi - lo,
			       print_form(f->ctx, f->e, &r)));
}

static void add_register(struct facts *f, struct astate *s, int var)
{
	int reg = f->e->vars.reg_of[var];
	const struct holding *h = &s->held[var - f->e->vars.base];

	if (!regset_has(&f->e->cfg->line[f->line].live, reg))
		return;
	if (h->kind == HELD_NUMBER)
		add_number(f, s, var);
	else if (h->kind == HELD_SOURCE)
		add_lanes(f, s, var, h);
	else if (h->kind == HELD_ENTRY && h->of != reg)
		add(f, talloc_asprintf(f->ctx, "%s = %s at entry", name_of(f->e, var),
				       f->e->m->regs[h->of].name));
}

static bool holds(const struct astate *s, struct form f)
{
	return dstate_is0(s->d, &f);
}

static void add_ghosts(struct facts *f, struct astate *s)
{
	struct form w = form_var(VAR_W), m = form_var(VAR_M);

	if (holds(s, form_add(form_var(VAR_N), w, -1)))
		add(f, "W = n");
	else
		add_number(f, s, VAR_W);
	if (!holds(s, form_add(m, w, -1)))
		add(f, "bytes past W may be written");
}

/* The place a line's accesses begin at, by the first that goes to a user side. */
static void find_residual(struct facts *f, struct astate *s)
{
	struct form left = form_add(form_var(VAR_N), form_var(VAR_W), -1), most = form_scale(left, -1), r;
	int64_t least, minus;

	f->residual = "n - W";
	if (dstate_reduce(s->d, &left, &r) && can_be_said(f->e, &r))
		f->residual = print_form(f->ctx, f->e, &r);
	if (dstate_min(s->d, &left, &least) && least > 0)
		f->residual = talloc_asprintf(f->ctx, "%s, at least %" PRId64, f->residual, least);
	if (dstate_min(s->d, &most, &minus) && minus > -4096)
		f->residual = talloc_asprintf(f->ctx, "%s, at most %" PRId64, f->residual, -minus);
}

static void look(void *arg, int line, struct astate *s)
{
	struct facts *f = arg;

	if (line != f->line)
		return;
	f->reached = true;
	add_ghosts(f, s);
	for (int v = f->e->vars.base; v <= f->e->vars.count; v++)
		add_register(f, s, v);
	find_residual(f, s);
}

static bool find_facts(struct facts *f, const struct proof *proof, size_t insn, int line)
{
	const struct cfg *c = proof->e ? proof->e->cfg : NULL;
	int leader;

	f->e = proof->e;
	if (!c || insn >= f->e->p->ninsns || c->first[insn] + line >= c->first[insn + 1])
		return false;
	f->line = leader = c->first[insn] + line;
	while (!c->line[leader].leader)
		leader--;
	flow_walk_block(proof->e, proof->flow, leader, look, f);
	return f->reached;
}

const char **proof_facts(void *ctx, const struct proof *proof, size_t insn, int line, size_t *ret_n)
{
	struct facts f = { .ctx = ctx, .v = talloc_array(ctx, const char *, 1) };

	if (!find_facts(&f, proof, insn, line))
		return NULL;
	*ret_n = f.n;
	return f.v;
}

const char *proof_residual(void *ctx, const struct proof *proof, size_t insn, int line)
{
	struct facts f = { .ctx = ctx };

	if (!proof->e || insn >= proof->e->p->ninsns || line >= proof->e->p->insns[insn].nsteps ||
	    proof->e->p->insns[insn].fixup[line] < 0)
		return NULL;
	return find_facts(&f, proof, insn, line) ? f.residual : NULL;
}

struct proof_counts proof_counts(const struct proof *proof)
{
	const struct engine *e = proof->e;
	struct proof_counts c = {
		.lines = (unsigned)e->cfg->lines, .steps = e->steps, .joins = e->joins, .loops = e->loops,
	};

	for (int l = 0; l < e->cfg->lines; l++)
		c.states += flow_at(proof->flow, l) != NULL;
	return c;
}
