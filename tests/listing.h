/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Programs for tests, from text.  A line is one instruction, its effects separated by `;`, then its marks:
 *
 *	loop:
 *	    v0 = M8[s]; s = s + 8
 *	    M8[d] = v0 !bytes ^8 @16	fault goes to `bytes`, tears 8, aligned 16
 *	    if n >=s 64 goto loop
 *	    while c != 0 { M1[d] = M1[s]; d = d + 1; s = s + 1; c = c - 1 } !out
 *	    enter k0 k1
 *	    return
 *
 * Registers are those of the machine, which also has the patterns (one for each set of marks).  Letters as in specs.
 */
#ifndef UCOPY_TEST_LISTING_H
#define UCOPY_TEST_LISTING_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <talloc.h>

#include "ir.h"

struct reader {
	void *ctx;
	const struct machine *m;
	struct program *p;
	const char *at;
	int lineno;
};

static const struct place nowhere;

static _Noreturn void bad(const struct reader *r, const char *what)
{
	fprintf(stderr, "listing line %d: %s at `%.30s`\n", r->lineno, what, r->at);
	abort();
}

static void blanks(struct reader *r)
{
	while (*r->at == ' ' || *r->at == '\t')
		r->at++;
}

static bool take(struct reader *r, const char *what)
{
	size_t n = strlen(what);

	blanks(r);
	if (strncmp(r->at, what, n) != 0 ||
	    (isalpha((unsigned char)*what) && isalnum((unsigned char)r->at[n])))
		return false;
	r->at += n;
	return true;
}

static void need(struct reader *r, const char *what)
{
	if (!take(r, what))
		bad(r, what);
}

static char *word(struct reader *r)
{
	const char *begin;

	blanks(r);
	for (begin = r->at; isalnum((unsigned char)*r->at) || *r->at == '_'; r->at++)
		;
	if (begin == r->at)
		bad(r, "a name is missing");
	return talloc_strndup(r->ctx, begin, (size_t)(r->at - begin));
}

static int label(struct reader *r, const char *name)
{
	for (size_t k = 0; k < r->p->nlabels; k++)
		if (strcmp(r->p->labels[k].name, name) == 0)
			return (int)k;
	return program_label(r->p, name);
}

static int reg(struct reader *r, const char *name)
{
	for (size_t k = 0; k < r->m->nregs; k++)
		if (strcmp(r->m->regs[k].name, name) == 0)
			return (int)k;
	bad(r, name);
}

static struct expr *expr(struct reader *r, int level);

static struct expr *mem(struct reader *r)
{
	struct expr *e = expr_new(r->ctx, EX_MEM, nowhere);

	e->letter = (enum access)*r->at++;
	if (*r->at == '(') {
		r->at++;
		e->kid[1] = expr(r, 0);
		need(r, ")");
	} else {
		e->kid[1] = expr_const(r->ctx, strtoull(r->at, (char **)&r->at, 10), nowhere);
	}
	e->any_address = take(r, "u");
	need(r, "[");
	e->kid[0] = expr(r, 0);
	need(r, "]");
	return e;
}

static struct expr *call(struct reader *r, enum expr_op op)
{
	struct expr *e = expr_new(r->ctx, op, nowhere);

	need(r, "(");
	for (int k = 0; k < expr_kids(op); k++) {
		if (k)
			need(r, ",");
		e->kid[k] = expr(r, 0);
	}
	need(r, ")");
	return e;
}

static struct expr *atom(struct reader *r)
{
	struct expr *e;

	blanks(r);
	if (take(r, "(")) {
		e = expr(r, 0);
		need(r, ")");
		return e;
	}
	if (take(r, "-")) {
		e = atom(r);
		return e->op == EX_CONST ? expr_const(r->ctx, -e->value, nowhere) :
		       expr_binary(r->ctx, EX_NEG, e, NULL, nowhere);
	}
	if (take(r, "~"))
		return expr_binary(r->ctx, EX_NOT, atom(r), NULL, nowhere);
	if (isdigit((unsigned char)*r->at))
		return expr_const(r->ctx, strtoull(r->at, (char **)&r->at, 0), nowhere);
	if (strchr("MUKN", *r->at) && (isdigit((unsigned char)r->at[1]) || r->at[1] == '('))
		return mem(r);
	if (take(r, "funnel"))
		return call(r, EX_FUNNEL);
	if (take(r, "rep"))
		return call(r, EX_REP);
	return expr_reg(r->ctx, reg(r, word(r)), nowhere);
}

/* Loosest first; those of one level stand together. */
static const struct { const char *text; enum expr_op op; int level; } binary[] = {
	{ "|", EX_OR, 0 }, { "^", EX_XOR, 1 }, { "&", EX_AND, 2 }, { "<<", EX_SHL, 3 }, { ">>", EX_SHR, 3 },
	{ "+", EX_ADD, 4 }, { "-", EX_SUB, 4 }, { "*", EX_MUL, 5 }, { "/", EX_DIV, 5 }, { "%", EX_MOD, 5 },
};

static struct expr *expr(struct reader *r, int level)
{
	struct expr *e = level > 5 ? atom(r) : expr(r, level + 1);

	for (size_t k = 0; level <= 5 && k < sizeof(binary) / sizeof(binary[0]);)
		if (binary[k].level == level && take(r, binary[k].text)) {
			e = expr_binary(r->ctx, binary[k].op, e, expr(r, level + 1), nowhere);
			k = 0;
		} else {
			k++;
		}
	return e;
}

