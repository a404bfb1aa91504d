/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Needs into instructions: the longest match, else a repair. */
#include "lower.h"

#include <string.h>

#include "array.h"
#include "instantiate.h"
#include "lowering.h"
#include "why.h"

#define DEPTH_MAX 5			/* repairs of what repairs put there */
#define INSNS_MAX 4000			/* of a routine */
#define NEEDS_MAX 2000			/* of a straight line */

void needs_append(struct lowering *l, struct needs *list, struct need need)
{
	if (list->n == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 16;
		ARRAY_RESIZE(l->ctx, list->v, struct need, list->capacity);
	}
	list->v[list->n++] = need;
}

struct need need_single(struct lowering *l, struct action act, struct place at)
{
	struct need n = { .acts = talloc(l->ctx, struct action), .nacts = 1, .place = at,
			  .spare = l->alloc.there, .scope = l->scope };

	*n.acts = act;
	return n;
}

void inherit(struct need *n, const struct need *from, struct regset spare)
{
	n->spare = spare;
	n->scope = from->scope;
}

struct need need_set(struct lowering *l, int reg, struct expr *value, struct place at)
{
	struct action a = { .kind = ACT_SET, .index = -1, .label = -1, .value = value, .place = at };

	a.target = expr_reg(l->ctx, reg, at);
	return need_single(l, a, at);
}

/* Puts a list in place of need `at`. */
static void needs_splice(struct lowering *l, struct needs *list, size_t at, const struct needs *by)
{
	struct needs r = { .n = 0 };

	for (size_t k = 0; k < at; k++)
		needs_append(l, &r, list->v[k]);
	for (size_t k = 0; k < by->n; k++)
		needs_append(l, &r, by->v[k]);
	for (size_t k = at + 1; k < list->n; k++)
		needs_append(l, &r, list->v[k]);
	talloc_free(list->v);
	*list = r;
}

static bool is_nothing(const struct need *n)
{
	const struct action *a = n->acts;

	return n->nacts == 1 && !n->loop && a->kind == ACT_SET && expr_equal(a->target, a->value);
}

/* Needs that no instruction is owed for where the machine has none. */
static bool is_hint(const struct need *n)
{
	return n->nacts == 1 && n->acts[0].kind == ACT_HINT;
}

/* By actions covered, and a move of a pointer that saves one later. */
int found_worth(struct lowering *l, const struct needs *list, size_t at, const struct found *f)
{
	uint64_t by;
	int uses, j;

	if (!f->moved)
		return 2 * (int)f->acts;
	j = find_advance(list, at + f->needs, f->base, &by, &uses);
	if (j < 0 || (int64_t)by < (int64_t)f->moved)
		return 0;
	if (l->m->update == UPDATE_EACH || (by == f->moved && !uses))
		return 2 * (int)f->acts + 1;
	return 1;
}

static int find_among(struct lowering *l, const struct needs *list, size_t at, struct found *best)
{
	const struct shapes *all = l->mx.shapes;
	struct found f;
	int value = 0;

	for (size_t k = 0; k < all->n; k++)
		for (int borrow = 0; borrow < (l->straight ? 1 : 2); borrow++) {
			int v;

			if (!match_shape(&l->mx, &all->v[k], &list->v[at], list->n - at, borrow, &f))
				continue;
			v = found_worth(l, list, at, &f);
			if (v > value) {
				value = v;
				*best = f;
				if (f.shape->list >= 0)
					best->b.v[f.shape->list].list.regs = best->b.list;
			}
		}
	return value;
}

/* What a machine does just so, else what it does with a 0 added. */
static int find_best(struct lowering *l, const struct needs *list, size_t at, struct found *best)
{
	int value = find_among(l, list, at, best);

	l->mx.zeros = !value && l->m->zero >= 0;
	if (l->mx.zeros)
		value = find_among(l, list, at, best);
	if (l->why)
		why_note(l, l->why, list, at, value ? best : NULL, value);
	l->mx.zeros = false;
	return value;
}

