/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <signal.h>
#include <ucontext.h>

#define MACHINE_NAME "sparc64"

/* The window's own registers, and those that belong to the system or the application. */
static const char *const machine_regs[] = {
	"%l0", "%l1", "%l2", "%l3", "%l4", "%l5", "%l6", "%l7", "%i0", "%i1",
	"%i2", "%i3", "%i4", "%i5", "%g2", "%g3", "%g6", "%g7", "%o6",
};

static inline void machine_want(unsigned long *want)
{
	(void)want;
}

/* What a handler gets here is no ucontext. */
static inline uintptr_t machine_pc(const void *context)
{
	return ((const struct sigcontext *)context)->sigc_regs.tpc;
}

static inline void machine_set_pc(void *context, uintptr_t pc)
{
	((struct sigcontext *)context)->sigc_regs.tpc = pc;
	((struct sigcontext *)context)->sigc_regs.tnpc = pc + 4;
}
