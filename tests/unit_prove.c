/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The prover, on routines written by hand: what it proves, and what it refuses when a little is changed. */
#include "made_up.h"

static void bytes_alone(void **state)
{
	(void)state;
	proved(copy("copy", true, true,
		    "  end = d + n\n"
		    "loop:\n" BYTES(" !out", " !out", "out")
		    "  goto loop\n"
		    "out:\n  r = end - d\n  return\n"));
}

enum fixups { BOTH, RETRY, NONE };

static const char *site(enum fixups f, int k)
{
	return f == BOTH ? talloc_asprintf(ctx, "L%d", k) : f == RETRY ? "BYTE" : "FIX";
}

static void pair_store(char **s, enum fixups f, int k)
{
	line(s, "M8[d + %d] = v%d; M8[d + %d] = v%d !%s ^8", 16 * k, 2 * k, 16 * k + 8, 2 * k + 1,
	     site(f, k));
}

static void pair_load(char **s, int k)
{
	line(s, "v%d = M8[s + %d]; v%d = M8[s + %d]", 2 * k, 16 * k, 2 * k + 1, 16 * k + 8);
}

static void tail_bit(char **s, enum fixups f, int b)
{
	line(s, "if n & %d == 0 goto t%d", 1 << b, b);
	if (b == 5) {
		pair_load(s, 0);
		pair_load(s, 1);
		line(s, "s = s + 32");
		pair_store(s, f, 0);
		pair_store(s, f, 1);
	} else if (b == 4) {
		pair_load(s, 0);
		line(s, "s = s + 16");
		pair_store(s, f, 0);
	} else {
		line(s, "v0 = M%d[s]", 1 << b);
		line(s, "s = s + %d", 1 << b);
		line(s, "M%d[d] = v0 !%s", 1 << b, site(f, 0));
	}
	line(s, "d = d + %d", 1 << b);
	line(s, "t%d:", b);
}

/* Bits for the head, a pipelined loop of 64 bytes with a biased count, bits for the tail. */
static struct program *pipelined(enum fixups f)
{
	char *s = talloc_strdup(ctx, "");

	line(&s, "end = d + n");
	line(&s, "dlt = s - d");
	line(&s, "if n < 16 goto tail");
	line(&s, "t = -s & 15");
	line(&s, "if t == 0 goto aligned");
	line(&s, "n = n - t");
	for (int b = 0; b < 4; b++) {
		line(&s, "if t & %d == 0 goto h%d", 1 << b, b);
		line(&s, "v0 = M%d[s]", 1 << b);
		line(&s, "s = s + %d", 1 << b);
		line(&s, "M%d[d] = v0 !%s", 1 << b, f == NONE ? "FIX" : "BYTE");
		line(&s, "d = d + %d", 1 << b);
		line(&s, "h%d:", b);
	}
	line(&s, "aligned:");
	line(&s, "n = n - 64; if n <s 64 goto tail");
	line(&s, "n = n - 64; if n >=s 64 goto large");
	for (int k = 0; k < 4; k++)
		pair_load(&s, k);
	for (int k = 0; k < 4; k++)
		pair_store(&s, f, k);
	line(&s, "s = s + 64\n d = d + 64\n if n & 63 != 0 goto tail\n r = 0\n return");
	line(&s, "large:");
	for (int k = 0; k < 4; k++)
		pair_load(&s, k);
	line(&s, "s = s + 64\nloop:");
	for (int k = 0; k < 4; k++) {
		pair_store(&s, f, k);
		pair_load(&s, k);
	}
	line(&s, "d = d + 64\n s = s + 64\n n = n - 64; if n >=s 64 goto loop");
	for (int k = 0; k < 4; k++)
		pair_store(&s, f, k);
	line(&s, "d = d + 64\n if n & 63 != 0 goto tail\n r = 0\n return\ntail:");
	for (int b = 5; b >= 0; b--)
		tail_bit(&s, f, b);
	line(&s, "r = 0\n return");
	if (f == BOTH)
		line(&s, "L3:\n d = d + 16\nL2:\n d = d + 16\nL1:\n d = d + 16\nL0:");
	if (f != NONE)
		line(&s, "BYTE:\n s = d + dlt\nagain:\n" BYTES("", " !FIX", "FIX") "goto again");
	line(&s, "FIX:\n r = end - d\n return");
	return copy("copy_to_user", false, true, s);
}

