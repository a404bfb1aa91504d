/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Expressions on abstract values. */
#include "engine.h"

static uint64_t ones(int bits)
{
	return bits >= 64 ? UINT64_MAX : ((uint64_t)1 << bits) - 1;
}

/* k of 2^k, or -1. */
static int power(uint64_t v)
{
	return v && !(v & (v - 1)) ? __builtin_ctzll(v) : -1;
}

/* The value when it is written as a number: as an unsigned one. */
static bool literal(const struct engine *e, const struct value *v, uint64_t *ret)
{
	int64_t k;

	if (v->c.kind != HELD_NUMBER || !form_is_const(&v->f, &k))
		return false;
	*ret = (uint64_t)k & ones(e->bits);
	return true;
}

/* The same, also where a register holds it. */
static bool constant(const struct engine *e, const struct astate *s, const struct value *v, uint64_t *ret)
{
	struct value w = *v;

	return literal(e, v, ret) || (v->c.kind == HELD_NUMBER && !v->f.lost && v->f.n <= 2 &&
				      dstate_reduce(s->d, &v->f, &w.f) && literal(e, &w, ret));
}

static struct value from_constant(const struct engine *e, uint64_t v)
{
	return value_number(form_const((int64_t)const_wrap(v, e->bits)));
}

static bool is_number(const struct value *v)
{
	return v->c.kind == HELD_NUMBER && !v->f.lost;
}

static bool is_lanes(const struct value *v)
{
	return v->c.kind == HELD_SOURCE || v->c.kind == HELD_FILL;
}

static struct value of_register(struct engine *e, struct astate *s, int reg)
{
	struct value v;

	if (reg == e->m->zero)
		return value_number(form_const(0));
	if (!e->vars.of_reg[reg])
		return value_any();
	v.c = *state_held(e, s, reg);
	number_keep_split(e, v.c.lo);
	number_keep_split(e, v.c.hi);
	number_keep_split(e, v.c.word);
	v.f = form_var(e->vars.of_reg[reg]);
	/* A number is known to be a wide register's whole contents only where it is 0. */
	if (v.c.kind == HELD_NUMBER && e->m->regs[reg].width > e->word && !value_is_zero(s, &v))
		return value_any();
	return v;
}

static bool in_range(const struct astate *s, struct form f, int64_t lo, int64_t hi)
{
	struct form above = form_plus(f, -lo), below = form_plus(form_scale(f, -1), hi);

	return dstate_ge0(s->d, &above) && dstate_ge0(s->d, &below);
}

static struct value masked_number(struct engine *e, struct astate *s, struct form x, uint64_t mask)
{
	uint64_t high = ~mask & ones(e->bits);
	int k = power(mask + 1);
	struct form low;

	if (mask >> 1 && high == 0)
		return value_number(x);
	if (k >= 0 && !(k == 1 && e->vars.nbits > 1))
		return k <= 40 ? value_number(number_low(e, s, x, k)) :
		       in_range(s, x, 0, (int64_t)mask) ? value_number(x) : value_any();
	if (high && power(high + 1) >= 0) {
		low = number_low(e, s, x, power(high + 1));
		return value_number(form_add(x, low, -1));
	}
	return value_number(number_bits(e, s, x, mask));
}

/* (y >> b) & 1, seen as a whole: one bit of y. */
static bool one_bit(struct engine *e, struct astate *s, const struct expr *x, const struct loads *loads,
		    struct value *ret)
{
	const struct expr *shift = x->kid[0];
	struct value y, b;
	struct form f;
	uint64_t by;

	if (x->kid[1]->op != EX_CONST || x->kid[1]->value != 1 || shift->op != EX_SHR)
		return false;
	b = eval(e, s, shift->kid[1], loads);
	y = eval(e, s, shift->kid[0], loads);
	if (!constant(e, s, &b, &by) || by >= (uint64_t)e->vars.nbits || !is_number(&y))
		return false;
	f = number_bits(e, s, y.f, (uint64_t)1 << by);
	*ret = value_number(f.lost ? f : form_var(e->vars.bit[by]));
	return true;
}

/* By a mask of whole bytes, or all but some. */
static struct value mask_lanes(struct engine *e, struct astate *s, const struct value *x, uint64_t mask)
{
	struct value ones, m = from_constant(e, mask), inverse = from_constant(e, ~mask);

	if (value_as_ones(e, &m, &ones))
		return value_and(e, s, x, &ones);
	if (!value_as_ones(e, &inverse, &ones))
		return value_any();
	ones = value_not(e, &ones);
	return value_and(e, s, x, &ones);
}

static struct value mask_value(struct engine *e, struct astate *s, struct value x, uint64_t mask)
{
	int k = power(mask + 1);

