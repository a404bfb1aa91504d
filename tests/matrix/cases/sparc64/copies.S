! SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
! Right as it stands; each symbol that the self-test defines breaks one thing.
	.register %g2, #scratch
	.text
	.macro	entry site, fixup
	.pushsection __ex_table, "a"
	.p2align 2
	.word	\site - .
	.word	\fixup - .
	.popsection
	.endm

	.globl	ucopy_copy_to_user
	.type	ucopy_copy_to_user, #function
ucopy_copy_to_user:
.ifdef LOAD_BEHIND
	ldub	[%o1 + %o2], %o3
.endif
.ifdef KEPT_REGISTER
	mov	%o0, %l3
.endif
.ifdef STATE
	mov	%o0, %g2
.endif
.ifdef UNALIGNED
	cmp	%o2, 8
	blu,pn	%xcc, 1f
	nop
	ldx	[%o1], %o3
1:
.endif
	brz,pn	%o2, 2f
	nop
1:	ldub	[%o1], %o3
	add	%o1, 1, %o1
	add	%o0, 1, %o0
	subcc	%o2, 1, %o2
	bne,pt	%xcc, 1b
.Lt_s1:	stb	%o3, [%o0 - 1]
.ifdef STORE_BEHIND
	stb	%o3, [%o0]
.endif
2:
.ifdef STACK
	sub	%sp, 16, %sp
.endif
	retl
	mov	%o2, %o0
.Lt_1:	ba,pt	%xcc, 2b
	add	%o2, 1, %o2
.ifndef NO_ENTRY
	entry	.Lt_s1, .Lt_1
.endif
.ifdef TWICE
	entry	.Lt_s1, .Lt_1
	entry	.Lt_s1, .Lt_1
.endif
	.size	ucopy_copy_to_user, . - ucopy_copy_to_user

	.globl	ucopy_copy_in_user
	.type	ucopy_copy_in_user, #function
ucopy_copy_in_user:
	brz,pn	%o2, 3f
	nop
1:	ldub	[%o1], %o3
2:	stb	%o3, [%o0]
	add	%o1, 1, %o1
	subcc	%o2, 1, %o2
	bne,pt	%xcc, 1b
	add	%o0, 1, %o0
3:	retl
	mov	%o2, %o0
	entry	1b, 3b
	entry	2b, 3b
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user
	.section .note.GNU-stack, "", @progbits
