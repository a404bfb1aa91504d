/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(4 + 4 * (i))
#define RESULT	16
#define WANT	20
#define GOT	(20 + 4 * 48)

	.macro	kept op, base, at
	.irp	i, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18
	\op	\base, \at+4*(\i-3), %r\i
	.endr
	.endm
	.macro	load base, at, reg
	ldw	\at(\base), \reg
	.endm
	.macro	store base, at, reg
	stw	\reg, \at(\base)
	.endm
	/* %r1 walks over the words of the kept FP registers */
	.macro	load_fp
	.irp	i, 12, 12R, 13, 13R, 14, 14R, 15, 15R, 16, 16R, 17, 17R, 18, 18R, 19, 19R, 20, 20R, 21, 21R
	fldw,ma	4(%r1), %fr\i
	.endr
	.endm
	.macro	store_fp
	.irp	i, 12, 12R, 13, 13R, 14, 14R, 15, 15R, 16, 16R, 17, 17R, 18, 18R, 19, 19R, 20, 20R, 21, 21R
	fstw,ma	%fr\i, 4(%r1)
	.endr
	.endm

	.text
	.align	4
	.globl	matrix_call
	.type	matrix_call, @function
matrix_call:
	stw	%r2, -20(%r30)
	ldo	256(%r30), %r30
	kept	store, %r30, -256
	ldo	-192(%r30), %r1
	store_fp
	stw	%r30, WANT + 4 * 36(%r26)
	stw	%r27, WANT + 4 * 37(%r26)
	ldo	WANT + 4 * 16(%r26), %r1
	load_fp
	kept	load, %r26, WANT
	ldw	ROUTINE(%r26), %r22
	ldw	ARG(1)(%r26), %r25
	ldw	ARG(2)(%r26), %r24
	ldw	ARG(0)(%r26), %r26
	/* nothing may be taken from a register that holds no argument */
	ldil	L%0x8badf00d, %r1
	ldo	R%0x8badf00d(%r1), %r1
	.irp	r, 19, 20, 21, 23, 28, 29
	copy	%r1, %r\r
	.endr
	ble	0(%sr4, %r22)
	copy	%r31, %r2
	ldil	L%matrix_frame, %r29
	ldw	R%matrix_frame(%r29), %r29
	stw	%r28, RESULT(%r29)
	stw	%r30, GOT + 4 * 36(%r29)
	stw	%r27, GOT + 4 * 37(%r29)
	ldw	WANT + 4 * 36(%r29), %r30
	ldw	WANT + 4 * 37(%r29), %r27
	kept	store, %r29, GOT
	ldo	GOT + 4 * 16(%r29), %r1
	store_fp
	ldo	-192(%r30), %r1
	load_fp
	kept	load, %r30, -256
	ldw	-276(%r30), %r2
	bv	%r0(%r2)
	ldo	-256(%r30), %r30
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", @progbits
