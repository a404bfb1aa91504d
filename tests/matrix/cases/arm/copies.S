@ SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
@ Right as it stands; each symbol that the self-test defines breaks one thing.
	.syntax	unified
	.arch	armv7-a
	.fpu	vfpv3-d16
	.text
	.macro	entry site, fixup
	.pushsection __ex_table, "a"
	.p2align 2
	.long	\site - .
	.long	\fixup - .
	.popsection
	.endm

	.globl	ucopy_copy_to_user
	.type	ucopy_copy_to_user, %function
	.arm
ucopy_copy_to_user:
.ifdef LOAD_BEHIND
	ldrb	r3, [r1, r2]
.endif
.ifdef KEPT_REGISTER
	mov	r4, r0
.endif
.ifdef STATE
	vmov	s17, r0
.endif
.ifdef UNALIGNED
	cmp	r2, #8
	ldmiahs	r1, {r3, r12}
.endif
.ifdef UNALIGNED_WORD
	cmp	r2, #8
	ldrhs	r3, [r1]
.endif
	cmp	r2, #0
	beq	2f
1:	ldrb	r3, [r1], #1
.Lt_s1:	strb	r3, [r0]
	add	r0, r0, #1
	subs	r2, r2, #1
	bne	1b
.ifdef STORE_BEHIND
	strb	r3, [r0]
.endif
2:	mov	r0, r2
.ifdef STACK
	sub	sp, sp, #8
.endif
	bx	lr
.ifndef NO_ENTRY
	entry	.Lt_s1, 2b
.endif
.ifdef TWICE
	entry	.Lt_s1, 2b
	entry	.Lt_s1, 2b
.endif
	.size	ucopy_copy_to_user, . - ucopy_copy_to_user

	.globl	ucopy_copy_in_user
	.type	ucopy_copy_in_user, %function
	.thumb
	.thumb_func
ucopy_copy_in_user:
	cbz	r2, 3f
1:	ldrb	r3, [r1]
	cmp	r2, #0
	itt	ne
	addne	r1, r1, #1
2:	strbne	r3, [r0]
	adds	r0, r0, #1
	subs	r2, r2, #1
	bne	1b
3:	mov	r0, r2
	bx	lr
.ifndef NO_ENTRY_THUMB
	entry	1b, 3b
.endif
	entry	2b, 3b
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user
	.section .note.GNU-stack, "", %progbits
