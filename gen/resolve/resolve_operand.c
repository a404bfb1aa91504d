/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Operands are what the holes of a pattern name.  What one is follows from the effect (what is gone to is a
 * label, what is called a callee, what stands before an access's colon a space) or from any of its holes;
 * else it is a register.
 */
#include "resolve_priv.h"

int find_operand(const struct pattern *p, const char *name)
{
	for (size_t i = 0; i < p->noperands; i++)
		if (strcmp(p->operands[i].name, name) == 0)
			return (int)i;
	return -1;
}

static bool in_expr(const struct expr *e, const char *space)
{
	if (!e)
		return false;
	if (e->op == EX_MEM && e->kid[2] && e->kid[2]->name && strcmp(e->kid[2]->name, space) == 0)
		return true;
	for (int i = 0; i < 3; i++)
		if (in_expr(e->kid[i], space))
			return true;
	return false;
}

static bool in_cond(const struct cond *c, const char *space)
{
	return c && (in_expr(c->lhs, space) || in_expr(c->rhs, space));
}

static bool kind_in_action(const struct action *a, const char *name, enum operand_kind *ret)
{
	bool named = a->name && strcmp(a->name, name) == 0;

	if (named && (a->kind == ACT_CALL || (a->kind == ACT_GOTO && a->jump)))
		*ret = OPERAND_CALLEE;
	else if (named && a->kind == ACT_GOTO)
		*ret = OPERAND_LABEL;
	else if (in_expr(a->target, name) || in_expr(a->value, name) || in_cond(a->cond, name))
		*ret = OPERAND_SPACE;
	else
		return false;
	return true;
}

static bool kind_in_effect(const struct spec_pattern *sp, const char *name, enum operand_kind *ret)
{
	for (size_t i = 0; i < sp->nlines; i++)
		for (size_t k = 0; k < sp->lines[i].step.nacts; k++)
			if (kind_in_action(&sp->lines[i].step.acts[k], name, ret))
				return true;
	return false;
}

static const struct relations *find_relation(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->nrelations; i++)
		if (strcmp(m->relations[i].name, name) == 0)
			return &m->relations[i];
	return NULL;
}

/* What one hole says about its operand; false: nothing, the bare name. */
struct claim { enum operand_kind kind; int reg_class, view; };

static bool claim_of_what(struct binder *b, const struct hole *h, struct claim *c)
{
	struct machine *m = b->r->m;
	struct near near = {0};

	c->view = machine_view(m, h->what);
	c->reg_class = c->view >= 0 ? m->views[c->view].reg_class : machine_class(m, h->what);
	c->kind = c->reg_class >= 0 ? OPERAND_REG : OPERAND_IMM;
	if (c->reg_class >= 0 || machine_range(m, h->what))
		return true;
	for (size_t i = 0; i < m->nclasses; i++)
		near_add(b->r, &near, m->classes[i].name);
	for (size_t i = 0; i < m->nviews; i++)
		near_add(b->r, &near, m->views[i].name);
	for (size_t i = 0; i < m->nranges; i++)
		near_add(b->r, &near, m->ranges[i].name);
	fail_unknown(b->r, DIAG_SPELLING, h->what_place, "there is no class, view or range", h->what, near);
	b->bad = true;
	return false;
}

/* A word of its own only where there are slots. */
static bool is_annul(const struct binder *b, const char *name)
{
	return b->sp->slot && strcmp(name, "annul") == 0;
}

static bool claim_of_hole(struct binder *b, const struct hole *h, struct claim *c)
{
	*c = (struct claim){OPERAND_REG, -1, -1};
	if (strcmp(h->name, "@") == 0)
		c->kind = OPERAND_POOL;
	else if (is_annul(b, h->name))
		c->kind = OPERAND_ANNUL;
	else if (h->print || h->has_ranges)
		c->kind = OPERAND_IMM;
	else if (h->what && !claim_of_what(b, h, c))
		return false;
	else if (h->is_list)
		c->kind = OPERAND_LIST;
	else if (!h->what && kind_in_effect(b->sp, h->name, &c->kind))
		return true;
	else if (!h->what && find_relation(b->r->m, h->name))
		c->kind = OPERAND_RELATION;
	else
		return h->what != NULL;
	return true;
}

static const char *const kind_names[] = {
	[OPERAND_REG] = "a register", [OPERAND_LIST] = "a list of registers", [OPERAND_IMM] = "a number",
	[OPERAND_RELATION] = "a relation", [OPERAND_LABEL] = "a label", [OPERAND_CALLEE] = "a routine's name",
	[OPERAND_SPACE] = "a space", [OPERAND_POOL] = "the pool's label",
	[OPERAND_ANNUL] = "what skips a slot",
};

