/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Facts that are one number or word each, ranges, relations, states, features and tunes. */
#include "names.h"
#include "resolve_priv.h"

#include <inttypes.h>

#define RANGES_MAX 64			/* under one name */
#define FEATURES_MAX 64			/* of a machine, variants among them: a run has them as bits of a word */
#define STATES_MAX 8			/* of a machine: what the proof follows */
#define STATE_VALUES_MAX 64		/* of one; the proof has them as small numbers */

static const enum fact_kind required[] = {
	FACT_WIDTH, FACT_ORDER, FACT_ACCESS, FACT_GRANULARITY, FACT_ARGS, FACT_RESULT, FACT_FREE,
};

static void check_required(struct resolver *r)
{
	for (size_t i = 0; i < sizeof required / sizeof required[0]; i++)
		if (!find_fact(r, required[i]))
			fail(r, DIAG_FACT, r->spec->name.place, "machine `%s` does not say its `%s`",
			     r->spec->name.name, fact_names[required[i]]);
}

/* The number of a fact, which must be one of a few; else `otherwise`. */
static int fact_number(struct resolver *r, enum fact_kind kind, int otherwise, uint64_t least, uint64_t most,
		       bool power)
{
	const struct spec_fact *f = find_fact(r, kind);

	if (!f)
		return otherwise;
	if (f->number >= least && f->number <= most && (!power || (f->number & (f->number - 1)) == 0))
		return (int)f->number;
	fail(r, DIAG_VALUE, f->place, "the number of `%s` must be %sfrom %llu to %llu", fact_names[kind],
	     power ? "a power of two " : "", (unsigned long long)least, (unsigned long long)most);
	return otherwise;
}

static int fact_value(const struct resolver *r, enum fact_kind kind, int otherwise)
{
	const struct spec_fact *f = find_fact(r, kind);

	return f ? f->value : otherwise;
}

static struct place fact_place(const struct resolver *r, enum fact_kind kind)
{
	const struct spec_fact *f = find_fact(r, kind);

	return f ? f->place : r->spec->name.place;
}

static void resolve_delay(struct resolver *r)
{
	const struct spec_fact *f = find_fact(r, FACT_DELAY);

	if (!f)
		return;
	if (f->number != 1)
		fail(r, DIAG_UNSUPPORTED, f->place, "more or less than one delay slot is not supported yet");
	r->m->delay = 1;
	r->m->fill = plain_text(r, &f->texts.v[0]);
	if (!r->m->fill[strspn(r->m->fill, " \t")])
		fail(r, DIAG_TEXT, f->place, "nothing would stand in the slot");
	if (f->texts.n > 1)
		r->m->annul = plain_text(r, &f->texts.v[1]);
	r->m->slot_fault = (enum slot_fault)f->value;
}

static void resolve_ranges(struct resolver *r)
{
	size_t n;
	const struct spec_range **v = IN_EFFECT(r, ranges, spec_range, &n);

	r->m->ranges = ARRAY_NEW(r->ctx, struct ranges, n);
	r->m->nranges = n;
	for (size_t i = 0; i < n; i++) {
		if (v[i]->ranges.n > RANGES_MAX)
			fail(r, DIAG_MANY, v[i]->place, "a range has at most %d parts", RANGES_MAX);
		r->m->ranges[i] = v[i]->ranges;
		r->m->ranges[i].name = v[i]->name.name;
	}
}

static void resolve_relations(struct resolver *r)
{
	size_t n;
	const struct spec_relation **v = IN_EFFECT(r, relations, spec_relation, &n);

	r->m->relations = ARRAY_NEW(r->ctx, struct relations, n);
	r->m->nrelations = n;
	for (size_t i = 0; i < n; i++) {
		r->m->relations[i].name = v[i]->name.name;
		for (int k = 0; k < REL_COUNT; k++)
			if (v[i]->text[k].text)
				r->m->relations[i].text[k] = plain_text(r, &v[i]->text[k]);
	}
}

static void fill_state(struct resolver *r, const struct spec_state *spec, struct state *s)
{
	const struct name_list *names = &spec->values;

	*s = (struct state){spec->name.name, ARRAY_NEW(r->ctx, const char *, names->n), names->n};
	if (names->n < 2)
		fail(r, DIAG_VALUE, spec->place, "a state has at least two values");
	if (names->n > STATE_VALUES_MAX)
		fail(r, DIAG_MANY, spec->place, "a state has at most %d values", STATE_VALUES_MAX);
	for (size_t k = 0; k < names->n; k++) {
		s->values[k] = names->v[k].name;
		for (size_t j = 0; j < k; j++)
			if (strcmp(s->values[j], s->values[k]) == 0)
				fail(r, DIAG_TWICE, names->v[k].place, "`%s` is given twice", s->values[k]);
	}
}

static void resolve_states(struct resolver *r)
{
	size_t n;
	const struct spec_state **v = IN_EFFECT(r, states, spec_state, &n);

	if (n > STATES_MAX)
		fail(r, DIAG_MANY, v[STATES_MAX]->place, "a machine has at most %d states", STATES_MAX);
	r->m->states = ARRAY_NEW(r->ctx, struct state, n);
	r->m->nstates = n;
	for (size_t i = 0; i < n; i++)
		fill_state(r, v[i], &r->m->states[i]);
}

static bool declares(const struct spec_body *body, const char *name)
{
	for (size_t i = 0; i < body->nfeatures; i++)
		if (strcmp(body->features[i].name.name, name) == 0)
			return true;
	return false;
}

