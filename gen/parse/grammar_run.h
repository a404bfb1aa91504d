/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Driving of the automaton: part of grammar.y, whose stack it looks into.
 *
 * An error is reported with exactly those tokens that could have stood in the place: the automaton is run for each on a
 * copy of the stack as it was before the wrong token (which may have led to default reductions).  Recovery then skips to
 * the start of a line where an item or statement can begin, as many blocks deep as the wrong one was, or to the end of
 * that block; a line that begins with a word of the top level in its first column ends all blocks.  There the token
 * SYNC is made up, which ends the `error` item.
 */
#include <stdio.h>
#include <string.h>

#define STACK_MAX (YYSTACKDEPTH + 2)
#define EXPECTED_MAX 7			/* more are listed in a note */

struct snapshot {
	unsigned n;
	YYACTIONTYPE states[STACK_MAX];
	struct place open;		/* the innermost `{`; source NULL: none */
};

_Static_assert(YYNTOKEN == sizeof((char[]){
#define ONE(...) 0,
	TOKENS(ONE, ONE, ONE) 0		/* and the end of file */
#undef ONE
}), "each token has its name");

static void take_snapshot(const yyParser *y, struct snapshot *s)
{
	s->n = 0;
	s->open = (struct place){ 0 };
	for (const yyStackEntry *e = y->yystack; e <= y->yytos; e++) {
		s->states[s->n++] = e->stateno;
		if (e->major == T_LB && e > y->yystack)
			s->open = e->minor.yy0.place;
	}
}

/* The action for a token itself, not for what it can fall back to. */
static YYACTIONTYPE exact_action(YYACTIONTYPE state, int kind)
{
	int i;

	if (state > YY_MAX_SHIFT)
		return state;
	i = yy_shift_ofst[state] + kind;
	return yy_lookahead[i] == kind ? yy_action[i] : yy_default[state];
}

/* Would the automaton take this token? */
static bool accepts(const struct snapshot *start, int kind)
{
	struct snapshot s;

	s.n = start->n;
	memcpy(s.states, start->states, s.n * sizeof(*s.states));
	for (;;) {
		YYACTIONTYPE act = exact_action(s.states[s.n - 1], kind);
		unsigned rule = (unsigned)act - YY_MIN_REDUCE;

		if (act < YY_MIN_REDUCE)
			return act <= YY_MAX_SHIFTREDUCE || act == YY_ACCEPT_ACTION;
		s.n -= (unsigned)-yyRuleInfoNRhs[rule];
		if (s.n >= STACK_MAX)
			return false;
		s.states[s.n] = yy_find_reduce_action(s.states[s.n - 1], yyRuleInfoLhs[rule]);
		s.n++;
	}
}

static unsigned open_blocks(const yyParser *y)
{
	unsigned n = 0;

	for (const yyStackEntry *e = y->yystack + 1; e <= y->yytos; e++)
		n += e->major == T_LB;
	return n;
}

static bool begins_top_level(const struct parser *p, int kind, struct token t)
{
	bool top = kind == T_INCLUDE || kind == T_MACHINE || kind == T_TARGET || kind == T_MACRO || kind == T_ROUTINE ||
		kind == T_HOOK || kind == T_TUNE || kind == T_FEATURE;

	return top && t.first && (!t.place.start || p->scanner.source->text[t.place.start - 1] == '\n');
}

struct expected {
	unsigned n, nkeywords;
	const char *names[YYNTOKEN], *keywords[YYNTOKEN];
};

/* What could stand here; groups that could wholly are called by their names. */
static void find_expected(const struct snapshot *s, struct expected *e)
{
	static const char *const group_names[GROUP_COUNT] = {
		[GROUP_OPERATOR] = "an operator", [GROUP_RELATION] = "a comparison", [GROUP_FACT] = "a fact",
		[GROUP_MACHINE] = "an item of a machine",
		[GROUP_ABI] = "an item of an ABI", [GROUP_TARGET] = "an item of a target", [GROUP_STATEMENT] = "a statement",
	};
#define ONE(id, ...) T_##id,
	static const int order[YYNTOKEN] = { TOKENS(ONE, ONE, ONE) 0 };
#undef ONE
	bool takes[YYNTOKEN], whole[GROUP_COUNT], said[GROUP_COUNT] = { 0 };

	for (int group = 0; group < GROUP_COUNT; group++)
		whole[group] = group != GROUP_NONE;
	for (int k = 0; k < YYNTOKEN; k++) {
		takes[k] = k != T_SYNC && accepts(s, k);
		whole[token_group(k)] &= takes[k];
	}
	e->n = e->nkeywords = 0;
	for (int i = 0; i < YYNTOKEN; i++) {
		int k = order[i];
		enum token_group group = token_group(k);

		if (takes[k] && token_keyword(k))
			e->keywords[e->nkeywords++] = token_keyword(k);
		if (!takes[k] || said[group])
			continue;
		said[group] = whole[group];
		e->names[e->n++] = whole[group] ? group_names[group] : token_name(k);
	}
}

