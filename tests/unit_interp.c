/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The interpreter and the search for wrong examples, on programs built by hand for a machine made up here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>
#include <talloc.h>
#include <time.h>

#include "by_hand.h"

static void right_bytes(void **state)
{
	(void)state;
	begin("copy_to_user", false, true);
	byte_loop(0, -1, 1);
	for (uint64_t n = 0; n < 30; n++) {
		struct tally t = run_all(n);

		assert_true(t.runs >= 256 + 16 * n);
		assert_int_equal(t.wrong, 0);
	}
	begin("copy_in_user", true, true);
	byte_loop(0, 1, 1);
	assert_int_equal(run_all(12).wrong, 0);
}

static void wrong_bytes(void **state)
{
	struct witness w;

	(void)state;
	/* The fixup believes that nothing was copied. */
	begin("copy_to_user", false, true);
	set(r(C), r(N), -1);
	byte_loop(0, -1, 2);
	at(2);
	set(r(A), r(C), -1);
	ret();
	w = wrong(RUN_RESIDUAL);
	assert_string_equal(witness_text(ctx, &w),
			    "copy_to_user, n = 2, the 1st store faults: returns 2, but 1 byte was written, 1 is right");
	assert_int_equal(w.result.last.insn, 3);
	/* No site. */
	begin("copy_to_user", false, true);
	byte_loop(0, -1, -1);
	wrong(RUN_NO_SITE);
	/* One byte too many is read, and none of the aligned word's neighbours is excuse enough. */
	begin("copy_to_user", false, true);
	set(r(T), mem(1, add(r(S), r(N))), -1);
	byte_loop(0, -1, 1);
	w = wrong(RUN_STRAY_LOAD);
	assert_int_equal(w.c.n, 0);
	assert_int_equal(w.result.at, 0);
	/* A kept register. */
	begin("copy_to_user", false, true);
	set(r(KEPT), add(r(KEPT), k(1)), -1);
	byte_loop(0, -1, 1);
	w = wrong(RUN_KEPT);
	assert_string_equal(witness_text(ctx, &w), "copy_to_user, n = 0: kept is not as at entry");
	begin("copy_to_user", false, true);
	byte_loop(0, -1, 0);
	wrong(RUN_AWAY);
	begin("copy_to_user", false, true);
	byte_loop(0, -1, 1);
	prog->ninsns--;
	wrong(RUN_OFF_END);
}

static void pair(bool store, int offset, int fixup)
{
	struct insn *i = insn(fixup);

	for (int half = 0; half < 2; half++) {
		int x = half ? B : A;
		struct expr *m = mem(8, add(r(store ? D : S), k((uint64_t)(offset + 8 * half))));

		put(i, store ? m : r(x), store ? r(x) : m);
	}
	if (store)
		i->pattern = &torn;
}

/* Blocks of 64 bytes, moved by pairs, the pointers once a block; the fixup at label 5. */
static void blocks(void)
{
	/* the destination is aligned to 16 by bytes first */
	set(r(C), op(EX_AND, sub(k(0), r(D)), k(15)), -1);
	jump(r(N), REL_LT, k(128), 2);
	at(3);
	jump(r(C), REL_EQ, k(0), 4);
	set(r(T), mem(1, r(S)), -1);
	set(mem(1, r(D)), r(T), 1);
	set(r(D), add(r(D), k(1)), -1);
	set(r(S), add(r(S), k(1)), -1);
	set(r(N), sub(r(N), k(1)), -1);
	set(r(C), sub(r(C), k(1)), -1);
	jump(NULL, REL_EQ, NULL, 3);
	at(4);
	jump(r(N), REL_LT, k(64), 2);
	for (int i = 0; i < 64; i += 16) {
		pair(false, i, -1);
		pair(true, i, 5);
	}
	set(r(D), add(r(D), k(64)), -1);
	set(r(S), add(r(S), k(64)), -1);
	set(r(N), sub(r(N), k(64)), -1);
	jump(NULL, REL_EQ, NULL, 4);
	at(2);
	byte_loop(0, -1, 1);
}

