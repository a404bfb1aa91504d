/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The obligations of the proof one by one, and what a proof and an analysis tell. */
#include "made_up.h"

#include "analyse.h"

#define SMALL(before, store, after)							\
	"  end = d + n\nloop:\n    if d >= end goto out\n    v0 = M1[s]\n" before	\
	"    " store " !out\n    s = s + 1\n    d = d + 1\n" after "  goto loop\nout:\n" after "  r = end - d\n  return\n"

/* Two bytes by one line, each with its letter, then one by one. */
static const char *two_stores(char first, char second, const char *after)
{
	return talloc_asprintf(ctx, "  end = d + n\n  if n < 2 goto loop\n  v0 = M1[s]\n  v1 = M1[s + 1]\n"
		"  %c1[d] = v0; %c1[d + 1] = v1 !loop\n%s  s = s + 2\n  d = d + 2\nloop:\n" BYTES("", " !out", "out")
		"  goto loop\nout:\n  r = end - d\n  return\n", first, second, after);
}

static void states_and_fences(void **state)
{
	(void)state;
	proved(copy("copy_to_user", false, true,
		    SMALL("    state mmx 1\n", "M1[d] = v0; need mmx 1", "    state mmx 0\n")));
	assert_string_equal(refused(copy("copy_to_user", false, true,
					 SMALL("    state mmx 1\n", "M1[d] = v0", ""))), "state-not-closed");
	assert_string_equal(refused(copy("copy_to_user", false, true,
					 SMALL("", "M1[d] = v0; need mmx 1", ""))), "need-not-met");
	proved(copy("copy_to_user", false, true, SMALL("", "N1[d] = v0", "    fence\n")));
	assert_string_equal(refused(copy("copy_to_user", false, true, SMALL("", "N1[d] = v0", ""))),
			    "fence-owed");
	assert_string_equal(refused(copy("copy_to_user", false, true, two_stores('N', 'M', ""))), "fence-owed");
	assert_string_equal(refused(copy("copy_to_user", false, true, two_stores('M', 'N', ""))), "fence-owed");
	proved(copy("copy_to_user", false, true, two_stores('M', 'N', "  fence\n")));
	assert_string_equal(refused(copy("copy_to_user", false, true,
					 SMALL("    k1 = 5\n", "M1[d] = v0", ""))), "register-not-preserved");
	assert_string_equal(refused(copy("copy_to_user", false, true,
					 SMALL("    clobber k3\n", "M1[d] = v0", ""))),
			    "register-not-preserved");
	proved(copy("copy_to_user", false, true,
		    SMALL("    x = k1\n    k1 = 5\n    k1 = x\n", "M1[d] = v0", "")));
	assert_string_equal(refused(copy("copy_to_user", false, true,
					 SMALL("    call hook\n", "M1[d] = v0", ""))), "call-not-proved");
}

/* Instructions of their own for user memory. */
static void forms(void **state)
{
	(void)state;
	machine.target.user_by_user = true;
	proved(copy("copy_to_user", false, true, SMALL("", "U1[d] = v0", "")));
	assert_string_equal(refused(copy("copy_to_user", false, true, SMALL("", "M1[d] = v0", ""))),
			    "user-access-by-ordinary-instruction");
	assert_string_equal(refused(copy("copy_to_user", false, true,
					 SMALL("    v1 = U1[s]\n", "U1[d] = v0", ""))),
			    "kernel-access-by-user-instruction");
	machine.target.user_by_user = false;
	assert_string_equal(refused(copy("copy_to_user", false, true, SMALL("", "K1[d] = v0", ""))),
			    "user-access-by-ordinary-instruction");
}

static const char *torn(const char *first, const char *mark)
{
	return talloc_asprintf(ctx,
		"  end = d + n\n  dlt = s - d\n  if n < 32 goto bytes\n%s"
		"  v0 = M8[s]\n  v1 = M8[s + 8]\n  M8[d] = v0; M8[d + 8] = v1 !retry %s\n  s = s + 16\n  d = d + 16\n"
		"bytes:\n" BYTES("", " !out",
				 "out") "  goto bytes\nretry:\n  s = d + dlt\n  goto bytes\nout:\n  r = end - d\n  return\n",
		first, mark);
}

