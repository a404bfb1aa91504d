/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Resolving: one spec with one of everything, for three targets; folding; instances and what they are refused
 * for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "instantiate.h"
#include "parse.h"
#include "resolve.h"

static void *ctx;
static const struct machine *plain;

static struct machine *resolve(const char *target)
{
	struct diag *d = diag_new(ctx, 0);
	struct tree *t = parse_file(ctx, d, "tests/specs/resolve.spec");
	struct machine *m = t ? resolve_machine(ctx, d, t, "toy", target) : NULL;

	diag_flush(d, stderr, false, false);
	return m;
}

static int setup(void **state)
{
	(void)state;
	ctx = talloc_new(NULL);
	plain = resolve(NULL);
	return plain ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	talloc_free(ctx);
	return 0;
}

static const struct pattern *find(const struct machine *m, const char *start)
{
	for (size_t i = 0; i < m->npatterns; i++) {
		const struct text *t = &m->patterns[i].lines[0].text;

		if (t->nparts && t->parts[0].literal && strcmp(t->parts[0].literal, start) == 0)
			return &m->patterns[i];
	}
	return NULL;
}

static void assert_effect(const struct pattern *p, size_t line, const char *effect)
{
	assert_non_null(p);
	assert_string_equal(step_print(ctx, plain, p, &p->lines[line].step), effect);
}

static void facts(void **state)
{
	(void)state;
	assert_int_equal(plain->width, 4);
	assert_int_equal(plain->block_registers, 4);
	assert_int_equal(plain->update, UPDATE_EACH);
	assert_int_equal(plain->fixup, FIXUP_BOTH);
	assert_int_equal(plain->granularity, 4);
	assert_int_equal(plain->granule, 512);
	assert_int_equal(plain->order, BIG);
	assert_int_equal(plain->access, ACCESS_MIXED);
	assert_int_equal(plain->delay, 1);
	assert_string_equal(plain->fill, "nop");
	assert_int_equal(plain->slot_fault, SLOT_BRANCH);
	assert_int_equal(machine_tune(plain, "block"), 64);
	assert_int_equal(machine_tune(plain, "ahead"), 16);
	assert_int_equal(machine_tune(plain, "behind"), 3);
	assert_int_equal(machine_tune(plain, "none"), 0);
	assert_string_equal(plain->states[machine_state(plain, "fpu")].values[1], "on");
}

static void registers(void **state)
{
	int r4 = machine_reg(plain, "r4"), sar = machine_reg(plain, "sar");

	(void)state;
	assert_int_equal(plain->nclasses, 4);
	assert_int_equal(plain->classes[0].nregs, 9);
	assert_int_equal(machine_reg(plain, "b3"), machine_reg(plain, "r3"));
	assert_int_equal(machine_reg(plain, "sp"), -1);
	assert_int_equal(plain->regs[machine_reg(plain, "f1")].width, 8);
	assert_int_equal(class_position(&plain->classes[0], r4), 4);
	assert_int_equal(class_position(&plain->classes[0], sar), -1);
	assert_string_equal(reg_spelling(plain, machine_reg(plain, "r2"), machine_view(plain, "b")), "b2");
	assert_null(reg_spelling(plain, r4, machine_view(plain, "b")));
	assert_int_equal(plain->nargs, 3);
	assert_int_equal(plain->args[2], machine_reg(plain, "r2"));
	assert_int_equal(plain->zero, machine_reg(plain, "rz"));
	assert_int_equal(plain->nfree, 4);
	assert_int_equal(plain->nkeep, 4);
	assert_true(regset_has(&plain->kept, machine_reg(plain, "r6")));
	assert_false(regset_has(&plain->kept, r4));
	assert_int_equal(plain->nsaved, 1);
}

static void families(void **state)
{
	const struct pattern *w = find(plain, "ldw "), *h = find(plain, "ldh "), *b = find(plain, "ldb ");

	(void)state;
	assert_effect(w, 0, "a = M4[p + i]");
	assert_effect(h, 0, "a = M2[p + i]");
	assert_effect(b, 0, "a = M1[p + i]");
	assert_int_equal(b->lines[0].text.parts[1].view, machine_view(plain, "b"));
	assert_int_equal(w->lines[0].text.parts[1].view, -1);
	assert_int_equal(w->lines[0].text.parts[3].ranges.n, 2);
	assert_int_equal(h->lines[0].text.parts[3].ranges.v[0].lo, -4);
	assert_int_equal(find(plain, "stw ")->tears, 2);
	assert_int_equal(find(plain, "stb ")->aligned, 1);
	assert_int_equal(find(plain, "stf ")->tears, 4);		/* wider than the granularity */
}

