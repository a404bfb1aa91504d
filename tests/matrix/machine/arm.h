/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "arm"
#define MACHINE_SITE_MASK (~(uintptr_t)1) /* Thumb addresses have the lowest bit set */

static const char *const machine_regs[] = {
	"r4",  "r5",  "r6",  "r7",  "r8",  "r9",  "r10", "r11", "s16", "s17", "s18", "s19", "s20",
	"s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29", "s30", "s31", "sp",
};

/* What a function may leave changed. */
#define machine_scramble()                                                                                              \
	__asm__ volatile("mov r1, #0xa5\n\tmov r2, #0x5a\n\tmvn r3, #0x33\n\tmvn r12, #0xcc" ::: "r1", "r2", "r3", "r12")

static inline void machine_want(unsigned long *want)
{
	(void)want;
}

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return context->uc_mcontext.arm_pc;
}

/* As a kernel does: a fixup isn't within the conditional block of the instruction that faulted. */
static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.arm_pc = pc & MACHINE_SITE_MASK;
	context->uc_mcontext.arm_cpsr &= ~0x0600fc00ul;
}
