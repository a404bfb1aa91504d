/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but rsp and rbp, runs a case, stores them. */
	.macro	each insn:vararg
	.set	at, 0
	.irp	r, rax, rcx, rdx, rsi, rdi, r8, r9, r10, r11, rbx, r12, r13, r14, r15
	\insn	\r
	.set	at, at + 32
	.endr
	.endm
	.macro	load r
	mov	pattern_cpu + at(%rip), %\r
	.endm
	.macro	store r
	mov	%\r, pattern_cpu + at(%rip)
	.endm
	.macro	vectors insn, r, out
	.set	at, 14 * 32
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
	.if	\out
	\insn	%\r\n, pattern_cpu + at(%rip)
	.else
	\insn	pattern_cpu + at(%rip), %\r\n
	.endif
	.set	at, at + 32
	.endr
	.endm
	.macro	wide out
	cmpl	$0, pattern_avx(%rip)
	je	1f
	vectors	vmovdqu, ymm, \out
	.if	\out
	vzeroupper
	.endif
	jmp	2f
1:	vectors	movdqu, xmm, \out
2:
	.endm

	.text
	.globl	pattern_run, pattern_done
pattern_run:
	.irp	r, rbx, rbp, r12, r13, r14, r15
	push	%\r
	.endr
	mov	%rdi, pattern_code(%rip)
	mov	$1, %eax
	cpuid
	and	$1 << 28, %ecx
	mov	%ecx, pattern_avx(%rip)
	wide	0
	each	load
	jmp	*pattern_code(%rip)
pattern_done:
	each	store
	wide	1
	cld
	.irp	r, r15, r14, r13, r12, rbp, rbx
	pop	%\r
	.endr
	ret

	.local	pattern_code, pattern_avx
	.comm	pattern_code, 8
	.comm	pattern_avx, 4
	.section .note.GNU-stack,"",%progbits
