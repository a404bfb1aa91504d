/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(4 + 4 * (i))
#define RESULT	16
#define WANT	20
#define GOT	(20 + 4 * 48)

	.macro	kept op, fop, base, at
	.irp	i, 0, 1, 2, 3, 4, 5, 6, 7
	\op	$s\i, \at + 4 * \i(\base)
	.endr
	\op	$30, \at + 4 * 8(\base)
	.irp	i, 20, 22, 24, 26, 28, 30
	\fop	$f\i, \at + 4 * (9 + (\i - 20) / 2)(\base)
	.endr
	.endm

	.text
	.set	noreorder
	.set	noat
	.globl	matrix_call
	.ent	matrix_call
	.type	matrix_call, @function
matrix_call:
	addiu	$sp, $sp, -136
	sw	$ra, 128($sp)
	sw	$gp, 124($sp)
	kept	sw, swc1, $sp, 24
	sw	$sp, WANT + 4 * 15($a0)
	sw	$gp, WANT + 4 * 16($a0)
	move	$v0, $a0
	kept	lw, lwc1, $v0, WANT
	lw	$t9, ROUTINE($v0)
	lw	$a0, ARG(0)($v0)
	lw	$a1, ARG(1)($v0)
	lw	$a2, ARG(2)($v0)
	/* nothing may be taken from a register that holds no argument */
	lui	$v0, 0x8bad
	.irp	r, 1, 3, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24
	ori	$\r, $v0, 0xf00d
	.endr
	jalr	$t9
	nop
	lui	$t0, %hi(matrix_frame)
	lw	$t0, %lo(matrix_frame)($t0)
	sw	$v0, RESULT($t0)
	sw	$sp, GOT + 4 * 15($t0)
	sw	$gp, GOT + 4 * 16($t0)
	lw	$sp, WANT + 4 * 15($t0)
	kept	sw, swc1, $t0, GOT
	kept	lw, lwc1, $sp, 24
	lw	$gp, 124($sp)
	lw	$ra, 128($sp)
	jr	$ra
	addiu	$sp, $sp, 136
	.end	matrix_call
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", @progbits
