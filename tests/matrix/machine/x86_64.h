/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "x86_64"

static const char *const machine_regs[] = {
	"rbx", "rbp", "r12", "r13", "r14", "r15", "rsp", "direction flag", "mxcsr", "x87 control", "x87 tags",
};
enum { SP_REG = 6, DF_REG, MXCSR_REG, X87_CONTROL_REG, X87_TAGS_REG };

static inline void machine_want(unsigned long *want)
{
	want[DF_REG] = 0;
	want[MXCSR_REG] = 0x1f80;
	want[X87_CONTROL_REG] = 0x37f;
	want[X87_TAGS_REG] = 0xffff;
}

/* What a function may leave changed. */
#define machine_scramble()                                                                                              \
	__asm__ volatile("mov $0xa5, %%ecx\n\tmov $0x5a, %%edx\n\tlea -1(%%rcx), %%rsi\n\tlea -2(%%rcx), %%rdi\n\t"           \
			 "lea -3(%%rcx), %%r8\n\tlea -4(%%rcx), %%r9\n\tlea -5(%%rcx), %%r10\n\tlea -6(%%rcx), %%r11"       \
			 ::: "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11")

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
}

static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
}
