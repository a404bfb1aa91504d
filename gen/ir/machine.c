/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Questions to a machine. */
#include "machine.h"

#include <string.h>
#include <talloc.h>

int machine_reg(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->nregs; i++)
		if (strcmp(m->regs[i].name, name) == 0)
			return (int)i;
	for (size_t i = 0; i < m->nviews; i++) {
		const struct reg_class *c = &m->classes[m->views[i].reg_class];

		for (size_t k = 0; k < c->nregs; k++)
			if (m->views[i].spelling[k] && strcmp(m->views[i].spelling[k], name) == 0)
				return c->regs[k];
	}
	return -1;
}

#define FIND(array, count) do { \
	for (size_t find = 0; find < (count); find++) \
		if (strcmp((array)[find].name, name) == 0) \
			return (int)find; \
	return -1; \
} while (0)

int machine_class(const struct machine *m, const char *name)
{
	FIND(m->classes, m->nclasses);
}

int machine_view(const struct machine *m, const char *name)
{
	FIND(m->views, m->nviews);
}

int machine_state(const struct machine *m, const char *name)
{
	FIND(m->states, m->nstates);
}

const struct ranges *machine_range(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->nranges; i++)
		if (strcmp(m->ranges[i].name, name) == 0)
			return &m->ranges[i];
	return NULL;
}

uint64_t machine_tune(const struct machine *m, const char *name)
{
	for (size_t i = 0; i < m->ntunes; i++)
		if (strcmp(m->tunes[i].name, name) == 0)
			return m->tunes[i].value;
	return 0;
}

bool machine_feature(const struct machine *m, const char *name)
{
	if (strcmp(name, m->order == BIG ? "big" : "little") == 0)
		return true;
	for (size_t i = 0; i < m->nfeatures; i++)
		if (strcmp(m->features[i].name, name) == 0)
			return m->features[i].value == FEATURE_YES;
	return false;
}

int class_position(const struct reg_class *c, int reg)
{
	for (size_t i = 0; i < c->nregs; i++)
		if (c->regs[i] == reg)
			return (int)i;
	return -1;
}

bool frame_part_takes(const struct machine *m, const struct text_part *part, int reg)
{
	return part->reg_class < 0 || class_position(&m->classes[part->reg_class], reg) >= 0;
}

const char *reg_spelling(const struct machine *m, int reg, int view)
{
	int position;

	if (view < 0)
		return m->regs[reg].name;
	position = class_position(&m->classes[m->views[view].reg_class], reg);
	return position < 0 ? NULL : m->views[view].spelling[position];
}

static bool is_mask(uint64_t v, int64_t most)	/* 2^k - 1, 1 <= k <= most */
{
	return v != 0 && (v & (v + 1)) == 0 && __builtin_popcountll(v) <= most;
}

static bool range_has(const struct range *r, int64_t v)
{
	switch (r->kind) {
	case RANGE_ONES:
		return is_mask((uint64_t)v, r->hi);
	case RANGE_TOPS:
		return v < -1 && is_mask(~(uint64_t)v, r->hi);
	case RANGE_STEP:
		break;
	}
	return v >= r->lo && v <= r->hi && ((uint64_t)v - (uint64_t)r->lo) % (uint64_t)r->step == 0;
}

bool ranges_has(const struct ranges *r, int64_t v)
{
	for (size_t i = 0; i < r->n; i++)
		if (range_has(&r->v[i], v))
			return true;
	return r->n == 0;
}

static uint64_t print_value(const struct expr *e, uint64_t imm)
{
	uint64_t v[3] = {0}, result = 0;

	if (e->op == EX_CONST)
		return e->value;
	if (e->op == EX_OPERAND)
		return imm;
	for (int i = 0; i < expr_kids(e->op); i++)
		v[i] = print_value(e->kid[i], imm);
	return expr_apply(e->op, v, 64, &result) ? result : 0;
}

int64_t printed_value(const struct text_part *part, int64_t imm)
{
	return part->print ? (int64_t)print_value(part->print, (uint64_t)imm) : imm;
}

/* One operator of constant and rest, turned around: what must the rest be? */
static bool turn(enum expr_op op, bool constant_left, uint64_t c, uint64_t v, uint64_t *ret)
{
	switch (op) {
	case EX_ADD: *ret = v - c; return true;
	case EX_SUB: *ret = constant_left ? c - v : v + c; return true;
	case EX_XOR: *ret = v ^ c; return true;
	case EX_MUL: *ret = c ? v / c : 0; return c && v % c == 0;
	case EX_DIV: *ret = v * c; return !constant_left && c;
	default: return false;
	}
}

