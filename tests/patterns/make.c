/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Writes a test of every pattern of a machine: DIR/cases.s, the texts with random operands, and DIR/cases.txt, what
 * registers and memory hold before and, by the effect, after.  Usage: make SPEC TARGET DIR [SEED [CASES]].
 */
#include "make.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "label.h"
#include "parse.h"
#include "resolve.h"
#include "text.h"

struct output {
	struct maker k;
	const char *dir;
	FILE *code, *table;
	int cases, patterns, skipped, failed;
	int each;			/* cases a pattern, at least */
};

static const char *where(struct output *o, struct place at)
{
	unsigned line, column;

	if (!at.source)
		return "?";
	place_line_column(at, &line, &column);
	return talloc_asprintf(o->k.ctx, "%s:%u", at.source->name, line);
}

/* Lines joined, for messages. */
static const char *joined(void *ctx, const char **lines)
{
	char *s = talloc_strdup(ctx, "");

	for (int i = 0; lines[i]; i++)
		s = talloc_asprintf_append(s, "%s%s", i ? "; " : "", lines[i]);
	return s;
}

static void write_value(struct output *o, const char *what, int r, const struct value *v)
{
	int width = o->k.machine->regs[r].width;

	fprintf(o->table, "%s %s ", what, o->k.machine->regs[r].name);
	for (int i = width - 1; i >= 0; i--)
		fprintf(o->table, "%02x", (unsigned)(v->word[i / 8] >> 8 * (i % 8)) & 255);
	fputc('\n', o->table);
}

static void write_memory(struct output *o, const struct trial *t)
{
	uint8_t before[ARENA];

	arena_fill(before, t->seed);
	for (int i = 0; i < ARENA; i++)
		if (before[i] != t->memory[i])
			fprintf(o->table, "mem %d %02x\n", i, t->memory[i]);
}

static void write_table(struct output *o, const struct trial *t, const char **lines)
{
	fprintf(o->table, "case %d %s\ntext %s\nseed %" PRIu64 "\n", o->cases, where(o, t->pattern->place),
		joined(o->k.ctx, lines), t->seed);
	for (int r = 0; r < (int)o->k.machine->nregs; r++) {
		if (!o->k.used[r])
			continue;
		write_value(o, "in", r, &t->before[r]);
		if (regset_has(&t->any, r))
			fprintf(o->table, "any %s\n", o->k.machine->regs[r].name);
		else if (memcmp(&t->before[r], &t->after[r], sizeof t->after[r]) != 0)
			write_value(o, "out", r, &t->after[r]);
	}
	write_memory(o, t);
	fprintf(o->table, "end %s\n", !t->known ? "unknown" : t->taken ? "taken" : "through");
}

/* Texts of the target, as it prints them about a function. */
static void write_texts(struct output *o, const struct texts *t, const char *function)
{
	const char *values[TEXT_NAMES] = { [TEXT_FUNCTION] = function };

	for (size_t i = 0; i < t->n; i++) {
		const char *line = target_text(o->k.ctx, &t->v[i], values);
		size_t n = strlen(line);

		fprintf(o->code, "%s%s\n", n && line[n - 1] == ':' ? "" : "\t", line);
	}
}

/* A case begins and ends as a function of the target does: its address may say more than where it is. */
static void write_code(struct output *o, const struct trial *t, const char **lines, const char *const *labels)
{
	const struct machine *m = o->k.machine;
	const char *name = talloc_asprintf(o->k.ctx, "case_%d", o->cases);

	write_texts(o, &m->target.function_begin, name);
	for (int i = 0; lines[i]; i++)
		fprintf(o->code, "\t%s\n", lines[i]);
	for (int i = 0; t->pattern->slot && i < m->delay && !insn_annuls(&t->program->insns[0]); i++)
		fprintf(o->code, "\t%s\n", m->fill);
	if (t->behind)
		fprintf(o->code, "\t%s\n", insn_text(o->k.ctx, t->behind, &t->behind->insns[0], NULL)[0]);
	fprintf(o->code, "\tleave 0\n%s:\n\tleave 1\n", labels[0]);
	if (t->pattern->pool)
		fprintf(o->code, "%s:\n\t%s\n", labels[1],
			pool_text(o->k.ctx, t->program, &t->program->insns[0], labels));
	write_texts(o, &m->target.function_end, name);
}

