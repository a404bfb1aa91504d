// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
// Right as it stands; each symbol that the self-test defines breaks one thing.
	.text
	.macro	routine name
	.globl	ucopy_\name
	.type	ucopy_\name, %function
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
	.type	other_name, %function
other_name:
.ifdef LOAD_BEHIND
	ldrb	w3, [x1, x2]
.endif
.ifdef LOAD_AHEAD
	ldurb	w3, [x1, #-1]
.endif
.ifdef STORE_AHEAD
	mov	w3, #1
	sturb	w3, [x0, #-1]
.endif
.ifdef STORE_FAR
	mov	w3, #1
	sub	x4, x0, #900
	strb	w3, [x4]
.endif
.ifdef KEPT_REGISTER
	mov	x19, x0
.endif
.ifdef STATE
	fmov	d9, x0
.endif
.ifdef TRAPS
	cmp	x2, #9
	b.ne	1f
	.inst	0
1:
.endif
.ifdef ENDLESS
	cmp	x2, #9
1:	b.eq	1b
.endif
.ifdef UNSET_REGISTER
	cmp	x9, #4
	csel	x2, x9, x2, hi
.endif
	cmp	x2, #16
	b.lo	.Lt_bytes
.Lt_words:
.ifdef SWAPPED
	ldp	x4, x3, [x1]
.else
	ldp	x3, x4, [x1]
.endif
.Lt_s1:	sttr	x3, [x0]
.Lt_s2:	sttr	x4, [x0, #8]
	add	x0, x0, #16
	add	x1, x1, #16
	sub	x2, x2, #16
	cmp	x2, #16
	b.hs	.Lt_words
.Lt_bytes:
	cbz	x2, .Lt_out
.Lt_byte:
	ldrb	w3, [x1]
.Lt_s3:	sttrb	w3, [x0]
	add	x1, x1, #1
	add	x0, x0, #1
	subs	x2, x2, #1
	b.ne	.Lt_byte
.ifdef STORE_BEHIND
	strb	w3, [x0]
.endif
.ifdef SOURCE
	sturb	w2, [x1, #-1]
.endif
.Lt_out:
	mov	x0, x2
.ifdef STACK
	sub	sp, sp, #16
.endif
	ret
.Lt_8:	add	x0, x0, #8
	add	x1, x1, #8
.ifdef COUNT_TOO_LOW
	sub	x2, x2, #9
.else
.ifdef COUNT_TOO_HIGH
	sub	x2, x2, #7
.else
	sub	x2, x2, #8
.endif
.endif
.ifdef GIVES_UP
	b	.Lt_out
.endif
	b	.Lt_bytes
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
	cbz	x2, .Lf_out
.Lf_byte:
.Lf_s1:	ldtrb	w3, [x1]
	strb	w3, [x0], #1
	add	x1, x1, #1
	subs	x2, x2, #1
	b.ne	.Lf_byte
.Lf_out:
	mov	x0, #0
	ret
.Lf_1:	mov	x3, x2
.ifdef NOT_ZEROED
	b	2f
.endif
1:	strb	wzr, [x0], #1
2:	subs	x3, x3, #1
	b.ne	1b
	mov	x0, x2
	ret
	entry	.Lf_s1, .Lf_1
	.size	ucopy_copy_from_user_zeroing, . - ucopy_copy_from_user_zeroing

	routine	copy_in_user
	cbz	x2, .Li_out
.Li_s1:	ldtrb	w3, [x1]
.Li_s2:	sttrb	w3, [x0]
	add	x1, x1, #1
	add	x0, x0, #1
	subs	x2, x2, #1
	b.ne	.Li_s1
.Li_out:
	mov	x0, x2
	ret
	entry	.Li_s1, .Li_out
	entry	.Li_s2, .Li_out
	.size	ucopy_copy_in_user, . - ucopy_copy_in_user

	routine	clear_user
	cbz	x1, .Lc_out
.Lc_s1:	sttrb	wzr, [x0]
	add	x0, x0, #1
	subs	x1, x1, #1
	b.ne	.Lc_s1
.Lc_out:
	mov	x0, x1
	ret
	entry	.Lc_s1, .Lc_out
	.size	ucopy_clear_user, . - ucopy_clear_user

	routine	memcpy
	mov	x4, x0
	cbz	x2, 2f
1:	ldrb	w3, [x1], #1
	strb	w3, [x4], #1
	subs	x2, x2, #1
	b.ne	1b
2:
.ifdef RESULT
	mov	x0, x4
.endif
	ret
	.size	ucopy_memcpy, . - ucopy_memcpy

	routine	memset
	mov	x4, x0
	cbz	x2, 2f
1:	strb	w1, [x4], #1
	subs	x2, x2, #1
	b.ne	1b
2:	ret
	.size	ucopy_memset, . - ucopy_memset
	.section .note.GNU-stack, "", %progbits
