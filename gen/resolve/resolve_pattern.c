/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns: families are spread out, operands found, effects bound; those that are not for this target are
 * left out. */
#include "resolve_priv.h"

#define PATTERNS_MAX 2000		/* of all lines */

struct family {
	struct resolver *r;
	size_t n;			/* alternatives; 1: none has been met */
	struct place first;
};

static void meet(struct family *f, size_t n, struct place at)
{
	if (f->n == 1) {
		f->n = n;
		f->first = at;
	} else if (f->n != n) {
		fail(f->r, DIAG_FAMILY, at, "a list of %zu, where the first of this line has %zu", n, f->n);
		note(f->r, f->first, "the first list");
	}
}

static void meet_text(void *arg, size_t n, struct place at)
{
	meet(arg, n, at);
}

static void meet_expr(struct family *f, const struct expr *e)
{
	size_t n = 0;

	if (!e)
		return;
	if (e->op == EX_FAMILY) {
		for (const struct expr *next = e; next; next = next->kid[0])
			n++;
		meet(f, n, e->place);
		return;
	}
	for (int i = 0; i < 3; i++)
		meet_expr(f, e->kid[i]);
}

static void meet_cond(struct family *f, const struct cond *c)
{
	if (c) {
		meet_expr(f, c->lhs);
		meet_expr(f, c->rhs);
	}
}

static void meet_step(struct family *f, const struct step *s)
{
	meet_cond(f, s->loop);
	for (size_t i = 0; i < s->nacts; i++) {
		meet_expr(f, s->acts[i].target);
		meet_expr(f, s->acts[i].value);
		meet_cond(f, s->acts[i].cond);
	}
}

/* How many patterns a line stands for. */
static size_t family_size(struct resolver *r, const struct spec_pattern *sp)
{
	struct family f = {.r = r, .n = 1};

	for (size_t i = 0; i < sp->nlines; i++) {
		text_families(&sp->lines[i].text, meet_text, &f);
		meet_step(&f, &sp->lines[i].step);
	}
	meet_step(&f, &sp->as);
	if (sp->pool.text)
		text_families(&sp->pool, meet_text, &f);
	if (sp->tears.n > 1)
		meet(&f, sp->tears.n, sp->tears.place);
	if (sp->aligned.n > 1)
		meet(&f, sp->aligned.n, sp->aligned.place);
	return f.n;
}

static bool cut_texts(struct binder *b)
{
	const struct spec_pattern *sp = b->sp;
	bool good = true;

	b->ntexts = sp->nlines + (sp->pool.text != NULL);
	b->texts = ARRAY_NEW(b->r->ctx, struct pieces, b->ntexts);
	for (size_t i = 0; i < b->ntexts; i++)
		good = text_pieces(b->r, i < sp->nlines ? &sp->lines[i].text : &sp->pool, b->choice,
				   &b->texts[i]) &&
		       good;
	return good;
}

static int family_number(struct binder *b, const struct number_list *list)
{
	uint64_t v;

	if (list->n == 0)
		return 0;
	v = list->v[list->n > 1 && b->choice < list->n ? b->choice : 0];
	if (v >= 1 && v <= 64 && (v & (v - 1)) == 0)
		return (int)v;
	fail(b->r, DIAG_VALUE, list->place, "a power of two from 1 to 64 is expected");
	b->bad = true;
	return 0;
}

static void bind_lines(struct binder *b)
{
	const struct spec_pattern *sp = b->sp;

	b->counting = true;
	for (size_t i = 0; i < sp->nlines; i++)
		bind_step(b, &sp->lines[i].step, &b->p->lines[i].step);
	b->counting = false;
	if (sp->has_as)
		bind_step(b, &sp->as, &b->p->as);
}

/* One member of a family; false: it has an error, which the others would only repeat. */
static bool resolve_pattern(struct resolver *r, const struct spec_pattern *sp, size_t choice, struct pattern *p)
{
	struct binder b = {.r = r, .sp = sp, .p = p, .choice = choice};

	*p = (struct pattern){
		.nlines = sp->nlines, .place = sp->place, .slot = sp->slot, .tears_any = sp->tears_any};
	p->lines = ARRAY_NEW(r->ctx, struct pattern_line, sp->nlines);
	if (sp->nlines > LINES_MAX) {
		fail(r, DIAG_LINES, sp->place, "a pattern has at most %d lines", LINES_MAX);
		return false;
	}
	if (!cut_texts(&b))
		return false;
	resolve_operands(&b);
	if (b.bad)
		return false;
	bind_lines(&b);
	p->tears = family_number(&b, &sp->tears);
	p->aligned = family_number(&b, &sp->aligned);
	if (!b.bad)
		check_pattern(&b);
	return !b.bad;
}

