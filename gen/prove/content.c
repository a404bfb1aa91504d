/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Contents of registers that are no numbers: which bytes of the source (or of the fill byte) lie in which lanes. */
#include <talloc.h>

#include "engine.h"

bool form_same(const struct form *a, const struct form *b)
{
	if (a == b)
		return true;
	if (!a || !b || a->n != b->n || a->k != b->k || a->lost != b->lost)
		return false;
	for (int i = 0; i < a->n; i++)
		if (a->v[i] != b->v[i] || a->c[i] != b->c[i])
			return false;
	return true;
}

bool form_has(const struct form *f, int var)
{
	for (int i = 0; f && i < f->n; i++)
		if (f->v[i] == var)
			return true;
	return false;
}

const struct form *form_keep(struct engine *e, const struct form *f)
{
	struct form *kept;
	int64_t k;

	if (form_is_const(f, &k) && k >= 0 && k <= SMALL_MAX)
		return &e->small[k];
	kept = talloc(e->ctx, struct form);
	*kept = *f;
	return kept;
}

struct value value_number(struct form f)
{
	return (struct value){ .f = f };
}

struct value value_any(void)
{
	return (struct value){ .f = { .lost = true } };
}

struct value value_lanes(struct engine *e, enum held kind, int slope, struct form f, struct form lo,
			 struct form hi, bool rest)
{
	struct value v = { .c = { .kind = kind, .slope = (int8_t)slope, .rest = rest }, .f = f };

	if (lo.lost || hi.lost || (kind == HELD_SOURCE && f.lost))
		return value_any();
	if (kind != HELD_SOURCE)
		v.f.lost = true;
	v.c.lo = form_keep(e, &lo);
	v.c.hi = form_keep(e, &hi);
	return v;
}

bool value_is_zero(const struct astate *s, const struct value *v)
{
	return v->c.kind == HELD_NUMBER && !v->f.lost && dstate_is0(s->d, &v->f);
}

static bool has_lanes(const struct value *v)
{
	return v->c.kind == HELD_SOURCE || v->c.kind == HELD_FILL || v->c.kind == HELD_ONES;
}

/* a <= b? */
static bool at_most(const struct astate *s, const struct form *a, const struct form *b)
{
	struct form d = form_add(*b, *a, -1);

	return dstate_ge0(s->d, &d);
}

static bool is_same(const struct astate *s, const struct form *a, const struct form *b)
{
	struct form d = form_add(*a, *b, -1);

	return dstate_is0(s->d, &d);
}

struct value value_move(struct engine *e, struct astate *s, const struct value *x, struct form bytes,
			int sign, int size)
{
	struct form zero = form_const(0), full = form_const(size), lo, hi, f;

	if (value_is_zero(s, x))
		return *x;
	if (!has_lanes(x) && (x->c.kind != HELD_UNIT || sign < 0))
		return value_any();
	lo = form_add(*x->c.lo, bytes, sign);
	hi = form_add(*x->c.hi, bytes, sign);
	f = form_add(x->f, bytes, -x->c.slope * sign);
	if (at_most(s, &lo, &zero))
		lo = zero;
	else if (!at_most(s, &zero, &lo))
		return value_any();
	if (at_most(s, &full, &hi))
		hi = full;
	else if (!at_most(s, &hi, &full))
		return value_any();
	return value_lanes(e, x->c.kind, x->c.slope, f, lo, hi, x->c.rest);
}

struct value value_or(struct engine *e, struct astate *s, const struct value *a, const struct value *b)
{
	struct value v;

	if (value_is_zero(s, a))
		return *b;
	if (value_is_zero(s, b))
		return *a;
	if (value_or_other(e, s, a, b, &v) || value_or_other(e, s, b, a, &v))
		return v;
	if (!has_lanes(a) || a->c.kind != b->c.kind || a->c.slope != b->c.slope || a->c.rest || b->c.rest)
		return value_any();
	if (a->c.kind == HELD_SOURCE && !is_same(s, &a->f, &b->f))
		return value_any();
	if (!at_most(s, a->c.lo, a->c.hi) || !at_most(s, b->c.lo, b->c.hi))
		return value_any();
	if (is_same(s, a->c.hi, b->c.lo))
		return value_lanes(e, a->c.kind, a->c.slope, a->f, *a->c.lo, *b->c.hi, false);
	if (is_same(s, b->c.hi, a->c.lo))
		return value_lanes(e, a->c.kind, a->c.slope, a->f, *b->c.lo, *a->c.hi, false);
	return value_any();
}