static struct cond *cond(struct reader *r)
{
	static const struct { const char *text; enum relation rel; } rels[] = {
		{ "==", REL_EQ }, { "!=", REL_NE }, { "<=s", REL_SLE }, { ">=s", REL_SGE }, { "<s", REL_SLT },
			{ ">s", REL_SGT },
		{ "<=", REL_LE }, { ">=", REL_GE }, { "<", REL_LT }, { ">", REL_GT },
	};
	struct cond *c = talloc_zero(r->ctx, struct cond);
	size_t k = 0;

	c->relvar = -1;
	c->lhs = expr(r, 0);
	while (k < 10 && !take(r, rels[k].text))
		k++;
	if (k == 10)
		bad(r, "a relation is missing");
	c->rel = rels[k].rel;
	c->rhs = expr(r, 0);
	return c;
}

static struct regset registers(struct reader *r)
{
	struct regset set = { 0 };

	for (blanks(r); isalpha((unsigned char)*r->at); blanks(r))
		regset_add(&set, reg(r, word(r)));
	return set;
}

static void go(struct reader *r, struct action *a)
{
	a->kind = ACT_GOTO;
	need(r, "goto");
	a->name = word(r);
	a->label = label(r, a->name);
}

static void state(struct reader *r, struct action *a, enum action_kind kind)
{
	char *name = word(r);

	a->kind = kind;
	for (a->index = 0; a->index < (int)r->m->nstates &&
	     strcmp(r->m->states[a->index].name, name) != 0; a->index++)
		;
	a->value = expr_const(r->ctx, strtoull(r->at, (char **)&r->at, 10), nowhere);
}

static void action(struct reader *r, struct action *a)
{
	a->index = a->label = -1;
	if (take(r, "if")) {
		a->cond = cond(r);
		go(r, a);
	} else if (blanks(r), strncmp(r->at, "goto", 4) == 0) {
		go(r, a);
	} else if (take(r, "return")) {
		a->kind = ACT_RETURN;
	} else if (take(r, "fence")) {
		a->kind = ACT_FENCE;
	} else if (take(r, "state")) {
		state(r, a, ACT_STATE);
	} else if (take(r, "need")) {
		state(r, a, ACT_NEED);
	} else if (take(r, "enter")) {
		a->kind = ACT_ENTER;
		a->clobber = registers(r);
	} else if (take(r, "leave")) {
		a->kind = ACT_LEAVE;
		a->clobber = registers(r);
	} else if (take(r, "clobber")) {
		a->kind = ACT_CLOBBER;
		a->clobber = registers(r);
	} else if (take(r, "call")) {
		a->kind = ACT_CALL;
		a->name = word(r);
	} else {
		a->target = atom(r);
		a->kind = a->target->op == EX_MEM ? ACT_STORE : ACT_SET;
		need(r, "=");
		a->value = expr(r, 0);
	}
}

static void actions(struct reader *r, struct step *s)
{
	do {
		s->acts = talloc_realloc(r->ctx, s->acts, struct action, (unsigned)s->nacts + 1);
		memset(&s->acts[s->nacts], 0, sizeof(s->acts[0]));
		action(r, &s->acts[s->nacts++]);
	} while (take(r, ";"));
}

static void marks(struct reader *r, struct insn *i)
{
	struct pattern *p = talloc_zero(r->ctx, struct pattern);

	for (blanks(r); *r->at && *r->at != '\n' && *r->at != '#'; blanks(r)) {
		if (take(r, "!"))
			i->fixup[0] = label(r, word(r));
		else if (take(r, "^any"))
			p->tears = 8, p->tears_any = true;
		else if (take(r, "^"))
			p->tears = (int)strtol(r->at, (char **)&r->at, 10);
		else if (take(r, "@"))
			p->aligned = (int)strtol(r->at, (char **)&r->at, 10);
		else
			bad(r, "an unknown mark");
	}
	i->pattern = p;
}

static void read_line(struct reader *r)
{
	const char *end = r->at;
	struct insn *i;

	while (isalnum((unsigned char)*end) || *end == '_')
		end++;
	if (end > r->at && *end == ':') {
		label_here(r->p, label(r, word(r)));
		r->at++;
		return;
	}
	i = program_append(r->p, NULL, nowhere);
	i->nsteps = 1;
	if (take(r, "while")) {
		i->steps[0].loop = cond(r);
		need(r, "{");
		actions(r, &i->steps[0]);
		need(r, "}");
	} else {
		actions(r, &i->steps[0]);
	}
	marks(r, i);
}

/* Owned by ctx; aborts with a message on what it can't read. */
static struct program *listing(void *ctx, const struct machine *m, const char *name, const char *text)
{
	struct reader r = { .ctx = ctx, .m = m, .p = program_new(ctx, m), .at = text, .lineno = 1 };

	r.p->info.name = name;
	while (*r.at) {
		blanks(&r);
		if (*r.at && *r.at != '\n' && *r.at != '#')
			read_line(&r);
		blanks(&r);
		r.at += strcspn(r.at, "\n");
		if (*r.at == '\n')
			r.at++, r.lineno++;
	}
	r.p->hot = r.p->ninsns;
	return r.p;
}

#endif