static void write_case(struct output *o, const struct trial *t)
{
	const char *labels[2] = {
		talloc_asprintf(o->k.ctx, "case_%d_taken", o->cases),
		talloc_asprintf(o->k.ctx, "case_%d_pool", o->cases),
	};
	const char **lines = insn_text(o->k.ctx, t->program, &t->program->insns[0], labels);

	write_code(o, t, lines, labels);
	write_table(o, t, lines);
	o->cases++;
}

/* Does the pattern do what can't be tried by itself: leave the routine, or depend on the CPU? */
static bool leaves(const struct step *s)
{
	for (size_t a = 0; a < s->nacts; a++) {
		const struct action *act = &s->acts[a];

		if (act->kind == ACT_RETURN || act->kind == ACT_CALL || act->jump)
			return true;
		if (act->cond && (act->cond->lhs->op == EX_FEATURE || act->cond->rhs->op == EX_FEATURE))
			return true;
	}
	return false;
}

/* Does it change a state from one value to another?  Then another line undoes what it does, to the stack perhaps. */
static bool is_one_of_two(const struct step *s)
{
	bool needs = false, changes = false;

	for (size_t a = 0; a < s->nacts; a++) {
		needs |= s->acts[a].kind == ACT_NEED && !s->acts[a].cond;
		changes |= s->acts[a].kind == ACT_STATE;
	}
	return needs && changes;
}

static bool untried(const struct pattern *p)
{
	for (size_t l = 0; l < p->nlines; l++)
		if (leaves(&p->lines[l].step) || is_one_of_two(&p->lines[l].step))
			return true;
	return false;
}

static const char *pattern_name(struct output *o, const struct pattern *p)
{
	const struct place at = p->lines[0].text.place;

	if (!at.source || at.end > at.source->size)
		return "?";
	return talloc_strndup(o->k.ctx, at.source->text + at.start, at.end - at.start);
}

/* Does nothing but copy a register? */
static bool moves(const struct pattern *p)
{
	const struct step *s = &p->lines[0].step;

	return p->nlines == 1 && s->nacts == 1 && s->acts[0].kind == ACT_SET && s->acts[0].value->op == EX_OPERAND &&
	       p->operands[s->acts[0].value->index].kind == OPERAND_REG;
}

static bool unchanged(const struct trial *t, int reg)
{
	return !regset_has(&t->any, reg) && memcmp(&t->before[reg], &t->after[reg], sizeof t->after[reg]) == 0;
}

/* What is behind a branch whose slot is annulled happens only where it is not taken; a move shows that. */
static void put_behind(struct output *o, struct trial *t)
{
	for (size_t i = 0; i < o->k.machine->npatterns && !t->behind; i++) {
		const struct pattern *p = &o->k.machine->patterns[i];
		struct program *move = moves(p) ? choose_operands(&o->k, p, 0) : NULL;
		struct regset from = { { 0 } }, to = { { 0 } };
		int a = -1, b = -1;

		if (!move)
			continue;
		action_reads(&move->insns[0].steps[0].acts[0], &from);
		action_writes(&move->insns[0].steps[0].acts[0], &to);
		for (int r = 0; r < (int)o->k.machine->nregs; r++) {
			b = regset_has(&from, r) ? r : b;
			a = regset_has(&to, r) ? r : a;
		}
		if (a < 0 || b < 0 || a == b || !o->k.used[a] || !o->k.used[b] || !unchanged(t, a) || !unchanged(t, b))
			continue;
		t->behind = move;
		if (!t->taken)
			t->after[a] = t->before[b];
	}
}

