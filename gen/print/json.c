/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "json.h"

#include <stdio.h>
#include <stdlib.h>

#include <talloc.h>

static void *allocate(size_t n)
{
	return talloc_size(NULL, n);
}

static void release(void *p)
{
	talloc_free(p);
}

void json_memory(void)
{
	json_set_alloc_funcs(allocate, release);
}

json_t *json_there(json_t *j)
{
	if (j)
		return j;
	fputs("ucopy: out of memory\n", stderr);
	abort();
}

json_t *json_text(const char *s)
{
	json_t *j = json_string(s);
	char *safe;

	if (j)
		return j;
	safe = talloc_strdup(NULL, "");
	for (; *s; s++)
		safe = talloc_asprintf_append_buffer(safe, *s >= ' ' && *s <= '~' ? "%c" : "\\x%02x", (unsigned char)*s);
	j = json_there(json_string(safe));
	talloc_free(safe);
	return j;
}
