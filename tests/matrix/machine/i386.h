/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "i386"

static const char *const machine_regs[] = {
	"ebx", "ebp", "esi", "edi", "esp", "direction flag", "x87 control", "x87 tags",
};
enum { DF_REG = 5, X87_CONTROL_REG, X87_TAGS_REG };

static inline void machine_want(unsigned long *want)
{
	want[DF_REG] = 0;
	want[X87_CONTROL_REG] = 0x37f;
	want[X87_TAGS_REG] = 0xffff;
}

/* What a kernel does where it takes x87's registers, and where it gives them back. */
static unsigned char machine_x87[108] __attribute__((unused));
#define machine_wide_begin() __asm__ volatile("fnsave %0" : "=m"(machine_x87))
#define machine_wide_end() __asm__ volatile("frstor %0" : : "m"(machine_x87))

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return (uintptr_t)context->uc_mcontext.gregs[REG_EIP];
}

static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.gregs[REG_EIP] = (greg_t)pc;
}
