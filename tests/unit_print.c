/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Printing: names of labels and sites, slots, returns, entries, the head; files written whole or not at all. */
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <talloc.h>

#include "claim.h"
#include "diag.h"
#include "output.h"
#include "print.h"
#include "table.h"

#define LITERAL(s) { .literal = (s), .view = -1 }
#define HOLE(o) { .literal = NULL, .operand = (o), .view = -1 }
#define TEXT(array) { .parts = (array), .nparts = sizeof(array) / sizeof *(array) }
#define TEXTS(array) { .v = (array), .n = sizeof(array) / sizeof *(array) }

static struct reg regs[] = { { "r0", 8 }, { "r1", 8 }, { "r2", 8 }, { "r3", 8 }, { "sp", 8 } };

static struct text_part label_parts[] = { LITERAL(".L"), HOLE(TEXT_FUNCTION), LITERAL("_"), HOLE(TEXT_NUMBER) };
static struct text_part begin_parts[] = { HOLE(TEXT_FUNCTION), LITERAL(":") };
static struct text_part end_parts[] = { LITERAL("end "), HOLE(TEXT_FUNCTION) };
static struct text_part entry_parts[] = { HOLE(TEXT_WIDTH), LITERAL(" "), HOLE(TEXT_SITE), LITERAL(", "),
					  HOLE(TEXT_FIXUP) };
static struct text_part leave_parts[] = { LITERAL("leave") };
static struct text begin_text[] = { TEXT(begin_parts) };
static struct text end_text[] = { TEXT(end_parts) };
static struct text entry_text[] = { TEXT(entry_parts) };
static struct text leave_text[] = { TEXT(leave_parts) };

/* load {r}, [{r}]; move {r}; jump {L} with a slot; return */
static struct operand two_regs[] = { { .name = "a", .kind = OPERAND_REG, .view = -1 },
				     { .name = "p", .kind = OPERAND_REG, .view = -1 } };
static struct operand one_label[] = { { .name = "L", .kind = OPERAND_LABEL } };
static struct text_part load_parts[] = { LITERAL("load "), HOLE(0), LITERAL(", ["), HOLE(1), LITERAL("]") };
static struct text_part jump_parts[] = { LITERAL("jump "), HOLE(0) };
static struct text_part back_parts[] = { LITERAL("back") };
static struct pattern_line load_line[] = { { .text = TEXT(load_parts) } };
static struct pattern_line jump_line[] = { { .text = TEXT(jump_parts) } };
static struct pattern_line back_line[] = { { .text = TEXT(back_parts) } };
static struct pattern load = { .operands = two_regs, .noperands = 2, .lines = load_line, .nlines = 1 };
static struct pattern jump = { .operands = one_label, .noperands = 1, .lines = jump_line, .nlines = 1, .slot = true };
static struct pattern back = { .lines = back_line, .nlines = 1 };

static const struct source spec = { .name = "a/b/specs/toy.spec", .text = "one\ntwo\n", .size = 8 };
static const struct source tmpl = { .name = "a/b/specs/../templates/copy.tmpl", .text = "one\ntwo\n", .size = 8 };

static struct machine *toy(void *ctx)
{
	struct machine *m = talloc_zero(ctx, struct machine);

	m->name = "toy";
	m->width = 8;
	m->regs = regs;
	m->nregs = sizeof regs / sizeof *regs;
	m->zero = -1;
	m->delay = 1;
	m->fill = "idle";
	m->leave = (struct texts)TEXTS(leave_text);
	m->place = (struct place){ &spec, 0, 3 };
	m->target.name = m->target.full_name = "plain";
	m->target.width = "word";
	m->target.label = (struct text)TEXT(label_parts);
	m->target.function_begin = (struct texts)TEXTS(begin_text);
	m->target.function_end = (struct texts)TEXTS(end_text);
	m->target.entry = (struct texts)TEXTS(entry_text);
	regset_add(&m->kept, 4);
	return m;
}

static void set_step(struct program *p, struct action act)
{
	struct insn *in = &p->insns[p->ninsns - 1];

	in->steps[0].acts = talloc_memdup(p, &act, sizeof act);
	in->steps[0].nacts = 1;
	in->nsteps = 1;
}

