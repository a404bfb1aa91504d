/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Programs built by hand for a machine made up here; for one file that includes it. */
#ifndef BY_HAND_H
#define BY_HAND_H

#include <cmocka.h>
#include <string.h>
#include <talloc.h>

#include "interp.h"
#include "ir.h"
#include "witness.h"

enum { D, S, N, A, B, C, T, KEPT, WIDE, NREGS };

static void *ctx;
static struct machine machine;
static struct reg regs[NREGS] = {
	{ "d", 8 }, { "s", 8 }, { "n", 8 }, { "a", 8 }, { "b", 8 }, { "c", 8 }, { "t", 8 }, { "kept", 8 }, { "wide", 16 },
};
static struct state states[1];
static struct pattern torn = { .tears = 8 }, whole_words;
static struct program *prog;

static int setup(void **state)
{
	(void)state;
	ctx = talloc_new(NULL);
	memset(&machine, 0, sizeof machine);
	machine.width = 8;
	machine.access = ACCESS_UNALIGNED;
	machine.fixup = FIXUP_RETRY;
	machine.granule = 4096;
	machine.regs = regs;
	machine.nregs = NREGS;
	machine.result = A;
	machine.zero = -1;
	machine.nstates = 1;
	machine.states = states;
	regset_add(&machine.kept, KEPT);
	whole_words = (struct pattern){ .aligned = 8 };
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	talloc_free(ctx);
	return 0;
}

static void begin(const char *name, bool src_user, bool dst_user)
{
	prog = talloc_zero(ctx, struct program);
	prog->machine = &machine;
	prog->insns = talloc_zero_array(prog, struct insn, 200);
	prog->labels = talloc_zero_array(prog, struct label, 50);
	prog->nlabels = 50;
	prog->info = (struct routine_info){ .name = name, .src_user = src_user, .dst_user = dst_user, .dst = D, .src = S,
					    .n = N, .value = -1 };
}

static struct place nowhere;

static struct expr *k(uint64_t v) { return expr_const(ctx, v, nowhere); }
static struct expr *r(int reg) { return expr_reg(ctx, reg, nowhere); }
static struct expr *op(enum expr_op o, struct expr *a, struct expr *b) { return expr_binary(ctx, o, a, b, nowhere); }
static struct expr *add(struct expr *a, struct expr *b) { return op(EX_ADD, a, b); }
static struct expr *sub(struct expr *a, struct expr *b) { return op(EX_SUB, a, b); }

static struct expr *mem(int length, struct expr *address)
{
	struct expr *e = expr_new(ctx, EX_MEM, nowhere);

	e->letter = ACCESS_ANY;
	e->kid[0] = address;
	e->kid[1] = k((uint64_t)length);
	return e;
}

/* A new instruction without actions; fixup: label, or -1. */
static struct insn *insn(int fixup)
{
	struct insn *i = &prog->insns[prog->ninsns++];

	memset(i, 0, sizeof *i);
	i->nsteps = 1;
	i->fixup[0] = fixup;
	i->slot = -1;
	i->steps[0].acts = talloc_zero_array(ctx, struct action, 20);
	return i;
}

static struct action *act(struct insn *i, enum action_kind kind)
{
	struct action *a = &i->steps[0].acts[i->steps[0].nacts++];

	a->kind = kind;
	a->index = -1;
	a->label = -1;
	return a;
}

static struct cond *cond(struct expr *a, enum relation rel, struct expr *b)
{
	struct cond *c = talloc_zero(ctx, struct cond);

	*c = (struct cond){ .rel = rel, .relvar = -1, .lhs = a, .rhs = b };
	return c;
}

static void put(struct insn *i, struct expr *target, struct expr *value)
{
	struct action *a = act(i, target->op == EX_MEM ? ACT_STORE : ACT_SET);

	a->target = target;
	a->value = value;
}

static struct insn *set(struct expr *target, struct expr *value, int fixup)
{
	struct insn *i = insn(fixup);

	put(i, target, value);
	return i;
}

static void jump(struct expr *a, enum relation rel, struct expr *b, int label)
{
	struct action *g = act(insn(-1), ACT_GOTO);

	g->cond = a ? cond(a, rel, b) : NULL;
	g->label = label;
}

static void at(int label) { prog->labels[label].at = (int)prog->ninsns; }
static void ret(void) { act(insn(-1), ACT_RETURN); }

/* Bytes, one at a time: labels `first` .. first + 2; the faults' way out is the result n. */
static void byte_loop(int first, int load_fixup, int store_fixup)
{
	at(first);
	jump(r(N), REL_EQ, k(0), first + 1);
	set(r(T), mem(1, r(S)), load_fixup);
	set(mem(1, r(D)), r(T), store_fixup);
	set(r(D), add(r(D), k(1)), -1);
	set(r(S), add(r(S), k(1)), -1);
	set(r(N), sub(r(N), k(1)), -1);
	jump(NULL, REL_EQ, NULL, first);
	at(first + 1);
	set(r(A), r(N), -1);
	ret();
}

#define SEARCH_STEPS 200000000u	/* of a thorough search */

struct tally { unsigned runs, wrong; enum verdict last; };

static bool count(void *arg, const struct interp_case *c, const struct interp_result *res)
{
	struct tally *t = arg;

	(void)c;
	t->runs++;
	if (res->verdict != RUN_OK) {
		t->wrong++;
		t->last = res->verdict;
	}
	return true;
}

static struct tally run_all(uint64_t n)
{
	struct tally t = { 0 };
	const char *why = NULL;
	struct interp *in = interp_new(ctx, prog, &why);

	assert_non_null(in);
	witness_each(in, prog, n, true, count, &t);
	return t;
}

static bool is_wrong(struct witness *ret)
{
	uint64_t steps = SEARCH_STEPS;

	return witness_search(ctx, prog, &steps, ret);
}

static struct witness wrong(enum verdict v)
{
	struct witness w;

	assert_true(is_wrong(&w));
	assert_int_equal(w.result.verdict, v);
	return w;
}

#endif
