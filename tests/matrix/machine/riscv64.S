/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(8 + 8 * (i))
#define RESULT	32
#define WANT	40
#define GOT	(40 + 8 * 48)

	.macro	kept op, fop, base, at
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\i, \at + 8 * \i(\base)
	\fop	fs\i, \at + 8 * (13 + \i)(\base)
	.endr
	.endm

	.text
	.globl	matrix_call
	.type	matrix_call, @function
matrix_call:
	addi	sp, sp, -224
	sd	ra, 216(sp)
	kept	sd, fsd, sp, 0
	sd	sp, WANT + 8 * 12(a0)
	sd	gp, WANT + 8 * 25(a0)
	sd	tp, WANT + 8 * 26(a0)
	mv	t6, a0
	kept	ld, fld, t6, WANT
	ld	t0, ROUTINE(t6)
	ld	a0, ARG(0)(t6)
	ld	a1, ARG(1)(t6)
	ld	a2, ARG(2)(t6)
	/* nothing may be taken from a register that holds no argument */
	li	t1, 0x8badf00d5eedcafe
	.irp	r, t2, t3, t4, t5, t6, a3, a4, a5, a6, a7
	addi	\r, t1, 777
	.endr
	jalr	t0
	.option	push
	.option	norelax
	lla	t0, matrix_frame
	.option	pop
	ld	t0, 0(t0)
	sd	a0, RESULT(t0)
	sd	sp, GOT + 8 * 12(t0)
	sd	gp, GOT + 8 * 25(t0)
	sd	tp, GOT + 8 * 26(t0)
	ld	sp, WANT + 8 * 12(t0)
	ld	gp, WANT + 8 * 25(t0)
	ld	tp, WANT + 8 * 26(t0)
	kept	sd, fsd, t0, GOT
	kept	ld, fld, sp, 0
	ld	ra, 216(sp)
	addi	sp, sp, 224
	ret
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", @progbits