static bool is_declared(const struct resolver *r, const char *name)
{
	const struct spec_body *body = &r->spec->body;

	for (size_t i = 0; i < body->nvariants; i++)
		if (strcmp(body->variants[i]->name.name, name) == 0)
			return true;
	for (size_t i = 0; i < r->napplied; i++)
		if (declares(&r->applied[i]->body, name))
			return true;
	return declares(body, name);
}

static void check_declared(struct resolver *r, const struct spec_feature *f)
{
	struct near near = {0};

	if (is_declared(r, f->name.name))
		return;
	for (size_t i = 0; i < r->spec->body.nfeatures; i++)
		near_add(r, &near, r->spec->body.features[i].name.name);
	for (size_t i = 0; i < r->spec->body.nvariants; i++)
		near_add(r, &near, r->spec->body.variants[i]->name.name);
	fail_unknown(r, DIAG_FEATURE, f->name.place, "there is no feature or variant", f->name.name, near);
}

static void add_feature(struct resolver *r, const char *name, unsigned value)
{
	struct machine *m = r->m;

	for (size_t i = 0; i < m->nfeatures; i++)
		if (strcmp(m->features[i].name, name) == 0) {
			m->features[i].value = value;
			return;
		}
	ARRAY_RESIZE(r->ctx, m->features, struct feature, m->nfeatures + 1);
	m->features[m->nfeatures].name = name;
	m->features[m->nfeatures++].value = value;
}

/* Declared ones and variants are features; a target sets them, and a variant that is applied is one that it
 * has. */
static void resolve_features(struct resolver *r)
{
	size_t n;
	const struct spec_feature **v;

	for (size_t i = 0; i < r->spec->body.nvariants; i++)
		add_feature(r, r->spec->body.variants[i]->name.name, FEATURE_NO);
	v = IN_EFFECT(r, features, spec_feature, &n);
	for (size_t i = 0; i < n; i++) {
		check_declared(r, v[i]);
		add_feature(r, v[i]->name.name, (unsigned)v[i]->value);
	}
	for (size_t i = 0; i < r->napplied; i++)
		add_feature(r, r->applied[i]->name.name, FEATURE_YES);
	if (r->m->nfeatures > FEATURES_MAX)
		fail(r, DIAG_MANY, r->spec->name.place, "a machine has at most %d features and variants", FEATURES_MAX);
}

static void add_tune(struct resolver *r, const char *name, uint64_t value)
{
	struct machine *m = r->m;

	ARRAY_RESIZE(r->ctx, m->tunes, struct tune, m->ntunes + 1);
	m->tunes[m->ntunes++] = (struct tune){.name = name, .value = value};
}

/* What is measured is the same number in a spec as in a profile. */
static void check_tune(struct resolver *r, const struct spec_tune *t)
{
	const struct templates *all = &r->tree->templates;

	for (size_t i = 0; i < all->ntunes; i++)
		if (strcmp(all->tunes[i].name, t->name.name) == 0 && !tune_fits(&all->tunes[i], t->value))
			fail(r, DIAG_VALUE, t->place, "`%s` must be 0 to %" PRIu64 ", not %" PRIu64, t->name.name, TUNE_NEVER,
			     t->value);
}

static void set_tune(struct resolver *r, const struct spec_tune *t)
{
	struct near near = {0};

	for (size_t i = 0; i < r->m->ntunes; i++) {
		if (strcmp(r->m->tunes[i].name, t->name.name) == 0) {
			check_tune(r, t);
			r->m->tunes[i].value = t->value;
			return;
		}
		near_add(r, &near, r->m->tunes[i].name);
	}
	fail_unknown(r, DIAG_TUNE, t->name.place, "no template declares a tune", t->name.name, near);
}

/* All that are declared, with what the spec sets in place of their defaults. */
static void resolve_tunes(struct resolver *r)
{
	const struct templates *t = &r->tree->templates;
	size_t n;
	const struct spec_tune **v = IN_EFFECT(r, tunes, spec_tune, &n);

	for (size_t i = 0; own_tunes[i]; i++)
		add_tune(r, own_tunes[i], 0);
	for (size_t i = 0; i < t->ntunes; i++)
		add_tune(r, t->tunes[i].name, t->tunes[i].value);
	for (size_t i = 0; i < n; i++)
		set_tune(r, v[i]);
}

void resolve_facts(struct resolver *r)
{
	struct machine *m = r->m;
	const struct spec_fact *width = find_fact(r, FACT_WIDTH), *block = find_fact(r, FACT_BLOCK);

	check_required(r);
	m->width = width && width->number == 4 ? 4 : 8;
	if (width && width->number != 4 && width->number != 8)
		fail(r, DIAG_VALUE, width->place, "`%s` must be 4 or 8", fact_names[FACT_WIDTH]);
	m->block_registers = fact_number(r, FACT_BLOCK, 1, 1, 16, false);
	for (size_t i = 0; block && i < 2; i++)
		m->block_words[i] = block->texts.v[i].text;
	m->order = (enum byte_order)fact_value(r, FACT_ORDER, LITTLE);
	m->access = (enum alignment_rule)fact_value(r, FACT_ACCESS, ACCESS_ALIGNED);
	m->update = (enum pointer_update)fact_value(r, FACT_UPDATE, UPDATE_BLOCK);
	m->fixup = (enum fixup_form)fact_value(r, FACT_FIXUP, FIXUP_RETRY);
	m->update_place = fact_place(r, FACT_UPDATE);
	m->fixup_place = fact_place(r, FACT_FIXUP);
	m->granularity = fact_number(r, FACT_GRANULARITY, 0, 0, 64, true);
	m->granule = fact_number(r, FACT_GRANULE, 4096, 16, 1 << 24, true);
	resolve_delay(r);
	resolve_ranges(r);
	resolve_relations(r);
	resolve_states(r);
	resolve_features(r);
	resolve_tunes(r);
}
