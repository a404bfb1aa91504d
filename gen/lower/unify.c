/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Expressions of a pattern against expressions of a need. */
#include "match.h"

#include <inttypes.h>
#include <string.h>

static int bits(const struct matcher *mx)
{
	return 8 * mx->machine->width;
}

bool bound_value(const struct matcher *mx, const struct binding *b, const struct expr *e, uint64_t *ret)
{
	uint64_t v[3] = { 0, 0, 0 };

	if (e->op == EX_CONST) {
		*ret = e->value;
		return true;
	}
	if (e->op == EX_OPERAND) {
		if (!(b->bound >> e->index & 1))
			return false;
		*ret = (uint64_t)b->v[e->index].imm;
		return true;
	}
	for (int k = 0; k < expr_kids(e->op); k++)
		if (!e->kid[k] || !bound_value(mx, b, e->kid[k], &v[k]))
			return false;
	return expr_kids(e->op) && expr_apply(e->op, v, bits(mx), ret);
}

static bool solve_operand(struct matcher *mx, struct binding *b, const struct expr *e, uint64_t c)
{
	const struct pattern *p = mx->shape->pattern;
	int64_t imm;

	if (!imm_fits(mx->machine, p, e->index, c, &imm)) {
		missed(mx, 4, "%" PRId64 " is out of the range of `%s`", (int64_t)const_wrap(c, bits(mx)),
		       p->operands[e->index].name);
		return false;
	}
	b->v[e->index].imm = imm;
	b->bound |= (uint32_t)1 << e->index;
	return true;
}

/* x << k = c for the one open side. */
static bool solve_shift(struct matcher *mx, struct binding *b, const struct expr *e, uint64_t c)
{
	uint64_t v[3] = { 0, 0, 0 }, r;

	if (!bound_value(mx, b, e->kid[0], &v[0]))
		return false;
	for (v[1] = 0; v[1] < (uint64_t)bits(mx); v[1]++)
		if (expr_apply(EX_SHL, v, bits(mx), &r) && const_wrap(r, bits(mx)) == const_wrap(c, bits(mx)))
			return solve(mx, b, e->kid[1], v[1]);
	missed(mx, 3, "%" PRId64 " is no power of two", (int64_t)const_wrap(c, bits(mx)));
	return false;
}

static bool solve_product(struct matcher *mx, struct binding *b, const struct expr *e, uint64_t c)
{
	uint64_t v;

	for (int k = 0; k < 2; k++)
		if (bound_value(mx, b, e->kid[k], &v))
			return v && c % v == 0 && solve(mx, b, e->kid[1 - k], c / v);
	return false;
}

bool solve(struct matcher *mx, struct binding *b, const struct expr *e, uint64_t c)
{
	uint64_t v;

	if (bound_value(mx, b, e, &v)) {
		if (const_wrap(v, bits(mx)) != const_wrap(c, bits(mx)) && e->op == EX_OPERAND)
			missed(mx, 4, "`%s` is %" PRId64 " there, and not %" PRId64,
			       mx->shape->pattern->operands[e->index].name, (int64_t)const_wrap(v, bits(mx)),
			       (int64_t)const_wrap(c, bits(mx)));
		return const_wrap(v, bits(mx)) == const_wrap(c, bits(mx));
	}
	switch (e->op) {
	case EX_OPERAND:
		return mx->shape->pattern->operands[e->index].kind == OPERAND_IMM && solve_operand(mx, b, e, c);
	case EX_NEG:
		return solve(mx, b, e->kid[0], -c);
	case EX_NOT:
		return solve(mx, b, e->kid[0], ~c);
	case EX_ADD:
		if (bound_value(mx, b, e->kid[0], &v))
			return solve(mx, b, e->kid[1], c - v);
		return bound_value(mx, b, e->kid[1], &v) && solve(mx, b, e->kid[0], c - v);
	case EX_SUB:
		if (bound_value(mx, b, e->kid[0], &v))
			return solve(mx, b, e->kid[1], v - c);
		return bound_value(mx, b, e->kid[1], &v) && solve(mx, b, e->kid[0], c + v);
	case EX_SHL:
		return solve_shift(mx, b, e, c);
	case EX_MUL:
		return solve_product(mx, b, e, c);
	default:
		return false;
	}
}

