/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but $9 to $15, $26 and those from $29 on, runs a case, stores them. */
	.set	noat
	.set	noreorder
	.macro	each insn
	off = 0
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 27, 28
	\insn	$\n, off($9)
	off = off + 32
	.endr
	.endm
	.macro	saved insn
	off = 0
	.irp	n, 9, 10, 11, 12, 13, 14, 15, 26, 29
	\insn	$\n, off($30)
	off = off + 8
	.endr
	.endm

	.text
	.globl	pattern_run, pattern_done
	.ent	pattern_run
pattern_run:
	ldgp	$29, 0($27)
	lda	$30, -96($30)
	saved	stq
	mov	$16, $11
	lda	$9, pattern_cpu
	each	ldq
	jmp	$31, ($11)
pattern_done:
	lda	$9, pattern_cpu
	each	stq
	lda	$9, pattern_taken
	stq	$11, 0($9)
	saved	ldq
	lda	$30, 96($30)
	ret	$31, ($26)
	.end	pattern_run

	.section .note.GNU-stack,"",@progbits
