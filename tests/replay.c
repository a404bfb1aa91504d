/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Runs a fuzzer's entry without a fuzzer: on each file named, then on what becomes of it by cutting, doubling and
 * overwriting pieces, always the same for the same files.
 *
 *	replay [--changes N] [--seed S] FILE..
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t seed = 1;

static size_t below(size_t n)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return n ? (size_t)(seed * 0x2545f4914f6cdd1d >> 16) % n : 0;
}

static uint8_t *read_file(const char *path, size_t *ret_size)
{
	FILE *f = fopen(path, "rb");
	uint8_t *data;
	long size;

	if (!f || fseek(f, 0, SEEK_END) || (size = ftell(f)) < 0 || fseek(f, 0, SEEK_SET)) {
		perror(path);
		exit(1);
	}
	data = malloc((size_t)size + 1);
	*ret_size = data ? fread(data, 1, (size_t)size, f) : 0;
	fclose(f);
	return data;
}

/* A copy in memory of its own size, so that a byte too far is seen; changed in one to four places. */
static void run_changed(const uint8_t *data, size_t size)
{
	static const uint8_t marks[] = "{}()[]`:;,=+-&|<>?@#\n\"\\ \0\377a0";
	size_t capacity = 2 * size + 16, n = size;
	uint8_t *copy = malloc(capacity), *exact;

	memcpy(copy, data, size);
	for (size_t k = below(4) + 1; k && n; k--) {
		size_t from = below(n), length = below(below(64) + 1) % (n - from), to = below(n);

		switch (below(4)) {
		case 0:				/* a piece goes */
			memmove(copy + from, copy + from + length, n - from - length);
			n -= length;
			break;
		case 1:				/* a piece stands elsewhere too */
			if (n + length > capacity)
				break;
			memmove(copy + to + length, copy + to, n - to);
			memmove(copy + to, copy + from, length);
			n += length;
			break;
		case 2:				/* a byte becomes one that means something */
			copy[from] = marks[below(sizeof marks - 1)];
			break;
		default:			/* the end goes */
			n = below(8) ? n : from;
		}
	}
	exact = malloc(n ? n : 1);
	memcpy(exact, copy, n);
	LLVMFuzzerTestOneInput(exact, n);
	free(exact);
	free(copy);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "changes", required_argument, NULL, 'c' }, { "seed", required_argument, NULL, 's' }, { 0 },
	};
	unsigned long changes = 0, runs = 0;

	for (int c; (c = getopt_long(argc, argv, "", options, NULL)) != -1;) {
		if (c == 'c')
			changes = strtoul(optarg, NULL, 10);
		else if (c == 's')
			seed = strtoul(optarg, NULL, 10) | 1;
		else
			return 2;
	}
	for (; optind < argc; optind++) {
		size_t size;
		uint8_t *data = read_file(argv[optind], &size);

		LLVMFuzzerTestOneInput(data, size);
		for (unsigned long k = 0; k < changes; k++)
			run_changed(data, size);
		runs += changes + 1;
		free(data);
	}
	printf("%lu inputs\n", runs);
	return runs == 0;
}
