/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <talloc.h>

#include "command.h"
#include "diag.h"
#include "diag_print.h"
#include "help.h"
#include "optable.h"

const struct command_row commands[CMD_COUNT] = {
	[CMD_CHECK] = { "check", "SPEC...", 1, -1,
			"prove every routine of the specs; a line for each, no file is written" },
	[CMD_GEN] = { "gen", "SPEC...", 1, -1, "prove, then write DIR/MACHINE/TARGET/ROUTINE.S for each routine" },
	[CMD_EXPLAIN] = { "explain", "SPEC ROUTINE", 2, 2,
			  "print each instruction beside what holds there, and what each fault returns" },
	[CMD_WHY_NOT] = { "why-not", "SPEC ROUTINE TEXT", 3, 3,
			  "print where the spec's lines that begin with TEXT are taken and why not elsewhere" },
	[CMD_TABLE] = { "table", "SPEC", 1, 1, "print the exception table that was proved" },
	[CMD_BENCH] = { "bench", "SPEC", 1, 1, "build and run a target's methods, and find the values of its tunes" },
};

static const char *const formats[] = { "json", "c", "asm", NULL };
static const char *const dumps[] = { "none", "machine", "ir", "proof", NULL };
static const char *const diagnostics[] = { "text", "json", NULL };
static const char *const helps[] = { "none", "text", "man", "bash", NULL };

#define ON(c) (1u << (c))
#define ALL (ON(CMD_COUNT) - 1)
#define AT(field) offsetof(struct options, field)

const struct option_row option_rows[] = {
	{ 'o', "output", "PATH", OPT_TEXT, AT(out), ON(CMD_GEN) | ON(CMD_BENCH), NULL,
	  "gen: write below the folder PATH (default: out); bench: write the profile to the file PATH (default: none)" },
	{ 0, "target", "NAME", OPT_NAMES, AT(targets), ALL, NULL,
	  "only this target of each machine, NAME+VARIANT.. for variants of it; may be repeated" },
	{ 0, "routine", "NAME", OPT_NAMES, AT(routines), ON(CMD_CHECK) | ON(CMD_GEN) | ON(CMD_TABLE), NULL,
	  "only this routine; may be repeated" },
	{ 0, "format", "FORM", OPT_CHOICE, AT(format), ON(CMD_TABLE), formats, "form of the table (default: json)" },
	{ 0, "comments", NULL, OPT_FLAG, AT(comments), ON(CMD_GEN) | ON(CMD_EXPLAIN), NULL,
	  "put the template's and the spec's line beside each instruction" },
	{ 0, "dump", "WHAT", OPT_CHOICE, AT(dump), ALL, dumps, "print what the compiler knows, to standard error" },
	{ 0, "diagnostics", "FORM", OPT_CHOICE, AT(diagnostics), ALL, diagnostics,
	  "form of the messages (default: text)" },
	{ 0, "depfile", "FILE", OPT_TEXT, AT(depfile), ON(CMD_GEN), NULL,
	  "write a make rule of all outputs and inputs to FILE" },
	{ 0, "tune", "FILE", OPT_TEXT, AT(tune), ALL, NULL,
	  "take the values of tunes from FILE, a profile that ucopy bench wrote" },
	{ 0, "cc", "CMD", OPT_COMMAND, AT(cc), ON(CMD_BENCH), NULL, "compiler of what is measured, with its options (default: cc)" },
	{ 0, "run", "CMD", OPT_COMMAND, AT(run), ON(CMD_BENCH), NULL,
	  "emulator that runs it; instructions are counted then, not times" },
	{ 0, "host-cc", "CMD", OPT_COMMAND, AT(host_cc), ON(CMD_BENCH), NULL,
	  "compiler of the counter that is loaded into the emulator (default: cc)" },
	{ 0, "rounds", "NUMBER", OPT_NUMBER, AT(rounds), ON(CMD_BENCH), NULL,
	  "measure so many times, 1 to 1001 (default: 101)" },
	{ 0, "plot", "FILE", OPT_TEXT, AT(plot), ON(CMD_BENCH), NULL, "write a picture of bytes a nanosecond over size to FILE, as SVG" },
	{ 0, "help", "FORM", OPT_MAYBE, AT(help), 0, helps,
	  "print this, or a man page's part or a completion script made of the same" },
	{ 0, "version", NULL, OPT_FLAG, AT(version), 0, NULL, "print the version" },
	{ 0, NULL, NULL, OPT_FLAG, 0, 0, NULL, NULL },
};

