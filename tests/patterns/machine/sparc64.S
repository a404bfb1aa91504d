/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Loads every register but the window's own %i0 to %i7, %o6, %o7 and the system's, runs a case, stores them. */
	.register %g2, #scratch
	.register %g3, #scratch
	.macro	each insn
	.set	at, 0
	.irp	r, o0, o1, o2, o3, o4, o5, g1, g4, g5, l0, l1, l2, l3, l4, l5, l6, l7
	\insn	\r
	.set	at, at + 32
	.endr
	.endm
	.macro	load r
	ldx	[%i1 + at], %\r
	.endm
	.macro	store r
	stx	%\r, [%i1 + at]
	.endm

	.text
	.globl	pattern_run, pattern_done
pattern_run:
	save	%sp, -192, %sp
	set	pattern_cpu, %i1
	wr	%g0, 0x80, %asi		/* the C library leaves another one */
	each	load
	jmpl	%i0, %g0
	nop
pattern_done:
	set	pattern_cpu, %i1
	each	store
	set	pattern_taken, %i1
	stx	%i2, [%i1]
	ret
	restore

	.section .note.GNU-stack,"",@progbits
