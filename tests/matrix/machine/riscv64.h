/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "riscv64"

static const char *const machine_regs[] = {
	"s0",  "s1",  "s2",  "s3",  "s4",  "s5",  "s6",	 "s7",	"s8",  "s9",   "s10",  "s11", "sp", "fs0",
	"fs1", "fs2", "fs3", "fs4", "fs5", "fs6", "fs7", "fs8", "fs9", "fs10", "fs11", "gp",  "tp",
};

static inline void machine_want(unsigned long *want)
{
	(void)want;
}

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return context->uc_mcontext.__gregs[REG_PC];
}

static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.__gregs[REG_PC] = pc;
}
