/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What one line does to a state: reads before, writes after. */
#include <talloc.h>

#include "engine.h"

#define JUMPS_MAX 4
#define WRITES_MAX 64

struct jump {
	const struct action *act;
	struct astate *s;
};

struct writes {
	int n;
	int regs[WRITES_MAX];
	struct value values[WRITES_MAX];
};

static void find_writes(struct engine *e, struct astate *s, const struct step *step,
			const struct loads *loads, struct writes *w)
{
	w->n = 0;
	for (size_t k = 0; k < step->nacts; k++) {
		const struct action *a = &step->acts[k];

		if (a->kind != ACT_SET || a->target->index == e->m->zero)
			continue;
		if (w->n == WRITES_MAX) {
			e->gave_up = true;
			return;
		}
		w->regs[w->n] = a->target->index;
		w->values[w->n++] = eval_for(e, s, a->value, loads, e->m->regs[a->target->index].width);
	}
}

static void enter_frame(struct engine *e, struct astate *s, int line, const struct regset *regs)
{
	if (s->frame != 0)
		engine_fail(e, DIAG_FRAME, line, "a frame may be open already");
	s->saved = (struct regset){ 0 };
	for (int r = 0; r < (int)e->m->nregs; r++) {
		const struct holding *h;

		if (!regset_has(regs, r) || !e->vars.of_reg[r])
			continue;
		h = state_held(e, s, r);
		if (h->kind == HELD_ENTRY && h->of == r)
			regset_add(&s->saved, r);
	}
	s->frame = 1;
}

static void leave_frame(struct engine *e, struct astate *s, int line, const struct regset *regs)
{
	if (s->frame != 1)
		engine_fail(e, DIAG_FRAME, line, "no frame may be open");
	for (int r = 0; r < (int)e->m->nregs; r++) {
		if (!regset_has(regs, r) || !e->vars.of_reg[r])
			continue;
		state_forget_reg(e, s, r);
		if (regset_has(&s->saved, r))
			*state_held(e, s, r) = (struct holding){ .kind = HELD_ENTRY, .of = (int16_t)r };
	}
	s->saved = (struct regset){ 0 };
	s->frame = 0;
}

static uint64_t only(uint64_t value)
{
	return (uint64_t)1 << (value & 63);
}

/* "`a`, `b` or `c`" */
static const char *mode_names(const struct engine *e, int state, uint64_t values)
{
	const struct state *s = &e->m->states[state];
	const char *text = "";

	for (size_t k = 0; k < s->nvalues; k++) {
		uint64_t rest = values >> k;

		if (rest & 1)
			text = talloc_asprintf(e->ctx, "%s`%s`%s", text, s->values[k],
					       rest == 1 ? "" : (rest >> 1 & ((rest >> 1) - 1)) ? ", " : " or ");
	}
	return text;
}

static void check_need(struct engine *e, struct astate *s, int line, const struct action *a,
		       const struct loads *loads)
{
	struct astate *t;
	uint64_t want;

	if (!e->checking)
		return;
	if (a->cond) {
		t = state_copy(e, s);
		if (assume(e, t, a->cond, true, loads))
			engine_fail(e, DIAG_NEED, line, "what the instruction needs may not hold");
		talloc_free(t);
		return;
	}
	want = only(a->value ? a->value->value : 0);
	if (a->index >= 0 && a->index < MODES_MAX && s->mode[a->index] != want)
		engine_fail(e, DIAG_NEED, line, "the instruction needs `%s` to be %s, but it may be %s",
			    e->m->states[a->index].name, mode_names(e, a->index, want),
			    mode_names(e, a->index, s->mode[a->index] & ~want));
}

/* Whether control can go on behind the line; jumps get states of their own. */
static bool split_jumps(struct engine *e, struct astate *s, const struct step *step,
			const struct loads *loads, struct jump *jumps, int *ret_n)
{
	int n = 0;
	bool on = true;

	for (size_t k = 0; on && k < step->nacts; k++) {
		const struct action *a = &step->acts[k];

		if (a->kind != ACT_GOTO)
			continue;
		if (n == JUMPS_MAX) {
			e->gave_up = true;
			break;
		}
		jumps[n] = (struct jump){ a, state_copy(e, s) };
		if (!a->cond) {
			on = false;
		} else {
			if (!assume(e, jumps[n].s, a->cond, false, loads)) {
				talloc_free(jumps[n].s);
				jumps[n].s = NULL;
			}
			on = assume(e, s, a->cond, true, loads);
		}
		n += jumps[n].s != NULL;
	}
	*ret_n = n;
	return on;
}

