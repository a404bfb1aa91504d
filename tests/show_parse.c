/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parses the files named and prints their diagnostics: `show_parse [--json] [--colour] FILE...`. */
#include <string.h>

#include <talloc.h>

#include "parse.h"

int main(int argc, char **argv)
{
	void *ctx = talloc_new(NULL);
	struct diag *d = diag_new(ctx, 0);
	bool json = false, colour = false;
	unsigned errors;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--json"))
			json = true;
		else if (!strcmp(argv[i], "--colour"))
			colour = true;
		else
			parse_file(ctx, d, argv[i]);
	}
	errors = diag_errors(d);
	diag_flush(d, stderr, json, colour);
	talloc_free(ctx);
	return errors != 0;
}
