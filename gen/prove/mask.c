/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Masks of whole bytes whose place is a number, and words of the destination that are patched with them. */
#include <talloc.h>

#include "engine.h"

static bool at_most(const struct astate *s, const struct form *a, const struct form *b)
{
	struct form d = form_add(*b, *a, -1);

	return dstate_ge0(s->d, &d);
}

static bool same(const struct astate *s, const struct form *a, const struct form *b)
{
	struct form d = form_add(*a, *b, -1);

	return dstate_is0(s->d, &d);
}

static struct value lanes(struct engine *e, enum held kind, const struct form *lo, const struct form *hi)
{
	return value_lanes(e, kind, 0, form_const(0), *lo, *hi, false);
}

static struct value zero(void)
{
	return value_number(form_const(0));
}

/* A number whose bytes are all 0 or 255, those together; or 1. */
bool value_as_ones(struct engine *e, const struct value *x, struct value *ret)
{
	int64_t k;
	uint64_t v;
	int lo = 0, hi;

	if (x->c.kind != HELD_NUMBER || !form_is_const(&x->f, &k) || k == 0)
		return false;
	v = (uint64_t)k;
	if (v == 1) {
		*ret = lanes(e, HELD_UNIT, &e->small[0], &e->small[0]);
		return true;
	}
	while ((v >> (8 * lo) & 255) == 0)
		lo++;
	for (hi = lo; hi < e->word && (v >> (8 * hi) & 255) == 255;)
		hi++;
	if (lo >= e->word || (hi < e->word && v >> (8 * hi)))
		return false;
	*ret = lanes(e, HELD_ONES, &e->small[lo], &e->small[hi]);
	return true;
}

struct value value_not(struct engine *e, const struct value *x)
{
	if (x->c.kind == HELD_ONES)
		return lanes(e, HELD_HOLE, x->c.lo, x->c.hi);
	return x->c.kind == HELD_HOLE ? lanes(e, HELD_ONES, x->c.lo, x->c.hi) : value_any();
}

/* The later of two beginnings (sign 1), or the earlier of two ends (-1); NULL: it isn't known which that is. */
static const struct form *inner(const struct astate *s, const struct form *a, const struct form *b, int sign)
{
	if (at_most(s, a, b))
		return sign > 0 ? b : a;
	return at_most(s, b, a) ? (sign > 0 ? a : b) : NULL;
}

/* The lanes of x that a mask lets through. */
static struct value through(struct engine *e, struct astate *s, const struct value *x,
			    const struct value *mask)
{
	const struct form *lo, *hi;
	bool rest;

	if (value_is_zero(s, x))
		return zero();
	if (x->c.kind != HELD_SOURCE && x->c.kind != HELD_FILL)
		return x->c.kind == HELD_NUMBER || x->c.kind == HELD_JUNK ?
		       lanes(e, HELD_JUNK, mask->c.lo, mask->c.hi) : value_any();
	lo = inner(s, x->c.lo, mask->c.lo, 1);
	hi = inner(s, x->c.hi, mask->c.hi, -1);
	if (!lo || !hi)
		return lanes(e, HELD_JUNK, mask->c.lo, mask->c.hi);
	if (at_most(s, hi, lo))
		return x->c.rest ? lanes(e, HELD_JUNK, mask->c.lo, mask->c.hi) : zero();
	rest = x->c.rest && !(at_most(s, x->c.lo, mask->c.lo) && at_most(s, mask->c.hi, x->c.hi));
	return value_lanes(e, x->c.kind, x->c.slope, x->f, *lo, *hi, rest);
}

/* A word of the destination with lanes cleared. */
static struct value punched(const struct value *x, const struct value *hole)
{
	struct value v = *x;

	if (x->c.kind != HELD_DEST || !form_same(x->c.lo, x->c.hi))
		return value_any();
	v.c.of = HELD_NUMBER;		/* lanes of anything else were none */
	v.c.slope = 0;
	v.c.lo = hole->c.lo;
	v.c.hi = hole->c.hi;
	return v;
}

struct value value_and(struct engine *e, struct astate *s, const struct value *a, const struct value *b)
{
	if (b->c.kind == HELD_ONES)
		return through(e, s, a, b);
	if (a->c.kind == HELD_ONES)
		return through(e, s, b, a);
	if (b->c.kind == HELD_HOLE)
		return punched(a, b);
	return a->c.kind == HELD_HOLE ? punched(b, a) : value_any();
}

/* Bytes put into the cleared lanes of a word of the destination. */
static bool patch(const struct astate *s, const struct value *word, const struct value *bytes,
		  struct value *ret)
{
	if (word->c.kind != HELD_DEST || word->c.of != HELD_NUMBER || bytes->c.rest)
		return false;
	if (bytes->c.kind != HELD_SOURCE && bytes->c.kind != HELD_FILL)
		return false;
	if (!same(s, word->c.lo, bytes->c.lo) || !same(s, word->c.hi, bytes->c.hi))
		return false;
	*ret = *word;
	ret->c.of = (int16_t)bytes->c.kind;
	ret->c.slope = bytes->c.slope;
	ret->f = bytes->f;
	return true;
}

bool value_or_other(struct engine *e, struct astate *s, const struct value *a, const struct value *b,
		    struct value *ret)
{
	if (patch(s, a, b, ret))
		return true;
	if (b->c.kind != HELD_JUNK || (a->c.kind != HELD_SOURCE && a->c.kind != HELD_FILL))
		return false;
	if (!at_most(s, a->c.hi, b->c.lo) && !at_most(s, b->c.hi, a->c.lo))
		return false;
	*ret = value_lanes(e, a->c.kind, a->c.slope, a->f, *a->c.lo, *a->c.hi, true);
	return true;
}

struct value value_dest(struct engine *e, struct form at)
{
	struct value v = value_any();

	if (at.lost)
		return v;
	v.c = (struct holding){
		.kind = HELD_DEST, .of = HELD_NUMBER,
		.lo = &e->small[0], .hi = &e->small[0], .word = form_keep(e, &at),
	};
	return v;
}

void state_forget_dest(struct engine *e, struct astate *s)
{
	for (int v = e->vars.base; v <= e->vars.count; v++)
		if (s->held[v - e->vars.base].kind == HELD_DEST)
			state_forget_reg(e, s, e->vars.reg_of[v]);
}
