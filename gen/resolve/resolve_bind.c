/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Effects: every name becomes an operand, a register, a state or the k of a list. */
#include "resolve_priv.h"

#define BITS_OF(b) (8 * (b)->r->m->width)

static struct expr *bind(struct binder *b, const struct expr *e);

static struct expr *broken(struct binder *b, struct place at)
{
	b->bad = true;
	return expr_const(b->r->ctx, 0, at);
}

static struct expr *leaf(struct binder *b, enum expr_op op, int index, const struct expr *from)
{
	struct expr *e = expr_new(b->r->ctx, op, from->place);

	e->index = index;
	return e;
}

static bool has_list(const struct pattern *p)
{
	for (size_t i = 0; i < p->noperands; i++)
		if (p->operands[i].kind == OPERAND_LIST)
			return true;
	return false;
}

static struct expr *unknown_name(struct binder *b, const struct expr *e)
{
	struct near near = {0};

	for (size_t i = 0; i < b->p->noperands; i++)
		near_add(b->r, &near, b->p->operands[i].name);
	for (size_t i = 0; i < b->r->m->nstates; i++)
		near_add(b->r, &near, b->r->m->states[i].name);
	fail_unknown(b->r, DIAG_NAME, e->place, "this pattern prints no operand", e->name, near);
	return broken(b, e->place);
}

/* An operand that is a value; others are refused with what they are. */
static struct expr *value_operand(struct binder *b, const struct expr *e, int o)
{
	const struct operand *operand = &b->p->operands[o];
	static const char *const why[] = {
		[OPERAND_LIST] = "is a list: its registers are written with `[k]`",
		[OPERAND_RELATION] = "is a relation: it is written with `?` in a condition",
		[OPERAND_LABEL] = "is a label, and has no value",
		[OPERAND_CALLEE] = "is a routine's name, and has no value",
		[OPERAND_SPACE] = "is a space, and can not be a value as well",
		[OPERAND_POOL] = "is the pool's label",
		[OPERAND_ANNUL] = "skips a slot, and has no value",
	};

	if (b->counting)
		b->used[o] = true;
	if (operand->kind == OPERAND_REG || operand->kind == OPERAND_IMM)
		return leaf(b, EX_OPERAND, o, e);
	fail(b->r, DIAG_OPERAND_KIND, e->place, "`%s` %s", e->name, why[operand->kind]);
	note(b->r, operand->place, "it is printed here");
	return broken(b, e->place);
}

static struct expr *bind_name(struct binder *b, const struct expr *e)
{
	int o = find_operand(b->p, e->name);

	if (strcmp(e->name, "k") == 0 && has_list(b->p))
		return leaf(b, EX_K, -1, e);
	if (o >= 0)
		return value_operand(b, e, o);
	if (machine_state(b->r->m, e->name) >= 0) {
		fail(b->r, DIAG_NAME, e->place,
		     "state `%s` is not a number: it is set with `=` and asked with `need`", e->name);
		return broken(b, e->place);
	}
	return unknown_name(b, e);
}

static int list_operand(struct binder *b, const struct expr *e, const char *name)
{
	int o = name ? find_operand(b->p, name) : -1;

	if (o < 0 || b->p->operands[o].kind != OPERAND_LIST) {
		fail(b->r, DIAG_INDEX, e->place, "`%s` is not a list of this pattern's texts",
		     name ? name : "?");
		b->bad = true;
		return -1;
	}
	if (b->counting)
		b->used[o] = true;
	return o;
}

static struct expr *bind_index(struct binder *b, const struct expr *e)
{
	int o = list_operand(b, e, e->name);
	struct expr *element, *index;

	if (o < 0)
		return broken(b, e->place);
	index = bind(b, e->kid[0]);
	if (index->op != EX_K &&
	    (index->op != EX_CONST || index->value >= (uint64_t)b->p->operands[o].list_min)) {
		fail(b->r, DIAG_INDEX, e->kid[0]->place,
		     "a list's element is [k], or a number below its least length");
		return broken(b, e->place);
	}
	element = leaf(b, EX_ELEMENT, o, e);
	element->kid[0] = index;
	return element;
}

static struct expr *bind_register(struct binder *b, const struct expr *e)
{
	struct near near = {0};
	int reg = machine_reg(b->r->m, e->name);

