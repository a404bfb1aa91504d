/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(8 + 8 * (i))
#define RESULT	32
#define WANT	40
#define GOT	(40 + 8 * 48)

	.register %g2, #scratch
	.register %g3, #scratch
	.register %g6, #ignore
	.register %g7, #ignore
	.macro	own insn, at
	.set	where, \at
	.irp	r, l0, l1, l2, l3, l4, l5, l6, l7, i0, i1, i2, i3, i4, i5
	\insn	\r
	.set	where, where + 8
	.endr
	.endm
	.macro	load r
	ldx	[%g1 + where], %\r
	.endm
	.macro	store r
	stx	%\r, [%g1 + where]
	.endm

	.text
	.globl	matrix_call
	.type	matrix_call, #function
matrix_call:
	save	%sp, -192, %sp
	mov	%i0, %g1
	.set	where, WANT + 8 * 14
	.irp	r, g2, g3, g6, g7, o6
	store	\r
	.set	where, where + 8
	.endr
	own	load, WANT
	ldx	[%g1 + ARG(0)], %o0
	ldx	[%g1 + ARG(1)], %o1
	ldx	[%g1 + ARG(2)], %o2
	/* nothing may be taken from a register that holds no argument */
	sethi	%hi(0x8badf00d), %o3
	mov	%o3, %o4
	mov	%o3, %o5
	mov	%o3, %g4
	mov	%o3, %g5
	ldx	[%g1 + ROUTINE], %g1
	jmpl	%g1, %o7
	nop
	sethi	%hi(matrix_frame), %g1
	ldx	[%g1 + %lo(matrix_frame)], %g1
	stx	%o0, [%g1 + RESULT]
	.set	where, GOT + 8 * 14
	.irp	r, g2, g3, g6, g7, o6
	store	\r
	.set	where, where + 8
	.endr
	ldx	[%g1 + WANT + 8 * 18], %o6
	own	store, GOT
	return	%i7 + 8
	nop
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", @progbits
