/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads and stores on abstract states: what is loaded, and whether the right bytes are stored in the right order. */
#include "access.h"

static struct value load_value(struct engine *e, const struct access_at *a)
{
	bool big = e->m->order == BIG;

	if (a->side == SIDE_DST && a->size == e->word)
		return value_dest(e, a->at);
	if (a->side != SIDE_SRC || e->p->info.content != CONTENT_COPY || a->address.lost || a->len.lost)
		return value_any();
	return value_lanes(e, HELD_SOURCE, big ? -1 : 1, big ? form_plus(end_of(&a->at, &a->len), -1) : a->at,
			   form_const(0), a->len, false);
}

bool access_loads(struct engine *e, struct astate *s, int line, const struct step *step, struct loads *loads)
{
	struct accesses list;
	struct span spans[ACCESSES_MAX];
	int n;

	loads->n = 0;
	accesses_find(e, s, step, false, &list);
	if (!list.n)
		return true;
	if (accesses_user(e, &list))
		fault_age(e, s);
	check_forms(e, s, line, &list);
	n = accesses_join(&list, spans);
	for (int i = 0; i < n; i++) {
		check_range(e, s, line, &spans[i], false);
		if (side_is_user(e, spans[i].side))
			fault_edge(e, s, line, i, &spans[i], false);
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
	if (!form_at_most(s, *v->c.lo, zero) || !form_at_most(s, a->len, *v->c.hi))
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
		state_assign(e, s, VAR_Y, &w);
	s->clearing = true;
	if (!form_at_most(s, w, sp->at))
		engine_fail(e, DIAG_DATA, line, "zeros may be stored over what was copied");
	if (form_at_most(s, sp->at, w) && form_at_most(s, y, end))
		state_assign(e, s, VAR_Y, &end);
	else if (form_at_most(s, sp->at, y))
		state_raise(e, s, VAR_Y, &end);
	else
		engine_fail(e, DIAG_GAP, line, "the store leaves bytes before it that are not cleared");
	return true;
}

/* W and M are at least `end`, which is what it was before either changes. */
static void raise_both(struct engine *e, struct astate *s, struct form end)
{
	bool by_value = form_has(&end, VAR_W) || form_has(&end, VAR_M);
	struct form w = form_var(VAR_W), d = form_add(form_var(VAR_M), w, -1);
	bool same = dstate_eq0(s->d, &d);

	if (by_value) {
		state_assign(e, s, e->vars.spare[0], &end);
		end = form_var(e->vars.spare[0]);
	}
	state_raise(e, s, VAR_W, &end);
	if (same)
		state_assign(e, s, VAR_M, &w);
	else
		state_raise(e, s, VAR_M, &end);
	if (by_value)
		state_forget(e, s, e->vars.spare[0]);
}

/* A store of right data that did not fault. */
bool store_data(struct engine *e, struct astate *s, int line, const struct span *sp)
{
	struct form end = end_of(&sp->at, &sp->len), p = form_var(VAR_P), d;

	if (!form_at_most(s, sp->at, form_var(VAR_W)))
		engine_fail(e, DIAG_GAP, line, "the store may leave bytes before it that are not written");
	d = form_add(p, end, -1);
	if ((side_is_user(e, SIDE_SRC) || side_is_user(e, SIDE_DST)) && form_at_most(s, sp->at, p) &&
	    !dstate_add_ge(s->d, &d))
		return false;
	raise_both(e, s, end);
	return true;
}

static void check_data(struct engine *e, struct astate *s, int line, const struct span *sp,
		       const struct value *values, const struct accesses *list)
{
	for (int i = 0; e->checking && i < sp->n; i++)
		if (!right_data(e, s, &sp->first[i], &values[sp->first - list->v + i]))
			engine_fail(e, DIAG_DATA, line,
				    "the stored bytes may not be those that belong there");
}

static bool all_zeros(const struct astate *s, const struct span *sp, const struct value *values,
		      const struct accesses *list)
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

	part.at = e->m->order == BIG ? form_add(end_of(&sp->at, &sp->len), *v->c.hi, -1) :
				       form_add(sp->at, *v->c.lo, 1);
	part.len = form_add(*v->c.hi, *v->c.lo, -1);
	part.size = -1;
	form_is_const(&part.len, &part.size);
	return part;
}

static bool right_patch(const struct engine *e, const struct astate *s, const struct span *part,
			const struct value *v)
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
static bool store_patched(struct engine *e, struct astate *s, int line, const struct span *sp,
			  const struct value *v)
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

static bool store_span(struct engine *e, struct astate *s, int line, const struct span *sp,
		       const struct value *values, const struct accesses *list)
{
	const struct value *first = &values[sp->first - list->v];

	s->owed |= span_streams(sp);
	if (sp->n == 1 && sp->side == SIDE_DST && sp->size == e->word && first->c.kind == HELD_DEST &&
	    in_word(e, s, sp->first))
		return store_patched(e, s, line, sp, first);
	check_range(e, s, line, sp, true);
	if (e->p->info.zeroing && all_zeros(s, sp, values, list))
		return store_zeros(e, s, line, sp);
	check_data(e, s, line, sp, values, list);
	return store_data(e, s, line, sp);
}

/* Is it said with something that a store changes? */
static bool follows_stores(const struct form *f)
{
	return f && (form_has(f, VAR_W) || form_has(f, VAR_M) || form_has(f, VAR_P) || form_has(f, VAR_Y));
}

/* Stores to several places at once: all or nothing, and none of them changes what we say of another. */
static void check_parts(struct engine *e, int line, const struct span *spans, int n, const struct value *values,
			int nvalues)
{
	bool lost = false;

	if (may_tear(e, line))
		engine_fail(e, DIAG_TORN, line, "a store that tears goes to several places");
	for (int i = 1; i < n; i++)
		lost |= follows_stores(&spans[i].at) || follows_stores(&spans[i].len);
	for (int i = 0; i < nvalues; i++)
		lost |= follows_stores(&values[i].f) || follows_stores(values[i].c.lo) || follows_stores(values[i].c.hi);
	if (lost)
		engine_fail(e, DIAG_GAP, line, "the order of these stores can't be followed");
}

bool access_stores(struct engine *e, struct astate *s, int line, const struct step *step,
		   const struct loads *loads)
{
	struct accesses list;
	struct span spans[ACCESSES_MAX];
	struct value values[ACCESSES_MAX];
	int n;

	accesses_find(e, s, step, true, &list);
	if (!list.n)
		return true;
	if (accesses_user(e, &list))
		fault_age(e, s);
	for (int i = 0; i < list.n; i++) {
		values[i] = eval_for(e, s, list.v[i].value, loads, list.v[i].size);
		/* what it held before another of these stores */
		if (values[i].c.kind == HELD_DEST && list.n > 1)
			values[i] = value_any();
	}
	check_forms(e, s, line, &list);
	n = accesses_join(&list, spans);
	if (n > 1)
		check_parts(e, line, spans, n, values, list.n);
	for (int i = 0; i < n; i++) {
		if (side_is_user(e, spans[i].side))
			fault_edge(e, s, line, ACCESSES_MAX + i, &spans[i], true);
	}
	for (int i = 0; i < n; i++)
		if (!store_span(e, s, line, &spans[i], values, &list))
			return false;
	state_forget_dest(e, s);
	return true;
}
