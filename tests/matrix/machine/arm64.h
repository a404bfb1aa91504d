/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include <ucontext.h>

#define MACHINE_NAME "arm64"

/* x18 belongs to the platform: a routine that is to run in a kernel leaves it alone. */
static const char *const machine_regs[] = {
	"x18", "x19", "x20", "x21", "x22", "x23", "x24", "x25", "x26", "x27", "x28",
	"x29", "d8",  "d9",  "d10", "d11", "d12", "d13", "d14", "d15", "sp",  "fpcr",
};
enum { SP_REG = 20, FPCR_REG };

static inline void machine_want(unsigned long *want)
{
	want[FPCR_REG] = 0;
}

static inline uintptr_t machine_pc(const ucontext_t *context)
{
	return context->uc_mcontext.pc;
}

static inline void machine_set_pc(ucontext_t *context, uintptr_t pc)
{
	context->uc_mcontext.pc = pc;
}
