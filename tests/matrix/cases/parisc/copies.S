; SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
; Right as it stands; each symbol that the self-test defines breaks one thing.
	.text
	.macro	entry site, fixup
	.pushsection __ex_table, "a"
	.align	4
	.word	\site - .
	.word	\fixup - .
	.popsection
	.endm

	.globl	ucopy_copy_to_user
	.type	ucopy_copy_to_user, @function
ucopy_copy_to_user:
.ifdef LOAD_BEHIND
	add,l	%r25, %r24, %r19
	ldb	0(%r19), %r19
.endif
.ifdef KEPT_REGISTER
	copy	%r26, %r5
.endif
.ifdef STATE
	fcpy,sgl	%fr0, %fr13
.endif
.ifdef UNALIGNED
	cmpib,>>=,n	3, %r24, .Lt_0
	ldw	0(%r25), %r19
.Lt_0:
.endif
	cmpib,=,n	0, %r24, .Lt_2
.Lt_1:	ldb	0(%r25), %r19
	ldo	1(%r25), %r25
	ldo	1(%r26), %r26
	addib,<>	-1, %r24, .Lt_1
.Lt_s1:	stb	%r19, -1(%r26)
.ifdef STORE_BEHIND
	stb	%r19, 0(%r26)
.endif
.Lt_2:
.ifdef STACK
	ldo	64(%r30), %r30
.endif
	bv	%r0(%r2)
	copy	%r24, %r28
.Lt_3:	b	.Lt_2
	ldo	1(%r24), %r24
.ifndef NO_ENTRY
	entry	.Lt_s1, .Lt_3
.endif
.ifdef TWICE
	entry	.Lt_s1, .Lt_3
	entry	.Lt_s1, .Lt_3
.endif
	.size	ucopy_copy_to_user, . - ucopy_copy_to_user

	.globl	ucopy_copy_in_user
	.type	ucopy_copy_in_user, @function
ucopy_copy_in_user:
	cmpib,=,n	0, %r24, .Li_3
.Li_1:	ldb	0(%r25), %r19
.Li_2:	stb	%r19, 0(%r26)
	ldo	1(%r25), %r25
	addib,<>	-1, %r24, .Li_1
	ldo	1(%r26), %r26
.Li_3:	bv	%r0(%r2)
	copy	%r24, %r28
	entry	.Li_1, .Li_3
	entry	.Li_2, .Li_3
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user
	.section .note.GNU-stack, "", @progbits
