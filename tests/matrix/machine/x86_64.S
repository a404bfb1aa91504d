/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Calls frame->routine with patterns in all registers; layout as struct frame in matrix.h. */
#define ROUTINE	0
#define ARG(i)	(8 + 8 * (i))
#define RESULT	32
#define WANT(i)	(40 + 8 * (i))
#define GOT(i)	(40 + 8 * 48 + 8 * (i))

	.text
	.globl	matrix_call
	.type	matrix_call, @function
matrix_call:
	push	%rbx
	push	%rbp
	push	%r12
	push	%r13
	push	%r14
	push	%r15
	sub	$40, %rsp
	mov	%rdi, %rax
	mov	%rsp, WANT(6)(%rax)
	mov	WANT(0)(%rax), %rbx
	mov	WANT(1)(%rax), %rbp
	mov	WANT(2)(%rax), %r12
	mov	WANT(3)(%rax), %r13
	mov	WANT(4)(%rax), %r14
	mov	WANT(5)(%rax), %r15
	mov	ARG(0)(%rax), %rdi
	mov	ARG(1)(%rax), %rsi
	mov	ARG(2)(%rax), %rdx
	mov	ROUTINE(%rax), %r11
	/* nothing may be taken from a register that holds no argument */
	movabs	$0x8badf00d5eedcafe, %rax
	mov	%rax, %rcx
	lea	7(%rax), %r8
	lea	77(%rax), %r9
	lea	777(%rax), %r10
	movq	%rax, %xmm0
	movq	%rcx, %xmm1
	call	*%r11
	mov	matrix_frame(%rip), %rcx
	mov	%rax, RESULT(%rcx)
	mov	%rsp, GOT(6)(%rcx)
	mov	WANT(6)(%rcx), %rsp
	pushfq
	pop	%rax
	and	$0x400, %eax
	mov	%rax, GOT(7)(%rcx)
	cld
	stmxcsr	(%rsp)
	mov	(%rsp), %eax
	and	$0xffc0, %eax
	mov	%rax, GOT(8)(%rcx)
	fnstenv	(%rsp)
	movzwl	(%rsp), %eax
	mov	%rax, GOT(9)(%rcx)
	movzwl	8(%rsp), %eax
	mov	%rax, GOT(10)(%rcx)
	fninit
	mov	%rbx, GOT(0)(%rcx)
	mov	%rbp, GOT(1)(%rcx)
	mov	%r12, GOT(2)(%rcx)
	mov	%r13, GOT(3)(%rcx)
	mov	%r14, GOT(4)(%rcx)
	mov	%r15, GOT(5)(%rcx)
	add	$40, %rsp
	pop	%r15
	pop	%r14
	pop	%r13
	pop	%r12
	pop	%rbp
	pop	%rbx
	ret
	.size	matrix_call, . - matrix_call
	.section .note.GNU-stack, "", @progbits