static void pipelined_both(void **state)
{
	struct program *p = pipelined(BOTH);

	(void)state;
	proved(p);
	assert_true(p->maximal);
}

static void pipelined_retry(void **state)
{
	(void)state;
	proved(pipelined(RETRY));
}

/* Pointers that lag behind what was written, and fixups that believe them. */
static void pipelined_broken(void **state)
{
	struct program *p;

	(void)state;
	machine.fixup = FIXUP_DIRECT;
	p = pipelined(NONE);
	assert_string_equal(refused(p), "residual-not-exact");
	assert_false(p->maximal);
}

/* Both sides can fault; words are aligned in the destination, and shifted where the source isn't. */
static struct program *shifted(bool big)
{
	char *s = talloc_strdup(ctx, "");

	machine.order = big ? BIG : LITTLE;
	machine.access = ACCESS_ALIGNED;
	line(&s, "end = d + n\n dlt = s - d\n if n < 16 goto tail\n t = -d & 7\n n = n - t");
	line(&s, "head:\n if t == 0 goto al\n v0 = M1[s] !B\n M1[d] = v0 !B\n s = s + 1\n d = d + 1\n"
	     " t = t - 1\n goto head");
	line(&s, "al:\n k = n >> 3\n m = s & 7\n if m != 0 goto shift");
	line(&s, "words:\n v0 = M8[s] !B\n s = s + 8\n M8[d] = v0 !B\n d = d + 8\n"
	     " k = k - 1; if k != 1 goto words\n goto tail");
	line(&s, "shift:\n s = s - m\n x = m << 3\n y = 64 - x\n v0 = M8[s] !B\n s = s + 8");
	line(&s, "again:\n v1 = M8[s] !B\n s = s + 8");
	if (big)
		line(&s, "v2 = funnel(v0, v1, y)");
	else
		line(&s, "v2 = v0 >> x\n v3 = v1 << y\n v2 = v2 | v3");
	line(&s, "M8[d] = v2 !B\n d = d + 8\n v0 = v1\n k = k - 1; if k != 1 goto again\n s = s + m - 8");
	line(&s, "tail:\n" BYTES(" !FIX", " !FIX", "FIX") "goto tail\nB:\n s = d + dlt\n goto tail\nFIX:\n"
	     " r = end - d\n return");
	return copy("copy_in_user", true, true, s);
}

static void shifted_little(void **state)
{
	(void)state;
	proved(shifted(false));
}

static void shifted_big(void **state)
{
	(void)state;
	proved(shifted(true));
}

/* A block at a time through registers that must be put back, reading ahead; the read that faults is harmless. */
static void framed(void **state)
{
	char *s = talloc_strdup(ctx, "");

	(void)state;
	line(&s, "enter k0\n end = d + n\n k0 = n >> 6\n n = n & 63\n if k0 == 0 goto tail\n state mmx 1\n"
	     "loop:");
	line(&s, "if k0 < 2 goto noahead\n v0 = M4[s + 64] !noahead\n v0 = M4[s + 96] !noahead\nnoahead:");
	for (int k = 0; k < 8; k++)
		line(&s, "v%d = M8[s + %d]; need mmx 1 !RET", k, 8 * k);
	for (int k = 0; k < 8; k++)
		line(&s, "M8[d + %d] = v%d !RET", 8 * k, k);
	line(&s, "s = s + 64\n d = d + 64\n k0 = k0 - 1; if k0 != 1 goto loop\n state mmx 0");
	line(&s, "tail:\n if n == 0 goto done\ntl:\n v0 = M1[s] !B\n M1[d] = v0 !B\n s = s + 1\n"
	     " d = d + 1\n n = n - 1; if n != 1 goto tl");
	line(&s, "done:\n leave k0\n r = 0\n return");
	line(&s, "RET:\n state mmx 0\n n = end - d\nrl:\n if n == 0 goto done\n v0 = M1[s] !B\n"
	     " M1[d] = v0 !B");
	line(&s, "s = s + 1\n d = d + 1\n n = n - 1\n goto rl\nB:\n leave k0\n r = n\n return");
	proved(copy("copy_in_user", true, true, s));
	assert_string_equal(refused(copy("copy_in_user", true, true,
					 talloc_asprintf(ctx, "%s", strstr(s, "end =")))),
			    "frame-not-dropped register-not-preserved");
}