static struct insn *add_load(struct program *p, int a, int at)
{
	struct insn *in = program_append(p, &load, (struct place){ &tmpl, 4, 7 });
	struct expr *mem = expr_new(p, EX_MEM, in->place);

	in->operands[0].reg = a;
	in->operands[1].reg = at;
	mem->letter = ACCESS_ANY;
	mem->kid[0] = expr_reg(p, at, in->place);
	mem->kid[1] = expr_const(p, 8, in->place);
	set_step(p, (struct action){ .kind = ACT_SET, .target = expr_reg(p, a, in->place), .value = mem });
	return in;
}

static void add_jump(struct program *p, int label)
{
	program_append(p, &jump, (struct place){ &tmpl, 0, 3 })->operands[0].label = label;
	set_step(p, (struct action){ .kind = ACT_GOTO, .label = label });
}

static void add_back(struct program *p)
{
	program_append(p, &back, (struct place){ NULL, 0, 0 });
	set_step(p, (struct action){ .kind = ACT_RETURN });
}

/* Two loads that fault, the second in the slot of a jump; a jump with an idle slot; a fixup behind the return. */
static struct program *routine(void *ctx)
{
	struct program *p = program_new(ctx, toy(ctx));
	int again = program_label(p, "again"), twin = program_label(p, "again"), unused = program_label(p, "unused");
	int fixup = program_label(p, NULL);

	p->info.name = "copy_from_user";
	p->info.symbol = "toy_copy_from_user";
	p->info.src_user = true;
	p->info.dst = 0, p->info.src = 1, p->info.n = 2;
	p->maximal = true;
	p->place = (struct place){ &tmpl, 0, 3 };
	label_here(p, unused);
	label_here(p, again);
	add_load(p, 3, 1)->fixup[0] = fixup;
	add_load(p, 4, 0)->fixup[0] = fixup;
	p->insns[1].in_slot = true;
	add_jump(p, again);
	p->insns[2].slot = 1;
	label_here(p, twin);
	add_jump(p, twin);
	add_back(p);
	p->hot = p->ninsns;
	label_here(p, fixup);
	add_back(p);
	return p;
}

static char *printed(void *ctx, const struct program *p, bool comments)
{
	struct print_options o = { .comments = comments };
	struct labels *l = labels_new(ctx, p);
	char *text = NULL, *copy;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print_program(f, p, l, &o);
	fclose(f);
	copy = talloc_strdup(ctx, text);
	free(text);
	return copy;
}

static const char *body(const char *text)
{
	return strstr(text, " */\ntoy_") + 4;
}

static void test_program(void **state)
{
	char *text = printed(*state, routine(*state), false);

	assert_string_equal(body(text), "toy_copy_from_user:\n"
					".Ltoy_copy_from_user_again:\n"
					".Ltoy_copy_from_user_1:\n"
					"\tload r3, [r1]\n"
					"\tjump .Ltoy_copy_from_user_again\n"
					".Ltoy_copy_from_user_2:\n"
					"\tload sp, [r0]\n"
					".Ltoy_copy_from_user_again_2:\n"
					"\tjump .Ltoy_copy_from_user_again_2\n"
					"\tidle\n"
					"\tleave\n"
					"\tback\n"
					".Ltoy_copy_from_user_1f:\n"
					"\tleave\n"
					"\tback\n"
					"\tword .Ltoy_copy_from_user_1, .Ltoy_copy_from_user_1f\n"
					"\tword .Ltoy_copy_from_user_2, .Ltoy_copy_from_user_1f\n"
					"\tend toy_copy_from_user\n");
}

/* Where a fault in a slot is taken at the branch, the branch carries the label. */
static void test_slot_branch(void **state)
{
	struct program *p = routine(*state);

	((struct machine *)(uintptr_t)p->machine)->slot_fault = SLOT_BRANCH;
	assert_non_null(strstr(printed(*state, p, false), ".Ltoy_copy_from_user_2:\n"
							  "\tjump .Ltoy_copy_from_user_again\n"
							  "\tload sp, [r0]\n"));
}

static void test_head(void **state)
{
	char *text = printed(*state, routine(*state), false);
	static const char head[] = "/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */\n"
				   "/* Generated by ucopy from specs/toy.spec and templates/copy.tmpl; do not edit */\n";

	assert_memory_equal(text, head, sizeof head - 1);
	assert_non_null(strstr(text, " * toy_copy_from_user: exact, maximal.\n"));
	assert_non_null(strstr(text, "Fault sites: 2, in the source."));
	assert_non_null(strstr(text, "dst in r0, src in r1, n in r2; result in r0."));
	assert_non_null(strstr(text, "Clobbers: r3\n"));
}