static void block_update(void **state)
{
	struct witness w;

	(void)state;
	begin("copy_to_user", false, true);
	blocks();
	at(5);
	set(r(A), r(N), -1);
	ret();
	w = wrong(RUN_RESIDUAL);
	assert_string_equal(witness_text(ctx, &w), "copy_to_user, n = 128, the 4th store faults: returns 128, "
						   "but 48 bytes were written, 80 is right");
	assert_int_equal(w.result.written, 48);
	/* With a retry it is right, torn or not. */
	begin("copy_to_user", false, true);
	blocks();
	prog->labels[5].at = prog->labels[0].at;
	for (uint64_t n = 120; n < 150; n += 4)
		assert_int_equal(run_all(n).wrong, 0);
	assert_false(is_wrong(&w));
}

/* What a torn store leaves shows only when the fixup trusts a constant. */
static void torn_stores(void **state)
{
	struct interp_case c = { .n = 16, .dst = { -8, 0, 8192 }, .src = { -64, 0, 0 } };
	struct interp_result res;
	struct interp *in;

	(void)state;
	begin("copy_to_user", false, true);
	jump(r(N), REL_NE, k(16), 0);
	pair(false, 0, -1);
	pair(true, 0, 3);
	set(r(A), k(0), -1);
	ret();
	at(3);
	set(r(A), r(N), -1);
	ret();
	byte_loop(0, -1, 1);
	in = interp_new(ctx, prog, NULL);
	interp_run(in, &c, &res);
	assert_int_equal(res.verdict, RUN_NO_PROGRESS);
	assert_true(res.torn);
	assert_int_equal(res.accessible, 8);
	c.tear = TEAR_ALL;
	interp_run(in, &c, &res);
	assert_int_equal(res.verdict, RUN_RESIDUAL);
	assert_int_equal(res.written, 8);
	/* a hole: its first bytes can't be accessed, the second unit could be */
	c.dst = (struct interp_side){ -8, -4096, 0 };
	interp_run(in, &c, &res);
	assert_int_equal(res.verdict, RUN_OK);
	assert_false(res.behind);
	torn.tears_any = true;
	in = interp_new(ctx, prog, NULL);
	c.tear = TEAR_BEHIND;
	interp_run(in, &c, &res);
	assert_int_equal(res.verdict, RUN_PAST);
	c.tear = TEAR_LAST;
	interp_run(in, &c, &res);
	assert_int_equal(res.verdict, RUN_PAST);
	torn.tears_any = false;
}

static struct insn *string_move(int unit, int fixup)
{
	struct insn *i = insn(fixup);

	i->steps[0].loop = cond(r(N), REL_NE, k(0));
	put(i, mem(unit, r(D)), mem(unit, r(S)));
	put(i, r(D), add(r(D), k((uint64_t)unit)));
	put(i, r(S), add(r(S), k((uint64_t)unit)));
	put(i, r(N), sub(r(N), k(1)));
	return i;
}

static void string_instruction(void **state)
{
	struct witness w;

	(void)state;
	begin("copy_in_user", true, true);
	string_move(1, 1);
	at(1);
	set(r(A), r(N), -1);
	ret();
	for (uint64_t n = 0; n < 40; n++)
		assert_int_equal(run_all(n).wrong, 0);
	/* The count after a fault is taken for one less. */
	begin("copy_in_user", true, true);
	string_move(1, 1);
	set(r(A), r(N), -1);
	ret();
	at(1);
	set(r(A), sub(r(N), k(1)), -1);
	ret();
	w = wrong(RUN_RESIDUAL);
	assert_int_equal(w.c.n, 1);
	assert_int_equal(w.result.returned + 1, w.right);
}

