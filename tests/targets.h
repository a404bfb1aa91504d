/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The targets of the last machine of a spec, one after the other. */
#ifndef TESTS_TARGETS_H
#define TESTS_TARGETS_H

#include <string.h>
#include <talloc.h>

#include "ast_spec.h"
#include "resolve.h"

struct targets { const char **names; size_t n; };

static inline void targets_add(void *ctx, struct targets *all, const char *name, const char *only)
{
	if (only && strcmp(only, name) != 0)
		return;
	all->names = talloc_realloc(ctx, all->names, const char *, (unsigned)all->n + 1);
	all->names[all->n++] = name;
}

/* only: no other than this one; NULL: all.  None at all is one without a name: resolving it says what is wrong. */
static inline struct targets targets_of(void *ctx, const struct tree *t, const char *only)
{
	struct targets all = { NULL, 0 };
	const struct spec_machine *m = t->nmachines ? t->machines[t->nmachines - 1] : NULL;

	for (size_t i = 0; m && i < m->body.ntargets; i++)
		targets_add(ctx, &all, m->body.targets[i]->name.name, only);
	for (size_t i = 0; m && i < t->ntargets; i++)
		if (t->targets[i]->of.name && strcmp(t->targets[i]->of.name, m->name.name) == 0)
			targets_add(ctx, &all, t->targets[i]->name.name, only);
	if (!all.n) {
		all.names = talloc_realloc(ctx, all.names, const char *, 1);
		all.names[all.n++] = only;
	}
	return all;
}

/* All of a machine is checked when its first target is resolved. */
static inline struct machine *targets_resolve(void *ctx, struct diag *d, const struct tree *t, const struct targets *all, size_t i)
{
	return (i ? resolve_next : resolve_machine)(ctx, d, t, NULL, all->names[i]);
}

#endif
