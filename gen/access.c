/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The memory accesses of a step: which side, in range, aligned, of the right form; what a fault in one leaves. */
#include <string.h>
#include <talloc.h>

#include "engine.h"

#define ACCESSES_MAX 64

struct access_at {
	const struct expr *mem;
	const struct expr *value;	/* stored; NULL for a load */
	enum side side;
	struct form address, at, len;	/* at: from the side's start */
	int64_t size;			/* len, when constant; else -1 */
};

struct accesses {
	int n;
	bool store;
	struct access_at v[ACCESSES_MAX];
};

/* Accesses that lie side by side fault, and are stored, as one. */
struct span {
	const struct access_at *first;
	int n;
	enum side side;
	struct form address, at, len;
	int64_t size;
};

static bool at_least(const struct astate *s, struct form f, int64_t k)
{
	f = form_plus(f, -k);
	return dstate_ge0(s->d, &f);
}

static bool at_most(const struct astate *s, struct form a, struct form b)
{
	return at_least(s, form_add(b, a, -1), 0);
}

static const struct pattern *pattern_at(const struct engine *e, int line)
{
	return e->p->insns[e->cfg->line[line].insn].pattern;
}

/* Does the address keep a known distance from a buffer's start?  First by its form, which is cheaper. */
static bool follows(const struct astate *s, const struct form *address, int start, bool by_form)
{
	struct form d = form_add(*address, form_var(start), -1), r;
	int64_t least;

	if (!by_form)
		return dstate_min(s->d, &d, &least);
	return dstate_reduce(s->d, &d, &r) && !form_has(&r, VAR_DST0) && !form_has(&r, VAR_SRC0);
}

/* The buffer an address points into. */
static enum side find_side(const struct engine *e, const struct astate *s, const struct form *address, bool store)
{
	enum side likely = store || e->p->info.content != CONTENT_COPY ? SIDE_DST : SIDE_SRC;
	enum side other = likely == SIDE_DST ? SIDE_SRC : SIDE_DST;
	int start = likely == SIDE_DST ? VAR_DST0 : VAR_SRC0, other_start = likely == SIDE_DST ? VAR_SRC0 : VAR_DST0;

	if (address->lost || e->p->info.content != CONTENT_COPY || follows(s, address, start, true))
		return likely;
	return !follows(s, address, start, false) && follows(s, address, other_start, false) ? other : likely;
}

static void add_access(struct engine *e, struct astate *s, struct accesses *list, const struct expr *mem, const struct expr *value)
{
	struct access_at *a = &list->v[list->n];
	struct value address, len;

	if (list->n == ACCESSES_MAX) {
		e->gave_up = true;
		return;
	}
	list->n++;
	address = eval(e, s, mem->kid[0], NULL);
	len = eval(e, s, mem->kid[1], NULL);
	*a = (struct access_at){ .mem = mem, .value = value, .size = -1 };
	a->address = address.f;
	a->len = len.f;
	a->address.lost |= address.c.kind != HELD_NUMBER;
	a->len.lost |= len.c.kind != HELD_NUMBER;
	form_is_const(&a->len, &a->size);
	a->side = find_side(e, s, &a->address, list->store);
	a->at = form_add(a->address, form_var(a->side == SIDE_DST ? VAR_DST0 : VAR_SRC0), -1);
}

static void add_loads(struct engine *e, struct astate *s, struct accesses *list, const struct expr *x)
{
	if (!x)
		return;
	if (x->op == EX_MEM) {
		add_access(e, s, list, x, NULL);
		return;
	}
	for (int k = 0; k < expr_kids(x->op); k++)
		add_loads(e, s, list, x->kid[k]);
}

static void find_accesses(struct engine *e, struct astate *s, const struct step *step, bool stores, struct accesses *list)
{
	list->n = 0;
	list->store = stores;
	for (size_t k = 0; k < step->nacts; k++) {
		const struct action *a = &step->acts[k];

		if (stores && a->kind == ACT_STORE)
			add_access(e, s, list, a->target, a->value);
		if (!stores && (a->kind == ACT_STORE || a->kind == ACT_SET))
			add_loads(e, s, list, a->value);
		if (!stores && a->cond) {
			add_loads(e, s, list, a->cond->lhs);
			add_loads(e, s, list, a->cond->rhs);
		}
	}
}

static struct span span_of(const struct access_at *a)
{
	return (struct span){ .first = a, .n = 1, .side = a->side, .address = a->address, .at = a->at, .len = a->len, .size = a->size };
}

