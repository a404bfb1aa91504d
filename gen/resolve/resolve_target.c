/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A target's texts and routines, and the texts of frames. */
#include "resolve_priv.h"

#define BIT(name) (1u << (name))

static const char *const names[TEXT_NAMES] = {
	[TEXT_ROUTINE] = "r", [TEXT_FUNCTION] = "f",  [TEXT_NUMBER] = "n",    [TEXT_SITE] = "site",
	[TEXT_NEXT] = "next", [TEXT_FIXUP] = "fixup", [TEXT_WIDTH] = "width", [TEXT_REG] = "reg",
	[TEXT_AT] = "at",     [TEXT_ALL] = "all",     [TEXT_SIZE] = "size",
};

enum {
	IN_FUNCTION = BIT(TEXT_FUNCTION),
	IN_LABEL = BIT(TEXT_FUNCTION) | BIT(TEXT_NUMBER),
	IN_ENTRY = BIT(TEXT_FUNCTION) | BIT(TEXT_SITE) | BIT(TEXT_NEXT) | BIT(TEXT_FIXUP) | BIT(TEXT_WIDTH),
	IN_STACK = BIT(TEXT_REG) | BIT(TEXT_AT) | BIT(TEXT_ALL) | BIT(TEXT_SIZE),
};

static const char *join(struct resolver *r, struct near list, const char *between)
{
	char *s = talloc_strdup(r->ctx, "");

	for (size_t i = 0; i < list.n; i++)
		s = talloc_asprintf_append_buffer(s, "%s%s", i ? between : "", list.v[i]);
	return s;
}

static int text_name(struct resolver *r, const struct hole *h, unsigned allowed)
{
	struct near near = {0};

	for (int i = 0; i < TEXT_NAMES; i++) {
		if (!(allowed & BIT(i)))
			continue;
		if (strcmp(names[i], h->name) == 0)
			return i;
		near_add(r, &near, names[i]);
	}
	fail_unknown(r, DIAG_HOLE, h->place, "this text can not have", h->name, near);
	if (near.n)
		note(r, h->place, "it can have {%s}", join(r, near, "}, {"));
	return -1;
}

static void bind_names(struct expr *e, int index)
{
	if (e->op == EX_NAME) {
		e->op = EX_OPERAND;
		e->index = index;
	}
	for (int i = 0; i < expr_kids(e->op); i++)
		bind_names(e->kid[i], index);
}

static void refuse_list(void *arg, size_t n, struct place at)
{
	(void)n;
	fail(arg, DIAG_TEXT, at, "only a pattern's holes have lists and `:`");
}

/* Sums are made of what is a number by itself, which is in frames only. */
static void check_hole(struct resolver *r, const struct hole *h, int name)
{
	if ((h->what && name != TEXT_REG) || h->has_ranges || h->is_list)
		fail(r, DIAG_TEXT, h->place, "only a pattern's holes have lists and `:`");
	if (h->print && name >= 0 && name != TEXT_AT && name != TEXT_SIZE)
		fail(r, DIAG_TEXT, h->place, "{%s} is not a number: it is printed as it is", names[name]);
}

struct text bind_text(struct resolver *r, const struct text_at *t, unsigned allowed)
{
	struct text text = {.place = t->place};
	struct pieces pieces;

	text_families(t, refuse_list, r);
	if (!text_pieces(r, t, 0, &pieces))
		return text;
	text.parts = ARRAY_NEW(r->ctx, struct text_part, pieces.n);
	for (size_t i = 0; i < pieces.n; i++) {
		const struct hole *h = pieces.v[i].hole;
		struct text_part *part = &text.parts[text.nparts++];

		*part = (struct text_part){.literal = pieces.v[i].literal, .operand = -1, .view = -1, .reg_class = -1};
		if (!h)
			continue;
		part->operand = text_name(r, h, allowed);
		part->print = h->print;
		if (h->print)
			bind_names(h->print, part->operand);
		if (h->what && part->operand == TEXT_REG)
			part->reg_class = class_named(r, h->what, h->what_place);
		check_hole(r, h, part->operand);
	}
	return text;
}

static struct texts target_texts(struct resolver *r, const struct text_list *list, unsigned allowed)
{
	struct texts texts = {ARRAY_NEW(r->ctx, struct text, list->n), list->n};

	for (size_t i = 0; i < list->n; i++)
		texts.v[i] = bind_text(r, &list->v[i], allowed);
	return texts;
}

/* The texts of a key with a beginning and an end. */
static void both_texts(struct resolver *r, enum fact_kind kind, unsigned allowed, struct texts *ret_begin,
		       struct texts *ret_end)
{
	const struct spec_fact *f = find_fact(r, kind);

	if (!f)
		return;
	*ret_begin = target_texts(r, &f->texts, allowed);
	*ret_end = target_texts(r, &f->ends, allowed);
}

static struct texts list_texts(struct resolver *r, enum fact_kind kind, unsigned allowed)
{
	const struct spec_fact *f = find_fact(r, kind);

	return f ? target_texts(r, &f->texts, allowed) : (struct texts){0};
}

