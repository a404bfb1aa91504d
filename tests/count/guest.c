/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Calls each routine of the table with all of its sizes and places, with a mark before and after each call.
 * Nothing faults here.  The table is made by the runner.
 */
#include "guest.h"

static _Alignas(4096) unsigned char dst[3 * 4096], src[3 * 4096];

__attribute__((noinline)) void guest_mark(void)
{
	__asm__ volatile("" ::: "memory");
}

static void call(const struct guest_routine *r, unsigned char *to, const unsigned char *from, unsigned long n)
{
	if (r->fill)
		r->fill(to, n);
	else if (r->set)
		r->set(to, 0x5a, n);
	else
		r->copy(to, from, n);
}

static void call_all(const struct guest_routine *r, const struct guest_calls *c)
{
	/* once unmarked, so that nothing is resolved or touched for the first time in a marked call */
	call(r, dst + c->to, src + c->from, c->last);
	for (unsigned long n = c->first; n <= c->last; n++) {
		guest_mark();
		call(r, dst + c->to, src + c->from, n);
	}
	guest_mark();
}

int main(void)
{
	for (const struct guest_routine *r = guest_routines; r->ncalls; r++)
		for (unsigned long i = 0; i < r->ncalls; i++)
			call_all(r, &r->calls[i]);
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

void ucopy_fpu_begin(void)
{
}

void ucopy_fpu_end(void)
{
}

void ucopy_touch(const void *address)
{
	(void)address;
}