/* Does `b` begin where `a` ends? */
static bool adjoin(const struct form *a, int64_t size, const struct form *b)
{
	struct form d = form_add(*b, *a, -1);
	int64_t k;

	return form_is_const(&d, &k) && k == size;
}

static bool extend(struct span *sp, const struct access_at *a)
{
	if (a->side != sp->side || a->size < 0 || sp->size < 0)
		return false;
	if (adjoin(&a->at, a->size, &sp->at)) {
		sp->at = a->at;
		sp->address = a->address;
	} else if (!adjoin(&sp->at, sp->size, &a->at)) {
		return false;
	}
	sp->size += a->size;
	sp->len = form_const(sp->size);
	sp->n++;
	return true;
}

static int find_spans(const struct accesses *list, struct span *ret)
{
	int n = 0;

	for (int i = 0; i < list->n; i++)
		if (!n || !extend(&ret[n - 1], &list->v[i]))
			ret[n++] = span_of(&list->v[i]);
	return n;
}

static struct form end_of(const struct form *at, const struct form *len)
{
	return form_add(*at, *len, 1);
}

/* Alignment that is known of an address: 2^k. */
static int known_alignment(const struct astate *s, const struct form *address)
{
	unsigned r;
	int k = address->lost ? 0 : dstate_cong(s->d, address, &r);

	while (k && r & ((1u << k) - 1))
		k--;
	return k;
}

static void check_alignment(struct engine *e, const struct astate *s, int line, const struct access_at *a)
{
	const struct pattern *p = pattern_at(e, line);
	int64_t want = p && p->aligned ? p->aligned : 0;

	if (!want && e->m->access == ACCESS_ALIGNED && !a->mem->any_address && a->size > 0)
		want = a->size & -a->size;
	if (want > 1 && ((int64_t)1 << known_alignment(s, &a->address)) < want)
		engine_fail(e, DIAG_MISALIGNED, line, "the address may not be a multiple of %d", (int)want);
}

static void check_form(struct engine *e, int line, const struct access_at *a)
{
	const struct target *t = &e->m->target;
	const char *space = a->mem->kid[2] ? a->mem->kid[2]->name : NULL, *side = t->sides[a->side == SIDE_DST];
	bool user = side_is_user(e, a->side);

	if (user && (a->mem->letter == ACCESS_KERNEL || (t->user_by_user && a->mem->letter != ACCESS_USER)))
		engine_fail(e, DIAG_USER_ACCESS, line, "user memory is not reached by this instruction");
	if (!user && t->user_by_user && a->mem->letter == ACCESS_USER)
		engine_fail(e, DIAG_KERNEL_ACCESS, line, "this instruction reaches only user memory");
	if (space && side && strcmp(space, side) != 0)
		engine_fail(e, DIAG_SPACE, line, "the access goes to `%s`, but that side lies in `%s`", space, side);
}

static void check_forms(struct engine *e, const struct astate *s, int line, const struct accesses *list)
{
	for (int i = 0; e->checking && i < list->n; i++) {
		check_alignment(e, s, line, &list->v[i]);
		check_form(e, line, &list->v[i]);
	}
}

static bool in_buffer(const struct astate *s, const struct form *at, const struct form *len)
{
	return at_least(s, *at, 0) && at_most(s, end_of(at, len), form_var(VAR_N));
}

/* A word that is aligned and holds at least one byte of the buffer. */
static bool in_word(const struct engine *e, const struct astate *s, const struct access_at *a)
{
	return a->size > 0 && a->size <= e->word && ((int64_t)1 << known_alignment(s, &a->address)) % a->size == 0 &&
	       at_least(s, a->at, 1 - a->size) && at_least(s, form_add(form_var(VAR_N), a->at, -1), 1);
}

static void check_range(struct engine *e, const struct astate *s, int line, const struct span *sp, bool store)
{
	if (e->checking && store && sp->side != SIDE_DST)
		engine_fail(e, DIAG_OUTSIDE, line, "the store may not go to the destination");
	if (!e->checking || in_buffer(s, &sp->at, &sp->len))
		return;
	for (int i = 0; i < sp->n; i++) {
		const struct access_at *a = &sp->first[i];

		if (!in_buffer(s, &a->at, &a->len) && (store || !in_word(e, s, a)))
			engine_fail(e, DIAG_OUTSIDE, line, "the %s may leave the %s", store ? "store" : "load",
				    a->side == SIDE_DST ? "destination" : "source");
	}
}

