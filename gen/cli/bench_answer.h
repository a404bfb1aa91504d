/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* `ucopy bench`: the answer once all is compiled. */
#ifndef UCOPY_BENCH_ANSWER_H
#define UCOPY_BENCH_ANSWER_H

#include "driver.h"

/* Measures, prints the table, writes the profile and the picture.  Returns how to end. */
int bench_answer(struct run *run);

#endif
