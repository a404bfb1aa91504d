/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names, constants, tests and actions of templates for one machine. */
#include "expand.h"

#include <string.h>

#include "array.h"
#include "names.h"

static int bits(const struct expansion *x)
{
	return 8 * x->l.m->width;
}

static bool is_flag(const struct expansion *x, const char *name)
{
	for (size_t k = 0; k < x->nflags; k++)
		if (strcmp(x->flags[k], name) == 0)
			return true;
	return false;
}

static bool fact(const struct expansion *x, const char *name, uint64_t *ret)
{
	const struct machine *m = x->l.m;
	const struct routine_info *info = &x->l.p->info;
	size_t regs = alloc_count(&x->l.alloc, 0);
	const struct { const char *name; uint64_t value; } facts[] = {
#define K(name, value) { name, (uint64_t)(value) },
		KNOWN_NAMES(K)
#undef K
	};

	for (size_t k = 0; k < sizeof(facts) / sizeof(*facts); k++)
		if (strcmp(facts[k].name, name) == 0) {
			*ret = facts[k].value;
			return true;
		}
	return false;
}

/* A feature: of this machine, or of others only. */
static bool feature(const struct expansion *x, const char *name, uint64_t *ret)
{
	const struct machine *m = x->l.m;

	*ret = machine_feature(m, name);
	for (size_t k = 0; k < m->nfeatures; k++)
		if (strcmp(m->features[k].name, name) == 0)
			return true;
	for (size_t k = 0; k < x->templates->nfeatures; k++)
		if (strcmp(x->templates->features[k].name, name) == 0)
			return true;
	return *ret;
}

/* Does some routine, not this one, have that flag? */
static bool others_flag(const struct expansion *x, const char *name)
{
	for (size_t k = 0; k < x->templates->nroutines; k++) {
		const struct routine *r = x->templates->routines[k];

		for (size_t w = 0; w < r->nwiths; w++)
			if (!r->withs[w].what && strcmp(r->withs[w].name, name) == 0)
				return true;
	}
	return false;
}

/* A name that is no variable: a fact, a flag of the routine, a tune, a feature. */
static bool known(const struct expansion *x, const char *name, uint64_t *ret)
{
	const struct machine *m = x->l.m;

	if (fact(x, name, ret))
		return true;
	*ret = 1;
	if (is_flag(x, name))
		return true;
	for (size_t k = 0; k < m->ntunes; k++)
		if (strcmp(m->tunes[k].name, name) == 0) {
			*ret = m->tunes[k].value;
			return true;
		}
	return feature(x, name, ret) || others_flag(x, name);
}

static struct expr *unknown_name(struct expansion *x, const struct expr *e)
{
	const struct machine *m = x->l.m;
	const char *names[64];
	size_t n = 0;

	for (const struct scope *s = x->l.scope; s; s = s->outer)
		for (size_t k = 0; k < s->nvars && n < 64; k++)
			names[n++] = s->vars[k].name;
	for (size_t k = 0; k < m->ntunes && n < 64; k++)
		names[n++] = m->tunes[k].name;
	unknown_error(x, DIAG_NAME, e->place, "unknown name", e->name, names, n);
	return NULL;
}

static struct expr *expand_name(struct expansion *x, const struct expr *e)
{
	const struct var *v = scope_find(x, e->name);
	struct expr *r;
	uint64_t value;

	if (!v)
		return known(x, e->name, &value) ? expr_const(x->l.ctx, value, e->place) : unknown_name(x, e);
	if (v->kind == VAR_CONST)
		return expr_const(x->l.ctx, v->value, e->place);
	if (v->kind == VAR_EXPR)
		return spend(x, expr_size(v->expr), e->place) ? expr_copy(x->l.ctx, v->expr) : NULL;
	if (v->is_list) {
		template_error(x, DIAG_INDEX, e->place, "`%s` is a list, and needs an index", e->name);
		return NULL;
	}
	r = expr_reg(x->l.ctx, v->regs[0], e->place);
	return r;
}

static struct expr *expand_index(struct expansion *x, const struct expr *e)
{
	const struct var *v = scope_find(x, e->name);
	uint64_t k;

	if (!v)
		return unknown_name(x, e);
	if (v->kind != VAR_REGS || !v->is_list) {
		template_error(x, DIAG_INDEX, e->place, "`%s` is no list", e->name);
		return NULL;
	}
	if (!expand_const(x, e->kid[0], &k))
		return NULL;
	if (k >= (uint64_t)v->n) {
		template_error(x, DIAG_INDEX, e->place, "`%s` has %d registers, and no number %lld", e->name,
			       v->n, (long long)k);
		return NULL;
	}
	return expr_reg(x->l.ctx, v->regs[k], e->place);
}

static struct expr *expand_kids(struct expansion *x, const struct expr *e)
{
	struct expr *r = talloc(x->l.ctx, struct expr);

	*r = *e;
	for (int k = 0; k < expr_kids(e->op); k++) {
		if (!e->kid[k])
			continue;
		r->kid[k] = expand_expr(x, e->kid[k]);
		if (!r->kid[k])
			return NULL;
	}
	if (e->op == EX_MEM && !r->kid[1])
		r->kid[1] = expr_const(x->l.ctx, (uint64_t)x->l.m->width, e->place);
	return expr_fold(x->l.ctx, r, bits(x));
}

