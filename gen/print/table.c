/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "table.h"

#include <string.h>

#include "array.h"
#include "claim.h"
#include "diag.h"
#include "json.h"
#include "print.h"
#include "text.h"

/* The text of a fault site. */
static const char *site_text(void *ctx, const struct table_item *it, const struct table_entry *e)
{
	return insn_text(ctx, it->program, &it->program->insns[e->insn], it->labels->name)[e->line];
}

static bool loads_or_stores(const struct step *s, enum action_kind kind)
{
	for (size_t a = 0; a < s->nacts; a++) {
		if (s->acts[a].kind == kind && action_access(&s->acts[a]))
			return true;
	}
	return false;
}

static const char *access_of(const struct table_item *it, const struct table_entry *e)
{
	const struct step *s = &it->program->insns[e->insn].steps[e->line];
	bool stores = loads_or_stores(s, ACT_STORE);

	if (stores)
		return loads_or_stores(s, ACT_SET) ? "load, store" : "store";
	return "load";
}

static json_t *entry_json(void *ctx, const struct table_item *it, const struct table_entry *e)
{
	const struct insn *in = &it->program->insns[e->insn];

	return json_there(json_pack("{s:I, s:i, s:o, s:s, s:o, s:o, s:I, s:o, s:o}",
				    "instruction", (json_int_t)e->insn,
				    "line", e->line,
				    "text", json_text(site_text(ctx, it, e)),
				    "access", access_of(it, e),
				    "site", json_text(e->site),
				    "fixup", json_text(it->labels->name[e->fixup]),
				    "fixup_instruction", (json_int_t)it->program->labels[e->fixup].at,
				    "template", json_text(place_line(ctx, in->place)),
				    "spec", json_text(in->pattern ? place_line(ctx, in->pattern->place) : "")));
}

static json_t *writes_json(const struct program *p)
{
	struct regset set = program_clobbers(p);
	json_t *list = json_there(json_array());

	for (size_t r = 0; r < p->machine->nregs; r++) {
		if (regset_has(&set, (int)r) && (int)r != p->machine->zero)
			json_array_append_new(list, json_text(p->machine->regs[r].name));
	}
	return list;
}

static json_t *sources_json(void *ctx, const struct program *p)
{
	size_t n;
	const char **names = program_sources(ctx, p, &n);
	json_t *list = json_there(json_array());

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, json_text(names[i]));
	return list;
}

static json_t *symbols_json(const char **symbols)
{
	json_t *list = json_there(json_array());

	for (; *symbols; symbols++)
		json_array_append_new(list, json_text(*symbols));
	return list;
}

/* 1, 0, or -1: of what a routine goes on in nothing is known here. */
static int known(void *ctx, const struct program *p, bool claimed)
{
	return !claimed ? 0 : program_exits(ctx, p)[0] ? -1 : 1;
}

/* .. nor of what it calls. */
static int known_rewrites(void *ctx, const struct program *p)
{
	return p->rewrites ? 1 : program_leans(ctx, p) ? -1 : 0;
}

static json_t *known_json(int k)
{
	return k < 0 ? json_null() : json_boolean(k);
}

static const char *returns(const struct program *p)
{
	return p->info.contract == CONTRACT_RESULT_DST ? "dst" : "residual";
}

static json_t *item_json(void *ctx, const struct table_item *it)
{
	const struct program *p = it->program;
	json_t *list = json_there(json_array());

	for (size_t i = 0; i < it->labels->nentries; i++)
		json_array_append_new(list, entry_json(ctx, it, &it->labels->entries[i]));
	return json_there(json_pack("{s:o, s:o, s:o, s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:b, s:I, s:o, s:o, s:o}",
				    "machine", json_text(p->machine->name),
				    "target", json_text(p->machine->target.full_name),
				    "routine", json_text(p->info.name),
				    "symbol", json_text(p->info.symbol),
				    "returns", returns(p),
				    "exact", known_json(known(ctx, p, true)),
				    "maximal", known_json(known(ctx, p, p->maximal)),
				    "goes_on", symbols_json(program_exits(ctx, p)),
				    "calls", symbols_json(program_calls(ctx, p)),
				    "rewrites", known_json(known_rewrites(ctx, p)),
				    "zeroing", (int)p->info.zeroing,
				    "instructions", (json_int_t)p->ninsns,
				    "writes", writes_json(p),
				    "sources", sources_json(ctx, p),
				    "sites", list));
}