/* Many registers in one instruction, stored word by word when it faults. */
static void many_registers(void **state)
{
	char *s = talloc_strdup(ctx, "");

	(void)state;
	machine.access = ACCESS_MIXED;
	line(&s, "end = d + n\n dlt = s - d\n if n < 68 goto bytes\n t = -d & 7\n n = n - t");
	line(&s, "head:\n if t == 0 goto al\n v0 = M1[s]\n M1[d] = v0 !FIX\n s = s + 1\n d = d + 1\n"
	     " t = t - 1\n goto head");
	line(&s, "al:\n t = s & 7\n if t != 0 goto bytes\n enter k0 k1\n n = n - 32; if n <s 32 goto out\n"
	     "loop:");
	line(&s, "v0 = M8[s]; v1 = M8[s + 8]; k0 = M8[s + 16]; k1 = M8[s + 24]; s = s + 32 @8");
	line(&s, "M8[d] = v0; M8[d + 8] = v1; M8[d + 16] = k0; M8[d + 24] = k1; d = d + 32 !SF ^8 @8");
	line(&s, "n = n - 32; if n >=s 32 goto loop\nout:\n leave k0 k1\n n = n + 32\nbytes:");
	line(&s, "n = n - 1; if n <s 1 goto done\n v0 = M1[s]\n M1[d] = v0 !FIX\n s = s + 1\n d = d + 1\n"
	     " goto bytes\ndone:\n r = 0\n return");
	line(&s, "SF:\n leave k0 k1\n s = d + dlt\nrl:\n" BYTES("", " !FIX", "FIX") "goto rl\nFIX:\n"
	     " r = end - d\n return");
	proved(copy("copy_to_user", false, true, s));
}

/* Small sizes by overlapping ends, a loop and a last store that overlaps. */
static const char *ends(const char *fix8, const char *small)
{
	char *s = talloc_strdup(ctx, "");

	line(&s, "end = d + n\n if n < 16 goto small\n n = n - 16\nloop:");
	line(&s, "M8[d] = 0; M8[d + 8] = 0 !BYTE ^8\n d = d + 16\n n = n - 16; if n >=s 16 goto loop");
	line(&s, "M8[end - 16] = 0; M8[end - 8] = 0 !BYTE ^8\n r = 0\n return\nsmall:");
	line(&s, "if n & 8 == 0 goto s7\n M8[d] = 0 !BYTE\n M8[end - 8] = 0 !%s\n r = 0\n return", fix8);
	line(&s, "s7:\n if n & 4 == 0 goto s3\n M4[d] = 0 !BYTE\n M4[end - 4] = 0 !F4\n r = 0\n return");
	line(&s, "s3:\n if n & 2 == 0 goto s1\n M2[d] = 0 !BYTE\n M1[end - 1] = 0 !F2\n r = 0\n return");
	line(&s, "s1:\n if n & 1 == 0 goto s0\n M1[d] = %s !FIX\ns0:\n r = 0\n return", small);
	line(&s, "F8:\n d = d + 4\nF4:\n d = d + 2\nF2:\n d = d + 2\nBYTE:");
	line(&s, "if d >= end goto FIX\n M1[d] = 0 !FIX\n d = d + 1\n goto BYTE\nFIX:\n r = end - d\n"
	     " return");
	return s;
}

static void overlapping_ends(void **state)
{
	(void)state;
	proved(fill("clear_user", CONTENT_ZERO, ends("F8", "0")));
	assert_string_equal(refused(fill("clear_user", CONTENT_ZERO, ends("F8", "n"))), "wrong-data");
	assert_string_equal(refused(fill("clear_user", CONTENT_ZERO, ends("F4", "0"))),
			    "unreached-instruction");
}

