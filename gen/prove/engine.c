/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Setting the engine up: variables, and the state in which a routine begins. */
#include <stdarg.h>
#include <string.h>
#include <talloc.h>

#include "engine.h"

#define HALF_LEAST (1 << 26)	/* half of 2^w: all that is assumed of it; more than any granule */

bool side_is_user(const struct engine *e, enum side side)
{
	return side == SIDE_SRC ? e->p->info.src_user : side == SIDE_DST && e->p->info.dst_user;
}

/* Highest bit that an expression looks at alone. */
static int bits_looked_at(const struct expr *x)
{
	int most = 0;

	if (!x)
		return 0;
	for (int k = 0; k < expr_kids(x->op); k++) {
		int b = bits_looked_at(x->kid[k]);

		most = b > most ? b : most;
	}
	if (x->op == EX_AND)
		for (int k = 0; k < 2; k++) {
			const struct expr *mask = x->kid[k], *other = x->kid[1 - k];
			uint64_t v = mask->op == EX_CONST ? mask->value : 0;
			int shift = other->op == EX_SHR && other->kid[1]->op == EX_CONST ?
				(int)other->kid[1]->value & 63 : 0;
			int top = v ? 64 - __builtin_clzll(v) : 0;

			if (top && (v & (v + 1) || (v == 1 && shift)) && top + shift <= BITS_MAX &&
			    top + shift > most)
				most = top + shift;
		}
	return most;
}

static int cond_bits(const struct cond *c)
{
	int a = c ? bits_looked_at(c->lhs) : 0, b = c ? bits_looked_at(c->rhs) : 0;

	return a > b ? a : b;
}

static int program_bits(const struct engine *e)
{
	int most = 0;

	for (int l = 0; l < e->cfg->lines; l++) {
		const struct step *s = cfg_step(e->cfg, l);

		for (size_t k = 0; k < s->nacts; k++) {
			int b = bits_looked_at(s->acts[k].value), c = cond_bits(s->acts[k].cond);

			most = b > most ? b : most;
			most = c > most ? c : most;
		}
	}
	return most;
}

static void find_registers(const struct engine *e, struct regset *ret)
{
	const struct routine_info *i = &e->p->info;
	const int args[] = { i->dst, i->src, i->n, i->value, e->m->result };
	struct regset lost = { 0 };

	for (int l = 0; l < e->cfg->lines; l++) {
		const struct step *s = cfg_step(e->cfg, l);

		cond_reads(s->loop, ret);
		for (size_t k = 0; k < s->nacts; k++) {
			const struct action *a = &s->acts[k];

			action_reads(a, ret);
			if (a->kind == ACT_SET)
				action_writes(a, ret);
			else
				action_writes(a, &lost);
		}
	}
	for (size_t k = 0; k < sizeof(args) / sizeof(args[0]); k++)
		if (args[k] >= 0)
			regset_add(ret, args[k]);
	for (size_t k = 0; k < e->p->nresumes; k++) {
		const struct resume *r = &e->p->resumes[k];
		const int cursors[] = { r->dst, r->src, r->n };

		for (int j = 0; j < 3; j++)
			if (cursors[j] >= 0)
				regset_add(ret, cursors[j]);
	}
	/* What is only clobbered matters where it should have been kept. */
	for (int k = 0; k < 4; k++)
		ret->bits[k] |= lost.bits[k] & e->m->kept.bits[k];
	if (e->m->zero >= 0)
		regset_del(ret, e->m->zero);
}

/* Ghosts low, registers high: equalities then say registers by ghosts. */
static bool number_variables(struct engine *e)
{
	struct vars *v = &e->vars;
	struct regset regs = { 0 };
	int next = VAR_FIRST;

	for (int k = 0; k < SPARES; k++)
		v->spare[k] = next++;
	for (int k = 0; k < FAMILIES; k++) {
		v->quotient[k] = next++;
		v->rest[k] = next++;
	}
	v->nbits = program_bits(e);
	v->bits_quotient = next++;
	for (int k = v->nbits; k-- > 0;)
		v->bit[k] = next++;
	v->measure = next++;
	v->base = next;
	find_registers(e, &regs);
	for (int r = 0; r < (int)e->m->nregs; r++) {
		if (!regset_has(&regs, r))
			continue;
		if (next == DOMAIN_VARS)
			return false;
		v->reg_of[next] = r;
		v->of_reg[r] = next++;
	}
	v->count = next - 1;
	return true;
}

struct engine *engine_new(void *ctx, const struct program *p, bool proving, const char **ret_why)
{
	struct engine *e = talloc_zero(ctx, struct engine);

