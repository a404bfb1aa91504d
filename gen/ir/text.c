/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "text.h"

#include <inttypes.h>

#include "array.h"

struct print {
	const struct program *program;
	const struct insn *insn;
	const char *const *label_names;
	char *out;
};

static char *plain_label(char *out, const struct program *p, int label)
{
	const char *name = p->labels[label].name;

	return talloc_asprintf_append_buffer(out, ".L%s%s%d", name ? name : "", name ? "_" : "", label);
}

static void label_print(struct print *pr, int label)
{
	const struct label *l = label >= 0 ? &pr->program->labels[label] : NULL;
	const char *name = l ? l->symbol : "?";

	if (!name && pr->label_names)
		name = pr->label_names[label];
	if (name)
		pr->out = talloc_strdup_append_buffer(pr->out, name);
	else
		pr->out = plain_label(pr->out, pr->program, label);
}

static void reg_print(struct print *pr, int reg, int view)
{
	const char *s = reg_spelling(pr->program->machine, reg, view);

	pr->out = talloc_strdup_append_buffer(pr->out, s ? s : "?");
}

static void list_print(struct print *pr, const int *regs, int n, int view)
{
	for (int k = 0; k < n; k++) {
		if (k)
			pr->out = talloc_strdup_append_buffer(pr->out, ", ");
		reg_print(pr, regs[k], view);
	}
}

static void hole_print(struct print *pr, const struct text_part *part)
{
	const struct operand *o = &pr->insn->pattern->operands[part->operand];
	const union operand_value *v = &pr->insn->operands[part->operand];

	switch (o->kind) {
	case OPERAND_REG:
		reg_print(pr, v->reg, part->view);
		break;
	case OPERAND_LIST:
		list_print(pr, v->list.regs, v->list.n, part->view);
		break;
	case OPERAND_IMM:
		pr->out = talloc_asprintf_append_buffer(pr->out, "%" PRId64, printed_value(part, v->imm));
		break;
	case OPERAND_RELATION:
		pr->out = talloc_strdup_append_buffer(pr->out, o->relation->text[v->rel]);
		break;
	case OPERAND_LABEL:
	case OPERAND_POOL:
		label_print(pr, v->label);
		break;
	case OPERAND_CALLEE:
		pr->out = talloc_strdup_append_buffer(pr->out, v->callee ? v->callee->symbol : "?");
		break;
	case OPERAND_ANNUL:
		if (v->annul)
			pr->out = talloc_strdup_append_buffer(pr->out, pr->program->machine->annul);
		break;
	case OPERAND_SPACE:
		pr->out = talloc_strdup_append_buffer(pr->out, v->symbol ? v->symbol : "?");
		break;
	}
}

static const char *pattern_print(void *ctx, struct print *pr, const struct text *t)
{
	pr->out = talloc_strdup(ctx, "");
	for (size_t k = 0; k < t->nparts; k++) {
		if (t->parts[k].literal)
			pr->out = talloc_strdup_append_buffer(pr->out, t->parts[k].literal);
		else
			hole_print(pr, &t->parts[k]);
	}
	return pr->out;
}

/* Holes of frame texts: the register at hand, its offset, all of them, their size. */
struct frame {
	const struct machine *machine;
	int regs[256], n;
	int at;				/* of regs; -1: a line for all */
};

static void frame_regs(struct frame *f, const struct regset *set)
{
	const struct machine *m = f->machine;

	for (size_t k = 0; k < m->nsaved; k++)
		if (regset_has(set, m->saved[k]))
			f->regs[f->n++] = m->saved[k];
}

static int64_t frame_value(const struct frame *f, int name)
{
	int at = 0, width = 0;

	/* each at a multiple of its width */
	for (int k = 0; k < (name == TEXT_AT ? f->at + 1 : f->n); k++) {
		at += width;
		width = f->machine->regs[f->regs[k]].width;
		at = (at + width - 1) / width * width;
	}
	return name == TEXT_AT ? at : (at + width + 15) & ~15;
}

static int64_t frame_expr(const struct frame *f, const struct expr *e)
{
	uint64_t v[3] = { 0, 0, 0 }, result = 0;

	if (e->op == EX_OPERAND)
		return frame_value(f, e->index);
	if (e->op == EX_CONST)
		return (int64_t)e->value;
	for (int k = 0; k < expr_kids(e->op); k++)
		v[k] = (uint64_t)frame_expr(f, e->kid[k]);
	return expr_apply(e->op, v, 64, &result) ? (int64_t)result : 0;
}

static void frame_hole(struct print *pr, const struct frame *f, const struct text_part *part)
{
	if (part->operand == TEXT_REG)
		reg_print(pr, f->regs[f->at], part->view);
	else if (part->operand == TEXT_ALL)
		list_print(pr, f->regs, f->n, part->view);
	else
		pr->out = talloc_asprintf_append_buffer(pr->out, "%" PRId64, part->print ?
			frame_expr(f, part->print) : frame_value(f, part->operand));
}

