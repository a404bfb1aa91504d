/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How long the numeric domain takes on the states of a copy loop: counters, two pointers, what is copied so far, bits of the
 * count, saved registers.  Prints nanoseconds; `bench_domain N` repeats each measurement N times.
 */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <talloc.h>
#include <time.h>

#include "domain.h"

enum {
	HALF = 1, N, DST0, SRC0, SP0, P, W, M, J, Q, R, BQ, B0, SAVED0 = B0 + 6, SLOT0 = SAVED0 + 8, DATA0 = SLOT0 + 8,
	FA = DATA0 + 8, FB, SP, DST, SRC, COUNT, END, DELTA, T, REG0, NVARS = REG0 + 7
};

static struct form form3(int64_t k, int64_t a, int v, int64_t b, int w, int64_t c, int x)
{
	struct form f = form_const(k);

	f = v ? form_add(f, form_var(v), a) : f;
	f = w ? form_add(f, form_var(w), b) : f;
	return x ? form_add(f, form_var(x), c) : f;
}

static void ge(struct dstate *s, int64_t k, int64_t a, int v, int64_t b, int w, int64_t c, int x)
{
	struct form f = form3(k, a, v, b, w, c, x);

	if (!dstate_add_ge(s, &f))
		fprintf(stderr, "bench: state became empty\n");
}

static void set(struct dstate *s, int x, int64_t k, int64_t a, int v, int64_t b, int w, int64_t c, int y)
{
	struct form f = form3(k, a, v, b, w, c, y);

	dstate_assign(s, x, &f);
}

static void entry(struct dstate *s)
{
	ge(s, -32768, 1, HALF, 0, 0, 0, 0);
	ge(s, 0, 1, N, 0, 0, 0, 0);
	ge(s, 0, 1, DST0, 0, 0, 0, 0);
	ge(s, 0, 1, SRC0, 0, 0, 0, 0);
	ge(s, -1, 1, HALF, -1, N, 0, 0);
	ge(s, -1, 2, HALF, -1, N, -1, DST0);
	ge(s, -1, 2, HALF, -1, N, -1, SRC0);
	ge(s, 0, 1, P, 0, 0, 0, 0);
	ge(s, 0, 1, N, -1, P, 0, 0);
	set(s, W, 0, 0, 0, 0, 0, 0, 0);
	set(s, M, 0, 0, 0, 0, 0, 0, 0);
	set(s, DST, 0, 1, DST0, 0, 0, 0, 0);
	set(s, SRC, 0, 1, SRC0, 0, 0, 0, 0);
	set(s, COUNT, 0, 1, N, 0, 0, 0, 0);
	set(s, SP, 0, 1, SP0, 0, 0, 0, 0);
	set(s, END, 0, 1, DST, 1, COUNT, 0, 0);
	set(s, DELTA, 0, 1, SRC, -1, DST, 0, 0);
	for (int i = 0; i < 8; i++) {
		set(s, SLOT0 + i, 0, 1, SAVED0 + i, 0, 0, 0, 0);
	}
	for (int i = 0; i < 7; i++)
		set(s, REG0 + i, 0, 1, SAVED0 + i, 0, 0, 0, 0);
}

/* The first inaccessible byte may have risen. */
static void age(struct dstate *s)
{
	dstate_forget(s, J);
	ge(s, 0, 1, J, -1, P, 0, 0);
	ge(s, 0, 1, N, -1, J, 0, 0);
	set(s, P, 0, 1, J, 0, 0, 0, 0);
	dstate_forget(s, J);
}

static int access(struct dstate *s, int offset, int data)
{
	struct form a, b;
	int yes = 0;

	age(s);
	a = form3(offset, 1, DST, -1, DST0, 0, 0);
	yes += dstate_ge0(s, &a);
	b = form3(-offset - 8, 1, N, 1, DST0, -1, DST);
	yes += dstate_ge0(s, &b);
	b = form_add(form_var(W), a, -1);
	yes += dstate_ge0(s, &b);
	set(s, DATA0 + data, offset, 1, SRC, -1, SRC0, 0, 0);
	b = form_add(form_var(P), a, -1);
	yes += dstate_ge0(s, &b);
	b = form_plus(b, -8);
	if (!dstate_add_ge(s, &b))
		return -1;
	a = form_plus(a, 8);
	b = form_add(a, form_var(W), -1);
	if (dstate_ge0(s, &b)) {
		dstate_assign(s, W, &a);
		yes++;
	}
	b = form_add(a, form_var(M), -1);
	if (dstate_ge0(s, &b)) {
		dstate_assign(s, M, &a);
		yes++;
	}
	return yes;
}

/* One turn of a loop that copies 64 bytes while count >= 64. */
static int turn(struct dstate *s)
{
	int yes = 0;

	ge(s, -64, 1, COUNT, 0, 0, 0, 0);
	for (int i = 0; i < 8; i++)
		yes += access(s, 8 * i, i);
	set(s, DST, 64, 1, DST, 0, 0, 0, 0);
	set(s, SRC, 64, 1, SRC, 0, 0, 0, 0);
	set(s, COUNT, -64, 1, COUNT, 0, 0, 0, 0);
	return yes;
}

static void split(struct dstate *s)
{
	struct form f = form_add(form_scale(form_var(BQ), 64), form_var(COUNT), -1);

	for (int i = 0; i < 6; i++)
		f = form_add(f, form_var(B0 + i), 1 << i);
	dstate_add_eq(s, &f);
	ge(s, 0, 1, BQ, 0, 0, 0, 0);
	for (int i = 0; i < 6; i++) {
		ge(s, 0, 1, B0 + i, 0, 0, 0, 0);
		ge(s, 1, -1, B0 + i, 0, 0, 0, 0);
	}
}