/* What was inaccessible may have become accessible. */
static void age(struct engine *e, struct astate *s)
{
	struct form j = form_var(e->vars.spare[0]), d;

	if (s->aged)
		return;
	state_forget(e, s, e->vars.spare[0]);
	d = form_add(j, form_var(VAR_P), -1);
	dstate_add_ge(s->d, &d);
	d = form_add(form_var(VAR_N), j, -1);
	dstate_add_ge(s->d, &d);
	dstate_assign(s->d, VAR_P, &j);
	state_forget(e, s, e->vars.spare[0]);
	s->aged = true;
}

/* Bytes at the span's end that share their accessibility. */
static int64_t granule_of(const struct astate *s, const struct span *sp)
{
	int64_t g = (int64_t)1 << known_alignment(s, &sp->address);

	if (sp->size <= 0)
		return 1;
	while (sp->size % g)
		g /= 2;
	return g;
}

/* p <= top, or p = 0 where top < 0: each on a state of its own. */
static bool assume_either(struct engine *e, struct astate *s, struct form top)
{
	struct form p = form_var(VAR_P), below = form_plus(form_scale(top, -1), -1), d = form_add(top, p, -1);
	struct astate *t = state_copy(e, s);
	bool a = dstate_add_ge(s->d, &top) && dstate_add_ge(s->d, &d);
	bool b = dstate_add_ge(t->d, &below) && dstate_add_eq(t->d, &p);

	if (a && b)
		state_merge(e, s, t);
	else if (b)
		state_swap(s, t);
	talloc_free(t);
	return a || b;
}

/* A fault in the span: p <= max(at + len - g, 0). */
static bool assume_fault(struct engine *e, struct astate *s, const struct span *sp)
{
	struct form p = form_var(VAR_P), top = form_plus(end_of(&sp->at, &sp->len), -granule_of(s, sp)), d;

	if (sp->size < 0) {
		d = form_plus(sp->len, -1);
		if (!dstate_add_ge(s->d, &d))
			return false;
	}
	s->aged = false;
	if (top.lost)
		return true;
	if (at_least(s, top, 0)) {
		d = form_add(top, p, -1);
		return dstate_add_ge(s->d, &d);
	}
	if (at_least(s, form_scale(top, -1), 0))
		return dstate_add_eq(s->d, &p);
	return assume_either(e, s, top);
}

/* Units that a faulting store may have stored some of; 0: it stores all or nothing. */
static int tear_unit(const struct engine *e, int line, const struct span *sp)
{
	const struct pattern *p = pattern_at(e, line);
	int unit = p ? p->tears : 0;

	if (!unit && e->m->granularity && (sp->size < 0 || sp->size > e->m->granularity))
		unit = e->m->granularity;
	return unit && (sp->size < 0 || sp->size > unit) ? unit : 0;
}

/* May the stored units be no prefix?  Not if the first byte's page ends in the span at most where what follows is bad. */
static bool tears_anywhere(const struct engine *e, const struct astate *s, int line, const struct span *sp)
{
	const struct pattern *p = pattern_at(e, line);

	if (!e->strict || !p || !p->tears_any)
		return false;
	if (sp->size > 0 && ((int64_t)1 << known_alignment(s, &sp->address)) >= sp->size)
		return false;
	return !at_least(s, sp->at, 1) || !at_most(s, sp->at, form_var(VAR_P));
}

/* M becomes anything the stored units can have made it. */
static bool tear(struct engine *e, struct astate *s, int line, const struct span *sp, int unit)
{
	struct form m = form_var(VAR_M), j = form_var(e->vars.spare[0]);
	struct form top = form_plus(end_of(&sp->at, &sp->len), -unit), d;
	bool anywhere = tears_anywhere(e, s, line, sp);

	if (anywhere)
		top = end_of(&sp->at, &sp->len);
	if (at_most(s, top, m))
		return true;
	s->clearing = false;
	state_forget_dest(e, s);
	state_forget(e, s, e->vars.spare[0]);
	d = form_add(j, m, -1);
	if (!dstate_add_ge(s->d, &d))
		return false;
	d = form_add(top, j, -1);
	if (at_most(s, m, top) && !dstate_add_ge(s->d, &d))
		return false;
	d = form_add(form_var(VAR_P), j, -1);
	if (!anywhere && at_most(s, m, form_var(VAR_P)) && !dstate_add_ge(s->d, &d))
		return false;
	dstate_assign(s->d, VAR_M, &j);
	state_forget(e, s, e->vars.spare[0]);
	return true;
}

