/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "claim.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "array.h"
#include "diag.h"

/* The last two components of a path, or what it has. */
static const char *two_last(const char *path)
{
	const char *last = strrchr(path, '/');
	const char *p = last ? last : path;

	while (p > path && p[-1] != '/')
		p--;
	return p == last ? p + 1 : p;
}

const char *source_name(void *ctx, const char *path)
{
	char whole[PATH_MAX];
	char *text;

	/* whatever it was called by, links too: the same file has one name */
	text = talloc_strdup(ctx, two_last(realpath(path, whole) ? whole : path));
	for (char *p = text; (p = strstr(p, "*/"));)	/* it will stand in a comment */
		*p = '?';
	return text;
}

const char *place_line(void *ctx, struct place at)
{
	unsigned line, column;

	if (!at.source)
		return "";
	place_line_column(at, &line, &column);
	return talloc_asprintf(ctx, "%s:%u", source_name(ctx, at.source->name), line);
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The machine's spec leads; what templates and other files there are follows in order of name. */
const char **program_sources(void *ctx, const struct program *p, size_t *ret_n)
{
	const struct source *seen[64];
	const char **names = ARRAY_NEW(ctx, const char *, 66);
	size_t nseen = 0, n = 0;

	for (size_t i = 0; i <= p->ninsns; i++) {
		const struct source *s = i < p->ninsns ? p->insns[i].place.source : p->place.source;
		size_t k = 0;

		while (k < nseen && seen[k] != s)
			k++;
		if (s && k == nseen && nseen < sizeof seen / sizeof *seen)
			seen[nseen++] = s;
	}
	for (size_t i = 0; i < nseen; i++) {
		if (seen[i] != p->machine->place.source)
			names[n++] = source_name(names, seen[i]->name);
	}
	qsort(names, n, sizeof *names, by_name);
	if (p->machine->place.source) {
		memmove(names + 1, names, n * sizeof *names);
		names[0] = source_name(names, p->machine->place.source->name);
		n++;
	}
	*ret_n = n;
	return names;
}

struct regset program_clobbers(const struct program *p)
{
	struct regset all = { { 0 } };

	for (size_t i = 0; i < p->ninsns; i++) {
		for (int k = 0; k < p->insns[i].nsteps; k++) {
			for (size_t a = 0; a < p->insns[i].steps[k].nacts; a++)
				action_writes(&p->insns[i].steps[k].acts[a], &all);
		}
	}
	regset_minus(&all, &p->machine->kept);
	return all;
}

static bool goes_to(const struct insn *in, int label)
{
	for (int k = 0; k < in->nsteps; k++) {
		for (size_t a = 0; a < in->steps[k].nacts; a++) {
			if (in->steps[k].acts[a].kind == ACT_GOTO && in->steps[k].acts[a].label == label)
				return true;
		}
	}
	return false;
}

/* A label that is another routine, when an instruction goes there and no label before it is the same. */
static bool is_exit(const struct program *p, int label)
{
	bool used = false;

	if (!p->labels[label].symbol)
		return false;
	for (size_t i = 0; i < p->ninsns && !used; i++)
		used = goes_to(&p->insns[i], label);
	for (int k = 0; k < label && used; k++)
		used = !p->labels[k].symbol || strcmp(p->labels[k].symbol, p->labels[label].symbol) != 0 || !is_exit(p, k);
	return used;
}

const char **program_exits(void *ctx, const struct program *p)
{
	const char **symbols = ARRAY_NEW(ctx, const char *, p->nlabels + 1);
	size_t n = 0;

	for (size_t k = 0; k < p->nlabels; k++)
		if (is_exit(p, (int)k))
			symbols[n++] = p->labels[k].symbol;
	return symbols;
}

static bool calls_routine(const struct step *s)
{
	for (size_t a = 0; a < s->nacts; a++)
		if (s->acts[a].callee && s->acts[a].callee->kind == CALLEE_ROUTINE)
			return true;
	return false;
}

bool program_leans(void *ctx, const struct program *p)
{
	bool leans = program_exits(ctx, p)[0] != NULL;

	for (size_t i = 0; i < p->ninsns && !leans; i++)
		for (int k = 0; k < p->insns[i].nsteps; k++)
			leans |= calls_routine(&p->insns[i].steps[k]);
	return leans;
}

static bool is_called(const char *const *symbols, size_t n, const char *symbol)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(symbols[i], symbol) == 0)
			return true;
	return false;
}

const char **program_calls(void *ctx, const struct program *p)
{
	const char **symbols = ARRAY_NEW(ctx, const char *, p->ninsns + 1);
	size_t n = 0;

	for (size_t i = 0; i < p->ninsns; i++)
		for (int k = 0; k < p->insns[i].nsteps; k++)
			for (size_t a = 0; a < p->insns[i].steps[k].nacts; a++) {
				const struct callee *c = p->insns[i].steps[k].acts[a].callee;

				if (c && n < p->ninsns && !is_called(symbols, n, c->symbol))
					symbols[n++] = c->symbol;
			}
	return symbols;
}

/* NULL: there are none. */
static const char *in_words(void *ctx, const char **symbols)
{
	char *all = NULL;

	for (size_t i = 0; symbols[i]; i++)
		all = !i ? talloc_strdup(ctx, symbols[i]) :
		      talloc_asprintf_append_buffer(all, symbols[i + 1] ? ", %s" : " and %s", symbols[i]);
	return all;
}

