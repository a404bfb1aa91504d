/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but %r12 to %r15, runs a case, stores them. */
	.macro	each insn
	.set	at, 0
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\insn	%r\n, at(%r13)
	.set	at, at + 32
	.endr
	.endm

	.text
	.globl	pattern_run, pattern_done
pattern_run:
	stmg	%r6, %r15, 48(%r15)
	lgr	%r12, %r2
	larl	%r13, pattern_cpu
	each	lg
	br	%r12
pattern_done:
	larl	%r13, pattern_cpu
	each	stg
	larl	%r13, pattern_taken
	stg	%r12, 0(%r13)
	lmg	%r6, %r15, 48(%r15)
	br	%r14

	.section .note.GNU-stack,"",%progbits
