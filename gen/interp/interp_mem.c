/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory of the interpreter: which accesses are allowed, which fault, and what a torn store leaves behind. */
#include "interp_run.h"

#include <string.h>

struct spot { int side; int64_t offset; int64_t length; uint8_t *bytes; };

static enum outcome stray(struct run *r, bool store)
{
	return run_end(r, store ? RUN_STRAY_STORE : RUN_STRAY_LOAD);
}

/* Inside the buffer, or inside an aligned word of which a byte is. */
static bool in_range(const struct run *r, const struct spot *s)
{
	int64_t at = s->offset - r->start[s->side], n = r->size[s->side], word = r->in->program->machine->width;

	if (at >= 0 && at + s->length <= n)
		return true;
	while (word < s->length)
		word *= 2;
	if ((s->offset & (word - 1)) + s->length > word)
		return false;
	at = (s->offset & -word) - r->start[s->side];
	return n > 0 && at + word > 0 && at < n;
}

static bool form_fits(const struct run *r, const struct flat_mem *m, int side)
{
	bool by_user = r->in->program->machine->target.user_by_user;

	if (!m->side[side])
		return false;
	if (r->user[side])
		return m->letter != ACCESS_KERNEL && (!by_user || m->letter == ACCESS_USER);
	return !by_user || m->letter != ACCESS_USER;
}

static bool accessible(const struct run *r, const struct spot *s, int64_t from, int64_t length)
{
	return s->offset + from >= r->good[s->side] || s->offset + from + length <= r->bad[s->side];
}

static enum outcome locate_free(struct run *r, uint64_t address, bool store, struct spot *ret)
{
	const struct interp_memory *f = r->free;
	uint64_t offset = (address - f->base) & r->in->mask;

	if (offset >= f->size || (uint64_t)ret->length > f->size - offset)
		return stray(r, store);
	ret->side = 1;
	ret->offset = (int64_t)offset;
	ret->bytes = f->bytes + offset;
	return OUT_DONE;
}

/* Finds an access's place and checks all that must hold of it; OUT_FAULT: some of it can't be accessed. */
static enum outcome locate(struct run *r, const struct flat_step *s, const struct flat_mem *m, bool store, int words,
			   struct spot *ret)
{
	const struct interp *in = r->in;
	uint64_t address = r->v[m->address] & in->mask, length = r->v[m->length], offset = 0;

	if (length > 8 * (uint64_t)words)
		return run_end(r, RUN_LENGTH);
	*ret = (struct spot){ .length = (int64_t)length };
	if (!length)
		return OUT_DONE;
	if (m->align > 1 && address % m->align)
		return run_end(r, RUN_MISALIGNED);
	if (r->free)
		return locate_free(r, address, store, ret);
	for (ret->side = 1; ret->side >= 0; ret->side--) {
		offset = (address - in->region[ret->side] + INTERP_HALF) & in->mask;
		if (offset < 2 * INTERP_HALF && offset + length <= 2 * INTERP_HALF)
			break;
	}
	if (ret->side < 0 || (store && ret->side != 1))
		return stray(r, store);
	ret->offset = (int64_t)offset;
	ret->bytes = in->bytes[ret->side] + offset;
	if (!in_range(r, ret))
		return stray(r, store);
	if (!form_fits(r, m, ret->side))
		return run_end(r, RUN_FORM);
	if (r->user[ret->side] && s->fixup < 0)
		return run_end(r, RUN_NO_SITE);
	return accessible(r, ret, 0, ret->length) ? OUT_DONE : OUT_FAULT;
}

static void note_fault(struct run *r, bool store)
{
	struct interp_fault f = { r->pc, r->line, store, store ? r->stores : r->loads };

	if (!r->res->faults++)
		r->res->first = f;
	r->res->last = f;
}

enum outcome run_load(struct run *r, const struct flat_step *s, const struct flat_op *o)
{
	bool big = r->in->program->machine->order == BIG;
	uint64_t *d = r->v + o->d;
	struct spot at;
	enum outcome out;

	if (!r->counted) {
		r->counted = true;
		r->loads++;
	}
	out = locate(r, s, &r->in->mems[o->mem], false, o->words, &at);
	if (out == OUT_FAULT)
		note_fault(r, false);
	if (out != OUT_DONE)
		return out;
	memset(d, 0, sizeof *d * o->words);
	for (int64_t i = 0; i < at.length; i++)
		d[i >> 3] |= (uint64_t)at.bytes[big ? at.length - 1 - i : i] << 8 * (i & 7);
	return OUT_DONE;
}

