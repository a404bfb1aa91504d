/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A routine from its template to its instructions. */
#include <string.h>

#include "array.h"
#include "expand.h"
#include "free_registers.h"
#include "lower.h"

static const struct routine *find_routine(const struct templates *t, const char *name)
{
	for (size_t k = 0; k < t->nroutines; k++)
		if (strcmp(t->routines[k]->name, name) == 0)
			return t->routines[k];
	return NULL;
}

static bool unknown_routine(struct expansion *x, const char *name, struct place at)
{
	const struct templates *t = x->templates;
	const char **names = ARRAY_NEW(x->l.ctx, const char *, t->nroutines + 1);

	for (size_t k = 0; k < t->nroutines; k++)
		names[k] = t->routines[k]->name;
	return unknown_error(x, DIAG_NO_ROUTINE, at, "there is no routine", name, names, t->nroutines);
}

bool known_routine(struct expansion *x, const char *name, struct place at)
{
	return find_routine(x->templates, name) || unknown_routine(x, name, at);
}

static bool take_with(struct expansion *x, const struct with *w)
{
	struct routine_info *info = &x->l.p->info;
	const char *name = w->name, *what = w->what;
	bool src = strcmp(name, "src") == 0, dst = strcmp(name, "dst") == 0;

	if (!what) {
		ARRAY_RESIZE(x->l.ctx, x->flags, const char *, x->nflags + 1);
		x->flags[x->nflags++] = name;
		info->zeroing |= strcmp(name, "zeroing") == 0;
		return true;
	}
	if ((src || dst) && strcmp(what, "user") == 0) {
		info->src_user |= src;
		info->dst_user |= dst;
		return true;
	}
	if (dst && strcmp(what, "stream") == 0) {
		info->dst_stream = true;
		return true;
	}
	if (strcmp(name, "result") == 0 && strcmp(what, "dst") == 0) {
		info->contract = CONTRACT_RESULT_DST;
		return true;
	}
	return template_error(x, DIAG_WITH, w->place,
			      "`%s %s` is none of `src user`, `dst user`, `dst stream`, `result dst`", name, what);
}

/* Follows `routine a = b with ..` to the one with a body. */
static bool take_routine(struct expansion *x, const char *name)
{
	struct place at = { .source = NULL };
	size_t limit = x->templates->nroutines;

	for (size_t k = 0; k <= limit; k++) {
		const struct routine *r = find_routine(x->templates, name);

		if (!r)
			return unknown_routine(x, name, at);
		for (size_t w = 0; w < r->nwiths; w++)
			if (!take_with(x, &r->withs[w]))
				return false;
		if (k == 0)
			x->l.p->place = r->place;
		x->routine = r;
		if (!r->base)
			return true;
		name = r->base;
		at = r->place;
	}
	return template_error(x, DIAG_NO_ROUTINE, at, "`%s` is made of itself", name);
}

static bool take_params(struct expansion *x, struct regset *taken)
{
	const struct routine *r = x->routine;
	const struct machine *m = x->l.m;
	struct routine_info *info = &x->l.p->info;

	if (r->nparams > m->nargs)
		return template_error(x, DIAG_ARGUMENTS, r->place,
				      "`%s` has %zu parameters, and the machine registers for %zu", r->name, r->nparams, m->nargs);
	for (size_t k = 0; k < r->nparams; k++) {
		const char *name = r->params[k].name;
		int *at = strcmp(name, "dst") == 0 ? &info->dst : strcmp(name, "src") == 0 ? &info->src :
			  strcmp(name, "n") == 0 ? &info->n : &info->value;

		*at = m->args[k];
		regset_add(taken, m->args[k]);
		if (!scope_declare(x, (struct var){ .name = name, .kind = VAR_REGS, .regs = &m->args[k], .n = 1 },
				   r->params[k].place))
			return false;
	}
	info->content = info->src >= 0 ? CONTENT_COPY : info->value >= 0 ? CONTENT_BYTE : CONTENT_ZERO;
	return true;
}

