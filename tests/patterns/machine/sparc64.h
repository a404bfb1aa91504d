/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the order of machine/sparc64.S. */
#define REGISTERS "%o0", "%o1", "%o2", "%o3", "%o4", "%o5", "%g1", "%g4", "%g5", \
	"%l0", "%l1", "%l2", "%l3", "%l4", "%l5", "%l6", "%l7"
