# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Right as it stands; each symbol that the self-test defines breaks one thing.
	.text
	.set	noreorder
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
	addu	$t0, $a1, $a2
	lb	$t0, 0($t0)
.endif
.ifdef KEPT_REGISTER
	move	$s2, $a0
.endif
.ifdef STATE
	mtc1	$a0, $f22
.endif
.ifdef UNALIGNED
	sltiu	$t0, $a2, 4
	bnez	$t0, 1f
	nop
	lw	$t0, 0($a1)
1:
.endif
	beqz	$a2, 2f
	nop
1:	lbu	$t0, 0($a1)
	addiu	$a1, $a1, 1
	addiu	$a2, $a2, -1
	addiu	$a0, $a0, 1
	bnez	$a2, 1b
.Lt_s1:	sb	$t0, -1($a0)
.ifdef STORE_BEHIND
	sb	$t0, 0($a0)
.endif
2:	move	$v0, $a2
.ifdef STACK
	addiu	$sp, $sp, -8
.endif
	jr	$ra
	nop
.Lt_1:	b	2b
	addiu	$a2, $a2, 1
.ifndef NO_ENTRY
	entry	.Lt_s1, .Lt_1
.endif
.ifdef TWICE
	entry	.Lt_s1, .Lt_1
	entry	.Lt_s1, .Lt_1
.endif
	.size	ucopy_copy_to_user, . - ucopy_copy_to_user

	.globl	ucopy_copy_in_user
	.type	ucopy_copy_in_user, @function
ucopy_copy_in_user:
	beqz	$a2, 3f
	nop
1:	lbu	$t0, 0($a1)
2:	sb	$t0, 0($a0)
	addiu	$a1, $a1, 1
	addiu	$a2, $a2, -1
	bnez	$a2, 1b
	addiu	$a0, $a0, 1
3:	jr	$ra
	move	$v0, $a2
	entry	1b, 3b
	entry	2b, 3b
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user
	.section .note.GNU-stack, "", @progbits
