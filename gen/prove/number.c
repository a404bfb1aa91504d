/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers where their bits are looked at: windows, low bits, splittings. */
#include "engine.h"

static bool at_least(const struct astate *s, struct form f, int64_t k)
{
	f = form_plus(f, -k);
	return dstate_ge0(s->d, &f);
}

static bool at_most(const struct astate *s, struct form f, int64_t k)
{
	f = form_plus(form_scale(f, -1), k);
	return dstate_ge0(s->d, &f);
}

bool number_window(const struct engine *e, const struct astate *s, const struct form *x, struct form *ret)
{
	static const int shifts[] = { 0, 1, -1 };
	struct form whole = form_scale(form_var(VAR_HALF), 2);

	(void)e;
	if (x->lost)
		return false;
	for (int i = 0; i < 3; i++) {
		struct form y = form_add(*x, whole, shifts[i]);

		if (!at_least(s, y, 0) || !at_least(s, form_add(whole, y, -1), 1))
			continue;
		*ret = y;
		return true;
	}
	return false;
}

/* x is, as an unsigned word, at most `most`: that word, where there is but one that x can be. */
static bool number_small(const struct astate *s, const struct form *x, int64_t most, struct form *ret)
{
	static const int shifts[] = { 0, 1, -1 };
	struct form whole = form_scale(form_var(VAR_HALF), 2);

	for (int i = 0; i < 3; i++) {
		*ret = form_add(*x, whole, shifts[i]);
		if (at_least(s, form_add(*ret, whole, 1), most + 1) && at_least(s, form_add(whole, *ret, -1), 1))
			return true;
	}
	return false;
}

bool number_only_bits(struct astate *s, const struct form *x, uint64_t bits)
{
	int low = bits ? __builtin_ctzll(bits) : 0;
	struct form f, rest;

	if (low && !dstate_add_cong(s->d, x, low < 8 ? low : 8, 0))
		return false;
	if (bits >= INT64_MAX || !number_small(s, x, (int64_t)bits, &f))
		return true;
	rest = form_plus(form_scale(f, -1), (int64_t)bits);
	return dstate_add_ge(s->d, &f) && dstate_add_ge(s->d, &rest);
}

bool number_signed_window(const struct engine *e, const struct astate *s, const struct form *x)
{
	struct form half = form_var(VAR_HALF);

	(void)e;
	return !x->lost && at_least(s, form_add(*x, half, 1), 0) && at_least(s, form_add(half, *x, -1), 1);
}

/* All bits of the family's number: 2^k Q + sum 2^i B_i, or only the lowest k of them. */
static struct form bits_form(const struct engine *e, int k, bool whole)
{
	struct form f = form_const(0);

	for (int i = 0; i < k; i++)
		f = form_add(f, form_var(e->vars.bit[i]), (int64_t)1 << i);
	return whole ? form_add(f, form_var(e->vars.bits_quotient), (int64_t)1 << k) : f;
}

static bool bits_are_of(const struct engine *e, const struct astate *s, struct form x)
{
	struct form d = form_add(x, bits_form(e, e->vars.nbits, true), -1);

	return s->bits && dstate_eq0(s->d, &d);
}

/* What is left to copy, when it is below 2^k and has the low k bits of x. */
static bool left_has_bits(const struct astate *s, struct form x, int k, struct form *ret)
{
	struct form left = form_add(form_var(VAR_N), form_var(VAR_W), -1), d = form_add(left, x, -1);
	unsigned residue;

	if (k > 8 || dstate_cong(s->d, &d, &residue) < k || residue & ((1u << k) - 1))
		return false;
	*ret = left;
	return at_least(s, left, 0) && at_most(s, left, ((int64_t)1 << k) - 1);
}

/* x lies between two multiples of 2^k. */
static bool low_by_bounds(const struct astate *s, struct form x, int k, struct form *ret)
{
	int64_t least;

	if (!dstate_min(s->d, &x, &least))
		return false;
	least &= -((int64_t)1 << k);
	*ret = form_plus(x, -least);
	return at_most(s, x, least + ((int64_t)1 << k) - 1);
}