static struct operand *add_operand(struct binder *b, const struct hole *h)
{
	struct pattern *p = b->p;
	int known = find_operand(p, h->name);

	if (known >= 0)
		return &p->operands[known];
	if (p->noperands == OPERANDS_MAX) {
		fail(b->r, DIAG_OPERAND_KIND, h->place, "a pattern has at most %d operands", OPERANDS_MAX);
		b->bad = true;
		return NULL;
	}
	p->operands[p->noperands] =
		(struct operand){.name = h->name, .reg_class = -1, .view = -1, .place = h->place};
	b->first[p->noperands] = (struct place){0};
	return &p->operands[p->noperands++];
}

/* Two holes of one operand must agree; the first that says something decides. */
static void merge_claim(struct binder *b, const struct hole *h, struct operand *o, const struct claim *c)
{
	struct place *first = &b->first[o - b->p->operands];

	if (!first->source) {
		*first = h->place;
		o->kind = c->kind;
		o->reg_class = c->reg_class;
		o->view = c->view;
	} else if (o->kind != c->kind) {
		fail(b->r, DIAG_OPERAND_KIND, h->place, "`%s` is %s here", o->name, kind_names[c->kind]);
		note(b->r, *first, "and %s here", kind_names[o->kind]);
		b->bad = true;
	} else if (c->reg_class >= 0 && o->reg_class != c->reg_class) {
		fail(b->r, DIAG_OPERAND_KIND, h->place, "`%s` is of class `%s` here", o->name,
		     b->r->m->classes[c->reg_class].name);
		note(b->r, *first, "and of class `%s` here", b->r->m->classes[o->reg_class].name);
		b->bad = true;
	}
	if (h->is_list) {
		o->list_min = h->list_min;
		o->list_max = h->list_max;
		o->list_order = h->order;
	}
}

static void collect_hole(struct binder *b, const struct hole *h)
{
	struct operand *o = add_operand(b, h);
	struct claim c;

	if (!o || !claim_of_hole(b, h, &c))
		return;
	merge_claim(b, h, o, &c);
	if (o->kind == OPERAND_RELATION)
		o->relation = find_relation(b->r->m, o->name);
}

static void collect(struct binder *b)
{
	for (size_t i = 0; i < b->ntexts; i++)
		for (size_t k = 0; k < b->texts[i].n; k++)
			if (b->texts[i].v[k].hole)
				collect_hole(b, b->texts[i].v[k].hole);
	for (size_t i = 0; i < b->p->noperands; i++) {
		struct operand *o = &b->p->operands[i];

		if ((o->kind == OPERAND_REG || o->kind == OPERAND_LIST) && o->reg_class < 0)
			o->reg_class = 0;
	}
}

static void bind_print(struct expr *e, int operand)
{
	if (e->op == EX_NAME) {
		e->op = EX_OPERAND;
		e->index = operand;
	}
	for (int i = 0; i < expr_kids(e->op); i++)
		bind_print(e->kid[i], operand);
}

static struct text_part make_part(struct binder *b, const struct piece *piece)
{
	struct text_part part = {.literal = piece->literal, .operand = -1, .view = -1};
	const struct hole *h = piece->hole;

	if (!h)
		return part;
	part.operand = find_operand(b->p, h->name);
	part.print = h->print;
	if (h->print)
		bind_print(h->print, part.operand);
	part.ranges = h->ranges;
	if (h->what) {
		const struct ranges *range = machine_range(b->r->m, h->what);

		part.view = machine_view(b->r->m, h->what);
		if (range && part.view < 0)
			part.ranges = *range;
	}
	return part;
}

static struct text make_text(struct binder *b, const struct pieces *pieces, struct place at)
{
	struct text text = {ARRAY_NEW(b->r->ctx, struct text_part, pieces->n), pieces->n, at};

	for (size_t i = 0; i < pieces->n; i++)
		text.parts[i] = make_part(b, &pieces->v[i]);
	return text;
}

void resolve_operands(struct binder *b)
{
	struct pattern *p = b->p;

	p->operands = ARRAY_NEW(b->r->ctx, struct operand, OPERANDS_MAX);
	b->first = ARRAY_NEW(b->r->ctx, struct place, OPERANDS_MAX);
	b->used = ARRAY_NEW(b->r->ctx, bool, OPERANDS_MAX);
	collect(b);
	if (b->bad)
		return;
	for (size_t i = 0; i < p->nlines; i++)
		p->lines[i].text = make_text(b, &b->texts[i], b->sp->lines[i].text.place);
	if (b->sp->pool.text) {
		struct text *pool = talloc(b->r->ctx, struct text);

		*pool = make_text(b, &b->texts[p->nlines], b->sp->pool.place);
		p->pool = pool;
	}
}
