/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory and small parts of trees: names, texts, actions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <talloc.h>

#include "ast_build.h"

#define BLOCK_FIRST 1024		/* blocks double up to BLOCK_LAST */
#define BLOCK_LAST (64 * 1024)

void *arena_get(struct arena *a, size_t size)
{
	void *r;

	size = (size + 15) & ~(size_t)15;
	if (!a->at || size > (size_t)(a->end - a->at)) {
		size_t next = !a->block ? BLOCK_FIRST : a->block < BLOCK_LAST ? 2 * a->block : BLOCK_LAST;
		size_t block = size > next / 4 ? size : next;		/* large ones have a block of their own */
		char *fresh = talloc_zero_size(a->ctx, block);

		if (!fresh) {
			fputs("ucopy: out of memory\n", stderr);
			abort();
		}
		if (block == size)
			return fresh;
		a->block = block;
		a->at = fresh;
		a->end = fresh + block;
	}
	r = a->at;
	a->at += size;
	return r;
}

const char *arena_string(struct arena *a, const char *s, size_t n)
{
	return memcpy(arena_get(a, n + 1), s, n);
}

void *arena_grow(struct arena *a, void *v, size_t n, size_t size)
{
	void *larger;

	if (n & (n - 1) || n == 1)		/* there is room up to the next power of two; the first has room for two */
		return v;
	larger = arena_get(a, (n ? 2 * n : 2) * size);
	return n ? memcpy(larger, v, n * size) : larger;
}

void list_check(struct parser *p, size_t n, size_t most)
{
	if (n < most || p->fatal)
		return;
	diag_error(p->d, DIAG_MANY, p->before, "there are more than %zu in this list", most);
	p->fatal = true;
}

void depth_check(struct parser *p, unsigned depth)
{
	if (depth <= EXPR_DEPTH || p->fatal)
		return;
	diag_error(p->d, DIAG_DEEP, p->before, "expression is nested deeper than %d", EXPR_DEPTH);
	p->fatal = true;
}

const char *token_text(struct parser *p, struct token t, unsigned *ret_length)
{
	*ret_length = t.place.end - t.place.start;
	return p->scanner.source->text + t.place.start;
}

const char *token_string(struct parser *p, struct token t)
{
	unsigned length;
	const char *s = token_text(p, t, &length);

	return arena_string(p->arena, s, length);
}

struct name_at name_at(struct parser *p, struct token t)
{
	if (!t.place.source)
		return (struct name_at){ 0 };
	return (struct name_at){ token_string(p, t), t.place };
}

struct text_at text_at(struct parser *p, struct token t)
{
	unsigned length;
	const char *s = token_text(p, t, &length);

	t.place.start++;
	if (length > 1 && s[length - 1] == '`')		/* one that isn't closed was reported by the scanner */
		t.place.end--;
	if (length > TEXT_MAX && !p->fatal) {
		diag_error(p->d, DIAG_LONG, t.place, "this text is longer than %d bytes", TEXT_MAX);
		p->fatal = true;
	}
	return (struct text_at){ arena_string(p->arena, s + 1, t.place.end - t.place.start), t.place };
}

struct place place_to_here(struct parser *p, struct place start)
{
	start.end = p->before.end > start.end ? p->before.end : start.end;
	return start;
}

static struct action *act_new(struct parser *p, enum action_kind kind, struct place start)
{
	struct action *a = NEW(p, struct action);

	a->kind = kind;
	a->index = -1;
	a->label = -1;
	a->place = place_to_here(p, start);
	return a;
}

struct action *act_set(struct parser *p, struct deep target, struct deep value)
{
	struct action *a = act_new(p, target.e->op == EX_MEM ? ACT_STORE : ACT_SET, target.e->place);

	a->target = target.e;
	a->value = value.e;
	return a;
}

static struct expr *copy(struct parser *p, const struct expr *e)
{
	struct expr *r;

	if (!e)
		return NULL;
	r = NEW(p, struct expr);
	*r = *e;
	for (int i = 0; i < 3; i++)
		r->kid[i] = copy(p, e->kid[i]);
	return r;
}

struct action *act_update(struct parser *p, struct deep target, enum expr_op op, struct deep value)
{
	struct deep old = { copy(p, target.e), target.depth };

	return act_set(p, target, expr_two(p, op, old, value));
}

struct action *act_goto(struct parser *p, struct token first, struct cond *c, struct token label, bool jump)
{
	struct action *a = act_name(p, ACT_GOTO, first, label);

	a->cond = c;
	a->jump = jump;
	return a;
}

struct action *act_name(struct parser *p, enum action_kind kind, struct token first, struct token name)
{
	struct action *a = act_new(p, kind, first.place);

	a->name = token_string(p, name);
	return a;
}

struct action *act_plain(struct parser *p, enum action_kind kind, struct token t)
{
	return act_new(p, kind, t.place);
}

struct action *act_hint(struct parser *p, struct token first, struct deep mem)
{
	struct action *a = act_new(p, ACT_HINT, first.place);

	a->target = mem.e;
	return a;
}

struct action *act_need(struct parser *p, struct token first, struct cond *c)
{
	struct action *a = act_new(p, ACT_NEED, first.place);

	a->cond = c;
	return a;
}

struct action *act_clobber(struct parser *p, struct token first, struct token regs)
{
	struct action *a = act_new(p, ACT_CLOBBER, first.place);

	a->value = expr_text(p, regs).e;
	return a;
}

void acts_add(struct parser *p, struct acts *l, const struct action *a)
{
	if (!a)
		return;
	if (!l->n)
		l->start = a->place;
	PUSH_MOST(p, l->v, l->n, *a, ACTIONS_MAX);
}

struct effect *effect_new(struct parser *p, struct cond *loop, struct acts acts, struct place start)
{
	struct effect *e = NEW(p, struct effect);

	e->step = (struct step){ loop, acts.v, acts.n };
	e->place = place_to_here(p, start);
	return e;
}
