/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * From the tree of a spec to a machine, for one target: families are expanded, inheritance and variants
 * applied, names bound, texts parsed and every rule checked that does not depend on a template.
 */
#ifndef UCOPY_RESOLVE_H
#define UCOPY_RESOLVE_H

#include "diag.h"
#include "machine.h"

struct tree;

/*
 * machine NULL: the last one of the root file.  target NULL: `plain`.  `NAME+VARIANT`: target NAME with that
 * variant's overlay; a target's own item `feature VARIANT yes` asks for it as well.  All variants and all other
 * targets of the machine are checked as well.
 * NULL when there were errors; all of them are in d then.  The result belongs to ctx.
 */
struct machine *resolve_machine(void *ctx, struct diag *d, const struct tree *t, const char *machine,
				const char *target);

/* Another target of a machine that was resolved before: all that stands beside it was checked then. */
struct machine *resolve_next(void *ctx, struct diag *d, const struct tree *t, const char *machine,
			     const char *target);

#endif
