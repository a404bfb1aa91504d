/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Actions of a pattern against actions of needs. */
#include "match.h"

#include <stdarg.h>
#include <talloc.h>

#include "instantiate.h"

#define GROUP_MAX 64			/* actions at once that are tried in any order */
#define ORDERS_MAX 1000			/* tries for one group */

void missed(struct matcher *mx, int score, const char *format, ...)
{
	va_list ap;

	if (!mx->miss || mx->score + score <= mx->miss->score)
		return;
	mx->miss->score = mx->score + score;
	mx->miss->pattern = mx->shape->pattern;
	va_start(ap, format);
	mx->miss->text = talloc_vasprintf(mx->ctx, format, ap);
	va_end(ap);
}

static void bind_label(struct matcher *mx, struct binding *b, int label)
{
	const struct pattern *p = mx->shape->pattern;

	for (size_t o = 0; o < p->noperands; o++)
		if (p->operands[o].kind == OPERAND_LABEL) {
			b->v[o].label = label;
			b->bound |= (uint32_t)1 << o;
		}
}

static void bind_callee(struct matcher *mx, struct binding *b, const struct callee *callee)
{
	const struct pattern *p = mx->shape->pattern;

	for (size_t o = 0; o < p->noperands; o++)
		if (p->operands[o].kind == OPERAND_CALLEE) {
			b->v[o].callee = callee;
			b->bound |= (uint32_t)1 << o;
		}
}

static bool unify_target(struct matcher *mx, struct binding *b, const struct expr *e, const struct expr *g)
{
	const struct machine *m = mx->machine;

	/* what is written must be what was meant: no number, and not the register that takes none */
	return g->op != EX_CONST && (g->op != EX_REG || g->index != m->zero) && unify(mx, b, e, g);
}

static bool unify_act(struct matcher *mx, struct binding *b, const struct action *e, const struct action *g)
{
	if (e->kind != g->kind)
		return false;
	switch (e->kind) {
	case ACT_SET:
	case ACT_STORE:
		return unify_target(mx, b, e->target, g->target) && unify(mx, b, e->value, g->value);
	case ACT_GOTO:
		if (!e->cond != !g->cond || (e->jump && !g->jump))
			return false;
		bind_label(mx, b, g->label);
		return !e->cond || unify_cond(mx, b, e->cond, g->cond);
	case ACT_HINT:
		return unify(mx, b, e->target, g->target);
	case ACT_CALL:
		bind_callee(mx, b, g->callee);
		return true;
	case ACT_STATE:
		return e->index == g->index && expr_equal(e->value, g->value);
	case ACT_RETURN:
	case ACT_FENCE:
		return true;
	default:
		return false;
	}
}

/* What must be seen in order: an action that reads what an earlier need wrote belongs into a later line. */
struct order {
	struct regset written;		/* by needs before this one */
	bool stored;
	int line;			/* of the last write */
};

static bool in_order(const struct order *o, const struct action *g, int line)
{
	struct regset reads = { { 0 } };
	const struct expr *mem;

	if (line > o->line)
		return true;
	mem = action_access(g);
	action_reads(g, &reads);
	return !regset_meet(&reads, &o->written) && !(o->stored && mem && g->kind == ACT_SET);
}

static void order_note(struct order *o, const struct need *need, int line)
{
	for (size_t k = 0; k < need->nacts; k++) {
		action_writes(&need->acts[k], &o->written);
		o->stored |= need->acts[k].kind == ACT_STORE;
	}
	o->line = line;
}

/* The needs begin as the shape does, and go on otherwise. */
static bool parted(struct matcher *mx, const struct found *f, const struct action *wanted, const char *why)
{
	if (!mx->every_miss || !f->acts)
		return false;
	mx->score = (int)(10 * f->acts);
	missed(mx, 0, "it also does `%s`, %s",
	       action_print(mx->ctx, mx->machine, mx->shape->pattern, wanted), why);
	return false;
}

