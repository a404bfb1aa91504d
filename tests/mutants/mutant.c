/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "mutant.h"

#include <string.h>
#include <talloc.h>

#include "array.h"
#include "instantiate.h"
#include "text.h"

struct list {
	void *ctx;
	struct mutant *v;
	size_t n;
};

static void add(struct list *l, enum mutant_kind kind, size_t insn, int operand, int64_t by)
{
	if ((l->n & (l->n - 1)) == 0)
		ARRAY_RESIZE(l->ctx, l->v, struct mutant, l->n ? 2 * l->n : 1);
	l->v[l->n++] = (struct mutant){ kind, insn, operand, by };
}

/* Registers that the program's instructions name. */
static struct regset named(const struct program *p)
{
	struct regset s = { { 0 } };

	for (size_t i = 0; i < p->ninsns; i++)
		for (int k = 0; k < p->insns[i].nsteps; k++)
			for (size_t j = 0; j < p->insns[i].steps[k].nacts; j++) {
				action_reads(&p->insns[i].steps[k].acts[j], &s);
				action_writes(&p->insns[i].steps[k].acts[j], &s);
			}
	return s;
}

static void add_operand(struct list *l, const struct program *p, const struct regset *regs, size_t i, int o)
{
	static const int64_t off[] = { 1, -1, 2, -2, 4, -4, 8, -8, 16, -16, 64, -64 };
	const struct insn *in = &p->insns[i];

	switch (in->pattern->operands[o].kind) {
	case OPERAND_IMM:
		for (size_t k = 0; k < sizeof(off) / sizeof(*off); k++)
			add(l, MUTANT_IMMEDIATE, i, o, off[k]);
		break;
	case OPERAND_REG:
		for (int r = 0; r < (int)p->machine->nregs; r++)
			if (regset_has(regs, r) && r != in->operands[o].reg)
				add(l, MUTANT_REGISTER, i, o, r);
		break;
	case OPERAND_RELATION:
		for (int r = 0; r < REL_COUNT; r++)
			if (r != (int)in->operands[o].rel)
				add(l, MUTANT_RELATION, i, o, r);
		break;
	case OPERAND_LABEL:
		for (size_t k = 0; k < p->nlabels; k++)
			if (p->labels[k].at >= 0 && p->labels[k].at != p->labels[in->operands[o].label].at)
				add(l, MUTANT_TARGET, i, o, (int64_t)k);
		break;
	default:
		break;
	}
}

static void add_fixups(struct list *l, const struct program *p, size_t i)
{
	for (int k = 0; k < p->insns[i].nsteps; k++) {
		if (p->insns[i].fixup[k] < 0)
			continue;
		add(l, MUTANT_NO_FIXUP, i, k, 0);
		for (size_t x = 0; x < p->nlabels; x++)
			if (p->labels[x].at >= 0 && p->labels[x].at != p->labels[p->insns[i].fixup[k]].at)
				add(l, MUTANT_FIXUP, i, k, (int64_t)x);
	}
}

struct mutant *mutants_of(void *ctx, const struct program *p, size_t *ret_n)
{
	struct list l = { .ctx = ctx };
	struct regset regs = named(p);

	for (size_t i = 0; i < p->ninsns; i++) {
		const struct insn *in = &p->insns[i];

		add(&l, MUTANT_DROP, i, 0, 0);
		if (i + 1 < p->ninsns)
			add(&l, MUTANT_SWAP, i, 0, 0);
		for (int o = 0; in->pattern && o < (int)in->pattern->noperands; o++)
			add_operand(&l, p, &regs, i, o);
		add_fixups(&l, p, i);
	}
	*ret_n = l.n;
	return l.v;
}

static struct program *copy_program(void *ctx, const struct program *p)
{
	struct program *q = talloc_memdup(ctx, p, sizeof(*p));

	q->insns = ARRAY_NEW(q, struct insn, p->ninsns + 1);
	memcpy(q->insns, p->insns, p->ninsns * sizeof(*p->insns));
	q->labels = ARRAY_NEW(q, struct label, p->nlabels + 1);
	memcpy(q->labels, p->labels, p->nlabels * sizeof(*p->labels));
	q->resume_of = ARRAY_NEW(q, int, p->ninsns + 1);
	memcpy(q->resume_of, p->resume_of, p->ninsns * sizeof(*p->resume_of));
	return q;
}

static void drop(struct program *q, size_t i)
{
	memmove(&q->insns[i], &q->insns[i + 1], (q->ninsns - i - 1) * sizeof(*q->insns));
	memmove(&q->resume_of[i], &q->resume_of[i + 1], (q->ninsns - i - 1) * sizeof(*q->resume_of));
	q->ninsns--;
	for (size_t k = 0; k < q->nlabels; k++)
		if (q->labels[k].at > (int)i)
			q->labels[k].at--;
	if (q->hot > i)
		q->hot--;
}

static bool change_operand(struct program *q, const struct mutant *m)
{
	struct insn *in = &q->insns[m->insn];
	union operand_value *v = ARRAY_NEW(q, union operand_value, in->pattern->noperands);

	memcpy(v, in->operands, in->pattern->noperands * sizeof(*v));
	switch (m->kind) {
	case MUTANT_IMMEDIATE:
		v[m->operand].imm += m->by;
		break;
	case MUTANT_REGISTER:
		v[m->operand].reg = (int)m->by;
		break;
	case MUTANT_RELATION:
		v[m->operand].rel = (enum relation)m->by;
		break;
	default:
		v[m->operand].label = (int)m->by;
		break;
	}
	in->operands = v;
	return operands_fit(q, q->machine, in->pattern, v, NULL) && instantiate(q, q->machine, in->pattern, v, in->steps);
}

struct program *mutate(void *ctx, const struct program *p, const struct mutant *m)
{
	struct program *q = copy_program(ctx, p);
	struct insn *in = &q->insns[m->insn], other = *in;

	switch (m->kind) {
	case MUTANT_DROP:
		drop(q, m->insn);
		return q;
	case MUTANT_SWAP:
		*in = in[1];
		in[1] = other;
		return q;
	case MUTANT_NO_FIXUP:
		in->fixup[m->operand] = -1;
		return q;
	case MUTANT_FIXUP:
		in->fixup[m->operand] = (int)m->by;
		return q;
	default:
		if (change_operand(q, m))
			return q;
		talloc_free(q);
		return NULL;
	}
}

const char *mutant_kind_text(enum mutant_kind k)
{
	static const char *const text[MUTANT_KINDS] = { "dropped", "moved", "constant", "register", "condition", "target",
							"table entry dropped", "table entry redirected" };

	return text[k];
}

const char *mutant_text(void *ctx, const struct program *p, const struct mutant *m)
{
	const char **lines = insn_text(ctx, p, &p->insns[m->insn], NULL);

	return talloc_asprintf(ctx, "%s, instruction %zu `%s`: %s (%d, %lld)", p->info.name, m->insn,
			       lines && lines[0] ? lines[0] : "?", mutant_kind_text(m->kind), m->operand, (long long)m->by);
}
