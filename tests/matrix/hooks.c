/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The kernel's part of routines that copy while a page is held: it holds a page of the destination as often as a trial
 * grants it, if all of the page is accessible, and sees that pages are let go.
 */
#include "matrix.h"
#include MACHINE_H

static const struct arena *arena;
static struct trial *watched;
static bool held, wide;
static int grants;

void hooks_watch(const struct arena *user, struct trial *trial)
{
	arena = user;
	watched = trial;
	held = wide = false;
	grants = trial->grants;
}

bool hooks_done(void)
{
	return !held && !wide && !watched->misheld;
}

/* What a function of C may destroy is destroyed. */
static unsigned long answer(unsigned long result)
{
#ifdef machine_scramble
	machine_scramble();
#endif
	return result;
}

unsigned long ucopy_pin(const void *address)
{
	const unsigned char *start = (const unsigned char *)((uintptr_t)address & -(uintptr_t)page);

	watched->misheld |= held || (const unsigned char *)address < watched->dst ||
			    (const unsigned char *)address >= watched->dst + watched->n;
	held = grants && arena_reach(arena, start, page) == page;
	grants -= held && grants > 0;
	/* any bit may be the one that is set */
	return answer(held ? 1ul << watched->serial % (8 * sizeof(unsigned long)) : 0);
}

void ucopy_unpin(void)
{
	watched->misheld |= !held;
	held = false;
	answer(0);
}

/* Between these two registers are the routine's. */
void ucopy_fpu_begin(void)
{
	watched->misheld |= wide;
	wide = true;
#ifdef machine_wide_begin
	machine_wide_begin();
#endif
	answer(0);
}

void ucopy_fpu_end(void)
{
	watched->misheld |= !wide;
	wide = false;
#ifdef machine_wide_end
	machine_wide_end();
#endif
	answer(0);
}

void ucopy_touch(const void *address)
{
	(void)address;
	answer(0);
}
