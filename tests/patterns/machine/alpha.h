/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Registers in the order of machine/alpha.S. */
#define REGISTERS "$0", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$16", "$17", "$18", "$19", "$20", "$21", "$22", \
	"$23", "$24", "$25", "$27", "$28"