/* What string instructions are: loops whose iterations are steps. */
static void strings(void **state)
{
	const char *s =
		"  if n < 64 goto tail\n t = -d & 7\n if t == 0 goto main\n k = n - t\n n = t\n"
		"  while n != 0 { M1[d] = M1[s]; d = d + 1; s = s + 1; n = n - 1 } !F1\n  n = k\n"
		"main:\n  k = n & 7\n  n = n >> 3\n"
		"  while n != 0 { M8[d] = M8[s]; d = d + 8; s = s + 8; n = n - 1 } !F8\n  n = k\n"
		"tail:\n  while n != 0 { M1[d] = M1[s]; d = d + 1; s = s + 1; n = n - 1 } !F0\n"
		"F0:\n  r = n\n  return\n"
		"F1:\n  r = n + k\n  return\n"
		"F8:\n  n = n << 3\n  n = n + k\n"
		"  while n != 0 { M1[d] = M1[s]; d = d + 1; s = s + 1; n = n - 1 } !F0\n  r = n\n  return\n";

	(void)state;
	proved(copy("copy_in_user", true, true, s));
}

static const char *cleared(const char *start, const char *again)
{
	return talloc_asprintf(ctx,
		"  end = d + n\nloop:\n" BYTES(" !FIX", "", "done") "  goto loop\ndone:\n  r = end - d\n"
		"  return\n"
		"FIX:\n  k = end - d\n  t = d%s\nzl:\n  if t >= end goto zd\n  M1[t] = 0\n  t = t + 1\n"
		"  %s\nzd:\n  r = k\n  return\n",
		start, again);
}

static struct program *zeroing(const char *start, const char *again)
{
	struct program *p = copy("copy_from_user_zeroing", true, false, cleared(start, again));

	p->info.zeroing = true;
	return p;
}

static void rest_cleared(void **state)
{
	(void)state;
	proved(zeroing("", "goto zl"));
	assert_string_equal(refused(zeroing(" + 1", "goto zl")), "store-leaves-gap");
	assert_string_equal(refused(zeroing(" - 1", "goto zl")),
			    "access-outside wrong-data loop-may-not-end");
	assert_string_equal(refused(zeroing("", "goto zd")), "rest-not-cleared");
}

/* The fill byte is spread over a register, by shifts and by one operator. */
static void bytes_filled(void **state)
{
	static const char loops[] =
		"  r = d\n  end = d + n\nwords:\n  if n < 8 goto tail\n  M8[d] = v0\n  d = d + 8\n"
		"  n = n - 8\n  goto words\n"
		"tail:\n  if d == end goto out\n  M1[d] = v0\n  d = d + 1\n  goto tail\nout:\n  return\n";

	(void)state;
	proved(fill("memset", CONTENT_BYTE, talloc_asprintf(ctx, "  v0 = rep(x)\n%s", loops)));
	proved(fill("memset", CONTENT_BYTE, talloc_asprintf(ctx,
		"  v0 = x & 255\n  t = v0 << 8\n  v0 = v0 | t\n  t = v0 << 16\n  v0 = v0 | t\n"
		"  t = v0 << 32\n  v0 = v0 | t\n%s", loops)));
	proved(fill("memset", CONTENT_BYTE, talloc_asprintf(ctx, "  v0 = x & 255\n"
		"  v0 = v0 * 0x0101010101010101\n%s", loops)));
	assert_string_equal(refused(fill("memset", CONTENT_BYTE, talloc_asprintf(ctx, "  v0 = x\n"
		"%s", loops))), "wrong-data");
}

/* memcpy: loads first, both ends, any overlap of the two halves. */
static void both_ends(void **state)
{
	static const char s[] =
		"  r = d\n  if n < 8 goto less\n  if n > 16 goto more\n"
		"  v0 = M8[s]\n  s = s + n\n  v1 = M8[s - 8]\n  M8[d] = v0\n  d = d + n\n  M8[d - 8] = v1\n"
		"  return\n"
		"less:\n  if n == 0 goto out\n  v0 = M1[s]\n  M1[d] = v0\n  s = s + 1\n  d = d + 1\n"
		"  n = n - 1; if n != 1 goto less\nout:\n  return\n"
		"more:\n  end = n & -16\n  n = n - end\n  end = end + d\n"
		"again:\n  v0 = M8[s]\n  v1 = M8[s + 8]\n  M8[d] = v0\n  M8[d + 8] = v1\n  s = s + 16\n"
		"  d = d + 16; if d + 16 != end goto again\n"
		"  if n == 0 goto out\n  s = s + n\n  d = d + n\n  v0 = M8[s - 16]\n  v1 = M8[s - 8]\n"
		"  M8[d - 16] = v0\n  M8[d - 8] = v1\n  return\n";
	struct program *p = copy("memcpy", false, false, s);

	(void)state;
	p->info.contract = CONTRACT_RESULT_DST;
	proved(p);
}