/* What happens once all is read: registers, frames, states. */
static void finish(struct engine *e, struct astate *s, int line, const struct step *step,
		   const struct writes *w)
{
	struct value values[WRITES_MAX];

	for (int i = 0; i < w->n; i++)
		values[i] = w->values[i];
	state_write(e, s, w->regs, values, w->n);
	for (size_t k = 0; k < step->nacts; k++) {
		const struct action *a = &step->acts[k];

		if (a->kind == ACT_CLOBBER)
			for (int r = 0; r < (int)e->m->nregs; r++)
				if (regset_has(&a->clobber, r))
					state_forget_reg(e, s, r);
		if (a->kind == ACT_STATE && a->index >= 0 && a->index < MODES_MAX)
			s->mode[a->index] = only(a->value->value);
		if (a->kind == ACT_ENTER)
			enter_frame(e, s, line, &a->clobber);
		if (a->kind == ACT_LEAVE)
			leave_frame(e, s, line, &a->clobber);
		if (a->kind == ACT_FENCE)
			s->owed = false;
	}
	call_behind(e, s, step);
}

static void check_needs(struct engine *e, struct astate *s, int line, const struct step *step,
			const struct loads *loads)
{
	for (size_t k = 0; k < step->nacts; k++)
		if (step->acts[k].kind == ACT_NEED)
			check_need(e, s, line, &step->acts[k], loads);
}

static bool stores(const struct step *step)
{
	for (size_t k = 0; k < step->nacts; k++)
		if (step->acts[k].kind == ACT_STORE)
			return true;
	return false;
}

static bool has_ghost(const struct form *f)
{
	return form_has(f, VAR_W) || form_has(f, VAR_M) || form_has(f, VAR_P) || form_has(f, VAR_Y);
}

/* Values that were said by what a store of the same step has changed since. */
static void drop_stale(struct writes *w)
{
	for (int i = 0; i < w->n; i++) {
		const struct value *v = &w->values[i];

		if (has_ghost(&v->f) || has_ghost(v->c.lo) || has_ghost(v->c.hi) || v->c.kind == HELD_DEST)
			w->values[i] = value_any();
	}
}

static bool returns(const struct step *step)
{
	for (size_t k = 0; k < step->nacts; k++)
		if (step->acts[k].kind == ACT_RETURN)
			return true;
	return false;
}

static void take_jump(struct engine *e, int line, int k, struct jump *j, const struct step *step,
		      const struct writes *w)
{
	int to = j->act->jump ? -1 : cfg_label(e->cfg, j->act->label);

	finish(e, j->s, line, step, w);
	if (to < 0) {
		if (!j->act->jump && !e->p->labels[j->act->label].symbol)
			engine_fail(e, DIAG_RUNS_OFF, line, "the jump goes nowhere");
		leave_by_jump(e, j->s, line);
		talloc_free(j->s);
		return;
	}
	flow_push(e, line, EDGE_TAKEN + k, to, j->s);
}

/* The acts of a step on s; NULL: nothing goes on behind them. */
static struct astate *run_acts(struct engine *e, int line, struct astate *s, const struct step *step)
{
	struct loads *loads = talloc(e->ctx, struct loads);
	struct writes *w = talloc(loads, struct writes);
	struct jump jumps[JUMPS_MAX];
	int n = 0;
	bool on = access_loads(e, s, line, step, loads);

	check_needs(e, s, line, step, loads);
	find_writes(e, s, step, loads, w);
	on = on && access_stores(e, s, line, step, loads);
	on = on && call_before(e, s, line, step);
	if (stores(step) || step_calls(step))
		drop_stale(w);
	if (on) {
		on = split_jumps(e, s, step, loads, jumps, &n);
		for (int k = 0; k < n; k++)
			take_jump(e, line, k, &jumps[k], step, w);
	}
	if (on)
		finish(e, s, line, step, w);
	if (on && returns(step)) {
		leave_by_return(e, s, line);
		on = false;
	}
	talloc_free(loads);
	if (on)
		return s;
	talloc_free(s);
	return NULL;
}

struct astate *transfer(struct engine *e, int line, struct astate *s)
{
	const struct step *step = cfg_step(e->cfg, line);
	struct astate *out = NULL;

	e->steps++;
	e->busy = 0;
	e->live = &e->cfg->line[line].live;
	if (!step->loop)
		return run_acts(e, line, s, step);
	out = state_copy(e, s);
	if (!assume(e, out, step->loop, true, NULL)) {
		talloc_free(out);
		out = NULL;
	}
	if (!assume(e, s, step->loop, false, NULL)) {
		talloc_free(s);
		return out;
	}
	s = run_acts(e, line, s, step);
	if (s)
		flow_push(e, line, EDGE_AGAIN, line, s);
	return out;
}
