/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* States that must be as at entry on every way out, and states that instructions need. */
#include <string.h>

#include "array.h"
#include "lowering.h"

#define CHANGES_MAX 200		/* of a state in a routine, where one at the start won't do; the proof finds what is left */

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
	if (!after) {
		l->p->insns[at].align = l->p->insns[at + *ret_n].align;
		l->p->insns[at + *ret_n].align = false;
	}
	return true;
}

static const struct action *state_action(const struct step *s, enum action_kind kind, int index)
{
	for (size_t j = 0; j < s->nacts; j++)
		if (s->acts[j].kind == kind && s->acts[j].index == index && s->acts[j].value)
			return &s->acts[j];
	return NULL;
}

/* What an instruction needs the state to be before it; NULL: nothing, or its own lines see to it. */
static const struct action *first_need(const struct insn *i, int index)
{
	for (int k = 0; k < i->nsteps; k++) {
		const struct action *need = state_action(&i->steps[k], ACT_NEED, index);

		if (need || state_action(&i->steps[k], ACT_STATE, index))
			return need;
	}
	return NULL;
}

static bool leaves(const struct program *p, const struct insn *i)
{
	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++) {
			const struct action *a = &i->steps[k].acts[j];

			/* what is called finds all states as at entry, and leaves them so */
			if (a->kind == ACT_RETURN || a->kind == ACT_CALL || (a->kind == ACT_GOTO && p->labels[a->label].symbol))
				return true;
		}
	return false;
}

static bool step_has_call(const struct step *s)
{
	for (size_t j = 0; j < s->nacts; j++)
		if (s->acts[j].kind == ACT_CALL)
			return true;
	return false;
}

static uint64_t only(uint64_t value)
{
	return (uint64_t)1 << (value & 63);
}

/* By instruction: bit v is set when the state may have value v before it; none is where nothing gets to. */
struct values {
	const struct program *p;
	int index;
	uint64_t *before;
};

static bool spread(struct values *v, int to, uint64_t set)
{
	if (to < 0 || (size_t)to >= v->p->ninsns || !(set & ~v->before[to]))
		return false;
	v->before[to] |= set;
	return true;
}

static bool spread_from(struct values *v, size_t at)
{
	const struct program *p = v->p;
	const struct insn *i = &p->insns[at];
	uint64_t set = v->before[at], all = set;
	bool changed = false;

	for (int k = 0; k < i->nsteps && set; k++) {
		const struct step *s = &i->steps[k];
		const struct action *a = state_action(s, ACT_STATE, v->index);

		if (step_has_call(s))
			set = only(0);
		if (a)
			set = s->loop ? set | only(a->value->value) : only(a->value->value);
		all |= set;
		for (size_t j = 0; j < s->nacts; j++)
			if (s->acts[j].kind == ACT_GOTO)
				changed |= spread(v, p->labels[s->acts[j].label].at, set);
	}
	if (p->resume_of[at] >= 0)
		changed |= spread(v, p->labels[p->resumes[p->resume_of[at]].label].at, all);
	if (insn_falls_through(i))
		changed |= spread(v, (int)at + 1, set);
	return changed;
}

static struct values find_values(struct lowering *l, int index, uint64_t entry)
{
	struct values v = { .p = l->p, .index = index, .before = ARRAY_NEW(l->ctx, uint64_t, l->p->ninsns + 1) };
	bool changed = spread(&v, 0, only(entry));

	while (changed) {
		changed = false;
		for (size_t k = 0; k < l->p->ninsns; k++)
			changed |= spread_from(&v, k);
	}
	return v;
}

/* The first instruction from `from` on that may find the state to be another than it needs; their number: there is none. */
static size_t find_unmet(const struct values *v, size_t from)
{
	size_t k = from;

	for (; k < v->p->ninsns; k++) {
		const struct action *need = first_need(&v->p->insns[k], v->index);

		if (need && (v->before[k] & ~only(need->value->value)))
			break;
	}
	return k;
}

static bool all_met(struct lowering *l, int index, uint64_t entry)
{
	struct values v = find_values(l, index, entry);
	size_t unmet = find_unmet(&v, 0);

	talloc_free(v.before);
	return unmet == l->p->ninsns;
}

/* Before each instruction that would not find what it needs; behind that a turn may need it that did not before. */
static bool set_where_needed(struct lowering *l, int index)
{
	for (int changes = 0; changes < CHANGES_MAX; changes++) {
		struct values v = find_values(l, index, 0);
		size_t at = find_unmet(&v, 0), n;

		talloc_free(v.before);
		if (at == l->p->ninsns)
			break;
		if (!change_state(l, index, first_need(&l->p->insns[at], index)->value->value, at, false, &n))
			return false;
	}
	return true;
}

/* Where a block begins that is marked for it, before loops that begin there. */
static bool set_in_blocks(struct lowering *l, int index, uint64_t value)
{
	for (size_t k = 0, n = 0; k < l->p->ninsns; k += n + 1, n = 0)
		if (l->p->insns[k].opens && !change_state(l, index, value, k, true, &n))
			return false;
	return true;
}

/*
 * Instructions that need the state to be another than at entry: it is so where a marked block begins, else from the
 * start, if that is enough.
 */
static bool open_state(struct lowering *l, int index)
{
	const struct action *need = NULL;
	size_t n;

	if (all_met(l, index, 0))
		return true;
	for (size_t k = 0; k < l->p->ninsns && !need; k++)
		need = first_need(&l->p->insns[k], index);
	if (!set_in_blocks(l, index, need->value->value))
		return false;
	if (all_met(l, index, 0))
		return true;
	if (need->value->value && all_met(l, index, need->value->value))
		return change_state(l, index, need->value->value, 0, true, &n);
	return set_where_needed(l, index);
}

/* As at entry again: behind marked blocks, or on all ways out. */
static bool close_state(struct lowering *l, int index, bool blocks)
{
	struct values v = find_values(l, index, 0);
	size_t count = l->p->ninsns;

	for (size_t k = 0, old = 0; old < count; k++, old++) {
		size_t n = 0;

		if (!(v.before[old] & ~only(0)) || !(blocks ? l->p->insns[k].closes : leaves(l->p, &l->p->insns[k])))
			continue;
		if (!change_state(l, index, 0, k, false, &n))
			return false;
		k += n;
	}
	return true;
}

bool finish_states(struct lowering *l)
{
	l->opens = l->closes = false;
	for (size_t k = 0; k < l->m->nstates; k++)
		if (!open_state(l, (int)k) || !close_state(l, (int)k, true) || !close_state(l, (int)k, false))
			return false;
	return true;
}
