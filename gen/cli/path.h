/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Paths of files that may not be there yet. */
#ifndef UCOPY_PATH_H
#define UCOPY_PATH_H

#include <stdbool.h>

/* Are both the same file, or would be once it is written, however they are spelled? */
bool path_is(const char *a, const char *b);

#endif
