/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "assign.h"

#include <talloc.h>

#include "lower.h"

static struct expr *leaf(struct emitter *em, enum expr_op op, int reg, int64_t value)
{
	struct expr *e = talloc_zero(em->ctx, struct expr);

	e->op = op;
	e->index = reg;
	e->value = (uint64_t)value;
	return e;
}

static struct expr *binary(struct emitter *em, enum expr_op op, struct expr *a, struct expr *b)
{
	struct expr *e = leaf(em, op, 0, 0);

	e->kid[0] = a;
	e->kid[1] = b;
	return e;
}

/* What a fixup does, in words that are the same for all registers. */
static const char *wanted(struct emitter *em, const struct action *a)
{
	const struct expr *e = a->value;

	if (a->kind != ACT_SET)
		return "jumps";
	switch (e->op) {
	case EX_CONST:
		return "puts a number into a register";
	case EX_REG:
		return "copies a register";
	case EX_SUB:
		return e->kid[0]->op == EX_REG ? "subtracts a register from another" : "negates a register";
	default:
		return e->kid[1]->op == EX_REG ? "adds two registers" :
		       talloc_asprintf(em->ctx, "adds %lld to a register", (long long)e->kid[1]->value);
	}
}

static void fail(struct emitter *em)
{
	diag_note(em->diag, em->site, "after a fault in the access here");
	em->failed = true;
}

static void emit(struct emitter *em, const struct action *a, struct regset scratch)
{
	const char *what = talloc_asprintf(em->ctx, "%s, which a fixup needs", wanted(em, a));

	if (!em->failed && !lower_acts(em->ctx, em->diag, em->p, a, 1, scratch, em->place, what))
		fail(em);
}

static void set(struct emitter *em, int reg, struct expr *value, struct regset scratch)
{
	struct action a = { .kind = ACT_SET, .index = -1, .label = -1, .target = leaf(em, EX_REG, reg, 0), .value = value };

	emit(em, &a, scratch);
}

void emit_goto(struct emitter *em, int label)
{
	struct action a = { .kind = ACT_GOTO, .index = -1, .label = label };

	emit(em, &a, (struct regset){ { 0 } });
}

void emit_leave(struct emitter *em, const struct regset *frame)
{
	struct action a = { .kind = ACT_LEAVE, .index = -1, .label = -1, .clobber = *frame };

	emit(em, &a, (struct regset){ { 0 } });
}

int emit_label(struct emitter *em)
{
	int label = program_label(em->p, NULL);

	label_here(em->p, label);
	return label;
}

/* The term to start with: reg's own old value, which is gone after the first addition; else one that is added. */
static int first_term(const struct sum *s, int reg)
{
	int first = -1;

	for (int i = s->n; i-- > 0;)
		if (s->sign[i] > 0 && (first < 0 || s->reg[first] != reg))
			first = i;
	return sum_sign(s, reg) < 0 ? -1 : first;
}

/* reg := s, one addition at a time. */
static void set_sum(struct emitter *em, int reg, const struct sum *s, struct regset scratch)
{
	int first = first_term(s, reg);
	struct expr *e = leaf(em, EX_CONST, 0, 0);

	if (first >= 0)
		e = leaf(em, EX_REG, s->reg[first], 0);
	if (s->n == 0 || (s->n == 1 && first >= 0 && s->c == 0)) {
		if (!s->n || s->reg[0] != reg)
			set(em, reg, s->n ? e : leaf(em, EX_CONST, 0, s->c), scratch);
		return;
	}
	/* An own value that is subtracted must be read by the first step. */
	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < s->n; i++) {
			struct expr *r = leaf(em, EX_REG, s->reg[i], 0);

			if (i == first || (s->reg[i] == reg) == pass)
				continue;
			set(em, reg, binary(em, s->sign[i] < 0 ? EX_SUB : EX_ADD, e, r), scratch);
			e = leaf(em, EX_REG, reg, 0);
		}
	if (s->c)
		set(em, reg, binary(em, EX_ADD, e, leaf(em, EX_CONST, 0, s->c)), scratch);
}

static bool is_read(const struct assignment *v, int n, int self, int reg)
{
	for (int i = 0; i < n; i++)
		if (i != self && !v[i].done && sum_sign(&v[i].sum, reg))
			return true;
	return false;
}

static int take_scratch(struct regset *scratch, const struct assignment *v, int n)
{
	for (int r = 0; r < 256; r++)
		if (regset_has(scratch, r) && !is_read(v, n, -1, r)) {
			regset_del(scratch, r);
			return r;
		}
	return -1;
}

/* Two sums that both have x - y, or one y - x: computed once into a scratch register. */
static bool share(struct emitter *em, struct assignment *a, struct assignment *b, int x, int y, int t, struct regset scratch)
{
	struct sum diff = sum_pair(x, 1, y, -1), plus = sum_pair(t, 1, y, 1), sa, sb;

	if (!sum_substitute(&a->sum, x, &plus, &sa) || !sum_substitute(&b->sum, x, &plus, &sb))
		return false;
	set_sum(em, t, &diff, scratch);
	a->sum = sa;
	b->sum = sb;
	return true;
}

/* The first difference that two of the sums share; true when one was shared. */
static bool share_some(struct emitter *em, struct assignment *v, int n, struct regset *scratch)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			for (int a = 0; a < v[i].sum.n; a++)
				for (int b = 0; b < v[i].sum.n; b++) {
					int x = v[i].sum.reg[a], y = v[i].sum.reg[b], t;

					if (i == j || v[i].sum.n < 3 || v[j].sum.n < 3 || v[i].sum.sign[a] < 0 || v[i].sum.sign[b] > 0 ||
					    sum_sign(&v[j].sum, x) * sum_sign(&v[j].sum, y) != -1)
						continue;
					t = take_scratch(scratch, v, n);
					return t >= 0 && share(em, &v[i], &v[j], x, y, t, *scratch);
				}
	return false;
}

/* One assignment whose register no other pending one reads; false when there is a cycle. */
static bool step(struct emitter *em, struct assignment *v, int n, struct regset scratch)
{
	for (int i = 0; i < n; i++)
		if (!v[i].done && !is_read(v, n, i, v[i].reg)) {
			set_sum(em, v[i].reg, &v[i].sum, scratch);
			v[i].done = true;
			return true;
		}
	return false;
}

/* Saves the old value of one pending register, and lets the others read it there. */
static void break_cycle(struct emitter *em, struct assignment *v, int n, struct regset *scratch)
{
	int i = 0, t = take_scratch(scratch, v, n);
	struct sum from, to;

	while (v[i].done)
		i++;
	if (t < 0) {
		diag_error(em->diag, DIAG_NO_RESUME, em->place, "no register is left to put the cursors in place after a fault");
		fail(em);
		return;
	}
	from = sum_of_reg(v[i].reg);
	to = sum_of_reg(t);
	set_sum(em, t, &from, *scratch);
	for (int k = 0; k < n; k++)
		if (k != i && !v[k].done)
			sum_substitute(&v[k].sum, v[i].reg, &to, &v[k].sum);
}

void assign_all(struct emitter *em, struct assignment *v, int n, struct regset scratch)
{
	bool pending = true;

	for (int i = 0; i < n; i++)
		regset_del(&scratch, v[i].reg);
	while (share_some(em, v, n, &scratch))
		continue;
	while (pending && !em->failed) {
		if (!step(em, v, n, scratch))
			break_cycle(em, v, n, &scratch);
		pending = false;
		for (int i = 0; i < n; i++)
			pending |= !v[i].done;
	}
}
