/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Runs the cases of one machine on it (or its emulator) and compares registers, memory and the way a branch went with
 * what the effects say.  The machine's part: pattern_run in machine/NAME.S, its registers' names in machine/NAME.h.
 */
#include <inttypes.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "shared.h"

#include REGISTERS_H

#define NREGS (int)(sizeof names / sizeof *names)
#define SHOWN 2			/* failures of one line of a spec that are shown */

static const char *const names[] = { REGISTERS };

struct slot { uint8_t bytes[VALUE_BYTES]; };

/* For the machine's part: registers to load and to store, in the machine's order; 1 when a branch was taken. */
struct slot pattern_cpu[sizeof names / sizeof *names];
unsigned long pattern_taken;
void pattern_run(void *code);
extern void *const pattern_cases[];

struct test {
	int number;
	char where[512], text[1024];
	uint64_t seed;
	int width[sizeof names / sizeof *names];	/* 0: the case says nothing of it */
	uint8_t any[sizeof names / sizeof *names];
	struct slot before[sizeof names / sizeof *names], after[sizeof names / sizeof *names];
	uint8_t memory[ARENA];
	int taken, known;
};

static uint8_t *arena;
static sigjmp_buf escape;
static long cases, wrong, lines;
static char last[512];
static int shown;

static void on_signal(int number)
{
	siglongjmp(escape, number);
}

/* Is it one of those, with | between? */
static int among(const char *all, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = all; at; at = strchr(at, '|')) {
		at += *at == '|';
		if (strncmp(at, name, n) == 0 && (at[n] == '|' || !at[n]))
			return 1;
	}
	return 0;
}

static int find(const char *name)
{
	for (int i = 0; i < NREGS; i++)
		if (among(names[i], name))
			return i;
	fprintf(stderr, "register %s is none of those the runner loads\n", name);
	exit(2);
}

static int is_big(void)
{
	const uint16_t one = 1;

	return *(const uint8_t *)&one == 0;
}

/* Hexadecimal digits, most significant first, into the image of a register in memory. */
static int parse_value(const char *hex, struct slot *ret)
{
	int width = (int)strlen(hex) / 2;

	for (int i = 0; i < width; i++) {
		unsigned byte;

		sscanf(hex + 2 * i, "%2x", &byte);
		ret->bytes[is_big() ? i : width - 1 - i] = (uint8_t)byte;
	}
	return width;
}

static void print_value(const struct slot *s, int width)
{
	printf("0x");
	for (int i = 0; i < width; i++)
		printf("%02x", s->bytes[is_big() ? i : width - 1 - i]);
}

/* Reads one case; 0: there is none. */
static int read_test(FILE *f, struct test *t)
{
	char word[64], name[64], hex[2 * VALUE_BYTES + 1];
	int offset;
	unsigned byte;

	memset(t, 0, sizeof *t);
	while (fscanf(f, "%63s", word) == 1) {
		if (strcmp(word, "case") == 0 && fscanf(f, "%d %511s", &t->number, t->where) == 2)
			continue;
		if (strcmp(word, "text") == 0 && fscanf(f, " %1023[^\n]", t->text) == 1)
			continue;
		if (strcmp(word, "seed") == 0 && fscanf(f, "%" SCNu64, &t->seed) == 1) {
			arena_fill(t->memory, t->seed);
			continue;
		}
		if (strcmp(word, "in") == 0 && fscanf(f, "%63s %64s", name, hex) == 2) {
			int r = find(name);

			t->width[r] = parse_value(hex, &t->before[r]);
			t->after[r] = t->before[r];
			continue;
		}
		if (strcmp(word, "out") == 0 && fscanf(f, "%63s %64s", name, hex) == 2) {
			parse_value(hex, &t->after[find(name)]);
			continue;
		}
		if (strcmp(word, "any") == 0 && fscanf(f, "%63s", name) == 1) {
			t->any[find(name)] = 1;
			continue;
		}
		if (strcmp(word, "mem") == 0 && fscanf(f, "%d %2x", &offset, &byte) == 2) {
			t->memory[offset] = (uint8_t)byte;
			continue;
		}
		if (strcmp(word, "end") == 0 && fscanf(f, "%63s", word) == 1) {
			t->taken = strcmp(word, "taken") == 0;
			t->known = strcmp(word, "unknown") != 0;
			return 1;
		}
		fprintf(stderr, "case %d can't be read at `%s'\n", t->number, word);
		exit(2);
	}
	return 0;
}

static int complain(const struct test *t)
{
	if (strcmp(last, t->where) != 0) {
		strcpy(last, t->where);
		shown = 0;
		lines++;
	}
	wrong++;
	if (shown++ >= SHOWN)
		return 0;
	printf("%s: `%s`: ", t->where, t->text);
	return 1;
}

static int compare_register(const struct test *t, int r)
{
	if (t->any[r] || !memcmp(&pattern_cpu[r], &t->after[r], (size_t)t->width[r]))
		return 0;
	if (complain(t)) {
		printf("register %s: got ", names[r]);
		print_value(&pattern_cpu[r], t->width[r]);
		printf(", effect says ");
		print_value(&t->after[r], t->width[r]);
		printf(", was ");
		print_value(&t->before[r], t->width[r]);
		printf("\n");
	}
	return 1;
}

/* The first difference is told; the rest follows from it. */
static void compare(const struct test *t)
{
	if ((int)pattern_taken != t->taken) {
		if (complain(t))
			printf("branch %s, effect says %s\n", pattern_taken ? "taken" : "not taken",
			       t->taken ? "taken" : "not");
		return;
	}
	for (int r = 0; r < NREGS; r++)
		if (compare_register(t, r))
			return;
	for (int i = 0; i < ARENA; i++) {
		if (arena[i] == t->memory[i])
			continue;
		if (complain(t))
			printf("memory at +%d: got 0x%02x, effect says 0x%02x\n", i, arena[i], t->memory[i]);
		return;
	}
}

static void run(const struct test *t)
{
	int number = sigsetjmp(escape, 1);

	if (number) {
		if (complain(t))
			printf("signal %d (%s)\n", number, strsignal(number));
		return;
	}
	memcpy(pattern_cpu, t->before, sizeof t->before);
	arena_fill(arena, t->seed);
	pattern_run(pattern_cases[t->number]);
	compare(t);
}

static void catch_signals(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };
	struct sigaction a = { .sa_handler = on_signal };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &a, NULL);
}

int main(int argc, char **argv)
{
	static struct test t;
	FILE *f = argc == 2 ? fopen(argv[1], "r") : NULL;
	uint64_t address;

	if (!f || fscanf(f, "arena %" SCNx64, &address) != 1) {
		fprintf(stderr, "usage: %s CASES\n", argv[0]);
		return 2;
	}
	arena = mmap((void *)(uintptr_t)(address & ~(uint64_t)0xffff), 0x20000, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
	if (arena == MAP_FAILED) {
		perror("mmap");
		return 2;
	}
	arena = (uint8_t *)(uintptr_t)address;
	catch_signals();
	while (read_test(f, &t))
		if (t.known) {
			cases++;
			run(&t);
		}
	fclose(f);
	printf("%ld cases run, %ld wrong", cases, wrong);
	printf(lines ? " in %ld lines\n" : "\n", lines);
	return wrong || !cases;
}
