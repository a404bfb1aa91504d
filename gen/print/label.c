/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "label.h"

#include <string.h>

#include "array.h"

const char *target_text(void *ctx, const struct text *t, const char *const values[TEXT_NAMES])
{
	char *out = talloc_strdup(ctx, "");

	for (size_t i = 0; i < t->nparts; i++) {
		const struct text_part *part = &t->parts[i];
		const char *piece = part->literal ? part->literal : values[part->operand];

		out = talloc_strdup_append_buffer(out, piece ? piece : "");
	}
	return out;
}

void target_values(const struct program *p, const char *values[TEXT_NAMES])
{
	memset(values, 0, TEXT_NAMES * sizeof *values);
	values[TEXT_ROUTINE] = p->info.name;
	values[TEXT_FUNCTION] = p->info.symbol;
	values[TEXT_WIDTH] = p->machine->target.width;
}

static const char *in_target(void *ctx, const struct program *p, const char *number)
{
	const char *values[TEXT_NAMES];

	target_values(p, values);
	values[TEXT_NUMBER] = number;
	return target_text(ctx, &p->machine->target.label, values);
}

static bool taken(const struct program *p, const char *const *used, const char *name)
{
	for (size_t i = 0; i < p->nlabels; i++) {
		if (used[i] && strcmp(used[i], name) == 0)
			return true;
	}
	return false;
}

static void want(bool *wanted, int label)
{
	if (label >= 0)
		wanted[label] = true;
}

static void want_printed(bool *wanted, const struct insn *in)
{
	for (size_t o = 0; in->pattern && o < in->pattern->noperands; o++) {
		enum operand_kind kind = in->pattern->operands[o].kind;

		if (kind == OPERAND_LABEL || kind == OPERAND_POOL)
			want(wanted, in->operands[o].label);
	}
}

/* Labels that a text or a table entry names. */
static bool *wanted_labels(void *ctx, const struct program *p)
{
	bool *wanted = ARRAY_NEW(ctx, bool, p->nlabels + 1);

	for (size_t i = 0; i < p->ninsns; i++) {
		want_printed(wanted, &p->insns[i]);
		for (int k = 0; k < p->insns[i].nsteps; k++)
			want(wanted, p->insns[i].fixup[k]);
	}
	return wanted;
}

static const char *unique(void *ctx, const struct program *p, const char *const *used, const char *base)
{
	const char *name = base;

	for (unsigned again = 2; taken(p, used, name); again++)
		name = talloc_asprintf(ctx, "%s_%u", base, again);
	return name;
}

/*
 * A label keeps its template's name; the second of that name is numbered.  Names of templates begin with a letter, so
 * that a digit ahead keeps what the compiler makes apart from them.
 */
static void name_labels(struct labels *l, const struct program *p)
{
	bool *wanted = wanted_labels(l, p);
	const char **used = ARRAY_NEW(l, const char *, p->nlabels + 1);
	unsigned fixups = 0;

	l->name = ARRAY_NEW(l, const char *, p->nlabels + 1);
	for (size_t i = 0; i < p->nlabels; i++) {
		const char *name = p->labels[i].name;

		if (!wanted[i] || p->labels[i].symbol)
			continue;
		if (!name)
			name = talloc_asprintf(l, "%uf", ++fixups);
		used[i] = unique(l, p, used, name);
		l->name[i] = in_target(l, p, used[i]);
	}
}

static bool asks_next(const struct target *t)
{
	for (size_t i = 0; i < t->entry.n; i++) {
		for (size_t k = 0; k < t->entry.v[i].nparts; k++) {
			const struct text_part *part = &t->entry.v[i].parts[k];

			if (!part->literal && part->operand == TEXT_NEXT)
				return true;
		}
	}
	return false;
}

/* The branch in whose slot instruction i is printed. */
static size_t branch_of(const struct program *p, size_t i)
{
	size_t b = i;

	while (b < p->ninsns && p->insns[b].slot != (int)i)
		b++;
	return b;
}

static void add_entry(struct labels *l, const struct program *p, size_t i, int line)
{
	struct table_entry *e = &l->entries[l->nentries++];
	bool branch = p->insns[i].in_slot && p->machine->slot_fault == SLOT_BRANCH;

	*e = (struct table_entry){ .insn = i, .line = line, .fixup = p->insns[i].fixup[line] };
	e->at = branch ? branch_of(p, i) : i;
	e->at_line = branch ? p->insns[e->at].nsteps - 1 : line;
	e->site = in_target(l, p, talloc_asprintf(l, "%zu", l->nentries));
	e->next = in_target(l, p, talloc_asprintf(l, "%zun", l->nentries));
}

struct labels *labels_new(void *ctx, const struct program *p)
{
	struct labels *l = talloc_zero(ctx, struct labels);

	name_labels(l, p);
	l->entries = ARRAY_NEW(l, struct table_entry, p->ninsns * LINES_MAX + 1);
	l->next = asks_next(&p->machine->target);
	for (size_t i = 0; i < p->ninsns; i++) {
		for (int k = 0; k < p->insns[i].nsteps; k++) {
			if (p->insns[i].fixup[k] >= 0)
				add_entry(l, p, i, k);
		}
	}
	return l;
}

const struct table_entry *labels_entry(const struct labels *l, size_t insn, int line)
{
	for (size_t i = 0; i < l->nentries; i++) {
		const struct table_entry *e = &l->entries[i];

		if (e->at == insn && e->at_line == line)
			return e;
	}
	return NULL;
}
