/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sizes as programs ask for them, in bytes.  Within a line all sizes are as likely; a mix's permilles add up to 1000.
 *
 * memcpy: most copies are short, 95.5 % of them at most 128 bytes.
 * syscalls: what compiling a file, git status and log, grep, find, wc, tar and a Python start let a kernel copy to their
 * memory (traced; structures and data by system call, long reads by pages): a few sizes of structures, and pages.
 */
#ifndef UCOPY_MIXES_H
#define UCOPY_MIXES_H

enum { MIXES = 2, MIX_LINES = 18, MIX_MOST = 4096 };
enum { COUNTED_CALLS = 200 };		/* of a mix, where instructions are counted */

static const struct {
	const char *name;
	struct {
		unsigned permille, low, high;
	} line[MIX_LINES];
} mix[MIXES] = {
	{"memcpy", {{60, 0, 3}, {240, 4, 8}, {240, 9, 16}, {180, 17, 32}, {150, 33, 64}, {85, 65, 128}, {20, 129, 256},
		    {15, 257, 1024}, {10, 1025, 4096}}},
	{"syscalls", {{571, 144, 144}, {113, 4096, 4096}, {102, 32, 32}, {52, 8, 8}, {15, 832, 832}, {14, 16, 16},
		      {14, 784, 784}, {7, 4032, 4032}, {7, 2996, 2996}, {3, 112, 112}, {3, 11, 11}, {2, 390, 390}, {2, 80, 80},
		      {1, 64, 64}, {40, 1, 128}, {30, 129, 512}, {24, 513, 4095}}},
};

#endif
