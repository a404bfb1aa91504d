/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What stands between the braces of a hole: an expression or a list, and behind a colon how it is printed. */
#include "resolve_priv.h"

#include <ctype.h>

#define DEPTH_MAX 100			/* parts of an expression */
#define RANGES_MAX 64			/* in one hole */

struct cursor {
	struct resolver *r;
	const char *chars;
	size_t at, end;
	struct place origin;		/* of chars */
	unsigned depth;			/* of the expression that is read */
	bool bad;
};

static void skip_blanks(struct cursor *c)
{
	while (c->at < c->end && (c->chars[c->at] == ' ' || c->chars[c->at] == '\t'))
		c->at++;
}

static struct place here(const struct cursor *c)
{
	return place_part(c->origin, c->at, c->at < c->end ? c->at + 1 : c->end);
}

static void expect(struct cursor *c, const char *what)
{
	if (!c->bad)
		fail(c->r, DIAG_TEXT, here(c), "%s is expected in a hole", what);
	c->bad = true;
	c->at = c->end;
}

static bool eat(struct cursor *c, const char *token)
{
	size_t length = strlen(token);

	skip_blanks(c);
	if (c->end - c->at < length || memcmp(c->chars + c->at, token, length) != 0)
		return false;
	c->at += length;
	return true;
}

static bool is_name_start(char ch)
{
	return isalpha((unsigned char)ch) || ch == '_';
}

static const char *name(struct cursor *c, struct place *ret)
{
	size_t from;

	skip_blanks(c);
	from = c->at;
	if (from == c->end || !is_name_start(c->chars[from]))
		return NULL;
	while (c->at < c->end && (isalnum((unsigned char)c->chars[c->at]) || c->chars[c->at] == '_'))
		c->at++;
	*ret = place_part(c->origin, from, c->at);
	return talloc_strndup(c->r->ctx, c->chars + from, c->at - from);
}

static unsigned digit_value(char ch)
{
	if (isdigit((unsigned char)ch))
		return (unsigned)(ch - '0');
	return isxdigit((unsigned char)ch) ? (unsigned)(tolower((unsigned char)ch) - 'a') + 10 : 99;
}

static uint64_t scale(struct cursor *c)
{
	if (eat(c, "K"))
		return 1 << 10;
	return eat(c, "M") ? 1 << 20 : 1;
}

static bool number(struct cursor *c, uint64_t *ret)
{
	unsigned base = 10, digit;
	uint64_t v = 0, times;

	skip_blanks(c);
	if (c->at == c->end || !isdigit((unsigned char)c->chars[c->at]))
		return false;
	if (eat(c, "0x"))
		base = 16;
	for (; c->at < c->end && (digit = digit_value(c->chars[c->at])) < base; c->at++)
		if (__builtin_mul_overflow(v, base, &v) || __builtin_add_overflow(v, digit, &v))
			expect(c, "a number below 2^64");
	times = scale(c);
	if (__builtin_mul_overflow(v, times, &v))
		expect(c, "a number below 2^64");
	*ret = v;
	return true;
}

/* A bound of a range: from -2^63 to 2^63 - 1. */
static int64_t bound(struct cursor *c)
{
	bool negative = eat(c, "-");
	uint64_t v = 0, most = (uint64_t)INT64_MAX + negative;

	if (!number(c, &v))
		expect(c, "a number");
	else if (v > most)
		expect(c, "a number from -2^63 to 2^63 - 1");
	return negative ? (int64_t)-v : (int64_t)v;
}

static const struct {
	const char *token;
	enum expr_op op;
	int level;
} binary[] = {
	{"|", EX_OR, 1},  {"^", EX_XOR, 2}, {"&", EX_AND, 3}, {"<<", EX_SHL, 4}, {">>", EX_SHR, 4},
	{"+", EX_ADD, 5}, {"-", EX_SUB, 5}, {"*", EX_MUL, 6}, {"/", EX_DIV, 6},	 {"%", EX_MOD, 6},
};

static struct expr *expression(struct cursor *c, int level);

/* Every node of an expression is a level of the calls that read or walk it. */
static void go_deeper(struct cursor *c)
{
	if (++c->depth <= DEPTH_MAX || c->bad)
		return;
	fail(c->r, DIAG_DEEP, here(c), "expression of more than %d parts", DEPTH_MAX);
	c->bad = true;
	c->at = c->end;
}

static struct expr *factor(struct cursor *c)
{
	struct place at = here(c);
	struct expr *e;
	const char *word;
	uint64_t v;

	go_deeper(c);
	if (eat(c, "(")) {
		e = expression(c, 0);
		if (!eat(c, ")"))
			expect(c, "`)`");
		return e;
	}
	if (eat(c, "-") || eat(c, "~")) {
		e = expr_new(c->r->ctx, c->chars[c->at - 1] == '-' ? EX_NEG : EX_NOT, at);
		e->kid[0] = factor(c);
		return e;
	}
	if (number(c, &v))
		return expr_const(c->r->ctx, v, at);
	word = name(c, &at);
	if (!word)
		expect(c, "a name or a number");
	e = expr_new(c->r->ctx, EX_NAME, at);
	e->name = word ? word : "";
	return e;
}

static struct expr *expression(struct cursor *c, int level)
{
	struct expr *e = factor(c);
	size_t i = 0;