static void ranges(void **state)
{
	const struct ranges *off = machine_range(plain, "off"), *mask = machine_range(plain, "mask");

	(void)state;
	assert_true(ranges_has(off, -8) && ranges_has(off, 4) && ranges_has(off, 100));
	assert_false(ranges_has(off, 1) || ranges_has(off, 12) || ranges_has(off, 99));
	assert_true(ranges_has(mask, 1) && ranges_has(mask, 0x7fffffff) && ranges_has(mask, -2) &&
		    ranges_has(mask, -4096));
	assert_false(ranges_has(mask, 0) || ranges_has(mask, 5) || ranges_has(mask, -1) ||
		     ranges_has(mask, -3));
	assert_false(ranges_has(mask, 0xffffffff));
}

static void prints(void **state)
{
	const struct pattern *p = find(plain, "ext ");
	const struct text_part *first = &p->lines[0].text.parts[5], *second = &p->lines[0].text.parts[7];
	int i = 2;
	int64_t imm;

	(void)state;
	assert_string_equal(p->operands[i].name, "i");
	assert_int_equal(p->operands[i].kind, OPERAND_IMM);
	assert_int_equal(printed_value(first, 5), 26);
	assert_int_equal(printed_value(second, 5), 27);
	assert_true(printed_inverse(first, 26, &imm));
	assert_int_equal(imm, 5);
	assert_true(imm_fits(plain, p, i, 31, &imm));
	assert_false(imm_fits(plain, p, i, 32, &imm));
	assert_false(imm_fits(plain, p, i, (uint64_t)-1, &imm));
	assert_int_equal(imm, 31);
}

static void wrapped_immediate(void **state)
{
	const struct pattern *p = find(plain, "and ");
	int64_t imm;

	(void)state;
	assert_true(imm_fits(plain, p, 2, 0xfffffff0, &imm));
	assert_int_equal(imm, -16);
	assert_false(imm_fits(plain, p, 2, 0xfffffff1, &imm));
}

static void operand_kinds(void **state)
{
	const struct pattern *branch = find(plain, "cmp "), *call = find(plain, "bl "),
			     *space = find(plain, "lds ");
	const struct pattern *ex = find(plain, "ex "), *list = find(plain, "ldm ");

	(void)state;
	assert_int_equal(branch->nlines, 2);
	assert_true(branch->slot);
	assert_int_equal(branch->lines[0].step.nacts, 0);
	assert_effect(branch, 1, "if a ?cc b goto L");
	assert_int_equal(branch->operands[2].kind, OPERAND_RELATION);
	assert_string_equal(branch->operands[2].relation->text[REL_GE], "hs");
	assert_int_equal(branch->operands[3].kind, OPERAND_LABEL);
	assert_int_equal(call->operands[0].kind, OPERAND_CALLEE);
	assert_true(call->needs_frame);
	assert_int_equal(space->operands[1].kind, OPERAND_SPACE);
	assert_int_equal(ex->operands[1].kind, OPERAND_POOL);
	assert_non_null(ex->pool);
	assert_int_equal(list->operands[1].kind, OPERAND_LIST);
	assert_int_equal(list->operands[1].list_max, 4);
	assert_int_equal(list->operands[1].list_order, LIST_ASCENDING);
}

static void distinct_operands(void **state)
{
	const struct pattern *list = find(plain, "ldm "), *halves = find(plain, "lo "),
			     *mv = find(plain, "mv ");
	const struct pattern *sub = find(plain, "sub ");

	(void)state;
	assert_int_equal(list->differ[0], 1 << 1);
	assert_int_equal(list->differ[1], 1 << 0);
	assert_int_equal(halves->differ[0], 1 << 1);
	assert_int_equal(mv->differ[0], 0);
	assert_int_equal(sub->differ[0], 1 << 2);	/* c is read again behind the line that writes a */
	assert_string_equal(action_print(ctx, plain, halves, &halves->as.acts[0]), "a = M4u[p]");
}