#define NROWS (sizeof option_rows / sizeof *option_rows - 1)

/* Where reading stands. */
struct reader {
	void *ctx;
	int argc, at;
	char **argv;
	struct options *o;
	bool has_command;
	bool given[NROWS];		/* by row */
	struct names words;
};

static bool wrong(const char *format, ...) __attribute__((format(printf, 1, 2)));

static bool wrong(const char *format, ...)
{
	va_list ap;
	char *text;

	va_start(ap, format);
	text = talloc_vasprintf(NULL, format, ap);
	va_end(ap);
	fputs("ucopy: ", stderr);
	put_escaped(text, strlen(text), stderr);
	talloc_free(text);
	fputs("\nTry 'ucopy --help'.\n", stderr);
	return false;
}

static void add(void *ctx, struct names *names, const char *name)
{
	names->v = talloc_realloc(ctx, names->v, const char *, (unsigned)names->n + 1);
	names->v[names->n++] = name;
}

static const char *near_option(const char *name)
{
	const char *all[NROWS];
	size_t n = 0;

	for (const struct option_row *r = option_rows; r->name; r++)
		all[n++] = r->name;
	return diag_near(name, all, n);
}

static bool unknown(const char *arg, const char *near)
{
	if (near)
		return wrong("unknown option '%s', did you mean '--%s'?", arg, near);
	return wrong("unknown option '%s'", arg);
}

static bool choose(const struct option_row *r, const char *value, int *ret)
{
	for (int i = 0; r->values[i]; i++) {
		/* `none` is for what isn't asked for at all */
		if (strcmp(r->values[i], value) == 0 && strcmp(value, "none") != 0) {
			*ret = i;
			return true;
		}
	}
	return wrong("'--%s' takes no '%s'", r->name, value);
}

static bool number(const struct option_row *r, const char *value, unsigned *ret)
{
	size_t n = strspn(value, "0123456789");

	*ret = n && n < 9 && !value[n] ? (unsigned)strtoul(value, NULL, 10) : 0;
	return (*ret && *ret <= ROUNDS_MAX) || wrong("'--%s' takes 1 to %d, not '%s'", r->name, ROUNDS_MAX, value);
}

/* Puts an option's value where its row says. */
static bool take(struct reader *rd, const struct option_row *r, const char *value)
{
	char *at = (char *)rd->o + r->offset;
	struct names *names = (void *)at;

	rd->given[r - option_rows] = true;
	switch (r->kind) {
	case OPT_FLAG:
		*(bool *)(void *)at = true;
		return true;
	case OPT_TEXT:
	case OPT_COMMAND:
		*(const char **)(void *)at = value;
		return true;
	case OPT_NAMES:
		for (size_t i = 0; i < names->n; i++)
			if (strcmp(names->v[i], value) == 0)
				return wrong("'--%s' is given '%s' twice", r->name, value);
		add(rd->ctx, names, value);
		return true;
	case OPT_CHOICE:
	case OPT_MAYBE:
		return choose(r, value, (int *)(void *)at);
	case OPT_NUMBER:
		return number(r, value, (unsigned *)(void *)at);
	}
	return false;
}

/* An option with its value in the same word, or in the next. */
static bool with_value(struct reader *rd, const struct option_row *r, const char *value)
{
	if (r->kind == OPT_FLAG) {
		if (value)
			return wrong("'--%s' takes no value", r->name);
	} else if (!value && r->kind == OPT_MAYBE) {
		value = r->values[1];
	} else if (!value) {
		if (rd->at >= rd->argc)
			return wrong("'--%s' wants %s", r->name, r->arg);
		value = rd->argv[rd->at++];
	}
	if (value && !value[r->kind == OPT_COMMAND ? strspn(value, COMMAND_BLANKS) : 0])
		return wrong("'--%s' wants %s", r->name, r->arg);
	return take(rd, r, value);
}