static void test_head_of_less(void **state)
{
	struct program *p = routine(*state);
	char *text;

	p->maximal = false;
	p->rewrites = true;
	text = printed(*state, p, false);
	assert_non_null(strstr(text, " * toy_copy_from_user: exact, not maximal, rewrites.\n"));
	assert_null(strstr(text, "maximal: every byte"));
	assert_non_null(strstr(text, "rewrites: "));
}

static void add_call(struct program *p, enum callee_kind kind, const char *symbol)
{
	struct callee *c = talloc_zero(p, struct callee);

	*c = (struct callee){ .name = symbol, .symbol = symbol, .kind = kind };
	program_append(p, &back, (struct place){ NULL, 0, 0 });
	set_step(p, (struct action){ .kind = ACT_CALL, .callee = c });
}

/* What JSON and C say of one routine: `"rewrites": null`, `-1, 0, 8, 2, ` (rewrites, zeroing, instructions, sites). */
static bool tables_say(void *ctx, const struct program *p, const char *json, const char *c)
{
	struct table_item item = { p, labels_new(ctx, p) };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	bool both;

	table_json(f, &item, 1);
	table_c(f, &item, 1);
	fclose(f);
	both = strstr(text, json) && strstr(text, c);
	free(text);
	return both;
}

/* What a routine that is called does with neighbours isn't known here; a hook does nothing of the kind. */
static void test_rewrites_of_others(void **state)
{
	struct program *hook = routine(*state), *caller = routine(*state), *jumper = routine(*state);
	int out = program_label(jumper, "out");
	static const char line[] = " *\trewrites: only where a routine named here does\n";

	assert_true(tables_say(*state, hook, "\"rewrites\": false", "1, 1, 0, 0, 6, 2, 0, 0, "));
	add_call(hook, CALLEE_HOLD, "pin");
	assert_true(tables_say(*state, hook, "\"rewrites\": false", "1, 1, 0, 0, 7, 2, 0, calls_0, "));
	assert_null(strstr(printed(*state, hook, false), "rewrites"));
	add_call(caller, CALLEE_ROUTINE, "memcpy");
	assert_true(tables_say(*state, caller, "\"rewrites\": null", "1, 1, -1, 0, 7, 2, 0, calls_0, "));
	assert_non_null(strstr(printed(*state, caller, false), line));
	caller->rewrites = true;
	assert_true(tables_say(*state, caller, "\"rewrites\": true", "1, 1, 1, 0, 7, 2, 0, calls_0, "));
	assert_null(strstr(printed(*state, caller, false), line));
	add_jump(jumper, out);
	jumper->labels[out].symbol = "other";
	assert_true(tables_say(*state, jumper, "\"rewrites\": null", "-1, -1, -1, 0, 7, 2, goes_on_0, 0, "));
	assert_non_null(strstr(printed(*state, jumper, false), line));
}

static void test_comments(void **state)
{
	assert_non_null(strstr(printed(*state, routine(*state), true), "load r3, [r1]"
			       "                   /* templates/copy.tmpl:2 */\n"));
}

static void test_source_name(void **state)
{
	char where[PATH_MAX], *want;

	assert_string_equal(source_name(*state, "/x/y/specs/z.spec"), "specs/z.spec");
	assert_string_equal(source_name(*state, "specs/../templates/z.tmpl"), "templates/z.tmpl");
	assert_string_equal(source_name(*state, "gone.spec"), "gone.spec");
	assert_non_null(getcwd(where, sizeof where));
	want = talloc_asprintf(*state, "%s/meson.build", strrchr(where, '/') + 1);
	assert_string_equal(source_name(*state, "meson.build"), want);
	assert_string_equal(source_name(*state, "./meson.build"), want);
	assert_string_equal(source_name(*state, "tests/../meson.build"), want);
	assert_string_equal(source_name(*state, "tests/matrix/../../specs/common.spec"), "specs/common.spec");
	assert_string_equal(source_name(*state, "/gone.spec"), "gone.spec");
}