bool routine_promise(const struct expansion *x, const char *name, struct routine_info *ret)
{
	struct expansion its = { .templates = x->templates };
	struct regset taken = { { 0 } };
	void *ctx = x->l.ctx;
	bool ok;

	its.l = (struct lowering){ .ctx = ctx, .d = diag_new(ctx, 0), .p = program_new(ctx, x->l.m), .m = x->l.m };
	ok = take_routine(&its, name);
	scope_enter(&its, true);
	ok = ok && take_params(&its, &taken);
	*ret = its.l.p->info;
	return ok;
}

static void rename_label(const int *to, int *label)
{
	if (*label >= 0)
		*label = to[*label];
}

static void rename_labels(struct expansion *x)
{
	struct program *p = x->l.p;
	const int *to = labels_merged(x);

	for (size_t k = 0; k < p->ninsns; k++) {
		struct insn *i = &p->insns[k];

		for (size_t o = 0; i->pattern && o < i->pattern->noperands; o++)
			if (i->pattern->operands[o].kind == OPERAND_LABEL)
				rename_label(to, &i->operands[o].label);
		for (int s = 0; s < i->nsteps; s++)
			for (size_t j = 0; j < i->steps[s].nacts; j++)
				if (i->steps[s].acts[j].kind == ACT_GOTO)
					rename_label(to, &i->steps[s].acts[j].label);
	}
	for (size_t k = 0; k < p->nresumes; k++)
		rename_label(to, &p->resumes[k].label);
}

/* Nothing can fault: nothing resumes. */
static void forget_resumes(struct program *p)
{
	if (p->info.src_user || p->info.dst_user)
		return;
	for (size_t k = 0; k < p->ninsns; k++)
		p->resume_of[k] = -1;
	p->nresumes = 0;
}

static bool finish(struct expansion *x)
{
	struct program *p = x->l.p;

	if (!scope_finish(x))
		return false;
	rename_labels(x);
	forget_resumes(p);
	if (!finish_frames(&x->l) || !finish_states(&x->l))
		return false;
	if (!p->ninsns || insn_falls_through(&p->insns[p->ninsns - 1]))
		return template_error(x, DIAG_RUNS_OFF, x->routine->place, "`%s` runs off its end",
				      x->routine->name);
	find_free_registers(p);
	p->hot = p->ninsns;
	return true;
}

static bool expand_routine(struct expansion *x, const char *name)
{
	struct regset taken = { { 0 } };

	if (!take_routine(x, name))
		return false;
	scope_enter(x, true);
	if (!take_params(x, &taken))
		return false;
	x->l.alloc = alloc_new(x->l.m, &taken);
	return expand_body(x, &x->routine->body) && flush(x) && finish(x);
}

struct program *lower_routine(void *ctx, struct diag *d, const struct machine *m, const struct templates *t,
			      const char *routine)
{
	return lower_routine_why(ctx, d, m, t, routine, NULL);
}

struct program *lower_routine_why(void *ctx, struct diag *d, const struct machine *m, const struct templates *t,
				  const char *routine, struct why *why)
{
	struct program *p = program_new(ctx, m);
	void *tmp = talloc_new(ctx);
	struct expansion x = { .templates = t };
	bool ok;

	p->shapes = shapes_new(p, m);
	p->info.name = talloc_strdup(p, routine);
	p->info.symbol = target_symbol(p, m, routine);
	x.l = (struct lowering){ .ctx = tmp, .d = d, .p = p, .m = m, .resume = -1, .saving = -1, .why = why };
	x.l.spare.machine = m;
	x.l.mx = (struct matcher){ .ctx = tmp, .machine = m, .info = &p->info, .shapes = p->shapes };
	ok = expand_routine(&x, routine);
	if (!ok && !x.broken && x.l.failure.known)
		report_failure(&x.l, &x.l.failure);
	if (!why)	/* which holds texts */
		talloc_free(tmp);
	return ok ? p : NULL;
}
