/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fixpoint: states at leaders only, blocks in reverse post-order.  What flows along an edge is kept, and joined when
 * its target's turn comes, so that code behind many faults is not joined again at each visit of their block.  Loop heads
 * gather what has reached them so far, and are widened.
 */
#include <string.h>
#include <talloc.h>

#include "engine.h"

#define WIDEN_AFTER 4
#define VISITS_MAX 60
#define WORK_MAX 30000			/* of a proof: over ten times what a large routine takes */
#define JOIN_WORK 8			/* in lines gone through */

struct edge {
	int line, kind;			/* where from; -1: from outside */
	struct astate *s;
	bool fresh;			/* not yet gathered by a loop's head */
	bool live;			/* still there after the last visit of its block */
	bool lasted;			/* it was there before that visit */
	struct edge *next;
};

struct node {
	struct astate *inv;
	bool borrowed;			/* inv is an edge's */
	struct edge *in;
	int visits;
	bool queued;
	int end;			/* of its block: behind its last line */
};

struct flow {
	struct engine *e;
	const bool *within;		/* NULL: everywhere */
	int stop;			/* edges there are kept, not followed; -1 */
	struct node *node;		/* by line; only leaders are used */
	void (*watch)(void *arg, int line, struct astate *s);
	void *watch_arg;
};

static int block_end(const struct cfg *c, int line)
{
	do
		line++;
	while (line < c->lines && !c->line[line].leader);
	return line;
}

struct flow *flow_new(struct engine *e, void *ctx, const bool *within, int stop)
{
	struct flow *f = talloc_zero(ctx, struct flow);

	f->e = e;
	f->within = within;
	f->stop = stop;
	f->node = talloc_zero_array(f, struct node, (unsigned)e->cfg->lines + 1);
	for (int l = 0; l < e->cfg->lines; l++)
		if (e->cfg->line[l].leader)
			f->node[l].end = block_end(e->cfg, l);
	return f;
}

void flow_watch(struct flow *f, void (*fn)(void *arg, int line, struct astate *s), void *arg)
{
	f->watch = fn;
	f->watch_arg = arg;
}

static struct edge *find_edge(struct flow *f, int line, int kind, int to)
{
	struct edge **at = &f->node[to].in;

	for (; *at; at = &(*at)->next)
		if ((*at)->line == line && (*at)->kind == kind)
			return *at;
	*at = talloc_zero(f, struct edge);
	(*at)->line = line;
	(*at)->kind = kind;
	return *at;
}

static void drop(struct node *n, struct astate *s)
{
	if (n->borrowed && n->inv == s)
		n->borrowed = false;
	else
		talloc_free(s);
}

static void set_edge(struct flow *f, int line, int kind, int to, struct astate *s)
{
	struct node *n = &f->node[to];
	struct edge *edge = find_edge(f, line, kind, to);

	edge->live = true;
	if (edge->s && edge->lasted && state_same(f->e, edge->s, s)) {
		talloc_free(s);
		return;
	}
	if (edge->s)
		drop(n, edge->s);
	edge->s = talloc_steal(f, s);
	edge->fresh = true;
	if (to != f->stop)
		n->queued = true;
}

void flow_push(struct engine *e, int line, int kind, int to, struct astate *s)
{
	struct flow *f = e->flow;

	if (to >= e->cfg->lines)
		engine_fail(e, DIAG_RUNS_OFF, line, "control may run off the end");
	if (!f || to >= e->cfg->lines || (f->within && !f->within[to])) {
		talloc_free(s);
		return;
	}
	state_forget_dead(e, s, &e->cfg->line[to].live);
	set_edge(f, line, kind, to, s);
}

void flow_start(struct engine *e, struct flow *f, int line, struct astate *s)
{
	(void)e;
	if (line == f->stop) {
		f->node[line].inv = talloc_steal(f, s);
		f->node[line].queued = true;
		return;
	}
	set_edge(f, -1, 0, line, s);
}

/* All edges, joined anew. */
static struct astate *join_edges(struct flow *f, int l, bool *ret_borrowed)
{
	const struct regset *live = &f->e->cfg->line[l].live;
	struct astate *s = NULL;
	bool owned = false;

	for (struct edge *i = f->node[l].in; i; i = i->next) {
		struct astate *next;

		if (!i->live)
			continue;
		next = s ? state_join(f->e, s, i->s, live, false) : i->s;
		if (owned)
			talloc_free(s);
		owned = s != NULL;
		s = next;
	}
	*ret_borrowed = !owned;
	return s;
}

