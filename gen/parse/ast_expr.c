/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Expressions and conditions as parsed. */
#include <string.h>

#include "ast_build.h"

static const struct function {
	const char *name;
	enum expr_op op;
	unsigned args;
} functions[] = {
	{ "funnel", EX_FUNNEL, 3 }, { "sx", EX_SX, 2 }, { "rep", EX_REP, 1 }, { "len", EX_LENGTH, 1 },
	{ "min", EX_MIN, 2 }, { "max", EX_MAX, 2 }, { "pow2", EX_POW2, 1 },
};
#define NFUNCTIONS (sizeof(functions) / sizeof(*functions))

static struct deep node(struct parser *p, enum expr_op op, struct place place)
{
	struct deep d = { NEW(p, struct expr), 1 };

	d.e->op = op;
	d.e->index = -1;
	d.e->place = place;
	return d;
}

static void set_kid(struct parser *p, struct deep *d, int i, struct deep kid)
{
	d->e->kid[i] = kid.e;
	if (kid.depth < d->depth)
		return;
	d->depth = kid.depth + 1;
	depth_check(p, d->depth);
}

struct deep expr_number(struct parser *p, struct token t)
{
	struct deep d = node(p, EX_CONST, t.place);

	d.e->value = t.number;
	return d;
}

struct deep expr_name(struct parser *p, struct token t)
{
	struct deep d = node(p, EX_NAME, t.place);

	d.e->name = token_string(p, t);
	return d;
}

struct deep expr_index(struct parser *p, struct token name, struct deep index)
{
	struct deep d = node(p, EX_INDEX, place_to_here(p, name.place));

	d.e->name = token_string(p, name);
	set_kid(p, &d, 0, index);
	return d;
}

struct deep expr_text(struct parser *p, struct token t)
{
	struct deep d = node(p, EX_TEXT, t.place);

	d.e->name = text_at(p, t).text;
	return d;
}

struct deep expr_one(struct parser *p, enum expr_op op, struct token t, struct deep a)
{
	struct deep d = node(p, op, place_to_here(p, t.place));

	set_kid(p, &d, 0, a);
	return d;
}

struct deep expr_two(struct parser *p, enum expr_op op, struct deep a, struct deep b)
{
	struct deep d = node(p, op, place_to_here(p, a.e->place));

	set_kid(p, &d, 0, a);
	set_kid(p, &d, 1, b);
	return d;
}

static const struct function *function_find(struct parser *p, struct token t)
{
	const char *names[NFUNCTIONS], *near, *name = token_string(p, t);

	for (size_t i = 0; i < NFUNCTIONS; i++) {
		if (!strcmp(functions[i].name, name))
			return &functions[i];
		names[i] = functions[i].name;
	}
	diag_error(p->d, DIAG_FUNCTION, t.place, "there is no function `%.40s`", name);
	near = diag_near(name, names, NFUNCTIONS);
	if (near)
		diag_note(p->d, t.place, "did you mean `%s`?", near);
	return NULL;
}

struct deep expr_call(struct parser *p, struct token name, struct exprs args)
{
	const struct function *f = function_find(p, name);
	struct deep d = node(p, f ? f->op : EX_CONST, place_to_here(p, name.place));

	if (!f)
		return d;
	if (args.n != f->args) {
		diag_error(p->d, DIAG_ARGUMENTS, d.e->place, "`%s` takes %u argument%s, not %zu", f->name, f->args,
			   f->args == 1 ? "" : "s", args.n);
		d.e->op = EX_CONST;
		return d;
	}
	if (f->op == EX_LENGTH && args.v[0].e->op != EX_NAME) {
		diag_error(p->d, DIAG_ARGUMENTS, args.v[0].e->place, "`len` takes the name of a list");
		d.e->op = EX_CONST;
		return d;
	}
	d.e->name = f->op == EX_LENGTH ? args.v[0].e->name : NULL;
	for (unsigned i = 0; i < f->args && f->op != EX_LENGTH; i++)
		set_kid(p, &d, (int)i, args.v[i]);
	return d;
}

static void check_letter(struct parser *p, struct token t, char letter)
{
	bool side = letter == ACCESS_SRC || letter == ACCESS_DST;

	if ((p->where == IN_SPEC && side) || (p->where == IN_TEMPLATE && !side)) {
		t.place.end = t.place.start + 1;
		diag_error(p->d, DIAG_LETTER, t.place, "access `%c` can stand in %s only", letter,
			   side ? "templates" : "specs");
		diag_note(p->d, t.place, "templates say whose memory it is: S the source's, D the destination's; "
			  "specs what an instruction can reach: M, U, K, N");
	}
}

