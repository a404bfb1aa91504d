/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The tokens, once: K keywords, P punctuation, C those with a text of their own.  Their numbers, T_NAME and so on, are
 * made by the grammar; here they get the names used in messages and, for keywords, in the scanner.  The third
 * argument of K and P is a group.
 */
#ifndef UCOPY_TOKEN_H
#define UCOPY_TOKEN_H

#include <stdbool.h>

#include "place.h"

/* Tokens that are called by one name where all of them are expected. */
enum token_group {
	GROUP_NONE, GROUP_OPERATOR, GROUP_RELATION, GROUP_FACT, GROUP_MACHINE, GROUP_ABI, GROUP_TARGET, GROUP_STATEMENT, GROUP_COUNT
};

#define TOKENS(K, P, C) \
	C(NAME, "a name") C(NUM, "a number") C(TEXT, "a text") C(MEM, "an access") P(LB, "{", NONE) \
	P(RB, "}", NONE) P(LP, "(", NONE) P(RP, ")", NONE) P(LK, "[", NONE) P(RK, "]", NONE) \
	P(ASSIGN, "=", NONE) P(ADDTO, "+=", NONE) P(SUBFROM, "-=", NONE) P(COMMA, ",", NONE) \
	P(SEMI, ";", NONE) P(COLON, ":", NONE) P(DOTDOT, "..", NONE) \
	P(TILDE, "~", NONE) P(PLUS, "+", OPERATOR) P(MINUS, "-", OPERATOR) P(STAR, "*", OPERATOR) \
	P(SLASH, "/", OPERATOR) P(PERCENT, "%", OPERATOR) P(AMP, "&", OPERATOR) P(BAR, "|", OPERATOR) \
	P(CARET, "^", OPERATOR) P(SHL, "<<", OPERATOR) P(SHR, ">>", OPERATOR) P(EQ, "==", RELATION) \
	P(NE, "!=", RELATION) P(LT, "<", RELATION) P(LE, "<=", RELATION) P(GT, ">", RELATION) \
	P(GE, ">=", RELATION) P(SLT, "<s", RELATION) P(SLE, "<=s", RELATION) P(SGT, ">s", RELATION) \
	P(SGE, ">=s", RELATION) C(RELVAR, "a `?relation`") K(INCLUDE, "include", NONE) \
	K(MACHINE, "machine", NONE) K(TARGET, "target", NONE) K(MACRO, "macro", NONE) \
	K(ROUTINE, "routine", NONE) K(HOOK, "hook", NONE) K(REGISTER, "register", FACT) \
	K(REGISTERS, "registers", NONE) K(WIDTH, "width", TARGET) K(BLOCK, "block", FACT) \
	K(INSTRUCTION, "instruction", NONE) K(POINTER, "pointer", FACT) K(UPDATE, "update", NONE) \
	K(FIXUP, "fixup", FACT) K(FAULT, "fault", FACT) K(GRANULARITY, "granularity", NONE) \
	K(GRANULE, "granule", NONE) K(BYTE, "byte", FACT) K(ORDER, "order", NONE) \
	K(ACCESS, "access", FACT) K(DELAY, "delay", FACT) K(FILL, "fill", NONE) K(ANNUL, "annul", NONE) \
	K(CLASS, "class", MACHINE) K(VIEW, "view", MACHINE) K(OF, "of", NONE) K(BETWEEN, "between", NONE) \
	K(RANGE, "range", MACHINE) \
	K(RELATION, "relation", MACHINE) K(STATE, "state", MACHINE) K(FEATURE, "feature", NONE) \
	K(VARIANT, "variant", MACHINE) K(DROP, "drop", MACHINE) K(FROM, "from", NONE) \
	K(TUNE, "tune", FACT) K(ARGS, "args", ABI) K(RESULT, "result", ABI) K(FREE, "free", ABI) \
	K(SAVED, "saved", ABI) K(KEEP, "keep", ABI) K(ZERO, "zero", ABI) K(ENTER, "enter", ABI) \
	K(LEAVE, "leave", NONE) K(STACK, "stack", ABI) K(THEN, "then", NONE) K(AS, "as", NONE) \
	K(TEARS, "tears", NONE) K(ANY, "any", NONE) K(ALIGNED, "aligned", NONE) K(SLOT, "slot", NONE) \
	K(POOL, "pool", NONE) K(NEED, "need", NONE) K(CLOBBER, "clobber", NONE) \
	K(NOTHING, "nothing", NONE) K(USER, "user", TARGET) K(BY, "by", NONE) K(SIDES, "sides", TARGET) \
	K(NAMED, "named", TARGET) K(FILE, "file", TARGET) K(FUNCTION, "function", TARGET) \
	K(BEGIN, "begin", NONE) K(END, "end", NONE) K(LABEL, "label", TARGET) K(ENTRY, "entry", TARGET) \
	K(FIXUPS, "fixups", TARGET) K(LOOP, "loop", TARGET) K(REACH, "reach", TARGET) K(RETRY, "retry", TARGET) \
	K(EMIT, "emit", TARGET) K(IF, "if", NONE) K(GOTO, "goto", NONE) K(JUMP, "jump", NONE) \
	K(CALL, "call", NONE) K(HOLD, "hold", NONE) K(RELEASE, "release", NONE) K(EVEN, "even", NONE) K(ODD, "odd", NONE) \
	K(HINT, "hint", NONE) K(FENCE, "fence", NONE) K(WHILE, "while", NONE) \
	K(RETURN, "return", NONE) K(WITH, "with", NONE) K(RESUME, "resume", STATEMENT) \
	K(TEMP, "temp", STATEMENT) K(CONST, "const", STATEMENT) K(FOR, "for", STATEMENT) \
	K(IN, "in", NONE) K(STEP, "step", NONE) K(WHEN, "when", STATEMENT) K(ELSE, "else", NONE) \
	K(TRY, "try", STATEMENT) K(WEAVE, "weave", STATEMENT) K(SAVING, "saving", STATEMENT) K(STATES, "states", STATEMENT) \
	K(ALIGN, "align", STATEMENT) K(FAIL, "fail", STATEMENT) K(CAN, "can", NONE) K(AND, "and", NONE) \
	K(OR, "or", NONE) K(NOT, "not", NONE) \
	C(SYNC, "the next item")		/* made by the parser, never scanned */

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