	while (i < sizeof binary / sizeof binary[0]) {
		struct place at = here(c);

		if (binary[i].level > level && eat(c, binary[i].token)) {
			e = expr_binary(c->r->ctx, binary[i].op, e, expression(c, binary[i].level), at);
			i = 0;
		} else {
			i++;
		}
	}
	return e;
}

static void list(struct cursor *c, struct hole *ret)
{
	static const char *const orders[] = {"", "asc", "run", "even"};
	struct place at = here(c);
	int64_t least = bound(c), most = eat(c, "..") ? bound(c) : least;
	const char *order = name(c, &at);

	if (!eat(c, "]"))
		expect(c, "`]`");
	if (c->bad)
		return;
	ret->is_list = true;
	ret->list_min = least >= 1 && least <= 32 ? (int)least : 1;
	ret->list_max = most >= 1 && most <= 32 ? (int)most : 1;
	if (least < 1 || most < least || most > 32)
		fail(c->r, DIAG_RANGE, ret->place,
		     "a list has from 1 to 32 registers, and no fewer at most than at least");
	for (int i = LIST_ASCENDING; order && i <= LIST_EVEN; i++)
		if (strcmp(order, orders[i]) == 0) {
			ret->order = (enum list_order)i;
			order = NULL;
		}
	if (order)
		fail(c->r, DIAG_TEXT, at, "a list is `asc`, `run` or `even`, not `%s`", order);
}

/* The operand that an expression prints: the one name in it. */
static const char *only_name(struct cursor *c, const struct expr *e)
{
	const char *found = NULL;

	if (e->op == EX_NAME)
		return e->name;
	for (int i = 0; i < expr_kids(e->op); i++) {
		const char *other = only_name(c, e->kid[i]);

		if (found && other && strcmp(found, other) != 0)
			expect(c, "an expression of one name");
		found = other ? other : found;
	}
	return found;
}

static void head_part(struct cursor *c, struct hole *ret)
{
	struct expr *e;

	if (eat(c, "@")) {
		ret->name = "@";
		return;
	}
	e = expression(c, 0);
	ret->name = only_name(c, e);
	if (!ret->name)
		expect(c, "a name");
	if (e->op != EX_NAME)
		ret->print = e;
	else if (eat(c, "["))
		list(c, ret);
}

static bool one_range(struct cursor *c, struct range *ret)
{
	bool ones = eat(c, "ones "), tops = !ones && eat(c, "tops ");

	*ret = (struct range){.kind = ones ? RANGE_ONES : tops ? RANGE_TOPS : RANGE_STEP, .step = 1};
	ret->lo = bound(c);
	if (ones || tops) {
		ret->hi = ret->lo;
		ret->lo = 1;
		return !c->bad;
	}
	ret->hi = eat(c, "..") ? bound(c) : ret->lo;
	if (eat(c, "/"))
		ret->step = bound(c);
	return !c->bad;
}

static void ranges_part(struct cursor *c, struct hole *ret)
{
	do {
		if (ret->ranges.n == RANGES_MAX) {
			fail(c->r, DIAG_MANY, ret->place, "a hole has at most %d ranges", RANGES_MAX);
			c->bad = true;
			return;
		}
		ARRAY_RESIZE(c->r->ctx, ret->ranges.v, struct range, ret->ranges.n + 1);
		if (!one_range(c, &ret->ranges.v[ret->ranges.n]))
			return;
		ret->ranges.n++;
	} while (eat(c, "|"));
	ret->has_ranges = true;
}

static void what_part(struct cursor *c, struct hole *ret)
{
	size_t from = c->at;

	ret->what = name(c, &ret->what_place);
	skip_blanks(c);
	if (ret->what && c->at < c->end) {		/* `ones 63` */
		c->at = from;
		ret->what = NULL;
	}
	if (!ret->what)
		ranges_part(c, ret);
}

static void check_ranges(struct resolver *r, const struct ranges *ranges, struct place at)
{
	for (size_t i = 0; i < ranges->n; i++) {
		const struct range *v = &ranges->v[i];

		if (v->kind != RANGE_STEP) {
			if (v->hi < 1 || v->hi > 63)
				fail(r, DIAG_RANGE, at, "masks have from 1 to 63 bits");
		} else if (v->hi < v->lo) {
			fail(r, DIAG_RANGE, at, "a range must not end before it begins");
		} else if (v->step < 1) {
			fail(r, DIAG_RANGE, at, "a range's step must be at least 1");
		} else if (((uint64_t)v->hi - (uint64_t)v->lo) % (uint64_t)v->step != 0) {
			fail(r, DIAG_RANGE, at,
			     "a range by steps of %lld from %lld does not reach its end %lld",
			     (long long)v->step, (long long)v->lo, (long long)v->hi);
		}
	}
}

static bool finish(struct cursor *c)
{
	skip_blanks(c);
	if (c->at < c->end && !c->bad)
		expect(c, "`}`");
	return !c->bad;
}

bool parse_hole_parts(struct resolver *r, const struct text_at *t, size_t head, size_t head_end,
		      size_t from, size_t to, struct hole *ret)
{
	struct cursor c = {.r = r, .chars = t->text, .at = head, .end = head_end, .origin = t->place};

	head_part(&c, ret);
	if (!finish(&c))
		return false;
	if (from == to)
		return true;
	c.at = from;
	c.end = to;
	what_part(&c, ret);
	if (!finish(&c))
		return false;
	check_ranges(r, &ret->ranges, place_part(t->place, from, to));
	return true;
}
