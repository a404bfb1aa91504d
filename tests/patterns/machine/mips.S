/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but $21 to $23 and those above $25, runs a case, stores them. */
	.set	noreorder
	.set	noat
	.macro	each insn
	.set	off, 0
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 16, 17, 18, 19, 20
	\insn	$\n, off($21)
	.set	off, off + 32
	.endr
	.endm
	.macro	saved insn
	.set	off, 16
	.irp	n, 16, 17, 18, 19, 20, 21, 22, 23, 28, 30, 31
	\insn	$\n, off($29)
	.set	off, off + 4
	.endr
	.endm
	.macro	address r, symbol
	lui	\r, %hi(\symbol)
	addiu	\r, \r, %lo(\symbol)
	.endm

	.text
	.globl	pattern_run, pattern_done
	.ent	pattern_run
pattern_run:
	addiu	$29, $29, -64
	saved	sw
	move	$22, $4
	address	$21, pattern_cpu
	each	lw
	jr	$22
	nop
pattern_done:
	address	$21, pattern_cpu
	each	sw
	address	$21, pattern_taken
	sw	$22, 0($21)
	saved	lw
	jr	$31
	addiu	$29, $29, 64
	.end	pattern_run

	.section .note.GNU-stack,"",%progbits
