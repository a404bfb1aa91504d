/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Names of templates: variables, and labels that may be asked for before they are there. */
#include "expand.h"

#include <string.h>

#include "array.h"

struct scope *scope_enter(struct expansion *x, bool labels)
{
	struct scope *s = talloc_zero(x->l.ctx, struct scope);

	s->outer = x->l.scope;
	s->labels = labels;
	x->l.scope = s;
	return s;
}

static struct scope *label_scope(struct scope *s)
{
	while (s && !s->labels)
		s = s->outer;
	return s;
}

static struct named_label *find_label(const struct scope *s, const char *name)
{
	for (size_t k = 0; s && k < s->nnamed; k++)
		if (strcmp(s->named[k].name, name) == 0)
			return &s->named[k];
	return NULL;
}

static struct named_label *add_label(struct expansion *x, struct scope *s, struct named_label l)
{
	ARRAY_RESIZE(x->l.ctx, s->named, struct named_label, s->nnamed + 1);
	s->named[s->nnamed] = l;
	return &s->named[s->nnamed++];
}

/* A name that was asked for and never placed is one of the scope around. */
static void hand_out(struct expansion *x, struct scope *to, const struct named_label *l)
{
	struct named_label *there = find_label(to, l->name);

	if (!there) {
		add_label(x, to, *l);
		return;
	}
	there->jumped_to |= l->jumped_to;
	ARRAY_RESIZE(x->l.ctx, x->merges, struct label_merge, x->nmerges + 1);
	x->merges[x->nmerges++] = (struct label_merge){ .from = l->label, .to = there->label };
}

void scope_leave(struct expansion *x)
{
	struct scope *s = x->l.scope, *to = label_scope(s->outer);

	for (size_t k = 0; to && k < s->nnamed; k++)
		if (!s->named[k].placed)
			hand_out(x, to, &s->named[k]);
	x->l.scope = s->outer;
}

const struct var *scope_find(struct expansion *x, const char *name)
{
	for (const struct scope *s = x->l.scope; s; s = s->outer, x->work++)
		for (size_t k = s->nvars; k-- > 0; x->work += k % 8 == 0)
			if (strcmp(s->vars[k].name, name) == 0)
				return &s->vars[k];
	return NULL;
}

bool scope_declare(struct expansion *x, struct var v, struct place at)
{
	struct scope *s = x->l.scope;

	for (size_t k = 0; k < s->nvars; k++)
		if (strcmp(s->vars[k].name, v.name) == 0)
			return template_error(x, DIAG_TWICE, at, "`%s` is declared twice in these braces",
					      v.name);
	ARRAY_RESIZE(x->l.ctx, s->vars, struct var, s->nvars + 1);
	s->vars[s->nvars++] = v;
	return true;
}

int scope_label(struct expansion *x, const char *name, bool jumped_to, struct place at)
{
	struct scope *s = label_scope(x->l.scope);
	struct named_label *l = find_label(s, name), new = { .name = name, .place = at };

	if (!l) {
		new.label = program_label(x->l.p, name);
		l = add_label(x, s, new);
	}
	l->jumped_to |= jumped_to;
	return l->label;
}

bool scope_place(struct expansion *x, const char *name, struct place at)
{
	struct scope *s = label_scope(x->l.scope);
	struct named_label *l = find_label(s, name);

	if (l && l->placed) {
		template_error(x, DIAG_LABEL_TWICE, at, "label `%s` is there twice", name);
		diag_note(x->l.d, l->place, "here it is already");
		return false;
	}
	if (!l)
		l = add_label(x, s, (struct named_label){ .name = name, .label = program_label(x->l.p, name) });
	l->placed = true;
	l->place = at;
	label_here(x->l.p, l->label);
	return true;
}

bool scope_finish(struct expansion *x)
{
	bool faults = x->l.p->info.src_user || x->l.p->info.dst_user;
	bool ok = true;

	for (size_t k = 0; k < x->l.scope->nnamed; k++) {
		const struct named_label *l = &x->l.scope->named[k];

		if (!l->placed && (l->jumped_to || faults))
			ok = template_error(x, DIAG_NO_LABEL, l->place, "there is no label `%s`", l->name);
	}
	return ok;
}

int *labels_merged(const struct expansion *x)
{
	size_t n = x->l.p->nlabels;
	int *to = ARRAY_NEW(x->l.ctx, int, n + 1);

	for (size_t k = 0; k < n; k++)
		to[k] = (int)k;
	/* a label is merged into one of a scope farther out, which may be merged later */
	for (size_t k = x->nmerges; k-- > 0;)
		to[x->merges[k].from] = to[x->merges[k].to];
	return to;
}
