/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#ifndef UCOPY_GUEST_H
#define UCOPY_GUEST_H

struct guest_calls {
	unsigned to, from;	   /* behind an address that is aligned */
	unsigned long first, last; /* sizes, one call each */
};

struct guest_routine {
	unsigned long (*copy)(void *to, const void *from, unsigned long n);
	unsigned long (*fill)(void *to, unsigned long n);
	void *(*set)(void *to, int c, unsigned long n);
	const struct guest_calls *calls;
	unsigned long ncalls;
};

extern const struct guest_routine guest_routines[]; /* ends with an empty one */
void guest_mark(void);

#endif
