/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What each command gives back once everything is proved. */
#ifndef UCOPY_ANSWER_H
#define UCOPY_ANSWER_H

#include "driver.h"
#include "output.h"

/* Returns how to end.  What goes wrong here (a file that can't be written) is said in run->diag. */
int answer(struct run *run);

/* Writes files, all or none.  Returns how to end; what goes wrong is said. */
int answer_write(struct run *run, struct output_file **files, size_t n);

#endif
