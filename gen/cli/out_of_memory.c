/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * No pass asks whether memory was there: the linker (--wrap) puts these in place of what they name, and where there is
 * none the program ends, with a word.  Output is written last of all, so nothing is left half done.
 */
#include "out_of_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <talloc.h>

#include "options.h"
#include "temporary.h"

static void *there(void *p)
{
	if (p)
		return p;
	temporaries_drop();
	fputs("ucopy: out of memory\n", stderr);
	_Exit(EXIT_FAULT);	/* other threads may be at work still */
}

#define STACK_NEEDED (512u * 1024)	/* bytes: a run has been seen to take less than 200 KB of it */

static char __attribute__((noinline)) touch(void)
{
	volatile char room[STACK_NEEDED];

	room[0] = 0;
	return room[0];
}

void stack_reserve(void)
{
	void *room = mmap(NULL, STACK_NEEDED, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	munmap(there(room == MAP_FAILED ? NULL : room), STACK_NEEDED);
	(void)touch();
}

/* WRAP(result, name, parameters, arguments, condition): nothing but that condition may give NULL. */
#define WRAP(type, name, parameters, arguments, empty) \
	type __real_##name parameters; \
	type __wrap_##name parameters; \
	type __wrap_##name parameters \
	{ \
		return (empty) ? __real_##name arguments : there(__real_##name arguments); \
	}

WRAP(void *, _talloc_array, (const void *t, size_t size, unsigned n, const char *name), (t, size, n, name), false)
WRAP(void *, _talloc_zero_array, (const void *t, size_t size, unsigned n, const char *name), (t, size, n, name), false)
WRAP(void *, _talloc_zero, (const void *t, size_t size, const char *name), (t, size, name), false)
WRAP(void *, _talloc_memdup, (const void *t, const void *p, size_t size, const char *name), (t, p, size, name), !p)
WRAP(void *, _talloc_realloc, (const void *t, void *p, size_t size, const char *name), (t, p, size, name), !size)
WRAP(void *, _talloc_realloc_array, (const void *t, void *p, size_t size, unsigned n, const char *name),
	(t, p, size, n, name), !size || !n)
WRAP(void *, talloc_named_const, (const void *t, size_t size, const char *name), (t, size, name), false)
WRAP(char *, talloc_strdup, (const void *t, const char *p), (t, p), !p)
WRAP(char *, talloc_strndup, (const void *t, const char *p, size_t n), (t, p, n), !p)
WRAP(char *, talloc_strdup_append, (char *s, const char *a), (s, a), !s && !a)
WRAP(char *, talloc_strdup_append_buffer, (char *s, const char *a), (s, a), !s && !a)
WRAP(char *, talloc_vasprintf, (const void *t, const char *format, va_list ap), (t, format, ap), false)
WRAP(char *, talloc_vasprintf_append_buffer, (char *s, const char *format, va_list ap), (s, format, ap), false)

/* The same with arguments of their own: WRAP_PRINT(name, first parameter, function that takes a list). */
#define WRAP_PRINT(name, first, list) \
	char *__wrap_##name(first t, const char *format, ...) __attribute__((format(printf, 2, 3))); \
	char *__wrap_##name(first t, const char *format, ...) \
	{ \
		va_list ap; \
		char *s; \
		va_start(ap, format); \
		s = list(t, format, ap); \
		va_end(ap); \
		return there(s); \
	}

WRAP_PRINT(talloc_asprintf, const void *, talloc_vasprintf)
WRAP_PRINT(talloc_asprintf_append, char *, talloc_vasprintf_append)
WRAP_PRINT(talloc_asprintf_append_buffer, char *, talloc_vasprintf_append_buffer)
