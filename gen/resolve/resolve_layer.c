/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Layers: a target says something, else what it is made from, else a variant that is applied, else the
 * machine.  All that resolve looks up goes through here, so no other file knows about inheritance.
 */
#include "resolve_priv.h"

const struct spec_fact *find_fact(const struct resolver *r, enum fact_kind kind)
{
	for (size_t i = 0; i < r->nlayers; i++)
		for (size_t k = 0; k < r->layers[i]->nfacts; k++)
			if (r->layers[i]->facts[k].kind == kind)
				return &r->layers[i]->facts[k];
	return NULL;
}

void check_facts_once(struct resolver *r, const struct spec_body *body)
{
	for (size_t i = 0; i < body->nfacts; i++)
		for (size_t k = 0; k < i; k++)
			if (body->facts[i].kind == body->facts[k].kind) {
				fail(r, DIAG_TWICE, body->facts[i].place, "`%s` is given twice",
				     fact_names[body->facts[i].kind]);
				note(r, body->facts[k].place, "it is given here already");
				break;
			}
}

struct found {
	const void **v;
	size_t *layer;
	size_t n;
};

static void add_found(struct resolver *r, struct found *f, const void *thing, size_t layer)
{
	const struct name_at *name = thing;		/* the first member of all of them */

	for (size_t i = 0; i < f->n; i++) {
		const struct name_at *other = f->v[i];

		if (strcmp(name->name, other->name) != 0)
			continue;
		if (f->layer[i] == layer) {
			fail(r, DIAG_TWICE, name->place, "`%s` is given twice", name->name);
			note(r, other->place, "it is given here already");
		}
		f->v[i] = thing;
		f->layer[i] = layer;
		return;
	}
	ARRAY_RESIZE(r->ctx, f->v, const void *, f->n + 1);
	ARRAY_RESIZE(r->ctx, f->layer, size_t, f->n + 1);
	f->v[f->n] = thing;
	f->layer[f->n++] = layer;
}

const void **in_effect(struct resolver *r, size_t array, size_t count, size_t size, size_t *ret_n)
{
	struct found f = {0};

	for (size_t i = r->nlayers; i-- > 0; ) {
		const char *body = (const char *)r->layers[i];
		const char *first;
		size_t n;

		memcpy(&first, body + array, sizeof first);
		memcpy(&n, body + count, sizeof n);
		for (size_t k = 0; k < n; k++)
			add_found(r, &f, first + k * size, i);
	}
	*ret_n = f.n;
	return f.v;
}