static void resolve_texts(struct resolver *r)
{
	struct machine *m = r->m;
	struct target *t = &m->target;
	const struct spec_fact *label = find_fact(r, FACT_LABEL);
	const struct spec_fact *width = find_fact(r, FACT_DIRECTIVE);
	const struct spec_fact *call = find_fact(r, FACT_STACK_CALL);

	both_texts(r, FACT_FILE, 0, &t->file_begin, &t->file_end);
	both_texts(r, FACT_FUNCTION, IN_FUNCTION, &t->function_begin, &t->function_end);
	both_texts(r, FACT_FIXUPS, IN_FUNCTION, &t->fixups_begin, &t->fixups_end);
	t->entry = list_texts(r, FACT_ENTRY, IN_ENTRY);
	t->loop = list_texts(r, FACT_LOOP, 0);
	both_texts(r, FACT_ENTER, 0, &m->enter, &m->leave);
	both_texts(r, FACT_STACK, IN_STACK, &m->stack_enter, &m->stack_leave);
	both_texts(r, FACT_STACK_CALL, IN_STACK, &m->call_enter, &m->call_leave);
	m->call_saves = call ? (enum parity)call->value : PARITY_ANY;
	if (label && label->texts.n)
		t->label = bind_text(r, &label->texts.v[0], IN_LABEL);
	if (width && width->texts.n)
		t->width = plain_text(r, &width->texts.v[0]);
}

void check_routine(struct resolver *r, const struct name_at *name)
{
	const struct templates *all = &r->tree->templates;
	struct near near = {0};

	for (size_t i = 0; i < all->nroutines; i++) {
		if (strcmp(all->routines[i]->name, name->name) == 0)
			return;
		near_add(r, &near, all->routines[i]->name);
	}
	if (all->nroutines)
		fail_unknown(r, DIAG_NO_ROUTINE, name->place, "there is no routine", name->name, near);
}

static void resolve_emit(struct resolver *r)
{
	const struct spec_fact *f = find_fact(r, FACT_EMIT);
	struct target *t = &r->m->target;

	if (!f)
		return;
	t->emit = ARRAY_NEW(r->ctx, const char *, f->names.n);
	t->nemit = f->names.n;
	for (size_t i = 0; i < f->names.n; i++) {
		t->emit[i] = f->names.v[i].name;
		check_routine(r, &f->names.v[i]);
		for (size_t k = 0; k < i; k++)
			if (strcmp(t->emit[k], t->emit[i]) == 0)
				fail(r, DIAG_TWICE, f->names.v[i].place, "routine `%s` stands twice in `emit`", t->emit[i]);
	}
}

/* What is read, and would have no effect. */
static void refuse_unsupported(struct resolver *r)
{
	const struct spec_fact *reach = find_fact(r, FACT_REACH);

	if (reach)
		fail(r, DIAG_UNSUPPORTED, reach->place,
		     "`reach` is not supported yet: how far a fixup is away is known only when it is assembled");
}

/* What a target or one it is made from must say. */
static void check_complete(struct resolver *r)
{
	static const enum fact_kind needed[] = {FACT_LABEL, FACT_FILE,	    FACT_FUNCTION,
						FACT_ENTRY, FACT_DIRECTIVE, FACT_EMIT};

	for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
		if (!find_fact(r, needed[i]))
			fail(r, DIAG_TARGET_ITEM, r->chain[0]->name.place, "target `%s` does not say its `%s`",
			     r->chain[0]->name.name, fact_names[needed[i]]);
	for (size_t i = 0; i < r->m->target.nemit; i++)
		if (!has_symbol(&r->m->target, NULL) && !has_symbol(&r->m->target, r->m->target.emit[i]))
			fail(r, DIAG_TARGET_ITEM, r->chain[0]->name.place,
			     "target `%s` emits `%s`, yet does not say how it is named",
			     r->chain[0]->name.name, r->m->target.emit[i]);
}

/* Whatever it looks like, a text must say what it is about.  That it says it in the right place nobody can know here. */
static void must_say(struct resolver *r, enum fact_kind kind, const struct text *v, size_t n, enum text_name name)
{
	const struct spec_fact *f = find_fact(r, kind);

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < v[i].nparts; k++)
			if (!v[i].parts[k].literal && (v[i].parts[k].operand == (int)name || v[i].parts[k].operand < 0))
				return;		/* of a name that isn't known that was said already */
	if (f)
		fail(r, DIAG_LACKS, n ? v[0].place : f->place, "`%s%s` does not have {%s}", fact_names[kind],
		     kind == FACT_FUNCTION ? " begin" : "", names[name]);
}

static void check_texts(struct resolver *r)
{
	const struct target *t = &r->m->target;

	must_say(r, FACT_LABEL, &t->label, 1, TEXT_FUNCTION);
	must_say(r, FACT_LABEL, &t->label, 1, TEXT_NUMBER);
	must_say(r, FACT_FUNCTION, t->function_begin.v, t->function_begin.n, TEXT_FUNCTION);
	must_say(r, FACT_ENTRY, t->entry.v, t->entry.n, TEXT_SITE);
	must_say(r, FACT_ENTRY, t->entry.v, t->entry.n, TEXT_FIXUP);
}

void resolve_target(struct resolver *r)
{
	struct target *t = &r->m->target;
	const struct spec_fact *sides = find_fact(r, FACT_SIDES);
	const struct spec_fact *user = find_fact(r, FACT_USER), *retry = find_fact(r, FACT_RETRY);

	t->name = r->chain[0]->name.name;
	t->place = r->chain[0]->place;
	t->user_by_user = user && user->value;
	for (size_t i = 0; sides && i < 2 && i < sides->texts.n; i++)
		t->sides[i] = plain_text(r, &sides->texts.v[i]);
	t->retry = !retry || retry->value;
	resolve_texts(r);
	resolve_symbols(r);
	resolve_emit(r);
	resolve_hooks(r);
	refuse_unsupported(r);
	check_complete(r);
	check_texts(r);
	check_symbols(r);
}
