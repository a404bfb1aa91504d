/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Arrays of talloc, whose own macros count in unsigned int. */
#ifndef UCOPY_ARRAY_H
#define UCOPY_ARRAY_H

#include <talloc.h>

#define ARRAY_NEW(ctx, type, n) talloc_zero_array(ctx, type, (unsigned)(n))
#define ARRAY_RESIZE(ctx, array, type, n) ((array) = talloc_realloc(ctx, array, type, (unsigned)(n)))

#endif