static const char *class_name(const struct matcher *mx, int o)
{
	return mx->machine->classes[mx->shape->pattern->operands[o].reg_class].name;
}

static bool bind_reg(struct matcher *mx, struct binding *b, int o, int reg)
{
	if (!reg_fits(mx->machine, mx->shape->pattern, o, reg)) {
		missed(mx, 3, "`%s` is no register of `%s` that `%s` can be", mx->machine->regs[reg].name,
		       class_name(mx, o), mx->shape->pattern->operands[o].name);
		return false;
	}
	if (b->bound >> o & 1) {
		if (b->v[o].reg != reg)
			missed(mx, 2, "`%s` is one register there, and not both `%s` and `%s`",
			       mx->shape->pattern->operands[o].name, mx->machine->regs[b->v[o].reg].name,
			       mx->machine->regs[reg].name);
		return b->v[o].reg == reg;
	}
	b->v[o].reg = reg;
	b->bound |= (uint32_t)1 << o;
	return true;
}

static bool unify_operand(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	const struct operand *o = &mx->shape->pattern->operands[e->index];
	int reg = g->op == EX_REG ? g->index : -1;

	if (o->kind == OPERAND_IMM)
		return g->op == EX_CONST && solve(mx, b, e, g->value);
	if (o->kind != OPERAND_REG)
		return false;
	if (g->op == EX_CONST && !g->value)
		reg = mx->machine->zero;
	if (reg >= 0)
		return bind_reg(mx, b, e->index, reg);
	if (g->op == EX_CONST)
		missed(mx, 1, "`%s` is a register, and %" PRId64 " none", o->name, (int64_t)g->value);
	return false;
}

static bool unify_element(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	const struct operand *o = &mx->shape->pattern->operands[e->index];
	uint64_t k = e->kid[0]->value;
	int reg = g->op == EX_REG ? g->index : -1;

	if (e->kid[0]->op != EX_CONST || k >= LIST_MAX)
		return false;
	if (g->op == EX_CONST && !g->value)
		reg = mx->machine->zero;
	if (reg < 0 || class_position(&mx->machine->classes[o->reg_class], reg) < 0)
		return false;
	if (b->listed >> k & 1)
		return b->list[k] == reg;
	b->list[k] = reg;
	b->listed |= (uint32_t)1 << k;
	return true;
}

static bool letter_fits(struct matcher *mx, enum access pattern, const struct expr *g)
{
	bool dst = g->letter == ACCESS_DST;
	bool user = dst ? mx->info->dst_user : g->letter == ACCESS_SRC && mx->info->src_user;
	bool strict = user && mx->machine->target.user_by_user;

	if (mx->stream && dst && (g->past_caches || mx->info->dst_stream))
		return pattern == ACCESS_STREAM && !strict;
	switch (pattern) {
	case ACCESS_USER:
		return user;
	case ACCESS_KERNEL:
		return !user;
	case ACCESS_STREAM:
		return false;
	default:
		return !strict;
	}
}

static bool alignment_fits(const struct matcher *mx, const struct expr *e, const struct expr *g)
{
	bool byte = g->kid[1]->op == EX_CONST && g->kid[1]->value == 1;

	if (!g->any_address || e->any_address || byte)
		return true;
	return mx->machine->access != ACCESS_ALIGNED && mx->shape->pattern->aligned <= 1;
}

static bool unify_space(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	const struct target *t = &mx->machine->target;
	const char *side = t->sides[g->letter == ACCESS_DST];

	if (!e || e->op != EX_OPERAND) {
		if (!side || strcmp(t->sides[0], t->sides[1]) == 0)
			return true;
		missed(mx, 1, "it names no space, and the sides have different ones");
		return false;
	}
	if (!side || (b->bound >> e->index & 1 && b->v[e->index].symbol != side))
		return false;
	b->v[e->index].symbol = side;
	b->bound |= (uint32_t)1 << e->index;
	return true;
}

static bool unify_mem(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	if (!unify(mx, b, e->kid[1], g->kid[1])) {
		missed(mx, 0, "it accesses another number of bytes");
		return false;
	}
	if (!letter_fits(mx, e->letter, g)) {
		missed(mx, 1, "it can't access that side");
		return false;
	}
	if (!alignment_fits(mx, e, g)) {
		missed(mx, 1, "it wants an aligned address");
		return false;
	}
	return unify_space(mx, b, e->kid[2], g) && unify(mx, b, e->kid[0], g->kid[0]);
}