	if (reg >= 0)
		return leaf(b, EX_REG, reg, e);
	for (size_t i = 0; i < b->r->m->nregs; i++)
		near_add(b->r, &near, b->r->m->regs[i].name);
	fail_unknown(b->r, DIAG_REGISTER, e->place, "there is no register", e->name, near);
	return broken(b, e->place);
}

static struct expr *bind_length(struct binder *b, const struct expr *e)
{
	int o = list_operand(b, e, e->name ? e->name : e->kid[0] ? e->kid[0]->name : NULL);

	return o < 0 ? broken(b, e->place) : leaf(b, EX_LENGTH, o, e);
}

static struct expr *bind_feature(struct binder *b, const struct expr *e)
{
	struct machine *m = b->r->m;
	struct near near = {0};
	struct expr *f;

	for (size_t i = 0; i < m->nfeatures; i++) {
		if (strcmp(m->features[i].name, e->name) == 0) {
			f = leaf(b, EX_FEATURE, (int)i, e);
			f->name = e->name;
			return f;
		}
		near_add(b->r, &near, m->features[i].name);
	}
	fail_unknown(b->r, DIAG_FEATURE, e->place, "there is no feature", e->name, near);
	return broken(b, e->place);
}

static struct expr *bind_size(struct binder *b, const struct expr *e, struct place at)
{
	if (!e)
		return expr_const(b->r->ctx, (uint64_t)b->r->m->width, at);
	if (e->op != EX_FAMILY)
		return bind(b, e);
	for (size_t i = 0; i < b->choice && e->kid[0]; i++)
		e = e->kid[0];
	return expr_const(b->r->ctx, e->value, e->place);
}

static struct expr *bind_mem(struct binder *b, const struct expr *e)
{
	struct expr *mem = leaf(b, EX_MEM, -1, e);

	mem->letter = e->letter;
	mem->any_address = e->any_address;
	mem->kid[0] = bind(b, e->kid[0]);
	mem->kid[1] = expr_fold(b->r->ctx, bind_size(b, e->kid[1], e->place), 64);
	if (e->kid[2]) {
		int o = find_operand(b->p, e->kid[2]->name);

		if (o < 0)
			return unknown_name(b, e->kid[2]);
		if (b->counting)
			b->used[o] = true;
		mem->kid[2] = leaf(b, EX_OPERAND, o, e->kid[2]);
	}
	return mem;
}

static struct expr *bind_operator(struct binder *b, const struct expr *e)
{
	struct expr *copy = leaf(b, e->op, -1, e);

	for (int i = 0; i < expr_kids(e->op); i++)
		copy->kid[i] = bind(b, e->kid[i]);
	return copy;
}

static struct expr *bind(struct binder *b, const struct expr *e)
{
	switch (e->op) {
	case EX_CONST: return expr_copy(b->r->ctx, e);
	case EX_NAME: return bind_name(b, e);
	case EX_INDEX: return bind_index(b, e);
	case EX_TEXT: return bind_register(b, e);
	case EX_LENGTH: return bind_length(b, e);
	case EX_FEATURE: return bind_feature(b, e);
	case EX_MEM: return bind_mem(b, e);
	case EX_MIN: case EX_MAX: case EX_POW2:
		fail(b->r, DIAG_TEMPLATE_ONLY, e->place, "`%s` is for templates: no instruction does it",
		     expr_op_text(e->op));
		return broken(b, e->place);
	default: return bind_operator(b, e);
	}
}

static struct expr *bind_folded(struct binder *b, const struct expr *e)
{
	return expr_fold(b->r->ctx, bind(b, e), BITS_OF(b));
}

static int bind_relation(struct binder *b, const struct cond *c)
{
	int o = find_operand(b->p, c->relname);

	if (o < 0 || b->p->operands[o].kind != OPERAND_RELATION) {
		fail(b->r, DIAG_NOT_PRINTED, c->lhs->place,
		     "relation `?%s` is asked, but no text prints {%s}", c->relname, c->relname);
		b->bad = true;
		return -1;
	}
	if (b->counting)
		b->used[o] = true;
	return o;
}

static struct cond *bind_cond(struct binder *b, const struct cond *from)
{
	struct cond *c;