/* x has the low bits of a rest that is known already, or those moved by a constant. */
static bool low_by_rest(struct engine *e, const struct astate *s, struct form x, int k, struct form *ret)
{
	int64_t size = (int64_t)1 << k;

	for (int i = 0; k <= 8 && i < FAMILIES; i++) {
		struct form r = form_var(e->vars.rest[i]), d = form_add(x, r, -1);
		unsigned by;

		if (s->family[i] != k || dstate_cong(s->d, &d, &by) < k)
			continue;
		by &= (1u << k) - 1;
		for (int64_t back = 0; back <= size; back += size) {
			*ret = form_plus(r, by - back);
			if (!at_least(s, *ret, 0) || !at_most(s, *ret, size - 1))
				continue;
			e->busy |= (uint8_t)(1u << i);
			return true;
		}
	}
	return false;
}

struct form number_low(struct engine *e, struct astate *s, struct form x, int k)
{
	struct form low, q;
	unsigned residue;

	if (x.lost || k > 40)
		return (struct form){ .lost = true };
	if (k <= 8 && dstate_cong(s->d, &x, &residue) >= k)
		return form_const(residue & ((1u << k) - 1));
	if (left_has_bits(s, x, k, &low) || low_by_bounds(s, x, k, &low))
		return low;
	if (e->vars.nbits >= k && bits_are_of(e, s, x)) {
		e->busy |= 128;
		return bits_form(e, k, false);
	}
	if (low_by_rest(e, s, x, k, &low))
		return low;
	if (!number_split(e, s, x, k, &q, &low))
		return (struct form){ .lost = true };
	return low;
}

static bool is_needed(const struct engine *e, const struct astate *s, int family)
{
	for (int v = e->vars.base; v <= e->vars.count; v++) {
		struct form f = form_var(v), r;

		if (!regset_has(e->live, e->vars.reg_of[v]) || s->held[v - e->vars.base].kind == HELD_FILL)
			continue;
		if (dstate_reduce(s->d, &f, &r) &&
		    (form_has(&r, e->vars.quotient[family]) || form_has(&r, e->vars.rest[family])))
			return true;
	}
	return false;
}

/* A family to use: one that is free, or that nothing living is said with, or any that this line hasn't made. */
static int choose_family(const struct engine *e, const struct astate *s)
{
	for (int i = 0; i < FAMILIES; i++)
		if (!s->family[i] && !(e->busy >> i & 1))
			return i;
	for (int i = 0; i < FAMILIES; i++)
		if (!(e->busy >> i & 1) && !is_needed(e, s, i))
			return i;
	for (int i = 0; i < FAMILIES; i++)
		if (!(e->busy >> i & 1))
			return i;
	return -1;
}

bool number_split(struct engine *e, struct astate *s, struct form x, int k, struct form *ret_q,
		  struct form *ret_r)
{
	struct form whole, d;
	bool positive;
	int i;

	if (x.lost || k > 40)
		return false;
	for (i = 0; i < FAMILIES; i++) {
		*ret_q = form_var(e->vars.quotient[i]);
		*ret_r = form_var(e->vars.rest[i]);
		whole = form_add(*ret_r, *ret_q, (int64_t)1 << k);
		d = form_add(x, whole, -1);
		if (s->family[i] == k && dstate_eq0(s->d, &d)) {
			e->busy |= (uint8_t)(1u << i);
			return true;
		}
	}
	i = choose_family(e, s);
	if (i < 0)
		return false;
	positive = dstate_ge0(s->d, &x);
	state_forget(e, s, e->vars.quotient[i]);
	state_forget(e, s, e->vars.rest[i]);
	*ret_q = form_var(e->vars.quotient[i]);
	*ret_r = form_var(e->vars.rest[i]);
	whole = form_add(*ret_r, *ret_q, (int64_t)1 << k);
	d = form_add(x, whole, -1);
	dstate_add_eq(s->d, &d);
	dstate_add_ge(s->d, ret_r);
	d = form_plus(form_scale(*ret_r, -1), ((int64_t)1 << k) - 1);
	dstate_add_ge(s->d, &d);
	if (positive)
		dstate_add_ge(s->d, ret_q);
	s->family[i] = (uint8_t)k;
	e->busy |= (uint8_t)(1u << i);
	return true;
}

