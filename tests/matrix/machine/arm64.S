/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(8 + 8 * (i))
#define RESULT	32
#define WANT(i)	(40 + 8 * (i))
#define GOT(i)	(40 + 8 * 48 + 8 * (i))

	.text
	.globl	matrix_call
	.type	matrix_call, %function
matrix_call:
	stp	x29, x30, [sp, #-176]!
	stp	x19, x20, [sp, #16]
	stp	x21, x22, [sp, #32]
	stp	x23, x24, [sp, #48]
	stp	x25, x26, [sp, #64]
	stp	x27, x28, [sp, #80]
	stp	d8, d9, [sp, #96]
	stp	d10, d11, [sp, #112]
	stp	d12, d13, [sp, #128]
	stp	d14, d15, [sp, #144]
	str	x18, [sp, #160]
	mov	x16, sp
	str	x16, [x0, #WANT(20)]
	add	x17, x0, #WANT(0)
	ldp	x18, x19, [x17]
	ldp	x20, x21, [x17, #16]
	ldp	x22, x23, [x17, #32]
	ldp	x24, x25, [x17, #48]
	ldp	x26, x27, [x17, #64]
	ldp	x28, x29, [x17, #80]
	ldp	d8, d9, [x17, #96]
	ldp	d10, d11, [x17, #112]
	ldp	d12, d13, [x17, #128]
	ldp	d14, d15, [x17, #144]
	ldr	x16, [x0, #ROUTINE]
	ldr	x1, [x0, #ARG(1)]
	ldr	x2, [x0, #ARG(2)]
	ldr	x0, [x0, #ARG(0)]
	/* nothing may be taken from a register that holds no argument */
	ldr	x17, =0x8badf00d5eedcafe
	.irp	r, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	add	x\r, x17, #7 * \r
	.endr
	dup	v0.2d, x17
	dup	v1.2d, x3
	dup	v2.2d, x4
	dup	v3.2d, x5
	blr	x16
	adrp	x9, matrix_frame
	ldr	x9, [x9, #:lo12:matrix_frame]
	str	x0, [x9, #RESULT]
	mov	x10, sp
	str	x10, [x9, #GOT(20)]
	ldr	x10, [x9, #WANT(20)]
	mov	sp, x10
	mrs	x10, fpcr
	str	x10, [x9, #GOT(21)]
	add	x17, x9, #GOT(0)
	stp	x18, x19, [x17]
	stp	x20, x21, [x17, #16]
	stp	x22, x23, [x17, #32]
	stp	x24, x25, [x17, #48]
	stp	x26, x27, [x17, #64]
	stp	x28, x29, [x17, #80]
	stp	d8, d9, [x17, #96]
	stp	d10, d11, [x17, #112]
	stp	d12, d13, [x17, #128]
	stp	d14, d15, [x17, #144]
	ldr	x18, [sp, #160]
	ldp	d14, d15, [sp, #144]
	ldp	d12, d13, [sp, #128]
	ldp	d10, d11, [sp, #112]
	ldp	d8, d9, [sp, #96]
	ldp	x27, x28, [sp, #80]
	ldp	x25, x26, [sp, #64]
	ldp	x23, x24, [sp, #48]
	ldp	x21, x22, [sp, #32]
	ldp	x19, x20, [sp, #16]
	ldp	x29, x30, [sp], #176
	ret
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", %progbits