const char *program_goes_on(void *ctx, const struct program *p)
{
	return in_words(ctx, program_exits(ctx, p));
}

bool program_faults(const struct program *p)
{
	return p->info.src_user || p->info.dst_user;
}

const char *program_claim(void *ctx, const struct program *p)
{
	const char *on = program_goes_on(ctx, p), *rewrites = p->rewrites ? ", rewrites" : "";

	if (!program_faults(p))
		return talloc_asprintf(ctx, "no fault sites%s", rewrites);
	if (on)
		return talloc_asprintf(ctx, p->maximal ? "as exact and maximal as %s%s" : "as exact as %s, not maximal%s", on,
				       rewrites);
	return talloc_asprintf(ctx, "exact, %s%s", p->maximal ? "maximal" : "not maximal", rewrites);
}

static void print_sources(FILE *out, const struct program *p, void *ctx)
{
	size_t n;
	const char **names = program_sources(ctx, p, &n);

	for (size_t i = 0; i < n; i++)
		fprintf(out, "%s%s", i == 0 ? "" : i + 1 == n ? " and " : ", ", names[i]);
}

static void argument(FILE *out, const struct program *p, const char *name, int reg, const char *between)
{
	if (reg >= 0)
		fprintf(out, "%s%s in %s", between, name, p->machine->regs[reg].name);
}

static void print_registers(FILE *out, const struct program *p)
{
	const struct machine *m = p->machine;
	struct regset clobbers = program_clobbers(p);
	int column;

	fputs(" * Arguments: ", out);
	argument(out, p, "dst", p->info.dst, "");
	argument(out, p, "src", p->info.src, ", ");
	argument(out, p, "value", p->info.value, ", ");
	argument(out, p, "n", p->info.n, ", ");
	/* what the texts of enter put away, those of leave bring back: they are no effects, so it isn't known which */
	fprintf(out, "; result in %s.\n * %s:", m->regs[m->result].name,
		m->enter.n ? "Uses, and puts back what must be kept" : "Clobbers");
	column = 40;
	for (size_t r = 0; r < m->nregs; r++) {
		if (!regset_has(&clobbers, (int)r) || (int)r == m->zero)
			continue;
		if (column > 100)
			column = fprintf(out, "\n *\t") + 6;
		column += fprintf(out, " %s", m->regs[r].name);
	}
	fputs("\n", out);
}

/* What the routine's residual is worth. */
static void print_guarantee(FILE *out, const struct program *p, const struct labels *l, const char *on)
{
	if (p->info.contract == CONTRACT_RESULT_DST)
		fputs(" * Returns dst.", out);
	else
		fputs(" * Returns the number of bytes not done.", out);
	if (!l->nentries && (!on || !program_faults(p))) {
		fputs("  No access can fault.\n", out);
		return;
	}
	fprintf(out, "  Fault sites: %zu, in %s.\n", l->nentries,
		p->info.src_user && p->info.dst_user ? "source and destination" :
		p->info.src_user ? "the source" : "the destination");
	fprintf(out, " * Proved of this file's instructions, for every size, alignment and place of a fault%s:\n",
		on ? ", where it goes on in no other" : "");
	fprintf(out, " *\texact: the residual is right, what was done is right, nothing behind %s was modified\n",
		p->info.zeroing ? "the n bytes" : "it");
	fputs(p->maximal ? " *\tmaximal: every byte before the first inaccessible one is done\n" :
			   " *\tprogress, not maximal: bytes that could be done before a fault may be left\n", out);
	if (p->info.zeroing)
		fputs(" *\tzeroing: the bytes not copied are cleared\n", out);
}

/* What was measured, and is not as the spec says. */
static void print_tuned(FILE *out, const struct machine *m)
{
	bool any = false;

	for (size_t i = 0; i < m->ntunes; i++) {
		if (!m->tunes[i].tuned)
			continue;
		fprintf(out, "%s %s %" PRIu64, any ? "," : " * Tuned:", m->tunes[i].name, m->tunes[i].value);
		any = true;
	}
	if (any)
		fputs(".\n", out);
}

void claim_header(FILE *out, const struct program *p, const struct labels *l)
{
	void *ctx = talloc_new(NULL);
	const char *on = program_goes_on(ctx, p), *calls = in_words(ctx, program_calls(ctx, p));

	fputs("/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n/* Generated by ucopy from ", out);
	print_sources(out, p, ctx);
	if (strchr(p->machine->target.full_name, '+'))
		fprintf(out, ", as %s", p->machine->target.full_name);
	fprintf(out, "; do not edit */\n/*\n * %s: %s.\n", p->info.symbol, program_claim(ctx, p));
	print_guarantee(out, p, l, on);
	if (on)
		fprintf(out, " * Goes on in %s, for what is left:\n *\twhat is said there holds of this one, too.\n", on);
	if (calls)
		fprintf(out, " * Calls %s,\n *\tand counts on their contracts.\n", calls);
	if (p->rewrites)
		fputs(" *\trewrites: bytes of the destination's neighbours are stored again as they were\n", out);
	else if (program_leans(ctx, p))
		fputs(" *\trewrites: only where a routine named here does\n", out);
	print_tuned(out, p->machine);
	print_registers(out, p);
	fputs(" */\n", out);
	talloc_free(ctx);
}