static bool make_case(struct output *o, const struct pattern *p, int n, const char **ret_why)
{
	size_t nregs = o->k.machine->nregs;
	struct trial t = { .pattern = p };

	*ret_why = "no operands fit it";
	t.program = choose_operands(&o->k, p, n);
	if (!t.program)
		return false;
	t.before = talloc_zero_array(o->k.ctx, struct value, (unsigned)nregs);
	t.after = talloc_zero_array(o->k.ctx, struct value, (unsigned)nregs);
	/* What can't be run (an address that can't be in the arena) must assemble all the same. */
	t.known = choose_values(&o->k, &t, n & 1, ret_why);
	if (t.known && insn_annuls(&t.program->insns[0]))
		put_behind(o, &t);
	write_case(o, &t);
	return t.known;
}

static void make_pattern(struct output *o, const struct pattern *p)
{
	int wanted = edges(&o->k, p) + 4, made = 0;
	void *outer = o->k.ctx;
	const char *why = NULL;

	if (untried(p)) {
		o->skipped++;
		return;
	}
	o->patterns++;
	wanted = wanted > o->each ? wanted : o->each;
	o->k.ctx = talloc_new(outer);
	for (int n = 0; n < wanted; n++)
		made += make_case(o, p, n, &why);
	if (2 * made < wanted) {
		fprintf(stderr, "%s: %s: only %d of %d cases could be made: %s\n", where(o, p->place),
			pattern_name(o, p), made, wanted, why);
		o->failed++;
	}
	talloc_free(o->k.ctx);
	o->k.ctx = outer;
}

static FILE *create(const char *dir, const char *name)
{
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", dir, name);
	f = fopen(path, "w");
	if (!f) {
		perror(path);
		exit(2);
	}
	return f;
}

static void begin(struct output *o)
{
	const struct machine *m = o->k.machine;

	o->code = create(o->dir, "cases.s");
	o->table = create(o->dir, "cases.txt");
	o->k.arena = m->width == 8 ? 0x1052340000u : 0x52340000u;
	o->k.used = talloc_zero_array(o->k.ctx, bool, (unsigned)m->nregs);
	for (size_t c = 0; c < m->nclasses; c++)
		for (size_t i = 0; i < m->classes[c].nregs; i++)
			o->k.used[m->classes[c].regs[i]] = m->classes[c].regs[i] != m->zero;
	fprintf(o->table, "arena %" PRIx64 "\n", o->k.arena);
	write_texts(o, &m->target.file_begin, NULL);
	fprintf(o->code, "\t.include \"%s.inc\"\n\t.text\n", m->name);
}

static bool finish(struct output *o)
{
	bool ok;

	fprintf(o->code, "\t.data\n\t.balign 8\n\t.globl pattern_cases\npattern_cases:\n");
	for (int i = 0; i < o->cases; i++)
		fprintf(o->code, "\t.dc.a case_%d\n", i);
	write_texts(o, &o->k.machine->target.file_end, NULL);
	ok = !ferror(o->code) && !ferror(o->table);
	ok &= fclose(o->code) == 0;
	ok &= fclose(o->table) == 0;
	printf("%d cases of %d patterns, %d not tried\n", o->cases, o->patterns, o->skipped);
	return ok && !o->failed;
}

int main(int argc, char **argv)
{
	struct output o = { .k = { .ctx = talloc_new(NULL), .random = 1 } };
	struct diag *d = diag_new(o.k.ctx, 0);
	struct tree *tree;

	if (argc < 4 || argc > 6) {
		fprintf(stderr, "usage: %s SPEC TARGET DIR [SEED [CASES]]\n", argv[0]);
		return 2;
	}
	o.dir = argv[3];
	o.k.random = argc > 4 ? strtoull(argv[4], NULL, 0) * 2 + 1 : 1;
	o.each = argc > 5 ? atoi(argv[5]) : 24;
	tree = parse_file(o.k.ctx, d, argv[1]);
	o.k.machine = tree && !diag_errors(d) ? resolve_machine(o.k.ctx, d, tree, NULL, argv[2]) : NULL;
	diag_flush(d, stderr, false, false);
	if (!o.k.machine)
		return 1;
	begin(&o);
	for (size_t i = 0; i < o.k.machine->npatterns; i++)
		make_pattern(&o, &o.k.machine->patterns[i]);
	return finish(&o) ? 0 : 1;
}
