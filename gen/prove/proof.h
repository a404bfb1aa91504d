/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The inside of a proof. */
#ifndef UCOPY_PROOF_H
#define UCOPY_PROOF_H

#include "engine.h"
#include "prove.h"

struct proof {
	struct engine *e;
	struct flow *flow;
};

#endif