	if (mask == 0)
		return value_number(form_const(0));
	if (is_number(&x))
		return masked_number(e, s, x.f, mask);
	if (mask == ones(e->bits))
		return x;
	if (is_lanes(&x) && k > 0 && k % 8 == 0)
		return value_low_lanes(e, s, &x, k / 8);
	if (x.c.kind == HELD_MIX && k >= 0) {
		x.c.of = (int16_t)(k < x.c.of ? k : x.c.of);
		return x;
	}
	return mask_lanes(e, s, &x, mask);
}

static struct value and_values(struct engine *e, struct astate *s, const struct value *a,
			       const struct value *b)
{
	uint64_t mask;

	if (constant(e, s, b, &mask))
		return mask_value(e, s, *a, mask);
	if (constant(e, s, a, &mask))
		return mask_value(e, s, *b, mask);
	return value_and(e, s, a, b);
}

/* Two numbers of which only the low bits will be asked. */
static struct value mix(struct engine *e, const struct value *a, const struct value *b, bool exclusive)
{
	struct value v = value_any();

	v.c = (struct holding){
		.kind = HELD_MIX, .slope = exclusive, .of = (int16_t)e->bits,
		.lo = form_keep(e, &a->f), .hi = form_keep(e, &b->f),
	};
	return v;
}

static struct value or_values(struct engine *e, struct astate *s, const struct value *a,
			      const struct value *b, bool exclusive)
{
	if (is_number(a) && is_number(b)) {
		if (value_is_zero(s, a))
			return *b;
		return value_is_zero(s, b) ? *a : mix(e, a, b, exclusive);
	}
	return exclusive ? value_any() : value_or(e, s, a, b);
}

/* Amounts that move whole bytes, and at most so many bits. */
static bool whole_bytes(struct engine *e, const struct astate *s, const struct value *amount, int most,
			struct form *ret)
{
	return is_number(amount) && in_range(s, amount->f, 0, most) && number_bytes(e, s, &amount->f, ret);
}

static struct value shift_left(struct engine *e, struct astate *s, const struct value *x,
			       const struct value *amount)
{
	struct form bytes;
	struct value ones;
	uint64_t k;

	if (constant(e, s, amount, &k) && k >= (uint64_t)e->bits)
		return value_number(form_const(0));
	if (is_number(x) && constant(e, s, amount, &k) && k <= 40)
		return value_number(form_scale(x->f, (int64_t)1 << k));
	if (!whole_bytes(e, s, amount, e->bits, &bytes))
		return value_is_zero(s, x) ? *x : value_any();
	if (value_as_ones(e, x, &ones))
		x = &ones;
	return value_move(e, s, x, bytes, 1, e->word);
}

static struct value divide(struct engine *e, struct astate *s, const struct value *x, int k)
{
	struct form window, q, r;

	if (k == 0)
		return *x;
	if (!is_number(x) || !number_window(e, s, &x->f, &window) || !number_split(e, s, window, k, &q, &r))
		return value_any();
	return value_number(q);
}

static struct value shift_right(struct engine *e, struct astate *s, const struct value *x,
				const struct value *amount)
{
	struct form bytes;
	uint64_t k;

	if (constant(e, s, amount, &k) && k >= (uint64_t)e->bits)
		return value_number(form_const(0));
	if (is_number(x) && constant(e, s, amount, &k))
		return divide(e, s, x, (int)k);
	if (!whole_bytes(e, s, amount, e->bits, &bytes))
		return value_is_zero(s, x) ? *x : value_any();
	return value_move(e, s, x, bytes, -1, e->word);
}

static struct value quotient_of(struct engine *e, struct astate *s, const struct value *a, const struct value *b)
{
	uint64_t c;

	return constant(e, s, b, &c) && power(c) >= 0 ? divide(e, s, a, power(c)) : value_any();
}

static struct value complement(struct engine *e, const struct value *x)
{
	return is_number(x) ? value_number(form_plus(form_scale(x->f, -1), -1)) : value_not(e, x);
}

static struct value remainder_of(struct engine *e, struct astate *s, const struct value *a,
				 const struct value *b)
{
	uint64_t c;

	if (!constant(e, s, b, &c) || !is_number(a) || c == 0)
		return value_any();
	if (power(c) >= 0)
		return mask_value(e, s, *a, c - 1);
	return in_range(s, a->f, 0, (int64_t)c - 1) ? *a : value_any();
}

static struct value product(struct engine *e, struct astate *s, const struct value *a, const struct value *b)
{
	uint64_t c;
	bool swap = !constant(e, s, b, &c);
	const struct value *x = swap ? b : a;

	if (swap && !constant(e, s, a, &c))
		return value_any();
	if (is_number(x))
		return value_number(form_scale(x->f, (int64_t)const_wrap(c, e->bits)));
	if (c == (UINT64_C(0x0101010101010101) & ones(e->bits)) && value_is_byte(s, x))
		return value_rep(e, s, x);
	return value_any();
}

