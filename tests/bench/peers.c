/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Who is measured.  Each peer has a loop of its own with the call in it, as its kernel would compile it: ours
 * are called; stock ones are called with their own registers, or are one instruction in line.
 */
#include "bench.h"

#include <string.h>

#define LOOP(id, does)								\
	static void run_##id(const struct batch *b)				\
	{									\
		for (const struct call *c = b->calls; c < b->calls + b->ncalls; c++) {	\
			void *to = b->dst + c->dst;				\
			const void *from = b->src + c->src;			\
			unsigned long n = c->n;					\
										\
			does;							\
			(void)from;						\
		}								\
	}

/* The runner makes ours.h: OUR_COPY(name), OUR_NOCACHE(name), OUR_FILL(name), OUR_SET(name), one a line. */
#define OUR_COPY(id)								\
	unsigned long ucopy_##id(void *, const void *, unsigned long);		\
	LOOP(id, ucopy_##id(to, from, n))
#define OUR_NOCACHE(id)	OUR_COPY(id)
#define OUR_FILL(id)	unsigned long ucopy_##id(void *, unsigned long); LOOP(id, ucopy_##id(to, n))
#define OUR_SET(id)	void *ucopy_##id(void *, int, unsigned long); LOOP(id, ucopy_##id(to, 0, n))
#include "ours.h"
#undef OUR_COPY
#undef OUR_NOCACHE
#undef OUR_FILL
#undef OUR_SET

static inline void rep_movsb(void *to, const void *from, unsigned long n)
{
	__asm__ volatile("rep movsb" : "+c"(n), "+D"(to), "+S"(from) : : "memory", "rax");
}

static inline void rep_stosb(void *to, unsigned long n)
{
	__asm__ volatile("rep stosb" : "+c"(n), "+D"(to) : "a"(0) : "memory");
}

/* The compiler must neither expand nor drop these. */
static void *(*volatile libc_memcpy)(void *, const void *, size_t) = memcpy;
static void *(*volatile libc_memset)(void *, int, size_t) = memset;

LOOP(libc_copy, libc_memcpy(to, from, n))
LOOP(libc_fill, libc_memset(to, 0, n))
LOOP(inline_copy, rep_movsb(to, from, n))
LOOP(inline_fill, rep_stosb(to, n))

#ifdef STOCK
/* The stock routines count in rcx, may change rdi, rsi and rax, and use the red zone of nobody. */
#define STOCK_COPY(id)									\
	static inline void call_##id(void *to, const void *from, unsigned long n)	\
	{										\
		__asm__ volatile("call " #id : "+c"(n), "+D"(to), "+S"(from) : : "memory", "rax");	\
	}										\
	LOOP(id, call_##id(to, from, n))

STOCK_COPY(erms_rep_movs_alternative)
STOCK_COPY(old_rep_movs_alternative)

static inline void call_stos(void *to, unsigned long n)
{
	__asm__ volatile("call old_rep_stos_alternative" : "+c"(n), "+D"(to) : "a"(0) : "memory");
}
LOOP(stos_alternative, call_stos(to, n))

unsigned long old_copy_to_nontemporal(void *to, const void *from, unsigned long n);
LOOP(nontemporal, old_copy_to_nontemporal(to, from, n))
#endif

#define OUR_COPY(id)	{ #id, COPY, true, run_##id },
#define OUR_NOCACHE(id)	{ #id, NOCACHE, true, run_##id },
#define OUR_FILL(id)	{ #id, FILL, true, run_##id },
#define OUR_SET(id)	{ #id, FILL, true, run_##id },

const struct peer peers[] = {
#include "ours.h"
#ifdef STOCK
	{ "stock", COPY, false, run_old_rep_movs_alternative },
	{ "stock, erms", COPY, false, run_erms_rep_movs_alternative },
	{ "stock, fsrm", COPY, false, run_inline_copy },
	{ "stock", NOCACHE, false, run_nontemporal },
	{ "stock", FILL, false, run_stos_alternative },
	{ "stock, fsrs", FILL, false, run_inline_fill },
#else
	{ "rep movsb", COPY, false, run_inline_copy },
	{ "rep stosb", FILL, false, run_inline_fill },
#endif
	{ "libc memcpy", COPY, false, run_libc_copy },
	{ "libc memcpy", NOCACHE, false, run_libc_copy },
	{ "libc memset", FILL, false, run_libc_fill },
};
const size_t npeers = sizeof(peers) / sizeof(peers[0]);