/* A word at any address by two loads, each of what lies in one aligned word. */
static void two_halves(void **state)
{
	static const char text[] =
		"  r = d\n  if n < 16 goto bytes\n  k = s & 7\n  if k == 0 goto bytes\n"
		"again:\n  v0 = M(8 - s %% 8)[s] << 8 * (s %% 8) | v0 & (1 << 8 * (s %% 8)) - 1\n"
		"  v0 = v0 & -1 << 8 * ((s + 7) %% 8 + 1) | M((s + 7) %% 8 + 1)[s + 7 & -8]\n"
		"  M8u[d] = v0\n  s = s + 8\n  d = d + %d\n  n = n - 8; if n >= 16 goto again\n"
		"bytes:\n  if n == 0 goto out\n  v0 = M1[s]\n  M1[d] = v0\n  s = s + 1\n  d = d + 1\n"
		"  n = n - 1\n  goto bytes\nout:\n  return\n";
	struct program *p;

	(void)state;
	machine.order = BIG;
	machine.access = ACCESS_ALIGNED;
	p = copy("memcpy", false, false, talloc_asprintf(ctx, text, 8));
	p->info.contract = CONTRACT_RESULT_DST;
	proved(p);
	p = copy("memcpy", false, false, talloc_asprintf(ctx, text, 7));
	p->info.contract = CONTRACT_RESULT_DST;
	assert_string_equal(refused(p), "wrong-data access-outside");
	machine.order = LITTLE;
	p = copy("memcpy", false, false, talloc_asprintf(ctx, text, 8));
	p->info.contract = CONTRACT_RESULT_DST;
	assert_string_equal(refused(p), "wrong-data");
}

/* Without stores of bytes: the word around one is stored back with what it held. */
static struct program *rewriting(const char *between, const char *mask, const char *store)
{
	char *s = talloc_strdup(ctx, "");

	machine.access = ACCESS_ALIGNED;
	line(&s, "bytes:\n if n == 0 goto out\n v0 = M8[s & -8] !out\n v0 = v0 >> 8 * (s %% 8) & 255");
	line(&s, "v1 = M8[d & -8] !out\n v2 = (v0 & 255) << 8 * (d %% 8)\n %s\n"
	     " v1 = v1 & ~(%s << 8 * (d %% 8))", between, mask);
	line(&s, "v1 = v1 | v2\n %s !out\n s = s + 1\n d = d + 1\n n = n - 1\n goto bytes\n"
	     "out:\n r = n\n return", store);
	return copy("copy_in_user", true, true, s);
}

static void bytes_rewritten(void **state)
{
#define STORE "M8[d & -8] = v1"
	struct program *p;

	(void)state;
	p = rewriting("t = 0", "255", STORE);
	proved(p);
	assert_true(p->rewrites && p->maximal);
	assert_string_equal(refused(rewriting("t = 0", "65535", STORE)), "access-outside wrong-data");
	/* Another store comes in between: what the word holds is not known any more. */
	assert_string_equal(refused(rewriting("M1[d] = v0 !out", "255", STORE)), "access-outside wrong-data");
	/* In the same line the old word is stored over the new one. */
	assert_string_equal(refused(fill("clear_user", CONTENT_ZERO,
		"  end = d + n\nloop:\n  m = end - d\n  if m < 8 goto bytes\n  t = d & 7\n  if t != 0 goto bytes\n"
		"  M8[d] = 0; M8[d] = M8[d] !bytes\n  d = d + 8\n  goto loop\n"
		"bytes:\n  if d >= end goto out\n  M1[d] = 0 !out\n  d = d + 1\n  goto bytes\n"
		"out:\n  r = end - d\n  return\n")), "wrong-data");
	/* A patched word is streamed like any other. */
	assert_string_equal(refused(rewriting("t = 0", "255", "N8[d & -8] = v1")), "fence-owed");
#undef STORE
}

