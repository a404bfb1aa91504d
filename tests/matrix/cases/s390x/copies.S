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
	llgc	%r5, 0(%r4,%r3)
.endif
.ifdef KEPT_REGISTER
	lgr	%r8, %r2
.endif
.ifdef STATE
	ldgr	%f9, %r2
.endif
	ltgr	%r4, %r4
	je	2f
1:	llgc	%r5, 0(%r3)
.Lt_s1:	stc	%r5, 0(%r2)
	la	%r3, 1(%r3)
	la	%r2, 1(%r2)
	brctg	%r4, 1b
.ifdef STORE_BEHIND
	stc	%r5, 0(%r2)
.endif
2:	lgr	%r2, %r4
.ifdef STACK
	aghi	%r15, -8
.endif
	br	%r14
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
	ltgr	%r4, %r4
	je	3f
1:	llgc	%r5, 0(%r3)
2:	stc	%r5, 0(%r2)
	la	%r3, 1(%r3)
	la	%r2, 1(%r2)
	brctg	%r4, 1b
3:	lgr	%r2, %r4
	br	%r14
	entry	1b, 3b
	entry	2b, 3b
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user
	.section .note.GNU-stack, "", @progbits
