/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Register lists: names between blanks, `a3..a7` for all from the one to the other. */
#include "resolve_priv.h"

#include <ctype.h>
#include <stdlib.h>

#define NUMBER_MAX 9999			/* of a register in a span */
#define NAMES_MAX 512			/* of one list; more than there can be registers */

static void add_name(struct resolver *r, struct name_list *list, const char *name, struct place at)
{
	if (list->n >= NAMES_MAX) {
		fail(r, DIAG_MANY, at, "a list has at most %d registers", NAMES_MAX);
		return;
	}
	ARRAY_RESIZE(r->ctx, list->v, struct name_at, list->n + 1);
	list->v[list->n++] = (struct name_at){name, at};
}

/* Length of what stands before a name's number; the whole length when it has none. */
static size_t stem_length(const char *name, size_t length)
{
	size_t stem = length;

	while (stem > 0 && isdigit((unsigned char)name[stem - 1]))
		stem--;
	return stem;
}

static void add_numbers(struct resolver *r, struct name_list *list, const char *stem, const char *first,
			const char *last, int digits, struct place at)
{
	unsigned long from = strtoul(first, NULL, 10), to = strtoul(last, NULL, 10);

	if (to > NUMBER_MAX)
		fail(r, DIAG_REGISTER_LIST, at, "numbers of registers go up to %d", NUMBER_MAX);
	else if (from > to || to - from > 255)
		fail(r, DIAG_REGISTER_LIST, at, "a register span must rise, by 255 at most");
	else
		for (unsigned long i = from; i <= to; i++)
			add_name(r, list, talloc_asprintf(r->ctx, "%s%0*lu", stem, digits, i), at);
}

static void add_span(struct resolver *r, struct name_list *list, const char *word, size_t dots, size_t length,
		     struct place at)
{
	size_t stem = stem_length(word, dots);
	const char *first = word + stem, *last = word + dots + 2;
	size_t last_stem = stem_length(last, length - dots - 2);
	size_t digits = dots - stem, last_digits = length - dots - 2 - last_stem;

	if (!dots || dots + 2 == length) {
		fail(r, DIAG_REGISTER_LIST, at, "a register span has a register at both ends");
		return;
	}
	if (!digits || !last_digits || last_stem != stem || memcmp(word, last, stem) != 0) {
		fail(r, DIAG_REGISTER_LIST, at, "the ends of a register span must differ in their number only");
		return;
	}
	last += stem;
	if (digits != last_digits && ((*first == '0' && digits > 1) || (*last == '0' && last_digits > 1))) {
		fail(r, DIAG_REGISTER_LIST, at,
		     "the ends of a register span with zeros ahead must be of one length");
		return;
	}
	add_numbers(r, list, talloc_strndup(r->ctx, word, stem), first, last,
		    digits == last_digits ? (int)digits : 1, at);
}

static void add_word(struct resolver *r, struct name_list *list, const char *word, size_t length,
		     struct place at)
{
	for (size_t i = 0; i + 1 < length; i++)
		if (word[i] == '.' && word[i + 1] == '.') {
			add_span(r, list, word, i, length, at);
			return;
		}
	add_name(r, list, talloc_strndup(r->ctx, word, length), at);
}

struct name_list register_names(struct resolver *r, const struct text_at *t)
{
	struct name_list list = {0};
	size_t i = 0;

	if (!t->text)
		return list;
	while (t->text[i]) {
		size_t length = strcspn(t->text + i, " \t");

		if (length)
			add_word(r, &list, t->text + i, length, place_part(t->place, i, i + length));
		i += length + strspn(t->text + i + length, " \t");
	}
	return list;
}

bool other_span(struct place *last, struct place at)
{
	bool other = last->source != at.source || last->start != at.start || last->end != at.end;

	*last = at;
	return other;
}

static int known_register(struct resolver *r, const struct name_at *name, struct place *unknown)
{
	int reg = machine_reg(r->m, name->name);
	struct near near = {0};

	if (reg >= 0 || !other_span(unknown, name->place))
		return reg;
	for (size_t i = 0; i < r->m->nregs; i++)
		near_add(r, &near, r->m->regs[i].name);
	fail_unknown(r, DIAG_REGISTER, name->place, "there is no register", name->name, near);
	return -1;
}

int *register_list(struct resolver *r, const struct text_at *t, size_t *ret_n)
{
	struct name_list names = register_names(r, t);
	int *regs = ARRAY_NEW(r->ctx, int, names.n + 1);
	struct place unknown = {0}, twice = {0};
	size_t n = 0;

	for (size_t i = 0; i < names.n; i++) {
		int reg = known_register(r, &names.v[i], &unknown);

		for (size_t k = 0; k < n && reg >= 0; k++)
			if (regs[k] == reg && other_span(&twice, names.v[i].place))
				fail(r, DIAG_TWICE, names.v[i].place, "register `%s` stands twice in this list",
				     names.v[i].name);
		if (reg >= 0)
			regs[n++] = reg;
	}
	*ret_n = n;
	return regs;
}

static bool is_kept(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->nkeep; i++)
		if (strcmp(m->keep[i], name) == 0)
			return true;
	return false;
}

/* Registers that no class has may be named when they are in `keep`: they are `foreign`. */
void register_set(struct resolver *r, const char *list, struct place at, struct regset *ret, bool *ret_foreign)
{
	struct text_at text = {list, at};
	struct name_list names = register_names(r, &text);
	struct place unknown = {0};

	for (size_t i = 0; i < names.n; i++) {
		if (machine_reg(r->m, names.v[i].name) < 0 && is_kept(r->m, names.v[i].name)) {
			*ret_foreign = true;
			ARRAY_RESIZE(r->ctx, r->foreign.v, struct name_at, r->foreign.n + 1);
			r->foreign.v[r->foreign.n++] = names.v[i];
		} else {
			int reg = known_register(r, &names.v[i], &unknown);

			if (reg >= 0)
				regset_add(ret, reg);
		}
	}
}
