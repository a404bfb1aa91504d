/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Effects as a spec writes them. */
#include "ir.h"
#include "machine.h"

#include <inttypes.h>
#include <talloc.h>

struct printer {
	char *s;
	const struct machine *m;
	const struct pattern *p;
};

static void put(struct printer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct printer *w, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	w->s = talloc_vasprintf_append_buffer(w->s, format, ap);
	va_end(ap);
}

/* How tightly an operator binds; what binds less than its surroundings is put into parentheses. */
static int binding(enum expr_op op)
{
	switch (op) {
	case EX_OR: return 1;
	case EX_XOR: return 2;
	case EX_AND: return 3;
	case EX_SHL: case EX_SHR: return 4;
	case EX_ADD: case EX_SUB: return 5;
	case EX_MUL: case EX_DIV: case EX_MOD: return 6;
	case EX_NEG: case EX_NOT: return 7;
	default: return 8;
	}
}

static void put_expr(struct printer *w, const struct expr *e, int outside);

static void put_const(struct printer *w, uint64_t value, int outside)
{
	int64_t v = (int64_t)value;

	if (v < 0 && outside > 6)
		put(w, "(%" PRId64 ")", v);
	else
		put(w, "%" PRId64, v);
}

static const char *operand_name(const struct printer *w, int index)
{
	if (w->p && index >= 0 && (size_t)index < w->p->noperands)
		return w->p->operands[index].name;
	return talloc_asprintf(w->s, "operand%d", index);
}

static void put_mem(struct printer *w, const struct expr *e)
{
	put(w, "%c", (char)e->letter);
	if (e->kid[1] && e->kid[1]->op == EX_CONST)
		put(w, "%" PRIu64, e->kid[1]->value);
	put(w, "%s%s", e->any_address ? "u" : "", e->past_caches ? "n" : "");
	if (e->kid[1] && e->kid[1]->op != EX_CONST) {
		put(w, "(");
		put_expr(w, e->kid[1], 0);
		put(w, ")");
	}
	put(w, "[");
	if (e->kid[2]) {
		put_expr(w, e->kid[2], 0);
		put(w, ": ");
	}
	put_expr(w, e->kid[0], 0);
	put(w, "]");
}

static void put_reg(struct printer *w, int reg)
{
	if (w->m && reg >= 0 && (size_t)reg < w->m->nregs)
		put(w, "`%s`", w->m->regs[reg].name);
	else
		put(w, "`register %d`", reg);
}

static void put_leaf(struct printer *w, const struct expr *e, int outside)
{
	switch (e->op) {
	case EX_CONST: put_const(w, e->value, outside); break;
	case EX_TEXT: put(w, "`%s`", e->name); break;
	case EX_REG: put_reg(w, e->index); break;
	case EX_OPERAND: put(w, "%s", operand_name(w, e->index)); break;
	case EX_K: put(w, "k"); break;
	case EX_LENGTH: put(w, "len(%s)", e->index < 0 ? e->name : operand_name(w, e->index)); break;
	case EX_FEATURE: put(w, "feature %s", e->name); break;
	case EX_FAMILY: put(w, "%" PRIu64 ",..", e->value); break;
	case EX_INDEX:
	case EX_ELEMENT:
		put(w, "%s[", e->op == EX_INDEX ? e->name : operand_name(w, e->index));
		put_expr(w, e->kid[0], 0);
		put(w, "]");
		break;
	default: put(w, "%s", e->name ? e->name : "?"); break;
	}
}

static void put_call(struct printer *w, const struct expr *e)
{
	put(w, "%s(", expr_op_text(e->op));
	for (int i = 0; i < expr_kids(e->op); i++) {
		put(w, "%s", i ? ", " : "");
		put_expr(w, e->kid[i], 0);
	}
	put(w, ")");
}

static void put_operator(struct printer *w, const struct expr *e, int outside)
{
	int own = binding(e->op);

	put(w, "%s", own < outside ? "(" : "");
	if (expr_kids(e->op) == 1) {
		put(w, "%s", expr_op_text(e->op));
		put_expr(w, e->kid[0], own + 1);
	} else if (e->op == EX_ADD && e->kid[1]->op == EX_CONST && (int64_t)e->kid[1]->value < 0) {
		put_expr(w, e->kid[0], own);
		put(w, " - %" PRIu64, -e->kid[1]->value);
	} else {
		put_expr(w, e->kid[0], own);
		put(w, " %s ", expr_op_text(e->op));
		put_expr(w, e->kid[1], own + 1);
	}
	put(w, "%s", own < outside ? ")" : "");
}

