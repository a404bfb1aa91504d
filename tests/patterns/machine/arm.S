/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but sp, runs a case, stores them. */
	.syntax	unified
	.arch	armv7-a
	.fpu	vfpv3-d16
	.arm
	/* r11 is the base, so it is the last */
	.macro	each insn
	.set	at, 12 * 32
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	v\insn	d\n, [r11, #at]
	.set	at, at + 32
	.endr
	.set	at, 0
	.irp	r, r0, r1, r2, r3, r4, r5, r6, r7, r8, r9, r12, lr
	\insn	\r, [r11, #at]
	.set	at, at + 32
	.endr
	.endm

	.text
	.globl	pattern_run, pattern_done
	.type	pattern_run, %function
	.type	pattern_done, %function
pattern_run:
	push	{r4-r11, r12, lr}
	push	{r0, r12}
	ldr	r11, =pattern_cpu
	each	ldr
	ldr	r10, [r11, #20 * 32]
	ldr	r11, [r11, #21 * 32]
	/* to Arm or Thumb code, as the address's lowest bit says */
	ldr	pc, [sp]
pattern_done:
	ldr	r11, =pattern_cpu
	each	str
	pop	{r2, r3}
	str	r2, [r11, #20 * 32]
	str	r3, [r11, #21 * 32]
	ldr	r11, =pattern_taken
	str	r10, [r11]
	add	sp, sp, #8
	pop	{r4-r11, r12, pc}
	.ltorg

	.section .note.GNU-stack,"",%progbits