/* Does it store something that shall go past the caches? */
static bool goes_past(const struct lowering *l, const struct need *need)
{
	bool past = l->p->info.dst_stream;

	for (size_t k = 0; k < need->nacts && !past; k++)
		past = need->acts[k].kind == ACT_STORE && need->acts[k].target->past_caches;
	return past;
}

/* Such stores first by what is meant for them. */
static bool find(struct lowering *l, const struct needs *list, size_t at, struct found *best)
{
	bool found;

	if (goes_past(l, &list->v[at])) {
		l->mx.stream = true;
		found = find_best(l, list, at, best) > 0;
		l->mx.stream = false;
		if (found)
			return true;
	}
	return find_best(l, list, at, best) > 0;
}

bool need_met(struct lowering *l, const struct need *need)
{
	struct found f;
	bool met = need->is_label || is_nothing(need);

	for (int zeros = 0; zeros <= (l->m->zero >= 0); zeros++) {
		l->mx.zeros = zeros;
		for (size_t k = 0; k < l->mx.shapes->n && !met; k++)
			met = match_shape(&l->mx, &l->mx.shapes->v[k], need, 1, false, &f);
	}
	l->mx.zeros = false;
	return met;
}

static void set_operands(struct lowering *l, struct insn *i, const struct found *f)
{
	const struct pattern *p = i->pattern;

	memcpy(i->operands, f->b.v, p->noperands * sizeof(*i->operands));
	for (size_t o = 0; o < p->noperands; o++) {
		if (p->operands[o].kind == OPERAND_POOL)
			i->operands[o].label = program_label(l->p, NULL);
		if (p->operands[o].kind != OPERAND_LIST)
			continue;
		i->operands[o].list.regs = ARRAY_NEW(l->p, int, f->shape->length);
		memcpy(i->operands[o].list.regs, f->b.list, (size_t)f->shape->length * sizeof(int));
	}
}

static bool touches_memory(const struct insn *i)
{
	for (int k = 0; k < i->nsteps; k++)
		for (size_t j = 0; j < i->steps[k].nacts; j++)
			if (action_access(&i->steps[k].acts[j]))
				return true;
	return false;
}

static void note_origin(struct lowering *l, int enters, int leaves)
{
	ARRAY_RESIZE(l->ctx, l->origins, struct origin, l->p->capacity);
	l->origins[l->p->ninsns - 1] = (struct origin){ l->saving, enters, leaves };
}

static bool on_line(struct place a, struct place b)
{
	unsigned la, lb, column;

	if (!a.source || a.source != b.source)
		return !b.source;
	place_line_column(a, &la, &column);
	place_line_column(b, &lb, &column);
	return la == lb;
}

/* All lines of the template that an instruction is for. */
static void note_covered(struct lowering *l, struct insn *i, const struct need *v, size_t n)
{
	struct place *also = n > 1 ? ARRAY_NEW(l->p, struct place, n) : NULL;

	i->also = also;
	for (size_t k = 1; k < n; k++) {
		bool known = on_line(i->place, v[k].place);

		for (size_t j = 0; j < i->nalso && !known; j++)
			known = on_line(also[j], v[k].place);
		if (!known)
			also[i->nalso++] = v[k].place;
	}
}

static void emit(struct lowering *l, const struct found *f, const struct need *v)
{
	struct insn *i = program_append(l->p, f->shape->pattern, v->place);

	set_operands(l, i, f);
	note_covered(l, i, v, f->needs);
	i->nsteps = (int)i->pattern->nlines;
	if (!instantiate(l->p, l->m, i->pattern, i->operands, i->steps))
		memset(i->steps, 0, sizeof(i->steps));
	i->align = l->align;
	i->opens = l->opens;
	i->closes = l->closes;
	l->align = l->opens = l->closes = false;
	if (touches_memory(i))
		l->p->resume_of[l->p->ninsns - 1] = l->resume;
	if (i->pattern->needs_frame && l->saving >= 0)
		l->savings[l->saving].wanted = true;
	note_origin(l, -1, -1);
}

void lower_frame(struct lowering *l, int saving, bool enter, struct place at)
{
	struct insn *i = program_append(l->p, NULL, at);

	i->nsteps = 1;
	i->steps[0].acts = ARRAY_NEW(l->p, struct action, 1);
	i->steps[0].nacts = 1;
	i->steps[0].acts[0].kind = enter ? ACT_ENTER : ACT_LEAVE;
	note_origin(l, enter ? saving : -1, enter ? -1 : saving);
}