/* Where any subset of the units may have been stored, only the first access needs care. */
static void torn_anywhere(void **state)
{
	static const char byte[] = "  v0 = M1[s]\n  M1[d] = v0 !out\n  s = s + 1\n  d = d + 1\n";
	static struct tune strict[] = { { .name = "strict", .value = 1 } };

	(void)state;
	proved(copy("copy_to_user", false, true, torn("", "^8")));
	assert_string_equal(refused(copy("copy_to_user", false, true, torn("", "^any"))),
			    "written-past-count");
	proved(copy("copy_to_user", false, true, torn(byte, "^any")));
	machine.tunes = strict;
	machine.ntunes = 1;
	assert_string_equal(refused(copy("copy_to_user", false, true, torn("", "^8"))),
			    "written-past-count");
	assert_string_equal(refused(copy("copy_to_user", false, true, torn("", "^any"))),
			    "written-past-count");
	proved(copy("copy_to_user", false, true, torn(byte, "^8")));
}

/* Three accesses of half a unit: two of them lie before the last, not one. */
static void torn_in_odd_units(void **state)
{
	static const char text[] =
		"  end = d + n\n  dlt = s - d\n  if n < 24 goto bytes\n"
		"  v0 = M8[s]\n  v1 = M8[s + 8]\n  v2 = M8[s + 16]\n  M8[d] = v0 !retry\n  r = n - 8\n"
		"  M8[d] = v0; M8[d + 8] = v1; M8[d + 16] = v2 !part ^16\n  r = n - 24\npart:\n  return\n"
		"bytes:\n" BYTES("", " !out",
				 "out") "  goto bytes\nretry:\n  s = d + dlt\n  goto bytes\nout:\n  r = end - d\n  return\n";

	(void)state;
	assert_string_equal(refused(copy("copy_to_user", false, true, text)),
			    "written-past-count");
}

/* The last bytes are the first unit: they may be all that is stored, unless what can't be accessed begins within. */
static void torn_downwards(void **state)
{
	static const char byte[] = "  v0 = M1[s]\n  M1[d] = v0 !out\n  s = s + 1\n  d = d + 1\n";
	static const char text[] =
		"  end = d + n\n  dlt = s - d\n  if n < 32 goto bytes\n%s"
		"  v0 = M8[s]\n  v1 = M8[s + 8]\n  M8[d + 8] = v1; M8[d] = v0 !retry ^8\n  s = s + 16\n  d = d + 16\n"
		"bytes:\n" BYTES("", " !out",
				 "out") "  goto bytes\nretry:\n  s = d + dlt\n  goto bytes\nout:\n  r = end - d\n  return\n";

	(void)state;
	assert_string_equal(refused(copy("copy_to_user", false, true, talloc_asprintf(ctx, text, ""))),
			    "written-past-count");
	proved(copy("copy_to_user", false, true, talloc_asprintf(ctx, text, byte)));
}

/* Accesses of several sizes: the last unit is that of the last bytes, whichever access was first. */
static void torn_in_sizes(void **state)
{
	(void)state;
	assert_string_equal(refused(copy("copy_to_user", false, true,
		"  end = d + n\n  if n < 10 goto bytes\n  v0 = M1[s]\n  M1[d] = v0 !bytes\n"
		"  v0 = M1[s + 1]\n  r = n - 1\n  M1[d + 1] = v0 !part\n"
		"  v0 = M8[s + 1]\n  v1 = M1[s + 9]\n  r = n - 2\n  M1[d + 9] = v1; M8[d + 1] = v0 !part ^8\n"
		"  r = n - 10\npart:\n  return\n"
		"bytes:\n" BYTES("", " !out", "out") "  goto bytes\nout:\n  r = end - d\n  return\n")), "written-past-count");
}

/* Where a part of what is stored may be, that is one place. */
static void torn_in_places(void **state)
{
	static const char text[] =
		"  end = d + n\n  dlt = s - d\n  if n < 32 goto bytes\n"
		"  v0 = M8[s]\n  v1 = M8[s + 4]\n  M8[d] = v0; M8[d + 4] = v1 !retry\n  s = s + 12\n  d = d + 12\n"
		"bytes:\n" BYTES("", " !out",
				 "out") "  goto bytes\nretry:\n  s = d + dlt\n  goto bytes\nout:\n  r = end - d\n  return\n";

	(void)state;
	proved(copy("copy_to_user", false, true, text));
	machine.granularity = 4;
	assert_string_equal(refused(copy("copy_to_user", false, true, text)), "torn-store-not-a-prefix");
}

