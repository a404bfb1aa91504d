/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Statements of templates, one after the other. */
#include "expand.h"

#include <stdarg.h>
#include <string.h>

#include "array.h"

#define DEPTH_MAX 32			/* macros in macros */
#define NOTES_MAX 4			/* of them that an error tells, the innermost */
#define TURNS_MAX 1024			/* of a loop that is unrolled */
#define WORK_MAX 300000
#define ARGUMENT_MAX 200		/* parts of what a macro is given */

void note_expansions(struct lowering *l, const struct scope *s)
{
	int n = 0;

	for (; s && n < NOTES_MAX; s = s->outer)
		if (s->expansion && ++n)
			diag_note(l->d, s->expansion->place, "`%s` is expanded here", s->expansion->name);
}

bool template_error(struct expansion *x, enum diag_id id, struct place at, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	diag_error(x->l.d, id, at, "%s", talloc_vasprintf(x->l.ctx, format, ap));
	va_end(ap);
	note_expansions(&x->l, x->l.scope);
	x->broken = true;
	return false;
}

bool unknown_error(struct expansion *x, enum diag_id id, struct place at, const char *lack, const char *name,
		   const char *const *names, size_t n)
{
	const char *near = diag_near(name, names, n);

	template_error(x, id, at, "%s `%s`", lack, name);
	if (near)
		diag_note(x->l.d, at, "there is `%s`", near);
	return false;
}

bool spend(struct expansion *x, size_t work, struct place at)
{
	x->work += work;
	if (x->work <= WORK_MAX)
		return true;
	if (!x->broken)
		template_error(x, DIAG_ROUTINE_LARGE, at, "what this is expanded to is too large");
	return false;
}

bool flush(struct expansion *x)
{
	struct needs list = x->l.pending;

	x->l.pending = (struct needs){ .n = 0 };
	return lower_needs(&x->l, &list);
}

static struct need group_need(struct expansion *x, const struct stmt *s)
{
	return (struct need){ .acts = ARRAY_NEW(x->l.ctx, struct action, s->nacts + 1), .nacts = s->nacts,
			      .place = s->place, .spare = x->l.alloc.there, .scope = x->l.scope };
}

/* A branch that is decided now: false if it is never taken. */
static bool decide(struct expansion *x, struct action *a)
{
	const struct cond *c = a->cond;

	if (a->kind != ACT_GOTO || !c || c->lhs->op != EX_CONST || c->rhs->op != EX_CONST)
		return true;
	a->cond = NULL;
	return relation_holds(c->rel, c->lhs->value, c->rhs->value, 8 * x->l.m->width);
}

static bool expand_group(struct expansion *x, const struct stmt *s)
{
	struct need n = group_need(x, s);
	bool branches = false;

	n.nacts = 0;
	for (size_t k = 0; k < s->nacts; k++) {
		struct action *a = &n.acts[n.nacts];

		if (!expand_action(x, &s->acts[k], false, a))
			return false;
		if (!decide(x, a))
			continue;
		branches |= a->kind == ACT_GOTO;
		n.nacts++;
	}
	if (!n.nacts)
		return true;
	needs_append(&x->l, &x->l.pending, n);
	return !branches || flush(x);
}

static bool expand_while(struct expansion *x, const struct stmt *s)
{
	struct need n = group_need(x, s);

	for (size_t k = 0; k < s->nacts; k++)
		if (!expand_action(x, &s->acts[k], false, &n.acts[k]))
			return false;
	n.loop = expand_cond(x, s->cond);
	if (!n.loop)
		return false;
	needs_append(&x->l, &x->l.pending, n);
	return flush(x);
}

static int register_of(struct expansion *x, const struct resume_arg *a)
{
	const struct var *v = scope_find(x, a->var);

	if (v && v->kind == VAR_REGS && !v->is_list)
		return v->regs[0];
	if (v && v->kind == VAR_EXPR && v->expr->op == EX_REG)
		return v->expr->index;
	template_error(x, DIAG_RESUME, a->place, "`%s` is no register", a->var);
	return -1;
}

static bool expand_resume(struct expansion *x, const struct stmt *s)
{
	struct program *p = x->l.p;
	struct resume r = { .dst = -1, .src = -1, .n = -1, .place = s->place };

	if (!flush(x))
		return false;
	for (size_t k = 0; k < s->nargs; k++) {
		const char *name = s->args[k].param;
		int *to = strcmp(name, "dst") == 0 ? &r.dst : strcmp(name, "src") == 0 ? &r.src :
			  strcmp(name, "n") == 0 ? &r.n : NULL;

		if (!to)
			return template_error(x, DIAG_RESUME, s->args[k].place,
					      "only `dst`, `src` and `n` move with what is copied, not `%s`", name);
		*to = register_of(x, &s->args[k]);
		if (*to < 0)
			return false;
	}
	r.label = scope_label(x, s->name, false, s->place);
	ARRAY_RESIZE(p, p->resumes, struct resume, p->nresumes + 1);
	p->resumes[p->nresumes] = r;
	x->l.resume = (int)p->nresumes++;
	return true;
}

