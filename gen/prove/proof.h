/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of a proof. */
#ifndef UCOPY_PROOF_H
#define UCOPY_PROOF_H

#include "engine.h"
#include "prove.h"

struct proof {
	const struct program *p;
	struct engine *e;		/* NULL: it has none */
	struct flow *flow;
	const char *why;		/* it came to no end, in words; NULL: it did */
};

#endif
