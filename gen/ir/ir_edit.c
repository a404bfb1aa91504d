/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "ir_edit.h"

#include "array.h"

struct walk {
	const struct program *p;
	bool *seen;
	size_t *todo;
	size_t ntodo;
};

static void reach(struct walk *w, int at)
{
	if (at < 0 || w->seen[at])
		return;
	w->seen[at] = true;
	w->todo[w->ntodo++] = (size_t)at;
}

static void follow(struct walk *w, const struct insn *in)
{
	for (int k = 0; k < in->nsteps; k++) {
		if (in->fixup[k] >= 0)
			reach(w, w->p->labels[in->fixup[k]].at);
		for (size_t j = 0; j < in->steps[k].nacts; j++) {
			const struct action *a = &in->steps[k].acts[j];

			if (a->kind == ACT_GOTO && a->label >= 0)
				reach(w, w->p->labels[a->label].at);
		}
	}
}

static bool *reached(void *ctx, const struct program *p)
{
	struct walk w = { .p = p };

	w.seen = ARRAY_NEW(ctx, bool, p->ninsns + 1);
	w.todo = ARRAY_NEW(ctx, size_t, p->ninsns + 1);
	reach(&w, 0);
	while (w.ntodo) {
		size_t i = w.todo[--w.ntodo];

		if (i == p->ninsns)
			continue;
		follow(&w, &p->insns[i]);
		if (insn_falls_through(&p->insns[i]))
			reach(&w, (int)i + 1);
	}
	return w.seen;
}

static size_t next_kept(const struct program *p, const bool *keep, size_t i)
{
	while (i < p->ninsns && !keep[i])
		i++;
	return i;
}

/* Nothing but a jump to what comes next anyway.  Where the fixups begin another section may. */
static bool is_pointless(const struct program *p, const bool *keep, size_t i)
{
	const struct insn *in = &p->insns[i];
	size_t next = next_kept(p, keep, i + 1);

	if (in->nsteps != 1 || in->steps[0].loop || !in->steps[0].nacts || (i < p->hot && next >= p->hot))
		return false;
	for (size_t j = 0; j < in->steps[0].nacts; j++) {
		const struct action *a = &in->steps[0].acts[j];
		int at = a->kind == ACT_GOTO && !a->jump ? p->labels[a->label].at : -1;

		if (at < 0 || next_kept(p, keep, (size_t)at) != next)
			return false;
	}
	return true;
}

/* From the last on: a jump over what is dropped may be pointless itself. */
static void drop_pointless(struct program *p, bool *keep)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = p->ninsns; i-- > 0;) {
			size_t next = next_kept(p, keep, i + 1);

			if (!keep[i] || !is_pointless(p, keep, i))
				continue;
			if (next < p->ninsns)
				p->insns[next].align |= p->insns[i].align;
			keep[i] = false;
			changed = true;
		}
	}
}

void ir_drop_unreached(struct program *p)
{
	void *tmp = talloc_new(p);
	int *now = ARRAY_NEW(tmp, int, p->ninsns + 1);
	bool *seen = reached(tmp, p);
	size_t n = 0;

	drop_pointless(p, seen);

	for (size_t i = 0; i < p->ninsns; i++) {
		now[i] = (int)n;
		if (!seen[i])
			continue;
		p->insns[n] = p->insns[i];
		p->resume_of[n++] = p->resume_of[i];
	}
	now[p->ninsns] = (int)n;
	for (size_t i = 0; i < n; i++)
		if (p->insns[i].slot >= 0)
			p->insns[i].slot = now[p->insns[i].slot];
	for (size_t k = 0; k < p->nlabels; k++)
		if (p->labels[k].at >= 0)
			p->labels[k].at = now[p->labels[k].at];
	p->hot = (size_t)now[p->hot];
	p->ninsns = n;
	talloc_free(tmp);
}
