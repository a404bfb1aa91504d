/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but esp, runs a case, stores them. */
	.macro	each insn
	.set	at, 0
	.irp	r, eax, ecx, edx, esi, edi, ebx, ebp
	\insn	\r
	.set	at, at + 32
	.endr
	.endm
	.macro	media insn
	.set	at, 7 * 32
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7
	\insn	mm\n
	.set	at, at + 32
	.endr
	.endm
	.macro	mload r
	movq	pattern_cpu + at, %\r
	.endm
	.macro	mstore r
	movq	%\r, pattern_cpu + at
	.endm
	.macro	load r
	mov	pattern_cpu + at, %\r
	.endm
	.macro	store r
	mov	%\r, pattern_cpu + at
	.endm

	.text
	.globl	pattern_run, pattern_done
pattern_run:
	push	%ebx
	push	%ebp
	push	%esi
	push	%edi
	mov	20(%esp), %eax
	mov	%eax, pattern_code
	media	mload
	each	load
	jmp	*pattern_code
pattern_done:
	each	store
	media	mstore
	emms
	cld
	pop	%edi
	pop	%esi
	pop	%ebp
	pop	%ebx
	ret

	.local	pattern_code
	.comm	pattern_code, 4
	.section .note.GNU-stack,"",%progbits
