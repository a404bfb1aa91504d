/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but %r2, %r11 to %r18, %r27, %r30 and those of FP that are no operands, runs a case, stores them. */
	.level	2.0
	.macro	general insn
	.set	at, 32
	.irp	n, 1, 3, 4, 5, 6, 7, 8, 9, 10, 19, 20, 21, 22, 23, 24, 25, 26, 28, 29, 31
	\insn	\n
	.set	at, at + 32
	.endr
	.endm
	.macro	floating insn
	.set	at, 0
	.irp	n, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\insn	\n
	.set	at, at + 32
	.endr
	.endm
	.macro	load n
	ldw	at(%r12), %r\n
	.endm
	.macro	store n
	stw	%r\n, at(%r12)
	.endm
	.macro	fload n
	ldo	at(%r12), %r13
	fldd	0(%r13), %fr\n
	.endm
	.macro	fstore n
	ldo	at(%r12), %r13
	fstd	%fr\n, 0(%r13)
	.endm
	.macro	address symbol
	ldil	L%\symbol, %r12
	ldo	R%\symbol(%r12), %r12
	.endm
	.macro	saved insn
	.set	at, -96
	.irp	n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
	\insn	\n
	.set	at, at + 4
	.endr
	.endm
	.macro	saved_floating insn
	.set	at, -192
	.irp	n, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21
	\insn	\n
	.set	at, at + 8
	.endr
	.endm
	.macro	fspill n
	fstd	%fr\n, at(%r30)
	.endm
	.macro	ffill n
	fldd	at(%r30), %fr\n
	.endm
	.macro	spill n
	stw	%r\n, at(%r30)
	.endm
	.macro	fill n
	ldw	at(%r30), %r\n
	.endm

	.text
	.globl	pattern_run, pattern_done
	.type	pattern_run, @function
	.type	pattern_done, @function
pattern_run:
	stw	%r2, -20(%r30)
	ldo	192(%r30), %r30
	saved	spill
	saved_floating fspill
	copy	%r26, %r11
	address	pattern_cpu
	ldo	21 * 32(%r12), %r12
	floating fload
	address	pattern_cpu
	ldw	0(%r12), %r1
	mtsar	%r1
	general	load
	bv	%r0(%r11)
	nop
pattern_done:
	address	pattern_cpu
	general	store
	mfctl	%sar, %r1
	stw	%r1, 0(%r12)
	ldo	21 * 32(%r12), %r12
	floating fstore
	address	pattern_taken
	stw	%r11, 0(%r12)
	saved_floating ffill
	saved	fill
	ldo	-192(%r30), %r30
	ldw	-20(%r30), %r2
	bv	%r0(%r2)
	nop

	.section .note.GNU-stack,"",@progbits
