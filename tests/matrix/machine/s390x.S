/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(8 + 8 * (i))
#define RESULT	32
#define WANT	40
#define GOT	(40 + 8 * 48)

	.macro	kept_fp insn, base, at
	.irp	i, 8, 9, 10, 11, 12, 13, 14, 15
	\insn	%f\i, \at + 8 * (\i - 8)(\base)
	.endr
	.endm

	.text
	.globl	matrix_call
	.type	matrix_call, @function
matrix_call:
	stmg	%r6, %r15, 48(%r15)
	aghi	%r15, -232
	kept_fp	std, %r15, 160
	lgr	%r1, %r2
	stg	%r15, WANT + 8 * 16(%r1)
	lmg	%r6, %r13, WANT(%r1)
	kept_fp	ld, %r1, WANT + 64
	lmg	%r2, %r4, ARG(0)(%r1)
	lg	%r1, ROUTINE(%r1)
	/* nothing may be taken from a register that holds no argument */
	llihf	%r0, 0x8badf00d
	lgr	%r5, %r0
	basr	%r14, %r1
	larl	%r1, matrix_frame
	lg	%r1, 0(%r1)
	stg	%r2, RESULT(%r1)
	stg	%r15, GOT + 8 * 16(%r1)
	lg	%r15, WANT + 8 * 16(%r1)
	stmg	%r6, %r13, GOT(%r1)
	kept_fp	std, %r1, GOT + 64
	kept_fp	ld, %r15, 160
	aghi	%r15, 232
	lmg	%r6, %r15, 48(%r15)
	br	%r14
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", @progbits
