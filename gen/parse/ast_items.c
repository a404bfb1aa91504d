/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What stands in the bodies of machines, variants and targets. */
#include <stdio.h>
#include <string.h>

#include "ast_build.h"

const char *const fact_names[FACT_COUNT] = {
	[FACT_WIDTH] = "register width", [FACT_BLOCK] = "block instruction", [FACT_UPDATE] = "pointer update",
	[FACT_FIXUP] = "fixup", [FACT_GRANULARITY] = "fault granularity", [FACT_GRANULE] = "fault granule",
	[FACT_ORDER] = "byte order", [FACT_ACCESS] = "access", [FACT_DELAY] = "delay", [FACT_ARGS] = "args",
	[FACT_RESULT] = "result", [FACT_FREE] = "free", [FACT_SAVED] = "saved", [FACT_KEEP] = "keep",
	[FACT_ZERO] = "zero", [FACT_ENTER] = "enter", [FACT_STACK] = "stack", [FACT_STACK_CALL] = "stack call", [FACT_USER] = "user by",
	[FACT_SIDES] = "sides", [FACT_FILE] = "file", [FACT_FUNCTION] = "function", [FACT_FIXUPS] = "fixups",
	[FACT_LABEL] = "label", [FACT_DIRECTIVE] = "width", [FACT_ENTRY] = "entry", [FACT_LOOP] = "loop",
	[FACT_REACH] = "reach", [FACT_RETRY] = "retry", [FACT_EMIT] = "emit",
};

/* Each in the order of its enum's values. */
const char *const words_update[] = { "block", "each", NULL };
const char *const words_fixup[] = { "direct", "ladder", "retry", "both", NULL };
const char *const words_order[] = { "little", "big", NULL };
const char *const words_access[] = { "aligned", "unaligned", "mixed", NULL };
const char *const words_slot[] = { "", "self", "branch", "never", NULL };
const char *const words_feature[] = { "no", "yes", "variant", NULL };
const char *const words_user[] = { "any", "user", NULL };
const char *const words_retry[] = { "no", "yes", NULL };

int word_index(struct parser *p, struct token t, const char *what, const char *const *words)
{
	const char *word = token_string(p, t), *near, *known = "";
	char list[80];
	size_t n = 0, used = 0;

	for (; words[n]; n++) {
		if (*words[n] && !strcmp(words[n], word))
			return (int)n;
	}
	for (size_t i = 0; i < n; i++) {
		int k = snprintf(list + used, sizeof(list) - used, "%s`%s`", known, words[i]);

		if (!*words[i])
			continue;
		used += (size_t)k;
		known = i + 2 < n ? ", " : " or ";
	}
	diag_error(p->d, DIAG_WORD, t.place, "%s is %s, not `%.40s`", what, list, word);
	near = diag_near(word, words, n);
	if (near)
		diag_note(p->d, t.place, "did you mean `%s`?", near);
	return 0;
}

struct spec_fact *fact_new(struct parser *p, enum fact_kind kind, struct token first)
{
	struct spec_fact *f = NEW(p, struct spec_fact);

	f->kind = kind;
	f->place = place_to_here(p, first.place);
	return f;
}

struct spec_fact *fact_number(struct parser *p, enum fact_kind kind, struct token first, struct token number)
{
	struct spec_fact *f = fact_new(p, kind, first);

	f->number = number.number;
	return f;
}

struct spec_fact *fact_word(struct parser *p, enum fact_kind kind, struct token first, struct token word,
			    const char *const *words)
{
	struct spec_fact *f = fact_new(p, kind, first);

	f->value = word_index(p, word, fact_names[kind], words);
	return f;
}

struct spec_fact *fact_text(struct parser *p, enum fact_kind kind, struct token first, struct token text)
{
	struct spec_fact *f = fact_new(p, kind, first);

	PUSH(p, f->texts.v, f->texts.n, text_at(p, text));
	return f;
}

struct spec_fact *fact_texts(struct parser *p, enum fact_kind kind, struct token first, struct text_list texts,
			     struct text_list ends)
{
	struct spec_fact *f = fact_new(p, kind, first);

	f->texts = texts;
	f->ends = ends;
	return f;
}

struct spec_fact *fact_delay(struct parser *p, struct token first, struct token slots, struct token fill, struct token fault)
{
	struct spec_fact *f = fact_text(p, FACT_DELAY, first, fill);

	f->number = slots.number;
	f->value = word_index(p, fault, "fault of a delay slot", words_slot);
	return f;
}

struct spec_feature *feature_new(struct parser *p, struct token first, struct token name, int value)
{
	struct spec_feature *f = NEW(p, struct spec_feature);

	f->name = name_at(p, name);
	f->value = value;
	f->place = place_to_here(p, first.place);
	return f;
}

static bool to_signed(struct parser *p, struct bound b, int64_t *ret)
{
	if (b.digits.number > (uint64_t)INT64_MAX + b.minus) {
		diag_error(p->d, DIAG_NUMBER, b.digits.place, "bound of a range does not fit in a signed number of 64 bits");
		return false;
	}
	*ret = (int64_t)(b.minus ? -b.digits.number : b.digits.number);
	return true;
}

struct ranges range_new(struct parser *p, struct bound lo, struct bound hi, uint64_t step)
{
	struct range x = { .kind = RANGE_STEP, .step = (int64_t)step };
	struct place all = place_to_here(p, lo.first.place);
	struct ranges r = { 0 };

