/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The prover, on stores of a word's end or beginning, on two words shifted of which one holds
 * nothing, and on sides in spaces of their own.
 */
#include "made_up.h"

#define HEAD "  M(8 - d % 8)[d] = zero; d = d + 8 - d % 8 !FIX\n"
#define TAIL "  M(end % 8)[end - end % 8] = zero !FIX\n"

/* A part of a word, whole words, a part of a word; no fixup tries again. */
static struct program *filled(const char *head, const char *tail)
{
	return fill("clear_user", CONTENT_ZERO,
		    talloc_asprintf(ctx,
				    "  end = d + n\n  if n < 16 goto few\n"
				    "%s"
				    "words:\n  t = end - d\n  if t < 8 goto rest\n"
				    "  M8[d] = zero; d = d + 8 !FIX\n  goto words\n"
				    "rest:\n  if t == 0 goto done\n"
				    "%s"
				    "done:\n  r = 0\n  return\n"
				    "few:\n  if d == end goto done\n  M1[d] = zero; d = d + 1 !FIX\n  goto few\n"
				    "FIX:\n  r = end - d\n  return\n", head, tail));
}

static void parts_filled(void **state)
{
	(void)state;
	machine.access = ACCESS_ALIGNED;
	proved(filled(HEAD, TAIL));
	/* what reaches into the next word may fault there alone */
	assert_string_equal(refused(filled("  M(9 - d % 8)[d] = zero; d = d + 9 - d % 8 !FIX\n"
					   "  M(8 - d % 8)[d] = zero; d = d + 8 - d % 8 !FIX\n", TAIL)), "no-progress");
	assert_string_equal(refused(filled(HEAD, "  M(end % 8)[end - end % 8 - 1] = zero !FIX\n")),
			    "residual-not-exact");
	machine.granule = 4;
	assert_string_equal(refused(filled(HEAD, TAIL)), "no-progress");
}

#define BYTE_LOOP "bytes:\n" BYTES("", "", "done") "  goto bytes\ndone:\n  r = 0\n  return\n"

/* The first bytes, where the source's word has enough of them. */
static struct program *begun(const char *shifted)
{
	machine.order = BIG;
	machine.access = ACCESS_ALIGNED;
	return copy("copy", false, false,
		    talloc_asprintf(ctx,
				    "  end = d + n\n  if n < 8 goto bytes\n  t = d & 7\n  m = s & 7\n  if t < m goto bytes\n"
				    "  s = s - m\n  v0 = M8[s]\n  x = t - m\n  y = x << 3\n"
				    "%s"
				    "  M(8 - d %% 8)[d] = v1\n  s = s + 8 - x\n  d = d + 8 - t\n" BYTE_LOOP, shifted));
}

/* The last bytes, where the source's word has all of them. */
static struct program *ended(const char *shifted, int most)
{
	machine.order = BIG;
	machine.access = ACCESS_ALIGNED;
	return copy("copy", false, false,
		    talloc_asprintf(ctx,
				    "  end = d + n\n  if n == 0 goto done\n  if n >= 8 goto bytes\n  t = d & 7\n"
				    "  if t != 0 goto bytes\n  m = s & 7\n  x = %d - m\n  if n > x goto bytes\n"
				    "  v0 = M8[s - m]\n  x = 8 - m\n  y = x << 3\n  if m == 0 goto bytes\n"
				    "%s"
				    "  M(n)[d] = v1 >> 8 * (8 - n)\n  r = 0\n  return\n" BYTE_LOOP, most, shifted));
}

static void one_word_shifted(void **state)
{
	(void)state;
	proved(begun("  v1 = funnel(k, v0, y)\n"));
	assert_string_equal(refused(begun("  v1 = funnel(v0, k, y)\n")), "wrong-data");
	assert_string_equal(refused(begun("  y = y + 8\n  v1 = funnel(k, v0, y)\n")), "wrong-data");
	proved(ended("  v1 = funnel(v0, k, y)\n", 8));
	assert_string_equal(refused(ended("  v1 = funnel(v0, k, y)\n", 9)), "wrong-data");
	assert_string_equal(refused(ended("  v1 = funnel(k, v0, y)\n", 8)), "wrong-data");
}

/* What was written, and is written again: only bounds say how far it is once a load faults.  Zeros follow it. */
static void written_again(void **state)
{
	struct program *p;

	(void)state;
	p = copy("copy_from_user_zeroing", true, false,
		 "  end = d + n\n  t = d\n  m = s\n  if n == 0 goto done\n"
		 "first:\n  v0 = M1[s] !AGAIN\n  M1[d] = v0\n  s = s + 1\n  d = d + 1\n  if d != end goto first\n"
		 "done:\n  r = 0\n  return\n"
		 "AGAIN:\n  d = t\n  s = m\n"
		 "bytes:\n" BYTES(" !FIX", "", "done") "  goto bytes\n"
		 "FIX:\n  r = end - d\nzeros:\n  M1[d] = zero\n  d = d + 1\n  if d != end goto zeros\n  return\n");
	p->info.zeroing = true;
	proved(p);
}

static struct expr *space(const char *name)
{
	struct expr *e = expr_new(ctx, EX_NAME, (struct place){ 0 });

	e->name = name;
	return e;
}

/* Bytes from one space to another; loads go to `from`, stores to `to`. */
static struct program *between(const char *from, const char *to)
{
	struct program *p = copy("copy_in_user", true, true,
				 "  end = d + n\nbytes:\n" BYTES(" !FIX", " !FIX", "FIX") "  goto bytes\n"
				 "FIX:\n  r = end - d\n  return\n");

	for (size_t k = 0; k < p->ninsns; k++)
		for (size_t j = 0; j < p->insns[k].steps[0].nacts; j++) {
			const struct action *a = &p->insns[k].steps[0].acts[j];
			struct expr *mem = a->kind == ACT_STORE ? a->target : a->kind == ACT_SET ? a->value : NULL;

			if (mem && mem->op == EX_MEM && *(mem == a->target ? to : from))
				mem->kid[2] = space(mem == a->target ? to : from);
		}
	return p;
}

static void spaces(void **state)
{
	(void)state;
	machine.target.sides[0] = "one";
	machine.target.sides[1] = "two";
	proved(between("one", "two"));
	assert_string_equal(refused(between("one", "one")), "wrong-space");
	assert_string_equal(refused(between("two", "two")), "wrong-space");
	assert_string_equal(refused(between("two", "one")), "wrong-space");
	assert_string_equal(refused(between("", "two")), "wrong-space");
	machine.target.sides[1] = "one";
	proved(between("", "one"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(parts_filled),
		TEST(one_word_shifted),
		TEST(written_again),
		TEST(spaces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
