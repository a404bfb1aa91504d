/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a tune may be tuned by: `of` candidates, `between` routines. */
#include <inttypes.h>
#include <string.h>

#include "array.h"
#include "names.h"

static bool is_routine(const struct templates *t, const char *name)
{
	for (size_t i = 0; i < t->nroutines; i++)
		if (strcmp(t->routines[i]->name, name) == 0)
			return true;
	return false;
}

static const char *near_routine(void *ctx, const struct templates *t, const char *name)
{
	const char **names = ARRAY_NEW(ctx, const char *, t->nroutines + 1);

	for (size_t i = 0; i < t->nroutines; i++)
		names[i] = t->routines[i]->name;
	return diag_near(name, names, t->nroutines);
}

static void check_between(void *ctx, struct diag *d, const struct templates *t, const struct declared *tune)
{
	for (size_t k = 0; tune->between[0].name && k < 2; k++) {
		const struct param *r = &tune->between[k];
		const char *near;

		if (is_routine(t, r->name))
			continue;
		near = near_routine(ctx, t, r->name);
		diag_error(d, DIAG_NO_ROUTINE, r->place, "unknown routine `%s`", r->name);
		if (near)
			diag_note(d, r->place, "there is `%s`", near);
	}
	if (tune->between[0].name && strcmp(tune->between[0].name, tune->between[1].name) == 0)
		diag_error(d, DIAG_TWICE, tune->between[1].place, "`%s` is given twice", tune->between[1].name);
}

static void check_candidates(struct diag *d, const struct declared *tune)
{
	if (tune->nof > CANDIDATES_MAX) {
		diag_error(d, DIAG_MANY, tune->of_place, "a tune has at most %d candidates", CANDIDATES_MAX);
		return;
	}
	for (size_t i = 0; i < tune->nof; i++)
		for (size_t k = 0; k < i; k++)
			if (tune->of[i] == tune->of[k]) {
				diag_error(d, DIAG_TWICE, tune->of_place, "candidate %" PRIu64 " is given twice", tune->of[i]);
				return;
			}
}

static void check_value(struct diag *d, const struct declared *tune, struct place at, uint64_t value)
{
	if (!tune_fits(tune, value))
		diag_error(d, DIAG_VALUE, at, "`%s` must be 0 to %" PRIu64 ", not %" PRIu64, tune->name, TUNE_NEVER, value);
}

static void check_values(struct diag *d, const struct declared *tune)
{
	check_value(d, tune, tune->place, tune->value);
	for (size_t i = 0; i < tune->nof; i++)
		check_value(d, tune, tune->of_place, tune->of[i]);
}

void check_tunes(void *ctx, struct diag *d, const struct templates *t)
{
	for (size_t i = 0; i < t->ntunes; i++) {
		check_between(ctx, d, t, &t->tunes[i]);
		check_candidates(d, &t->tunes[i]);
		check_values(d, &t->tunes[i]);
	}
}