static void marks(void **state)
{
	(void)state;
	assert_non_null(find(plain, "turbo"));
	assert_null(
		find(plain,
		     "drag")); /* a feature that is decided when the routine runs is not there for certain */
	assert_null(find(plain, "tiny"));
	assert_null(find(plain, "last"));
	assert_non_null(find(plain, "first"));
	assert_non_null(find(plain, "home"));
	assert_null(find(plain, "away"));
	assert_true(machine_feature(plain, "quick"));
	assert_true(machine_feature(plain, "big"));
	assert_false(machine_feature(plain, "slow"));
	assert_false(machine_feature(plain, "little"));
}

static void plain_target(void **state)
{
	const struct target *t = &plain->target;

	(void)state;
	assert_string_equal(t->name, "plain");
	assert_string_equal(target_symbol(ctx, plain, "clear"), "toy_clear");
	assert_string_equal(target_symbol(ctx, plain, "copy"), "copy");
	assert_int_equal(t->nemit, 2);
	assert_string_equal(t->label.parts[0].literal, ".L");
	assert_int_equal(t->label.parts[1].operand, TEXT_FUNCTION);
	assert_int_equal(t->label.parts[3].operand, TEXT_NUMBER);
	assert_false(t->user_by_user);
	assert_true(t->retry);
	assert_int_equal(plain->call_enter.n, 1);
	assert_int_equal(plain->call_leave.n, 1);
	assert_int_equal(plain->call_saves, PARITY_EVEN);
	assert_int_equal(plain->stack_enter.n, 2);
	assert_int_equal(plain->stack_enter.v[1].parts[3].operand, TEXT_AT);
	assert_int_equal(printed_value(&plain->stack_enter.v[1].parts[3], 16), 24);
}

static void target_of_its_own(void **state)
{
	struct machine *m = resolve("linux");

	(void)state;
	assert_non_null(m);
	assert_true(m->target.user_by_user);
	assert_true(m->target.retry);
	assert_int_equal(m->nfree, 1);
	assert_string_equal(target_symbol(ctx, m, "copy"), "k_copy.copy");
	assert_string_equal(target_symbol(ctx, m, "clear"), "toy_clear");
	assert_int_equal(m->target.entry.v[0].nparts, 7);
	assert_string_equal(m->patterns[0].lines[0].text.parts[0].literal, "ldk ");
	assert_non_null(find(m, "away"));
	assert_null(find(m, "drag"));
	assert_true(machine_feature(m, "small"));	/* `feature small yes` applies that variant */
	assert_int_equal(m->order, LITTLE);
	assert_non_null(find(m, "mv2 "));
}

static void variant(void **state)
{
	struct machine *m = resolve("plain+small");

	(void)state;
	assert_non_null(m);
	assert_int_equal(m->order, LITTLE);
	assert_null(find(m, "mv "));
	assert_null(find(m, "ext "));
	assert_string_equal(m->patterns[0].lines[0].text.parts[0].literal, "mv2 ");
	assert_non_null(find(m, "tiny"));
	assert_non_null(find(m, "last"));
	assert_null(find(m, "first"));
	assert_null(find(m, "turbo"));			/* the variant's own `plain` does not ask for it */
	assert_int_equal(machine_range(m, "off")->v[0].hi, 3);
	assert_string_equal(m->target.label.parts[0].literal, "s");
}

static void unknown(void **state)
{
	(void)state;
	assert_null(resolve("solaris"));
	assert_null(resolve("plain+large"));
}

static const char *refusal(const struct pattern *p, const union operand_value *v)
{
	const char *why = NULL;
	struct step steps[LINES_MAX];
	bool fits = operands_fit(ctx, plain, p, v, &why);

	assert_int_equal(fits, why == NULL);
	assert_int_equal(instantiate(ctx, plain, p, v, steps), fits);
	return why ? why : "";
}

static void assert_instance(const struct pattern *p, const union operand_value *v, size_t line,
			    const char *effect)
{
	struct step steps[LINES_MAX];

	assert_true(instantiate(ctx, plain, p, v, steps));
	assert_string_equal(step_print(ctx, plain, NULL, &steps[line]), effect);
}

static int reg(const char *name)
{
	return machine_reg(plain, name);
}