	if (!to_signed(p, lo, &x.lo) || !to_signed(p, hi, &x.hi))
		return r;
	if (x.hi < x.lo)
		diag_error(p->d, DIAG_RANGE, all, "range is empty");
	else if (!step || step > INT64_MAX)
		diag_error(p->d, DIAG_RANGE, all, "step of a range must be from 1 to 2^63 - 1");
	else if (((uint64_t)x.hi - (uint64_t)x.lo) % step)
		diag_error(p->d, DIAG_RANGE, all, "steps of this range do not reach its end");
	else
		PUSH(p, r.v, r.n, x);
	return r;
}

struct ranges range_named(struct parser *p, struct token kind, struct token ones)
{
	static const char *const words[] = { "ones", "tops", NULL };
	struct range x = { .kind = RANGE_ONES, .lo = 1, .hi = (int64_t)(ones.number & 127), .step = 1 };
	struct ranges r = { 0 };

	if (word_index(p, kind, "kind of a range", words))
		x.kind = RANGE_TOPS;
	if (!ones.number || ones.number > 63)
		diag_error(p->d, DIAG_RANGE, ones.place, "masks are of 1 to 63 bits");
	else
		PUSH(p, r.v, r.n, x);
	return r;
}

static void twice(struct parser *p, struct place now, const char *what, struct place before)
{
	diag_error(p->d, DIAG_TWICE, now, "%s is given twice", what);
	diag_note(p->d, before, "first given here");
}

void relation_add(struct parser *p, struct spec_relation *r, enum relation rel, struct token text)
{
	struct text_at t = text_at(p, text);

	if (r->text[rel].text)
		twice(p, t.place, "text of this comparison", r->text[rel].place);
	r->text[rel] = t;
}

struct number_list number_add(struct parser *p, struct number_list l, struct token number)
{
	PUSH(p, l.v, l.n, number.number);
	l.place = l.place.source ? place_to_here(p, l.place) : number.place;
	return l;
}

void mark_numbers(struct parser *p, struct number_list *which, struct token first, struct number_list l, bool any)
{
	struct spec_pattern *m = p->pattern;

	l.place = place_to_here(p, first.place);
	if (which->n)
		twice(p, l.place, which == &m->tears ? "`tears`" : "`aligned`", which->place);
	*which = l;
	m->tears_any |= any;
}

void mark_slot(struct parser *p, struct token first)
{
	if (p->pattern->slot)
		diag_error(p->d, DIAG_TWICE, first.place, "`slot` is given twice");
	p->pattern->slot = true;
}

void mark_pool(struct parser *p, struct token first, struct token text)
{
	struct spec_pattern *m = p->pattern;

	if (m->pool.text)
		twice(p, first.place, "`pool`", m->pool.place);
	m->pool = text_at(p, text);
}

void mark_only(struct parser *p, struct token first, struct token name)
{
	struct spec_pattern *m = p->pattern;

	if (m->only.name)
		twice(p, first.place, "`for`", m->only.place);
	m->only = name_at(p, name);
}

void pattern_line(struct parser *p, struct spec_pattern *m, struct token text, struct effect *e)
{
	struct spec_line l = { text_at(p, text), e != NULL, { 0 }, { 0 } };

	if (e) {
		l.step = e->step;
		l.effect_place = e->place;
	}
	if (!m->nlines)
		m->place = text.place;
	m->place = place_to_here(p, m->place);
	PUSH(p, m->lines, m->nlines, l);
}

void pattern_as(struct parser *p, struct spec_pattern *m, struct effect *e)
{
	m->has_as = true;
	m->as = e->step;
	m->as_place = e->place;
	m->place = place_to_here(p, m->place);
}

void symbol_add(struct parser *p, struct spec_body *b, struct token first, struct token routine, struct token text)
{
	struct spec_symbol s = { name_at(p, routine), text_at(p, text), place_to_here(p, first.place) };

	PUSH(p, b->symbols, b->nsymbols, s);
}

void body_check(struct parser *p, const struct spec_body *b, bool variant)
{
	for (size_t i = 0; i < b->ndrops && !variant; i++)
		diag_error(p->d, DIAG_MISPLACED, b->drops[i].place, "only a variant can drop instructions");
	for (size_t i = 0; i < b->nvariants && variant; i++)
		diag_error(p->d, DIAG_MISPLACED, b->variants[i]->name.place, "a variant can't have variants");
}

void hook_add(struct parser *p, struct token first, struct token name, struct params params, struct hooked does)
{
	struct hook h = { token_string(p, name), params.v, params.n, does.kind, does.held, does.at, place_to_here(p, first.place) };

	PUSH(p, p->tree->templates.hooks, p->tree->templates.nhooks, h);
}

void hook_text_add(struct parser *p, struct spec_body *body, struct token first, struct token name, struct token text,
		   struct text_at clobber)
{
	struct spec_hook_text h = { name_at(p, name), text_at(p, text), clobber, place_to_here(p, first.place) };

	PUSH(p, body->hooks, body->nhooks, h);
}

void tune_push(struct parser *p, struct spec_body *b, struct token name, struct token value)
{
	PUSH(p, b->tunes, b->ntunes, ((struct spec_tune){ name_at(p, name), value.number, place_to_here(p, name.place) }));
}

void tunes_add(struct parser *p, struct spec_body *body, const struct spec_body *tunes)
{
	for (size_t i = 0; i < tunes->ntunes; i++)
		PUSH(p, body->tunes, body->ntunes, tunes->tunes[i]);
}