static void simultaneous(void **state)
{
	struct interp_memory m;
	uint8_t bytes[64] = { 0 };
	struct interp *in;
	struct insn *i;
	int where;

	(void)state;
	begin("free", false, false);
	i = insn(-1);
	put(i, r(A), r(B));
	put(i, r(B), r(A));
	put(i, r(C), add(r(A), r(B)));
	i = insn(-1);
	put(i, r(WIDE), mem(16, r(D)));
	put(i, mem(16, add(r(D), k(16))), op(EX_SHR, r(WIDE), k(12)));
	put(i, r(T), op(EX_SHR, r(WIDE), k(60)));
	jump(r(A), REL_SLT, r(B), 0);
	prog->labels[0].at = 7;
	in = interp_new(ctx, prog, NULL);
	m = (struct interp_memory){ 0x1000, sizeof bytes, bytes };
	for (int b = 0; b < 16; b++)
		bytes[b] = (uint8_t)(b + 1);
	*interp_reg(in, D, NULL) = 0x1000;
	*interp_reg(in, A, NULL) = 5;
	*interp_reg(in, B, NULL) = (uint64_t)-7;
	interp_reg(in, WIDE, NULL)[0] = 0xfedcba9876543210u;
	interp_reg(in, WIDE, NULL)[1] = 0x0123456789abcdefu;
	assert_int_equal(interp_free(in, &m, &where), RUN_OK);
	assert_int_equal(where, 7);
	assert_int_equal(*interp_reg(in, A, NULL), (uint64_t)-7);
	assert_int_equal(*interp_reg(in, B, NULL), 5);
	assert_int_equal(*interp_reg(in, C, NULL), (uint64_t)-2);
	assert_int_equal(*interp_reg(in, T, NULL), 0x123456789abcdeffu);
	assert_int_equal(interp_reg(in, WIDE, NULL)[1], 0x100f0e0d0c0b0a09u);
	assert_int_equal(bytes[16], 0x43);
	assert_int_equal(bytes[29], 0x12);
	assert_int_equal(bytes[30], 0x00);
}

static void words_and_forms(void **state)
{
	struct witness w;

	(void)state;
	/* A word over the end may be read where it is aligned, and only there. */
	begin("memcpy", false, false);
	prog->info.contract = CONTRACT_RESULT_DST;
	set(r(A), r(D), -1);
	jump(r(N), REL_EQ, k(0), 1);
	set(r(B), mem(8, op(EX_AND, r(S), k((uint64_t)-8))), -1);
	byte_loop(0, -1, -1);
	prog->ninsns -= 2;
	ret();
	assert_int_equal(run_all(3).wrong, 0);
	prog->insns[2].steps[0].acts[0].value = mem(8, r(S));
	w = wrong(RUN_STRAY_LOAD);
	assert_int_equal(w.c.n, 1);
	prog->insns[2].pattern = &whole_words;
	wrong(RUN_MISALIGNED);
	/* Not all of it. */
	prog->ninsns = 0;
	set(r(A), r(D), -1);
	ret();
	w = wrong(RUN_INCOMPLETE);
	assert_int_equal(w.c.n, 1);
	/* User memory by ordinary accesses. */
	machine.target.user_by_user = true;
	begin("copy_to_user", false, true);
	byte_loop(0, -1, 1);
	w = wrong(RUN_FORM);
	assert_string_equal(witness_text(ctx, &w), "copy_to_user, n = 1: an access of the wrong form for its side");
}

static void big_endian(void **state)
{
	struct interp_memory m;
	uint8_t bytes[32] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16 };
	struct expr *f = expr_new(ctx, EX_FUNNEL, nowhere);
	struct interp *in;
	int where;

	(void)state;
	machine.order = BIG;
	begin("free", false, false);
	set(r(A), mem(8, r(D)), -1);
	set(r(B), mem(8, add(r(D), k(8))), -1);
	f->kid[0] = r(A);
	f->kid[1] = r(B);
	f->kid[2] = k(40);
	set(mem(8, add(r(D), k(16))), f, -1);
	set(mem(2, add(r(D), k(24))), r(B), -1);
	in = interp_new(ctx, prog, NULL);
	m = (struct interp_memory){ 0x1000, sizeof bytes, bytes };
	*interp_reg(in, D, NULL) = 0x1000;
	assert_int_equal(interp_free(in, &m, &where), RUN_OK);
	assert_int_equal(where, 4);
	assert_int_equal(*interp_reg(in, A, NULL), 0x0102030405060708u);
	for (int b = 0; b < 8; b++)
		assert_int_equal(bytes[16 + b], 4 + b);
	assert_int_equal(bytes[24], 15);
	assert_int_equal(bytes[25], 16);
	*interp_reg(in, D, NULL) = 0x1000 + 16;
	assert_int_equal(interp_free(in, &m, &where), RUN_STRAY_STORE);
}

static void state_to(int value)
{
	struct action *a = act(insn(-1), ACT_STATE);

	a->index = 0;
	a->value = k((uint64_t)value);
}

