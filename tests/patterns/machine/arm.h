/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the order of machine/arm.S. */
#define REGISTERS "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r12", "lr", \
	"d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "r10", "r11"
