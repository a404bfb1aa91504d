/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Names that are asked for when templates are compiled.  One that nobody could mean is an error wherever it stands,
 * expanded or not: for this machine it would just be false.
 */
#ifndef UCOPY_NAMES_H
#define UCOPY_NAMES_H

#include "ast_spec.h"
#include "diag.h"

/* Names that are known everywhere, and their values for machine m, routine info and the registers free. */
#define KNOWN_NAMES(K) \
	K("word", m->width) K("regs", regs) K("unaligned", m->access != ACCESS_ALIGNED) \
	K("mixed", m->access == ACCESS_MIXED) K("big", m->order == BIG) K("little", m->order == LITTLE) \
	K("zeroreg", m->zero >= 0) K("granule", m->granule) K("each", m->update == UPDATE_EACH) \
	K("src_user", info->src_user) K("dst_user", info->dst_user) K("dst_stream", info->dst_stream) \
	K("result_dst", info->contract == CONTRACT_RESULT_DST) K("zeroing", info->zeroing)

/* Tunes that mean something to the compiler itself: no template has to declare them. */
extern const char *const own_tunes[];

/* Tunes, flags, features and classes that all of the tree's templates ask for, then check_twice; errors are in d. */
void check_names(void *ctx, struct diag *d, const struct tree *t);
#define CANDIDATES_MAX 16			/* of a tune: each is compiled and measured */

/* What tunes may be tuned by: routines that are there, candidates of which none is given twice. */
void check_tunes(void *ctx, struct diag *d, const struct templates *t);
/* Machines, targets, variants, macros, routines and their symbols: one of each name. */
void check_twice(void *ctx, struct diag *d, const struct tree *t);

#endif