/* None of an aligned store is done when it faults, unless granules are smaller than it is. */
static void torn_in_granules(void **state)
{
	static const char text[] =
		"  end = d + n\n  dlt = s - d\n  x = d & 31\n  if n < 32 goto bytes\n  if x != 0 goto bytes\n"
		"  v0 = M8[s]\n  v1 = M8[s + 8]\n  v2 = M8[s + 16]\n  x = M8[s + 24]\n"
		"  M8[d] = v0; M8[d + 8] = v1; M8[d + 16] = v2; M8[d + 24] = x !retry ^any @8\n"
		"  s = s + 32\n  d = d + 32\n"
		"bytes:\n" BYTES("", " !out",
				 "out") "  goto bytes\nretry:\n  s = d + dlt\n  goto bytes\nout:\n  r = end - d\n  return\n";

	(void)state;
	proved(copy("copy_to_user", false, true, text));
	machine.granule = 16;
	assert_string_equal(refused(copy("copy_to_user", false, true, text)), "written-past-count");
}

static void sites(void **state)
{
	struct program *p = copy("copy_to_user", false, true, SMALL("", "M1[d] = v0", ""));

	(void)state;
	for (size_t i = 0; i < p->ninsns; i++)
		p->insns[i].fixup[0] = -1;
	assert_string_equal(refused(p), "site-without-fixup");
	p = copy("copy_to_user", false, true, "again:\n  goto again\n  r = n\n  return\n");
	assert_string_equal(refused(p), "unreached-instruction loop-may-not-end");
	p = copy("copy_to_user", false, true, "  r = 0\n");
	assert_string_equal(refused(p), "runs-off-the-end");
	p = copy("copy_to_user", false, true, "  r = n\n  return\n");
	assert_string_equal(refused(p), "no-progress");
}

/* A jump to another routine finds everything as it was. */
static void jumps(void **state)
{
	struct program *p = copy("copy_to_user", false, true, "  t = 3\n  goto other\n");

	(void)state;
	p->labels[0].symbol = "other";
	proved(p);
	p = copy("copy_to_user", false, true, "  n = n - 1\n  goto other\n");
	p->labels[0].symbol = "other";
	assert_string_equal(refused(p), "jump-after-changes");
}

static bool says(const char **v, size_t n, const char *what)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(v[i], what) == 0)
			return true;
	return false;
}

/* What explain shows, and what the planner asks. */
static void told(void **state)
{
	struct program *p = copy("copy_to_user", false, true, SMALL("", "M1[d] = v0", ""));
	struct proof *proof = proved(p);
	size_t n = 0;
	const char **v = proof_facts(ctx, proof, 3, 0, &n);
	struct analysis *a;
	struct point pt;

	(void)state;
	assert_non_null(v);
	assert_true(says(v, n, "d = dst + W"));
	assert_true(says(v, n, "end = dst + n"));
	assert_true(says(v, n, "v0: 1 bytes of src at W"));
	assert_string_equal(proof_residual(ctx, proof, 3, 0), "n - W, at least 1");
	assert_null(proof_residual(ctx, proof, 2, 0));
	assert_int_equal(proof_counts(proof).lines, p->ninsns);
	assert_int_equal(proof_counts(proof).loops, 1);
	a = analyse_program(ctx, p);
	pt = analysis_point(a, 3, 0);
	assert_true(pt.state && pt.site && pt.store);
	assert_false(analysis_point(a, 2, 0).site);
	assert_null(analysis_point(a, 99, 0).state);
	struct form far = form_add(form_var(analysis_var(a, D)), form_var(analysis_dst(a)), -1);

	far = form_add(far, form_var(analysis_written(a)), -1);
	assert_true(dstate_eq0(pt.state, &far));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(states_and_fences),
		TEST(forms),
		TEST(torn_anywhere),
		TEST(torn_in_odd_units),
		TEST(torn_downwards),
		TEST(torn_in_granules),
		TEST(torn_in_sizes),
		TEST(torn_in_places),
		TEST(sites),
		TEST(jumps),
		TEST(told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
