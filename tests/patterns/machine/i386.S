/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but esp, runs a case, stores them. */
	.macro	each insn
	.set	at, 0
	.irp	r, eax, ecx, edx, esi, edi, ebx, ebp
	\insn	\r
	.set	at, at + 32
	.endr
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
	each	load
	jmp	*pattern_code
pattern_done:
	each	store
	cld
	pop	%edi
	pop	%esi
	pop	%ebp
	pop	%ebx
	ret

	.local	pattern_code
	.comm	pattern_code, 4
	.section .note.GNU-stack,"",%progbits
