/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The exception table, and a signal handler that does with a fault what a kernel does. */
#include "matrix.h"
#include MACHINE_H

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#ifndef MACHINE_SITE_MASK
#define MACHINE_SITE_MASK (~(uintptr_t)0)
#endif
#ifndef MACHINE_ADDRESS_GRANULE /* of the fault address; at least the widest word around a byte of a range   \
				 */
#define MACHINE_ADDRESS_GRANULE 16
#endif
#ifndef MACHINE_SLOT /* a fault in a delay slot reports the branch, so many bytes ahead of it */
#define MACHINE_SLOT 0
#endif

enum { MOST_FAULTS = 20000 };

struct entry {
	uintptr_t site, fixup;
};

extern const int32_t __start___ex_table[] __attribute__((weak));
extern const int32_t __stop___ex_table[] __attribute__((weak));

size_t table_size;
uint32_t *table_hits;
static struct entry *table;
static struct trial *watched;

static int by_site(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->site < y->site ? -1 : x->site > y->site;
}

static void table_read(void)
{
	const int32_t *raw = __start___ex_table;

	table_size = (size_t)(__stop___ex_table - raw) / 2;
	table = calloc(table_size + 1, sizeof(*table));
	table_hits = mmap(NULL, (table_size + 1) * sizeof(*table_hits), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!table || table_hits == MAP_FAILED)
		exit(3);
	for (size_t i = 0; i < table_size; i++, raw += 2) {
		table[i].site = ((uintptr_t)&raw[0] + (uintptr_t)(intptr_t)raw[0]) & MACHINE_SITE_MASK;
		table[i].fixup = (uintptr_t)&raw[1] + (uintptr_t)(intptr_t)raw[1];
	}
	qsort(table, table_size, sizeof(*table), by_site);
}

/* Is the table well-formed: whole entries, no site twice? */
bool table_check(void)
{
	bool good = (__stop___ex_table - __start___ex_table) % 2 == 0;

	table_read();
	if (!good)
		printf("FAIL the table is not made of 8-byte entries\n");
	for (size_t i = 1; i < table_size; i++)
		if (table[i].site == table[i - 1].site) {
			printf("FAIL the table has two entries for the site %#lx\n",
			       (unsigned long)table[i].site);
			good = false;
		}
	return good;
}

size_t table_site_count(size_t *ret_hit)
{
	size_t hit = 0;

	for (size_t i = 0; i < table_size; i++)
		hit += table_hits[i] != 0;
	*ret_hit = hit;
	return table_size;
}

uintptr_t code_of(const struct routine *routine)
{
	return routine->address & MACHINE_SITE_MASK;
}

static const struct routine *routine_at(uintptr_t pc)
{
	const struct routine *best = NULL;

	for (const struct routine *r = matrix_routines; r < matrix_routines + matrix_nroutines; r++)
		if (code_of(r) <= pc && (!best || code_of(r) > code_of(best)))
			best = r;
	return best;
}

void table_print_missed(void)
{
	for (size_t i = 0; i < table_size; i++) {
		const struct routine *r = routine_at(table[i].site);

		if (!table_hits[i] && r)
			printf("never faulted: %s+%#lx\n", r->name,
			       (unsigned long)(table[i].site - code_of(r)));
	}
}

static const struct entry *lookup(uintptr_t pc)
{
	struct entry key = {pc & MACHINE_SITE_MASK, 0};

	return bsearch(&key, table, table_size, sizeof(key), by_site);
}

static _Noreturn void abandon(enum violation violation)
{
	watched->violation = violation;
	siglongjmp(watched->leave, 1);
}

/* Accesses may go as far as the aligned word around a byte of the user's range, no further. */
static bool in_range(const unsigned char *start, size_t n, uintptr_t at)
{
	uintptr_t lo = (uintptr_t)start & -(uintptr_t)MACHINE_ADDRESS_GRANULE;
	uintptr_t hi =
		((uintptr_t)start + n + MACHINE_ADDRESS_GRANULE - 1) & -(uintptr_t)MACHINE_ADDRESS_GRANULE;

	return n && at >= lo && at < hi;
}

static bool in_user_range(uintptr_t at)
{
	enum kind kind = watched->routine->kind;

	return (kind_dest_is_user(kind) && in_range(watched->dst, watched->n, at)) ||
	       (kind_source_is_user(kind) && in_range(watched->src, watched->n, at));
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
	uintptr_t pc = machine_pc(context), at = (uintptr_t)info->si_addr;

	if (!watched || !watched->running) {
		static const char text[] = "the harness itself has faulted\n";
		ssize_t unused = write(2, text, sizeof(text) - 1);

		(void)unused;
		_exit(3);
	}
	watched->fault_pc = pc;
	watched->fault_address = at;
	watched->signal = signal;
	if (signal != SIGSEGV && signal != SIGBUS)
		abandon(CRASH);
	if (signal == SIGBUS && info->si_code == BUS_ADRALN)
		abandon(UNALIGNED);
	if (!in_user_range(at))
		abandon(STRAY);
	const struct entry *entry = lookup(pc);

	if (!entry && MACHINE_SLOT)
		entry = lookup(pc + MACHINE_SLOT);
	if (!entry)
		abandon(NO_ENTRY);
	if (watched->faults++ > MOST_FAULTS)
		abandon(ENDLESS);
	table_hits[entry - table]++;
	machine_set_pc(context, entry->fixup);
}

/* A call that still runs at the third tick doesn't end.  Ticks are of processor time: a busy host can wait.
 */
static void on_tick(int signal, siginfo_t *info, void *context)
{
	static unsigned long last;
	static unsigned ticks;

	(void)info;
	if (!watched || !watched->running || watched->serial != last) {
		last = watched ? watched->serial : 0;
		ticks = 0;
	} else if (++ticks == 3) {
		ticks = 0;
		watched->fault_pc = machine_pc(context);
		watched->signal = signal;
		abandon(ENDLESS);
	}
}

void faults_watch(struct trial *trial)
{
	watched = trial;
}

void faults_catch(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP};
	struct sigaction action = {.sa_sigaction = on_fault,
				   .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
	struct itimerval second = {{1, 0}, {1, 0}};
	stack_t stack = {.ss_size = 256 * 1024};

	stack.ss_sp = malloc(stack.ss_size);
	if (!stack.ss_sp || sigaltstack(&stack, NULL))
		exit(3);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
	action.sa_sigaction = on_tick;
	action.sa_flags |= SA_RESTART;
	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &second, NULL);
}