static const char *frame_line(void *ctx, struct print *pr, const struct frame *f, const struct text *t)
{
	pr->out = talloc_strdup(ctx, "");
	for (size_t k = 0; k < t->nparts; k++) {
		if (t->parts[k].literal)
			pr->out = talloc_strdup_append_buffer(pr->out, t->parts[k].literal);
		else
			frame_hole(pr, f, &t->parts[k]);
	}
	return pr->out;
}

static bool each_register(const struct text *t)
{
	for (size_t k = 0; k < t->nparts; k++)
		if (!t->parts[k].literal && (t->parts[k].operand == TEXT_REG || t->parts[k].operand == TEXT_AT))
			return true;
	return false;
}

/* Is the line about this register? */
static bool is_about(const struct machine *m, const struct text *t, int reg)
{
	for (size_t k = 0; k < t->nparts; k++)
		if (!t->parts[k].literal && !frame_part_takes(m, &t->parts[k], reg))
			return false;
	return true;
}

static const char **frame_text(void *ctx, struct print *pr, const struct action *a)
{
	const struct machine *m = pr->program->machine;
	bool enter = a->kind == ACT_ENTER, calls = pr->program->calls && m->call_enter.n;
	const struct texts *texts = calls ? (enter ? &m->call_enter : &m->call_leave) : enter ? &m->stack_enter : &m->stack_leave;
	struct frame f = { .machine = m };
	const char **lines;
	size_t n = 0;

	frame_regs(&f, &a->clobber);
	lines = ARRAY_NEW(ctx, const char *, texts->n * (size_t)(f.n + 1) + 1);
	for (size_t k = 0; k < texts->n; k++) {
		if (!each_register(&texts->v[k])) {
			lines[n++] = frame_line(lines, pr, &f, &texts->v[k]);
			continue;
		}
		for (int r = 0; r < f.n; r++) {		/* what was pushed first is popped last */
			f.at = a->kind == ACT_ENTER ? r : f.n - 1 - r;
			if (is_about(m, &texts->v[k], f.regs[f.at]))
				lines[n++] = frame_line(lines, pr, &f, &texts->v[k]);
		}
	}
	return lines;
}

const char **insn_text(void *ctx, const struct program *p, const struct insn *i, const char *const *label_names)
{
	struct print pr = { .program = p, .insn = i, .label_names = label_names };
	const char **lines;

	if (!i->pattern)
		return frame_text(ctx, &pr, &i->steps[0].acts[0]);
	lines = ARRAY_NEW(ctx, const char *, i->pattern->nlines + 1);
	for (size_t k = 0; k < i->pattern->nlines; k++)
		lines[k] = pattern_print(lines, &pr, &i->pattern->lines[k].text);
	return lines;
}

const char *pool_text(void *ctx, const struct program *p, const struct insn *i, const char *const *label_names)
{
	struct print pr = { .program = p, .insn = i, .label_names = label_names };

	return pattern_print(ctx, &pr, i->pattern->pool);
}

static char *append_insn(char *out, const struct program *p, const struct insn *i)
{
	const char **lines = insn_text(out, p, i, NULL);

	for (size_t k = 0; lines[k]; k++)
		out = talloc_asprintf_append_buffer(out, "\t%s\n", lines[k]);
	return out;
}

static char *append_slot(char *out, const struct program *p, const struct insn *i)
{
	if (!i->pattern || !i->pattern->slot)
		return out;
	if (i->slot >= 0)
		return append_insn(out, p, &p->insns[i->slot]);
	for (int k = 0; k < p->machine->delay && !insn_annuls(i); k++)
		out = talloc_asprintf_append_buffer(out, "\t%s\n", p->machine->fill);
	return out;
}

static char *append_labels(char *out, const struct program *p, int at)
{
	for (size_t l = 0; l < p->nlabels; l++)
		if (p->labels[l].at == at)
			out = talloc_strdup_append_buffer(plain_label(out, p, (int)l), ":\n");
	return out;
}

const char *program_text(void *ctx, const struct program *p)
{
	char *out = talloc_strdup(ctx, "");

	for (size_t k = 0; k < p->ninsns; k++) {
		const struct insn *i = &p->insns[k];

		out = append_labels(out, p, (int)k);
		if (!i->in_slot)
			out = append_slot(append_insn(out, p, i), p, i);
	}
	out = append_labels(out, p, (int)p->ninsns);
	for (size_t k = 0; k < p->ninsns; k++) {
		const struct insn *i = &p->insns[k];

		for (size_t o = 0; i->pattern && i->pattern->pool && o < i->pattern->noperands; o++) {
			if (i->pattern->operands[o].kind != OPERAND_POOL)
				continue;
			out = plain_label(out, p, i->operands[o].label);
			out = talloc_asprintf_append_buffer(out, ":\n\t%s\n", pool_text(out, p, i, NULL));
		}
	}
	return out;
}