static struct expr *expand_feature(struct expansion *x, const struct expr *e)
{
	const struct machine *m = x->l.m;
	struct expr *r = expr_copy(x->l.ctx, e);
	uint64_t value;

	for (size_t k = 0; k < m->nfeatures; k++)
		if (strcmp(m->features[k].name, e->name) == 0) {
			r->index = (int)k;
			if (m->features[k].value == FEATURE_VARIANT)
				return r;
		}
	return feature(x, e->name, &value) ? expr_const(x->l.ctx, value, e->place) : unknown_name(x, e);
}

struct expr *expand_expr(struct expansion *x, const struct expr *e)
{
	if (!spend(x, 1, e->place))
		return NULL;
	switch (e->op) {
	case EX_NAME:
		return expand_name(x, e);
	case EX_INDEX:
		return expand_index(x, e);
	case EX_FEATURE:
		return expand_feature(x, e);
	case EX_TEXT:
		template_error(x, DIAG_NAME, e->place, "a template names no register");
		return NULL;
	default:
		return expand_kids(x, e);
	}
}

/* As x / 0 has none: another alternative may do. */
static bool no_value(struct expansion *x, const struct expr *e)
{
	x->l.failure = (struct failure){ .known = true, .want = WANT_VALUE, .place = e->place };
	x->l.failure.text = expr_print(x->l.ctx, x->l.m, NULL, e);
	x->l.failure.scope = x->l.scope;
	return false;
}

bool expand_const(struct expansion *x, const struct expr *e, uint64_t *ret)
{
	struct expr *r = expand_expr(x, e);

	if (!r)
		return false;
	if (!expr_value(r, bits(x), ret))
		return constant_like(NULL, r) ? no_value(x, e) :
		       template_error(x, DIAG_NOT_CONSTANT, e->place, "this must be known when compiled");
	*ret = const_wrap(*ret, bits(x));
	return true;
}

struct cond *expand_cond(struct expansion *x, const struct cond *c)
{
	struct cond *r = talloc(x->l.ctx, struct cond);

	*r = *c;
	r->lhs = expand_expr(x, c->lhs);
	r->rhs = r->lhs ? expand_expr(x, c->rhs) : NULL;
	return r->rhs ? r : NULL;
}

static bool is_place(struct expansion *x, const struct action *a)
{
	if (a->kind != ACT_SET || a->target->op == EX_REG)
		return true;
	return template_error(x, DIAG_PLACE, a->target->place, "this can't be written: it is no register");
}

bool expand_action(struct expansion *x, const struct action *a, bool asked, struct action *ret)
{
	*ret = *a;
	ret->index = -1;
	ret->label = -1;
	if ((a->target && !(ret->target = expand_expr(x, a->target))) ||
	    (a->value && !(ret->value = expand_expr(x, a->value))) ||
	    (a->cond && !(ret->cond = expand_cond(x, a->cond))) || !is_place(x, ret))
		return false;
	if (a->kind == ACT_GOTO && !asked && !a->jump)
		ret->label = scope_label(x, a->name, true, a->place);
	if (a->kind == ACT_GOTO && !asked && a->jump) {
		ret->label = expand_leaving(x, a->name, a->place);
		return ret->label >= 0;
	}
	return true;
}

static bool can(struct expansion *x, const struct test *t, bool *ret)
{
	struct need n = { .nacts = t->nacts, .place = t->place };

	n.acts = ARRAY_NEW(x->l.ctx, struct action, t->nacts);
	for (size_t k = 0; k < t->nacts; k++)
		if (!expand_action(x, &t->acts[k], true, &n.acts[k]))
			return false;
	*ret = need_met(&x->l, &n);
	return true;
}

static bool compare(struct expansion *x, const struct test *t, bool *ret)
{
	uint64_t a, b;

	if (!expand_const(x, t->compare->lhs, &a) || !expand_const(x, t->compare->rhs, &b))
		return false;
	*ret = relation_holds(t->compare->rel, a, b, bits(x));
	return true;
}

static bool named(struct expansion *x, const struct test *t, bool *ret)
{
	const struct var *v = scope_find(x, t->name);
	const struct expr name = { .op = EX_NAME, .name = t->name, .place = t->place };
	uint64_t value = 0;

	if (v && v->kind != VAR_CONST)
		return template_error(x, DIAG_NOT_CONSTANT, t->place, "`%s` is not known when compiled",
				      t->name);
	if (v)
		value = v->value;
	else if (!known(x, t->name, &value))
		return unknown_name(x, &name) != NULL;
	*ret = value != 0;
	return true;
}

bool expand_test(struct expansion *x, const struct test *t, bool *ret)
{
	switch (t->op) {
	case TEST_NAME:
		return named(x, t, ret);
	case TEST_COMPARE:
		return compare(x, t, ret);
	case TEST_CAN:
		return can(x, t, ret);
	case TEST_NOT:
		if (!expand_test(x, t->kid[0], ret))
			return false;
		*ret = !*ret;
		return true;
	case TEST_AND:
	case TEST_OR:
		if (!expand_test(x, t->kid[0], ret))
			return false;
		return *ret == (t->op == TEST_OR) || expand_test(x, t->kid[1], ret);
	}
	return false;
}