static void fault(struct engine *e, const struct astate *s, int line, int k, const struct span *sp, bool store)
{
	const struct cfg_line *l = &e->cfg->line[line];
	int label = e->p->insns[l->insn].fixup[l->step], unit;
	struct astate *f;

	if (!e->proving)
		return;
	if (label < 0) {
		engine_fail(e, DIAG_NO_FIXUP, line, "this access to user memory has no fixup");
		return;
	}
	f = state_copy(e, s);
	unit = store ? tear_unit(e, line, sp) : 0;
	if (!assume_fault(e, f, sp) || (unit && !tear(e, f, line, sp, unit))) {
		talloc_free(f);
		return;
	}
	flow_push(e, line, EDGE_FAULT + k, cfg_label(e->cfg, label), f);
}

static struct value load_value(struct engine *e, const struct access_at *a)
{
	bool big = e->m->order == BIG;

	if (a->side == SIDE_DST && a->size == e->word)
		return value_dest(e, a->at);
	if (a->side != SIDE_SRC || e->p->info.content != CONTENT_COPY || a->address.lost || a->len.lost)
		return value_any();
	return value_lanes(e, HELD_SOURCE, big ? -1 : 1, big ? form_plus(end_of(&a->at, &a->len), -1) : a->at, form_const(0), a->len,
			   false);
}

static bool any_user(const struct engine *e, const struct accesses *list)
{
	for (int i = 0; i < list->n; i++)
		if (side_is_user(e, list->v[i].side))
			return true;
	return false;
}

bool access_loads(struct engine *e, struct astate *s, int line, const struct step *step, struct loads *loads)
{
	struct accesses list;
	struct span spans[ACCESSES_MAX];
	int n;

	loads->n = 0;
	find_accesses(e, s, step, false, &list);
	if (!list.n)
		return true;
	if (any_user(e, &list))
		age(e, s);
	check_forms(e, s, line, &list);
	n = find_spans(&list, spans);
	for (int i = 0; i < n; i++) {
		check_range(e, s, line, &spans[i], false);
		if (side_is_user(e, spans[i].side))
			fault(e, s, line, i, &spans[i], false);
	}
	for (int i = 0; i < list.n; i++)
		loads->v[loads->n++] = (struct load){ list.v[i].mem, load_value(e, &list.v[i]) };
	return true;
}

/* Are the stored bytes those that belong there? */
static bool right_data(struct engine *e, struct astate *s, const struct access_at *a, const struct value *v)
{
	enum content content = e->p->info.content;
	bool big = e->m->order == BIG, single = a->size == 1;
	struct form d, zero = form_const(0);

	if (content == CONTENT_ZERO)
		return value_is_zero(s, v);
	if (v->c.kind != (content == CONTENT_COPY ? HELD_SOURCE : HELD_FILL))
		return false;
	if (!at_most(s, *v->c.lo, zero) || !at_most(s, a->len, *v->c.hi))
		return false;
	if (content == CONTENT_BYTE)
		return true;
	if (!single && v->c.slope != (big ? -1 : 1))
		return false;
	d = form_add(v->f, big && !single ? form_plus(end_of(&a->at, &a->len), -1) : a->at, -1);
	return dstate_is0(s->d, &d);
}

/* Zeros where the source could not be read: above W, and without a gap. */
static bool store_zeros(struct engine *e, struct astate *s, int line, const struct span *sp)
{
	struct form y = form_var(VAR_Y), w = form_var(VAR_W), end = end_of(&sp->at, &sp->len);

	if (!s->clearing)
		dstate_assign(s->d, VAR_Y, &w);
	s->clearing = true;
	if (!at_most(s, w, sp->at))
		engine_fail(e, DIAG_DATA, line, "zeros may be stored over what was copied");
	if (at_most(s, sp->at, w) && at_most(s, y, end))
		dstate_assign(s->d, VAR_Y, &end);
	else if (at_most(s, sp->at, y))
		state_raise(e, s, VAR_Y, &end);
	else
		engine_fail(e, DIAG_GAP, line, "the store leaves bytes before it that are not cleared");
	return true;
}

/* A store of right data that did not fault. */
static bool store_data(struct engine *e, struct astate *s, int line, const struct span *sp)
{
	struct form end = end_of(&sp->at, &sp->len), p = form_var(VAR_P), d;

	if (!at_most(s, sp->at, form_var(VAR_W)))
		engine_fail(e, DIAG_GAP, line, "the store may leave bytes before it that are not written");
	d = form_add(p, end, -1);
	if ((side_is_user(e, SIDE_SRC) || side_is_user(e, SIDE_DST)) && at_most(s, sp->at, p) && !dstate_add_ge(s->d, &d))
		return false;
	state_raise(e, s, VAR_W, &end);
	state_raise(e, s, VAR_M, &end);
	return true;
}

