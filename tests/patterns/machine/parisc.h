/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the order of machine/parisc.S. */
#define REGISTERS "%sar", "%r1", "%r3", "%r4", "%r5", "%r6", "%r7", "%r8", "%r9", "%r10", "%r19", "%r20", "%r21", "%r22", \
	"%r23", "%r24", "%r25", "%r26", "%r28", "%r29", "%r31", \
	"%fr4", "%fr5", "%fr6", "%fr7", "%fr8", "%fr9", "%fr10", "%fr11", "%fr12", "%fr13", "%fr14", "%fr15", "%fr16", \
	"%fr17", "%fr18", "%fr19", "%fr20", "%fr21", "%fr22", "%fr23", "%fr24", "%fr25", "%fr26", "%fr27", "%fr28", \
	"%fr29", "%fr30", "%fr31"
