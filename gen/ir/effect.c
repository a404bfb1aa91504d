/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Trees of effects: making, comparing, folding. */
#include "effect.h"

#include <string.h>
#include <talloc.h>

static const struct {
	int kids;
	const char *text;
} ops[] = {
	[EX_CONST] = {0, ""},	 [EX_NAME] = {0, ""},	      [EX_INDEX] = {1, ""},
	[EX_TEXT] = {0, ""},	 [EX_REG] = {0, ""},	      [EX_OPERAND] = {0, ""},
	[EX_ELEMENT] = {1, ""},	 [EX_K] = {0, "k"},	      [EX_LENGTH] = {0, "len"},
	[EX_MEM] = {3, ""},	 [EX_NEG] = {1, "-"},	      [EX_NOT] = {1, "~"},
	[EX_ADD] = {2, "+"},	 [EX_SUB] = {2, "-"},	      [EX_MUL] = {2, "*"},
	[EX_DIV] = {2, "/"},	 [EX_MOD] = {2, "%"},	      [EX_AND] = {2, "&"},
	[EX_OR] = {2, "|"},	 [EX_XOR] = {2, "^"},	      [EX_SHL] = {2, "<<"},
	[EX_SHR] = {2, ">>"},	 [EX_MIN] = {2, "min"},	      [EX_MAX] = {2, "max"},
	[EX_POW2] = {1, "pow2"}, [EX_FUNNEL] = {3, "funnel"}, [EX_SX] = {2, "sx"},
	[EX_REP] = {1, "rep"},	 [EX_FAMILY] = {1, ""},	      [EX_FEATURE] = {0, "feature"},
};

int expr_kids(enum expr_op op)
{
	return ops[op].kids;
}

const char *expr_op_text(enum expr_op op)
{
	return ops[op].text;
}

static const struct {
	const char *text;
	enum relation inverse, swap;
} relations[REL_COUNT] = {
	[REL_EQ] = {"==", REL_NE, REL_EQ}, [REL_NE] = {"!=", REL_EQ, REL_NE},
	[REL_LT] = {"<", REL_GE, REL_GT}, [REL_LE] = {"<=", REL_GT, REL_GE},
	[REL_GT] = {">", REL_LE, REL_LT}, [REL_GE] = {">=", REL_LT, REL_LE},
	[REL_SLT] = {"<s", REL_SGE, REL_SGT}, [REL_SLE] = {"<=s", REL_SGT, REL_SGE},
	[REL_SGT] = {">s", REL_SLE, REL_SLT}, [REL_SGE] = {">=s", REL_SLT, REL_SLE},
};

const char *relation_text(enum relation rel)
{
	return relations[rel].text;
}

enum relation relation_inverse(enum relation rel)
{
	return relations[rel].inverse;
}

enum relation relation_swap(enum relation rel)
{
	return relations[rel].swap;
}

struct expr *expr_new(void *ctx, enum expr_op op, struct place at)
{
	struct expr *e = talloc_zero(ctx, struct expr);

	e->op = op;
	e->index = -1;
	e->place = at;
	return e;
}

struct expr *expr_const(void *ctx, uint64_t value, struct place at)
{
	struct expr *e = expr_new(ctx, EX_CONST, at);

	e->value = value;
	return e;
}

struct expr *expr_reg(void *ctx, int reg, struct place at)
{
	struct expr *e = expr_new(ctx, EX_REG, at);

	e->index = reg;
	return e;
}

struct expr *expr_binary(void *ctx, enum expr_op op, struct expr *a, struct expr *b, struct place at)
{
	struct expr *e = expr_new(ctx, op, at);

	e->kid[0] = a;
	e->kid[1] = b;
	return e;
}

size_t expr_size(const struct expr *e)
{
	size_t n = 1;

	if (!e)
		return 0;
	for (int i = 0; i < 3; i++)
		n += expr_size(e->kid[i]);
	return n;
}

struct expr *expr_copy(void *ctx, const struct expr *e)
{
	struct expr *copy;

	if (!e)
		return NULL;
	copy = talloc(ctx, struct expr);
	*copy = *e;
	for (int i = 0; i < 3; i++)
		copy->kid[i] = expr_copy(ctx, e->kid[i]);
	return copy;
}

struct cond *cond_copy(void *ctx, const struct cond *c)
{
	struct cond *copy;

	if (!c)
		return NULL;
	copy = talloc(ctx, struct cond);
	*copy = *c;
	copy->lhs = expr_copy(ctx, c->lhs);
	copy->rhs = expr_copy(ctx, c->rhs);
	return copy;
}

