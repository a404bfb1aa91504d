/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "bench_units.h"

#include <string.h>

#include "array.h"

static bool emits(const struct machine *m, const char *routine)
{
	for (size_t i = 0; i < m->target.nemit; i++)
		if (strcmp(m->target.emit[i], routine) == 0)
			return true;
	return false;
}

static bool is_threshold(const struct machine *m, const struct declared *tune)
{
	return tune->between[0].name && emits(m, tune->between[0].name) && emits(m, tune->between[1].name);
}

static bool is_method(const struct templates *t, const struct machine *m, const char *routine)
{
	for (size_t i = 0; i < t->ntunes; i++)
		for (int k = 0; k < 2; k++)
			if (is_threshold(m, &t->tunes[i]) && strcmp(t->tunes[i].between[k].name, routine) == 0)
				return true;
	return false;
}

/* The same machine, with another value of one tune. */
static const struct machine *with_tune(void *ctx, const struct machine *m, const char *tune, uint64_t value)
{
	struct machine *other = talloc_memdup(ctx, m, sizeof *m);

	other->tunes = talloc_memdup(other, m->tunes, m->ntunes * sizeof *m->tunes);
	for (size_t i = 0; i < m->ntunes; i++)
		if (strcmp(m->tunes[i].name, tune) == 0)
			other->tunes[i].value = value;
	return other;
}

static bool add_candidates(struct run *run, const struct tree *t, const struct machine *m, const char *routine)
{
	for (size_t i = 0; i < t->templates.ntunes; i++) {
		const struct declared *tune = &t->templates.tunes[i];

		for (size_t k = 0; k < tune->nof; k++) {
			struct unit *u;

			if (tune->of[k] == machine_tune(m, tune->name))
				continue;
			u = run_add_unit(run, t, with_tune(run, m, tune->name, tune->of[k]), routine);
			if (!u)
				return false;
			u->tune = tune->name;
			u->value = tune->of[k];
		}
	}
	return true;
}

bool bench_units(struct run *run, const struct tree *t, const struct machine *m)
{
	bool any = false;

	for (size_t i = 0; i < t->templates.ntunes; i++)
		any |= is_threshold(m, &t->templates.tunes[i]);
	if (!any || run->nunits)
		return true;
	for (size_t i = 0; i < m->target.nemit; i++)
		if (!run_add_unit(run, t, m, m->target.emit[i]))
			return false;
	/* what a profile has chosen is not chosen again, but measured */
	for (size_t i = 0; i < m->target.nemit && !run->profile; i++)
		if (is_method(&t->templates, m, m->target.emit[i]) && !add_candidates(run, t, m, m->target.emit[i]))
			return false;
	return true;
}

void bench_units_there(struct run *run, const char *spec)
{
	struct place nowhere = { NULL, 0, 0 };

	if (!run->nunits)
		diag_error(run->diag, DIAG_NO_METHODS, nowhere,
			   "%s: no target emits both routines that a tune is `between`, so there is nothing to choose from", spec);
}