/* Words while both are aligned, which the low bits of d | s or d ^ s tell, and a machine asks in its own way. */
static struct program *both_aligned(const char *low, const char *question)
{
	return copy("copy_in_user", true, true, talloc_asprintf(ctx,
		"  end = d + n\n%s\n  if %s goto words\n"
		"bytes:\n" BYTES(" !out", " !out", "out") "  goto bytes\n"
		"words:\n  m = end - d\n  if m < 8 goto bytes\n  v0 = M8[s] !bytes @8\n  M8[d] = v0 !bytes @8\n"
		"  s = s + 8\n  d = d + 8\n  goto words\n"
		"out:\n  r = end - d\n  return\n", low, question));
}

static void low_bits_asked(void **state)
{
	static const char *const yes[] = { "t == 0", "t < 1", "t <= 0", "0 == t", "1 > t", "0 >= t" };
	static const char *const no[] = { "t < 2", "t <= 1", "t != 0", "t >= 0", "0 < t", "2 > t" };

	(void)state;
	for (size_t k = 0; k < sizeof(yes) / sizeof(*yes); k++)
		proved(both_aligned("  t = d | s\n  t = t & 7", yes[k]));
	for (size_t k = 0; k < sizeof(no) / sizeof(*no); k++)
		assert_string_equal(refused(both_aligned("  t = d | s\n  t = t & 7", no[k])), "misaligned-access");
}

/* What a mask lets through of n - 16, when that is nothing: n is small and a multiple. */
static struct program *masked(int mask, const char *body)
{
	return fill("clear_user", CONTENT_ZERO, talloc_asprintf(ctx,
		"  end = d + n\n  t = n - 16\n  if t & %d != 0 goto BYTE\n%s"
		"  if d >= end goto FIX\n  M1[d] = 0 !FIX\n  d = d + 1\n  goto BYTE\nFIX:\n  r = end - d\n  return\n", mask, body));
}

static void masks(void **state)
{
	static const char *const two = "  M8[d] = 0 !BYTE\n  M8[d + 8] = 0 !BYTE\n  M8[end - 16] = 0 !BYTE\n"
				       "  M8[end - 8] = 0 !BYTE\n  r = 0\n  return\nBYTE:\n";
	static const char *const words = "loop:\n  M8[d] = 0 !BYTE\n  d = d + 8\n  if d != end goto loop\n"
					 "  r = 0\n  return\nBYTE:\n";

	(void)state;
	proved(masked(-17, two));
	proved(masked(-16, two));
	assert_string_equal(refused(masked(-18, two)), "store-leaves-gap");
	assert_string_equal(refused(masked(-49, two)), "store-leaves-gap");
	proved(masked(-17, words));
	proved(masked(-57, words));
	assert_string_equal(refused(masked(-21, words)), "access-outside");
	assert_string_equal(refused(masked(-2, words)), "access-outside");
}

/* What resolve refuses, a program made otherwise may still have: the proof fails, and looks at no register's place. */
static void zero_everywhere(void **state)
{
	static const char *const text = "loop:\n  M1[d] = x !loop\n  d = d + 1\n  if d != end goto loop\n  return\n";
	struct program *p = fill("memset", CONTENT_BYTE, text);

	(void)state;
	p->info.dst = p->info.n = p->info.value = ZERO;
	assert_non_null(strstr(refused(p), "wrong-"));
	p = copy("copy", true, true, "  zero = d\n  zero = s; d = zero\n  if zero < n goto on\non:\n  return\n");
	p->info.dst = p->info.src = p->info.n = ZERO;
	assert_string_equal(refused(p), "residual-not-exact");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(bytes_alone),
		TEST(pipelined_both),
		TEST(pipelined_retry),
		TEST(pipelined_broken),
		TEST(shifted_little),
		TEST(shifted_big),
		TEST(framed),
		TEST(many_registers),
		TEST(overlapping_ends),
		TEST(strings),
		TEST(rest_cleared),
		TEST(bytes_filled),
		TEST(both_ends),
		TEST(two_halves),
		TEST(bytes_rewritten),
		TEST(low_bits_asked),
		TEST(masks),
		TEST(zero_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