static void instances(void **state)
{
	int list[] = { reg("r3"), reg("r4"), reg("r5") };
	union operand_value ldm[] = { { .reg = reg("r1") }, { .list = { list, 3 } } };
	union operand_value ldw[] = { { .reg = reg("r3") }, { .imm = -8 }, { .reg = reg("r1") } };
	union operand_value mv[] = { { .reg = reg("r3") }, { .reg = reg("rz") } };
	union operand_value lds[] = { { .reg = reg("r3") }, { .symbol = "s1" }, { .reg = reg("r0") } };
	union operand_value branch[] = {
		{.reg = reg("r3")}, {.reg = reg("rz")}, {.rel = REL_LT}, {.label = 7}};
	union operand_value exi[] = { { .imm = 15 }, { .reg = reg("r0") } };
	struct step steps[LINES_MAX];

	(void)state;
	assert_instance(find(plain, "ldm "), ldm, 0,
			"`r3` = M4[`r1`]; `r4` = M4[`r1` + 4]; `r5` = M4[`r1` + 8]; `r1` = `r1` + 12");
	assert_instance(find(plain, "ldw "), ldw, 0, "`r3` = M4[`r1` - 8]");
	assert_instance(find(plain, "mv "), mv, 0, "`r3` = 0");
	assert_instance(find(plain, "lds "), lds, 0, "`r3` = M4[`s1`: `r0`]");
	assert_instance(find(plain, "exi "), exi, 0, "M16[`r0`] = 0");		/* its need is met, and gone */
	assert_instance(find(plain, "cmp "), branch, 1, "if `r3` < 0 goto label 7");
	assert_true(instantiate(ctx, plain, find(plain, "cmp "), branch, steps));
	assert_int_equal(steps[0].nacts, 0);
	assert_int_equal(steps[1].acts[0].label, 7);
}

static void negated_relation(void **state)
{
	const struct pattern *p = NULL;
	union operand_value v[] = {{.rel = REL_LT}, {.reg = reg("r3")}, {.reg = reg("r4")}, {.label = 2}};

	(void)state;
	for (size_t i = 0; i < plain->npatterns; i++)
		if (plain->patterns[i].noperands == 4 &&
		    plain->patterns[i].operands[0].kind == OPERAND_RELATION)
			p = &plain->patterns[i];
	assert_non_null(p);
	assert_instance(p, v, 1, "if `r3` >= `r4` goto label 2; clobber t0");
	v[1].reg = reg("t0");
	assert_string_equal(refusal(p, v), "`a` is no register of its class and views");
}

static void refusals(void **state)
{
	int falling[] = {reg("r4"), reg("r3")}, with_base[] = {reg("r1"), reg("r3")},
	    gap[] = {reg("r3"), reg("r5")};
	const struct pattern *ldm = find(plain, "ldm "), *stm = find(plain, "stm "), *ldb = find(plain, "ldb ");
	union operand_value list[] = { { .reg = reg("r1") }, { .list = { falling, 2 } } };
	union operand_value load[] = { { .reg = reg("r5") }, { .imm = 0 }, { .reg = reg("r1") } };
	union operand_value exi[] = { { .imm = 256 }, { .reg = reg("r0") } };
	union operand_value branch[] = {
		{.reg = reg("r3")}, {.reg = reg("r4")}, {.rel = REL_SLT}, {.label = 0}};

	(void)state;
	assert_string_equal(refusal(ldm, list),
			    "`a` is not a list of the length and order that the text takes");
	list[1].list.regs = with_base;
	assert_string_equal(refusal(ldm, list), "`a` must be another register than `p`");
	list[1].list.n = 1;
	assert_string_equal(refusal(ldm, list),
			    "`a` is not a list of the length and order that the text takes");
	list[1].list.regs = gap;
	list[1].list.n = 2;
	assert_string_equal(refusal(ldm, list), "");
	assert_string_equal(refusal(stm, list),
			    "`a` is not a list of the length and order that the text takes");
	assert_string_equal(refusal(ldb, load), "`a` is no register of its class and views");
	load[0].reg = reg("r3");
	assert_string_equal(refusal(ldb, load), "");
	load[1].imm = 100;
	assert_string_equal(refusal(ldb, load), "`i` is out of range");
	assert_string_equal(refusal(find(plain, "exi "), exi), "it does not meet `need i <= 255`");
	assert_string_equal(refusal(find(plain, "cmp "), branch), "`cc` is a relation that has no text");
}

static struct expr *number(uint64_t v)
{
	return expr_const(ctx, v, (struct place){ 0 });
}

static struct expr *two(enum expr_op op, struct expr *a, struct expr *b)
{
	return expr_binary(ctx, op, a, b, (struct place){ 0 });
}

static const char *folded(struct expr *e, int bits)
{
	return expr_print(ctx, plain, NULL, expr_fold(ctx, e, bits));
}

