/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A plugin for qemu-user: counts the instructions executed inside address ranges.  Whenever the instruction
 * at `mark` runs, the count so far is written down and starts again from 0.  Arguments: mark=ADDRESS,
 * range=LOW-HIGH (any number of them), out=FILE; the counts stand there when the program has ended, one a
 * line.
 */
#include "qemu_plugin.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_RANGES = 256 };

static struct {
	uint64_t low, high;
} ranges[MOST_RANGES];
static size_t nranges;
static uint64_t mark, counter;
static const char *out;
static FILE *file;

static bool in_ranges(uint64_t at)
{
	for (size_t i = 0; i < nranges; i++)
		if (at >= ranges[i].low && at < ranges[i].high)
			return true;
	return false;
}

static void on_mark(unsigned cpu, void *data)
{
	(void)cpu;
	(void)data;
	fprintf(file, "%" PRIu64 "\n", counter);
	counter = 0;
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t at = qemu_plugin_insn_vaddr(insn);

		if (at == mark)
			qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, QEMU_PLUGIN_CB_NO_REGS, NULL);
		else if (in_ranges(at))
			qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &counter,
								   1);
	}
}

static void at_end(qemu_plugin_id_t id, void *data)
{
	bool bad = ferror(file) != 0;

	(void)id;
	(void)data;
	bad |= fclose(file) != 0;
	if (bad)
		fprintf(stderr, "count: can't write '%s'\n", out);
}

static bool add_range(const char *text)
{
	char *end;

	if (nranges == MOST_RANGES)
		return false;
	ranges[nranges].low = strtoull(text, &end, 0);
	if (*end != '-')
		return false;
	ranges[nranges].high = strtoull(end + 1, &end, 0);
	nranges++;
	return !*end;
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	bool good = true;

	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "mark=", 5))
			mark = strtoull(argv[i] + 5, NULL, 0);
		else if (!strncmp(argv[i], "out=", 4))
			out = strdup(argv[i] + 4);
		else if (!strncmp(argv[i], "range=", 6))
			good &= add_range(argv[i] + 6);
		else
			good = false;
	}
	if (!good || !mark || !out || !nranges) {
		fprintf(stderr, "count: wants mark=ADDRESS, out=FILE, range=LOW-HIGH\n");
		return 1;
	}
	file = fopen(out, "w");
	if (!file) {
		fprintf(stderr, "count: can't write '%s'\n", out);
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, at_end, NULL);
	return 0;
}