static void add_ge(struct astate *s, struct form f)
{
	dstate_add_ge(s->d, &f);
}

static void add_eq(struct astate *s, struct form f)
{
	dstate_add_eq(s->d, &f);
}

/* Bits that the number's residue says, and those its bounds leave no room for. */
static void bound_bits(struct engine *e, struct astate *s, int known, unsigned residue)
{
	for (int i = 0; i < e->vars.nbits; i++) {
		struct form b = form_var(e->vars.bit[i]);

		if (i < known) {
			add_eq(s, form_plus(b, -(int64_t)(residue >> i & 1)));
			continue;
		}
		add_ge(s, b);
		add_ge(s, form_plus(form_scale(b, -1), 1));
	}
	for (int i = known; i < e->vars.nbits; i++) {
		struct form b = form_var(e->vars.bit[i]);

		if (at_most(s, b, 0))
			add_eq(s, b);
	}
}

/* Makes the bits those of x. */
static void split_bits(struct engine *e, struct astate *s, struct form x)
{
	struct form q = form_var(e->vars.bits_quotient), minus = form_scale(x, -1), left;
	int k = e->vars.nbits, known;
	int64_t least, least_minus;
	bool has_least = dstate_min(s->d, &x, &least), has_most = dstate_min(s->d, &minus, &least_minus);
	unsigned residue = 0;

	known = dstate_cong(s->d, &x, &residue);
	state_forget(e, s, e->vars.bits_quotient);
	for (int i = 0; i < k; i++)
		state_forget(e, s, e->vars.bit[i]);
	add_eq(s, form_add(x, bits_form(e, k, true), -1));
	if (has_least)
		add_ge(s, form_plus(q, -(least >> k)));
	if (has_most)
		add_ge(s, form_plus(form_scale(q, -1), -least_minus >> k));
	bound_bits(e, s, known, residue);
	if (left_has_bits(s, x, k, &left))
		add_eq(s, form_add(left, bits_form(e, k, false), -1));
	s->bits = true;
}

struct form number_bits(struct engine *e, struct astate *s, struct form x, uint64_t mask)
{
	struct form f = form_const(0);

	if (x.lost || mask >> e->vars.nbits)
		return (struct form){ .lost = true };
	if (!bits_are_of(e, s, x)) {
		if (e->busy & 128)
			return (struct form){ .lost = true };
		split_bits(e, s, x);
	}
	e->busy |= 128;
	for (int i = 0; i < e->vars.nbits; i++)
		if (mask >> i & 1)
			f = form_add(f, form_var(e->vars.bit[i]), (int64_t)1 << i);
	return f;
}

static bool divide(const struct form *f, struct form *ret)
{
	struct form r = form_const(f->k / 8);

	if (f->lost || f->k % 8)
		return false;
	for (int i = 0; i < f->n; i++) {
		if (f->c[i] % 8)
			return false;
		r = form_add(r, form_var(f->v[i]), f->c[i] / 8);
	}
	*ret = r;
	return true;
}

void number_keep_split(struct engine *e, const struct form *f)
{
	for (int i = 0; f && i < f->n; i++) {
		int v = f->v[i];

		for (int k = 0; k < FAMILIES; k++)
			if (v == e->vars.quotient[k] || v == e->vars.rest[k])
				e->busy |= (uint8_t)(1u << k);
		for (int k = 0; k < e->vars.nbits; k++)
			if (v == e->vars.bits_quotient || v == e->vars.bit[k])
				e->busy |= 128;
	}
}

bool number_bytes(struct engine *e, const struct astate *s, const struct form *bits, struct form *ret)
{
	struct form r;

	if (divide(bits, ret))
		return true;
	if (bits->lost || !dstate_reduce(s->d, bits, &r) || !divide(&r, ret))
		return false;
	number_keep_split(e, ret);
	return true;
}