static void folding(void **state)
{
	struct expr *r = expr_reg(ctx, reg("r1"), (struct place){ 0 });

	(void)state;
	assert_string_equal(folded(two(EX_SHR, number((uint64_t)-1), number(4)), 32), "268435455");
	assert_string_equal(folded(two(EX_SHL, number(1), number(31)), 32), "-2147483648");
	assert_string_equal(folded(two(EX_SHL, number(1), number(32)), 32), "0");
	assert_string_equal(folded(two(EX_SHL, number(1), number(32)), 64), "4294967296");
	assert_string_equal(folded(two(EX_MOD, number((uint64_t)-2), number(8)), 64), "6");
	assert_string_equal(folded(two(EX_DIV, number(1), number(0)), 64), "1 / 0");
	assert_string_equal(folded(two(EX_SUB, two(EX_ADD, r, number(8)), number(12)), 32), "`r1` - 4");
	assert_string_equal(folded(two(EX_ADD, number(3), two(EX_ADD, r, number((uint64_t)-3))), 32), "`r1`");
	assert_string_equal(folded(two(EX_AND, r, number(0xffffffff)), 32), "`r1`");
	assert_string_equal(folded(two(EX_AND, r, number(0xffffffff)), 64), "`r1` & 4294967295");
	assert_string_equal(folded(two(EX_MUL, two(EX_ADD, r, number(1)), number(4)), 32), "(`r1` + 1) * 4");
}

static void operators(void **state)
{
	uint64_t funnel[] = { 0x11223344, 0x55667788, 8 }, zero[] = { 1, 2, 0 }, sx[] = { 0x8080, 1, 0 }, v;

	(void)state;
	assert_true(expr_apply(EX_FUNNEL, funnel, 32, &v) && v == 0x44556677);
	assert_true(expr_apply(EX_FUNNEL, zero, 32, &v) && v == 2);
	funnel[2] = 32;
	assert_false(expr_apply(EX_FUNNEL, funnel, 32, &v));
	assert_true(expr_apply(EX_SX, sx, 32, &v) && v == (uint64_t)-128);
	assert_true(expr_apply(EX_REP, sx, 32, &v) && v == const_wrap(0x80808080, 32));
	assert_true(expr_apply(EX_POW2, sx, 64, &v) && v == 0x8000);
	assert_true(relation_holds(REL_LT, 1, (uint64_t)-1, 32));
	assert_false(relation_holds(REL_SLT, 1, 0xffffffff, 32));
	assert_true(relation_holds(REL_EQ, 0xffffffff, (uint64_t)-1, 32));
	for (int rel = 0; rel < REL_COUNT; rel++) {
		assert_int_equal(relation_inverse(relation_inverse((enum relation)rel)), rel);
		assert_int_equal(relation_swap(relation_swap((enum relation)rel)), rel);
		assert_int_equal(relation_holds((enum relation)rel, 3, 5, 64),
				 relation_holds(relation_swap((enum relation)rel), 5, 3, 64));
		assert_int_not_equal(relation_holds((enum relation)rel, 3, 5, 64),
				     relation_holds(relation_inverse((enum relation)rel), 3, 5, 64));
	}
}

static void same_twice(void **state)
{
	struct machine *again = resolve("plain");

	(void)state;
	assert_int_equal(again->npatterns, plain->npatterns);
	for (size_t i = 0; i < again->npatterns; i++) {
		const struct pattern *a = &again->patterns[i], *b = &plain->patterns[i];

		assert_int_equal(a->number, (int)i);
		for (size_t k = 0; k < a->nlines; k++)
			assert_string_equal(step_print(ctx, again, a, &a->lines[k].step),
					    step_print(ctx, plain, b, &b->lines[k].step));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(facts),
		cmocka_unit_test(registers),
		cmocka_unit_test(families),
		cmocka_unit_test(ranges),
		cmocka_unit_test(prints),
		cmocka_unit_test(wrapped_immediate),
		cmocka_unit_test(operand_kinds),
		cmocka_unit_test(distinct_operands),
		cmocka_unit_test(marks),
		cmocka_unit_test(plain_target),
		cmocka_unit_test(target_of_its_own),
		cmocka_unit_test(variant),
		cmocka_unit_test(unknown),
		cmocka_unit_test(instances),
		cmocka_unit_test(negated_relation),
		cmocka_unit_test(refusals),
		cmocka_unit_test(folding),
		cmocka_unit_test(operators),
		cmocka_unit_test(same_twice),
	};

	return cmocka_run_group_tests_name("resolve", tests, setup, teardown);
}