/* Lists rise as their class does. */
static void sort_regs(const struct reg_class *c, int *regs, int n)
{
	for (int k = 1; k < n; k++)
		for (int j = k; j && class_position(c, regs[j - 1]) > class_position(c, regs[j]); j--) {
			int t = regs[j];

			regs[j] = regs[j - 1];
			regs[j - 1] = t;
		}
}

static bool no_register(struct expansion *x, const struct temp *t, int reg_class)
{
	struct failure *f = &x->l.failure;

	*f = (struct failure){ .known = true, .want = WANT_REGISTER, .reg_class = reg_class, .place = t->place };
	f->text = talloc_asprintf(x->l.ctx, "temp %s", t->name);
	f->scope = x->l.scope;
	return false;
}

static bool expand_temp(struct expansion *x, const struct temp *t)
{
	int c = alloc_class(x->l.m, t->reg_class);
	bool kept = t->reg_class && strcmp(t->reg_class, "kept") == 0;
	uint64_t n = 1;
	int *regs;

	if (kept && x->l.saving < 0)
		return template_error(x, DIAG_NO_REGISTER, t->place, "what calls leave alone can be had within `saving` only");
	if (t->count && !expand_const(x, t->count, &n))
		return false;
	if (n > 256)
		return template_error(x, DIAG_NOT_CONSTANT, t->place, "a list of %llu registers",
				      (unsigned long long)n);
	regs = ARRAY_NEW(x->l.ctx, int, n + 1);
	for (uint64_t k = 0; k < n; k++) {
		regs[k] = kept ? alloc_take_kept(&x->l.alloc) : alloc_take(&x->l.alloc, c);
		if (regs[k] < 0)
			return no_register(x, t, c);
	}
	sort_regs(&x->l.m->classes[c], regs, (int)n);
	return scope_declare(x, (struct var){ .name = t->name, .kind = VAR_REGS, .regs = regs, .n = (int)n,
					      .is_list = t->count }, t->place);
}

static bool expand_temps(struct expansion *x, const struct stmt *s)
{
	for (size_t k = 0; k < s->ntemps; k++)
		if (!expand_temp(x, &s->temps[k]))
			return false;
	return true;
}

static bool declare_const(struct expansion *x, const char *name, uint64_t value, struct place at)
{
	return scope_declare(x, (struct var){ .name = name, .kind = VAR_CONST, .value = value }, at);
}

static bool expand_constant(struct expansion *x, const struct stmt *s)
{
	uint64_t v;
	bool yes;

	if (s->test ? !expand_test(x, s->test, &yes) : !expand_const(x, s->value, &v))
		return false;
	if (s->test)
		v = yes;
	return declare_const(x, s->name, v, s->place);
}

/* The statements of a body, with names of its own. */
static bool scoped_body(struct expansion *x, const struct body *b)
{
	struct regset there = x->l.alloc.there;

	if (!expand_body(x, b))
		return false;
	x->l.alloc.there = there;
	scope_leave(x);
	return true;
}

static bool expand_for(struct expansion *x, const struct stmt *s)
{
	uint64_t from, to, by = 1;
	int turns = 0;

	if (!expand_const(x, s->from, &from) || !expand_const(x, s->to, &to) ||
	    (s->by && !expand_const(x, s->by, &by)))
		return false;
	if ((int64_t)by <= 0)
		return template_error(x, DIAG_UNROLL, s->place, "a loop's step must be positive");
	for (int64_t v = (int64_t)from; v < (int64_t)to; v += (int64_t)by) {
		if (++turns > TURNS_MAX)
			return template_error(x, DIAG_UNROLL, s->place, "more than %d turns", TURNS_MAX);
		if (!spend(x, 1, s->place))
			return false;
		scope_enter(x, true);
		if (!declare_const(x, s->name, (uint64_t)v, s->place) || !scoped_body(x, &s->body))
			return false;
	}
	return true;
}

static bool expand_when(struct expansion *x, const struct stmt *s)
{
	bool yes;

	if (!expand_test(x, s->test, &yes))
		return false;
	if (!yes && !s->has_other)
		return true;
	scope_enter(x, false);
	return scoped_body(x, yes ? &s->body : &s->other);
}

static const struct macro *find_macro(const struct templates *t, const char *name)
{
	for (size_t k = 0; k < t->nmacros; k++)
		if (strcmp(t->macros[k]->name, name) == 0)
			return t->macros[k];
	return NULL;
}

static bool macro_argument(struct expansion *x, const struct expr *e, struct var *v)
{
	const struct var *outer = e->op == EX_NAME ? scope_find(x, e->name) : NULL;
	struct expr *r;

	if (outer) {
		const char *name = v->name;

		*v = *outer;
		v->name = name;
		return true;
	}
	r = expand_expr(x, e);
	if (!r)
		return false;
	if (expr_size(r) > ARGUMENT_MAX)
		return template_error(x, DIAG_ROUTINE_LARGE, e->place, "an argument of more than %d parts", ARGUMENT_MAX);
	v->kind = r->op == EX_CONST ? VAR_CONST : VAR_EXPR;
	v->value = r->value;
	v->expr = r;
	return true;
}