static void put_expr(struct printer *w, const struct expr *e, int outside)
{
	if (!e)
		put(w, "?");
	else if (e->op == EX_MEM)
		put_mem(w, e);
	else if (binding(e->op) < 8)
		put_operator(w, e, outside);
	else if (e->op >= EX_MIN && e->op <= EX_REP)
		put_call(w, e);
	else
		put_leaf(w, e, outside);
}

static void put_cond(struct printer *w, const struct cond *c)
{
	if (c->lhs->op == EX_FEATURE) {
		put(w, "%sfeature %s", c->rel == REL_EQ ? "not " : "", c->lhs->name);
		return;
	}
	put(w, "%s", c->negated ? "not " : "");
	put_expr(w, c->lhs, 0);
	if (c->relname || c->relvar >= 0)
		put(w, " ?%s ", c->relname ? c->relname : operand_name(w, c->relvar));
	else
		put(w, " %s ", relation_text(c->rel));
	put_expr(w, c->rhs, 0);
}

static void put_state(struct printer *w, const struct action *a, const char *between)
{
	const struct state *s = w->m && a->index >= 0 ? &w->m->states[a->index] : NULL;

	if (s && a->value && a->value->op == EX_CONST && a->value->value < s->nvalues) {
		put(w, "%s %s %s", s->name, between, s->values[a->value->value]);
		return;
	}
	put(w, "%s %s ", a->name ? a->name : "state", between);
	put_expr(w, a->value, 0);
}

static void put_goto(struct printer *w, const struct action *a)
{
	if (a->cond) {
		put(w, "if ");
		put_cond(w, a->cond);
		put(w, " ");
	}
	put(w, "%s ", a->jump ? "jump" : "goto");
	if (a->name)
		put(w, "%s", a->name);
	else
		put(w, "label %d", a->label);
}

static void put_clobber(struct printer *w, const struct action *a)
{
	if (!w->m) {
		put(w, " %s", a->value && a->value->name ? a->value->name : "..");
		return;
	}
	for (size_t i = 0; i < w->m->nregs; i++)
		if (regset_has(&a->clobber, (int)i))
			put(w, " %s", w->m->regs[i].name);
}

static void put_action(struct printer *w, const struct action *a)
{
	switch (a->kind) {
	case ACT_SET:
	case ACT_STORE:
		put_expr(w, a->target, 0);
		put(w, " = ");
		put_expr(w, a->value, 0);
		break;
	case ACT_GOTO: put_goto(w, a); break;
	case ACT_RETURN: put(w, "return"); break;
	case ACT_CALL: put(w, "call %s", a->callee ? a->callee->name : a->name); break;
	case ACT_HINT:
		put(w, "hint ");
		put_expr(w, a->target, 0);
		break;
	case ACT_FENCE: put(w, "fence"); break;
	case ACT_STATE: put_state(w, a, "="); break;
	case ACT_NEED:
		put(w, "need ");
		if (a->cond)
			put_cond(w, a->cond);
		else
			put_state(w, a, "==");
		break;
	case ACT_CLOBBER: put(w, "clobber"); put_clobber(w, a); break;
	case ACT_ENTER: put(w, "enter"); put_clobber(w, a); break;
	case ACT_LEAVE: put(w, "leave"); put_clobber(w, a); break;
	}
}

static struct printer printer_new(void *ctx, const struct machine *m, const struct pattern *p)
{
	return (struct printer){.s = talloc_strdup(ctx, ""), .m = m, .p = p};
}

const char *expr_print(void *ctx, const struct machine *m, const struct pattern *p, const struct expr *e)
{
	struct printer w = printer_new(ctx, m, p);

	put_expr(&w, e, 0);
	return w.s;
}

const char *action_print(void *ctx, const struct machine *m, const struct pattern *p, const struct action *a)
{
	struct printer w = printer_new(ctx, m, p);

	put_action(&w, a);
	return w.s;
}

const char *step_print(void *ctx, const struct machine *m, const struct pattern *p, const struct step *s)
{
	struct printer w = printer_new(ctx, m, p);

	if (s->loop) {
		put(&w, "while ");
		put_cond(&w, s->loop);
		put(&w, " { ");
	}
	for (size_t i = 0; i < s->nacts; i++) {
		put(&w, "%s", i ? "; " : "");
		put_action(&w, &s->acts[i]);
	}
	put(&w, "%s", s->loop ? " }" : "");
	return w.s;
}
