/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "alpha"

static const char *const machine_regs[] = {
	"$9", "$10", "$11", "$12", "$13", "$14", "$15", "f2", "f3",
	"f4", "f5",  "f6",  "f7",  "f8",  "f9",	 "sp",	"gp",
};

static inline void machine_want(unsigned long *want)
{
	(void)want;
}

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.sc_pc;
}

static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.sc_pc = (long)pc;
}
