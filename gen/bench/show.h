/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Measurements for people: a table, and a picture. */
#ifndef UCOPY_SHOW_H
#define UCOPY_SHOW_H

#include "choose.h"

/* A line for each size and mix, a column for each method and alignment; behind them what is chosen. */
void bench_table(FILE *out, const struct bench *b, const struct bench_choice *choices, size_t n);

/* Bytes a nanosecond or an instruction over size, as SVG: a line for each method, thresholds marked. */
void bench_plot(FILE *out, const struct bench *b, const struct bench_choice *choices, size_t n);

/* Writes the tuning profile. */
void bench_profile(FILE *out, const struct bench *b, const struct bench_choice *choices, size_t n);

#endif
