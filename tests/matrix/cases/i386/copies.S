# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Right as it stands; each symbol that the self-test defines breaks one thing.
	.text
	.macro	entry site, fixup
	.pushsection __ex_table, "a"
	.p2align 2
	.long	\site - .
	.long	\fixup - .
	.popsection
	.endm
	.macro	begin
	push	%esi
	push	%edi
	mov	12(%esp), %edi
	mov	16(%esp), %esi
	mov	20(%esp), %ecx
	.endm

	.globl	ucopy_copy_to_user
	.type	ucopy_copy_to_user, @function
ucopy_copy_to_user:
	begin
.ifdef LOAD_BEHIND
	mov	(%esi,%ecx), %al
.endif
.ifdef KEPT_REGISTER
	mov	%edi, %ebx
.endif
.ifdef STATE
	movd	%edi, %mm0
.endif
	jecxz	2f
1:	mov	(%esi), %al
.Lt_s1:	mov	%al, (%edi)
	inc	%esi
	inc	%edi
	dec	%ecx
	jne	1b
.ifdef STORE_BEHIND
	mov	%al, (%edi)
.endif
2:	mov	%ecx, %eax
.ifdef LEAVES_DIRECTION
	std
.endif
	pop	%edi
	pop	%esi
.ifdef STACK
	pop	%ecx
	push	%ecx
	push	%ecx
.endif
	ret
.ifndef NO_ENTRY
	entry	.Lt_s1, 2b
.endif
.ifdef TWICE
	entry	.Lt_s1, 2b
	entry	.Lt_s1, 2b
.endif
	.size	ucopy_copy_to_user, . - ucopy_copy_to_user

	.globl	ucopy_copy_in_user
	.type	ucopy_copy_in_user, @function
ucopy_copy_in_user:
	begin
1:	rep movsb
2:	mov	%ecx, %eax
	pop	%edi
	pop	%esi
	ret
	entry	1b, 2b
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user
	.section .note.GNU-stack, "", @progbits
