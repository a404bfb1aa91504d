/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* From trees to the flat form.  Whatever can not be run makes the whole program unusable, with a reason. */
#include "interp_flat.h"

#include <string.h>
#include <talloc.h>

#define SLOTS_MAX 65000

struct builder {
	struct interp *in;
	const struct machine *m;
	int width;			/* of the machine's registers */
	const struct pattern *pattern;	/* of the instruction at hand */
	const char *why;		/* first reason not to go on */
};

static uint16_t value(struct builder *b, const struct expr *e, int width);

static uint16_t fail(struct builder *b, const char *why)
{
	if (!b->why)
		b->why = why;
	return 0;
}

/* An array with room for one more element, which is zeroed and counted. */
static void *grow(struct interp *in, void *array, int *n, size_t size)
{
	if ((*n & (*n - 1)) == 0)
		array = talloc_realloc_size(in, array, size * (size_t)(*n ? 2 * *n : 1));
	memset((char *)array + size * (size_t)*n, 0, size);
	++*n;
	return array;
}

/* Adds an element; its address holds until the next. */
#define GROW(in, array) \
	(((in)->array = grow(in, (in)->array, &(in)->n##array, sizeof *(in)->array)) + (in)->n##array - 1)

static uint16_t new_slots(struct builder *b, int words)
{
	size_t at = b->in->nslots;

	if (at + (size_t)words > SLOTS_MAX)
		return fail(b, "it is too long");
	b->in->nslots += (size_t)words;
	b->in->v = talloc_realloc(b->in, b->in->v, uint64_t, (unsigned)b->in->nslots);
	memset(b->in->v + at, 0, sizeof(uint64_t) * (size_t)words);
	return (uint16_t)at;
}

static uint16_t constant(struct builder *b, uint64_t v, int width)
{
	int words = flat_words(width);
	uint16_t at = new_slots(b, words);

	b->in->v[at] = v & flat_mask(width);
	for (int i = 1; i < words; i++)
		b->in->v[at + i] = v >> 63 ? ~(uint64_t)0 : 0;
	return at;
}

/* The width a value has by itself; 0: that of its context. */
static int natural(const struct builder *b, const struct expr *e)
{
	int x, y;

	switch (e->op) {
	case EX_REG:
		return b->m->regs[e->index].width;
	case EX_MEM:
		return e->kid[1]->op == EX_CONST ? (int)e->kid[1]->value : b->width;
	case EX_CONST: case EX_FEATURE: case EX_REP:
		return 0;
	case EX_NEG: case EX_NOT: case EX_SHL: case EX_SHR: case EX_SX:
		return natural(b, e->kid[0]);
	default:
		if (expr_kids(e->op) < 2)
			return 0;
		x = natural(b, e->kid[0]);
		y = natural(b, e->kid[1]);
		return x > y ? x : y;
	}
}

static int widest(int a, int b)
{
	return a > b ? a : b;
}

static struct flat_op *add_op(struct builder *b, enum flat_opcode op, int width, uint16_t *ret_slot)
{
	uint16_t d = new_slots(b, flat_words(width));
	struct flat_op *o = GROW(b->in, ops);

	o->op = op;
	o->d = d;
	o->words = (uint16_t)flat_words(width);
	o->width = (uint8_t)(width < 8 ? width : 8);
	o->mask = flat_mask(width);
	*ret_slot = d;
	return o;
}

static bool space_allows(const struct builder *b, const struct expr *space, int side)
{
	const char *want = b->m->target.sides[side];

	if (!space || !space->name)
		return true;
	return want && strcmp(want, space->name) == 0;
}

static uint32_t alignment(const struct builder *b, const struct pattern *p, const struct expr *e)
{
	if (p && p->aligned)
		return (uint32_t)p->aligned;
	if (b->m->access != ACCESS_ALIGNED || e->any_address || e->kid[1]->op != EX_CONST || !e->kid[1]->value)
		return 1;
	return (uint32_t)e->kid[1]->value;
}

static int memory(struct builder *b, const struct pattern *p, const struct expr *e)
{
	uint16_t address = value(b, e->kid[0], b->width), length = value(b, e->kid[1], b->width);
	struct flat_mem *m = GROW(b->in, mems);

	m->address = address;
	m->length = length;
	m->letter = e->letter;
	m->align = alignment(b, p, e);
	m->side[0] = space_allows(b, e->kid[2], 0);
	m->side[1] = space_allows(b, e->kid[2], 1);
	return b->in->nmems - 1;
}

static const enum flat_opcode opcodes[] = {
	[EX_NEG] = FLAT_NEG, [EX_NOT] = FLAT_NOT, [EX_ADD] = FLAT_ADD, [EX_SUB] = FLAT_SUB, [EX_MUL] = FLAT_MUL,
	[EX_DIV] = FLAT_DIV, [EX_MOD] = FLAT_MOD, [EX_AND] = FLAT_AND, [EX_OR] = FLAT_OR, [EX_XOR] = FLAT_XOR,
	[EX_SHL] = FLAT_SHL, [EX_SHR] = FLAT_SHR, [EX_FUNNEL] = FLAT_FUNNEL, [EX_SX] = FLAT_SX, [EX_REP] = FLAT_REP,
};

static bool is_amount(enum expr_op op, int kid)
{
	return ((op == EX_SHL || op == EX_SHR || op == EX_SX) && kid == 1) || (op == EX_FUNNEL && kid == 2);
}

static uint16_t operation(struct builder *b, const struct expr *e, int width)
{
	uint16_t kid[3] = { 0, 0, 0 }, d;
	struct flat_op *o;

	for (int k = 0; k < expr_kids(e->op); k++) {
		int w = is_amount(e->op, k) ? widest(b->width, natural(b, e->kid[k])) : width;

		kid[k] = value(b, e->kid[k], w > 8 && is_amount(e->op, k) ? 8 : w);
	}
	if (width > 8 && (e->op == EX_MUL || e->op == EX_DIV || e->op == EX_MOD || e->op == EX_SX))
		return fail(b, "an operator has no meaning for so wide a register");
	o = add_op(b, opcodes[e->op], width, &d);
	o->a = kid[0];
	o->b = kid[1];
	o->c = kid[2];
	return d;
}

/* A register's slots, or a copy of them when the context is wider. */
static uint16_t reg_value(struct builder *b, int r, int width)
{
	int own = b->m->regs[r].width;
	uint16_t d;
	struct flat_op *o;

	if (r == b->m->zero)
		return constant(b, 0, width);
	if (flat_words(own) >= flat_words(width))
		return b->in->slot[r];
	o = add_op(b, FLAT_COPY, width, &d);
	o->a = b->in->slot[r];
	o->b = (uint16_t)flat_words(own);
	return d;
}


static uint16_t value(struct builder *b, const struct expr *e, int width)
{
	struct flat_op *o;
	uint16_t d;
	int mem;

	switch (e->op) {
	case EX_CONST:
		return constant(b, e->value, width);
	case EX_FEATURE:
		return (uint16_t)(b->in->feature + e->index);
	case EX_REG:
		return reg_value(b, e->index, width);
	case EX_MEM:
		mem = memory(b, b->pattern, e);
		o = add_op(b, FLAT_LOAD, width, &d);
		o->mem = mem;
		return d;
	default:
		if ((size_t)e->op < sizeof opcodes / sizeof *opcodes && opcodes[e->op])
			return operation(b, e, width);
		return fail(b, "its effect holds an operator that can't be run");
	}
}

static struct flat_cond condition(struct builder *b, const struct cond *c)
{
	struct flat_cond f = { .rel = c->rel };
	int width = widest(b->width, widest(natural(b, c->lhs), natural(b, c->rhs)));

	if (width > 8) {
		fail(b, "it compares registers that are too wide");
		return f;
	}
	f.a = value(b, c->lhs, width);
	f.b = value(b, c->rhs, width);
	f.shift = (uint8_t)(64 - 8 * width);
	return f;
}

static void compile_set(struct builder *b, const struct flat_step *s, const struct action *a)
{
	int r = a->target->index, own = b->m->regs[r].width;
	int width = widest(b->width, widest(own, natural(b, a->value)));
	uint16_t v = value(b, a->value, width), d;
	struct flat_set *set;

	if (r == b->m->zero)
		return;
	for (int i = s->sets.first; i < b->in->nsets; i++) {
		struct flat_op *o;

		/* A register that this step has written before: its old value is wanted. */
		if (v >= b->in->sets[i].reg + b->in->sets[i].words || v + flat_words(own) <= b->in->sets[i].reg)
			continue;
		o = add_op(b, FLAT_COPY, width, &d);
		o->a = v;
		o->b = (uint16_t)flat_words(own);
		v = d;
		break;
	}
	set = GROW(b->in, sets);
	set->reg = b->in->slot[r];
	set->value = v;
	set->words = (uint16_t)flat_words(own);
	set->mask = flat_mask(own);
}

static void compile_store(struct builder *b, const struct flat_step *s, const struct action *a)
{
	const struct expr *length = a->target->kid[1];
	int width = length->op == EX_CONST ? (int)length->value : b->width, mem;
	struct flat_store *store;
	uint16_t v;

	if (length->op != EX_CONST && a->value->op == EX_MEM && a->value->kid[1]->op != EX_CONST)
		width = 8 * FLAT_WORDS;
	width = widest(b->width, widest(width, natural(b, a->value)));
	if (width > 8 * FLAT_WORDS || b->in->nstores - s->stores.first >= FLAT_STORES) {
		fail(b, "it stores too much at once");
		return;
	}
	v = value(b, a->value, width);
	mem = memory(b, b->pattern, a->target);
	store = GROW(b->in, stores);
	store->mem = mem;
	store->value = v;
	store->words = (uint16_t)flat_words(width);
}

static void compile_event(struct builder *b, const struct action *a)
{
	const struct program *p = b->in->program;
	struct flat_event f = { .kind = a->kind, .jump = a->jump, .state = a->index, .regs = &a->clobber,
				.callee = a->callee };
	struct flat_event *event;

	if (a->cond) {
		f.conditional = true;
		f.cond = condition(b, a->cond);
	}
	if (a->kind == ACT_GOTO && !a->jump) {
		if (a->label < 0 || (size_t)a->label >= p->nlabels) {
			fail(b, "it goes to no label");
			return;
		}
		f.jump = p->labels[a->label].symbol != NULL;
		f.target = p->labels[a->label].at;
	}
	if (a->value && a->value->op == EX_CONST)
		f.value = (int)a->value->value;
	event = GROW(b->in, events);
	*event = f;
}

static void compile_action(struct builder *b, const struct flat_step *s, const struct action *a)
{
	switch (a->kind) {
	case ACT_SET:
		compile_set(b, s, a);
		break;
	case ACT_STORE:
		compile_store(b, s, a);
		break;
	case ACT_HINT:
		break;
	default:
		compile_event(b, a);
	}
}

static int tearing(const struct builder *b, const struct insn *n)
{
	if (n->pattern && n->pattern->tears)
		return n->pattern->tears;
	return b->m->granularity;
}

/* Any subset of the units, not only a prefix? */
static bool tears_anyhow(const struct machine *m, const struct insn *n)
{
	return machine_tune(m, "strict") || (n->pattern && n->pattern->tears_any);
}

static void compile_step(struct builder *b, const struct insn *n, int line)
{
	struct interp *in = b->in;
	const struct step *st = &n->steps[line];
	struct flat_step s = { .fixup = -1, .tears = tearing(b, n), .any = tears_anyhow(b->m, n) };

	if (n->fixup[line] >= 0)
		s.fixup = in->program->labels[n->fixup[line]].at;
	s.head.first = in->nops;
	if (st->loop) {
		s.loop = true;
		s.cond = condition(b, st->loop);
	}
	s.head.n = in->nops - s.head.first;
	s.ops.first = in->nops;
	s.stores.first = in->nstores;
	s.sets.first = in->nsets;
	s.events.first = in->nevents;
	for (size_t i = 0; i < st->nacts; i++)
		compile_action(b, &s, &st->acts[i]);
	s.ops.n = in->nops - s.ops.first;
	s.stores.n = in->nstores - s.stores.first;
	s.sets.n = in->nsets - s.sets.first;
	s.events.n = in->nevents - s.events.first;
	*GROW(in, steps) = s;
}

static void place_registers(struct builder *b)
{
	b->in->slot = talloc_array(b->in, uint16_t, (unsigned)b->m->nregs);
	for (size_t r = 0; r < b->m->nregs; r++)
		b->in->slot[r] = new_slots(b, flat_words(b->m->regs[r].width));
	b->in->nregwords = b->in->nslots;
	b->in->feature = new_slots(b, (int)b->m->nfeatures + 1);
	for (size_t f = 0; f < b->m->nfeatures; f++)
		b->in->v[b->in->feature + f] = b->m->features[f].value == FEATURE_YES;
}

/* Stretches: every loop (from the target of a backward branch to the last such branch) and what lies between loops. */
static void mark_stretches(struct interp *in)
{
	int *loop = talloc_zero_array(in, int, (unsigned)in->ninsns + 1), number = 0;

	for (int i = 0; i < in->ninsns; i++)
		for (int k = 0; k < in->insns[i].steps.n; k++) {
			const struct flat_step *s = &in->steps[in->insns[i].steps.first + k];

			for (int e = 0; e < s->events.n; e++) {
				const struct flat_event *v = &in->events[s->events.first + e];

				if (v->kind != ACT_GOTO || v->jump || v->target > i)
					continue;
				in->insns[v->target].head = true;
				for (int j = v->target; j <= i; j++)
					loop[j] = v->target + 1;
			}
		}
	for (int i = 0; i < in->ninsns; i++) {
		if (i && loop[i] != loop[i - 1])
			number++;
		in->insns[i].stretch = number;
	}
	talloc_free(loop);
}

bool flat_compile(struct interp *in, const char **ret_why)
{
	const struct program *p = in->program;
	struct builder b = { .in = in, .m = p->machine, .width = p->machine->width };

	place_registers(&b);
	in->zero = b.m->zero;
	in->insns = talloc_zero_array(in, struct flat_insn, (unsigned)p->ninsns + 1);
	in->ninsns = (int)p->ninsns;
	for (size_t i = 0; i < p->ninsns && !b.why; i++) {
		b.pattern = p->insns[i].pattern;
		in->insns[i].steps.first = in->nsteps;
		for (int k = 0; k < p->insns[i].nsteps && !b.why; k++)
			compile_step(&b, &p->insns[i], k);
		in->insns[i].steps.n = in->nsteps - in->insns[i].steps.first;
	}
	if (b.why) {
		if (ret_why)
			*ret_why = b.why;
		return false;
	}
	mark_stretches(in);
	return true;
}
