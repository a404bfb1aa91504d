/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls each routine of the table once for every size, aligned and misaligned, with a mark before and after
 * the call. Nothing faults here.  The table is made by the runner.
 */
#include "guest.h"

#include <stdint.h>
#include <string.h>

const unsigned long guest_sizes[] = {8, 16, 31, 64, 100, 256, 1024, 4096};

static _Alignas(4096) unsigned char dst[3 * 4096], src[3 * 4096];

__attribute__((noinline)) void guest_mark(void)
{
	__asm__ volatile("" ::: "memory");
}

static void call(const struct guest_routine *r, unsigned char *to, const unsigned char *from, unsigned long n)
{
	/* once unmarked, so that nothing is resolved or touched for the first time in the marked call */
	for (int i = 0; i < 2; i++) {
		guest_mark();
		if (r->fill)
			r->fill(to, n);
		else if (r->set)
			r->set(to, 0x5a, n);
		else
			r->copy(to, from, n);
	}
	guest_mark();
}

int main(void)
{
	for (const struct guest_routine *r = guest_routines; r->copy || r->fill || r->set; r++)
		for (int misaligned = 0; misaligned < 2; misaligned++)
			for (size_t i = 0; i < sizeof(guest_sizes) / sizeof(guest_sizes[0]); i++)
				call(r, dst + (misaligned ? 3 : 0), src + (misaligned ? 1 : 0),
				     guest_sizes[i]);
	return 0;
}

/* What routines call that copy while a page is held: it never is. */
unsigned long ucopy_pin(const void *address)
{
	(void)address;
	return 0;
}

void ucopy_unpin(void)
{
}

void ucopy_touch(const void *address)
{
	(void)address;
}
