/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What can't be lowered, in words. */
#include "lowering.h"

static void note_nearest(struct lowering *l, const struct failure *f)
{
	if (f->miss.pattern)
		diag_note(l->d, f->miss.pattern->place, "nearest is this line, but %s", f->miss.text);
}

void report_failure(struct lowering *l, const struct failure *f)
{
	if (f->registers && !f->miss.pattern)
		diag_error(l->d, DIAG_NO_REGISTER, f->place, "no register is left for `%s`", f->text);
	else
		diag_error(l->d, DIAG_NO_INSTRUCTION, f->place, "no instruction does `%s`%s", f->text,
			   f->registers ? ", and no register is left to do it in parts" : "");
	note_nearest(l, f);
}

void note_failure(struct lowering *l, const struct failure *f)
{
	diag_note(l->d, f->place, "no %s `%s`", f->registers && !f->miss.pattern ? "register for" : "instruction does",
		  f->text);
	note_nearest(l, f);
}