static void frame(enum action_kind kind)
{
	struct action *a = act(insn(-1), kind);

	regset_add(&a->clobber, KEPT);
}

/* Kept registers in a frame, a state that is entered and left, and what is wrong when one of them is forgotten. */
static void clean_leave(void **state)
{
	static const enum verdict want[] = { RUN_OK, RUN_KEPT, RUN_STATE, RUN_FRAME };
	struct witness w;

	(void)state;
	for (int forget = 0; forget < 4; forget++) {
		begin("copy_to_user", false, true);
		if (forget != 1)
			frame(ACT_ENTER);
		set(r(KEPT), k(7), -1);
		state_to(1);
		byte_loop(0, -1, 1);
		prog->ninsns--;
		if (forget != 2)
			state_to(0);
		if (forget != 1 && forget != 3)
			frame(ACT_LEAVE);
		if (forget == 3)
			set(r(KEPT), k(0), -1);
		ret();
		if (want[forget] == RUN_OK)
			assert_int_equal(run_all(20).wrong, 0);
		else if (forget == 3)
			assert_true(is_wrong(&w));
		else
			wrong(want[forget]);
	}
}

/* The rest is cleared after a fault; without it the residual is right, and the routine is not. */
static void zeroing(void **state)
{
	struct witness w;

	(void)state;
	for (int clears = 1; clears >= 0; clears--) {
		begin("copy_from_user_zeroing", true, false);
		prog->info.zeroing = true;
		byte_loop(0, 3, -1);
		at(3);
		set(r(A), r(N), -1);
		at(4);
		jump(r(N), REL_EQ, k(0), 5);
		if (clears)
			set(mem(1, r(D)), k(0), -1);
		set(r(D), add(r(D), k(1)), -1);
		set(r(N), sub(r(N), k(1)), -1);
		jump(NULL, REL_EQ, NULL, 4);
		at(5);
		ret();
		if (clears)
			assert_int_equal(run_all(25).wrong, 0);
	}
	w = wrong(RUN_NOT_ZEROED);
	assert_int_equal(w.c.n, 1);
}

/* A path that only some CPUs take is run as well. */
static void open_feature(void **state)
{
	static struct feature fast = { "fast", FEATURE_VARIANT };
	struct expr *f = expr_new(ctx, EX_FEATURE, nowhere);
	struct witness w;

	(void)state;
	machine.features = &fast;
	machine.nfeatures = 1;
	f->index = 0;
	begin("copy_to_user", false, true);
	jump(f, REL_NE, k(0), 3);
	byte_loop(0, -1, 1);
	at(3);
	set(r(A), k(0), -1);
	ret();
	w = wrong(RUN_RESIDUAL);
	assert_int_equal(w.c.features, 1);
	assert_int_equal(w.c.n, 1);
}

static void speed(void **state)
{
	clock_t t0 = clock();
	struct tally t = { 0 };
	struct interp *in;
	double seconds;

	(void)state;
	begin("copy_to_user", false, true);
	blocks();
	prog->labels[5].at = prog->labels[0].at;
	in = interp_new(ctx, prog, NULL);
	while (t.runs < 200000)
		witness_each(in, prog, 4, true, count, &t);
	seconds = (double)(clock() - t0) / CLOCKS_PER_SEC;
	assert_int_equal(t.wrong, 0);
	print_message("%.1f million runs of n = 4 a second\n", t.runs / seconds / 1e6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(right_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(wrong_bytes, setup, teardown),
		cmocka_unit_test_setup_teardown(block_update, setup, teardown),
		cmocka_unit_test_setup_teardown(torn_stores, setup, teardown),
		cmocka_unit_test_setup_teardown(string_instruction, setup, teardown),
		cmocka_unit_test_setup_teardown(simultaneous, setup, teardown),
		cmocka_unit_test_setup_teardown(words_and_forms, setup, teardown),
		cmocka_unit_test_setup_teardown(big_endian, setup, teardown),
		cmocka_unit_test_setup_teardown(clean_leave, setup, teardown),
		cmocka_unit_test_setup_teardown(zeroing, setup, teardown),
		cmocka_unit_test_setup_teardown(open_feature, setup, teardown),
		cmocka_unit_test_setup_teardown(speed, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
