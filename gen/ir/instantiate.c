/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A pattern's effect with operands bound.  Copies it once, list statements as often as the list is long. */
#include "instantiate.h"

#include <string.h>
#include <talloc.h>

#include "array.h"

struct binding {
	void *ctx;
	const struct machine *m;
	const struct pattern *p;
	const union operand_value *v;
	int k;				/* element that is being unrolled */
	int bits;
	const char *why;
};

static bool complain(struct binding *b, const char *why, int operand)
{
	b->why = operand < 0 ? why : talloc_asprintf(b->ctx, "`%s` %s", b->p->operands[operand].name, why);
	return false;
}

static bool is_register(const struct operand *o)
{
	return o->kind == OPERAND_REG || o->kind == OPERAND_LIST;
}

static struct regset registers_of(const struct binding *b, int o)
{
	struct regset set = {0};

	if (b->p->operands[o].kind == OPERAND_REG)
		regset_add(&set, b->v[o].reg);
	else
		for (int i = 0; i < b->v[o].list.n; i++)
			regset_add(&set, b->v[o].list.regs[i]);
	return set;
}

static bool overlap(const struct regset *a, const struct regset *b)
{
	for (int i = 0; i < 4; i++)
		if (a->bits[i] & b->bits[i])
			return true;
	return false;
}

static bool list_ok(struct binding *b, int o)
{
	const struct operand *operand = &b->p->operands[o];
	struct regset seen = {0};

	if (!list_fits(b->m, operand, b->v[o].list.regs, b->v[o].list.n))
		return complain(b, "is not a list of the length and order that the text takes", o);
	for (int i = 0; i < b->v[o].list.n; i++) {
		if (regset_has(&seen, b->v[o].list.regs[i]))
			return complain(b, "has a register twice", o);
		if (!reg_fits(b->m, b->p, o, b->v[o].list.regs[i]))
			return complain(b, "has a register that its view does not spell", o);
		regset_add(&seen, b->v[o].list.regs[i]);
	}
	return true;
}

static bool relation_ok(struct binding *b, int o)
{
	return b->p->operands[o].relation->text[b->v[o].rel] ||
	       complain(b, "is a relation that has no text", o);
}

static bool operand_ok(struct binding *b, int o)
{
	int64_t imm;

	switch (b->p->operands[o].kind) {
	case OPERAND_REG:
		return reg_fits(b->m, b->p, o, b->v[o].reg) ||
		       complain(b, "is no register of its class and views", o);
	case OPERAND_LIST:
		return list_ok(b, o);
	case OPERAND_IMM:
		return (imm_fits(b->m, b->p, o, (uint64_t)b->v[o].imm, &imm) && imm == b->v[o].imm) ||
		       complain(b, "is out of range", o);
	case OPERAND_RELATION:
		return relation_ok(b, o);
	default:
		return true;
	}
}

static bool distinct(struct binding *b, int o)
{
	struct regset mine;

	if (!is_register(&b->p->operands[o]))
		return true;
	mine = registers_of(b, o);
	if (overlap(&mine, &b->p->own))
		return complain(b, "is a register that the pattern takes for itself", o);
	for (int i = 0; i < o; i++) {
		struct regset other;

		if (!(b->p->differ[o] >> i & 1))
			continue;
		other = registers_of(b, i);
		if (overlap(&mine, &other))
			return complain(b, talloc_asprintf(b->ctx, "must be another register than `%s`",
							   b->p->operands[i].name), o);
	}
	return true;
}

static struct expr *put(struct binding *b, const struct expr *e);

static struct expr *put_operand(struct binding *b, const struct expr *e)
{
	const union operand_value *v = &b->v[e->index];
	struct expr *text;

	switch (b->p->operands[e->index].kind) {
	case OPERAND_REG:
		return expr_reg(b->ctx, v->reg, e->place);
	case OPERAND_IMM:
		return expr_const(b->ctx, const_wrap((uint64_t)v->imm, b->bits), e->place);
	default:
		text = expr_new(b->ctx, EX_TEXT, e->place);
		text->name = v->symbol;
		return text;
	}
}

static struct expr *put_element(struct binding *b, const struct expr *e)
{
	int at = e->kid[0]->op == EX_K ? b->k : (int)e->kid[0]->value;

	return expr_reg(b->ctx, b->v[e->index].list.regs[at], e->place);
}

static struct expr *put(struct binding *b, const struct expr *e)
{
	struct expr *copy;

	switch (e->op) {
	case EX_OPERAND: return put_operand(b, e);
	case EX_ELEMENT: return put_element(b, e);
	case EX_K: return expr_const(b->ctx, (uint64_t)b->k, e->place);
	case EX_LENGTH: return expr_const(b->ctx, (uint64_t)b->v[e->index].list.n, e->place);
	default: break;
	}
	copy = talloc(b->ctx, struct expr);
	*copy = *e;
	for (int i = 0; i < 3; i++)
		copy->kid[i] = e->kid[i] ? put(b, e->kid[i]) : NULL;
	return copy;
}

/* Reads of the register that is always 0. */
static void zero_reads(const struct machine *m, struct expr *e)
{
	if (!e)
		return;
	if (e->op == EX_REG && e->index == m->zero) {
		e->op = EX_CONST;
		e->value = 0;
		e->index = -1;
	}
	for (int i = 0; i < 3; i++)
		zero_reads(m, e->kid[i]);
}

