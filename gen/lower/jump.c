/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Jumps to another routine.  What is proved of this one ends there: what that one promises must be all this one does,
 * and it must be proved and printed itself.  Routines jump to earlier ones of their target's list, so none runs in circles.
 */
#include <string.h>

#include "expand.h"

/* Position in the list of what the target emits; its length: not there. */
static size_t emitted(const struct target *t, const char *routine)
{
	size_t i = 0;

	while (i < t->nemit && strcmp(t->emit[i], routine) != 0)
		i++;
	return i;
}

const char *expand_promise(struct expansion *x, const char *routine, struct routine_info *ret)
{
	const struct target *t = &x->l.m->target;

	if (emitted(t, routine) == t->nemit)
		return "the target does not emit it";
	if (emitted(t, routine) >= emitted(t, x->l.p->info.name))
		return "it must stand before this one in the target's `emit`, or they might go in circles";
	return routine_promise(x, routine, ret) ? NULL : "there is an error in it";
}

/* Why a routine is none that may stand for `ours`; NULL: it may. */
static const char *unlike(const struct routine_info *ours, const struct routine_info *its)
{
	if (its->content != ours->content)
		return "what it writes is something else";
	if (its->dst != ours->dst || its->src != ours->src || its->n != ours->n || its->value != ours->value)
		return "it takes its arguments in other registers";
	if (its->contract != ours->contract)
		return its->contract == CONTRACT_RESULT_DST ? "it returns dst, not the number of bytes left" :
							      "it returns the number of bytes left, not dst";
	if (its->zeroing != ours->zeroing)
		return its->zeroing ? "it clears what is not copied" : "it does not clear what is not copied";
	if (ours->src_user && !its->src_user)
		return "its source is not the user's";
	if (ours->dst_user && !its->dst_user)
		return "its destination is not the user's";
	return NULL;
}

int expand_leaving(struct expansion *x, const char *routine, struct place at)
{
	struct routine_info its;
	const char *why;
	int label;

	if (!known_routine(x, routine, at))
		return -1;
	why = expand_promise(x, routine, &its);
	if (!why)
		why = unlike(&x->l.p->info, &its);
	if (why) {
		template_error(x, DIAG_JUMP_TARGET, at, "`%s` can't be jumped to: %s", routine, why);
		return -1;
	}
	label = program_label(x->l.p, routine);
	x->l.p->labels[label].symbol = target_symbol(x->l.p, x->l.m, routine);
	return label;
}
