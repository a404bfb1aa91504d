/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "help.h"

#include <string.h>

#include "optable.h"

static void print_values(FILE *out, const struct option_row *r, const char *between)
{
	/* `none` is what it is without the option */
	int first = strcmp(r->values[0], "none") == 0;

	for (int i = first; r->values[i]; i++)
		fprintf(out, "%s%s", i > first ? between : "", r->values[i]);
}

static void text_option(FILE *out, const struct option_row *r)
{
	int width = 4;

	fprintf(out, r->letter ? "  -%c, " : "      ", r->letter);
	width += fprintf(out, "--%s", r->name);
	if (r->kind == OPT_MAYBE)
		width += fprintf(out, "[=%s]", r->arg);
	else if (r->arg)
		width += fprintf(out, "=%s", r->arg);
	fprintf(out, "%*s%s", width < 26 ? 26 - width : 1, "", r->help);
	if (r->values) {
		fputs("; ", out);
		print_values(out, r, ", ");
	}
	fputc('\n', out);
}

static void help_text(FILE *out)
{
	fputs("Usage: ucopy COMMAND [OPTION...] ARGUMENT...\n\n"
	      "Compiles user-copy routines and their exception tables from a description of a machine,\n"
	      "and proves for each fault site that the residual returned is right.\n\nCommands:\n", out);
	for (int i = 0; i < CMD_COUNT; i++) {
		int width = fprintf(out, "  %s %s", commands[i].name, commands[i].args);

		fprintf(out, "%*s%s\n", width < 28 ? 28 - width : 1, "", commands[i].help);
	}
	fputs("\nOptions:\n", out);
	for (const struct option_row *r = option_rows; r->name; r++)
		text_option(out, r);
	fputs("\nExit status: 0 done, 1 the input is wrong, 2 usage, 3 a proof failed, a file could not be written,\n"
	      "or what is measured could not be built or run.\n", out);
}

static void man_text(FILE *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '-')
			fputc('\\', out);
		fputc(*text, out);
	}
}

static void man_option(FILE *out, const struct option_row *r)
{
	fputs(".TP\n", out);
	if (r->letter)
		fprintf(out, "\\fB\\-%c\\fR \\fI%s\\fR, ", r->letter, r->arg);
	fprintf(out, "\\fB\\-\\-%s\\fR", r->name);
	if (r->arg)
		fprintf(out, r->kind == OPT_MAYBE ? "[=\\fI%s\\fR]" : "=\\fI%s\\fR", r->arg);
	fputc('\n', out);
	man_text(out, r->help);
	if (r->values) {
		fputs("; ", out);
		print_values(out, r, ", ");
	}
	fputc('\n', out);
}

static void help_man(FILE *out)
{
	fputs(".SH COMMANDS\n", out);
	for (int i = 0; i < CMD_COUNT; i++) {
		fputs(".TP\n\\fB", out);
		man_text(out, commands[i].name);
		fprintf(out, "\\fR \\fI%s\\fR\n", commands[i].args);
		man_text(out, commands[i].help);
		fputc('\n', out);
	}
	fputs(".SH OPTIONS\n", out);
	for (const struct option_row *r = option_rows; r->name; r++)
		man_option(out, r);
}

static void bash_values(FILE *out)
{
	for (const struct option_row *r = option_rows; r->name; r++) {
		if (r->kind == OPT_CHOICE) {
			fprintf(out, "\t--%s) COMPREPLY=($(compgen -W '", r->name);
			print_values(out, r, " ");
			fputs("' -- \"$word\")); return;;\n", out);
		}
	}
}

static void help_bash(FILE *out)
{
	fputs("# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause\n"
	      "_ucopy()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
	      "\tif [ \"$word\" = = ]; then word=; elif [ \"$before\" = = ]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	      "\tcase $before in\n", out);
	bash_values(out);
	fputs("\tesac\n\tcase $word in\n\t-*) COMPREPLY=($(compgen -W '", out);
	for (const struct option_row *r = option_rows; r->name; r++)
		fprintf(out, "%s--%s", r == option_rows ? "" : " ", r->name);
	fputs("' -- \"$word\")); return;;\n\tesac\n"
	      "\tif [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W '", out);
	for (int i = 0; i < CMD_COUNT; i++)
		fprintf(out, "%s%s", i ? " " : "", commands[i].name);
	fputs("' -- \"$word\"))\n\telse COMPREPLY=($(compgen -f -- \"$word\")); fi\n}\ncomplete -F _ucopy ucopy\n", out);
}

void help_print(FILE *out, enum help_form form)
{
	if (form == HELP_MAN)
		help_man(out);
	else if (form == HELP_BASH)
		help_bash(out);
	else
		help_text(out);
}