struct value value_low_lanes(struct engine *e, struct astate *s, const struct value *x, int bytes)
{
	struct form zero = form_const(0), top = form_const(bytes);

	if (value_is_zero(s, x))
		return *x;
	if (!has_lanes(x))
		return value_any();
	if (!x->c.rest && (at_most(s, x->c.hi, x->c.lo) || at_most(s, &top, x->c.lo)))
		return value_number(zero);
	if (at_most(s, &top, x->c.hi))
		return value_lanes(e, x->c.kind, x->c.slope, x->f, *x->c.lo, top,
				   x->c.rest && !at_most(s, x->c.lo, &zero));
	if (at_most(s, x->c.hi, &top))
		return *x;
	return value_any();
}

static bool is_full(const struct value *v, int size)
{
	int64_t lo, hi;

	return has_lanes(v) && form_is_const(v->c.lo, &lo) && form_is_const(v->c.hi, &hi) && lo == 0 &&
	       hi == size;
}

/* Does what `hi` holds come right behind what `lo` does? */
static bool follow(const struct engine *e, const struct astate *s, const struct value *lo, const struct value *hi)
{
	struct form next = form_plus(lo->f, (int64_t)e->word * lo->c.slope);

	return hi->c.kind == lo->c.kind && hi->c.slope == lo->c.slope &&
	       (lo->c.kind != HELD_SOURCE || is_same(s, &hi->f, &next));
}

struct value value_funnel(struct engine *e, struct astate *s, const struct value *hi, const struct value *lo,
			  struct form bytes)
{
	struct form zero = form_const(0), full = form_const(e->word), seam = form_add(full, bytes, -1);
	bool low = is_full(lo, e->word), high = is_full(hi, e->word);
	struct form f = form_add(low ? lo->f : hi->f, low ? bytes : seam, low ? lo->c.slope : -hi->c.slope);

	if (value_is_zero(s, hi) && value_is_zero(s, lo))
		return *lo;
	if (low && high && follow(e, s, lo, hi))
		return value_lanes(e, lo->c.kind, lo->c.slope, f, zero, full, false);
	if (low && !high)
		return value_lanes(e, lo->c.kind, lo->c.slope, f, zero, seam, true);
	if (high && !low)
		return value_lanes(e, hi->c.kind, hi->c.slope, f, seam, full, true);
	return value_any();
}

bool value_is_byte(const struct astate *s, const struct value *v)
{
	struct form zero = form_const(0), one = form_const(1);

	return v->c.kind == HELD_FILL && !v->c.rest && is_same(s, v->c.lo, &zero) && is_same(s, v->c.hi, &one);
}

struct value value_fit(struct engine *e, struct astate *s, const struct value *v, int width)
{
	struct form full = form_const(width);
	struct value cut = *v;

	if (v->c.kind == HELD_ENTRY && e->m->regs[v->c.of].width > width)
		return value_any();
	if (width >= e->word && v->c.kind != HELD_SOURCE)
		return *v;
	switch (v->c.kind) {
	case HELD_NUMBER:
		return value_is_zero(s, v) ? *v : value_any();
	case HELD_SOURCE: case HELD_FILL: case HELD_ONES: case HELD_JUNK:
		if (at_most(s, v->c.hi, &full))
			return *v;
		if (width >= e->word || !at_most(s, &full, v->c.hi))
			return value_any();
		cut.c.hi = form_keep(e, &full);
		return cut;
	case HELD_ENTRY:
		return e->m->regs[v->c.of].width <= width ? *v : value_any();
	case HELD_MIX:
		if (cut.c.of > 8 * width)
			cut.c.of = (int16_t)(8 * width);
		return cut;
	default:
		return value_any();
	}
}

struct value value_rep(struct engine *e, struct astate *s, const struct value *x)
{
	struct form zero = form_const(0), one = form_const(1);

	if (value_is_zero(s, x))
		return *x;
	if (x->c.kind != HELD_FILL || !at_most(s, x->c.lo, &zero) || !at_most(s, &one, x->c.hi))
		return value_any();
	return value_lanes(e, HELD_FILL, 0, zero, zero, form_const(e->word), false);
}
