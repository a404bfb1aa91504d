/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What must hold where control leaves the routine. */
#include <talloc.h>

#include "engine.h"

static bool at_most(const struct astate *s, struct form a, struct form b)
{
	struct form d = form_add(b, a, -1);

	return dstate_ge0(s->d, &d);
}

static bool same(const struct astate *s, struct form a, struct form b)
{
	struct form d = form_add(a, b, -1);

	return dstate_is0(s->d, &d);
}

static void check_kept(struct engine *e, struct astate *s, int line)
{
	for (int v = e->vars.base; v <= e->vars.count; v++) {
		int reg = e->vars.reg_of[v];
		const struct holding *h = &s->held[v - e->vars.base];

		if (regset_has(&e->m->kept, reg) && !(h->kind == HELD_ENTRY && h->of == reg))
			engine_fail(e, DIAG_PRESERVED, line, "`%s` may not hold what it held at entry",
				    e->m->regs[reg].name);
	}
}

static void check_closed(struct engine *e, struct astate *s, int line)
{
	if (s->frame != 0)
		engine_fail(e, DIAG_FRAME, line, "the frame may not have been dropped");
	if (s->holds != 0)
		engine_fail(e, DIAG_HELD, line, "something may still be held");
	if (s->owed)
		engine_fail(e, DIAG_FENCE, line,
			    "a non-temporal store may not have been followed by its fence");
	for (int k = 0; k < (int)e->m->nstates; k++)
		if (s->mode[k] != 1)
			engine_fail(e, DIAG_STATE, line, "`%s` may not be `%s` again", e->m->states[k].name,
				    e->m->states[k].values[0]);
}

static bool number_in(const struct engine *e, struct astate *s, int reg, struct form *ret)
{
	if (reg == e->m->zero)
		*ret = form_const(0);
	else if (reg >= 0 && e->vars.of_reg[reg] && state_held(e, s, reg)->kind == HELD_NUMBER)
		*ret = form_var(e->vars.of_reg[reg]);
	else
		return false;
	return true;
}

/* Is p <= W; or, where that isn't asked, does W = 0 at least imply p = 0? */
static void check_reach(struct engine *e, struct astate *s, int line)
{
	struct form w = form_var(VAR_W), p = form_var(VAR_P), minus = form_scale(w, -1);
	enum fixup_form form = e->m->fixup;
	bool wanted = e->m->target.retry && (form == FIXUP_RETRY || form == FIXUP_BOTH);
	struct astate *t;

	if (!e->checking || at_most(s, p, w))
		return;
	e->maximal = false;
	t = state_copy(e, s);
	if (dstate_add_ge(t->d, &minus) && !at_most(t, p, form_const(0)))
		engine_fail(e, DIAG_PROGRESS, line,
			    "nothing may have been copied though the first byte can be");
	else if (wanted)
		engine_fail(e, DIAG_MAXIMAL, line, "bytes that can be copied may be left out");
	talloc_free(t);
}

static void check_residual(struct engine *e, struct astate *s, int line)
{
	struct form n = form_var(VAR_N), w = form_var(VAR_W), result;

	if (!number_in(e, s, e->m->result, &result) || !same(s, result, form_add(n, w, -1)))
		engine_fail(e, DIAG_RESIDUAL, line, "the result may not be the number of bytes not written");
	if (e->p->info.zeroing) {
		if (!same(s, w, n) && !(s->clearing && same(s, form_var(VAR_Y), n)))
			engine_fail(e, DIAG_CLEARED, line, "the rest of the destination may not be cleared");
	} else if (!at_most(s, form_var(VAR_M), w)) {
		engine_fail(e, DIAG_PAST, line, "bytes past those that count as written may be modified");
	}
	check_reach(e, s, line);
}

static void check_result_dst(struct engine *e, struct astate *s, int line)
{
	struct form result;

	if (!number_in(e, s, e->m->result, &result) || !same(s, result, form_var(VAR_DST0)))
		engine_fail(e, DIAG_RESULT, line, "the result may not be the destination");
	if (!same(s, form_var(VAR_W), form_var(VAR_N)))
		engine_fail(e, DIAG_RESIDUAL, line, "bytes may be left unwritten");
}

void leave_by_return(struct engine *e, struct astate *s, int line)
{
	if (!e->checking)
		return;
	if (e->p->info.contract == CONTRACT_RESULT_DST)
		check_result_dst(e, s, line);
	else
		check_residual(e, s, line);
	check_kept(e, s, line);
	check_closed(e, s, line);
}

/* Does the fill byte's register hold what it held at entry? */
static bool value_kept(const struct engine *e, struct astate *s)
{
	const struct routine_info *i = &e->p->info;
	const struct holding *h = i->content == CONTENT_BYTE ? state_held(e, s, i->value) : NULL;

	if (i->content != CONTENT_BYTE)
		return true;
	return h && h->kind == HELD_FILL && at_most(s, *h->lo, form_const(0)) && at_most(s, form_const(1), *h->hi);
}

/* Another routine does what is left: it must find everything as if it were called for that. */
void leave_by_jump(struct engine *e, struct astate *s, int line)
{
	const struct routine_info *i = &e->p->info;
	const int regs[] = { i->dst, i->content == CONTENT_COPY ? i->src : -1, i->n };
	const struct form done = i->contract == CONTRACT_RESULT_DST ? form_const(0) : form_var(VAR_W);
	const struct form want[] = { form_add(form_var(VAR_DST0), done, 1), form_add(form_var(VAR_SRC0), done, 1),
				     form_add(form_var(VAR_N), done, -1) };
	struct form f;

	if (!e->checking)
		return;
	for (int k = 0; k < 3; k++)
		if (regs[k] >= 0 && (!number_in(e, s, regs[k], &f) || !same(s, f, want[k])))
			engine_fail(e, DIAG_JUMP, line, "an argument may not be what is left for the routine that is jumped to");
	if (!value_kept(e, s))
		engine_fail(e, DIAG_JUMP, line, "the byte to fill with may have changed before the jump");
	if (!at_most(s, form_var(VAR_M), done))
		engine_fail(e, DIAG_JUMP, line, "bytes past those that are done may be modified before the jump");
	check_kept(e, s, line);
	check_closed(e, s, line);
}
