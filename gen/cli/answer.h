/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What each command gives back once everything is proved. */
#ifndef UCOPY_ANSWER_H
#define UCOPY_ANSWER_H

#include "driver.h"

/* Returns how to end.  What goes wrong here (a file that can't be written) is said in run->diag. */
int answer(struct run *run);

#endif
