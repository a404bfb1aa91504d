/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "names.h"

#include <string.h>

#include "array.h"

const char *const own_tunes[] = { "strict", NULL };

/* Classes that a machine may or may not have. */
static const char *const roles[] = { "shift", "count", "wide", "kept", NULL };

static const char *const known_names[] = {
#define K(name, value) name,
	KNOWN_NAMES(K)
#undef K
	NULL
};

struct set {
	const char **v;
	size_t n;
};

struct checker {
	void *ctx;
	struct diag *d;
	const struct templates *templates;
	struct set given;		/* what a test may ask for */
	struct set asked;		/* what some test does ask for */
	struct set features, classes;
};

static bool has(const struct set *s, const char *name)
{
	for (size_t k = 0; k < s->n; k++)
		if (strcmp(s->v[k], name) == 0)
			return true;
	return false;
}

static void add(struct checker *c, struct set *s, const char *name)
{
	if (!name || has(s, name))
		return;
	ARRAY_RESIZE(c->ctx, s->v, const char *, s->n + 1);
	s->v[s->n++] = name;
}

static void add_all(struct checker *c, struct set *s, const char *const *names)
{
	for (; *names; names++)
		add(c, s, *names);
}

static void unknown(struct checker *c, enum diag_id id, struct place at, const char *what, const char *name, const struct set *s)
{
	const char *near = s->n ? diag_near(name, s->v, s->n) : NULL;

	diag_error(c->d, id, at, "unknown %s `%s`", what, name);
	if (near)
		diag_note(c->d, at, "there is `%s`", near);
}

/* What is done with every statement, and with those in its braces. */
typedef void visit(struct checker *c, const struct stmt *s);

static void walk(struct checker *c, const struct body *b, visit *each)
{
	for (size_t k = 0; k < b->n; k++) {
		each(c, b->v[k]);
		walk(c, &b->v[k]->body, each);
		walk(c, &b->v[k]->other, each);
	}
}

static void walk_all(struct checker *c, const struct templates *t, visit *each)
{
	for (size_t k = 0; k < t->nmacros; k++)
		walk(c, &t->macros[k]->body, each);
	for (size_t k = 0; k < t->nroutines; k++)
		walk(c, &t->routines[k]->body, each);
}

/* A name that is known everywhere, declared again, would be another thing in some places, or nothing in all. */
static void declare(struct checker *c, const char *name, struct place at)
{
	for (size_t i = 0; known_names[i]; i++)
		if (strcmp(known_names[i], name) == 0)
			diag_error(c->d, DIAG_TWICE, at, "`%s` is a name that is known already", name);
	add(c, &c->given, name);
}

/* Variables: which of them a test sees is found out when it is expanded. */
static void collect_stmt(struct checker *c, const struct stmt *s)
{
	if (s->kind == STMT_CONST || s->kind == STMT_FOR)
		declare(c, s->name, s->name_place);
	for (size_t k = 0; k < s->ntemps; k++)
		declare(c, s->temps[k].name, s->temps[k].place);
}

static void collect_params(struct checker *c, const struct param *v, size_t n)
{
	for (size_t k = 0; k < n; k++)
		declare(c, v[k].name, v[k].place);
}

/* `zeroing` is known everywhere because it is a flag. */
static void collect_flag(struct checker *c, const struct with *w)
{
	if (!w->what && strcmp(w->name, "zeroing") != 0)
		declare(c, w->name, w->place);
}

static void collect_templates(struct checker *c, const struct templates *t)
{
	for (size_t k = 0; k < t->nmacros; k++)
		collect_params(c, t->macros[k]->params, t->macros[k]->nparams);
	for (size_t k = 0; k < t->nroutines; k++) {
		const struct routine *r = t->routines[k];

		collect_params(c, r->params, r->nparams);
		for (size_t w = 0; w < r->nwiths; w++)
			collect_flag(c, &r->withs[w]);
	}
	for (size_t k = 0; k < t->nfeatures; k++)
		add(c, &c->features, t->features[k].name);
	walk_all(c, t, collect_stmt);
}

static void collect_body(struct checker *c, const struct spec_body *b)
{
	for (size_t k = 0; k < b->nfeatures; k++)
		add(c, &c->features, b->features[k].name.name);
	for (size_t k = 0; k < b->nclasses; k++)
		add(c, &c->classes, b->classes[k].name.name);
	for (size_t k = 0; k < b->nvariants; k++) {
		add(c, &c->features, b->variants[k]->name.name);
		collect_body(c, &b->variants[k]->body);
	}
}

static void check_asked(struct checker *c, const char *name, struct place at)
{
	add(c, &c->asked, name);
	if (!has(&c->given, name))
		unknown(c, DIAG_NAME, at, "name", name, &c->given);
}

static void check_expr(struct checker *c, const struct expr *e)
{
	if (!e)
		return;
	if (e->op == EX_NAME)
		check_asked(c, e->name, e->place);
	for (int k = 0; k < 3; k++)
		check_expr(c, e->kid[k]);
}

static void check_test(struct checker *c, const struct test *t)
{
	if (!t)
		return;
	if (t->op == TEST_NAME)
		check_asked(c, t->name, t->place);
	if (t->compare) {
		check_expr(c, t->compare->lhs);
		check_expr(c, t->compare->rhs);
	}
	check_test(c, t->kid[0]);
	check_test(c, t->kid[1]);
}