/* "a, b or c" */
static const char *list_text(struct parser *p, const char *const *names, unsigned n)
{
	char text[2048] = "";
	size_t used = 0;

	for (unsigned i = 0; i < n && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
					 !i ? "" : i + 1 < n ? ", " : " or ", names[i]);
	return arena_string(p->arena, text, strlen(text));
}

static const char *describe(struct parser *p, int kind, struct token t)
{
	unsigned length;
	const char *s = token_text(p, t, &length);
	bool cut = length > 40;
	char text[80];

	if (!kind)
		return "end of file";
	snprintf(text, sizeof(text), kind == T_NAME ? "name `%.*s%s`" : kind == T_NUM ? "number %.*s%s" :
		 kind == T_TEXT ? "text %.*s%s" : "`%.*s%s`", cut ? 40 : (int)length, s, cut ? "..." : "");
	return arena_string(p->arena, text, strlen(text));
}

static void syntax_error(struct yyParser *y, struct parser *p, int kind, struct token t)
{
	const struct snapshot *s = p->snapshot;
	const char *near = NULL, *list, *what = describe(p, kind, t);
	struct expected e;

	(void)y;
	if (p->bad || p->quiet || p->fatal) {
		p->bad = true;
		return;
	}
	p->bad = true;
	p->fatal = diag_errors(p->d) >= ERRORS_MAX;
	find_expected(s, &e);
	list = list_text(p, e.names, e.n);
	if (e.n <= EXPECTED_MAX) {
		diag_error(p->d, DIAG_SYNTAX, t.place, "unexpected %s, expected %s", what, list);
	} else {
		diag_error(p->d, DIAG_SYNTAX, t.place, "unexpected %s", what);
		diag_note(p->d, t.place, "expected %s", list);
	}
	if (kind == T_NAME || token_keyword(kind))
		near = diag_near(token_string(p, t), e.keywords, e.nkeywords);
	if (near)
		diag_note(p->d, t.place, "did you mean `%s`?", near);
	if (s->open.source && (!kind || begins_top_level(p, kind, t)))
		diag_note(p->d, s->open, "this `{` is not closed");
}

static void feed(yyParser *y, struct parser *p, struct snapshot *s, int kind, struct token t)
{
	take_snapshot(y, s);
	p->bad = false;
	Grammar(y, kind, t);
	p->before = t.place;
}

/* Ends the `error` item that the automaton is in. */
static void feed_sync(yyParser *y, struct parser *p, struct snapshot *s, struct token t)
{
	y->yyerrcnt = -1;
	feed(y, p, s, T_SYNC, t);
	p->bad = false;
}

static void close_blocks(yyParser *y, struct parser *p, struct snapshot *s, struct token t)
{
	p->quiet = true;
	while (open_blocks(y) && !p->fatal) {
		feed(y, p, s, T_RB, t);
		if (p->bad)
			feed_sync(y, p, s, t);
	}
	p->quiet = false;
}

/*
 * From a token that was wrong to one that can go on, which becomes the current one.  depth: number of blocks open in
 * the text before it.
 */
static void recover(yyParser *y, struct parser *p, struct snapshot *s, int *kind, struct token *t, unsigned *depth)
{
	unsigned target = open_blocks(y);
	struct snapshot item;

	take_snapshot(y, &item);
	item.n--;				/* without the error symbol: where an item can begin */
	for (; *kind; *kind = scan(&p->scanner, t)) {
		bool top = begins_top_level(p, *kind, *t);

		if (top || (*depth == target && t->first && accepts(&item, *kind)) ||
		    (*depth == target && target && *kind == T_RB)) {
			feed_sync(y, p, s, *t);
			if (top)
				close_blocks(y, p, s, *t);
			*depth = open_blocks(y);
			return;
		}
		*depth += *kind == T_LB;
		*depth -= *kind == T_RB && *depth;
	}
}

void parse_tokens(struct parser *p)
{
	struct snapshot s;
	struct token t = { .place = { p->scanner.source, p->scanner.base, p->scanner.base } };
	unsigned depth = 0;
	yyParser y;
	int kind;

	GrammarInit(&y, p);
	p->snapshot = &s;
	do {
		kind = scan(&p->scanner, &t);
		if (kind == T_MACHINE || kind == T_TARGET)
			p->where = IN_SPEC;
		else if (kind == T_MACRO || kind == T_ROUTINE)
			p->where = IN_TEMPLATE;
		feed(&y, p, &s, kind, t);
		while (p->bad && kind && !p->fatal) {
			recover(&y, p, &s, &kind, &t, &depth);
			feed(&y, p, &s, kind, t);
		}
		depth += kind == T_LB;
		depth -= kind == T_RB && depth;
	} while (kind && !p->fatal);
}
