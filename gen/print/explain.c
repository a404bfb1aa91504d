/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "explain.h"

#include <string.h>

#include "array.h"
#include "claim.h"
#include "prove.h"
#include "text.h"

enum { TEXT_COLUMN = 8, FACT_COLUMN = 44, LAST_COLUMN = 116 };

struct explainer {
	void *ctx;
	FILE *out;
	const struct program *p;
	const struct labels *l;
	const struct proof *proof;
	const struct explain_options *o;
};

/* Facts side by side as far as they fit, the rest below; the line so far ends at column `at`. */
static void facts(const struct explainer *x, int at, size_t insn, int line)
{
	size_t n = 0;
	const char **v = proof_facts(x->ctx, x->proof, insn, line, &n);

	for (size_t i = 0; i < n; i++) {
		bool first = at < FACT_COLUMN;

		if (at >= FACT_COLUMN && (!i || at + (int)strlen(v[i]) + 2 > LAST_COLUMN)) {
			fprintf(x->out, "\n");
			at = 0;
			first = true;
		}
		if (first)
			at += fprintf(x->out, "%*s", FACT_COLUMN - at, "");
		at += fprintf(x->out, "%s%s%s", first ? "" : " ", v[i], i + 1 < n ? ";" : "");
	}
	fputc('\n', x->out);
}

static void site(const struct explainer *x, size_t insn, int line)
{
	const char *residual = proof_residual(x->ctx, x->proof, insn, line);
	int fixup = x->p->insns[insn].fixup[line];

	if (fixup >= 0 && residual)
		fprintf(x->out, "%*sfault: goes on at %s; left: %s\n", TEXT_COLUMN + 2, "", x->l->name[fixup], residual);
}

/* Which lines of the template it is for, and which of the spec it is. */
static void lines_of(const struct explainer *x, const struct insn *in)
{
	const char *need = place_text(x->ctx, in->place);

	if (!*need)
		return;
	fprintf(x->out, "%*sfor %s", TEXT_COLUMN + 2, "", need);
	for (size_t k = 0; k < in->nalso; k++)
		fprintf(x->out, ", %s", place_text(x->ctx, in->also[k]));
	if (in->pattern)
		fprintf(x->out, " by %s", place_text(x->ctx, in->pattern->place));
	fputc('\n', x->out);
}

static void explain_insn(const struct explainer *x, size_t i)
{
	const struct insn *in = &x->p->insns[i];
	const char **lines = insn_text(x->ctx, x->p, in, x->l->name);

	for (int k = 0; lines[k]; k++) {
		int at = k ? fprintf(x->out, "%*s%s", TEXT_COLUMN, "", lines[k]) :
			     fprintf(x->out, "%5zu   %s", i, lines[k]);

		if (in->in_slot && k == 0)
			at += fprintf(x->out, "  (in the slot of the branch below)");
		if (k < in->nsteps)
			facts(x, at, i, k);
		else
			fputc('\n', x->out);
		if (k < in->nsteps)
			site(x, i, k);
	}
	if (x->o->comments)
		lines_of(x, in);
}

void explain_program(FILE *out, const struct program *p, const struct labels *l, const struct proof *proof,
		     const struct explain_options *o)
{
	struct explainer x = { .ctx = talloc_new(NULL), .out = out, .p = p, .l = l, .proof = proof, .o = o };

	fprintf(out, "%s of %s/%s: %s\n", p->info.name, p->machine->name, p->machine->target.full_name,
		proof_holds(proof) ? program_claim(x.ctx, p) : "not proved");
	for (size_t i = 0; i < p->ninsns; i++) {
		if (i == p->hot)
			fputs("fixups\n", out);
		for (size_t k = 0; k < p->nlabels; k++) {
			if (p->labels[k].at == (int)i && l->name[k])
				fprintf(out, "%s:\n", l->name[k]);
		}
		explain_insn(&x, i);
	}
	talloc_free(x.ctx);
}