/* What is new is added to what was there. */
static struct astate *gather_edges(struct flow *f, int l)
{
	struct node *n = &f->node[l];
	const struct regset *live = &f->e->cfg->line[l].live;
	struct astate *s = n->inv ? n->inv : NULL;

	for (struct edge *i = n->in; i; i = i->next) {
		struct astate *next;

		if (!i->fresh)
			continue;
		i->fresh = false;
		next = s ? state_join(f->e, s, i->s, live, n->visits > WIDEN_AFTER) : state_copy(f->e, i->s);
		if (s && s != n->inv)
			talloc_free(s);
		s = next;
	}
	return s;
}

/* Brings a leader's state up to date; false: it is what it was. */
static bool refresh(struct flow *f, int l)
{
	struct node *n = &f->node[l];
	bool borrowed = false;
	struct astate *s;

	if (l == f->stop)
		return n->visits++ == 0;
	if (++n->visits > VISITS_MAX) {
		f->e->gave_up = true;
		return false;
	}
	s = f->e->cfg->line[l].head ? gather_edges(f, l) : join_edges(f, l, &borrowed);
	if (!s || s == n->inv)
		return false;
	if (n->inv && state_same(f->e, n->inv, s)) {
		if (!borrowed)
			talloc_free(s);
		return false;
	}
	if (n->inv && !n->borrowed)
		talloc_free(n->inv);
	n->inv = borrowed ? s : talloc_steal(f, s);
	n->borrowed = borrowed;
	return true;
}

/* Edges out of a block that its new visit doesn't bring again are gone. */
static void age_edges(struct flow *f, int begin, int end)
{
	for (int l = begin; l < end; l++) {
		const struct cfg_line *line = &f->e->cfg->line[l];

		for (int k = 0; k < line->nsucc; k++) {
			if (line->succ[k] >= f->e->cfg->lines)
				continue;
			for (struct edge *i = f->node[line->succ[k]].in; i; i = i->next)
				if (i->line == l) {
					i->lasted = i->live;
					i->live = false;
				}
		}
	}
}

static void walk_block(struct engine *e, struct flow *f, int leader,
		       void (*fn)(void *arg, int line, struct astate *s), void *arg)
{
	struct astate *s = state_copy(e, f->node[leader].inv);
	int end = f->node[leader].end;

	for (int l = leader; s && l < end; l++) {
		e->busy = 0;
		e->live = &e->cfg->line[l].live;
		if (fn)
			fn(arg, l, s);
		s = transfer(e, l, s);
	}
	if (s)
		flow_push(e, end - 1, EDGE_NEXT, end, s);
}

static int next_queued(const struct flow *f)
{
	const struct cfg *c = f->e->cfg;
	int best = -1;

	for (int l = 0; l < c->lines; l++)
		if (f->node[l].queued && (best < 0 || c->line[l].order < c->line[best].order))
			best = l;
	return best;
}

void flow_run(struct engine *e, struct flow *f)
{
	struct flow *outer = e->flow;
	int l;

	e->flow = f;
	while (!e->gave_up && (l = next_queued(f)) >= 0) {
		if (e->steps + JOIN_WORK * e->joins > WORK_MAX) {
			e->gave_up = e->exhausted = true;
			break;
		}
		f->node[l].queued = false;
		if (!refresh(f, l))
			continue;
		age_edges(f, l, f->node[l].end);
		walk_block(e, f, l, f->watch, f->watch_arg);
	}
	e->flow = outer;
}

const struct astate *flow_at(const struct flow *f, int leader)
{
	return f->node[leader].inv;
}

void flow_walk_block(struct engine *e, struct flow *f, int leader,
		     void (*fn)(void *arg, int line, struct astate *s), void *arg)
{
	struct flow *outer = e->flow;

	e->flow = NULL;
	if (f->node[leader].inv)
		walk_block(e, f, leader, fn, arg);
	e->flow = outer;
}

void flow_walk(struct engine *e, struct flow *f, void (*fn)(void *arg, int line, struct astate *s), void *arg)
{
	for (int l = 0; l < e->cfg->lines; l++)
		flow_walk_block(e, f, l, fn, arg);
}

void flow_edges(const struct flow *f, int to, void (*fn)(void *arg, int line, int kind, struct astate *s),
		void *arg)
{
	for (struct edge *i = f->node[to].in; i; i = i->next)
		if (i->live)
			fn(arg, i->line, i->kind, i->s);
}
