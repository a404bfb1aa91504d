/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which cases of a size are run. */
#include "witness.h"

#define ALIGNMENTS 16
#define FAR (2 * (int64_t)INTERP_HALF)
#define ROOM 64			/* a buffer without a fault starts so far before the boundary */
#define HOLE 64			/* bytes of an inaccessible granule with accessible memory behind */
#define HOLDS_MAX 2		/* hooks refuse at once, from the second or third time on, or never */
#define BOTH_MAX 40		/* sizes up to here are run with both sides faulting */

struct walk {
	struct interp *in;
	const struct program *p;
	uint64_t n;
	bool thorough, any;	/* any: some store may tear into any subset */
	uint64_t features;
	int holds;
	witness_fn *fn;
	void *arg;
	bool stop;
};

static struct interp_result try(struct walk *w, struct interp_case *c, enum tear tear)
{
	struct interp_result res;

	c->tear = tear;
	c->n = w->n;
	c->features = w->features;
	c->holds = w->holds;
	interp_run(w->in, c, &res);
	if (!w->fn(w->arg, c, &res))
		w->stop = true;
	return res;
}

static void run_case(struct walk *w, struct interp_side dst, struct interp_side src)
{
	struct interp_case c = { .dst = dst, .src = src };
	struct interp_result res = try(w, &c, TEAR_NONE);
	bool behind = res.behind;

	if (res.torn || behind)
		for (enum tear t = TEAR_ALL; t <= TEAR_BUT_ONE && !w->stop; t++) {
			if (t != TEAR_ALL && !w->thorough)
				break;
			res = try(w, &c, t);
		}
	if (behind)
		for (enum tear t = TEAR_BEHIND; t <= TEAR_LAST && !w->stop; t++)
			res = try(w, &c, t);
}

static struct interp_side whole(int64_t start)
{
	return (struct interp_side){ .start = start };
}

static struct interp_side broken(int64_t start, int64_t bad, int64_t good)
{
	return (struct interp_side){ .start = start, .bad = bad, .good = good };
}

/* Alignments of the side that does not fault: all, or those that matter most. */
static bool wanted(const struct walk *w, int align, int64_t other)
{
	return w->thorough || align == 0 || align == 3 || align == 8 || align == (other & (ALIGNMENTS - 1));
}

static bool has_src(const struct walk *w)
{
	return w->p->info.src >= 0;
}

static void without_fault(struct walk *w)
{
	for (int a = 0; a < ALIGNMENTS; a++)
		for (int b = 0; b < (has_src(w) ? ALIGNMENTS : 1) && !w->stop; b++)
			if (w->thorough || wanted(w, b, a))
				run_case(w, whole(a - ROOM), whole(b - ROOM));
}

/* One side is `bad`; the other at all alignments. */
static void one_side(struct walk *w, bool is_dst, struct interp_side bad)
{
	for (int a = 0; a < (is_dst && !has_src(w) ? 1 : ALIGNMENTS) && !w->stop; a++) {
		struct interp_side other = whole(a - ROOM);

		if (wanted(w, a, bad.start))
			run_case(w, is_dst ? bad : other, is_dst ? other : bad);
	}
}

/* The rest of the buffer can't be accessed, from byte 0 .. n - 1 on. */
static void ends_early(struct walk *w, bool is_dst)
{
	for (int64_t p = 0; p < (int64_t)w->n && !w->stop; p++)
		one_side(w, is_dst, broken(-p, 0, FAR));
}

/* Something behind what can't be accessed can be: from byte h on, or behind one granule in the middle. */
static void holes(struct walk *w, bool is_dst)
{
	for (int64_t h = 1; h < (int64_t)w->n && !w->stop; h += w->thorough ? 1 : 5)
		one_side(w, is_dst, broken(-h, -FAR, 0));
	for (int64_t p = 1; p + HOLE < (int64_t)w->n && !w->stop && w->thorough && !w->any; p++)
		one_side(w, is_dst, broken(-p, 0, HOLE));
}

static void both_sides(struct walk *w)
{
	for (int64_t p = 0; p < (int64_t)w->n; p++)
		for (int64_t q = 0; q < (int64_t)w->n && !w->stop; q++)
			run_case(w, broken(-p, 0, FAR), broken(-q, 0, FAR));
}

static void all_cases(struct walk *w)
{
	const struct routine_info *i = &w->p->info;

	without_fault(w);
	for (int dst = 1; dst >= 0; dst--) {
		if (dst ? !i->dst_user : !i->src_user)
			continue;
		ends_early(w, dst);
		holes(w, dst);
	}
	if (i->dst_user && i->src_user && w->thorough && w->n <= BOTH_MAX)
		both_sides(w);
}

size_t witness_sizes(const struct machine *m, uint64_t above, uint64_t *ret, size_t max)
{
	size_t n = 0;

	for (size_t t = 0; t < m->ntunes; t++)
		for (uint64_t size = m->tunes[t].value; size < m->tunes[t].value + 20 && n < max; size += 1 + size % 16)
			if (size >= above && size <= INTERP_N_MAX / 2)
				ret[n++] = size;
	return n;
}

static bool tears_any(const struct program *p)
{
	for (size_t i = 0; i < p->ninsns; i++)
		if (p->insns[i].pattern && p->insns[i].pattern->tears_any)
			return true;
	return machine_tune(p->machine, "strict") != 0;
}

/* The features a target leaves open, as a mask. */
static uint64_t open_features(const struct machine *m)
{
	uint64_t mask = 0;

	for (size_t f = 0; f < m->nfeatures; f++)
		if (m->features[f].value == FEATURE_VARIANT)
			mask |= (uint64_t)1 << f;
	return mask;
}

void witness_each(struct interp *in, const struct program *p, uint64_t n, bool thorough, witness_fn *fn, void *arg)
{
	uint64_t open = open_features(p->machine), features = 0;
	struct walk w = { .in = in, .p = p, .n = n, .thorough = thorough, .any = tears_any(p), .fn = fn, .arg = arg };

	/* Every subset of the open features, the empty one first. */
	do {
		w.features = features;
		for (w.holds = p->calls ? HOLDS_MAX : -1; w.holds >= -1 && !w.stop; w.holds--)
			all_cases(&w);
		features = (features - open) & open;
	} while (features && !w.stop);
}
