/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(4 + 4 * (i))
#define RESULT	16
#define WANT(i)	(20 + 4 * (i))
#define GOT(i)	(20 + 4 * 48 + 4 * (i))

	.text
	.globl	matrix_call
	.type	matrix_call, @function
matrix_call:
	push	%ebx
	push	%ebp
	push	%esi
	push	%edi
	mov	20(%esp), %eax
	sub	$44, %esp
	mov	%esp, WANT(4)(%eax)
	.irp	i, 0, 1, 2
	mov	ARG(\i)(%eax), %ecx
	mov	%ecx, 4 * \i(%esp)
	.endr
	mov	WANT(0)(%eax), %ebx
	mov	WANT(1)(%eax), %ebp
	mov	WANT(2)(%eax), %esi
	mov	WANT(3)(%eax), %edi
	/* nothing may be taken from a register: all arguments are on the stack */
	mov	$0x8badf00d, %ecx
	mov	%ecx, %edx
	call	*ROUTINE(%eax)
	mov	matrix_frame, %ecx
	mov	%eax, RESULT(%ecx)
	mov	%esp, GOT(4)(%ecx)
	mov	WANT(4)(%ecx), %esp
	pushf
	pop	%eax
	and	$0x400, %eax
	mov	%eax, GOT(5)(%ecx)
	cld
	fnstenv	(%esp)
	movzwl	(%esp), %eax
	mov	%eax, GOT(6)(%ecx)
	movzwl	8(%esp), %eax
	mov	%eax, GOT(7)(%ecx)
	fninit
	mov	%ebx, GOT(0)(%ecx)
	mov	%ebp, GOT(1)(%ecx)
	mov	%esi, GOT(2)(%ecx)
	mov	%edi, GOT(3)(%ecx)
	add	$44, %esp
	pop	%edi
	pop	%esi
	pop	%ebp
	pop	%ebx
	ret
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", @progbits