static bool is_known_mark(const struct resolver *r, const char *name)
{
	if (strcmp(name, "big") == 0 || strcmp(name, "little") == 0 || machine_class(r->m, name) >= 0)
		return true;
	for (size_t i = 0; i < r->m->nfeatures; i++)
		if (strcmp(r->m->features[i].name, name) == 0)
			return true;
	return knows_target(r, name);
}

/* `for NAME`: a feature or variant that is there for certain, a byte order, the target or one it is made
 * from, a class. */
static bool is_for_us(struct resolver *r, const struct name_at *only)
{
	struct near near = {0};

	if (!only->name)
		return true;
	if (!is_known_mark(r, only->name)) {
		for (size_t i = 0; i < r->m->nfeatures; i++)
			near_add(r, &near, r->m->features[i].name);
		for (size_t i = 0; i < r->spec->body.ntargets; i++)
			near_add(r, &near, r->spec->body.targets[i]->name.name);
		fail_unknown(r, DIAG_ONLY, only->place, "there is no feature, variant, target or class",
			     only->name, near);
		r->lacks = true;
		return false;
	}
	for (size_t i = 0; i < r->nchain; i++)
		if (strcmp(r->chain[i]->name.name, only->name) == 0)
			return true;
	return machine_feature(r->m, only->name) || machine_class(r->m, only->name) >= 0;
}

/* `drop TEXT` leaves out what begins with this text, a word at least, of the machine's own patterns. */
static bool begins_with(const char *text, const char *start)
{
	size_t n = strlen(start);

	return strncmp(text, start, n) == 0 && (text[n] == '\0' || text[n] == ' ' || start[n - 1] == ' ');
}

static bool is_dropped(const struct resolver *r, const struct spec_pattern *sp)
{
	for (size_t i = 0; i < r->napplied; i++)
		for (size_t k = 0; k < r->applied[i]->body.ndrops; k++)
			if (begins_with(sp->lines[0].text.text, r->applied[i]->body.drops[k].text))
				return true;
	return false;
}

static void check_drops(struct resolver *r)
{
	const struct spec_body *body = &r->spec->body;

	for (size_t i = 0; i < r->napplied; i++)
		for (size_t k = 0; k < r->applied[i]->body.ndrops; k++) {
			const struct text_at *drop = &r->applied[i]->body.drops[k];
			bool found = false;

			for (size_t j = 0; j < body->npatterns; j++)
				found = found || begins_with(body->patterns[j].lines[0].text.text, drop->text);
			if (!found)
				fail(r, DIAG_DROP, drop->place, "no pattern of the machine begins with this");
		}
}

static void add_family(struct resolver *r, const struct spec_pattern *sp, bool wanted)
{
	struct machine *m = r->m;
	size_t n = family_size(r, sp);

	if (n > FAMILY_MAX || m->npatterns + n > PATTERNS_MAX) {
		fail(r, DIAG_MANY, sp->place, "a line has at most %d alternatives, and a machine %d patterns", FAMILY_MAX,
		     PATTERNS_MAX);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		struct pattern p;

		if (!resolve_pattern(r, sp, i, &p)) {
			r->lacks |= wanted;
			return;
		}
		if (!wanted)
			continue;
		p.number = (int)m->npatterns;
		ARRAY_RESIZE(r->ctx, m->patterns, struct pattern, m->npatterns + 1);
		m->patterns[m->npatterns++] = p;
	}
}

void resolve_patterns(struct resolver *r)
{
	check_drops(r);
	for (size_t i = 0; i < r->nlayers; i++)
		for (size_t k = 0; k < r->layers[i]->npatterns; k++) {
			const struct spec_pattern *sp = &r->layers[i]->patterns[k];
			bool wanted = is_for_us(r, &sp->only);

			if (r->layers[i] == &r->spec->body && is_dropped(r, sp))
				wanted = false;
			add_family(r, sp, wanted);
		}
}
