/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers that lowering may use: taken in the order of the spec, given back when a `{ }` or a need ends. */
#ifndef UCOPY_ALLOC_H
#define UCOPY_ALLOC_H

#include "ir.h"

struct alloc {
	const struct machine *machine;
	struct regset there;		/* free now */
};

/* All that a routine may use, but for the registers in `taken`: the spec's `free`, and arguments it doesn't have. */
struct alloc alloc_new(const struct machine *m, const struct regset *taken);
/* Adds the registers a frame saves. */
void alloc_saved(struct alloc *a);
/* The class a `temp name : role` is of: the one by that name, or the first.  role may be NULL. */
int alloc_class(const struct machine *m, const char *role);
size_t alloc_count(const struct alloc *a, int reg_class);
/* A register that calls leave alone, of those a frame saves; -1: there is none. */
int alloc_take_kept(struct alloc *a);
/* A register of a class; -1: there is none. */
int alloc_take(struct alloc *a, int reg_class);

#endif
