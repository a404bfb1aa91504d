/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A place in a source text.  Line and column are worked out only when a message needs them. */
#ifndef UCOPY_PLACE_H
#define UCOPY_PLACE_H

#include <stdint.h>

struct source;

struct place {
	const struct source *source;	/* NULL: made by the compiler */
	uint32_t start, end;		/* byte offsets of the first byte and behind the last */
};

#endif
