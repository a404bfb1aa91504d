/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(4 + 4 * (i))
#define RESULT	16
#define WANT(i)	(20 + 4 * (i))
#define GOT(i)	(20 + 4 * 48 + 4 * (i))

	.syntax	unified
	.arm
	.arch	armv7-a
	.fpu	vfpv3-d16
	.text
	.globl	matrix_call
	.type	matrix_call, %function
matrix_call:
	push	{r4-r11, lr}
	vpush	{d8-d15}
	sub	sp, sp, #4
	str	sp, [r0, #WANT(24)]
	add	r1, r0, #WANT(0)
	ldmia	r1!, {r4-r11}
	vldmia	r1, {s16-s31}
	ldr	r12, [r0, #ROUTINE]
	ldr	r1, [r0, #ARG(1)]
	ldr	r2, [r0, #ARG(2)]
	ldr	r0, [r0, #ARG(0)]
	/* nothing may be taken from a register that holds no argument */
	ldr	r3, =0x8badf00d
	vmov	d0, r3, r3
	vmov	d1, r3, r3
	blx	r12
	ldr	r3, =matrix_frame
	ldr	r3, [r3]
	str	r0, [r3, #RESULT]
	str	sp, [r3, #GOT(24)]
	ldr	sp, [r3, #WANT(24)]
	add	r12, r3, #GOT(0)
	stmia	r12!, {r4-r11}
	vstmia	r12, {s16-s31}
	add	sp, sp, #4
	vpop	{d8-d15}
	pop	{r4-r11, pc}
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", %progbits
