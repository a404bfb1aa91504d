/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of what all files together have: of two alike one would be taken, and the other silently be nothing. */
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "names.h"

struct name_set {
	void *ctx;
	struct diag *d;
	struct name_list list;
};

static void add(struct name_set *s, const char *name, struct place at)
{
	ARRAY_RESIZE(s->ctx, s->list.v, struct name_at, s->list.n + 1);
	s->list.v[s->list.n++] = (struct name_at){ name ? name : "", at };
}

static void say(struct diag *d, const char *what, const struct name_at *now, const struct name_at *before)
{
	if (*now->name)
		diag_error(d, DIAG_TWICE, now->place, "%s `%s` is given twice", what, now->name);
	else
		diag_error(d, DIAG_TWICE, now->place, "%s all is given twice", what);
	diag_note(d, before->place, "it is given here already");
}

static int by_name(const void *a, const void *b)
{
	const struct name_at *const *x = a, *const *y = b;
	int order = strcmp((*x)->name, (*y)->name);

	return order ? order : (*x > *y) - (*x < *y);
}

/* Those of one name are neighbours then, in the order they are written; the set is empty again. */
static void check(struct name_set *s, const char *what)
{
	size_t n = s->list.n;
	const struct name_at **sorted = ARRAY_NEW(s->ctx, const struct name_at *, n + 1);

	for (size_t i = 0; i < n; i++)
		sorted[i] = &s->list.v[i];
	qsort(sorted, n, sizeof *sorted, by_name);
	for (size_t i = 1; i < n; i++)
		if (strcmp(sorted[i - 1]->name, sorted[i]->name) == 0)
			say(s->d, what, sorted[i], sorted[i - 1]);
	s->list.n = 0;
}

static void add_targets(struct name_set *s, struct spec_target *const *v, size_t n, const char *of)
{
	for (size_t i = 0; i < n; i++)
		if (v[i]->of.name ? of && strcmp(v[i]->of.name, of) == 0 : !of)
			add(s, v[i]->name.name, v[i]->name.place);
}

static void check_symbols(struct name_set *s, const struct spec_body *b)
{
	for (size_t i = 0; i < b->nsymbols; i++)
		add(s, b->symbols[i].routine.name, b->symbols[i].place);
	check(s, "symbol of");
}

static void check_all_symbols(struct name_set *s, struct spec_target *const *v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		check_symbols(s, &v[i]->body);
}

/* A variant is a feature, too: what asks for the one would get the other. */
static void check_variants(struct name_set *s, const struct spec_body *b)
{
	for (size_t i = 0; i < b->nfeatures; i++)
		add(s, b->features[i].name.name, b->features[i].name.place);
	for (size_t i = 0; i < b->nvariants; i++)
		add(s, b->variants[i]->name.name, b->variants[i]->name.place);
	check(s, "feature or variant");
}

static void check_variant(struct name_set *s, const struct spec_body *machine, const struct spec_body *v)
{
	add_targets(s, v->targets, v->ntargets, NULL);
	check(s, "target");
	check_all_symbols(s, v->targets, v->ntargets);
	for (size_t i = 0; i < v->nfeatures; i++)
		for (size_t k = 0; k < machine->nvariants; k++)
			if (strcmp(v->features[i].name.name, machine->variants[k]->name.name) == 0)
				say(s->d, "feature or variant", &v->features[i].name, &machine->variants[k]->name);
}

/* Its own targets, and those that are written apart from it. */
static void check_machine_names(struct name_set *s, const struct tree *t, const struct spec_machine *m)
{
	const struct spec_body *b = &m->body;

	check_variants(s, b);
	add_targets(s, b->targets, b->ntargets, NULL);
	add_targets(s, t->targets, t->ntargets, m->name.name);
	check(s, "target");
	check_all_symbols(s, b->targets, b->ntargets);
	for (size_t i = 0; i < b->nvariants; i++)
		check_variant(s, b, &b->variants[i]->body);
}

static void check_template_names(struct name_set *s, const struct templates *t)
{
	for (size_t i = 0; i < t->nmacros; i++)
		add(s, t->macros[i]->name, t->macros[i]->place);
	check(s, "macro");
	for (size_t i = 0; i < t->nroutines; i++)
		add(s, t->routines[i]->name, t->routines[i]->place);
	check(s, "routine");
}

void check_twice(void *ctx, struct diag *d, const struct tree *t)
{
	struct name_set s = { .ctx = talloc_new(ctx), .d = d };

	for (size_t i = 0; i < t->nmachines; i++)
		add(&s, t->machines[i]->name.name, t->machines[i]->name.place);
	check(&s, "machine");
	add_targets(&s, t->targets, t->ntargets, NULL);
	check(&s, "target");
	check_all_symbols(&s, t->targets, t->ntargets);
	for (size_t i = 0; i < t->nmachines; i++)
		check_machine_names(&s, t, t->machines[i]);
	check_template_names(&s, &t->templates);
	talloc_free(s.ctx);
}
