# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Right as it stands; each symbol that the self-test defines breaks one thing.
	.text
	.macro	routine name
	.globl	ucopy_\name
	.type	ucopy_\name, @function
	.p2align 4
ucopy_\name:
	.endm
	.macro	entry site, fixup
	.pushsection __ex_table, "a"
	.p2align 2
	.long	\site - .
	.long	\fixup - .
	.popsection
	.endm

	routine	copy_to_user
	.globl	other_name
other_name:
.ifdef LOAD_BEHIND
	mov	(%rsi,%rdx), %al
.endif
.ifdef LOAD_AHEAD
	mov	-1(%rsi), %al
.endif
.ifdef STORE_AHEAD
	movb	$1, -1(%rdi)
.endif
.ifdef STORE_FAR
	movb	$1, -900(%rdi)
.endif
.ifdef KEPT_REGISTER
	lea	(%rdi), %rbx
.endif
.ifdef STATE
	movq	%rdi, %mm0
.endif
.ifdef TRAPS
	cmp	$9, %rdx
	jne	1f
	ud2
1:
.endif
.ifdef ENDLESS
	cmp	$9, %rdx
1:	je	1b
.endif
.ifdef UNSET_REGISTER
	cmp	$4, %r10
	cmova	%r10, %rdx
.endif
	cmp	$16, %rdx
	jb	.Lt_bytes
.Lt_words:
	mov	(%rsi), %rax
	mov	8(%rsi), %rcx
.ifdef SWAPPED
	xchg	%rax, %rcx
.endif
.Lt_s1:	mov	%rax, (%rdi)
.Lt_s2:	mov	%rcx, 8(%rdi)
	add	$16, %rdi
	add	$16, %rsi
	sub	$16, %rdx
	cmp	$16, %rdx
	jae	.Lt_words
.Lt_bytes:
	test	%rdx, %rdx
	je	.Lt_out
.Lt_byte:
	mov	(%rsi), %al
.Lt_s3:	mov	%al, (%rdi)
	inc	%rsi
	inc	%rdi
	dec	%rdx
	jne	.Lt_byte
.ifdef STORE_BEHIND
	mov	%al, (%rdi)
.endif
.ifdef SOURCE
	mov	%dl, -1(%rsi)
.endif
.Lt_out:
	mov	%rdx, %rax
.ifdef LEAVES_DIRECTION
	std
.endif
.ifdef STACK
	pop	%rcx
	push	%rcx
	push	%rcx
.endif
	ret
.Lt_8:	add	$8, %rdi
	add	$8, %rsi
.ifdef COUNT_TOO_LOW
	sub	$9, %rdx
.else
.ifdef COUNT_TOO_HIGH
	sub	$7, %rdx
.else
	sub	$8, %rdx
.endif
.endif
.ifdef GIVES_UP
	jmp	.Lt_out
.endif
	jmp	.Lt_bytes
.ifdef NO_PROGRESS
	entry	.Lt_s1, .Lt_out
.else
	entry	.Lt_s1, .Lt_bytes
.endif
.ifdef BLOCK_BASE
	entry	.Lt_s2, .Lt_out
.else
.ifndef NO_ENTRY
	entry	.Lt_s2, .Lt_8
.endif
.endif
	entry	.Lt_s3, .Lt_out
.ifdef TWICE
	entry	.Lt_s3, .Lt_out
.endif
	.size	ucopy_copy_to_user, . - ucopy_copy_to_user

	routine	copy_from_user_zeroing
	mov	%rdx, %rcx
.Lf_s1:	rep movsb
	xor	%eax, %eax
	ret
.Lf_1:	mov	%rcx, %rdx
.ifdef NOT_ZEROED
	jrcxz	1f
	dec	%rcx
1:
.endif
	xor	%eax, %eax
	rep stosb
	mov	%rdx, %rax
	ret
	entry	.Lf_s1, .Lf_1
	.size	ucopy_copy_from_user_zeroing, . - ucopy_copy_from_user_zeroing

	routine	copy_in_user
	mov	%rdx, %rcx
.Li_s1:	rep movsb
.Li_1:	mov	%rcx, %rax
	ret
	entry	.Li_s1, .Li_1
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user

	routine	clear_user
	mov	%rsi, %rcx
	xor	%eax, %eax
.Lc_s1:	rep stosb
.Lc_1:	mov	%rcx, %rax
	ret
	entry	.Lc_s1, .Lc_1
	.size	ucopy_clear_user, . - ucopy_clear_user

	routine	memcpy
	mov	%rdi, %rax
	mov	%rdx, %rcx
	rep movsb
.ifdef RESULT
	mov	%rdi, %rax
.endif
	ret
	.size	ucopy_memcpy, . - ucopy_memcpy

	routine	memset
	mov	%rdi, %r8
	mov	%esi, %eax
	mov	%rdx, %rcx
	rep stosb
	mov	%r8, %rax
	ret
	.size	ucopy_memset, . - ucopy_memset
	.section .note.GNU-stack, "", @progbits