static struct value sum(struct engine *e, struct astate *s, const struct value *a, const struct value *b,
			int sign)
{
	uint64_t c;

	if (is_number(a) && is_number(b))
		return value_number(form_add(a->f, b->f, sign));
	if (a->c.kind == HELD_UNIT && constant(e, s, b, &c) && c == (sign > 0 ? ones(e->bits) : 1))
		return value_lanes(e, HELD_ONES, 0, form_const(0), form_const(0), *a->c.lo, false);
	if (value_is_zero(s, b))
		return *a;
	/* No lane carries into the next where one of the two is zero. */
	if (sign > 0 && !a->c.rest && !b->c.rest && (is_lanes(a) || is_lanes(b)))
		return value_or(e, s, a, b);
	return value_any();
}

static struct value sign_extend(struct engine *e, struct astate *s, const struct value *x,
				const struct value *bytes)
{
	uint64_t w;

	if (!constant(e, s, bytes, &w) || w == 0)
		return value_any();
	if (w >= (uint64_t)e->word)
		return *x;
	if (w <= 4 && is_number(x) &&
	    in_range(s, x->f, -((int64_t)1 << (8 * w - 1)), ((int64_t)1 << (8 * w - 1)) - 1))
		return *x;
	return value_any();
}

static struct value funnel(struct engine *e, struct astate *s, const struct value *v)
{
	struct form bytes;

	return whole_bytes(e, s, &v[2], e->bits - 1, &bytes) ? value_funnel(e, s, &v[0], &v[1], bytes) :
	       value_any();
}

static struct value loaded(const struct expr *mem, const struct loads *loads)
{
	for (int k = 0; loads && k < loads->n; k++)
		if (loads->v[k].mem == mem)
			return loads->v[k].value;
	return value_any();
}

static bool all_constant(const struct engine *e, const struct expr *x, const struct value *v, uint64_t *ret)
{
	uint64_t c[3] = { 0 };

	for (int k = 0; k < expr_kids(x->op); k++)
		if (!literal(e, &v[k], &c[k]))
			return false;
	return expr_kids(x->op) > 0 && expr_apply(x->op, c, e->bits, ret);
}

static struct value apply(struct engine *e, struct astate *s, const struct expr *x, struct value *v)
{
	uint64_t c;

	if (all_constant(e, x, v, &c))
		return from_constant(e, c);
	switch (x->op) {
	case EX_NEG: return is_number(&v[0]) ? value_number(form_scale(v[0].f, -1)) : value_any();
	case EX_NOT: return complement(e, &v[0]);
	case EX_ADD: return sum(e, s, &v[0], &v[1], 1);
	case EX_SUB: return sum(e, s, &v[0], &v[1], -1);
	case EX_MUL: return product(e, s, &v[0], &v[1]);
	case EX_DIV: return quotient_of(e, s, &v[0], &v[1]);
	case EX_MOD: return remainder_of(e, s, &v[0], &v[1]);
	case EX_AND: return and_values(e, s, &v[0], &v[1]);
	case EX_OR: return or_values(e, s, &v[0], &v[1], false);
	case EX_XOR: return or_values(e, s, &v[0], &v[1], true);
	case EX_SHL: return shift_left(e, s, &v[0], &v[1]);
	case EX_SHR: return shift_right(e, s, &v[0], &v[1]);
	case EX_FUNNEL: return funnel(e, s, v);
	case EX_SX: return sign_extend(e, s, &v[0], &v[1]);
	case EX_REP: return value_rep(e, s, &v[0]);
	default: return value_any();
	}
}

/* An operand: nothing is known of arithmetic on what may be wider than a word. */
static struct value operand(struct engine *e, struct astate *s, const struct expr *x, const struct loads *loads)
{
	struct value v;

	if (x->op == EX_REG && e->m->regs[x->index].width > e->word)
		return value_any();
	v = eval(e, s, x, loads);
	return x->op == EX_MEM ? value_fit(e, s, &v, e->word) : v;
}

struct value eval_for(struct engine *e, struct astate *s, const struct expr *x, const struct loads *loads,
		      int64_t width)
{
	bool moved = x->op == EX_REG || x->op == EX_MEM || (x->op == EX_CONST && !x->value);

	return moved || width <= e->word ? eval(e, s, x, loads) : value_any();
}

struct value eval(struct engine *e, struct astate *s, const struct expr *x, const struct loads *loads)
{
	struct value v[3];

	switch (x->op) {
	case EX_CONST: return from_constant(e, x->value);
	case EX_REG: return of_register(e, s, x->index);
	case EX_MEM: return loaded(x, loads);
	default: break;
	}
	if (x->op == EX_AND && one_bit(e, s, x, loads, &v[0]))
		return v[0];
	for (int k = 0; k < expr_kids(x->op); k++)
		v[k] = operand(e, s, x->kid[k], loads);
	return apply(e, s, x, v);
}

