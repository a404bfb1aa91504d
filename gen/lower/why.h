/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Why lines of a spec were not taken, where lowering looked at them. */
#ifndef UCOPY_WHY_H
#define UCOPY_WHY_H

#include <stdio.h>

#include "lowering.h"

/* One reason at one place of a template; what is unrolled has many needs there. */
struct why_not {
	const struct pattern *pattern;
	struct place place;		/* of the need */
	const char *need, *reason;	/* need: the first one */
	unsigned times;
};

struct why {
	const char *text;		/* what the lines begin with */
	struct why_not *v;
	size_t n;
	struct why_taken { const struct pattern *pattern; unsigned times; } *taken;
	size_t ntaken;
};

/* Does the pattern's text begin so, as the spec writes it or, of a family, as it is printed? */
bool why_asked(const struct why *w, const struct pattern *p);

/* Lowering has decided what needs from `at` on become: best, worth so much; NULL: no pattern does it. */
void why_note(struct lowering *l, struct why *w, const struct needs *list, size_t at, const struct found *best, int worth);

/* False: no line begins so. */
bool why_print(FILE *out, const struct machine *m, const char *routine, const struct why *w);

#endif
