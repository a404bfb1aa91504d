/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Statements that hold bodies: alternatives, two at once, frames. */
#include "expand.h"

#include <string.h>

#include "array.h"
#include "schedule.h"

#define FAILURE_COST 20			/* of an alternative, in what `spend` counts */

/* What must be as it was when an alternative fails. */
struct mark {
	struct scope *scope;
	struct regset there;
	size_t ninsns, nlabels, nresumes, nmerges;
	int resume, nsavings, saving, depth;
	bool aligns, opens, closes, wanted;
};

static struct mark mark(const struct expansion *x)
{
	const struct lowering *l = &x->l;

	return (struct mark){
		.scope = x->l.scope, .there = l->alloc.there, .ninsns = l->p->ninsns, .nlabels = l->p->nlabels,
		.nresumes = l->p->nresumes, .nmerges = x->nmerges, .resume = l->resume, .nsavings = l->nsavings,
		.saving = l->saving, .depth = x->depth, .aligns = l->align, .opens = l->opens, .closes = l->closes,
		.wanted = l->saving >= 0 && l->savings[l->saving].wanted,
	};
}

static void back_to(struct expansion *x, const struct mark *k)
{
	struct lowering *l = &x->l;

	x->l.scope = k->scope;
	x->nmerges = k->nmerges;
	x->depth = k->depth;
	l->alloc.there = k->there;
	l->p->ninsns = k->ninsns;
	l->p->nlabels = k->nlabels;
	l->p->nresumes = k->nresumes;
	l->resume = k->resume;
	l->nsavings = k->nsavings;
	l->saving = k->saving;
	l->align = k->aligns;
	l->opens = k->opens;
	l->closes = k->closes;
	l->pending.n = 0;
	if (l->saving >= 0)
		l->savings[l->saving].wanted = k->wanted;
}

static bool alternative(struct expansion *x, const struct body *b)
{
	struct mark before = mark(x);

	scope_enter(x, true);
	if (!expand_body(x, b) || !flush(x)) {
		/* every line of the spec was looked at once more, for the words that say why */
		if (!x->broken && spend(x, x->l.mx.shapes->n / 2 + FAILURE_COST, b->n ? b->v[0]->place : (struct place){ 0 }))
			back_to(x, &before);
		return false;
	}
	scope_leave(x);
	x->l.alloc.there = before.there;
	x->l.failure.known = false;
	return true;
}

/* What kept each body from being lowered, first one first. */
struct reasons {
	struct failure v[8];
	size_t n;
};

static void remember(struct reasons *r, const struct failure *f)
{
	if (r->n < 8)
		r->v[r->n++] = *f;
}

static bool none_fits(struct expansion *x, const struct stmt *s, const struct reasons *r)
{
	template_error(x, DIAG_NO_WAY, s->place, "none of these can be lowered");
	for (size_t k = 0; k < r->n; k++)
		note_failure(&x->l, &r->v[k]);
	return false;
}

bool expand_try(struct expansion *x, const struct stmt *s)
{
	const struct stmt *first = s;
	struct reasons reasons = { .n = 0 };

	if (!flush(x))
		return false;
	for (;;) {
		if (alternative(x, &s->body))
			return true;
		if (x->broken)
			return false;
		remember(&reasons, &x->l.failure);
		if (!s->has_other)
			return none_fits(x, first, &reasons);
		if (s->other.n != 1 || s->other.v[0]->kind != STMT_TRY)
			break;
		s = s->other.v[0];
	}
	if (alternative(x, &s->other))
		return true;
	if (x->broken)
		return false;
	remember(&reasons, &x->l.failure);
	return none_fits(x, first, &reasons);
}

bool expand_weave(struct expansion *x, const struct stmt *s)
{
	struct program *p = x->l.p;
	size_t from, middle;
	bool ok;

	if (!flush(x))
		return false;
	from = p->ninsns;
	scope_enter(x, false);
	ok = expand_body(x, &s->body) && flush(x);
	middle = p->ninsns;
	ok = ok && expand_body(x, &s->other) && flush(x);
	if (!ok)
		return false;
	scope_leave(x);
	schedule_weave(x->l.ctx, p, from, middle);
	return true;
}

static bool framed_body(struct expansion *x, const struct stmt *s)
{
	struct lowering *l = &x->l;
	bool ok;

	if (!flush(x))
		return false;
	ARRAY_RESIZE(l->ctx, l->savings, struct saving, l->nsavings + 1);
	l->savings[l->nsavings] = (struct saving){ .wanted = false };
	lower_frame(l, l->nsavings, true, s->place);
	l->saving = l->nsavings++;
	alloc_saved(&l->alloc);
	ok = expand_body(x, &s->body) && flush(x);
	if (!ok)
		return false;
	lower_frame(l, l->saving, false, s->place);
	l->saving = -1;
	return true;
}

bool expand_saving(struct expansion *x, const struct stmt *s)
{
	struct regset there = x->l.alloc.there;
	bool ok;

	scope_enter(x, false);
	if (x->l.saving >= 0)			/* a frame inside a frame is the same frame */
		ok = expand_body(x, &s->body);
	else
		ok = framed_body(x, s);
	if (!ok)
		return false;
	x->l.alloc.there = there;
	scope_leave(x);
	return true;
}

bool expand_states(struct expansion *x, const struct stmt *s)
{
	bool ok = flush(x);

	x->l.opens = true;
	scope_enter(x, false);
	ok = ok && expand_body(x, &s->body) && flush(x);
	if (!ok)
		return false;
	scope_leave(x);
	x->l.closes = true;
	return true;
}