static size_t directions(struct form *d)
{
	size_t n = 0;

	d[n++] = form3(0, 1, N, -1, W, 0, 0);
	d[n++] = form3(0, 1, P, -1, W, 0, 0);
	d[n++] = form3(0, 1, M, -1, W, 0, 0);
	d[n++] = form3(0, 1, P, -1, M, 0, 0);
	d[n++] = form3(0, 1, N, -1, P, 0, 0);
	d[n++] = form_var(W);
	for (int r = COUNT; r <= T; r++) {
		d[n++] = form_var(r);
		d[n++] = form3(0, -1, r, 0, 0, 0, 0);
		d[n++] = form3(0, 1, r, -1, DST, 0, 0);
	}
	d[n++] = form_var(R);
	d[n++] = form3(0, -1, R, 0, 0, 0, 0);
	for (int i = 0; i < 6; i++) {
		d[n++] = form_var(B0 + i);
		d[n++] = form3(0, -1, B0 + i, 0, 0, 0, 0);
	}
	d[n++] = form3(0, 1, W, -1, DST, 1, DST0);
	d[n++] = form3(0, -1, W, 1, DST, -1, DST0);
	d[n++] = form3(0, 1, DST, -1, DST0, 0, 0);
	d[n++] = form3(0, 1, SRC, -1, SRC0, 0, 0);
	return n;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int counts[2];

static void count(void *arg, bool is_eq, const struct form *f)
{
	(void)arg, (void)f;
	counts[is_eq]++;
}

/* The best of ten batches: others use the machine too. */
#define MEASURE(what, times, statement)						\
	do {									\
		double best_ = 0;						\
		for (int b_ = 0; b_ < 10; b_++) {				\
			double from_ = now(), took_;				\
			for (int m_ = 0; m_ < (times) / 10; m_++) {		\
				statement;					\
			}							\
			took_ = (now() - from_) / ((times) / 10);		\
			best_ = b_ && best_ < took_ ? best_ : took_;		\
		}								\
		printf("%-44s %10.0f ns\n", what, best_);			\
	} while (0)

int main(int argc, char **argv)
{
	int times = argc > 1 ? atoi(argv[1]) : 2000;
	void *ctx = talloc_new(NULL);
	struct dstate *top = dstate_top(ctx, NVARS), *head, *next, *body;
	struct form d[64], f, g, h;
	size_t nd = directions(d);
	int64_t min;
	int rounds = 0;
	unsigned residue;

	entry(top);
	for (head = top; ; head = next, rounds++) {
		body = dstate_copy(ctx, head);
		turn(body);
		next = dstate_join(ctx, head, body, rounds > 3, d, nd);
		if (dstate_same(next, head))
			break;
	}
	dstate_each(head, count, NULL);
	printf("the loop settles after %d joins: %d equalities, %d inequalities, %zu directions\n", rounds, counts[1], counts[0],
	       nd);
	MEASURE("copy", times, dstate_free(dstate_copy(ctx, head)));
	MEASURE("copy and one turn (8 accesses)", times / 4, {
		struct dstate *s = dstate_copy(ctx, head); turn(s); dstate_free(s); });
	MEASURE("join, settled", times, dstate_free(dstate_join(ctx, head, body, false, d, nd)));
	MEASURE("join, widening", times, dstate_free(dstate_join(ctx, head, body, true, d, nd)));
	body = dstate_copy(ctx, top);
	turn(body);
	MEASURE("join, first of the loop", times, dstate_free(dstate_join(ctx, top, body, false, d, nd)));
	MEASURE("same", times, dstate_same(head, next));
	f = form3(0, 1, N, -1, W, 0, 0);
	MEASURE("ge0 of a known direction", times * 10, dstate_ge0(head, &f));
	g = form3(0, 1, DST, -1, DST0, -1, W);
	MEASURE("eq0", times * 10, dstate_eq0(head, &g));
	MEASURE("is0 of an equality", times * 10, dstate_is0(head, &g));
	h = form3(0, 2, HALF, -1, DST, 0, 0);
	MEASURE("ge0 by linear programming", times * 10, dstate_ge0(head, &h));
	h = form3(-1, 1, P, -1, W, 0, 0);
	MEASURE("ge0, not so", times * 10, dstate_ge0(head, &h));
	MEASURE("min", times * 10, dstate_min(head, &f, &min));
	g = form_var(COUNT);
	MEASURE("congruence", times * 10, dstate_cong(head, &g, &residue));
	h = form3(64, 1, DST, 0, 0, 0, 0);
	MEASURE("assign: add a constant", times * 10, dstate_assign(body, DST, &h));
	h = form3(64, 1, SRC, -1, SRC0, 0, 0);
	MEASURE("assign: another register", times * 10, dstate_assign(body, DATA0, &h));
	body = dstate_copy(ctx, head);
	ge(body, 63, -1, COUNT, 0, 0, 0, 0);
	ge(body, 0, 1, COUNT, 0, 0, 0, 0);
	split(body);
	next = dstate_copy(ctx, body);
	f = form_plus(form_var(B0 + 5), -1);
	dstate_add_eq(next, &f);
	for (int i = 0; i < 4; i++)
		access(next, 8 * i, i);
	set(next, DST, 32, 1, DST, 0, 0, 0, 0);
	set(next, SRC, 32, 1, SRC, 0, 0, 0, 0);
	f = form_var(B0 + 5);
	dstate_add_eq(body, &f);
	MEASURE("join after a bit", times, dstate_free(dstate_join(ctx, body, next, false, d, nd)));
	MEASURE("split into bits", times / 4, {
		struct dstate *s = dstate_copy(ctx, head); split(s); dstate_free(s); });
	talloc_free(ctx);
	return 0;
}
