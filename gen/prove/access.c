/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The memory accesses of a step: which side, in range, aligned, of the right form. */
#include "access.h"

#include <string.h>

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
static enum side find_side(const struct engine *e, const struct astate *s, const struct form *address,
			   bool store)
{
	enum side likely = store || e->p->info.content != CONTENT_COPY ? SIDE_DST : SIDE_SRC;
	enum side other = likely == SIDE_DST ? SIDE_SRC : SIDE_DST;
	int start = likely == SIDE_DST ? VAR_DST0 : VAR_SRC0, other_start = VAR_DST0 + VAR_SRC0 - start;

	if (address->lost || e->p->info.content != CONTENT_COPY || follows(s, address, start, true))
		return likely;
	return !follows(s, address, start, false) && follows(s, address, other_start, false) ? other : likely;
}

static void add_access(struct engine *e, struct astate *s, struct accesses *list, const struct expr *mem,
		       const struct expr *value)
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

void accesses_find(struct engine *e, struct astate *s, const struct step *step, bool stores,
		   struct accesses *list)
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
	return (struct span){ .first = a, .n = 1, .side = a->side, .address = a->address, .at = a->at,
		.len = a->len, .size = a->size };
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

int accesses_join(const struct accesses *list, struct span *ret)
{
	int n = 0;

	for (int i = 0; i < list->n; i++)
		if (!n || !extend(&ret[n - 1], &list->v[i]))
			ret[n++] = span_of(&list->v[i]);
	return n;
}

bool span_streams(const struct span *sp)
{
	for (int i = 0; i < sp->n; i++)
		if (sp->first[i].mem->letter == ACCESS_STREAM)
			return true;
	return false;
}

bool accesses_user(const struct engine *e, const struct accesses *list)
{
	for (int i = 0; i < list->n; i++)
		if (side_is_user(e, list->v[i].side))
			return true;
	return false;
}

/* Alignment that is known of an address: 2^k. */
int known_alignment(const struct astate *s, const struct form *address)
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
	const char *space = a->mem->kid[2] ? a->mem->kid[2]->name : NULL,
		*side = t->sides[a->side == SIDE_DST];
	bool user = side_is_user(e, a->side);

	if (user && (a->mem->letter == ACCESS_KERNEL || (t->user_by_user && a->mem->letter != ACCESS_USER)))
		engine_fail(e, DIAG_USER_ACCESS, line, "user memory is not reached by this instruction");
	if (!user && t->user_by_user && a->mem->letter == ACCESS_USER)
		engine_fail(e, DIAG_KERNEL_ACCESS, line, "this instruction reaches only user memory");
	if (!space && side && strcmp(t->sides[0], t->sides[1]) != 0)
		engine_fail(e, DIAG_SPACE, line, "the sides lie in different spaces, but the access names none");
	if (space && side && strcmp(space, side) != 0)
		engine_fail(e, DIAG_SPACE, line, "the access goes to `%s`, but that side lies in `%s`", space,
			    side);
}

void check_forms(struct engine *e, const struct astate *s, int line, const struct accesses *list)
{
	for (int i = 0; e->checking && i < list->n; i++) {
		check_alignment(e, s, line, &list->v[i]);
		check_form(e, line, &list->v[i]);
	}
}

bool in_buffer(const struct astate *s, const struct form *at, const struct form *len)
{
	return form_at_least(s, *len, 0) && form_at_least(s, *at, 0) && form_at_most(s, end_of(at, len), form_var(VAR_N));
}

/* A word that is aligned and holds at least one byte of the buffer. */
bool in_word(const struct engine *e, const struct astate *s, const struct access_at *a)
{
	return a->size > 0 && a->size <= e->word &&
	       ((int64_t)1 << known_alignment(s, &a->address)) % a->size == 0 &&
	       form_at_least(s, form_var(VAR_N), 1) && form_at_least(s, a->at, 1 - a->size) &&
	       form_at_least(s, form_add(form_var(VAR_N), a->at, -1), 1);
}

static const char *side_name(enum side side)
{
	return side == SIDE_DST ? "destination" : "source";
}

void check_range(struct engine *e, const struct astate *s, int line, const struct span *sp, bool store)
{
	if (e->checking && store && sp->side != SIDE_DST)
		engine_fail(e, DIAG_OUTSIDE, line, "the store may not go to the destination");
	if (!e->checking || in_buffer(s, &sp->at, &sp->len))
		return;
	for (int i = 0; i < sp->n; i++) {
		const struct access_at *a = &sp->first[i];

		if (!in_buffer(s, &a->at, &a->len) && (store || !in_word(e, s, a)))
			engine_fail(e, DIAG_OUTSIDE, line, "the %s may leave the %s", store ? "store" : "load",
				    side_name(a->side));
	}
}

bool access_is_site(struct engine *e, struct astate *s, int line, bool *ret_store)
{
	const struct step *step = cfg_step(e->cfg, line);
	struct accesses list;

	for (int stores = 0; stores < 2; stores++) {
		accesses_find(e, s, step, stores, &list);
		if (!accesses_user(e, &list))
			continue;
		*ret_store = stores;
		return true;
	}
	return false;
}