static void test_table(void **state)
{
	struct program *p = routine(*state);
	struct table_item item = { p, labels_new(*state, p) };
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	table_json(f, &item, 1);
	table_c(f, &item, 1);
	table_asm(f, &item, 1);
	fclose(f);
	assert_non_null(strstr(text, "\"fixup\": \".Ltoy_copy_from_user_1f\""));
	assert_non_null(strstr(text, "\"template\": \"templates/copy.tmpl:2\""));
	assert_non_null(strstr(text, "\t{ 1, 0, 5, \"load\", \"load sp, [r0]\" },\n"));
	assert_non_null(strstr(text, "\tword .Ltoy_copy_from_user_2, .Ltoy_copy_from_user_1f\n"));
	free(text);
}

static bool write_file(void *ctx, const char *path, const char *text)
{
	struct output_file *f = output_begin(ctx, path);
	bool changed;

	fputs(text, f->stream);
	assert_true(output_end(f));
	assert_true(output_stage(f));
	assert_true(output_commit(f));
	changed = f->temporary != NULL;
	talloc_free(f);
	return changed;
}

static void test_output(void **state)
{
	char dir[] = "/tmp/ucopy-print-XXXXXX";
	char *path, *command;
	struct stat before, after;
	struct output_file *f;

	assert_non_null(mkdtemp(dir));
	path = talloc_asprintf(*state, "%s/a/b/c.S", dir);
	assert_true(write_file(*state, path, "one\n"));
	assert_int_equal(stat(path, &before), 0);
	assert_false(write_file(*state, path, "one\n"));
	assert_int_equal(stat(path, &after), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	assert_true(write_file(*state, path, "two, longer\n"));
	assert_true(write_file(*state, path, "two\n"));

	/* staged and dropped: the old file stays, nothing lies beside it */
	f = output_begin(*state, path);
	fputs("three\n", f->stream);
	assert_true(output_end(f) && output_stage(f));
	talloc_free(f);
	assert_int_equal(rmdir(talloc_asprintf(*state, "%s/a/b", dir)), -1);
	assert_int_equal(errno, ENOTEMPTY);
	assert_false(write_file(*state, path, "two\n"));
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(talloc_asprintf(*state, "%s/a/b", dir)), 0);

	/* a file where a folder is wanted */
	assert_true(write_file(*state, talloc_asprintf(*state, "%s/f", dir), "x"));
	f = output_begin(*state, talloc_asprintf(*state, "%s/f/g.S", dir));
	assert_true(output_end(f));
	fputs("", stdout);
	assert_false(output_stage(f));
	command = talloc_asprintf(*state, "rm -r %s", dir);
	assert_int_equal(system(command), 0);
}

/* A staged file, and then a signal or what the program does when it has no memory: by a child. */
static void end_by(void *ctx, const char *path, int number)
{
	struct output_file *f = output_begin(ctx, path);

	if (number)
		signal(number, SIG_DFL);	/* whoever started the test may have had it ignored */
	temporaries_guard();
	fputs("text\n", f->stream);
	if (!output_end(f) || !output_stage(f) || !f->temporary)
		_exit(1);
	if (number)
		raise(number);
	temporaries_drop();
	_exit(2);
}

static void test_signals(void **state)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGXFSZ, SIGPIPE, 0 };
	char dir[] = "/tmp/ucopy-print-XXXXXX";

	assert_non_null(mkdtemp(dir));
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
		pid_t child = fork();
		int status;

		if (!child)
			end_by(*state, talloc_asprintf(*state, "%s/a.S", dir), numbers[i]);
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_int_equal(WIFSIGNALED(status) ? WTERMSIG(status) : 0, i < 3 ? numbers[i] : 0);
		assert_true(i < 3 || WEXITSTATUS(status) == 2);
	}
	assert_int_equal(rmdir(dir), 0);
}

static int setup(void **state)
{
	*state = talloc_new(NULL);
	return *state ? 0 : -1;
}

static int teardown(void **state)
{
	return talloc_free(*state);
}

#define CASE(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_program), CASE(test_slot_branch), CASE(test_head), CASE(test_head_of_less),
		CASE(test_rewrites_of_others),
		CASE(test_comments), CASE(test_source_name), CASE(test_table), CASE(test_output), CASE(test_signals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
