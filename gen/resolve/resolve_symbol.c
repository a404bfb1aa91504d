/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* How a target calls routines and labels: of each must be made one word that the assembler takes for a name. */
#include "resolve_priv.h"

#include <ctype.h>

static bool is_name_character(char ch)
{
	return isalnum((unsigned char)ch) || ch == '_' || ch == '.' || ch == '$';
}

static bool has_only_name_characters(const struct text *t)
{
	for (size_t i = 0; i < t->nparts; i++)
		for (const char *c = t->parts[i].literal; c && *c; c++)
			if (!is_name_character(*c))
				return false;
	return true;
}

/* Names of routines begin as all names do; numbers of labels may be just that. */
static bool may_begin_with_digit(const struct text *t)
{
	const struct text_part *first = &t->parts[0];

	return first->literal ? isdigit((unsigned char)*first->literal) : first->operand == TEXT_NUMBER;
}

void check_symbol_name(struct resolver *r, const char *what, const struct text_at *from, const struct text *t)
{
	if (!*from->text)
		fail(r, DIAG_TEXT, from->place, "a %s can't be empty", what);
	else if (!has_only_name_characters(t))
		fail(r, DIAG_TEXT, from->place, "a %s is made of letters, digits, `_`, `.` and `$`", what);
	else if (t->nparts && may_begin_with_digit(t))
		fail(r, DIAG_TEXT, from->place, "a %s can't begin with a digit", what);
}

/* As target_symbol reads it. */
static const char *symbol_text(struct resolver *r, const struct text *t)
{
	char *s = talloc_strdup(r->ctx, "");

	for (size_t i = 0; i < t->nparts; i++)
		s = talloc_strdup_append_buffer(s, t->parts[i].literal ? t->parts[i].literal : "{r}");
	return s;
}

bool has_symbol(const struct target *t, const char *routine)
{
	for (size_t i = 0; i < t->nsymbols; i++) {
		const char *other = t->symbols[i].routine;

		if (other == routine || (other && routine && strcmp(other, routine) == 0))
			return true;
	}
	return false;
}

static void add_symbol(struct resolver *r, const struct spec_symbol *s)
{
	struct target *t = &r->m->target;
	const char *routine = s->routine.name;
	struct text text;

	if (routine)
		check_routine(r, &s->routine);
	text = bind_text(r, &s->text, 1u << TEXT_ROUTINE);
	check_symbol_name(r, "symbol", &s->text, &text);
	if (has_symbol(t, routine))
		return;
	ARRAY_RESIZE(r->ctx, t->symbols, struct symbol, t->nsymbols + 1);
	t->symbols[t->nsymbols++] = (struct symbol){routine, symbol_text(r, &text)};
}

void resolve_symbols(struct resolver *r)
{
	for (size_t i = 0; i < r->nchain; i++) {
		const struct spec_body *body = &r->chain[i]->body;

		for (size_t k = 0; k < body->nsymbols; k++)
			add_symbol(r, &body->symbols[k]);
	}
}

static bool has_other_than_digits(const char *text)
{
	return text && text[strspn(text, "0123456789")];
}

/* Else label 1 of `f1` and label 11 of `f` would be one. */
static void check_parted(struct resolver *r, const struct text *t)
{
	const struct text_part *before = NULL;
	bool parted = false;

	for (size_t i = 0; i < t->nparts; i++) {
		const struct text_part *part = &t->parts[i];

		parted = parted || has_other_than_digits(part->literal);
		if (part->literal)
			continue;
		if (before && !parted && part->operand != before->operand) {
			fail(r, DIAG_TEXT, t->place, "something that is no digit must stand between {f} and {n}");
			return;
		}
		before = part;
		parted = false;
	}
}

static void check_label(struct resolver *r)
{
	const struct spec_fact *f = find_fact(r, FACT_LABEL);

	if (!f)
		return;
	check_symbol_name(r, "label", &f->texts.v[0], &r->m->target.label);
	check_parted(r, &r->m->target.label);
}

/* Linked together, each routine must be found by its own name. */
static void check_differ(struct resolver *r)
{
	const struct target *t = &r->m->target;
	const struct spec_fact *emit = find_fact(r, FACT_EMIT);

	for (size_t i = 0; i < t->nemit; i++)
		for (size_t k = 0; k < i; k++) {
			const char *symbol = target_symbol(r->ctx, r->m, t->emit[i]);

			if (strcmp(t->emit[k], t->emit[i]) && !strcmp(symbol, target_symbol(r->ctx, r->m, t->emit[k])))
				fail(r, DIAG_SAME_SYMBOL, emit->names.v[i].place, "`%s` and `%s` are both named `%s`", t->emit[k],
				     t->emit[i], symbol);
		}
}

void check_symbols(struct resolver *r)
{
	check_label(r);
	check_differ(r);
}
