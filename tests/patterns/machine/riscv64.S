/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but ra, sp, gp, tp and s9 to s11, runs a case, stores them. */
	.macro	each insn
	.set	at, 0
	.irp	r, a0, a1, a2, a3, a4, a5, a6, a7, t0, t1, t2, t3, t4, t5, t6, s0, s1, s2, s3, s4, s5, s6, s7, s8
	\insn	\r, at(s9)
	.set	at, at + 32
	.endr
	.irp	r, fa0, fa1, fa2, fa3, fa4, fa5, fa6, fa7, ft0, ft1, ft2, ft3, ft4, ft5, ft6, ft7
	f\insn	\r, at(s9)
	.set	at, at + 32
	.endr
	.endm
	.macro	saved insn
	.set	at, 0
	.irp	r, ra, s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11
	\insn	\r, at(sp)
	.set	at, at + 8
	.endr
	.endm

	.text
	.globl	pattern_run, pattern_done
pattern_run:
	addi	sp, sp, -112
	saved	sd
	mv	s11, a0
	la	s9, pattern_cpu
	each	ld
	jr	s11
pattern_done:
	la	s9, pattern_cpu
	each	sd
	la	s9, pattern_taken
	sd	s10, 0(s9)
	saved	ld
	addi	sp, sp, 112
	ret

	.section .note.GNU-stack,"",%progbits
