/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "mips"
#define MACHINE_SLOT 4

static const char *const machine_regs[] = {
	"s0",  "s1",  "s2",  "s3",  "s4",  "s5",  "s6", "s7", "fp",
	"f20", "f22", "f24", "f26", "f28", "f30", "sp", "gp",
};

static inline void machine_want(unsigned long *want)
{
	(void)want;
}

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.pc;
}

static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.pc = pc;
}
