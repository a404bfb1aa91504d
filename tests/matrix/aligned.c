/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A plugin for qemu-user, for machines that trap on unaligned accesses where the emulator doesn't: finds them.
 * Arguments: range=LOW-HIGH (any number of them) of the code to watch, out=FILE, to which each instruction
 * that has made such an access is written once: its address and the access's size.
 */
#include "../count/qemu_plugin.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_RANGES = 256 };

static struct {
	uint64_t low, high;
} ranges[MOST_RANGES];
static size_t nranges;
static const char *out;

struct watched {
	uint64_t pc;
	bool told;
};

/* Processes of the harness share the file: whole lines are appended. */
static void on_access(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
	unsigned size = 1u << qemu_plugin_mem_size_shift(info);
	struct watched *watched = data;
	char line[64];

	(void)cpu;
	if (!(address & (size - 1)) || watched->told)
		return;
	watched->told = true;
	int length = snprintf(line, sizeof(line), "%#" PRIx64 " %u\n", watched->pc, size);
	int file = open(out, O_WRONLY | O_APPEND | O_CREAT, 0600);

	if (file < 0 || write(file, line, (size_t)length) != length)
		abort();
	close(file);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
		uint64_t pc = qemu_plugin_insn_vaddr(insn);

		for (size_t k = 0; k < nranges; k++)
			if (pc >= ranges[k].low && pc < ranges[k].high) {
				/* lives as long as the translation, which is as long as the program */
				struct watched *watched = malloc(sizeof(*watched));

				if (!watched)
					abort();
				*watched = (struct watched){.pc = pc};
				qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS,
								 QEMU_PLUGIN_MEM_RW, watched);
			}
	}
}

int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++) {
		char *end = argv[i];

		if (!strncmp(argv[i], "range=", 6) && nranges < MOST_RANGES) {
			ranges[nranges].low = strtoull(argv[i] + 6, &end, 0);
			ranges[nranges++].high = *end == '-' ? strtoull(end + 1, &end, 0) : 0;
		} else if (!strncmp(argv[i], "out=", 4)) {
			out = strdup(argv[i] + 4);
			end += strlen(end);
		}
		if (*end) {
			fprintf(stderr, "aligned: '%s' isn't understood\n", argv[i]);
			return 1;
		}
	}
	if (!out || !nranges)
		return 1;
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	return 0;
}
