/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the order of machine/x86_64.S; of two names one is the lower half of the other. */
#define REGISTERS "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "rbx", "r12", "r13", "r14", "r15", \
	"xmm0|ymm0", "xmm1|ymm1", "xmm2|ymm2", "xmm3|ymm3", "xmm4|ymm4", "xmm5|ymm5", "xmm6|ymm6", "xmm7|ymm7", \
	"xmm8|ymm8", "xmm9|ymm9", "xmm10|ymm10", "xmm11|ymm11", "xmm12|ymm12", "xmm13|ymm13", "xmm14|ymm14", "xmm15|ymm15"
