/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls of hooks and of routines that can't fault: arguments into their registers, the call, the result out of its own.
 * What lives across it must be where calls leave it alone (`temp name : kept`); the proof sees when it is not.
 */
#include <string.h>

#include "array.h"
#include "expand.h"

static bool refuse(struct expansion *x, const struct stmt *s, const char *why)
{
	return template_error(x, DIAG_CALL_TARGET, s->place, "`%s` can't be called: %s", s->name, why);
}

static const struct hook_symbol *hook_symbol(const struct target *t, const char *name)
{
	for (size_t k = 0; k < t->nhooks; k++)
		if (strcmp(t->hooks[k].name, name) == 0)
			return &t->hooks[k];
	return NULL;
}

static bool take_hook(struct expansion *x, const struct stmt *s, const struct hook *h, struct callee *c)
{
	const struct hook_symbol *symbol = hook_symbol(&x->l.m->target, h->name);

	if (!symbol)
		return refuse(x, s, "the target does not say what this hook is there");
	c->symbol = symbol->symbol;
	regset_or(&c->writes, &symbol->clobber);
	c->kind = h->kind == HOOK_HOLD ? CALLEE_HOLD : h->kind == HOOK_RELEASE ? CALLEE_RELEASE : CALLEE_OTHER;
	for (size_t k = 0; h->held && k < h->nparams; k++)
		if (strcmp(h->params[k].name, h->held) == 0)
			c->held = x->l.m->args[k];
	return true;
}

/* Does something in it call?  Macros are looked through once each. */
static bool body_calls(const struct templates *t, const struct body *b, bool *seen)
{
	for (size_t k = 0; k < b->n; k++) {
		const struct stmt *s = b->v[k];

		if (s->kind == STMT_CALL || body_calls(t, &s->body, seen) || body_calls(t, &s->other, seen))
			return true;
		for (size_t m = 0; s->kind == STMT_EXPAND && m < t->nmacros; m++) {
			if (seen[m] || strcmp(t->macros[m]->name, s->name) != 0)
				continue;
			seen[m] = true;
			if (body_calls(t, &t->macros[m]->body, seen))
				return true;
		}
	}
	return false;
}

/* What a routine calls is not known where it is called: it may hold memory, as we may. */
static bool calls_itself(void *ctx, const struct templates *t, const char *routine)
{
	for (size_t k = 0; routine && k < t->nroutines; k++)
		if (strcmp(t->routines[k]->name, routine) == 0)
			return t->routines[k]->base ? calls_itself(ctx, t, t->routines[k]->base) :
						      body_calls(t, &t->routines[k]->body,
								 talloc_zero_array(ctx, bool, (unsigned)t->nmacros + 1));
	return false;
}

static bool take_callee(struct expansion *x, const struct stmt *s, struct callee *c)
{
	const char *why;

	c->kind = CALLEE_ROUTINE;
	c->symbol = target_symbol(x->l.p, x->l.m, s->name);
	why = expand_promise(x, s->name, &c->info);
	if (!why && (c->info.src_user || c->info.dst_user))
		why = "it can fault";
	if (!why && c->info.contract != CONTRACT_RESULT_DST)
		why = "it returns the number of bytes left, not dst";
	if (!why && calls_itself(x->l.ctx, x->templates, s->name))
		why = "it calls something itself";
	return !why || refuse(x, s, why);
}

static struct callee *callee_of(struct expansion *x, const struct stmt *s)
{
	const struct hook *h = templates_hook(x->templates, s->name);
	struct callee *c = talloc_zero(x->l.p, struct callee);

	c->name = s->name;
	regset_add(&c->writes, x->l.m->result);
	for (size_t k = 0; k < s->nvalues && k < x->l.m->nargs; k++)
		regset_add(&c->reads, x->l.m->args[k]);
	if (s->nvalues > x->l.m->nargs) {
		refuse(x, s, "the machine has no registers for so many arguments");
		return NULL;
	}
	return (h ? take_hook(x, s, h, c) : take_callee(x, s, c)) ? c : NULL;
}

/* All arguments at once: they may stand in each other's registers. */
static bool pass(struct expansion *x, const struct stmt *s)
{
	struct lowering *l = &x->l;
	struct need n = need_single(l, (struct action){ .kind = ACT_SET }, s->place);

	n.acts = ARRAY_NEW(l->ctx, struct action, s->nvalues + 1);
	n.nacts = 0;
	for (size_t k = 0; k < s->nvalues; k++) {
		struct expr *e = expand_expr(x, s->values[k]);

		if (!e)
			return false;
		if (e->op == EX_REG && e->index == l->m->args[k])
			continue;
		n.acts[n.nacts++] = *need_set(l, l->m->args[k], e, s->place).acts;
	}
	if (n.nacts)
		needs_append(l, &l->pending, n);
	return true;
}

bool expand_call(struct expansion *x, const struct stmt *s)
{
	struct lowering *l = &x->l;
	struct action a = { .kind = ACT_CALL, .index = -1, .label = -1, .place = s->place };
	struct expr *result;

	l->p->calls = true;
	if (l->saving >= 0 && l->m->call_enter.n)
		l->savings[l->saving].wanted = true;
	a.callee = callee_of(x, s);
	if (!a.callee || !pass(x, s))
		return false;
	needs_append(l, &l->pending, need_single(l, a, s->place));
	if (!flush(x))
		return false;
	if (!s->value)
		return true;
	result = expand_expr(x, s->value);
	if (!result)
		return false;
	if (result->op != EX_REG)
		return template_error(x, DIAG_PLACE, s->value->place, "this can't be written: it is no register");
	if (result->index != l->m->result)
		needs_append(l, &l->pending, need_set(l, result->index, expr_reg(l->ctx, l->m->result, s->place), s->place));
	return true;
}