/* What is left of a sum when its terms agree. */
static bool unify_rest(struct matcher *mx, struct binding *b, const struct sum_parts *e, uint64_t c)
{
	int open = -1;
	uint64_t v;

	c -= e->k;
	for (int t = 0; t < e->nopen; t++) {
		if (bound_value(mx, b, e->open[t].e, &v)) {
			c -= e->open[t].neg ? -v : v;
		} else {
			if (open >= 0)
				return false;
			open = t;
		}
	}
	if (open >= 0)
		return solve(mx, b, e->open[open].e, e->open[open].neg ? -c : c);
	if (const_wrap(c, bits(mx)))
		missed(mx, 2, "it has no place for the constant %" PRId64, (int64_t)const_wrap(c, bits(mx)));
	return !const_wrap(c, bits(mx));
}

static bool unify_zero(struct matcher *mx, struct binding *b, const struct expr *e)
{
	static const struct expr zero = { .op = EX_CONST };

	return !constant_like(mx->shape->pattern, e) && unify(mx, b, e, &zero);
}

/*
 * The k-th term of the pattern and those behind it, against the terms of the need that are not taken yet; those for which
 * the need has none are 0.
 */
static bool unify_terms(struct matcher *mx, struct binding *b, const struct sum_parts *e,
			const struct sum_parts *g, int k, unsigned taken)
{
	if (k == e->n)
		return unify_rest(mx, b, e, g->k);
	for (int j = 0; j < g->n; j++) {
		struct binding try = *b;

		if (taken >> j & 1 || e->term[k].neg != g->term[j].neg)
			continue;
		if (unify(mx, &try, e->term[k].e, g->term[j].e) &&
		    unify_terms(mx, &try, e, g, k + 1, taken | 1u << j)) {
			*b = try;
			return true;
		}
	}
	if (e->n - k > g->n - __builtin_popcount(taken)) {
		struct binding try = *b;

		if (unify_zero(mx, &try, e->term[k].e) && unify_terms(mx, &try, e, g, k + 1, taken)) {
			*b = try;
			return true;
		}
	}
	return false;
}

static bool unify_sum(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	struct sum_parts es = sum_split(mx->shape->pattern, e), gs = sum_split(NULL, g);

	if (es.lost || gs.lost || gs.nopen || (mx->zeros ? es.n < gs.n : es.n != gs.n))
		return false;
	return unify_terms(mx, b, &es, &gs, 0, 0);
}

/* x | 0 is x. */
static bool unify_with_zero(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	for (int k = 0; k < 2; k++) {
		struct binding try = *b;

		if (unify(mx, &try, e->kid[k], g) && unify_zero(mx, &try, e->kid[1 - k])) {
			*b = try;
			return true;
		}
	}
	return false;
}

static bool unify_kids(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g,
		       bool swap)
{
	struct binding try = *b;

	for (int k = 0; k < expr_kids(e->op); k++)
		if (!unify(mx, &try, e->kid[k], g->kid[swap ? 1 - k : k]))
			return false;
	*b = try;
	return true;
}

static bool commutes(enum expr_op op)
{
	return op == EX_AND || op == EX_OR || op == EX_XOR || op == EX_MUL;
}

bool unify(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	if (e->op == EX_OPERAND)
		return unify_operand(mx, b, e, g);
	if (e->op == EX_ELEMENT)
		return unify_element(mx, b, e, g);
	if (e->op == EX_REG)
		return g->op == EX_REG ? g->index == e->index :
		       g->op == EX_CONST && !g->value && e->index == mx->machine->zero;
	if (g->op == EX_CONST && !(mx->zeros && expr_is_sum(e) && !constant_like(mx->shape->pattern, e)))
		return constant_like(mx->shape->pattern, e) && solve(mx, b, e, g->value);
	if (expr_is_sum(e) || expr_is_sum(g))
		return unify_sum(mx, b, e, g);
	if (mx->zeros && (e->op == EX_OR || e->op == EX_XOR) && e->op != g->op)
		return unify_with_zero(mx, b, e, g);
	if (e->op != g->op)
		return false;
	if (e->op == EX_MEM)
		return unify_mem(mx, b, e, g);
	if (e->op == EX_FEATURE)
		return e->index == g->index;
	if (!expr_kids(e->op))
		return false;
	return unify_kids(mx, b, e, g, false) || (commutes(e->op) && unify_kids(mx, b, e, g, true));
}