static void check_data(struct engine *e, struct astate *s, int line, const struct span *sp, const struct value *values,
		       const struct accesses *list)
{
	for (int i = 0; e->checking && i < sp->n; i++)
		if (!right_data(e, s, &sp->first[i], &values[sp->first - list->v + i]))
			engine_fail(e, DIAG_DATA, line, "the stored bytes may not be those that belong there");
}

static bool all_zeros(const struct astate *s, const struct span *sp, const struct value *values, const struct accesses *list)
{
	for (int i = 0; i < sp->n; i++)
		if (!value_is_zero(s, &values[sp->first - list->v + i]))
			return false;
	return true;
}

/* The part of a word of the destination that is stored with anything but what it held. */
static struct span patched_part(const struct engine *e, const struct span *sp, const struct value *v)
{
	struct span part = *sp;

	part.at = e->m->order == BIG ? form_add(end_of(&sp->at, &sp->len), *v->c.hi, -1) : form_add(sp->at, *v->c.lo, 1);
	part.len = form_add(*v->c.hi, *v->c.lo, -1);
	part.size = -1;
	form_is_const(&part.len, &part.size);
	return part;
}

static bool right_patch(const struct engine *e, const struct astate *s, const struct span *part, const struct value *v)
{
	enum content content = e->p->info.content;
	struct form d;

	if (content != CONTENT_COPY)
		return v->c.of == (content == CONTENT_ZERO ? HELD_NUMBER : HELD_FILL);
	/* Lane lo is the lowest address, or the highest one. */
	d = form_add(form_add(v->f, *v->c.lo, v->c.slope), part->at, -1);
	return v->c.of == HELD_SOURCE && part->size == 1 && dstate_is0(s->d, &d);
}

/* An aligned word of the destination is stored back, changed in some bytes. */
static bool store_patched(struct engine *e, struct astate *s, int line, const struct span *sp, const struct value *v)
{
	struct span part = patched_part(e, sp, v);
	struct form d = form_add(*v->c.word, sp->at, -1);
	bool zeros = e->p->info.zeroing && v->c.of == HELD_NUMBER && dstate_is0(s->d, &d);

	if (!zeros && !right_patch(e, s, &part, v))
		engine_fail(e, DIAG_DATA, line, "the stored bytes may not be those that belong there");
	if (!dstate_is0(s->d, &d))
		engine_fail(e, DIAG_DATA, line, "a word may be stored back to another place");
	if (e->checking && !in_buffer(s, &part.at, &part.len))
		engine_fail(e, DIAG_OUTSIDE, line, "the store may change bytes beside the destination");
	e->rewrites |= e->checking;
	return zeros ? store_zeros(e, s, line, &part) : store_data(e, s, line, &part);
}

static bool store_span(struct engine *e, struct astate *s, int line, const struct span *sp, const struct value *values,
		       const struct accesses *list)
{
	const struct value *first = &values[sp->first - list->v];

	if (sp->n == 1 && sp->size == e->word && first->c.kind == HELD_DEST && in_word(e, s, sp->first))
		return store_patched(e, s, line, sp, first);
	check_range(e, s, line, sp, true);
	if (sp->first->mem->letter == ACCESS_STREAM)
		s->owed = true;
	if (e->p->info.zeroing && all_zeros(s, sp, values, list))
		return store_zeros(e, s, line, sp);
	check_data(e, s, line, sp, values, list);
	return store_data(e, s, line, sp);
}

bool access_stores(struct engine *e, struct astate *s, int line, const struct step *step, const struct loads *loads)
{
	struct accesses list;
	struct span spans[ACCESSES_MAX];
	struct value values[ACCESSES_MAX];
	int n;

	find_accesses(e, s, step, true, &list);
	if (!list.n)
		return true;
	if (any_user(e, &list))
		age(e, s);
	for (int i = 0; i < list.n; i++)
		values[i] = eval(e, s, list.v[i].value, loads);
	check_forms(e, s, line, &list);
	n = find_spans(&list, spans);
	for (int i = 0; i < n; i++) {
		if (side_is_user(e, spans[i].side))
			fault(e, s, line, ACCESSES_MAX + i, &spans[i], true);
	}
	for (int i = 0; i < n; i++)
		if (!store_span(e, s, line, &spans[i], values, &list))
			return false;
	state_forget_dest(e, s);
	return true;
}

bool access_is_site(struct engine *e, struct astate *s, int line, bool *ret_store)
{
	const struct step *step = cfg_step(e->cfg, line);
	struct accesses list;

	for (int stores = 0; stores < 2; stores++) {
		find_accesses(e, s, step, stores, &list);
		if (!any_user(e, &list))
			continue;
		*ret_store = stores;
		return true;
	}
	return false;
}
