/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A tuning profile as JSON; numbers are integers, and lists are in the order of `sizes`. */
#include <inttypes.h>

#include "json.h"
#include "mixes.h"
#include "profile.h"
#include "show.h"

static void put(json_t *object, const char *key, json_t *value)
{
	json_object_set_new(object, key, json_there(value));
}

static json_t *number(uint64_t n)
{
	return json_integer((json_int_t)n);
}

static json_t *medians(const struct bench *b, size_t method, int alignment)
{
	json_t *list = json_there(json_array());

	for (size_t w = 0; w < b->nsizes; w++)
		json_array_append_new(list, json_there(number(bench_median(b, w, alignment, method))));
	return list;
}

static json_t *mixed(const struct bench *b, size_t method, int alignment)
{
	json_t *object = json_there(json_object());

	for (size_t i = 0; i < MIXES; i++)
		put(object, mix[i].name, number(bench_median(b, b->nsizes + i, alignment, method)));
	return object;
}

static json_t *method(const struct bench *b, size_t m)
{
	static const char *const names[ALIGNMENTS] = { "aligned", "misaligned" };
	json_t *j = json_there(json_object()), *mixes = json_there(json_object()), *with = json_there(json_object());

	if (b->methods[m].tune)
		put(with, b->methods[m].tune, number(b->methods[m].value));
	put(j, "routine", json_text(b->methods[m].routine));
	put(j, "with", with);
	for (int a = 0; a < ALIGNMENTS; a++) {
		put(j, names[a], medians(b, m, a));
		put(mixes, names[a], mixed(b, m, a));
	}
	put(j, "mixes", mixes);
	return j;
}

static json_t *sizes(const struct bench *b)
{
	json_t *list = json_there(json_array());

	for (size_t w = 0; w < b->nsizes; w++)
		json_array_append_new(list, json_there(number(b->sizes[w])));
	return list;
}

void bench_profile(FILE *out, const struct bench *b, const struct bench_choice *choices, size_t n)
{
	json_t *j = json_there(json_object()), *tunes = json_there(json_object()), *methods = json_there(json_array());

	for (size_t m = 0; m < b->nmethods; m++)
		json_array_append_new(methods, method(b, m));
	for (size_t i = 0; i < n; i++)
		put(tunes, choices[i].tune->name, number(choices[i].value));
	put(j, "generator", json_text("ucopy"));
	put(j, "profile", number(PROFILE_FORM));
	put(j, "machine", json_text(b->machine->name));
	put(j, "target", json_text(b->machine->target.full_name));
	put(j, "tunes", tunes);
	put(j, "measured", json_text(b->counts ? "instructions" : "picoseconds"));
	put(j, "rounds", number(b->rounds));
	put(j, "sizes", sizes(b));
	put(j, "methods", methods);
	json_dumpf(j, out, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	fputc('\n', out);
	json_decref(j);
}