static bool long_option(struct reader *rd, const char *arg)
{
	size_t n = strcspn(arg + 2, "=");
	const char *name = talloc_strndup(rd->ctx, arg + 2, n);
	const char *value = arg[2 + n] ? arg + 3 + n : NULL;

	for (const struct option_row *r = option_rows; r->name; r++) {
		if (strcmp(r->name, name) == 0)
			return with_value(rd, r, value);
	}
	return unknown(arg, near_option(name));
}

static bool short_option(struct reader *rd, const char *arg)
{
	for (const struct option_row *r = option_rows; r->name; r++) {
		if (r->letter && r->letter == arg[1])
			return with_value(rd, r, arg[2] ? arg + 2 : NULL);
	}
	return unknown(arg, NULL);
}

static bool command_word(struct reader *rd, const char *arg)
{
	const char *all[CMD_COUNT];

	for (int i = 0; i < CMD_COUNT; i++) {
		all[i] = commands[i].name;
		if (strcmp(arg, all[i]) == 0) {
			rd->o->command = (enum command)i;
			rd->has_command = true;
			return true;
		}
	}
	const char *near = diag_near(arg, all, CMD_COUNT);

	if (near)
		return wrong("unknown command '%s', did you mean '%s'?", arg, near);
	return wrong("unknown command '%s'", arg);
}

static bool read_words(struct reader *rd)
{
	bool only_words = false;

	while (rd->at < rd->argc) {
		const char *arg = rd->argv[rd->at++];
		bool ok = true;

		if (only_words || arg[0] != '-' || !arg[1]) {
			if (rd->has_command)
				add(rd->ctx, &rd->words, arg);
			else
				ok = command_word(rd, arg);
		} else if (strcmp(arg, "--") == 0) {
			only_words = true;
		} else {
			ok = arg[1] == '-' ? long_option(rd, arg) : short_option(rd, arg);
		}
		if (!ok)
			return false;
	}
	return true;
}

/* An option that the command doesn't heed is refused rather than passed over, whatever it says. */
static bool options_fit(const struct reader *rd)
{
	enum command c = rd->o->command;

	for (size_t i = 0; i < NROWS; i++) {
		const struct option_row *r = &option_rows[i];

		if (rd->given[i] && r->commands && !(r->commands & ON(c)))
			return wrong("'--%s' means nothing to 'ucopy %s'", r->name, commands[c].name);
	}
	return true;
}

static bool place_words(const struct reader *rd)
{
	struct options *o = rd->o;
	const struct command_row *c = &commands[o->command];

	if (rd->words.n < (size_t)c->least || (c->most >= 0 && rd->words.n > (size_t)c->most))
		return wrong("usage: ucopy %s %s", c->name, c->args);
	o->specs = rd->words;
	if (o->command == CMD_EXPLAIN || o->command == CMD_WHY_NOT) {
		o->specs.n = 1;
		add(rd->ctx, &o->routines, rd->words.v[1]);
		o->text = rd->words.v[rd->words.n - 1];
	}
	return true;
}

bool options_read(void *ctx, int argc, char **argv, struct options *ret, int *ret_status)
{
	struct options o = { .command = CMD_CHECK };
	struct reader rd = { .ctx = ctx, .argc = argc, .at = 1, .argv = argv, .o = &o };

	*ret_status = EXIT_USAGE;
	if (!read_words(&rd))
		return false;
	if (o.help != HELP_NONE || o.version) {
		if (o.help != HELP_NONE)
			help_print(stdout, (enum help_form)o.help);
		else
			puts("ucopy " UCOPY_VERSION);
		*ret_status = EXIT_DONE;
		return false;
	}
	if (!rd.has_command)
		return wrong("no command");
	if (!options_fit(&rd) || !place_words(&rd))
		return false;
	*ret = o;
	return true;
}
