/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What can't be lowered, in words. */
#include <talloc.h>

#include "lowering.h"

static void note_nearest(struct lowering *l, const struct failure *f)
{
	if (f->miss.pattern)
		diag_note(l->d, f->miss.pattern->place, "nearest is this line, but %s", f->miss.text);
}

static const char *wording(struct lowering *l, const struct failure *f)
{
	switch (f->want) {
	case WANT_REGISTER:
		return talloc_asprintf(l->ctx, "no register is left for `%s`", f->text);
	case WANT_VALUE:
		return talloc_asprintf(l->ctx, "`%s` has no value here", f->text);
	case WANT_NOTHING:
	case WANT_LESS:
		return f->text;
	case WANT_INSTRUCTION:
		break;
	}
	return talloc_asprintf(l->ctx, "no instruction %s%s", l->wanted ? l->wanted : talloc_asprintf(l->ctx, "does `%s`", f->text),
			       f->starved ? ", and no register is left to do it in parts" : "");
}

/* Nor would any be if less were in use. */
static void note_none_free(struct lowering *l, const struct failure *f)
{
	const struct reg_class *c = &l->m->classes[f->reg_class];

	if (f->want != WANT_REGISTER && !f->starved)
		return;
	for (size_t k = 0; k < l->m->nfree; k++)
		if (class_position(c, l->m->free[k]) >= 0)
			return;
	diag_note(l->d, c->place, "of class `%s` there is no register in `free`", c->name);
}

void report_failure(struct lowering *l, const struct failure *f)
{
	static const enum diag_id ids[] = { DIAG_NO_INSTRUCTION, DIAG_NO_REGISTER, DIAG_NOT_CONSTANT, DIAG_NO_WAY,
					     DIAG_ROUTINE_LARGE };

	diag_error(l->d, ids[f->want], f->place, "%s", wording(l, f));
	note_nearest(l, f);
	note_none_free(l, f);
	note_expansions(l, f->scope);
}

void note_failure(struct lowering *l, const struct failure *f)
{
	diag_note(l->d, f->place, "%s", wording(l, f));
	note_nearest(l, f);
	note_none_free(l, f);
}
