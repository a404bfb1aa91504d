/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Statements of templates. */
#include <string.h>

#include "ast_build.h"

struct stmt *stmt_new(struct parser *p, enum stmt_kind kind, struct place start)
{
	struct stmt *s = NEW(p, struct stmt);

	s->kind = kind;
	s->place = place_to_here(p, start);
	return s;
}

struct stmt *stmt_named(struct parser *p, enum stmt_kind kind, struct token first, struct token name)
{
	struct stmt *s = stmt_new(p, kind, first.place);

	s->name = token_string(p, name);
	s->name_place = name.place;
	return s;
}

void stmt_values(struct parser *p, struct stmt *s, struct exprs values)
{
	for (size_t i = 0; i < values.n; i++)
		PUSH(p, s->values, s->nvalues, values.v[i].e);
}

struct stmt *stmt_block(struct parser *p, enum stmt_kind kind, struct token first, struct body body, struct tail other)
{
	struct stmt *s = stmt_new(p, kind, first.place);

	s->body = body;
	s->other = other.body;
	s->has_other = other.has;
	return s;
}

struct body body_of(struct parser *p, struct stmt *s)
{
	struct body b = { 0 };

	PUSH(p, b.v, b.n, s);
	return b;
}

struct test *test_new(struct parser *p, enum test_op op, struct place start, struct test *a, struct test *b)
{
	struct test *t = NEW(p, struct test);

	t->op = op;
	t->kid[0] = a;
	t->kid[1] = b;
	for (int i = 0; i < 2; i++)
		if (t->kid[i] && t->kid[i]->depth >= t->depth)
			t->depth = t->kid[i]->depth + 1;
	depth_check(p, t->depth);
	t->place = place_to_here(p, start);
	return t;
}

void temp_add(struct parser *p, struct temps *l, struct token name, struct deep count, struct token reg_class)
{
	struct temp t = { .name = token_string(p, name), .count = count.e, .place = name.place };

	t.reg_class = name_at(p, reg_class).name;
	t.class_place = reg_class.place;
	PUSH(p, l->v, l->n, t);
}

struct params params_of(struct parser *p, struct name_list names)
{
	struct params r = { 0 };

	if (names.n > PARAMS_MAX) {
		diag_error(p->d, DIAG_ARGUMENTS, names.v[PARAMS_MAX].place, "there are more than %d parameters", PARAMS_MAX);
		names.n = PARAMS_MAX;
	}
	for (size_t i = 0; i < names.n; i++) {
		for (size_t k = 0; k < i; k++)
			if (!strcmp(names.v[i].name, names.v[k].name)) {
				diag_error(p->d, DIAG_TWICE, names.v[i].place, "parameter `%.40s` is given twice",
					   names.v[i].name);
				diag_note(p->d, names.v[k].place, "first given here");
				break;
			}
		PUSH(p, r.v, r.n, ((struct param){ names.v[i].name, names.v[i].place }));
	}
	return r;
}

void with_add(struct parser *p, struct withs *l, struct token name, struct token what)
{
	struct with w = { .name = token_string(p, name), .what = name_at(p, what).name };

	w.place = place_to_here(p, name.place);
	PUSH(p, l->v, l->n, w);
}

struct stmt *stmt_when(struct parser *p, struct token first, struct test *test, struct body body, struct tail other)
{
	struct stmt *s = stmt_block(p, STMT_WHEN, first, body, other);

	s->test = test;
	return s;
}

const struct hook *templates_hook(const struct templates *t, const char *name)
{
	for (size_t k = 0; k < t->nhooks; k++)
		if (strcmp(t->hooks[k].name, name) == 0)
			return &t->hooks[k];
	return NULL;
}

bool tune_measured(const struct declared *tune)
{
	return tune->nof || tune->between[0].name;
}

bool tune_fits(const struct declared *tune, uint64_t value)
{
	return !tune_measured(tune) || value <= TUNE_NEVER;
}

void tune_add(struct parser *p, struct token name, struct token value, struct tuning t)
{
	struct templates *all = &p->tree->templates;
	struct declared d = { .name = token_string(p, name), .value = value.number, .place = name.place };

	d.of = t.of.v;
	d.nof = t.of.n;
	d.of_place = t.of.place;
	d.between[0] = (struct param){ name_at(p, t.below).name, t.below.place };
	d.between[1] = (struct param){ name_at(p, t.above).name, t.above.place };
	PUSH(p, all->tunes, all->ntunes, d);
}