/* A relation as it is, swapped, and over a constant next to it. */
struct tries {
	struct cond v[16];
	int n;
};

static void add_try(struct tries *t, enum relation rel, struct expr *lhs, struct expr *rhs)
{
	if (t->n < 16)
		t->v[t->n++] = (struct cond){ .rel = rel, .relvar = -1, .lhs = lhs, .rhs = rhs };
}

static struct expr *next_const(struct matcher *mx, const struct expr *e, uint64_t by)
{
	return expr_const(mx->ctx, const_wrap(e->value + by, bits(mx)), e->place);
}

/* x < c is x <= c - 1 where c - 1 is below c, and so on; unsigned ones at 0 and 1 are (in)equalities too. */
static void add_neighbours(struct matcher *mx, struct tries *t, enum relation rel, struct expr *x,
			   struct expr *c)
{
	uint64_t least = (uint64_t)1 << (bits(mx) - 1);
	bool low = !const_wrap(c->value, bits(mx)), high = !const_wrap(c->value + 1, bits(mx));
	bool slow = !const_wrap(c->value - least, bits(mx));
	bool shigh = !const_wrap(c->value + 1 - least, bits(mx));
	bool one = const_wrap(c->value, bits(mx)) == 1;

	if (!low && (rel == REL_LT || rel == REL_GE))
		add_try(t, rel == REL_LT ? REL_LE : REL_GT, x, next_const(mx, c, (uint64_t)-1));
	if (!high && (rel == REL_LE || rel == REL_GT))
		add_try(t, rel == REL_LE ? REL_LT : REL_GE, x, next_const(mx, c, 1));
	if (!slow && (rel == REL_SLT || rel == REL_SGE))
		add_try(t, rel == REL_SLT ? REL_SLE : REL_SGT, x, next_const(mx, c, (uint64_t)-1));
	if (!shigh && (rel == REL_SLE || rel == REL_SGT))
		add_try(t, rel == REL_SLE ? REL_SLT : REL_SGE, x, next_const(mx, c, 1));
	if (one && (rel == REL_LT || rel == REL_GE))
		add_try(t, rel == REL_LT ? REL_EQ : REL_NE, x, next_const(mx, c, (uint64_t)-1));
	if (low && (rel == REL_EQ || rel == REL_NE)) {
		add_try(t, rel == REL_EQ ? REL_LT : REL_GE, x, next_const(mx, c, 1));
		add_try(t, rel == REL_EQ ? REL_LE : REL_GT, x, c);
	}
	if (low && (rel == REL_LE || rel == REL_GT))
		add_try(t, rel == REL_LE ? REL_EQ : REL_NE, x, c);
}

static bool unify_try(struct matcher *mx, struct binding *b, const struct cond *e, const struct cond *g)
{
	struct binding try = *b;
	enum relation rel = g->rel;

	if (e->relvar >= 0) {
		const struct operand *o = &mx->shape->pattern->operands[e->relvar];

		if (e->negated)
			rel = relation_inverse(rel);
		if (!o->relation->text[rel])
			return false;
		if (try.bound >> e->relvar & 1 && try.v[e->relvar].rel != rel)
			return false;
		try.v[e->relvar].rel = rel;
		try.bound |= (uint32_t)1 << e->relvar;
	} else if (e->rel != rel) {
		return false;
	}
	if (!unify(mx, &try, e->lhs, g->lhs) || !unify(mx, &try, e->rhs, g->rhs))
		return false;
	*b = try;
	return true;
}

bool unify_cond(struct matcher *mx, struct binding *b, const struct cond *e, const struct cond *g)
{
	struct tries t = { .n = 0 };
	int n;

	add_try(&t, g->rel, g->lhs, g->rhs);
	if (g->rhs->op == EX_CONST)
		add_neighbours(mx, &t, g->rel, g->lhs, g->rhs);
	n = t.n;
	for (int k = 0; k < n; k++)
		add_try(&t, relation_swap(t.v[k].rel), t.v[k].rhs, t.v[k].lhs);
	for (int k = 0; k < t.n; k++)
		if (unify_try(mx, b, e, &t.v[k]))
			return true;
	return false;
}