	e->ctx = e;
	e->p = p;
	e->m = p->machine;
	e->proving = proving;
	e->maximal = true;
	e->word = e->m->width;
	e->bits = 8 * e->word;
	e->strict = machine_tune(e->m, "strict") != 0;
	e->cfg = cfg_new(e, p, proving);
	e->small = talloc_array(e, struct form, SMALL_MAX + 1);
	for (int k = 0; k <= SMALL_MAX; k++)
		e->small[k] = form_const(k);
	if (e->m->nregs > 256 || e->m->nstates > MODES_MAX || !number_variables(e)) {
		*ret_why = "it names more registers, or its machine has more states, than the proof can track";
		talloc_free(e);
		return NULL;
	}
	directions_find(e);
	return e;
}

static void add_ge(struct astate *s, struct form f)
{
	dstate_add_ge(s->d, &f);
}

static void add_eq(struct astate *s, struct form f)
{
	dstate_add_eq(s->d, &f);
}

static void set_var(struct astate *s, int var, struct form f)
{
	dstate_assign(s->d, var, &f);
}

/* One that has no variable is none (-1), or the one that is always 0. */
static void set_reg(struct engine *e, struct astate *s, int reg, struct form f)
{
	if (reg >= 0 && e->vars.of_reg[reg])
		set_var(s, e->vars.of_reg[reg], f);
}

/* Sizes are below half of 2^w, and no buffer ends at the last byte of the address space. */
static void add_ghosts(struct engine *e, struct astate *s)
{
	struct form n = form_var(VAR_N), half = form_var(VAR_HALF), last = form_plus(form_scale(half, 2), -1);

	add_ge(s, form_plus(half, -HALF_LEAST));
	add_ge(s, n);
	add_ge(s, form_plus(form_add(half, n, -1), -1));
	add_ge(s, form_var(VAR_DST0));
	add_ge(s, form_add(form_add(last, n, -1), form_var(VAR_DST0), -1));
	if (e->p->info.content == CONTENT_COPY) {
		add_ge(s, form_var(VAR_SRC0));
		add_ge(s, form_add(form_add(last, n, -1), form_var(VAR_SRC0), -1));
	}
	if (side_is_user(e, SIDE_SRC) || side_is_user(e, SIDE_DST)) {
		add_ge(s, form_var(VAR_P));
		add_ge(s, form_add(n, form_var(VAR_P), -1));
	} else {
		add_eq(s, form_add(n, form_var(VAR_P), -1));
	}
}

static void set_arguments(struct engine *e, struct astate *s)
{
	const struct routine_info *i = &e->p->info;
	struct holding *fill = i->value >= 0 && i->content == CONTENT_BYTE ? state_held(e, s, i->value) : NULL;

	set_reg(e, s, i->dst, form_var(VAR_DST0));
	if (i->content == CONTENT_COPY)
		set_reg(e, s, i->src, form_var(VAR_SRC0));
	set_reg(e, s, i->n, form_var(VAR_N));
	if (fill)
		*fill = (struct holding){ .kind = HELD_FILL, .rest = true, .lo = &e->small[0], .hi = &e->small[1] };
}

struct astate *engine_entry(struct engine *e)
{
	struct astate *s = state_new(e);

	s->aged = true;
	add_ghosts(e, s);
	set_var(s, VAR_W, form_const(0));
	set_var(s, VAR_M, form_const(0));
	for (int v = e->vars.base; v <= e->vars.count; v++)
		if (regset_has(&e->m->kept, e->vars.reg_of[v]))
			s->held[v - e->vars.base] = (struct holding){
				.kind = HELD_ENTRY, .of = (int16_t)e->vars.reg_of[v],
			};
	set_arguments(e, s);
	return s;
}

struct astate *engine_resumed(struct engine *e, const struct resume *r)
{
	struct astate *s = engine_entry(e);
	struct form w = form_var(VAR_W), m = form_var(VAR_M);

	dstate_forget(s->d, VAR_W);
	dstate_forget(s->d, VAR_M);
	add_ge(s, w);
	add_ge(s, form_plus(form_add(form_var(VAR_N), w, -1), -1));	/* a fault left something to do */
	add_ge(s, form_add(m, w, -1));
	add_ge(s, form_add(form_var(VAR_N), m, -1));
	/* What faulted was still to be done. */
	add_ge(s, form_plus(form_add(form_var(VAR_N), w, -1), -1));
	set_reg(e, s, r->dst, form_add(form_var(VAR_DST0), w, 1));
	set_reg(e, s, r->src, form_add(form_var(VAR_SRC0), w, 1));
	set_reg(e, s, r->n, form_add(form_var(VAR_N), w, -1));
	return s;
}

void engine_fail(struct engine *e, enum diag_id id, int line, const char *format, ...)
{
	struct failure f = { .id = id, .line = line, .site = -1 };
	va_list args;

	if (!e->checking || !e->proving)
		return;
	for (size_t k = 0; k < e->nfailures; k++)
		if (e->failures[k].id == id && e->failures[k].line == line)
			return;
	va_start(args, format);
	f.text = talloc_vasprintf(e->ctx, format, args);
	va_end(args);
	e->failures = talloc_realloc(e->ctx, e->failures, struct failure, (unsigned)e->nfailures + 1);
	e->failures[e->nfailures++] = f;
}
