/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The prover, on routines written by hand for a machine made up here: what it proves, and what it refuses and why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "listing.h"

#include "analyse.h"
#include "proof.h"

static void *ctx;
static struct machine machine;
static const char *const names[] = {
	"r", "d", "s", "n", "end", "dlt", "t", "k", "m", "x", "y", "zero", "k0", "k1", "k2", "k3",
	"v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7",
};
enum { R, D, S, N, END, DLT, T, K, M_, X, Y, ZERO, K0 };
static struct reg regs[sizeof(names) / sizeof(names[0])];
static const char *state_values[] = { "clean", "dirty" };
static struct state states[] = { { "mmx", state_values, 2 } };
static struct source text_source = { "listing", "", 0 };

static int setup(void **state)
{
	(void)state;
	ctx = talloc_new(NULL);
	memset(&machine, 0, sizeof(machine));
	machine.width = 8;
	machine.order = LITTLE;
	machine.access = ACCESS_UNALIGNED;
	machine.fixup = FIXUP_RETRY;
	machine.granule = 4096;
	machine.target.retry = true;
	machine.nregs = sizeof(names) / sizeof(names[0]);
	machine.regs = regs;
	for (size_t k = 0; k < machine.nregs; k++)
		regs[k] = (struct reg){ names[k], 8 };
	machine.result = R;
	machine.zero = ZERO;
	machine.states = states;
	machine.nstates = 1;
	for (int k = K0; k < K0 + 4; k++)
		regset_add(&machine.kept, k);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	talloc_free(ctx);
	return 0;
}

static struct program *copy(const char *name, bool src_user, bool dst_user, const char *text)
{
	struct program *p = listing(ctx, &machine, name, text);

	p->info.src_user = src_user;
	p->info.dst_user = dst_user;
	p->info.dst = D;
	p->info.src = S;
	p->info.n = N;
	return p;
}

static struct program *fill(const char *name, enum content content, const char *text)
{
	struct program *p = copy(name, false, content == CONTENT_ZERO, text);

	p->info.content = content;
	p->info.src = -1;
	if (content == CONTENT_BYTE) {
		p->info.value = X;
		p->info.contract = CONTRACT_RESULT_DST;
	}
	return p;
}

static void show(struct diag *d)
{
	diag_flush(d, stderr, false, false);
}

static struct proof *proved(struct program *p)
{
	struct diag *d = diag_new(ctx, 0);
	struct proof *proof = NULL;
	bool ok = prove_program(ctx, d, p, &proof);

	if (!ok)
		show(d);
	assert_true(ok);
	return proof;
}

/* The ids of all errors, joined by blanks. */
static const char *refused(struct program *p)
{
	struct diag *d = diag_new(ctx, 0);
	struct proof *proof = NULL;
	char *out, *ids = talloc_strdup(ctx, "");
	size_t size;
	FILE *f = open_memstream(&out, &size);

	assert_false(prove_program(ctx, d, p, &proof));
	assert_null(proof);
	diag_flush(d, f, false, false);
	fclose(f);
	for (char *at = out, *open; (at = strstr(at, "error: ")); at++) {
		char *end = strchr(at, '\n');

		*end = 0;
		open = strrchr(at, '[');
		*end = '\n';
		ids = talloc_asprintf_append(ids, "%s%.*s", *ids ? " " : "", (int)(end - open - 2), open + 1);
	}
	free(out);
	return ids;
}

#define BYTES(load, store, out)			\
	"    if d >= end goto " out "\n"	\
	"    v0 = M1[s]" load "\n"		\
	"    M1[d] = v0" store "\n"		\
	"    s = s + 1\n"			\
	"    d = d + 1\n"

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

static void line(char **s, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void line(char **s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	*s = talloc_vasprintf_append(*s, format, args);
	va_end(args);
	*s = talloc_strdup_append(*s, "\n");
}

static void pair_store(char **s, enum fixups f, int k)
{
	line(s, "M8[d + %d] = v%d; M8[d + %d] = v%d !%s ^8", 16 * k, 2 * k, 16 * k + 8, 2 * k + 1, site(f, k));
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

int main(void)
{
	const struct CMUnitTest tests[] = {
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
		TEST(bytes_alone),
		TEST(pipelined_both),
		TEST(pipelined_retry),
		TEST(pipelined_broken),
	};

	(void)text_source;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
