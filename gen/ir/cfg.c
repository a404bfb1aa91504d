/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "cfg.h"

#include <string.h>
#include <talloc.h>

static const struct step nothing;

const struct step *cfg_step(const struct cfg *c, int line)
{
	const struct cfg_line *l = &c->line[line];
	const struct insn *i = &c->program->insns[l->insn];

	return l->step < i->nsteps ? &i->steps[l->step] : &nothing;
}

int cfg_label(const struct cfg *c, int label)
{
	const struct label *l = &c->program->labels[label];

	return l->symbol || l->at < 0 ? -1 : c->first[l->at];
}

static void number_lines(struct cfg *c)
{
	const struct program *p = c->program;
	int n = 0;

	c->first = talloc_array(c, int, (unsigned)p->ninsns + 1);
	for (size_t i = 0; i < p->ninsns; i++) {
		c->first[i] = n;
		n += p->insns[i].nsteps ? p->insns[i].nsteps : 1;
	}
	c->first[p->ninsns] = c->lines = n;
	c->line = talloc_zero_array(c, struct cfg_line, (unsigned)n + 1);
	for (size_t i = 0; i < p->ninsns; i++)
		for (int l = c->first[i]; l < c->first[i + 1]; l++) {
			c->line[l].insn = (int)i;
			c->line[l].step = l - c->first[i];
			c->line[l].order = -1;
		}
}

static void add_succ(struct cfg *c, int line, int to)
{
	struct cfg_line *l = &c->line[line];

	if (to < 0)
		return;
	l->succ = talloc_realloc(c, l->succ, int, (unsigned)l->nsucc + 1);
	l->succ[l->nsucc++] = to;
}

static void link_line(struct cfg *c, int line, bool faults)
{
	const struct insn *i = &c->program->insns[c->line[line].insn];
	const struct step *s = cfg_step(c, line);
	bool ends = false;

	if (faults && i->fixup[c->line[line].step] >= 0)
		add_succ(c, line, cfg_label(c, i->fixup[c->line[line].step]));
	for (size_t k = 0; k < s->nacts && !ends; k++) {
		const struct action *a = &s->acts[k];

		if (a->kind == ACT_GOTO && !a->jump)
			add_succ(c, line, cfg_label(c, a->label));
		ends = a->kind == ACT_RETURN || (a->kind == ACT_GOTO && !a->cond);
	}
	if (s->loop)
		add_succ(c, line, line);
	if (!ends)
		add_succ(c, line, line + 1);
}

struct dfs {
	int *stack, *next;
	char *colour;			/* 1: on the stack, 2: done */
	int rank;
};

/* Depth first, the last successor last, so that what falls through comes first in reverse post-order. */
static void order_from(struct cfg *c, struct dfs *d, int root)
{
	int depth = 0;

	d->stack[depth++] = root;
	d->colour[root] = 1;
	while (depth) {
		int l = d->stack[depth - 1];
		struct cfg_line *line = &c->line[l];

		if (d->next[l] < line->nsucc) {
			int to = line->succ[d->next[l]++];

			if (to < c->lines && !d->colour[to]) {
				d->colour[to] = 1;
				d->stack[depth++] = to;
			} else if (d->colour[to] == 1) {
				c->line[to].head = true;
			}
		} else {
			d->colour[l] = 2;
			line->order = --d->rank;
			depth--;
		}
	}
}

/* From the entry; and, where faults don't count, from the places that only they lead to. */
static void order_lines(struct cfg *c, bool faults)
{
	unsigned n = (unsigned)c->lines + 1;
	void *tmp = talloc_new(c);
	struct dfs d = {
		.stack = talloc_array(tmp, int, n), .next = talloc_zero_array(tmp, int, n),
		.colour = talloc_zero_array(tmp, char, n), .rank = c->lines,
	};

	if (c->lines)
		order_from(c, &d, 0);
	for (size_t k = 0; !faults && k < c->program->nresumes; k++) {
		int l = cfg_label(c, c->program->resumes[k].label);

		if (l >= 0 && l < c->lines && !d.colour[l])
			order_from(c, &d, l);
	}
	talloc_free(tmp);
}

static void find_leaders(struct cfg *c)
{
	int *preds = talloc_zero_array(c, int, (unsigned)c->lines + 1);

	for (int l = 0; l < c->lines; l++)
		for (int k = 0; k < c->line[l].nsucc; k++) {
			int to = c->line[l].succ[k];

			preds[to]++;
			if (to != l + 1 || k != c->line[l].nsucc - 1)
				c->line[to].leader = true;
		}
	for (int l = 0; l < c->lines; l++)
		if (preds[l] > 1 || l == 0)
			c->line[l].leader = true;
	for (size_t k = 0; k < c->program->nresumes; k++)
		if (cfg_label(c, c->program->resumes[k].label) >= 0)
			c->line[cfg_label(c, c->program->resumes[k].label)].leader = true;
	talloc_free(preds);
}

