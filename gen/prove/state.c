/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Abstract states: copying, joining, forgetting, writing registers. */
#include <string.h>
#include <talloc.h>

#include "engine.h"

static size_t nregs(const struct engine *e)
{
	return (size_t)(e->vars.count - e->vars.base + 1);
}

static size_t state_size(const struct engine *e)
{
	return sizeof(struct astate) + nregs(e) * sizeof(struct holding);
}

struct astate *state_new(struct engine *e)
{
	struct astate *s = talloc_zero_size(e->ctx, state_size(e));

	s->d = dstate_top(s, e->vars.count);
	for (int k = 0; k < MODES_MAX; k++)
		s->mode[k] = 1;
	return s;
}

static struct astate *shell_copy(struct engine *e, const struct astate *s)
{
	return talloc_memdup(e->ctx, s, state_size(e));
}

struct astate *state_copy(struct engine *e, const struct astate *s)
{
	struct astate *copy = shell_copy(e, s);

	copy->d = dstate_copy(copy, s->d);
	return copy;
}

struct holding *state_held(const struct engine *e, struct astate *s, int reg)
{
	return e->vars.of_reg[reg] ? &s->held[e->vars.of_reg[reg] - e->vars.base] : NULL;
}

static bool say_without(struct engine *e, const struct astate *s, const struct form **f, int x)
{
	struct form r;

	if (!form_has(*f, x))
		return true;
	if (!dstate_reduce(s->d, *f, &r) || form_has(&r, x))
		return false;
	*f = form_keep(e, &r);
	return true;
}

/* Lanes that mention x are said without it, or their content is forgotten. */
static void forget_lanes(struct engine *e, struct astate *s, int x)
{
	for (size_t i = 0; i < nregs(e); i++) {
		struct holding *h = &s->held[i];

		if (!h->lo && !h->hi && !h->word)
			continue;
		if (say_without(e, s, &h->lo, x) && say_without(e, s, &h->hi, x) &&
		    say_without(e, s, &h->word, x))
			continue;
		memset(h, 0, sizeof(*h));
		dstate_forget(s->d, e->vars.base + (int)i);
	}
	if (s->granted && !say_without(e, s, &s->granted, x))
		s->granted = NULL;
}

void state_assign(struct engine *e, struct astate *s, int var, const struct form *f)
{
	forget_lanes(e, s, var);
	dstate_assign(s->d, var, f);
}

void state_forget(struct engine *e, struct astate *s, int var)
{
	forget_lanes(e, s, var);
	dstate_forget(s->d, var);
}

void state_forget_reg(struct engine *e, struct astate *s, int reg)
{
	if (!e->vars.of_reg[reg])
		return;
	state_forget(e, s, e->vars.of_reg[reg]);
	memset(state_held(e, s, reg), 0, sizeof(struct holding));
}

void state_forget_dead(struct engine *e, struct astate *s, const struct regset *live)
{
	for (int v = e->vars.base; v <= e->vars.count; v++) {
		int reg = e->vars.reg_of[v];

		/* Without fault edges the arguments look dead, though fixups will want them. */
		if (regset_has(live, reg) || (!e->proving && s->held[v - e->vars.base].kind == HELD_NUMBER))
			continue;
		state_forget_reg(e, s, reg);
	}
}

static bool same_holding(const struct holding *a, const struct holding *b)
{
	return a->kind == b->kind && a->slope == b->slope && a->rest == b->rest && a->of == b->of &&
	       form_same(a->lo, b->lo) && form_same(a->hi, b->hi) && form_same(a->word, b->word);
}

static bool agrees(const struct engine *e, const struct astate *a, const struct astate *b)
{
	for (int v = e->vars.base; v <= e->vars.count; v++)
		if (!same_holding(&a->held[v - e->vars.base], &b->held[v - e->vars.base]))
			return false;
	return a->clearing == b->clearing;
}

/* No bytes are zeros as long as none was cleared: Y = W. */
static void start_clearing(struct engine *e, struct astate *s)
{
	struct form w = form_var(VAR_W);

	if (!s->clearing)
		state_assign(e, s, VAR_Y, &w);
	s->clearing = true;
}

