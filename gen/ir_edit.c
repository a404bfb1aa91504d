/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "ir_edit.h"

#include "array.h"

struct walk {
	const struct program *p;
	bool *seen;
	int *frame;		/* frame open before each instruction; -1: none */
	size_t *todo;
	size_t ntodo;
};

static void reach(struct walk *w, size_t i, int frame)
{
	if (w->seen[i])
		return;
	w->seen[i] = true;
	w->frame[i] = frame;
	w->todo[w->ntodo++] = i;
}

/* Follows one instruction's actions; false when control does not fall through. */
static bool follow(struct walk *w, const struct insn *in, int *frame, size_t self)
{
	bool falls = true;

	for (int k = 0; k < in->nsteps; k++) {
		if (in->fixup[k] >= 0)
			reach(w, (size_t)w->p->labels[in->fixup[k]].at, *frame);
		for (size_t j = 0; j < in->steps[k].nacts; j++) {
			const struct action *a = &in->steps[k].acts[j];

			if (a->kind == ACT_ENTER)
				*frame = (int)self;
			if (a->kind == ACT_LEAVE)
				*frame = -1;
			if (a->kind == ACT_GOTO && !a->jump && a->label >= 0)
				reach(w, (size_t)w->p->labels[a->label].at, *frame);
			if (a->kind == ACT_RETURN || (a->kind == ACT_GOTO && !a->cond))
				falls = false;
		}
	}
	return falls;
}

static void walk_all(void *ctx, const struct program *p, struct walk *w)
{
	*w = (struct walk){ .p = p };
	w->seen = ARRAY_NEW(ctx, bool, p->ninsns + 1);
	w->frame = ARRAY_NEW(ctx, int, p->ninsns + 1);
	w->todo = ARRAY_NEW(ctx, size_t, p->ninsns + 1);
	for (size_t i = 0; i <= p->ninsns; i++)
		w->frame[i] = -1;
	reach(w, 0, -1);
	while (w->ntodo) {
		size_t i = w->todo[--w->ntodo];
		int frame = w->frame[i];

		if (i < p->ninsns && follow(w, &p->insns[i], &frame, i))
			reach(w, i + 1, frame);
	}
}

int *ir_frames(void *ctx, const struct program *p)
{
	struct walk w;

	walk_all(ctx, p, &w);
	return w.frame;
}

void ir_drop_unreached(void *ctx, struct program *p)
{
	void *tmp = talloc_new(ctx);
	int *now = ARRAY_NEW(tmp, int, p->ninsns + 1);
	struct walk w;
	size_t n = 0;

	walk_all(tmp, p, &w);
	for (size_t i = 0; i < p->ninsns; i++)		/* what stands in a slot goes and stays with its branch */
		if (p->insns[i].slot >= 0)
			w.seen[p->insns[i].slot] = w.seen[i];
	for (size_t i = 0; i < p->ninsns; i++) {
		now[i] = (int)n;
		if (!w.seen[i])
			continue;
		p->insns[n] = p->insns[i];
		p->resume_of[n] = p->resume_of[i];
		p->free_at[n] = p->free_at[i];
		n++;
	}
	now[p->ninsns] = (int)n;
	for (size_t i = 0; i < n; i++)
		if (p->insns[i].slot >= 0)
			p->insns[i].slot = now[p->insns[i].slot];
	for (size_t k = 0; k < p->nlabels; k++)
		p->labels[k].at = now[p->labels[k].at];
	p->hot = (size_t)now[p->hot];
	p->ninsns = n;
	talloc_free(tmp);
}
