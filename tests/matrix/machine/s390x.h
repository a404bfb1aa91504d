/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "s390x"
#define MACHINE_ADDRESS_GRANULE 4096 /* the fault address names a page */

static const char *const machine_regs[] = {
	"r6", "r7",  "r8",  "r9",  "r10", "r11", "r12", "r13", "f8",
	"f9", "f10", "f11", "f12", "f13", "f14", "f15", "r15",
};

static inline void machine_want(unsigned long *want)
{
	(void)want;
}

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return context->uc_mcontext.psw.addr;
}

static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.psw.addr = pc;
}
