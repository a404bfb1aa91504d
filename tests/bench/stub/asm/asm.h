/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Table entries in the form the fault matrix reads: the stock routines can be put through it as well. */
#ifndef STUB_ASM_H
#define STUB_ASM_H

.macro STUB_ENTRY site, fixup
	.pushsection __ex_table, "a"
	.p2align 2
	.long	\site - .
	.long	\fixup - .
	.popsection
.endm
#define _ASM_EXTABLE_UA(site, fixup) STUB_ENTRY site, fixup
#define _ASM_EXTABLE(site, fixup) STUB_ENTRY site, fixup
#define _ASM_EXTABLE_TYPE(site, fixup, type) STUB_ENTRY site, fixup

#endif