/* The one pointer all accesses of these needs go through, the first right at it; -1.  *ret_bytes: their bytes. */
static int accessed_pointer(const struct need *v, size_t n, uint64_t *ret_bytes)
{
	int reg = -1;

	*ret_bytes = 0;
	for (size_t k = 0; k < n; k++)
		for (size_t j = 0; j < v[k].nacts; j++) {
			const struct expr *mem = action_access(&v[k].acts[j]);
			struct sum_parts s;

			if (!mem)
				continue;
			s = sum_split(NULL, mem->kid[0]);
			if (s.n != 1 || s.term[0].neg || s.term[0].e->op != EX_REG ||
			    mem->kid[1]->op != EX_CONST || (reg >= 0 && s.term[0].e->index != reg) || s.k != *ret_bytes)
				return -1;
			reg = s.term[0].e->index;
			*ret_bytes += mem->kid[1]->value;
		}
	return reg;
}

/* `pointer update each`, and the pattern has no writeback: an add behind it. */
static void add_behind(struct lowering *l, struct needs *list, size_t at, const struct found *f)
{
	struct place place = list->v[at].place;
	size_t next = at + f->needs;
	struct needs one = { .n = 0 };
	uint64_t bytes, by;
	int uses, reg, j;
	struct expr *sum;

	reg = accessed_pointer(&list->v[at], f->needs, &bytes);
	j = reg < 0 ? -1 : find_advance(list, next, reg, &by, &uses);
	if (j < 0 || (int64_t)by <= (int64_t)bytes)
		return;
	advanced(l, list, next, (size_t)j, reg, bytes);
	sum = expr_binary(l->ctx, EX_ADD, expr_reg(l->ctx, reg, place), expr_const(l->ctx, bytes, place), place);
	needs_append(l, &one, need_set(l, reg, sum, place));
	inherit(&one.v[0], &list->v[at], list->v[at].spare);
	needs_append(l, &one, list->v[next]);
	needs_splice(l, list, next, &one);
}

static void take_found(struct lowering *l, struct needs *list, size_t at, const struct found *f)
{
	size_t next = at + f->needs;
	uint64_t by;
	int uses, j;

	emit(l, f, &list->v[at]);
	if (f->moved) {
		j = find_advance(list, next, f->base, &by, &uses);
		advanced(l, list, next, (size_t)j, f->base, f->moved);
	} else if (l->m->update == UPDATE_EACH && !l->straight && f->shape->moves < 0) {
		add_behind(l, list, at, f);
	}
}

/* Needs in place of one so that each is met by some pattern, by so many repairs of repairs at most. */
static bool solve_need(struct lowering *l, const struct need *need, int depth, struct needs *out)
{
	if (need_met(l, need)) {
		needs_append(l, out, *need);
		return true;
	}
	for (int r = 0; depth && r < REPAIRS; r++) {
		struct alloc spare = l->spare;
		size_t n = out->n, nlabels = l->p->nlabels;
		struct needs parts = { .n = 0 };
		bool ok = repair(l, r, need, &parts);

		for (size_t k = 0; ok && k < parts.n; k++)
			ok = solve_need(l, &parts.v[k], depth - 1, out);
		if (ok)
			return true;
		l->spare = spare;
		out->n = n;
		l->p->nlabels = nlabels;
	}
	return false;
}

static bool repaired(struct lowering *l, const struct need *need, struct needs *out)
{
	if (need->nacts > 1)
		return !need->loop && split_group(l, need, out);	/* which takes nothing */
	for (int depth = 1; depth <= DEPTH_MAX; depth++) {
		l->spare.there = need->spare;
		if (!solve_need(l, need, depth, out))
			continue;
		for (size_t k = 0; k < out->n; k++)	/* what was taken stays taken until the last is met */
			inherit(&out->v[k], need, l->spare.there);
		return true;
	}
	return false;
}