/* Actions of the shape, but for what it borrows, in order against those of the needs. */
static bool unify_needs(struct matcher *mx, const struct shape *s, const struct need *needs, size_t n,
			bool borrow, struct found *f)
{
	struct order order = { .line = -1 };
	size_t need = 0, act = 0;

	for (size_t k = 0; k < s->n; k++) {
		if (borrow && (int)k == s->moves)
			continue;
		if (need == n || needs[need].is_label)
			return parted(mx, f, &s->acts[k], "and there is nothing left to do");
		if (needs[need].loop || !in_order(&order, &needs[need].acts[act], s->line[k]))
			return parted(mx, f, &s->acts[k], "and what follows reads what was written before");
		mx->score = (int)(10 * f->acts);
		if (!unify_act(mx, &f->b, &s->acts[k], &needs[need].acts[act]))
			return parted(mx, f, &s->acts[k], "which is not what follows");
		f->acts++;
		if (++act == needs[need].nacts) {
			order_note(&order, &needs[need], s->line[k]);
			act = 0;
			need++;
		} else if (k + 1 < s->n && s->line[k + 1] != s->line[k]) {
			return false;			/* all at once is one line */
		}
	}
	f->needs = need;
	return !act && need;
}

/* What is done at once, against a line's actions from one on; bit k of `used`: act k of the need has its own. */
struct group {
	const struct need *need;
	const struct order *order;
	int skip, line;			/* skip: the action that is borrowed; -1 */
	size_t at, done;
	uint64_t used;
	int budget;
};

/* Each action of the line takes the first of the need's that leaves the others theirs. */
static bool unify_any_order(struct matcher *mx, const struct shape *s, struct group *g, struct binding *b)
{
	struct binding was = *b;
	size_t at;

	if (g->done == g->need->nacts)
		return true;
	at = g->at += (int)g->at == g->skip;
	if (at >= s->n || s->line[at] != g->line)
		return false;
	for (size_t k = 0; k < g->need->nacts && g->budget-- > 0; k++) {
		uint64_t bit = (uint64_t)1 << k;

		if (g->used & bit || !in_order(g->order, &g->need->acts[k], g->line) ||
		    !unify_act(mx, b, &s->acts[at], &g->need->acts[k])) {
			*b = was;
			continue;
		}
		g->used |= bit;
		g->at = at + 1;
		g->done++;
		if (unify_any_order(mx, s, g, b))
			return true;
		g->done--;
		g->used &= ~bit;
		*b = was;
	}
	return false;
}

/* As unify_needs, but that what is done at once may be said in any order. */
static bool unify_groups(struct matcher *mx, const struct shape *s, const struct need *needs, size_t n, bool borrow, struct found *f)
{
	struct order order = { .line = -1 };
	int skip = borrow ? s->moves : -1;

	for (size_t at = (skip == 0); at < s->n; f->needs++) {
		const struct need *need = &needs[f->needs];
		struct group g = { need, &order, skip, s->line[at], at, 0, 0, ORDERS_MAX };

		if (f->needs == n || need->is_label || (need->loop != NULL) != (s->loop != NULL) || need->nacts > GROUP_MAX ||
		    !unify_any_order(mx, s, &g, &f->b))
			return false;
		f->acts += need->nacts;
		order_note(&order, need, s->line[at]);
		at = g.at + ((int)g.at == skip);
	}
	return f->needs > 0;
}

static bool unify_loop(struct matcher *mx, const struct shape *s, const struct need *g, struct found *f)
{
	if (!g->loop || g->nacts != s->n || !unify_cond(mx, &f->b, s->loop, g->loop))
		return false;
	for (size_t k = 0; k < s->n; k++, f->acts++) {
		mx->score = (int)(10 * k);
		if (!unify_act(mx, &f->b, &s->acts[k], &g->acts[k]))
			return false;
	}
	f->needs = 1;
	return true;
}

/* Is there something done at once among the actions that fit and the one behind them? */
static bool has_group(const struct need *needs, size_t n, size_t acts)
{
	for (size_t k = 0, before = 0; k < n && before <= acts; before += needs[k++].nacts)
		if (needs[k].nacts > 1)
			return true;
	return false;
}