/* What stands behind the length: `u`, `n` or both. */
static bool set_marks(struct parser *p, struct place at, struct expr *e, const char *s, const char *end)
{
	e->any_address |= s < end && *s == 'u';
	s += s < end && *s == 'u';
	e->past_caches |= s < end && *s == 'n';
	s += s < end && *s == 'n';
	if (e->past_caches && e->letter != ACCESS_DST)
		diag_error(p->d, DIAG_LETTER, at, "only what is stored to the destination can go past the caches (`n`)");
	return s == end;
}

static bool is_length(uint64_t n)
{
	return n && n <= 32 && !(n & (n - 1));
}

/* The lengths between the letter and the marks: none, one, or those of a family. */
static struct expr *lengths(struct parser *p, struct token t, const char *s, const char *end)
{
	struct expr *first = NULL, **link = &first;

	for (int n = 0; s < end && *s >= '0' && *s <= '9'; n++) {
		struct deep d = node(p, EX_FAMILY, t.place);
		const char *start = s;

		if (n == FAMILY_MAX) {
			diag_error(p->d, DIAG_MANY, t.place, "a line has at most %d alternatives", FAMILY_MAX);
			break;
		}
		d.e->place.start += (uint32_t)(s - (p->scanner.source->text + t.place.start));
		for (; s < end && *s >= '0' && *s <= '9'; s++)
			d.e->value = d.e->value > 32 ? d.e->value : d.e->value * 10 + (uint64_t)(*s - '0');
		d.e->place.end = d.e->place.start + (uint32_t)(s - start);
		if (!is_length(d.e->value))
			diag_error(p->d, DIAG_LENGTH, d.e->place, "an access has 1, 2, 4, 8, 16 or 32 bytes");
		*link = d.e;
		link = &d.e->kid[0];
		s += s < end && *s == ',';
	}
	if (first && !first->kid[0])
		first->op = EX_CONST;
	if (first && first->kid[0] && p->where == IN_TEMPLATE)
		diag_error(p->d, DIAG_LENGTH, t.place, "only specs can give several lengths at once");
	return first;
}

struct deep expr_mem(struct parser *p, struct token mem, struct deep length, struct token any, struct address at)
{
	struct deep d = node(p, EX_MEM, place_to_here(p, mem.place));
	unsigned size;
	size_t digits;
	const char *s = token_text(p, mem, &size);

	check_letter(p, mem, *s);
	d.e->letter = (enum access)*s;
	digits = strspn(s + 1, "0123456789,");
	set_marks(p, mem.place, d.e, s + 1 + digits, s + size);
	d.e->kid[1] = lengths(p, mem, s + 1, s + 1 + digits);
	if (length.e && d.e->kid[1])
		diag_error(p->d, DIAG_LENGTH, length.e->place, "this access already has a length");
	set_kid(p, &d, 0, at.at);
	if (length.e)
		set_kid(p, &d, 1, length);
	if (at.space.place.source)
		d.e->kid[2] = expr_name(p, at.space).e;
	if (any.place.source) {
		s = token_text(p, any, &size);
		if (!set_marks(p, any.place, d.e, s, s + size))
			diag_error(p->d, DIAG_WORD, any.place,
				   "only `u` (at any address) and `n` (past the caches) can stand behind a length");
	}
	return d;
}

struct cond *cond_new(struct parser *p, enum relation rel, struct deep a, struct deep b)
{
	struct cond *c = NEW(p, struct cond);

	c->rel = rel;
	c->relvar = -1;
	c->lhs = a.e;
	c->rhs = b.e;
	return c;
}

struct cond *cond_named(struct parser *p, struct token rel, struct deep a, struct deep b)
{
	struct cond *c = cond_new(p, REL_EQ, a, b);
	unsigned length;
	const char *s = token_text(p, rel, &length);

	c->relname = arena_string(p->arena, s + 1, length - 1);
	return c;
}

struct cond *cond_feature(struct parser *p, struct token name)
{
	struct deep f = node(p, EX_FEATURE, name.place), zero = node(p, EX_CONST, name.place);

	f.e->name = token_string(p, name);
	return cond_new(p, REL_NE, f, zero);
}

struct cond *cond_not(struct cond *c)
{
	if (c->relname)
		c->negated = !c->negated;
	else
		c->rel = relation_inverse(c->rel);
	return c;
}
