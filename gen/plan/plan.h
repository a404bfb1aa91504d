/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A fixup for every fault site.  After a fault the routine resumes where the template's `resume` clause says, and there
 * the cursors must hold the arguments moved by some w <= W (W: bytes written so far).  The planner picks w, finds for
 * each cursor a sum of registers that has its value at the site, and appends code that computes it:
 *
 *	direct	w from the registers as they are, then return	ladder	w = W by constants, then return
 *	retry	w from the registers as they are, then bytes	both	w = W by constants, then bytes
 *
 * Which of these is right is not decided here: the proof doesn't know how a fixup was chosen.
 */
#ifndef UCOPY_PLAN_H
#define UCOPY_PLAN_H

#include "diag.h"
#include "ir.h"

/*
 * Plans the fixups of a lowered program, appends their code, sets insn.fixup of every site, and drops instructions that
 * are reached neither by control flow nor by a fault.  False when a site can't be resumed (an error says which).
 */
bool plan_fixups(void *ctx, struct diag *d, struct program *p);

#endif
