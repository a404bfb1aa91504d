# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Right as it stands; each symbol that the self-test defines breaks one thing.
	.set	noat
	.set	noreorder
	.arch	ev56
	.text
	.macro	entry site, fixup
	.pushsection __ex_table, "a"
	.p2align 2
	.long	\site - .
	.long	\fixup - .
	.popsection
	.endm

	.globl	ucopy_copy_to_user
	.ent	ucopy_copy_to_user
ucopy_copy_to_user:
	.frame	$30, 0, $26
	.prologue 0
.ifdef LOAD_BEHIND
	addq	$17, $18, $1
	ldbu	$1, 0($1)
.endif
.ifdef KEPT_REGISTER
	mov	$16, $11
.endif
.ifdef STATE
	cpys	$f31, $f31, $f4
.endif
.ifdef UNALIGNED
	cmpult	$18, 8, $1
	bne	$1, .Lt_0
	ldq	$1, 0($17)
.Lt_0:
.endif
	beq	$18, .Lt_2
.Lt_1:	ldbu	$1, 0($17)
.Lt_s1:	stb	$1, 0($16)
	addq	$17, 1, $17
	addq	$16, 1, $16
	subq	$18, 1, $18
	bne	$18, .Lt_1
.ifdef STORE_BEHIND
	stb	$1, 0($16)
.endif
.Lt_2:	mov	$18, $0
.ifdef STACK
	lda	$30, -16($30)
.endif
	ret	$31, ($26), 1
.ifndef NO_ENTRY
	entry	.Lt_s1, .Lt_2
.endif
.ifdef TWICE
	entry	.Lt_s1, .Lt_2
	entry	.Lt_s1, .Lt_2
.endif
	.end	ucopy_copy_to_user

	.globl	ucopy_copy_in_user
	.ent	ucopy_copy_in_user
ucopy_copy_in_user:
	.frame	$30, 0, $26
	.prologue 0
	beq	$18, .Li_3
.Li_1:	ldbu	$1, 0($17)
.Li_2:	stb	$1, 0($16)
	addq	$17, 1, $17
	addq	$16, 1, $16
	subq	$18, 1, $18
	bne	$18, .Li_1
.Li_3:	mov	$18, $0
	ret	$31, ($26), 1
	entry	.Li_1, .Li_3
	entry	.Li_2, .Li_3
	.end	ucopy_copy_in_user
	.section .note.GNU-stack, "", @progbits