static uint8_t byte_of(const struct run *r, const struct flat_store *st, int64_t length, int64_t i)
{
	if (r->in->program->machine->order == BIG)
		i = length - 1 - i;
	return (uint8_t)(r->v[st->value + (i >> 3)] >> 8 * (i & 7));
}

/* Stores bytes from .. from + length - 1 of an access. */
static void put(struct run *r, const struct flat_store *st, const struct spot *at, int64_t from, int64_t length)
{
	for (int64_t i = from; i < from + length; i++)
		at->bytes[i] = byte_of(r, st, at->length, i);
	if (r->free || !length)
		return;
	if (at->offset + from < r->low)
		r->low = at->offset + from;
	if (at->offset + from + length > r->high)
		r->high = at->offset + from + length;
}

/* Outside of the destination a store may only put back what is there. */
static bool only_rewrites(struct run *r, const struct flat_store *st, const struct spot *at)
{
	int64_t first = at->offset - r->start[1];

	if (r->free || (first >= 0 && first + at->length <= r->size[1]))
		return true;
	for (int64_t i = 0; i < at->length; i++)
		if ((first + i < 0 || first + i >= r->size[1]) && byte_of(r, st, at->length, i) != at->bytes[i])
			return false;
	return true;
}

/* Units of a torn step, numbered through all its stores. */
struct units {
	int n;
	int prefix;		/* before the first inaccessible one */
	int good, last;		/* accessible ones, and the last of them */
};

/* Counts the units, and stores unit number `pick` (-1: none) if it can be. */
static void each_unit(struct run *r, const struct flat_step *s, const struct spot *at, int pick, struct units *u)
{
	*u = (struct units){ 0, -1, 0, 0 };
	for (int k = 0; k < s->stores.n; k++)
		for (int64_t from = 0; from < at[k].length; from += s->tears, u->n++) {
			int64_t length = at[k].length - from < s->tears ? at[k].length - from : s->tears;

			if (accessible(r, &at[k], from, length)) {
				u->good++;
				u->last = u->n;
			} else if (u->prefix < 0) {
				u->prefix = u->n;
			}
			if (u->n == pick && accessible(r, &at[k], from, length))
				put(r, &r->in->stores[s->stores.first + k], &at[k], from, length);
		}
}

static void put_units(struct run *r, const struct flat_step *s, const struct spot *at, int from, int to)
{
	struct units u;

	for (int i = from; i < to; i++)
		each_unit(r, s, at, i, &u);
}

static void tear_stores(struct run *r, const struct flat_step *s, const struct spot *at)
{
	struct units u;

	each_unit(r, s, at, -1, &u);
	if (u.n < 2)
		return;
	r->res->torn |= u.prefix > 0;
	r->res->behind |= s->any && u.good > u.prefix;
	switch (r->tear) {
	case TEAR_ALL:
		put_units(r, s, at, 0, u.prefix);
		break;
	case TEAR_HALF:
		put_units(r, s, at, 0, (u.prefix + 1) / 2);
		break;
	case TEAR_BUT_ONE:
		put_units(r, s, at, 0, u.prefix - 1);
		break;
	case TEAR_BEHIND:
		put_units(r, s, at, 0, s->any ? u.n : u.prefix);
		break;
	case TEAR_LAST:
		if (s->any)
			put_units(r, s, at, u.last, u.last + 1);
		break;
	default:
		break;
	}
}

enum outcome run_stores(struct run *r, const struct flat_step *s)
{
	const struct flat_store *st = r->in->stores + s->stores.first;
	struct spot at[FLAT_STORES];
	bool fault = false;

	r->stores++;
	for (int k = 0; k < s->stores.n; k++) {
		enum outcome out = locate(r, s, &r->in->mems[st[k].mem], true, st[k].words, &at[k]);

		if (out == OUT_END)
			return out;
		if (at[k].length && !only_rewrites(r, &st[k], &at[k]))
			return stray(r, true);
		fault |= out == OUT_FAULT;
	}
	if (fault) {
		note_fault(r, true);
		for (int k = 0; k < s->stores.n; k++)
			r->owed |= s->tears && r->in->mems[st[k].mem].letter == ACCESS_STREAM;
		if (s->tears)
			tear_stores(r, s, at);
		return OUT_FAULT;
	}
	for (int k = 0; k < s->stores.n; k++) {
		put(r, &st[k], &at[k], 0, at[k].length);
		r->owed |= r->in->mems[st[k].mem].letter == ACCESS_STREAM;
	}
	return OUT_DONE;
}