static bool invert(const struct expr *e, uint64_t v, uint64_t *ret)
{
	bool constant_left;

	if (e->op == EX_OPERAND) {
		*ret = v;
		return true;
	}
	if (e->op == EX_NEG || e->op == EX_NOT)
		return invert(e->kid[0], e->op == EX_NEG ? -v : ~v, ret);
	if (expr_kids(e->op) != 2)
		return false;
	constant_left = e->kid[0]->op == EX_CONST;
	if (!constant_left && e->kid[1]->op != EX_CONST)
		return false;
	return turn(e->op, constant_left, e->kid[constant_left ? 0 : 1]->value, v, &v) &&
	       invert(e->kid[constant_left ? 1 : 0], v, ret);
}

bool printed_inverse(const struct text_part *part, int64_t printed, int64_t *ret_imm)
{
	uint64_t imm = (uint64_t)printed;

	if (part->print && !invert(part->print, (uint64_t)printed, &imm))
		return false;
	if (printed_value(part, (int64_t)imm) != printed)
		return false;
	*ret_imm = (int64_t)imm;
	return true;
}

static const struct text *pattern_text(const struct pattern *p, size_t i)
{
	return i < p->nlines ? &p->lines[i].text : p->pool;
}

static size_t pattern_texts(const struct pattern *p)
{
	return p->nlines + (p->pool != NULL);
}

static bool all_take(const struct pattern *p, int o, int64_t imm)
{
	for (size_t i = 0; i < pattern_texts(p); i++) {
		const struct text *t = pattern_text(p, i);

		for (size_t k = 0; k < t->nparts; k++) {
			const struct text_part *part = &t->parts[k];

			if (!part->literal && part->operand == o &&
			    !ranges_has(&part->ranges, printed_value(part, imm)))
				return false;
		}
	}
	return true;
}

bool imm_fits(const struct machine *m, const struct pattern *p, int o, uint64_t value, int64_t *ret_imm)
{
	int bits = 8 * m->width;
	uint64_t number = const_wrap(value, bits);
	bool fits = all_take(p, o, (int64_t)number);

	if (!fits && bits < 64 && (int64_t)number < 0) {
		number += (uint64_t)1 << bits;
		fits = all_take(p, o, (int64_t)number);
	}
	if (fits)
		*ret_imm = (int64_t)number;
	return fits;
}

bool reg_fits(const struct machine *m, const struct pattern *p, int o, int reg)
{
	if (class_position(&m->classes[p->operands[o].reg_class], reg) < 0)
		return false;
	for (size_t i = 0; i < pattern_texts(p); i++) {
		const struct text *t = pattern_text(p, i);

		for (size_t k = 0; k < t->nparts; k++)
			if (!t->parts[k].literal && t->parts[k].operand == o &&
			    !reg_spelling(m, reg, t->parts[k].view))
				return false;
	}
	return true;
}

bool list_fits(const struct machine *m, const struct operand *o, const int *regs, int n)
{
	const struct reg_class *c = &m->classes[o->reg_class];
	int before = -1;

	if (n < o->list_min || n > o->list_max)
		return false;
	for (int i = 0; i < n; i++) {
		int at = class_position(c, regs[i]);

		if (at < 0 || (i > 0 && o->list_order != LIST_ANY && at <= before))
			return false;
		if (i > 0 && (o->list_order == LIST_RUN || o->list_order == LIST_EVEN) && at != before + 1)
			return false;
		if (i == 0 && o->list_order == LIST_EVEN && at % 2 != 0)
			return false;
		before = at;
	}
	return true;
}

static const char *symbol_text(const struct machine *m, const char *routine)
{
	const char *general = NULL;

	for (size_t i = 0; i < m->target.nsymbols; i++) {
		const struct symbol *s = &m->target.symbols[i];

		if (!s->routine)
			general = s->text;
		else if (strcmp(s->routine, routine) == 0)
			return s->text;
	}
	return general ? general : "{r}";
}

const char *target_symbol(void *ctx, const struct machine *m, const char *routine)
{
	const char *text = symbol_text(m, routine), *hole;
	char *out = talloc_strdup(ctx, "");

	while ((hole = strstr(text, "{r}"))) {
		out = talloc_asprintf_append_buffer(out, "%.*s%s", (int)(hole - text), text, routine);
		text = hole + strlen("{r}");
	}
	return talloc_strdup_append_buffer(out, text);
}

bool pattern_begins(const struct pattern *p, const char *word)
{
	const struct text *t = &p->lines[0].text;
	size_t n = strlen(word);

	if (t->nparts == 0 || !t->parts[0].literal || strncmp(t->parts[0].literal, word, n) != 0)
		return false;
	/* what a dot or a comma parts is a form of the same */
	return t->parts[0].literal[n] ? strchr(" .,", t->parts[0].literal[n]) != NULL : t->nparts == 1;
}