/* Registers stand between backticks there, and the whole will too. */
static const char *without_quotes(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (*from != '`')
			*to++ = *from;
	*to = '\0';
	return text;
}

const char *need_text(struct lowering *l, const struct need *need)
{
	struct step step = { .loop = need->loop, .acts = need->acts, .nacts = need->nacts };

	return without_quotes(talloc_strdup(l->ctx, step_print(l->ctx, l->m, NULL, &step)));
}

static void fail_need(struct lowering *l, const struct need *need)
{
	struct miss miss = { .score = -1 };
	struct found f;

	l->mx.miss = &miss;
	for (size_t k = 0; k < l->mx.shapes->n; k++)
		match_shape(&l->mx, &l->mx.shapes->v[k], need, 1, false, &f);
	l->mx.miss = NULL;
	l->failure = (struct failure){ .known = true, .place = need->place, .miss = miss,
				       .scope = need->scope };
	l->failure.starved = regset_empty(&need->spare);
	l->failure.text = need_text(l, need);
}

/* What takes time and memory out of all proportion. */
static bool is_too_much(struct lowering *l, const struct needs *list, const struct need *need)
{
	const char *limit = NULL;

	if (l->p->ninsns >= INSNS_MAX)
		limit = talloc_asprintf(l->ctx, "the routine has more than %d instructions", INSNS_MAX);
	else if (list->n > NEEDS_MAX)
		limit = talloc_asprintf(l->ctx, "more than %d actions follow each other without a label", NEEDS_MAX);
	else if (l->mx.shapes->tries >= TRIES_MAX)
		limit = talloc_asprintf(l->ctx, "no instructions were found in %d attempts", TRIES_MAX);
	if (limit)
		l->failure = (struct failure){ .known = true, .want = WANT_LESS, .place = need->place, .text = limit,
					       .scope = need->scope };
	return limit;
}

bool lower_needs(struct lowering *l, struct needs *list)
{
	size_t at = 0;

	while (at < list->n) {
		struct need *need = &list->v[at];
		struct needs parts = { .n = 0 };
		struct found f;

		if (is_too_much(l, list, need))
			return false;
		if (need->is_label) {
			label_here(l->p, need->label);
			at++;
		} else if (is_nothing(need)) {
			at++;
		} else if (find(l, list, at, &f)) {
			take_found(l, list, at, &f);
			at += f.needs;
		} else if (is_hint(need)) {
			at++;
		} else if (repaired(l, need, &parts)) {
			needs_splice(l, list, at, &parts);
		} else {
			if (!is_too_much(l, list, need))
				fail_need(l, need);
			return false;
		}
	}
	return true;
}

static void forget_insns(struct program *p, size_t n, size_t nlabels)
{
	p->ninsns = n;
	p->nlabels = nlabels;
}

bool lower_acts(void *ctx, struct diag *d, struct program *p, const struct action *acts, size_t n,
		struct regset scratch, struct place at, const char *wanted)
{
	struct lowering l = {
		.ctx = ctx, .d = d, .p = p, .m = p->machine, .resume = -1, .saving = -1, .straight = true, .wanted = wanted,
		.alloc = { .machine = p->machine, .there = scratch }, .spare = { .machine = p->machine },
	};
	size_t ninsns = p->ninsns, nlabels = p->nlabels;
	struct needs list = { .n = 0 };

	if (!p->shapes)
		p->shapes = shapes_new(p, p->machine);
	l.mx = (struct matcher){ .ctx = ctx, .machine = l.m, .info = &p->info, .shapes = p->shapes };
	for (size_t k = 0; k <= n; k++) {
		bool frame = k < n && acts[k].kind == ACT_LEAVE;

		if (k < n && !frame)
			needs_append(&l, &list, need_single(&l, acts[k], at));
		if ((k == n || frame) && !lower_needs(&l, &list)) {
			if (d)
				report_failure(&l, &l.failure);
			forget_insns(p, ninsns, nlabels);
			return false;
		}
		if (frame) {
			list.n = 0;
			lower_frame(&l, -1, false, at);
			p->insns[p->ninsns - 1].steps[0].acts[0].clobber = acts[k].clobber;
		}
	}
	return true;
}