/* The first of these needs, in the order they are said; or, where some are done at once, in another. */
static bool unify_all(struct matcher *mx, const struct shape *s, const struct need *needs, size_t n, bool borrow, struct found *f)
{
	const struct found none = *f;
	struct miss *miss = mx->miss;
	bool ok = s->loop ? unify_loop(mx, s, needs, f) : unify_needs(mx, s, needs, n, borrow, f);

	if (ok || !has_group(needs, n, f->acts) || (s->loop && (!needs->loop || needs->nacts != s->n)))
		return ok;
	*f = none;
	mx->miss = NULL;		/* of many orders most are far from what was meant */
	ok = (!s->loop || unify_cond(mx, &f->b, s->loop, needs->loop)) && unify_groups(mx, s, needs, n, borrow, f);
	mx->miss = miss;
	return ok;
}

/* How far its pointer moves: what the operands say or, when they are open, past what it accesses. */
static bool borrow_move(struct matcher *mx, const struct shape *s, const struct need *needs, struct found *f)
{
	struct sum_parts sum = sum_split(s->pattern, s->acts[s->moves].value);
	uint64_t bytes = 0, v;
	bool open = false;

	if (!(f->b.bound >> s->base & 1))
		return false;
	f->base = f->b.v[s->base].reg;
	for (size_t k = 0; k < f->needs; k++)
		for (size_t j = 0; j < needs[k].nacts; j++) {
			const struct expr *mem = action_access(&needs[k].acts[j]);

			bytes += mem && mem->kid[1]->op == EX_CONST ? mem->kid[1]->value : 0;
		}
	f->moved = sum.k;
	for (int t = 0; t < sum.nopen; t++) {
		if (bound_value(mx, &f->b, sum.open[t].e, &v)) {
			f->moved += sum.open[t].neg ? -v : v;
			continue;
		}
		if (open || !solve(mx, &f->b, sum.open[t].e, sum.open[t].neg ? -bytes : bytes))
			return false;
		open = true;
	}
	if (open)
		f->moved = bytes;
	return (int64_t)f->moved > 0;
}

/* What is left to bind: how long a list is, spaces that no access named. */
static bool complete(struct matcher *mx, const struct shape *s, struct found *f)
{
	const struct pattern *p = s->pattern;
	const char *why = NULL;

	if (s->list >= 0) {
		f->b.v[s->list].list.regs = f->b.list;
		f->b.v[s->list].list.n = s->length;
		if (f->b.listed == (uint32_t)(((uint64_t)1 << s->length) - 1))
			f->b.bound |= (uint32_t)1 << s->list;
	}
	for (size_t o = 0; o < p->noperands; o++) {
		enum operand_kind kind = p->operands[o].kind;

		if (kind != OPERAND_POOL && kind != OPERAND_ANNUL && kind != OPERAND_LABEL && !(f->b.bound >> o & 1))
			return false;
	}
	if (operands_fit(mx->ctx, mx->machine, p, f->b.v, &why))
		return true;
	missed(mx, 5, "%s", why ? why : "its operands don't fit");
	return false;
}

/* Most shapes are not even of the kind. */
static bool begins_like(const struct shape *s, const struct need *need, bool borrow)
{
	size_t first = borrow && s->moves == 0;
	bool like = false;

	for (size_t k = 0; first < s->n && k < need->nacts && !like; k++)
		like = s->acts[first].kind == need->acts[k].kind;
	return like;
}

bool match_shape(struct matcher *mx, const struct shape *s, const struct need *needs, size_t n, bool borrow,
		 struct found *ret)
{
	struct found f;

	if (mx->shapes->tries >= TRIES_MAX)
		return false;
	mx->shapes->tries++;
	if (!n || (borrow && s->moves < 0) || s->pattern->noperands > OPERANDS_MAX || s->length > LIST_MAX ||
	    !begins_like(s, needs, borrow))
		return false;
	f = (struct found){ .shape = s, .base = -1 };
	mx->shape = s;
	mx->score = 0;
	if (!unify_all(mx, s, needs, n, borrow, &f))
		return false;
	mx->score = (int)(10 * f.acts);
	if ((borrow && !borrow_move(mx, s, needs, &f)) || !complete(mx, s, &f))
		return false;
	*ret = f;
	if (s->list >= 0)
		ret->b.v[s->list].list.regs = ret->b.list;
	return true;
}
