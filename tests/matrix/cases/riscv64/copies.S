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

	.globl	ucopy_copy_to_user
	.type	ucopy_copy_to_user, @function
ucopy_copy_to_user:
.ifdef LOAD_BEHIND
	add	t0, a1, a2
	lb	t0, 0(t0)
.endif
.ifdef UNALIGNED
	li	t0, 8
	bltu	a2, t0, 1f
	ld	t0, 0(a1)
1:
.endif
.ifdef KEPT_REGISTER
	mv	s3, a0
.endif
.ifdef STATE
	fmv.d.x	fs2, a0
.endif
	beqz	a2, 2f
1:	lbu	t0, 0(a1)
.Lt_s1:	sb	t0, 0(a0)
	addi	a1, a1, 1
	addi	a0, a0, 1
	addi	a2, a2, -1
	bnez	a2, 1b
.ifdef STORE_BEHIND
	sb	t0, 0(a0)
.endif
2:	mv	a0, a2
.ifdef STACK
	addi	sp, sp, -16
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
	beqz	a2, 3f
1:	lbu	t0, 0(a1)
2:	sb	t0, 0(a0)
	addi	a1, a1, 1
	addi	a0, a0, 1
	addi	a2, a2, -1
	bnez	a2, 1b
3:	mv	a0, a2
	ret
	entry	1b, 3b
	entry	2b, 3b
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user
	.section .note.GNU-stack, "", @progbits
