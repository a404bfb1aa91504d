/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A machine made up for tests of the prover, and routines for it from listings. */
#ifndef UCOPY_TEST_MADE_UP_H
#define UCOPY_TEST_MADE_UP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "listing.h"

#include "prove.h"

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

__attribute__((unused)) static struct program *fill(const char *name, enum content content, const char *text)
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
	struct proof *proof = prove_program(ctx, p);

	if (!proof_holds(proof)) {
		proof_report(proof, d);
		show(d);
	}
	assert_true(proof_holds(proof));
	return proof;
}

/* The ids of all errors, joined by blanks. */
static const char *refused(struct program *p)
{
	struct diag *d = diag_new(ctx, 0);
	struct proof *proof = prove_program(ctx, p);
	char *out, *ids = talloc_strdup(ctx, "");
	size_t size;
	FILE *f = open_memstream(&out, &size);

	assert_false(proof_holds(proof));
	proof_report(proof, d);
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

static void line(char **s, const char *format, ...) __attribute__((format(printf, 2, 3), unused));
static void line(char **s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	*s = talloc_vasprintf_append(*s, format, args);
	va_end(args);
	*s = talloc_strdup_append(*s, "\n");
}

#endif
