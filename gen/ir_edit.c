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

void ir_drop_unreached(struct program *p)
{
	void *tmp = talloc_new(p);
	int *now = ARRAY_NEW(tmp, int, p->ninsns + 1);
	bool *seen = reached(tmp, p);
	size_t n = 0;

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
