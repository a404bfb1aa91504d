/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "witness.h"

#include <talloc.h>

#define STEPS_RUN 12		/* what setting up a run costs, in steps */
#define SIZE_MIN 215

struct search {
	const struct program *p;
	bool maximal;		/* is a run wrong that could have copied more? */
	uint64_t *steps;	/* left for all that is searched */
	uint64_t left;		/* .. for this part of it */
	bool any;		/* the first that is found will do */
	bool found;
	struct witness best;
	bool has_short;		/* .. one that is only short of the most, which will do if no worse one is found */
	struct witness shorter;
};

static uint64_t distance(const struct witness *w)
{
	uint64_t a = w->result.returned, b = w->right;

	return a > b ? a - b : b - a;
}

static bool judged(enum verdict v)
{
	return v <= RUN_INCOMPLETE;
}

static bool is_short(enum verdict v)
{
	return v == RUN_NOT_MAXIMAL || v == RUN_NO_PROGRESS;
}

/* The example that says more: one that needs no torn store, that is not only short of the most, that is farther off. */
static bool is_worse(const struct witness *a, const struct witness *b)
{
	bool torn_a = a->c.tear != TEAR_NONE, torn_b = b->c.tear != TEAR_NONE;
	bool soft_a = is_short(a->result.verdict), soft_b = is_short(b->result.verdict);
	uint64_t far_a = judged(a->result.verdict) ? distance(a) : 0, far_b = judged(b->result.verdict) ? distance(b) : 0;

	if (torn_a != torn_b)
		return torn_b;
	if (soft_a != soft_b)
		return soft_b;
	if (far_a != far_b)
		return far_a > far_b;
	return a->result.accessible < b->result.accessible;
}

static uint64_t right_result(const struct program *p, const struct interp_case *c, const struct interp_result *res)
{
	return p->info.contract == CONTRACT_RESULT_DST ? res->returned : c->n - res->written;
}

static bool is_wrong(const struct search *s, const struct witness *w)
{
	enum verdict v = w->result.verdict;

	return v != RUN_OK && (v != RUN_NOT_MAXIMAL || s->maximal);
}

static void note(struct search *s, const struct witness *w)
{
	if (!s->any && is_short(w->result.verdict)) {
		if (!s->has_short || w->c.n < s->shorter.c.n || (w->c.n == s->shorter.c.n && is_worse(w, &s->shorter)))
			s->shorter = *w;
		s->has_short = true;
		return;
	}
	if (!s->found || is_worse(w, &s->best))
		s->best = *w;
	s->found = true;
}

static void spend(uint64_t *steps, uint64_t cost)
{
	*steps = *steps > cost ? *steps - cost : 0;
}

static bool see(void *arg, const struct interp_case *c, const struct interp_result *res)
{
	struct search *s = arg;
	uint64_t cost = res->steps + STEPS_RUN;
	struct witness w = { .program = s->p, .c = *c, .result = *res };

	if (is_wrong(s, &w)) {
		w.right = right_result(s->p, c, res);
		w.dst_align = (unsigned)(c->dst.start & 15);
		w.src_align = (unsigned)(c->src.start & 15);
		note(s, &w);
	}
	spend(&s->left, cost);
	spend(s->steps, cost);
	return s->left > 0 && !(s->any && s->found);
}

/* Runs sizes from 0 until one is wrong, with one part in `parts` of the steps; that size, or limit + 1. */
static uint64_t first_wrong(struct search *s, struct interp *in, uint64_t limit, bool thorough, unsigned parts)
{
	s->left = *s->steps / parts;
	s->found = false;
	for (uint64_t n = 0; n <= limit && s->left; n++) {
		witness_each(in, s->p, n, thorough, see, s);
		if (s->found)
			return n;
	}
	return limit + 1;
}

/* A few sizes above the limit, coarsely. */
static void see_larger(struct search *s, struct interp *in, uint64_t limit)
{
	uint64_t sizes[16];
	size_t n = witness_sizes(s->p->machine, limit + 1, sizes, sizeof sizes / sizeof *sizes);

	s->left = *s->steps;
	for (size_t i = 0; i < n && !s->found && s->left; i++)
		witness_each(in, s->p, sizes[i], false, see, s);
}

/* All of one size. */
static void see_one(struct search *s, struct interp *in, uint64_t n)
{
	s->left = *s->steps;
	witness_each(in, s->p, n, true, see, s);
}

static uint64_t size_limit(const struct program *p)
{
	uint64_t n = 4 * machine_tune(p->machine, "block");

	n = n > SIZE_MIN ? n : SIZE_MIN;
	return n < INTERP_N_MAX / 2 ? n : INTERP_N_MAX / 2;
}

