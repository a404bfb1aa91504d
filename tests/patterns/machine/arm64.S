/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but x27 to x30 and sp, runs a case, stores them. */
	.macro	each insn
	.set	at, 0
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26
	\insn	x\n, [x28, at]
	.set	at, at + 32
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\insn	q\n, [x28, at]
	.set	at, at + 32
	.endr
	.endm
	.macro	cpu
	adrp	x28, pattern_cpu
	add	x28, x28, :lo12:pattern_cpu
	.endm

	.text
	.globl	pattern_run, pattern_done
pattern_run:
	stp	x29, x30, [sp, #-96]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	mov	x30, x0
	cpu
	each	ldr
	br	x30
pattern_done:
	cpu
	each	str
	adrp	x28, pattern_taken
	str	x27, [x28, :lo12:pattern_taken]
	ldp	x19, x20, [sp, #16]
	ldp	x21, x22, [sp, #32]
	ldp	x23, x24, [sp, #48]
	ldp	x25, x26, [sp, #64]
	ldp	x27, x28, [sp, #80]
	ldp	x29, x30, [sp], #96
	ret

	.section .note.GNU-stack,"",%progbits