/* Where two states hold different things in a register, neither knows anything of it. */
static void agree(struct engine *e, struct astate *a, struct astate *b)
{
	for (int v = e->vars.base; v <= e->vars.count; v++)
		if (!same_holding(&a->held[v - e->vars.base], &b->held[v - e->vars.base])) {
			state_forget_reg(e, a, e->vars.reg_of[v]);
			state_forget_reg(e, b, e->vars.reg_of[v]);
		}
	if (a->clearing || b->clearing) {
		start_clearing(e, a);
		start_clearing(e, b);
	}
}

/* a takes what both know, the numbers aside. */
static void join_shell(struct engine *e, struct astate *a, const struct astate *b)
{
	if (a->frame != b->frame)
		a->frame = -1;
	if (a->holds != b->holds)
		a->holds = -1;
	if (!form_same(a->granted, b->granted))
		a->granted = NULL;
	for (int k = 0; k < 4; k++)
		a->saved.bits[k] &= b->saved.bits[k];
	for (int k = 0; k < MODES_MAX; k++)
		a->mode[k] |= b->mode[k];
	for (int k = 0; k < FAMILIES; k++)
		if (a->family[k] != b->family[k])
			a->family[k] = 0;
	a->owed |= b->owed;
	a->aged &= b->aged;
	a->bits &= b->bits && e->vars.nbits;
}

/*
 * Widening drops a bound that still moves.  Before it is lost for good, 1 and 0 are tried: a counter that runs down to
 * its end has one of them, however high it began.
 */
static void keep_positive(struct dstate *d, const struct dstate *a, const struct dstate *b,
			  const struct form *f)
{
	struct form above = form_plus(*f, -1);

	if (dstate_ge0(d, f) || !dstate_ge0(a, f) || !dstate_ge0(b, f))
		return;
	if (dstate_ge0(a, &above) && dstate_ge0(b, &above))
		f = &above;
	dstate_add_ge(d, f);
}

struct astate *state_join(struct engine *e, const struct astate *a, const struct astate *b,
			  const struct regset *live, bool widen)
{
	void *tmp = talloc_new(e->ctx);
	struct astate *s;
	struct form *directions = talloc_array(tmp, struct form,
					       (unsigned)(e->ndirections + DIRECTIONS_EXTRA));
	size_t n;

	e->joins++;
	if (!agrees(e, a, b)) {
		struct astate *x = talloc_steal(tmp, state_copy(e, a));
		struct astate *y = talloc_steal(tmp, state_copy(e, b));

		agree(e, x, y);
		a = x;
		b = y;
	}
	s = shell_copy(e, a);
	join_shell(e, s, b);
	n = directions_at(e, s, live, directions);
	s->d = dstate_join(s, a->d, b->d, widen, directions, n);
	for (size_t k = 0; widen && k < n; k++)
		keep_positive(s->d, a->d, b->d, &directions[k]);
	talloc_free(tmp);
	return s;
}

bool state_same(const struct engine *e, const struct astate *a, const struct astate *b)
{
	if (a->frame != b->frame || a->holds != b->holds || !form_same(a->granted, b->granted))
		return false;
	if (a->owed != b->owed || a->aged != b->aged || a->clearing != b->clearing ||
	    a->bits != b->bits || memcmp(&a->saved, &b->saved, sizeof(a->saved)) ||
	    memcmp(a->mode, b->mode, sizeof(a->mode)) ||
	    memcmp(a->family, b->family, sizeof(a->family)))
		return false;
	for (size_t i = 0; i < nregs(e); i++)
		if (!same_holding(&a->held[i], &b->held[i]))
			return false;
	return dstate_same(a->d, b->d);
}

/* Two numeric states of one line become one. */
static void merge(struct engine *e, struct astate *s, struct dstate *a, struct dstate *b)
{
	struct form *directions = talloc_array(s, struct form, (unsigned)(e->ndirections + DIRECTIONS_EXTRA));
	size_t n = directions_at(e, s, e->live, directions);

	e->joins++;
	s->d = dstate_join(s, a, b, false, directions, n);
	talloc_free(directions);
}

void state_merge(struct engine *e, struct astate *s, const struct astate *t)
{
	struct dstate *old = s->d;

	merge(e, s, old, t->d);
	talloc_free(old);
}

