/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The sources of what is built when routines are measured, as text in the program: they are there wherever it is run. */
#include <inttypes.h>

#include "bench.h"

const char *const bench_harness[] = {
#include "harness.c.h"
	NULL
};

const char *const bench_mixes[] = {
#include "mixes.h.h"
	NULL
};

const char *const bench_plugin[] = {
#include "plugin.c.h"
	NULL
};

const char *const bench_plugin_api[] = {
#include "qemu_plugin.h.h"
	NULL
};

void bench_print_lines(FILE *out, const char *const *lines)
{
	for (; *lines; lines++)
		fputs(*lines, out);
}

/* How the harness calls it. */
static const char *kind(const struct routine_info *info)
{
	return info->src >= 0 ? "COPY" : info->value >= 0 ? "SET" : "FILL";
}

void bench_print_methods(FILE *out, const struct bench *b)
{
	fprintf(out, "#ifndef METHODS_ONLY\nenum { SIZES = %zu, MOST = %u };\nstatic const unsigned sizes[] = {", b->nsizes,
		b->sizes[b->nsizes - 1]);
	for (size_t i = 0; i < b->nsizes; i++)
		fprintf(out, "%s%u,", i % 16 ? " " : "\n\t", b->sizes[i]);
	fputs("\n};\n#endif\n", out);
	for (size_t i = 0; i < b->nmethods; i++)
		fprintf(out, "METHOD(%s, %s)\n", kind(&b->methods[i].program->info), b->methods[i].symbol);
}
