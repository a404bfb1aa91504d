/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tokens, once: K keywords, P punctuation, C those with a text of their own.  Their numbers, T_NAME and so on, are
 * made by the grammar; here they get the names used in messages and, for keywords, in the scanner.  The third
 * argument of P is the group it is named by when all of the group is expected.
 */
#ifndef UCOPY_TOKEN_H
#define UCOPY_TOKEN_H

#include <stdbool.h>

#include "place.h"

enum token_group { GROUP_NONE, GROUP_OPERATOR, GROUP_RELATION, GROUP_COUNT };

#define TOKENS(K, P, C) \
	C(NAME, "a name") C(NUM, "a number") C(TEXT, "a `text`") C(MEM, "an access") \
	P(LB, "{", NONE) P(RB, "}", NONE) P(LP, "(", NONE) P(RP, ")", NONE) P(LK, "[", NONE) P(RK, "]", NONE) \
	P(ASSIGN, "=", NONE) P(ADDTO, "+=", NONE) P(SUBFROM, "-=", NONE) \
	P(COMMA, ",", NONE) P(SEMI, ";", NONE) P(COLON, ":", NONE) P(DOTDOT, "..", NONE) P(AT, "@", NONE) \
	P(TILDE, "~", NONE) \
	P(PLUS, "+", OPERATOR) P(MINUS, "-", OPERATOR) P(STAR, "*", OPERATOR) P(SLASH, "/", OPERATOR) \
	P(PERCENT, "%", OPERATOR) P(AMP, "&", OPERATOR) P(BAR, "|", OPERATOR) P(CARET, "^", OPERATOR) \
	P(SHL, "<<", OPERATOR) P(SHR, ">>", OPERATOR) \
	P(EQ, "==", RELATION) P(NE, "!=", RELATION) P(LT, "<", RELATION) P(LE, "<=", RELATION) P(GT, ">", RELATION) \
	P(GE, ">=", RELATION) P(SLT, "<s", RELATION) P(SLE, "<=s", RELATION) P(SGT, ">s", RELATION) \
	P(SGE, ">=s", RELATION) C(RELVAR, "?relation") \
	K(INCLUDE, "include") K(MACHINE, "machine") K(TARGET, "target") K(MACRO, "macro") K(ROUTINE, "routine") \
	K(HOOK, "hook") \
	K(REGISTER, "register") K(REGISTERS, "registers") K(WIDTH, "width") K(BLOCK, "block") \
	K(INSTRUCTION, "instruction") K(POINTER, "pointer") K(UPDATE, "update") K(FIXUP, "fixup") K(FAULT, "fault") \
	K(GRANULARITY, "granularity") K(GRANULE, "granule") K(BYTE, "byte") K(ORDER, "order") K(ACCESS, "access") \
	K(DELAY, "delay") K(FILL, "fill") K(CLASS, "class") K(VIEW, "view") K(OF, "of") K(RANGE, "range") \
	K(RELATION, "relation") K(STATE, "state") K(FEATURE, "feature") K(VARIANT, "variant") K(DROP, "drop") \
	K(FROM, "from") K(TUNE, "tune") K(ARGS, "args") K(RESULT, "result") K(FREE, "free") K(SAVED, "saved") \
	K(KEEP, "keep") K(ZERO, "zero") K(ENTER, "enter") K(LEAVE, "leave") K(STACK, "stack") K(THEN, "then") \
	K(AS, "as") K(TEARS, "tears") K(ANY, "any") K(ALIGNED, "aligned") K(SLOT, "slot") K(POOL, "pool") \
	K(NEED, "need") K(CLOBBER, "clobber") K(NOTHING, "nothing") \
	K(USER, "user") K(BY, "by") K(SIDES, "sides") K(NAMED, "named") K(FILE, "file") K(FUNCTION, "function") \
	K(BEGIN, "begin") K(END, "end") K(LABEL, "label") K(ENTRY, "entry") K(FIXUPS, "fixups") K(REACH, "reach") \
	K(RETRY, "retry") K(EMIT, "emit") \
	K(IF, "if") K(GOTO, "goto") K(JUMP, "jump") K(CALL, "call") K(HINT, "hint") K(FENCE, "fence") \
	K(WHILE, "while") K(RETURN, "return") K(WITH, "with") K(RESUME, "resume") K(TEMP, "temp") K(CONST, "const") \
	K(FOR, "for") K(IN, "in") K(STEP, "step") K(WHEN, "when") K(ELSE, "else") K(TRY, "try") K(WEAVE, "weave") \
	K(SAVING, "saving") K(ALIGN, "align") K(FAIL, "fail") K(CAN, "can") K(AND, "and") K(OR, "or") K(NOT, "not") \
	C(SYNC, "the next item") C(HOLE, "a hole")		/* made by the parser, never scanned */

struct token {
	struct place place;
	uint64_t number;	/* NUM */
	bool first;		/* in its line */
};

struct diag;

/* Reads one source, or a part of one: `text` is what is read, a NUL behind it, and begins at byte `base` of the source. */
struct scanner {
	const struct source *source;
	const char *text, *at, *limit;
	uint32_t base;
	struct diag *d;
};

/* The next token's number; 0 at the end.  What is no token is reported and left out. */
int scan(struct scanner *s, struct token *ret);

/* How messages call a token; its keyword, or NULL; its group. */
const char *token_name(int kind);
const char *token_keyword(int kind);
enum token_group token_group(int kind);

#endif
