/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers, their classes and views. */
#include "resolve_priv.h"

#define REGISTERS_MAX 256		/* what fits a regset */

/* A register may be in two classes; it is known by its spelling. */
static int add_register(struct resolver *r, const struct name_at *name, int width)
{
	struct machine *m = r->m;
	int known = machine_reg(m, name->name);

	if (known >= 0 && m->regs[known].width != width)
		fail(r, DIAG_VALUE, name->place, "register `%s` has %d bytes in another class", name->name,
		     m->regs[known].width);
	if (known >= 0)
		return known;
	if (strpbrk(name->name, "*\"\\"))
		fail(r, DIAG_REGISTER_LIST, name->place, "`*`, `\"` and `\\` can't stand in a register's name");
	if (m->nregs == REGISTERS_MAX) {
		fail(r, DIAG_REGISTER_LIST, name->place, "a machine has at most %d registers", REGISTERS_MAX);
		return -1;
	}
	ARRAY_RESIZE(r->ctx, m->regs, struct reg, m->nregs + 1);
	m->regs[m->nregs] = (struct reg){name->name, width};
	return (int)m->nregs++;
}

static void fill_class(struct resolver *r, const struct spec_class *spec, struct reg_class *c)
{
	struct name_list names = register_names(r, &spec->regs);
	struct place twice = {0};

	*c = (struct reg_class){.name = spec->name.name, .width = (int)spec->width, .place = spec->place};
	if (spec->width < 1 || spec->width > 64)
		fail(r, DIAG_VALUE, spec->place, "registers of a class have from 1 to 64 bytes");
	if (spec->regs.text[strspn(spec->regs.text, " \t")] == '\0')
		fail(r, DIAG_REGISTER_LIST, spec->place, "a class needs a register");
	c->regs = ARRAY_NEW(r->ctx, int, names.n);
	for (size_t i = 0; i < names.n; i++) {
		int reg = add_register(r, &names.v[i], c->width);

		if (reg >= 0 && class_position(c, reg) < 0)
			c->regs[c->nregs++] = reg;
		else if (reg >= 0 && other_span(&twice, names.v[i].place))
			fail(r, DIAG_TWICE, names.v[i].place, "register `%s` stands twice in this class",
			     names.v[i].name);
	}
}

int class_named(struct resolver *r, const char *name, struct place at)
{
	struct near near = {0};
	int c = machine_class(r->m, name);

	for (size_t i = 0; i < r->m->nclasses; i++)
		near_add(r, &near, r->m->classes[i].name);
	if (c < 0)
		fail_unknown(r, DIAG_CLASS, at, "there is no class", name, near);
	return c;
}

static void resolve_classes(struct resolver *r)
{
	size_t n;
	const struct spec_class **v = IN_EFFECT(r, classes, spec_class, &n);

	if (n == 0)
		fail(r, DIAG_FACT, r->spec->name.place, "machine `%s` has no class of registers",
		     r->spec->name.name);
	r->m->classes = ARRAY_NEW(r->ctx, struct reg_class, n);
	for (size_t i = 0; i < n; i++)
		fill_class(r, v[i], &r->m->classes[r->m->nclasses++]);
	if (n && r->m->classes[0].width != r->m->width)
		fail(r, DIAG_VALUE, v[0]->place,
		     "the first class holds numbers and addresses: its registers have `%s`, %d bytes",
		     fact_names[FACT_WIDTH], r->m->width);
}

/* Two registers of one spelling would be printed alike. */
static void spell(struct resolver *r, struct view *view, size_t position, const struct name_at *name, struct place *twice)
{
	if (strcmp(name->name, "-") == 0)
		return;
	for (size_t i = 0; i < position; i++)
		if (view->spelling[i] && strcmp(view->spelling[i], name->name) == 0 && other_span(twice, name->place))
			fail(r, DIAG_TWICE, name->place, "name `%s` stands twice in this view", name->name);
	view->spelling[position] = name->name;
}

static void fill_view(struct resolver *r, const struct spec_view *spec, struct view *view)
{
	struct name_list names = register_names(r, &spec->regs);
	const struct reg_class *c;
	struct place twice = {0};

	*view = (struct view){.name = spec->name.name,
			      .place = spec->place,
			      .reg_class = class_named(r, spec->of.name, spec->of.place)};
	if (view->reg_class < 0) {
		view->reg_class = 0;
		names.n = 0;
	}
	if (r->m->nclasses == 0)
		return;
	c = &r->m->classes[view->reg_class];
	view->spelling = ARRAY_NEW(r->ctx, const char *, c->nregs);
	for (size_t i = 0; i < names.n && i < c->nregs; i++)
		spell(r, view, i, &names.v[i], &twice);
	if (names.n && names.n != c->nregs) {
		fail(r, DIAG_VIEW_LENGTH, spec->place,
		     "view `%s` spells %zu registers, but class `%s` has %zu", spec->name.name, names.n,
		     c->name, c->nregs);
		note(r, c->place, "the class");
	}
}

/* A hole says `a:x`, and x is a class, a view or a range: one name for one thing. */
static void check_namespace(struct resolver *r, const struct view *view)
{
	int c = machine_class(r->m, view->name);

	if (c < 0)
		return;
	fail(r, DIAG_TWICE, view->place, "view `%s` has the name of a class", view->name);
	note(r, r->m->classes[c].place, "the class");
}

static void check_range_names(struct resolver *r)
{
	size_t n;
	const struct spec_range **v = IN_EFFECT(r, ranges, spec_range, &n);

	for (size_t i = 0; i < n; i++)
		if (machine_class(r->m, v[i]->name.name) >= 0 || machine_view(r->m, v[i]->name.name) >= 0)
			fail(r, DIAG_TWICE, v[i]->name.place, "range `%s` has the name of a class or view",
			     v[i]->name.name);
}

void resolve_registers(struct resolver *r)
{
	size_t n;
	const struct spec_view **v;

	resolve_classes(r);
	v = IN_EFFECT(r, views, spec_view, &n);
	r->m->views = ARRAY_NEW(r->ctx, struct view, n);
	for (size_t i = 0; i < n; i++) {
		struct view view;

		fill_view(r, v[i], &view);
		check_namespace(r, &view);
		if (view.spelling)
			r->m->views[r->m->nviews++] = view;
	}
	check_range_names(r);
}
