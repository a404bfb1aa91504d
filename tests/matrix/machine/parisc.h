/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "parisc"
#define MACHINE_SITE_MASK (~(uintptr_t)3) /* the lowest bits of an address are the privilege level */

static const char *const machine_regs[] = {
	"r3",	 "r4",	  "r5",	   "r6",    "r7",    "r8",    "r9",    "r10",	"r11",	 "r12",
	"r13",	 "r14",	  "r15",   "r16",   "r17",   "r18",   "fr12L", "fr12R", "fr13L", "fr13R",
	"fr14L", "fr14R", "fr15L", "fr15R", "fr16L", "fr16R", "fr17L", "fr17R", "fr18L", "fr18R",
	"fr19L", "fr19R", "fr20L", "fr20R", "fr21L", "fr21R", "sp",    "dp",
};

static inline void machine_want(unsigned long *want)
{
	(void)want;
}

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return context->uc_mcontext.sc_iaoq[0];
}

/* Both entries of the instruction queue, or the one behind a branch would still run. */
static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.sc_iaoq[0] = pc | 3;
	context->uc_mcontext.sc_iaoq[1] = (pc + 4) | 3;
}
