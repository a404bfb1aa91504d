/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
#include "path.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <talloc.h>

/* Puts components of a path that are not there yet behind the name of what is. */
static char *below(char *whole, const char *rest)
{
	while (*rest) {
		size_t n = strcspn(rest, "/");
		char *last = strrchr(whole, '/');

		if (n == 2 && strncmp(rest, "..", n) == 0)
			*(last ? last : whole) = '\0';
		else if (n && !(n == 1 && *rest == '.'))
			whole = talloc_asprintf_append(whole, "/%.*s", (int)n, rest);
		rest += n + (rest[n] == '/');
	}
	return whole;
}

/* Where a file is, or will be, whatever folders it is named by.  A link counts as a file: it would be replaced. */
static char *whole_path(void *ctx, const char *path)
{
	char whole[PATH_MAX];

	for (size_t n = strlen(path) + 1; n-- > 0;) {
		if (n && path[n - 1] != '/')
			continue;
		if (realpath(n ? talloc_strndup(ctx, path, n) : ".", whole))
			return below(talloc_strdup(ctx, strcmp(whole, "/") ? whole : ""), path + n);
	}
	return talloc_strdup(ctx, path);
}

bool path_is(const char *a, const char *b)
{
	struct stat sa, sb;
	void *ctx;
	bool same;

	if (stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino)
		return true;
	ctx = talloc_new(NULL);
	same = strcmp(whole_path(ctx, a), whole_path(ctx, b)) == 0;
	talloc_free(ctx);
	return same;
}
