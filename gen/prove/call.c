/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls: what must hold before one, and what may be counted on behind it.  A routine that is called does to its part of
 * the buffers what it promises.  A hook may have made memory accessible; one that holds a granule says in its result
 * whether it does, and that is learned where the result is tested.
 */
#include "access.h"

static bool number_at(const struct engine *e, struct astate *s, int reg, struct form *ret)
{
	if (reg < 0 || !e->vars.of_reg[reg] || state_held(e, s, reg)->kind != HELD_NUMBER)
		return false;
	*ret = form_var(e->vars.of_reg[reg]);
	return true;
}

/* Is it where this routine stands: start + W? */
static bool stands(const struct engine *e, struct astate *s, int reg, int start)
{
	struct form f;

	if (!number_at(e, s, reg, &f))
		return false;
	f = form_add(form_add(f, form_var(start), -1), form_var(VAR_W), -1);
	return dstate_is0(s->d, &f);
}

/* Does the callee write what this routine has to? */
static bool same_content(struct engine *e, struct astate *s, const struct routine_info *its)
{
	const struct routine_info *ours = &e->p->info;
	const struct holding *h = its->value >= 0 && e->vars.of_reg[its->value] ? state_held(e, s, its->value) : NULL;
	struct value v = { .f = form_const(0) };

	if (its->content != CONTENT_BYTE)
		return its->content == ours->content;
	if (!h || ours->content == CONTENT_COPY)
		return false;
	v.c = *h;
	v.f = form_var(e->vars.of_reg[its->value]);
	if (ours->content == CONTENT_ZERO)
		return value_is_zero(s, &v);
	return h->kind == HELD_FILL && form_at_most(s, *h->lo, form_const(0)) && form_at_most(s, form_const(1), *h->hi);
}

/* Does all of it lie in the granule that is held? */
static bool is_held(const struct engine *e, const struct astate *s, const struct span *sp)
{
	return s->holds == 1 && s->granted && form_at_most(s, end_of(&sp->at, &sp->len), *s->granted) &&
	       form_at_most(s, form_plus(*s->granted, -e->m->granule), sp->at);
}

static bool call_routine(struct engine *e, struct astate *s, int line, const struct callee *c)
{
	const struct routine_info *its = &c->info;
	bool user = side_is_user(e, SIDE_DST) || side_is_user(e, SIDE_SRC);
	struct span sp = { .n = 0, .side = SIDE_DST, .at = form_var(VAR_W), .size = -1 };

	if (!stands(e, s, its->dst, VAR_DST0) || (its->content == CONTENT_COPY && !stands(e, s, its->src, VAR_SRC0)))
		engine_fail(e, DIAG_CALL, line, "`%s` may not be called for where this routine stands", c->name);
	if (!number_at(e, s, its->n, &sp.len) || !in_buffer(s, &sp.at, &sp.len)) {
		engine_fail(e, DIAG_CALL, line, "`%s` may be called for more than is left", c->name);
		return true;
	}
	if (!same_content(e, s, its))
		engine_fail(e, DIAG_CALL, line, "`%s` may not write what belongs there", c->name);
	if (user && e->m->target.user_by_user)
		engine_fail(e, DIAG_CALL, line, "`%s` has ordinary accesses, which do not reach user memory here", c->name);
	if (user && !is_held(e, s, &sp))
		engine_fail(e, DIAG_CALL, line, "`%s` may reach memory that is not held", c->name);
	if (!store_data(e, s, line, &sp))
		return false;
	state_forget_dest(e, s);
	return true;
}

static void let_go(struct engine *e, struct astate *s)
{
	for (int r = 0; r < (int)e->m->nregs; r++)
		if (e->vars.of_reg[r] && state_held(e, s, r)->kind == HELD_ASKED)
			state_forget_reg(e, s, r);
	s->granted = NULL;
}

/* How far from the start of the only side that can fault the granule ends that an address lies in; NULL: unknown. */
static const struct form *granule_end(struct engine *e, struct astate *s, int reg)
{
	bool dst = side_is_user(e, SIDE_DST);
	struct form at, low, end;

	if (dst == side_is_user(e, SIDE_SRC) || !number_at(e, s, reg, &at))
		return NULL;
	low = number_low(e, s, at, __builtin_ctz((unsigned)e->m->granule));
	if (low.lost)
		return NULL;
	end = form_add(form_add(at, low, -1), form_var(dst ? VAR_DST0 : VAR_SRC0), -1);
	end = form_plus(end, e->m->granule);
	return form_keep(e, &end);
}

static void call_hook(struct engine *e, struct astate *s, int line, const struct callee *c)
{
	if (c->kind == CALLEE_HOLD && s->holds != 0)
		engine_fail(e, DIAG_HELD, line, "something may be held already when `%s` is called", c->name);
	if (c->kind == CALLEE_RELEASE && s->holds != 1)
		engine_fail(e, DIAG_HELD, line, "nothing may be held when `%s` is called", c->name);
	fault_age(e, s);
	if (c->kind == CALLEE_OTHER)
		return;
	let_go(e, s);
	s->holds = c->kind == CALLEE_HOLD ? -1 : 0;
	if (c->kind == CALLEE_HOLD)
		s->granted = granule_end(e, s, c->held);
}

/* The frame saves what the call destroys, and the callee finds and leaves all states as at entry. */
static void check_call(struct engine *e, struct astate *s, int line)
{
	const struct pattern *p = pattern_at(e, line);

	if ((e->m->call_enter.n || (p && p->needs_frame)) && s->frame != 1)
		engine_fail(e, DIAG_FRAME, line, "a call may stand outside of a frame, which it needs");
	for (int k = 0; k < (int)e->m->nstates; k++)
		if (s->mode[k] != 0)
			engine_fail(e, DIAG_STATE, line, "`%s` may not be `%s` where something is called", e->m->states[k].name,
				    e->m->states[k].values[0]);
}

bool step_calls(const struct step *step)
{
	for (size_t k = 0; k < step->nacts; k++)
		if (step->acts[k].kind == ACT_CALL)
			return true;
	return false;
}

bool call_before(struct engine *e, struct astate *s, int line, const struct step *step)
{
	for (size_t k = 0; k < step->nacts; k++) {
		const struct callee *c = step->acts[k].callee;

		if (step->acts[k].kind == ACT_GOTO && step_calls(step))
			engine_fail(e, DIAG_CALL, line, "a call that also jumps can't be followed");
		if (step->acts[k].kind != ACT_CALL)
			continue;
		check_call(e, s, line);
		if (!c)
			engine_fail(e, DIAG_CALL, line, "what is called is not known");
		else if (c->kind != CALLEE_ROUTINE)
			call_hook(e, s, line, c);
		else if (!call_routine(e, s, line, c))
			return false;
	}
	return true;
}

void call_behind(struct engine *e, struct astate *s, const struct step *step)
{
	for (size_t k = 0; k < step->nacts; k++) {
		const struct callee *c = step->acts[k].callee;

		if (step->acts[k].kind != ACT_CALL || !c)
			continue;
		for (int r = 0; r < (int)e->m->nregs; r++)
			if (regset_has(&c->writes, r))
				state_forget_reg(e, s, r);
		if (c->kind == CALLEE_HOLD && e->vars.of_reg[e->m->result])
			*state_held(e, s, e->m->result) = (struct holding){ .kind = HELD_ASKED };
	}
}

void call_tested(struct astate *s, bool held)
{
	s->holds = held;
	if (!held)
		s->granted = NULL;
}