static bool unknown_macro(struct expansion *x, const struct stmt *s)
{
	const struct templates *t = x->templates;
	const char **names = ARRAY_NEW(x->l.ctx, const char *, t->nmacros + 1);

	for (size_t k = 0; k < t->nmacros; k++)
		names[k] = t->macros[k]->name;
	return unknown_error(x, DIAG_NO_MACRO, s->place, "unknown macro", s->name, names, t->nmacros);
}

static bool expand_macro(struct expansion *x, const struct stmt *s)
{
	const struct macro *m = find_macro(x->templates, s->name);
	struct scope *scope;
	struct var *args;
	bool ok;

	if (!m)
		return unknown_macro(x, s);
	if (m->nparams != s->nvalues)
		return template_error(x, DIAG_ARGUMENTS, s->place, "`%s` takes %zu arguments, not %zu", s->name,
				      m->nparams, s->nvalues);
	if (++x->depth > DEPTH_MAX)
		return template_error(x, DIAG_NESTING, s->place, "macros are nested more than %d deep",
				      DEPTH_MAX);
	args = ARRAY_NEW(x->l.ctx, struct var, m->nparams + 1);
	for (size_t k = 0; k < m->nparams; k++) {
		args[k].name = m->params[k].name;
		if (!macro_argument(x, s->values[k], &args[k]))
			return false;
	}
	scope = scope_enter(x, true);
	scope->expansion = s;
	scope->vars = args;
	scope->nvars = m->nparams;
	ok = scoped_body(x, &m->body);
	x->depth--;
	return ok;
}

static struct action simple(enum action_kind kind, struct place at)
{
	return (struct action){ .kind = kind, .index = -1, .label = -1, .place = at };
}

/* Out of a frame, if one is open: the leave, then what goes on without it. */
static bool outside(struct expansion *x, struct action a, struct place at)
{
	struct lowering *l = &x->l;
	int saving = l->saving;
	bool ok;

	if (saving >= 0) {
		if (!flush(x))
			return false;
		lower_frame(l, saving, false, at);
	}
	l->saving = -1;
	needs_append(l, &l->pending, need_single(l, a, at));
	ok = flush(x);
	l->saving = saving;
	return ok;
}

static bool expand_return(struct expansion *x, const struct stmt *s)
{
	if (s->value) {
		struct expr *e = expand_expr(x, s->value);

		if (!e)
			return false;
		needs_append(&x->l, &x->l.pending, need_set(&x->l, x->l.m->result, e, s->place));
	}
	return outside(x, simple(ACT_RETURN, s->place), s->place);
}

static bool expand_jump(struct expansion *x, const struct stmt *s)
{
	struct action a = simple(ACT_GOTO, s->place);

	a.jump = true;
	a.name = s->name;
	a.label = expand_leaving(x, s->name, s->place);
	return a.label >= 0 && flush(x) && outside(x, a, s->place);
}

static bool expand_fail(struct expansion *x, const struct stmt *s)
{
	x->l.failure = (struct failure){ .known = true, .want = WANT_NOTHING, .place = s->place };
	x->l.failure.text = s->name;
	x->l.failure.scope = x->l.scope;
	return false;
}

static bool expand_label(struct expansion *x, const struct stmt *s)
{
	return flush(x) && scope_place(x, s->name, s->place);
}

static bool expand_align(struct expansion *x)
{
	bool ok = flush(x);

	x->l.align = true;
	return ok;
}

static bool expand_stmt(struct expansion *x, const struct stmt *s)
{
	if (!spend(x, 1, s->place))
		return false;
	switch (s->kind) {
	case STMT_GROUP:	return expand_group(x, s);
	case STMT_WHILE:	return expand_while(x, s);
	case STMT_LABEL:	return expand_label(x, s);
	case STMT_RESUME:	return expand_resume(x, s);
	case STMT_TEMP:		return expand_temps(x, s);
	case STMT_CONST:	return expand_constant(x, s);
	case STMT_FOR:		return expand_for(x, s);
	case STMT_WHEN:		return expand_when(x, s);
	case STMT_TRY:		return expand_try(x, s);
	case STMT_WEAVE:	return expand_weave(x, s);
	case STMT_SAVING:	return expand_saving(x, s);
	case STMT_STATES:	return expand_states(x, s);
	case STMT_EXPAND:	return expand_macro(x, s);
	case STMT_RETURN:	return expand_return(x, s);
	case STMT_JUMP:		return expand_jump(x, s);
	case STMT_ALIGN:	return expand_align(x);
	case STMT_FAIL:		return expand_fail(x, s);
	case STMT_CALL:		return expand_call(x, s);
	}
	return false;
}

bool expand_body(struct expansion *x, const struct body *b)
{
	for (size_t k = 0; k < b->n; k++)
		if (!expand_stmt(x, b->v[k]))
			return false;
	return true;
}
