/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(8 + 8 * (i))
#define RESULT	32
#define WANT	40
#define GOT	(40 + 8 * 48)

	.set	noat
	.set	noreorder
	.macro	kept insn, fp, base, at
	.irp	i, 9, 10, 11, 12, 13, 14, 15
	\insn	$\i, \at+8*(\i-9)(\base)
	.endr
	.irp	i, 2, 3, 4, 5, 6, 7, 8, 9
	\fp	$f\i, \at+56+8*(\i-2)(\base)
	.endr
	.endm

	.text
	.globl	matrix_call
	.ent	matrix_call
matrix_call:
	ldgp	$29, 0($27)
	lda	$30, -144($30)
	.frame	$30, 144, $26
	.prologue 1
	stq	$26, 0($30)
	stq	$29, 8($30)
	kept	stq, stt, $30, 16
	stq	$30, WANT+8*15($16)
	stq	$29, WANT+8*16($16)
	mov	$16, $28
	kept	ldq, ldt, $28, WANT
	ldq	$27, ROUTINE($28)
	ldq	$16, ARG(0)($28)
	ldq	$17, ARG(1)($28)
	ldq	$18, ARG(2)($28)
	/* nothing may be taken from a register that holds no argument */
	ldah	$0, -29779($31)
	.irp	r, 1, 2, 3, 4, 5, 6, 7, 8, 19, 20, 21, 22, 23, 24, 25, 28
	lda	$\r, 1234($0)
	.endr
	jsr	$26, ($27)
	mov	$29, $2
	br	$27, 1f
1:	ldgp	$29, 0($27)
	lda	$1, matrix_frame
	ldq	$1, 0($1)
	stq	$0, RESULT($1)
	stq	$30, GOT+8*15($1)
	stq	$2, GOT+8*16($1)
	ldq	$30, WANT+8*15($1)
	kept	stq, stt, $1, GOT
	kept	ldq, ldt, $30, 16
	ldq	$29, 8($30)
	ldq	$26, 0($30)
	lda	$30, 144($30)
	ret	$31, ($26), 1
	.end	matrix_call
	.section .note.GNU-stack, "", @progbits