static bool add_ge(struct astate *s, struct form f)
{
	return dstate_add_ge(s->d, &f);
}

static bool at_least(const struct astate *s, struct form f, int64_t k)
{
	f = form_plus(f, -k);
	return dstate_ge0(s->d, &f);
}

static bool assume_equal(struct astate *s, struct form d, bool equal)
{
	struct form whole = form_scale(form_var(VAR_HALF), 2);

	if (!at_least(s, form_add(whole, d, 1), 1) || !at_least(s, form_add(whole, d, -1), 1))
		return true;
	if (equal)
		return !at_least(s, d, 1) && !at_least(s, form_scale(d, -1), 1) && dstate_add_eq(s->d, &d);
	if (dstate_is0(s->d, &d))
		return false;
	if (dstate_ge0(s->d, &d))
		return add_ge(s, form_plus(d, -1));
	d = form_scale(d, -1);
	if (dstate_ge0(s->d, &d))
		return add_ge(s, form_plus(d, -1));
	return true;
}

static bool assume_order(struct astate *s, enum relation rel, struct form a, struct form b)
{
	struct form d = form_add(a, b, -1);

	switch (rel) {
	case REL_GE: case REL_SGE: return add_ge(s, d);
	case REL_GT: case REL_SGT: return add_ge(s, form_plus(d, -1));
	case REL_LE: case REL_SLE: return add_ge(s, form_scale(d, -1));
	default: return add_ge(s, form_plus(form_scale(d, -1), -1));
	}
}

/* Low bits of two numbers are all 0, or are the same. */
static bool assume_mix(struct astate *s, const struct value *v)
{
	int k = v->c.of < 8 ? v->c.of : 8;
	struct form d = form_add(*v->c.lo, *v->c.hi, -1);

	if (v->c.slope)
		return dstate_add_cong(s->d, &d, k, 0);
	return dstate_add_cong(s->d, v->c.lo, k, 0) && dstate_add_cong(s->d, v->c.hi, k, 0);
}

/* Does `x rel y` hold for 0 only, x being any unsigned number? */
static bool only_zero(const struct astate *s, enum relation rel, const struct value *y)
{
	int64_t k;

	if (rel == REL_LT)
		return is_number(y) && form_is_const(&y->f, &k) && k == 1;
	return (rel == REL_EQ || rel == REL_LE) && value_is_zero(s, y);
}

static bool assume_values(struct engine *e, struct astate *s, enum relation rel, const struct value *a,
			  const struct value *b)
{
	struct form x, y;

	if (a->c.kind == HELD_MIX && only_zero(s, rel, b))
		return assume_mix(s, a);
	if (b->c.kind == HELD_MIX && only_zero(s, relation_swap(rel), a))
		return assume_mix(s, b);
	if (a->c.kind == HELD_ASKED && only_zero(s, rel, b))
		call_tested(s, false);
	else if (a->c.kind == HELD_ASKED && only_zero(s, relation_inverse(rel), b))
		call_tested(s, true);
	if (!is_number(a) || !is_number(b))
		return true;
	if (rel == REL_EQ || rel == REL_NE)
		return assume_equal(s, form_add(a->f, b->f, -1), rel == REL_EQ);
	if (rel >= REL_SLT)
		return !number_signed_window(e, s, &a->f) || !number_signed_window(e, s, &b->f) ||
		       assume_order(s, rel, a->f, b->f);
	return !number_window(e, s, &a->f, &x) || !number_window(e, s, &b->f, &y) ||
	       assume_order(s, rel, x, y);
}

/* x & mask is 0: nothing of x lies outside the mask's zeros. */
static bool assume_masked(struct engine *e, struct astate *s, const struct expr *x, const struct loads *loads)
{
	struct value v = eval(e, s, x->kid[0], loads), m = eval(e, s, x->kid[1], loads);
	uint64_t mask;

	return !is_number(&v) || !constant(e, s, &m, &mask) || number_only_bits(s, &v.f, ~mask & ones(e->bits));
}

bool assume(struct engine *e, struct astate *s, const struct cond *c, bool negated, const struct loads *loads)
{
	enum relation rel = negated != c->negated ? relation_inverse(c->rel) : c->rel;
	uint8_t busy = e->busy;
	struct value a = eval(e, s, c->lhs, loads), b = eval(e, s, c->rhs, loads);
	bool possible = c->lhs->op != EX_AND || !only_zero(s, rel, &b) || assume_masked(e, s, c->lhs, loads);

	/* What was split for these two is not needed once they are compared. */
	e->busy = busy;
	return possible && assume_values(e, s, rel, &a, &b);
}