void table_json(FILE *out, const struct table_item *items, size_t n)
{
	void *ctx = talloc_new(NULL);
	json_t *list = json_there(json_array());
	json_t *root;

	for (size_t i = 0; i < n; i++)
		json_array_append_new(list, item_json(ctx, &items[i]));
	root = json_there(json_pack("{s:s, s:o}", "generator", "ucopy", "routines", list));
	json_dumpf(root, out, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
	fputc('\n', out);
	json_decref(root);
	talloc_free(ctx);
}

static void c_string(FILE *out, const char *s)
{
	fputc('"', out);
	for (; *s; s++) {
		if (*s == '"' || *s == '\\')
			fputc('\\', out);
		if (*s == '\t')
			fputs("\\t", out);
		else
			fputc(*s, out);
	}
	fputc('"', out);
}

/* The sources of all programs, each once, as a comment. */
static void generated(FILE *out, const struct table_item *items, size_t n)
{
	void *ctx = talloc_new(NULL);
	const char *last = "";

	fputs("/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n/* Generated by ucopy from", out);
	for (size_t i = 0; i < n; i++) {
		struct place at = items[i].program->machine->place;
		const char *name = at.source ? source_name(ctx, at.source->name) : "";

		if (strcmp(name, last) != 0)
			fprintf(out, "%s %s", *last ? "," : "", name);
		last = name;
	}
	fputs("; do not edit */\n", out);
	talloc_free(ctx);
}

static void entries_c(FILE *out, const struct table_item *it, size_t number)
{
	void *ctx = talloc_new(NULL);
	const struct program *p = it->program;

	fprintf(out, "\nstatic const struct ucopy_site sites_%zu[] = {\n", number);
	for (size_t i = 0; i < it->labels->nentries; i++) {
		const struct table_entry *e = &it->labels->entries[i];

		fprintf(out, "\t{ %zu, %d, %d, ", e->insn, e->line, p->labels[e->fixup].at);
		c_string(out, access_of(it, e));
		fputs(", ", out);
		c_string(out, site_text(ctx, it, e));
		fputs(" },\n", out);
	}
	fputs("\t{ 0, 0, 0, 0, 0 }\n};\n", out);
	talloc_free(ctx);
}

static void symbols_c(FILE *out, const char *name, const char **symbols, size_t number)
{
	if (!*symbols)
		return;
	fprintf(out, "static const char *const %s_%zu[] = { ", name, number);
	for (; *symbols; symbols++) {
		c_string(out, *symbols);
		fputs(", ", out);
	}
	fputs("0 };\n", out);
}

/* The name of what symbols_c has printed. */
static const char *name_c(void *ctx, const char *name, const char **symbols, size_t number)
{
	return *symbols ? talloc_asprintf(ctx, "%s_%zu", name, number) : "0";
}

static void routine_c(FILE *out, const struct table_item *it, size_t number)
{
	void *ctx = talloc_new(NULL);
	const struct program *p = it->program;
	const char *const words[] = { p->machine->name, p->machine->target.full_name, p->info.name, p->info.symbol, returns(p) };

	fputs("\t{ ", out);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		c_string(out, words[i]);
		fputs(", ", out);
	}
	fprintf(out, "%d, %d, %d, %d, %zu, %zu, ", known(ctx, p, true), known(ctx, p, p->maximal),
		known_rewrites(ctx, p), p->info.zeroing, p->ninsns, it->labels->nentries);
	fprintf(out, "%s, %s, sites_%zu },\n", name_c(ctx, "goes_on", program_exits(ctx, p), number),
		name_c(ctx, "calls", program_calls(ctx, p), number), number);
	talloc_free(ctx);
}

static const char types_c[] =
	"\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
	"struct ucopy_site {\n"
	"\tunsigned instruction, line;\t/* of the routine, both from 0; a fault there .. */\n"
	"\tunsigned fixup;\t\t\t/* .. goes on at this instruction */\n"
	"\tconst char *access;\t\t/* 0 behind the last */\n"
	"\tconst char *text;\n};\n\n"
	"struct ucopy_routine {\n"
	"\tconst char *machine, *target, *routine, *symbol, *returns;\n"
	"\tint exact, maximal;\t\t/* 1 yes, 0 no, -1 as what it goes on in is */\n"
	"\tint rewrites;\t\t\t/* 1 yes, 0 no, -1 as what it goes on in or calls does */\n"
	"\tint zeroing;\n"
	"\tunsigned instructions, nsites;\n"
	"\tconst char *const *goes_on, *const *calls;\t/* symbols up to 0, or 0 */\n"
	"\tconst struct ucopy_site *sites;\n};\n\n"
	"extern const struct ucopy_routine ucopy_routines[];\t/* machine is 0 behind the last */\n";

void table_c(FILE *out, const struct table_item *items, size_t n)
{
	void *ctx = talloc_new(NULL);

	generated(out, items, n);
	fputs(types_c, out);
	for (size_t i = 0; i < n; i++) {
		entries_c(out, &items[i], i);
		symbols_c(out, "goes_on", program_exits(ctx, items[i].program), i);
		symbols_c(out, "calls", program_calls(ctx, items[i].program), i);
	}
	talloc_free(ctx);
	fputs("\nconst struct ucopy_routine ucopy_routines[] = {\n", out);
	for (size_t i = 0; i < n; i++)
		routine_c(out, &items[i], i);
	fputs("\t{ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 }\n};\n\n#ifdef __cplusplus\n}\n#endif\n", out);
}

void table_asm(FILE *out, const struct table_item *items, size_t n)
{
	generated(out, items, n);
	fputs("/* Labels are local to a routine's file: its entries can stand nowhere else, and do stand there. */\n", out);
	for (size_t i = 0; i < n; i++) {
		fprintf(out, "/* %s */\n", items[i].program->info.symbol);
		print_entries(out, items[i].program, items[i].labels);
	}
}
