/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "dump.h"

#include <inttypes.h>

#include "array.h"
#include "text.h"

static void dump_regs(FILE *out, const struct machine *m, const char *what, const int *regs, size_t n)
{
	fprintf(out, "\t%s", what);
	for (size_t i = 0; i < n; i++)
		fprintf(out, " %s", m->regs[regs[i]].name);
	fputc('\n', out);
}

static void dump_facts(FILE *out, const struct machine *m)
{
	static const char *const updates[] = { "block", "each" };
	static const char *const fixups[] = { "direct", "ladder", "retry", "both" };
	static const char *const accesses[] = { "aligned", "unaligned", "mixed" };

	fprintf(out, "\twidth %d, %s, access %s, update %s, fixup %s, granularity %d, granule %d, delay %d\n", m->width,
		m->order == BIG ? "big" : "little", accesses[m->access], updates[m->update], fixups[m->fixup],
		m->granularity, m->granule, m->delay);
	for (size_t i = 0; i < m->nclasses; i++)
		dump_regs(out, m, m->classes[i].name, m->classes[i].regs, m->classes[i].nregs);
	dump_regs(out, m, "args", m->args, m->nargs);
	dump_regs(out, m, "result", &m->result, 1);
	dump_regs(out, m, "free", m->free, m->nfree);
	dump_regs(out, m, "saved", m->saved, m->nsaved);
	for (size_t i = 0; i < m->ntunes; i++)
		fprintf(out, "\ttune %s %" PRIu64 "\n", m->tunes[i].name, m->tunes[i].value);
}

static void dump_text(FILE *out, const struct pattern *p, const struct text *t)
{
	for (size_t i = 0; i < t->nparts; i++) {
		const struct text_part *part = &t->parts[i];

		if (part->literal)
			fputs(part->literal, out);
		else
			fprintf(out, "{%s}", p->operands[part->operand].name ? p->operands[part->operand].name : "@");
	}
}

static void dump_pattern(FILE *out, const struct machine *m, const struct pattern *p)
{
	void *ctx = talloc_new(NULL);

	for (size_t i = 0; i < p->nlines; i++) {
		fputs(i ? "\t\tthen `" : "\t`", out);
		dump_text(out, p, &p->lines[i].text);
		fprintf(out, "`\t%s\n", step_print(ctx, m, p, &p->lines[i].step));
	}
	if (p->as.nacts)
		fprintf(out, "\t\tas\t%s\n", step_print(ctx, m, p, &p->as));
	if (p->tears)
		fprintf(out, "\t\ttears %d%s\n", p->tears, p->tears_any ? " any" : "");
	if (p->aligned)
		fprintf(out, "\t\taligned %d\n", p->aligned);
	if (p->slot)
		fputs("\t\tslot\n", out);
	talloc_free(ctx);
}

void dump_machine(FILE *out, const struct machine *m)
{
	fprintf(out, "machine %s, target %s\n", m->name, m->target.full_name);
	dump_facts(out, m);
	for (size_t i = 0; i < m->npatterns; i++)
		dump_pattern(out, m, &m->patterns[i]);
}

static void dump_insn(FILE *out, const struct program *p, size_t i)
{
	void *ctx = talloc_new(NULL);
	const struct insn *in = &p->insns[i];
	const char **lines = insn_text(ctx, p, in, NULL);

	fprintf(out, "%5zu", i);
	for (int k = 0; lines[k]; k++) {
		const char *effect = k < in->nsteps ? step_print(ctx, p->machine, in->pattern, &in->steps[k]) : "";

		fprintf(out, "\t%-34s %s", lines[k], effect);
		if (k < in->nsteps && in->fixup[k] >= 0)
			fprintf(out, "\tfault: .L%d", in->fixup[k]);
		fputc('\n', out);
	}
	if (in->in_slot || in->slot >= 0)
		fprintf(out, "\t%s\n", in->in_slot ? "(in a slot)" : "(its slot is filled)");
	talloc_free(ctx);
}

void dump_program(FILE *out, const struct program *p)
{
	fprintf(out, "routine %s, symbol %s, %zu instructions, the first %zu hot\n", p->info.name, p->info.symbol,
		p->ninsns, p->hot);
	for (size_t i = 0; i < p->ninsns; i++) {
		for (size_t l = 0; l < p->nlabels; l++) {
			if (p->labels[l].at == (int)i)
				fprintf(out, ".L%zu:\t%s\n", l, p->labels[l].name ? p->labels[l].name : "");
		}
		dump_insn(out, p, i);
	}
}
