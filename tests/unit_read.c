/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reading: includes, limits; and the messages that come of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>
#include <talloc.h>

#include "parse.h"

static void *ctx;
static struct diag *diag;
static char directory[] = "/tmp/ucopy-read-XXXXXX";

static int setup(void **state)
{
	(void)state;
	ctx = talloc_new(NULL);
	diag = diag_new(ctx, 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	talloc_free(ctx);
	return 0;
}

/* What diag_flush prints. */
static char *said(bool json, bool colour)
{
	char *text = NULL, *copy;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	diag_flush(diag, f, json, colour);
	fclose(f);
	copy = talloc_strdup(ctx, text);
	free(text);
	return copy;
}

static char *write_file(const char *name, const char *text)
{
	char *path = talloc_asprintf(ctx, "%s/%s", directory, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	fputs(text, f);
	assert_int_equal(fclose(f), 0);
	return path;
}

static void test_includes(void **state)
{
	char *root = write_file("root", "include `sub/a` include `sub/../b` macro last() { }");
	struct tree *t;

	(void)state;
	mkdir(talloc_asprintf(ctx, "%s/sub", directory), 0700);
	write_file("sub/a", "include `../b` macro a() { }");
	write_file("b", "macro b() { }");
	t = parse_file(ctx, diag, root);
	assert_non_null(t);
	assert_int_equal(diag_errors(diag), 0);
	assert_int_equal(t->templates.nmacros, 3);		/* b once, and before what comes behind its include */
	assert_string_equal(t->templates.macros[0]->name, "b");
	assert_string_equal(t->templates.macros[1]->name, "a");
	assert_string_equal(t->templates.macros[2]->name, "last");
	assert_int_equal(t->nsources, 3);
	assert_string_equal(t->sources[1]->name, talloc_asprintf(ctx, "%s/sub/a", directory));
	assert_true(parse_more(t, diag, root));
	assert_true(parse_more(t, diag, talloc_asprintf(ctx, "%s/b", directory)));
	assert_int_equal(t->templates.nmacros, 3);
	assert_false(parse_more(t, diag, "/nowhere"));
	assert_int_equal(diag_errors(diag), 1);
}

static void test_include_depth(void **state)
{
	(void)state;
	for (int i = 0; i < 40; i++)
		write_file(talloc_asprintf(ctx, "d%d", i), talloc_asprintf(ctx, "include `d%d` macro m%d() { }", i + 1, i));
	write_file("d40", "");
	assert_non_null(parse_file(ctx, diag, talloc_asprintf(ctx, "%s/d0", directory)));
	assert_int_equal(diag_errors(diag), 1);
	assert_non_null(strstr(said(false, false), "d20:1:9: error: includes are nested deeper than 20 [nested-too-deep]"));
	assert_non_null(parse_file(ctx, diag, talloc_asprintf(ctx, "%s/d22", directory)));
	assert_int_equal(diag_errors(diag), 1);
}

static void test_unreadable(void **state)
{
	(void)state;
	assert_null(parse_file(ctx, diag, directory));
	assert_non_null(strstr(said(false, false), "not a regular file [file-not-read]"));
	assert_null(parse_file(ctx, diag, "/nowhere/at/all"));
	assert_string_equal(said(false, false), "error: can not read `/nowhere/at/all`: No such file or directory [file-not-read]\n");
}

/* A MiB of one thing over and over: must end soon, with errors or without, and not with a crash. */
static void test_hostile(void **state)
{
	static const char *const parts[] = {
		"{", "}", "(", "`", "`\n", "a ", "\n", "#", "a\n", "machine m {", "machine m {\n", "routine r() { when a {\n", "\377", "?",
		"macro a(a", "macro a() {a=", "a,", "include `", "include `x`\n", "x=(", "x=-", "x=a[", "x=M8[", "+1", "+", "`x` a = b;",
		"1", "0x", "M8,8,", "routine a = b with ", "try { } else ", "hook h() { nothing }\n", "target t {\n", "tune {a 1",
	};
	static const char *const starts[] = { "", "macro m() { x = a", "machine m { `x` a = b", "macro m(a" };
	size_t size = 1 << 20;
	char *text = talloc_size(ctx, size);

	(void)state;
	alarm(300);
	for (size_t k = 0; k < sizeof(starts) / sizeof(*starts); k++)
		for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
			size_t start = strlen(starts[k]), n = strlen(parts[i]);
			void *mine = talloc_new(ctx);
			struct diag *d = diag_new(mine, 0);

			memcpy(text, starts[k], start);
			for (size_t at = start; at < size; at++)
				text[at] = parts[i][(at - start) % n];
			parse_text(mine, d, "t", text, size);
			talloc_free(mine);
		}
	alarm(0);
}

static void test_size(void **state)
{
	size_t limit = 256 * 1024;
	char *text = talloc_size(ctx, limit + 1);

	(void)state;
	memset(text, ' ', limit + 1);
	assert_non_null(parse_text(ctx, diag, "t", text, limit));
	assert_int_equal(diag_errors(diag), 0);
	assert_null(parse_text(ctx, diag, "t", text, limit + 1));
	assert_string_equal(said(false, false), "error: `t` is larger than 262144 bytes [file-too-large]\n");
	text[limit] = '\0';
	assert_non_null(parse_file(ctx, diag, write_file("large", text)));
	text[limit - 1] = '\n';
	assert_null(parse_file(ctx, diag, write_file("large", talloc_asprintf(ctx, "%s\n", text))));
}

/* Bytes behind a NUL are read as well, and a text needs no NUL behind it. */
static void test_nul(void **state)
{
	static const char text[] = "macro a() { }\0macro b() { }";
	struct tree *t = parse_text(ctx, diag, "t", text, sizeof(text) - 1);

	(void)state;
	assert_int_equal(diag_errors(diag), 1);
	assert_int_equal(t->templates.nmacros, 2);
	t = parse_text(ctx, diag, "t", text, 13);
	assert_int_equal(diag_errors(diag), 1);
	assert_int_equal(t->templates.nmacros, 1);
}

static void test_order(void **state)
{
	static const struct source a = { "a", "one\n\ttwo three\n", 15 }, b = { "b", "x\303\n", 3 };

	(void)state;
	diag_error(diag, DIAG_WORD, (struct place){ &b, 0, 2 }, "last");
	diag_note(diag, (struct place){ &a, 0, 3 }, "note of %s", "last");
	diag_note(diag, (struct place){ 0 }, "here");
	diag_error(diag, DIAG_SYNTAX, (struct place){ &a, 9, 14 }, "second\n");
	diag_error(diag, DIAG_SYNTAX, (struct place){ &a, 0, 0 }, "first");
	diag_error(diag, DIAG_SYNTAX, (struct place){ &a, 5, 40 }, "middle");
	diag_error(diag, DIAG_FILE, (struct place){ 0 }, "nowhere");
	assert_string_equal(said(false, false),
			    "error: nowhere [file-not-read]\n"
			    "a:1:1: error: first [syntax-error]\n    one\n    ^\n"
			    "a:2:2: error: middle [syntax-error]\n    \ttwo three\n    \t^~~~~~~~~\n"
			    "a:2:6: error: second\\x0a [syntax-error]\n    \ttwo three\n    \t    ^~~~~\n"
			    "b:1:1: error: last [unknown-word]\n    x\\xc3\n    ^~~~~\n"
			    "a:1:1: note: note of last\nb:1:1: note: here\n");
	assert_int_equal(diag_errors(diag), 5);
	assert_string_equal(said(false, false), "");
}

static void test_json(void **state)
{
	static const struct source a = { "a\377", "one \"two\"\n", 10 };
	json_t *o, *note;
	char *text;

	(void)state;
	diag_error(diag, DIAG_WORD, (struct place){ &a, 4, 9 }, "\"%s\" \001", "x");
	diag_note(diag, (struct place){ 0 }, "why");
	text = said(true, false);
	assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
	o = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	assert_non_null(o);
	assert_string_equal(json_string_value(json_object_get(o, "file")), "a\\xff");
	assert_string_equal(json_string_value(json_object_get(o, "text")), "\"x\" \\x01");
	assert_string_equal(json_string_value(json_object_get(o, "id")), "unknown-word");
	assert_string_equal(json_string_value(json_object_get(o, "severity")), "error");
	assert_int_equal(json_integer_value(json_object_get(o, "column")), 5);
	assert_int_equal(json_integer_value(json_object_get(o, "end_column")), 10);
	note = json_array_get(json_object_get(o, "notes"), 0);
	assert_string_equal(json_string_value(json_object_get(note, "text")), "why");
	assert_null(json_object_get(note, "file"));
	json_decref(o);
}

static void test_limit(void **state)
{
	struct diag *d = diag;

	(void)state;
	diag = diag_new(ctx, 2);
	for (int i = 0; i < 5; i++) {
		diag_error(diag, DIAG_WORD, (struct place){ 0 }, "%d", i);
		diag_note(diag, (struct place){ 0 }, "note %d", i);
	}
	assert_string_equal(said(false, false), "error: 0 [unknown-word]\nnote: note 0\nerror: 1 [unknown-word]\nnote: note 1\n"
			    "3 more errors not shown\n");
	assert_int_equal(diag_errors(diag), 5);
	diag_error(diag, DIAG_WORD, (struct place){ 0 }, "again");
	assert_string_equal(said(false, true), "\033[1;31merror:\033[0m again [unknown-word]\n");
	diag = d;
}

static void test_near(void **state)
{
	static const char *const names[] = { "register", "granule", NULL, "of", "block", "byte" };
	size_t n = sizeof(names) / sizeof(*names);

	(void)state;
	assert_string_equal(diag_near("regster", names, n), "register");
	assert_string_equal(diag_near("blokc", names, n), "block");
	assert_string_equal(diag_near("granul", names, n), "granule");
	assert_string_equal(diag_near("byte", names, n), "byte");
	assert_null(diag_near("zz", names, n));
	assert_null(diag_near("", names, n));
	assert_null(diag_near("x", names, n));
	assert_null(diag_near("completely", names, n));
	assert_null(diag_near("regsterregsterregsterregsterregsterregsterregsterregsterregsterregster", names, n));
}

static int make_directory(void **state)
{
	(void)state;
	return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
	char command[80];

	(void)state;
	snprintf(command, sizeof(command), "rm -rf '%s'", directory);
	return system(command);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_includes), TEST(test_include_depth), TEST(test_unreadable),
		TEST(test_size), TEST(test_nul), TEST(test_order), TEST(test_json), TEST(test_limit), TEST(test_near),
		TEST(test_hostile),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