static void reads_and_writes(const struct cfg *c, int line, struct regset *reads, struct regset *writes)
{
	const struct program *p = c->program;
	const struct step *s = cfg_step(c, line);

	cond_reads(s->loop, reads);
	for (size_t k = 0; k < s->nacts; k++) {
		const struct action *a = &s->acts[k];

		action_reads(a, reads);
		if (!s->loop)
			action_writes(a, writes);
		if (a->kind == ACT_RETURN || a->kind == ACT_GOTO)
			if (a->kind == ACT_RETURN || a->jump || cfg_label(c, a->label) < 0)
				regset_or(reads, &p->machine->kept);
		if (a->kind == ACT_RETURN && p->machine->result >= 0)
			regset_add(reads, p->machine->result);
		if (a->kind == ACT_GOTO && (a->jump || cfg_label(c, a->label) < 0))
			for (size_t j = 0; j < p->machine->nargs; j++)
				regset_add(reads, p->machine->args[j]);
	}
}

/* Writes of a step that returns come before what the return reads. */
static bool leaves(const struct cfg *c, int line)
{
	const struct step *s = cfg_step(c, line);

	for (size_t k = 0; k < s->nacts; k++)
		if (s->acts[k].kind == ACT_RETURN)
			return true;
	return false;
}

static bool update_live(struct cfg *c, int l, const struct regset *reads, const struct regset *writes)
{
	struct cfg_line *line = &c->line[l];
	const struct insn *i = &c->program->insns[line->insn];
	int fix = i->fixup[line->step];
	struct regset live = { 0 };

	for (int k = 0; k < line->nsucc; k++)
		regset_or(&live, &c->line[line->succ[k]].live);
	if (!leaves(c, l))
		regset_minus(&live, writes);
	regset_or(&live, reads);
	if (fix >= 0 && line->nsucc && line->succ[0] == cfg_label(c, fix) && line->succ[0] < c->lines)
		regset_or(&live, &c->line[line->succ[0]].live);
	if (!memcmp(&live, &line->live, sizeof(live)))
		return false;
	line->live = live;
	return true;
}

static void find_live(struct cfg *c)
{
	struct regset *reads = talloc_zero_array(c, struct regset, (unsigned)c->lines + 1);
	struct regset *writes = talloc_zero_array(c, struct regset, (unsigned)c->lines + 1);
	bool again = true;

	for (int l = 0; l < c->lines; l++)
		reads_and_writes(c, l, &reads[l], &writes[l]);
	while (again) {
		again = false;
		for (int l = c->lines; l-- > 0;)
			again |= update_live(c, l, &reads[l], &writes[l]);
	}
	talloc_free(reads);
	talloc_free(writes);
}

struct cfg *cfg_new(void *ctx, const struct program *p, bool faults)
{
	struct cfg *c = talloc_zero(ctx, struct cfg);

	c->program = p;
	number_lines(c);
	for (int l = 0; l < c->lines; l++)
		link_line(c, l, faults);
	order_lines(c, faults);
	find_leaders(c);
	find_live(c);
	return c;
}

struct tarjan {
	const struct cfg *c;
	const bool *within;
	int *number, *low, *stack, *component, *work, *next;
	int count, depth, components;
};

static bool has_self_edge(const struct cfg *c, int l)
{
	for (int k = 0; k < c->line[l].nsucc; k++)
		if (c->line[l].succ[k] == l)
			return true;
	return false;
}

/* All of a component are found: takes them off the stack; a single line without an edge to itself is none. */
static void close_component(struct tarjan *t, int root)
{
	bool real = t->stack[t->depth - 1] != root || has_self_edge(t->c, root);
	int l;

	do {
		l = t->stack[--t->depth];
		t->component[l] = real ? t->components : -2;
	} while (l != root);
	t->components += real;
}

static void visit_from(struct tarjan *t, int root)
{
	int w = 0;

	t->work[w++] = root;
	t->number[root] = t->low[root] = ++t->count;
	t->stack[t->depth++] = root;
	while (w) {
		int l = t->work[w - 1];

		if (t->next[l] < t->c->line[l].nsucc) {
			int to = t->c->line[l].succ[t->next[l]++];

			if (to >= t->c->lines || !t->within[to])
				continue;
			if (!t->number[to]) {
				t->number[to] = t->low[to] = ++t->count;
				t->stack[t->depth++] = to;
				t->work[w++] = to;
			} else if (t->component[to] == -1 && t->number[to] < t->low[l]) {
				t->low[l] = t->number[to];
			}
			continue;
		}
		w--;
		if (w && t->low[l] < t->low[t->work[w - 1]])
			t->low[t->work[w - 1]] = t->low[l];
		if (t->low[l] == t->number[l])
			close_component(t, l);
	}
}

int cfg_components(void *ctx, const struct cfg *c, const bool *within, int **ret_component)
{
	unsigned n = (unsigned)c->lines + 1;
	void *tmp = talloc_new(ctx);
	struct tarjan t = {
		.c = c, .within = within, .component = talloc_array(ctx, int, n),
		.number = talloc_zero_array(tmp, int, n), .low = talloc_zero_array(tmp, int, n),
		.stack = talloc_zero_array(tmp, int, n), .work = talloc_zero_array(tmp, int, n),
		.next = talloc_zero_array(tmp, int, n),
	};

	for (unsigned l = 0; l < n; l++)
		t.component[l] = -1;
	for (int l = 0; l < c->lines; l++)
		if (within[l] && !t.number[l])
			visit_from(&t, l);
	for (unsigned l = 0; l < n; l++)
		if (t.component[l] == -2)
			t.component[l] = -1;
	talloc_free(tmp);
	*ret_component = t.component;
	return t.components;
}
