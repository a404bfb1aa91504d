/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A pattern with its operands bound: what proof, interpreter and planner run. */
#ifndef UCOPY_INSTANTIATE_H
#define UCOPY_INSTANTIATE_H

#include "ir.h"

/*
 * May the operands be these?  Classes, views, ranges, list lengths and orders, registers that must differ, needs over
 * constants.  Else *ret_why (may be NULL) says in a few words what is wrong.
 */
bool operands_fit(void *ctx, const struct machine *m, const struct pattern *p, const union operand_value *v, const char **ret_why);

/*
 * The effect of each line with operands bound, into ret_steps[0 .. p->nlines - 1]; false, and nothing written, when
 * operands_fit says no.  Lists are unrolled, constants folded, reads of the zero register are 0, labels are in
 * action.label, relations in cond.rel.  Leaves are EX_REG, EX_CONST, EX_FEATURE, and EX_TEXT for a space (kid 2 of
 * EX_MEM).  Clobbers and needs of states stay; needs over constants are gone.
 */
bool instantiate(void *ctx, const struct machine *m, const struct pattern *p, const union operand_value *v,
		 struct step *ret_steps);

#endif
