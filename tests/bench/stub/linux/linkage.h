/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a kernel's assembly file needs to assemble alone: functions as plain global symbols. */
#ifndef STUB_LINKAGE_H
#define STUB_LINKAGE_H

.macro SYM_FUNC_START name
	.globl	\name
	.type	\name, @function
	.p2align 4
\name:
.endm
.macro SYM_FUNC_START_LOCAL name
	.type	\name, @function
	.p2align 4
\name:
.endm
.macro SYM_FUNC_END name
	.size	\name, . - \name
.endm
.macro SYM_FUNC_ALIAS alias, name
	.globl	\alias
	.set	\alias, \name
.endm
#define SYM_TYPED_FUNC_START(name) SYM_FUNC_START name
#define SYM_FUNC_START(name) SYM_FUNC_START name
#define SYM_FUNC_START_LOCAL(name) SYM_FUNC_START_LOCAL name
#define SYM_FUNC_END(name) SYM_FUNC_END name
#define SYM_FUNC_ALIAS(alias, name) SYM_FUNC_ALIAS alias, name
#define SYM_FUNC_ALIAS_MEMFUNC(alias, name)
#define RET ret
#define EXPORT_SYMBOL(name)
#define EXPORT_SYMBOL_GPL(name)

	.section .note.GNU-stack, "", @progbits
	.text

#endif