void state_swap(struct astate *s, struct astate *t)
{
	struct dstate *d = s->d;

	s->d = talloc_steal(s, t->d);
	t->d = talloc_steal(t, d);
}

void state_raise(struct engine *e, struct astate *s, int x, const struct form *f)
{
	struct form above = form_add(*f, form_var(x), -1), below = form_scale(above, -1);
	struct form *directions;
	size_t n;

	forget_lanes(e, s, x);
	if (dstate_ge0(s->d, &above)) {
		dstate_assign(s->d, x, f);
		return;
	}
	if (dstate_ge0(s->d, &below))
		return;
	directions = talloc_array(s, struct form, (unsigned)(e->ndirections + DIRECTIONS_EXTRA));
	n = directions_at(e, s, e->live, directions);
	dstate_raise(s->d, x, f, directions, n);
	talloc_free(directions);
}

static bool mentions(const struct value *v, int x)
{
	return form_has(&v->f, x) || form_has(v->c.lo, x) || form_has(v->c.hi, x) || form_has(v->c.word, x);
}

static struct form renamed(struct form f, int from, int to)
{
	for (int i = 0; i < f.n; i++)
		if (f.v[i] == from) {
			int64_t c = f.c[i];

			f = form_add(f, form_var(from), -c);
			return form_add(f, form_var(to), c);
		}
	return f;
}

static void rename_kept(struct engine *e, const struct form **f, int from, int to)
{
	struct form r;

	if (!form_has(*f, from))
		return;
	r = renamed(**f, from, to);
	*f = form_keep(e, &r);
}

static void rename_in(struct engine *e, struct value *v, int from, int to)
{
	v->f = renamed(v->f, from, to);
	rename_kept(e, &v->c.lo, from, to);
	rename_kept(e, &v->c.hi, from, to);
	rename_kept(e, &v->c.word, from, to);
}

static void write_one(struct engine *e, struct astate *s, int reg, const struct value *written)
{
	int x = e->vars.of_reg[reg];
	struct value fit = value_fit(e, s, written, e->m->regs[reg].width), *v = &fit;
	struct holding c = v->c;
	bool number = c.kind == HELD_NUMBER, fits = e->m->regs[reg].width == e->word || value_is_zero(s, v);
	bool has_var = c.kind == HELD_SOURCE || (c.kind == HELD_DEST && c.of == HELD_SOURCE);

	if (!x)
		return;
	if (form_has(c.lo, x) || form_has(c.hi, x) || form_has(c.word, x) || c.kind >= HELD_UNIT) {
		state_forget_reg(e, s, reg);
		return;
	}
	forget_lanes(e, s, x);
	if ((number && !v->f.lost && fits) || has_var)
		dstate_assign(s->d, x, &v->f);
	else
		dstate_forget(s->d, x);
	*state_held(e, s, reg) = c;
}

/* The index of a write that no other pending one depends on; -1: they go round in a circle. */
static int next_write(const struct engine *e, const int *regs, const struct value *values, const bool *done,
		      int n)
{
	for (int i = 0; i < n; i++) {
		bool free = !done[i];

		for (int j = 0; j < n && free; j++)
			free = j == i || done[j] || !mentions(&values[j], e->vars.of_reg[regs[i]]);
		if (free)
			return i;
	}
	return -1;
}

void state_write(struct engine *e, struct astate *s, const int *regs, struct value *values, int n)
{
	bool done[256] = { false };
	int spare = 0;

	for (int left = n; left > 0;) {
		int i = next_write(e, regs, values, done, n), k = 0;
		struct form old;

		if (i >= 0) {
			write_one(e, s, regs[i], &values[i]);
			done[i] = true;
			left--;
			continue;
		}
		while (done[k])
			k++;
		if (spare == SPARES) {
			values[k] = value_any();
			for (int j = 0; j < n; j++)
				if (mentions(&values[j], e->vars.of_reg[regs[k]]))
					values[j] = value_any();
			continue;
		}
		old = form_var(e->vars.of_reg[regs[k]]);
		dstate_assign(s->d, e->vars.spare[spare], &old);
		for (int j = 0; j < n; j++)
			rename_in(e, &values[j], e->vars.of_reg[regs[k]], e->vars.spare[spare]);
		spare++;
	}
	while (spare > 0)
		state_forget(e, s, e->vars.spare[--spare]);
}
