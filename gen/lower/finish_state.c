/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* States that must be as at entry on every way out, and states that instructions need. */
#include <string.h>

#include "array.h"
#include "lowering.h"

/* The last n instructions go to `at`; labels there stay before them when `after` is false. */
static void move_tail(struct lowering *l, size_t at, size_t n, bool after)
{
	struct program *p = l->p;
	size_t old = p->ninsns - n;
	struct insn *tail = talloc_memdup(l->ctx, &p->insns[old], n * sizeof(*tail));

	memmove(&p->insns[at + n], &p->insns[at], (old - at) * sizeof(*tail));
	memcpy(&p->insns[at], tail, n * sizeof(*tail));
	memmove(&p->resume_of[at + n], &p->resume_of[at], (old - at) * sizeof(int));
	for (size_t k = at; k < at + n; k++)
		p->resume_of[k] = -1;
	for (size_t k = 0; k < p->nlabels; k++)
		if (p->labels[k].at > (int)at || (after && p->labels[k].at == (int)at))
			p->labels[k].at += (int)n;
}

/* State `index` becomes `value` before instruction `at`; *ret_n: by how many instructions. */
static bool change_state(struct lowering *l, int index, uint64_t value, size_t at, bool after, size_t *ret_n)
{
	struct place place = l->p->insns[at].place;
	struct action a = { .kind = ACT_STATE, .index = index, .label = -1, .place = place };
	struct needs list = { .n = 0 };
	size_t n = l->p->ninsns;

	a.value = expr_const(l->ctx, value, place);
	a.name = l->m->states[index].name;
	needs_append(l, &list, need_single(l, a, place));
	if (!lower_needs(l, &list)) {
		report_failure(l, &l->failure);
		l->failure.known = false;
		return false;
	}
	*ret_n = l->p->ninsns - n;
	move_tail(l, at, *ret_n, after);
	return true;
}

static const struct action *state_action(const struct insn *i, enum action_kind kind, int index)
{
	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++)
			if (i->steps[k].acts[j].kind == kind && i->steps[k].acts[j].index == index &&
			    i->steps[k].acts[j].value)
				return &i->steps[k].acts[j];
	return NULL;
}

static bool leaves(const struct program *p, const struct insn *i)
{
	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++) {
			const struct action *a = &i->steps[k].acts[j];

			if (a->kind == ACT_RETURN || (a->kind == ACT_GOTO && p->labels[a->label].symbol))
				return true;
		}
	return false;
}

/* By instruction: may the state differ from its first value before it? */
struct dirt {
	const struct program *p;
	int index;
	bool *before;
};

static bool spread(struct dirt *d, int to, bool dirty)
{
	if (to < 0 || (size_t)to >= d->p->ninsns || !dirty || d->before[to])
		return false;
	d->before[to] = true;
	return true;
}

static bool spread_from(struct dirt *d, size_t at)
{
	const struct program *p = d->p;
	const struct insn *i = &p->insns[at];
	const struct action *a = state_action(i, ACT_STATE, d->index);
	bool dirty = a ? a->value->value != 0 : d->before[at], changed = false;

	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++)
			if (i->steps[k].acts[j].kind == ACT_GOTO)
				changed |= spread(d, p->labels[i->steps[k].acts[j].label].at, dirty);
	if (p->resume_of[at] >= 0)
		changed |= spread(d, p->labels[p->resumes[p->resume_of[at]].label].at, dirty || d->before[at]);
	if (insn_falls_through(i))
		changed |= spread(d, (int)at + 1, dirty);
	return changed;
}

static bool *find_dirt(struct lowering *l, int index)
{
	struct dirt d = { .p = l->p, .index = index, .before = ARRAY_NEW(l->ctx, bool, l->p->ninsns + 1) };
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t k = 0; k < l->p->ninsns; k++)
			changed |= spread_from(&d, k);
	}
	return d.before;
}

/* An instruction that needs the state: it is so from the start. */
static bool open_state(struct lowering *l, int index)
{
	const struct action *need = NULL;
	size_t n;

	for (size_t k = 0; k < l->p->ninsns && !need; k++)
		need = state_action(&l->p->insns[k], ACT_NEED, index);
	if (!need || !need->value->value)
		return true;
	return change_state(l, index, need->value->value, 0, true, &n);
}

static bool close_state(struct lowering *l, int index)
{
	bool *dirty = find_dirt(l, index);
	size_t count = l->p->ninsns;

	for (size_t k = 0, old = 0; old < count; k++, old++) {
		size_t n = 0;

		if (!dirty[old] || !leaves(l->p, &l->p->insns[k]))
			continue;
		if (!change_state(l, index, 0, k, false, &n))
			return false;
		k += n;
	}
	return true;
}

bool finish_states(struct lowering *l)
{
	for (size_t k = 0; k < l->m->nstates; k++)
		if (!open_state(l, (int)k) || !close_state(l, (int)k))
			return false;
	return true;
}
