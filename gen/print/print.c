/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "print.h"

#include <string.h>

#include "array.h"
#include "claim.h"
#include "diag.h"
#include "text.h"

struct printer {
	void *ctx;
	FILE *out;
	const struct program *p;
	const struct labels *l;
	const struct print_options *o;
	const char *values[TEXT_NAMES];
};

/* A target's line: a label or a comment of its own keeps to the margin, anything else is indented. */
static void target_lines(const struct printer *pr, const struct texts *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const char *line = target_text(pr->ctx, &t->v[i], pr->values);
		size_t n = strlen(line);
		bool margin = n == 0 || line[n - 1] == ':' || line[0] == '#';

		fprintf(pr->out, "%s%s\n", margin ? "" : "\t", line);
	}
}

static void label_line(const struct printer *pr, const char *name)
{
	fprintf(pr->out, "%s:\n", name);
}

static void labels_at(const struct printer *pr, size_t at)
{
	for (size_t i = 0; i < pr->p->nlabels; i++) {
		if (pr->p->labels[i].at == (int)at && pr->l->name[i])
			label_line(pr, pr->l->name[i]);
	}
}

/* Columns of a line's text, its leading tab not counted. */
static int columns(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n = *text == '\t' ? (n | 7) + 1 : n + 1;
	return n;
}

static void comment(const struct printer *pr, const struct insn *in, const char *text)
{
	const char *need = place_line(pr->ctx, in->place);
	const char *pattern = in->pattern ? place_line(pr->ctx, in->pattern->place) : "";
	int n = columns(text);

	if (*need || *pattern)
		fprintf(pr->out, "%*s/* %s%s%s */", n < 32 ? 32 - n : 1, "", need, *need && *pattern ? ", " : "", pattern);
}

static void text_line(const struct printer *pr, const struct insn *in, const char *text)
{
	fprintf(pr->out, "\t%s", text);
	if (pr->o->comments)
		comment(pr, in, text);
	fputc('\n', pr->out);
}

/* An instruction's lines, each fault site between its labels. */
static void insn_lines(const struct printer *pr, size_t i)
{
	const struct insn *in = &pr->p->insns[i];
	const char **lines = insn_text(pr->ctx, pr->p, in, pr->l->name);

	for (int k = 0; lines[k]; k++) {
		const struct table_entry *e = labels_entry(pr->l, i, k);

		if (e)
			label_line(pr, e->site);
		text_line(pr, in, lines[k]);
		if (e && pr->l->next)
			label_line(pr, e->next);
	}
}

static void slot_lines(const struct printer *pr, const struct insn *in)
{
	if (!in->pattern || !in->pattern->slot)
		return;
	if (in->slot >= 0) {
		insn_lines(pr, (size_t)in->slot);
		return;
	}
	for (int k = 0; k < pr->p->machine->delay && !insn_annuls(in); k++)
		text_line(pr, in, pr->p->machine->fill);
}

/* A return, or what goes on in another routine: there nothing but that is done (lowering sees to it). */
static bool leaves(const struct program *p, const struct insn *in)
{
	for (int k = 0; k < in->nsteps; k++) {
		for (size_t a = 0; a < in->steps[k].nacts; a++) {
			const struct action *act = &in->steps[k].acts[a];

			if (act->kind == ACT_RETURN || (act->kind == ACT_GOTO && p->labels[act->label].symbol))
				return true;
		}
	}
	return false;
}

static void print_insns(const struct printer *pr, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		if (pr->p->insns[i].align)
			target_lines(pr, &pr->p->machine->target.loop);
		labels_at(pr, i);
		if (pr->p->insns[i].in_slot)
			continue;
		if (leaves(pr->p, &pr->p->insns[i]))
			target_lines(pr, &pr->p->machine->leave);
		insn_lines(pr, i);
		slot_lines(pr, &pr->p->insns[i]);
	}
}

/* Texts that are executed from elsewhere lie behind the code. */
static void print_pool(const struct printer *pr)
{
	for (size_t i = 0; i < pr->p->ninsns; i++) {
		const struct insn *in = &pr->p->insns[i];

		for (size_t o = 0; in->pattern && in->pattern->pool && o < in->pattern->noperands; o++) {
			if (in->pattern->operands[o].kind != OPERAND_POOL)
				continue;
			label_line(pr, pr->l->name[in->operands[o].label]);
			text_line(pr, in, pool_text(pr->ctx, pr->p, in, pr->l->name));
		}
	}
}

static void print_entry(struct printer *pr, const struct table_entry *e)
{
	pr->values[TEXT_SITE] = e->site;
	pr->values[TEXT_NEXT] = e->next;
	pr->values[TEXT_FIXUP] = pr->l->name[e->fixup];
	target_lines(pr, &pr->p->machine->target.entry);
}

void print_entries(FILE *out, const struct program *p, const struct labels *l)
{
	struct printer pr = { .ctx = talloc_new(NULL), .out = out, .p = p, .l = l };

	target_values(p, pr.values);
	for (size_t i = 0; i < l->nentries; i++)
		print_entry(&pr, &l->entries[i]);
	talloc_free(pr.ctx);
}

void print_program(FILE *out, const struct program *p, const struct labels *l, const struct print_options *o)
{
	struct printer pr = { .ctx = talloc_new(NULL), .out = out, .p = p, .l = l, .o = o };
	const struct target *t = &p->machine->target;
	size_t hot = p->hot < p->ninsns ? p->hot : p->ninsns;

	target_values(p, pr.values);
	claim_header(out, p, l);
	target_lines(&pr, &t->file_begin);
	target_lines(&pr, &t->function_begin);
	target_lines(&pr, &p->machine->enter);
	print_insns(&pr, 0, hot);
	if (hot < p->ninsns)
		target_lines(&pr, &t->fixups_begin);
	print_insns(&pr, hot, p->ninsns);
	labels_at(&pr, p->ninsns);
	print_pool(&pr);
	if (hot < p->ninsns)
		target_lines(&pr, &t->fixups_end);
	print_entries(out, p, l);
	target_lines(&pr, &t->function_end);
	target_lines(&pr, &t->file_end);
	talloc_free(pr.ctx);
}