static struct expr *put_value(struct binding *b, const struct expr *e)
{
	struct expr *copy;

	if (!e)
		return NULL;
	copy = put(b, e);
	if (b->m->zero >= 0)
		zero_reads(b->m, copy);
	return expr_fold(b->ctx, copy, b->bits);
}

/* A place is not a value: a register stays one, of memory the address and length are values. */
static struct expr *put_target(struct binding *b, const struct expr *e)
{
	return e && e->op == EX_MEM ? put_value(b, e) : e ? put(b, e) : NULL;
}

static struct cond *put_cond(struct binding *b, const struct cond *c)
{
	struct cond *copy;

	if (!c)
		return NULL;
	copy = talloc(b->ctx, struct cond);
	*copy = *c;
	if (c->relvar >= 0) {
		copy->rel = c->negated ? relation_inverse(b->v[c->relvar].rel) : b->v[c->relvar].rel;
		copy->relvar = -1;
		copy->relname = NULL;
		copy->negated = false;
	}
	copy->lhs = put_value(b, c->lhs);
	copy->rhs = put_value(b, c->rhs);
	return copy;
}

static int operand_named(const struct pattern *p, const char *name)
{
	for (size_t i = 0; i < p->noperands; i++)
		if (strcmp(p->operands[i].name, name) == 0)
			return (int)i;
	return -1;
}

static struct action put_action(struct binding *b, const struct action *a)
{
	struct action copy = *a;
	int o = a->kind == ACT_GOTO || a->kind == ACT_CALL ? operand_named(b->p, a->name) : -1;

	copy.target = put_target(b, a->target);
	copy.value = put_value(b, a->value);
	copy.cond = put_cond(b, a->cond);
	if (o >= 0 && b->p->operands[o].kind == OPERAND_LABEL) {
		copy.label = b->v[o].label;
		copy.name = NULL;
	} else if (o >= 0) {
		copy.callee = b->v[o].callee;
		copy.name = copy.callee ? copy.callee->symbol : NULL;
	}
	return copy;
}

static bool has_k(const struct expr *e)
{
	if (!e)
		return false;
	if (e->op == EX_K)
		return true;
	for (int i = 0; i < 3; i++)
		if (has_k(e->kid[i]))
			return true;
	return false;
}

static int times(const struct binding *b, const struct action *a)
{
	if (!has_k(a->target) && !has_k(a->value) && !(a->cond && (has_k(a->cond->lhs) || has_k(a->cond->rhs))))
		return 1;
	for (size_t i = 0; i < b->p->noperands; i++)
		if (b->p->operands[i].kind == OPERAND_LIST)
			return b->v[i].list.n;
	return 1;
}

/* A need that is decided already; *ret_holds says how. */
static bool is_decided(const struct binding *b, const struct action *a, bool *ret_holds)
{
	uint64_t l, r;

	if (a->kind != ACT_NEED || !a->cond || !expr_value(a->cond->lhs, b->bits, &l) ||
	    !expr_value(a->cond->rhs, b->bits, &r))
		return false;
	*ret_holds = relation_holds(a->cond->rel, l, r, b->bits);
	return true;
}

static bool put_step(struct binding *b, const struct step *from, struct step *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < from->nacts; i++)
		n += (size_t)times(b, &from->acts[i]);
	*ret = (struct step){.loop = put_cond(b, from->loop), .acts = ARRAY_NEW(b->ctx, struct action, n)};
	for (size_t i = 0; i < from->nacts; i++)
		for (b->k = 0; b->k < times(b, &from->acts[i]); b->k++) {
			struct action a = put_action(b, &from->acts[i]);
			bool holds = true;

			if (!is_decided(b, &a, &holds))
				ret->acts[ret->nacts++] = a;
			else if (!holds)
				return complain(b, talloc_asprintf(b->ctx, "it does not meet `%s`",
						action_print(b->ctx, b->m, b->p, &from->acts[i])), -1);
		}
	return true;
}

static bool all_fit(struct binding *b)
{
	for (size_t i = 0; i < b->p->noperands; i++)
		if (!operand_ok(b, (int)i) || !distinct(b, (int)i))
			return false;
	return true;
}

static bool put_steps(struct binding *b, struct step *steps)
{
	if (!all_fit(b))
		return false;
	for (size_t i = 0; i < b->p->nlines; i++)
		if (!put_step(b, &b->p->lines[i].step, &steps[i]))
			return false;
	return true;
}

static struct binding binding_of(void *ctx, const struct machine *m, const struct pattern *p,
				 const union operand_value *v)
{
	return (struct binding){.ctx = ctx, .m = m, .p = p, .v = v, .bits = 8 * m->width};
}

bool operands_fit(void *ctx, const struct machine *m, const struct pattern *p, const union operand_value *v,
		  const char **ret_why)
{
	struct binding b = binding_of(ctx, m, p, v);
	struct step steps[LINES_MAX];
	bool fits = put_steps(&b, steps);

	if (!fits && ret_why)
		*ret_why = b.why;
	return fits;
}

bool instantiate(void *ctx, const struct machine *m, const struct pattern *p, const union operand_value *v,
		 struct step *ret_steps)
{
	struct binding b = binding_of(ctx, m, p, v);
	struct step steps[LINES_MAX];

	if (!put_steps(&b, steps))
		return false;
	memcpy(ret_steps, steps, p->nlines * sizeof *steps);
	return true;
}