static void check_call(struct checker *c, const struct stmt *s)
{
	const struct hook *h = templates_hook(c->templates, s->name);
	struct set names = { 0 };

	if (h && h->nparams != s->nvalues)
		diag_error(c->d, DIAG_ARGUMENTS, s->place, "`%s` takes %zu arguments, not %zu", s->name, h->nparams, s->nvalues);
	for (size_t k = 0; k < c->templates->nroutines; k++)
		add(c, &names, c->templates->routines[k]->name);
	if (h || has(&names, s->name))
		return;
	for (size_t k = 0; k < c->templates->nhooks; k++)
		add(c, &names, c->templates->hooks[k].name);
	unknown(c, DIAG_NO_HOOK, s->place, "hook or routine", s->name, &names);
}

static void check_stmt(struct checker *c, const struct stmt *s)
{
	check_test(c, s->test);
	if (s->kind == STMT_CALL)
		check_call(c, s);
	for (size_t k = 0; k < s->nacts; k++) {
		const struct expr *e;

		if (s->acts[k].kind == ACT_CALL)
			diag_error(c->d, DIAG_MISPLACED, s->acts[k].place,
				   "a call stands by itself, with its arguments in parentheses: `call %s()`", s->acts[k].name);
		e = s->acts[k].cond ? s->acts[k].cond->lhs : NULL;

		if (e && e->op == EX_FEATURE && !has(&c->features, e->name))
			unknown(c, DIAG_FEATURE, e->place, "feature", e->name, &c->features);
	}
	for (size_t k = 0; k < s->ntemps; k++) {
		const struct temp *t = &s->temps[k];

		if (t->reg_class && !has(&c->classes, t->reg_class))
			unknown(c, DIAG_CLASS, t->class_place, "class", t->reg_class, &c->classes);
	}
}

/* A flag that no test asks for changes nothing. */
static void check_flags(struct checker *c, const struct routine *r)
{
	for (size_t k = 0; k < r->nwiths; k++) {
		const struct with *w = &r->withs[k];

		if (!w->what && !has(&c->asked, w->name))
			unknown(c, DIAG_WITH, w->place, "flag", w->name, &c->asked);
	}
}

/* Is it among these?  Then an error was said. */
static bool declared_among(struct checker *c, const struct declared *new, const struct declared *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i].name, new->name) == 0) {
			diag_error(c->d, DIAG_TWICE, new->place, "`%s` is declared twice", new->name);
			diag_note(c->d, v[i].place, "first declared here");
			return true;
		}
	return false;
}

/* Tests ask for tunes and features alike by name. */
static void check_declared(struct checker *c, const struct templates *t)
{
	for (size_t k = 0; k < t->ntunes; k++)
		if (!declared_among(c, &t->tunes[k], t->tunes, k))
			declare(c, t->tunes[k].name, t->tunes[k].place);
	for (size_t k = 0; k < t->nfeatures; k++)
		if (!declared_among(c, &t->features[k], t->features, k) &&
		    !declared_among(c, &t->features[k], t->tunes, t->ntunes))
			declare(c, t->features[k].name, t->features[k].place);
}

/* A target of its own file, of a machine that is in none. */
static void check_machines(struct checker *c, const struct tree *t)
{
	struct set machines = { 0 };

	for (size_t k = 0; k < t->nmachines; k++)
		add(c, &machines, t->machines[k]->name.name);
	for (size_t k = 0; k < t->ntargets && machines.n; k++) {
		const struct name_at *of = &t->targets[k]->of;

		if (of->name && !has(&machines, of->name))
			unknown(c, DIAG_NO_MACHINE, of->place, "machine", of->name, &machines);
	}
}

/* `call` could mean either. */
static void check_is_no_routine(struct checker *c, const struct hook *h)
{
	for (size_t k = 0; k < c->templates->nroutines; k++) {
		const struct routine *r = c->templates->routines[k];

		if (strcmp(r->name, h->name) != 0)
			continue;
		diag_error(c->d, DIAG_TWICE, h->place, "hook `%s` is named like a routine", h->name);
		diag_note(c->d, r->place, "the routine");
		return;
	}
}

static void check_hooks(struct checker *c, const struct templates *t)
{
	for (size_t k = 0; k < t->nhooks; k++) {
		const struct hook *h = &t->hooks[k];
		struct set params = { 0 };

		for (size_t i = 0; i < h->nparams; i++)
			add(c, &params, h->params[i].name);
		if (h->held && !has(&params, h->held))
			unknown(c, DIAG_NAME, h->held_place, "parameter", h->held, &params);
		for (size_t i = 0; i < k; i++)
			if (strcmp(t->hooks[i].name, h->name) == 0) {
				diag_error(c->d, DIAG_TWICE, h->place, "hook `%s` is declared twice", h->name);
				diag_note(c->d, t->hooks[i].place, "first declared here");
				break;
			}
		check_is_no_routine(c, h);
	}
}

void check_names(void *ctx, struct diag *d, const struct tree *tree)
{
	const struct templates *t = &tree->templates;
	struct checker c = { .ctx = talloc_new(ctx), .d = d, .templates = t };

	check_declared(&c, t);
	add_all(&c, &c.given, known_names);
	add_all(&c, &c.given, own_tunes);
	add_all(&c, &c.classes, roles);
	add(&c, &c.asked, "zeroing");		/* the proof asks, too */
	collect_templates(&c, t);
	for (size_t k = 0; k < tree->nmachines; k++)
		collect_body(&c, &tree->machines[k]->body);
	for (size_t k = 0; k < c.features.n; k++)
		add(&c, &c.given, c.features.v[k]);
	walk_all(&c, t, check_stmt);
	for (size_t k = 0; k < t->nroutines; k++)
		check_flags(&c, t->routines[k]);
	check_hooks(&c, t);
	check_machines(&c, tree);
	check_tunes(c.ctx, d, t);
	check_twice(c.ctx, d, tree);
	talloc_free(c.ctx);
}