static void any_wrong(struct search *s, struct interp *in, uint64_t limit)
{
	first_wrong(s, in, limit, false, 4);
	if (!s->found)
		first_wrong(s, in, limit, true, 1);
	if (!s->found)
		see_larger(s, in, limit);
}

/* Coarsely first, then thoroughly what is smaller. */
static void smallest_wrong(struct search *s, struct interp *in, uint64_t limit)
{
	uint64_t n = first_wrong(s, in, limit, false, 2);
	struct witness coarse = s->best;
	bool found = s->found;

	n = first_wrong(s, in, found ? n : limit, true, 2);
	if (!s->found && found) {
		n = coarse.c.n;
		s->best = coarse;
		s->found = true;
	}
	if (s->found && !s->left)
		see_one(s, in, n);
	if (!s->found)
		see_larger(s, in, limit);
}

static bool search(void *ctx, struct search *s, struct witness *ret)
{
	struct interp *in = interp_new(ctx, s->p, NULL);

	if (!in)
		return false;
	s->maximal = s->p->machine->fixup >= FIXUP_RETRY;
	(s->any ? any_wrong : smallest_wrong)(s, in, size_limit(s->p));
	talloc_free(in);
	if (s->found || s->has_short)
		*ret = s->found ? s->best : s->shorter;
	return s->found || s->has_short;
}

bool witness_search(void *ctx, const struct program *p, uint64_t *steps, struct witness *ret)
{
	struct search s = { .p = p, .steps = steps };

	return search(ctx, &s, ret);
}

bool witness_any(void *ctx, const struct program *p, uint64_t *steps, struct witness *ret)
{
	struct search s = { .p = p, .any = true, .steps = steps };

	return search(ctx, &s, ret);
}

static char *ordinal(void *ctx, const struct interp_fault *f)
{
	static const char *const endings[] = { "th", "st", "nd", "rd" };
	unsigned n = f->ordinal, last = n % 10, teen = n % 100 / 10 == 1;

	return talloc_asprintf(ctx, "%u%s %s", n, endings[teen || last > 3 ? 0 : last], f->store ? "store" : "load");
}

/* `copy_to_user, n = 128, dst % 16 = 3, the 4th store faults, then the 1st load`. */
static char *circumstances(void *ctx, const struct witness *w)
{
	const struct interp_result *r = &w->result;
	bool dst_fault = w->c.dst.bad < w->c.dst.good, src_fault = w->c.src.bad < w->c.src.good;
	char *s = talloc_asprintf(ctx, "%s, n = %llu", w->program->info.name, (unsigned long long)w->c.n);

	/* Where a side faults, its alignment is that of the border and the fault's place. */
	if (w->dst_align && !dst_fault)
		s = talloc_asprintf_append(s, ", dst %% 16 = %u", w->dst_align);
	if (w->src_align && !src_fault && w->program->info.src >= 0)
		s = talloc_asprintf_append(s, ", src %% 16 = %u", w->src_align);
	if (w->program->calls && w->c.holds >= 0)
		s = talloc_asprintf_append(s, ", memory is held %d times", w->c.holds);
	if (!r->faults)
		return s;
	if (r->accessible != r->written || !judged(r->verdict))
		s = talloc_asprintf_append(s, ", byte %llu is inaccessible", (unsigned long long)r->accessible);
	s = talloc_asprintf_append(s, ", the %s faults", ordinal(ctx, &r->first));
	if (r->faults > 1 && r->last.insn != r->first.insn)
		s = talloc_asprintf_append(s, ", then the %s", ordinal(ctx, &r->last));
	return s;
}

static const char *bytes(unsigned long long n)
{
	return n == 1 ? "byte was" : "bytes were";
}

const char *witness_text(void *ctx, const struct witness *w)
{
	const struct interp_result *r = &w->result;
	unsigned long long returned = r->returned, written = r->written, right = w->right, p = r->accessible;
	const char *head = circumstances(ctx, w);

	switch (r->verdict) {
	case RUN_RESIDUAL:
		return talloc_asprintf(ctx, "%s: returns %llu, but %llu %s written, %llu is right", head, returned,
				       written, bytes(written), right);
	case RUN_PAST:
		return talloc_asprintf(ctx, "%s: %llu %s written, but others are modified as well", head, written,
				       bytes(written));
	case RUN_NOT_MAXIMAL: case RUN_NO_PROGRESS:
		return talloc_asprintf(ctx, "%s: returns %llu, but %llu %s copied", head, returned, p,
				       p == 1 ? "byte could have been" : "bytes could have been");
	case RUN_KEPT:
		return talloc_asprintf(ctx, "%s: %s is not as at entry", head, w->program->machine->regs[r->reg].name);
	default:
		return talloc_asprintf(ctx, "%s: %s", head, interp_verdict_text(r->verdict));
	}
}
