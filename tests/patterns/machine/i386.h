/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the order of machine/i386.S. */
#define REGISTERS "eax", "ecx", "edx", "esi", "edi", "ebx", "ebp", \
	"mm0", "mm1", "mm2", "mm3", "mm4", "mm5", "mm6", "mm7"