static bool same_name(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

bool expr_equal(const struct expr *a, const struct expr *b)
{
	if (!a || !b)
		return a == b;
	if (a->op != b->op || a->index != b->index || a->value != b->value || !same_name(a->name, b->name))
		return false;
	if (a->op == EX_MEM && (a->letter != b->letter || a->any_address != b->any_address || a->past_caches != b->past_caches))
		return false;
	for (int i = 0; i < 3; i++)
		if (!expr_equal(a->kid[i], b->kid[i]))
			return false;
	return true;
}

static uint64_t low_bits(uint64_t v, int bits)
{
	return bits >= 64 ? v : v & (((uint64_t)1 << bits) - 1);
}

uint64_t const_wrap(uint64_t v, int bits)
{
	uint64_t sign;

	if (bits >= 64)
		return v;
	sign = (uint64_t)1 << (bits - 1);
	return (low_bits(v, bits) ^ sign) - sign;
}

static uint64_t shift_left(uint64_t v, uint64_t by)
{
	return by >= 64 ? 0 : v << by;
}

static uint64_t shift_right(uint64_t v, uint64_t by)
{
	return by >= 64 ? 0 : v >> by;
}

static uint64_t power_of_two(uint64_t v)
{
	while (v & (v - 1))
		v &= v - 1;
	return v;
}

/* On values of `bits` bits; the caller cuts the result. */
static bool apply(enum expr_op op, uint64_t a, uint64_t b, uint64_t c, int bits, uint64_t *ret)
{
	switch (op) {
	case EX_NEG: *ret = -a; return true;
	case EX_NOT: *ret = ~a; return true;
	case EX_ADD: *ret = a + b; return true;
	case EX_SUB: *ret = a - b; return true;
	case EX_MUL: *ret = a * b; return true;
	case EX_AND: *ret = a & b; return true;
	case EX_OR: *ret = a | b; return true;
	case EX_XOR: *ret = a ^ b; return true;
	case EX_SHL: *ret = shift_left(a, b); return true;
	case EX_SHR: *ret = shift_right(a, b); return true;
	case EX_MIN: *ret = a < b ? a : b; return true;
	case EX_MAX: *ret = a > b ? a : b; return true;
	case EX_REP: *ret = (a & 255) * 0x0101010101010101u; return true;
	case EX_DIV:
	case EX_MOD:
		if (b == 0)
			return false;
		*ret = op == EX_DIV ? a / b : a % b;
		return true;
	case EX_POW2:
		*ret = power_of_two(a);
		return a != 0;
	case EX_FUNNEL:
		if (c >= (uint64_t)bits)
			return false;
		*ret = c ? shift_left(a, (uint64_t)bits - c) | shift_right(b, c) : b;
		return true;
	case EX_SX:
		if (b == 0 || b > 8)
			return false;
		*ret = const_wrap(a, (int)(8 * b));
		return true;
	default:
		return false;
	}
}

bool expr_apply(enum expr_op op, const uint64_t v[3], int bits, uint64_t *ret)
{
	uint64_t result;

	if (!apply(op, low_bits(v[0], bits), low_bits(v[1], bits), low_bits(v[2], bits), bits, &result))
		return false;
	*ret = const_wrap(result, bits);
	return true;
}

bool relation_holds(enum relation rel, uint64_t a, uint64_t b, int bits)
{
	int64_t sa = (int64_t)const_wrap(a, bits), sb = (int64_t)const_wrap(b, bits);

	a = low_bits(a, bits);
	b = low_bits(b, bits);
	switch (rel) {
	case REL_EQ: return a == b;
	case REL_NE: return a != b;
	case REL_LT: return a < b;
	case REL_LE: return a <= b;
	case REL_GT: return a > b;
	case REL_GE: return a >= b;
	case REL_SLT: return sa < sb;
	case REL_SLE: return sa <= sb;
	case REL_SGT: return sa > sb;
	case REL_SGE: return sa >= sb;
	case REL_COUNT: break;
	}
	return false;
}

bool expr_value(const struct expr *e, int bits, uint64_t *ret)
{
	uint64_t v[3] = {0};

	if (e->op == EX_CONST) {
		*ret = const_wrap(e->value, bits);
		return true;
	}
	if (e->op == EX_MEM || expr_kids(e->op) == 0)
		return false;
	for (int i = 0; i < expr_kids(e->op); i++)
		if (!expr_value(e->kid[i], bits, &v[i]))
			return false;
	return expr_apply(e->op, v, bits, ret);
}

static bool is_const(const struct expr *e)
{
	return e->op == EX_CONST;
}

/* Does `x op c` leave x as it is? */
static bool is_neutral(enum expr_op op, uint64_t c, int bits)
{
	switch (op) {
	case EX_ADD: case EX_SUB: case EX_OR: case EX_XOR: case EX_SHL: case EX_SHR:
		return low_bits(c, bits) == 0;
	case EX_MUL: case EX_DIV:
		return low_bits(c, bits) == 1;
	case EX_AND:
		return low_bits(~c, bits) == 0;
	default:
		return false;
	}
}

/* A sum has its constant last, and one only. */
static struct expr *fold_sum(struct expr *e, int bits)
{
	if (e->op == EX_SUB && is_const(e->kid[1])) {
		e->op = EX_ADD;
		e->kid[1]->value = const_wrap(-e->kid[1]->value, bits);
	}
	if (e->op == EX_ADD && is_const(e->kid[0])) {
		struct expr *c = e->kid[0];

		e->kid[0] = e->kid[1];
		e->kid[1] = c;
	}
	if (e->op == EX_ADD && is_const(e->kid[1]) && e->kid[0]->op == EX_ADD && is_const(e->kid[0]->kid[1])) {
		e->kid[1]->value = const_wrap(e->kid[1]->value + e->kid[0]->kid[1]->value, bits);
		e->kid[0] = e->kid[0]->kid[0];
	}
	return e;
}

struct expr *expr_fold(void *ctx, struct expr *e, int bits)
{
	uint64_t value;

	if (!e)
		return NULL;
	for (int i = 0; i < expr_kids(e->op); i++)
		e->kid[i] = expr_fold(ctx, e->kid[i], bits);
	if (e->op == EX_MEM || e->op == EX_INDEX || e->op == EX_ELEMENT || e->op == EX_FAMILY)
		return e;
	if (expr_value(e, bits, &value))
		return expr_const(ctx, value, e->place);
	e = fold_sum(e, bits);
	if (expr_kids(e->op) == 2 && is_const(e->kid[1]) && is_neutral(e->op, e->kid[1]->value, bits))
		return e->kid[0];
	return e;
}