	if (!from)
		return NULL;
	c = talloc(b->r->ctx, struct cond);
	*c = *from;
	c->relvar = from->relname ? bind_relation(b, from) : -1;
	c->lhs = bind_folded(b, from->lhs);
	c->rhs = bind_folded(b, from->rhs);
	return c;
}

/* `name == value` and `name = value` of a state: which, and the value's number. */
static bool bind_state(struct binder *b, const struct expr *name, const struct expr *value, struct action *ret)
{
	const struct state *s;
	struct near near = {0};

	if (!name || name->op != EX_NAME || find_operand(b->p, name->name) >= 0)
		return false;
	ret->index = machine_state(b->r->m, name->name);
	if (ret->index < 0)
		return false;
	s = &b->r->m->states[ret->index];
	ret->name = s->name;
	for (size_t i = 0; i < s->nvalues; i++) {
		if (value->op == EX_NAME && strcmp(value->name, s->values[i]) == 0) {
			ret->value = expr_const(b->r->ctx, i, value->place);
			return true;
		}
		near_add(b->r, &near, s->values[i]);
	}
	fail_unknown(b->r, DIAG_STATE_VALUE, value->place,
		     talloc_asprintf(b->r->ctx, "state `%s` has no value", s->name),
		     value->op == EX_NAME ? value->name : expr_print(b->r->ctx, NULL, NULL, value), near);
	ret->value = broken(b, value->place);
	return true;
}

static void bind_set(struct binder *b, const struct action *from, struct action *a)
{
	if (from->kind == ACT_SET && bind_state(b, from->target, from->value, a)) {
		a->kind = ACT_STATE;
		a->target = NULL;
		return;
	}
	a->target = bind(b, from->target);
	a->value = bind_folded(b, from->value);
	if (a->target->op == EX_OPERAND && b->p->operands[a->target->index].kind == OPERAND_IMM) {
		fail(b->r, DIAG_PLACE, from->target->place, "`%s` is a number, and can not be written",
		     from->target->name);
		note(b->r, b->p->operands[a->target->index].place, "it is printed here");
		b->bad = true;
	}
}

static void bind_need(struct binder *b, const struct action *from, struct action *a)
{
	const struct cond *c = from->cond;

	if (!bind_state(b, c->lhs, c->rhs, a)) {
		a->cond = bind_cond(b, c);
		return;
	}
	a->cond = NULL;
	if (c->relname || c->rel != REL_EQ) {
		fail(b->r, DIAG_NAME, from->place, "a state is asked with `==` only");
		b->bad = true;
	}
}

/* What an action goes to or calls must be printed: the assembler has to know it. */
static void bind_target_name(struct binder *b, const struct action *from)
{
	int o = find_operand(b->p, from->name);

	if (o < 0) {
		fail(b->r, DIAG_NOT_PRINTED, from->place, "`%s` is gone to, but no text prints {%s}",
		     from->name, from->name);
		b->bad = true;
	} else if (b->counting) {
		b->used[o] = true;
	}
}

static void bind_action(struct binder *b, const struct action *from, struct action *a)
{
	*a = *from;
	a->index = a->label = -1;
	switch (from->kind) {
	case ACT_SET:
	case ACT_STORE:
		bind_set(b, from, a);
		break;
	case ACT_HINT:
		a->target = bind(b, from->target);
		break;
	case ACT_GOTO:
		a->cond = bind_cond(b, from->cond);
		bind_target_name(b, from);
		break;
	case ACT_CALL:
		bind_target_name(b, from);
		break;
	case ACT_NEED:
		bind_need(b, from, a);
		break;
	case ACT_CLOBBER:
		a->value = NULL;
		register_set(b->r, from->value->name, from->value->place, &a->clobber, &b->p->needs_frame);
		break;
	default:
		break;
	}
	if (a->target && a->target->op == EX_MEM)
		a->target->kid[0] = expr_fold(b->r->ctx, a->target->kid[0], BITS_OF(b));
}

void bind_step(struct binder *b, const struct step *from, struct step *ret)
{
	ret->loop = bind_cond(b, from->loop);
	ret->acts = ARRAY_NEW(b->r->ctx, struct action, from->nacts);
	ret->nacts = from->nacts;
	for (size_t i = 0; i < from->nacts; i++)
		bind_action(b, &from->acts[i], &ret->acts[i]);
}
