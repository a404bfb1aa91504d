/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The effect notation: what an instruction does (specs), what an algorithm needs (templates) and what is proved and
 * interpreted (instructions).  One tree serves all three; they differ only in the leaves they may have:
 *
 *	parsed		EX_NAME, EX_INDEX, EX_TEXT, EX_FAMILY	nothing is bound
 *	pattern		EX_OPERAND, EX_ELEMENT, EX_REG	a spec's line, resolved
 *	need		EX_REG				a template's action, its variables bound to registers, constants folded
 *	instruction	EX_REG				a pattern with operands bound: only registers and constants are left
 *
 * Arithmetic is modulo 2^(8 * register width); >> is logical; a shift by the register's bits or more gives 0;
 * x % c is unsigned; comparisons are unsigned unless marked signed.  A load of less than a register zero-extends,
 * a store takes the low bytes.
 *
 * Within one step all reads take the values before it and all writes happen after.
 */
#ifndef UCOPY_EFFECT_H
#define UCOPY_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "place.h"

enum expr_op {
	EX_CONST,	/* value, as a number modulo 2^64 */
	EX_NAME,	/* name */
	EX_INDEX,	/* name[kid 0] */
	EX_TEXT,	/* a register between backticks: name */
	EX_REG,		/* index: register of the machine */
	EX_OPERAND,	/* index: operand of the pattern */
	EX_ELEMENT,	/* index: list operand of the pattern, kid 0: which element (EX_K, or EX_CONST) */
	EX_K,		/* the k of a list pattern: the statement stands for all k from 0 to length - 1 */
	EX_LENGTH,	/* index: list operand; its number of registers */
	EX_MEM,		/* letter, kid 0: address, kid 1: length in bytes, kid 2: space operand or NULL */
	EX_NEG, EX_NOT,
	EX_ADD, EX_SUB, EX_MUL, EX_DIV, EX_MOD, EX_AND, EX_OR, EX_XOR, EX_SHL, EX_SHR,
	EX_MIN, EX_MAX, EX_POW2,	/* templates only, folded: pow2(x) is the largest power of two <= x */
	EX_FUNNEL,	/* kids hi, lo, s: low register of (hi:lo) >> s, 0 <= s < bits */
	EX_SX,		/* kids x, w: sign-extend the low w bytes */
	EX_REP,		/* kid x: the low byte of x in every byte */
	EX_FAMILY,	/* parsed: one of several lengths of EX_MEM: value, then kid 0 (an EX_FAMILY or NULL) */
	EX_FEATURE,	/* name, resolved: index; 1 where the CPU has that feature of the machine, else 0 */
};

/* Whose memory an access touches, and how.  The value is the letter it is written with. */
enum access {
	ACCESS_ANY = 'M',	/* specs: an ordinary access, to either side unless the target reaches user memory otherwise */
	ACCESS_USER = 'U',	/* specs: may touch user memory */
	ACCESS_KERNEL = 'K',	/* specs: can not touch user memory */
	ACCESS_STREAM = 'N',	/* specs: non-temporal, owes a fence */
	ACCESS_SRC = 'S',	/* templates: the source */
	ACCESS_DST = 'D',	/* templates: the destination */
};

struct expr {
	enum expr_op op;
	enum access letter;	/* EX_MEM */
	bool any_address;	/* EX_MEM: `u`, the address need not be aligned to the length */
	bool past_caches;	/* EX_MEM of templates: `n`, a store that goes past the caches where there is one */
	int index;
	uint64_t value;
	const char *name;
	struct expr *kid[3];
	struct place place;
};

enum relation { REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE, REL_SLT, REL_SLE, REL_SGT, REL_SGE, REL_COUNT };

struct cond {
	enum relation rel;
	int relvar;		/* patterns: operand that stands for the relation (`?cc`), or -1 */
	const char *relname;	/* parsed: its name, or NULL */
	bool negated;		/* with relvar: holds where the relation does not (`not a ?cc b`).  Without: always false */
	struct expr *lhs, *rhs;
};

enum action_kind {
	ACT_SET,	/* target (register) = value */
	ACT_STORE,	/* target (EX_MEM) = value */
	ACT_GOTO,	/* if cond (or always, when NULL) goto label */
	ACT_RETURN,	/* leave the routine; the result is in the result register */
	ACT_CALL,	/* call name */
	ACT_HINT,	/* prefetch target (EX_MEM); never faults */
	ACT_FENCE,	/* what non-temporal stores owe */
	ACT_STATE,	/* state `index` of the machine becomes value `value` (EX_CONST in value) */
	ACT_NEED,	/* must hold when the instruction runs: cond over operands, or state `index` == value */
	ACT_CLOBBER,	/* registers in `clobber` hold anything afterwards */
	ACT_ENTER,	/* save `clobber` in a frame; stack pointer and frame belong to the texts */
	ACT_LEAVE,	/* restore them and drop the frame */
};

struct regset { uint64_t bits[4]; };	/* at most 256 registers a machine */

struct callee;				/* ir.h */

struct action {
	enum action_kind kind;
	int index;			/* ACT_STATE, ACT_NEED of a state: which; else -1 */
	int label;			/* ACT_GOTO in an instruction or need: label of the program; in a pattern -1 */
	const char *name;		/* parsed and patterns: label, callee, state; routine for a `jump` */
	bool jump;			/* ACT_GOTO: to another routine (name), the arguments as they are */
	const struct callee *callee;	/* ACT_CALL in an instruction or need; in a pattern NULL */
	struct expr *target, *value;
	struct cond *cond;
	struct regset clobber;
	struct place place;
};

/* What one line of text does: all of `acts` at once; with `loop`, as often as the condition holds, each time a step. */
struct step {
	struct cond *loop;
	struct action *acts;
	size_t nacts;
};

/* How many of kid[] an operator has; EX_MEM: 3, the last two may be NULL. */
int expr_kids(enum expr_op op);
/* The operator as it is written: `+`, `funnel`; "" for leaves and EX_MEM. */
const char *expr_op_text(enum expr_op op);
const char *relation_text(enum relation rel);
enum relation relation_inverse(enum relation rel);	/* not (a < b): a >= b */
enum relation relation_swap(enum relation rel);		/* a < b: b > a */

struct expr *expr_new(void *ctx, enum expr_op op, struct place at);
struct expr *expr_const(void *ctx, uint64_t value, struct place at);
struct expr *expr_reg(void *ctx, int reg, struct place at);
struct expr *expr_binary(void *ctx, enum expr_op op, struct expr *a, struct expr *b, struct place at);
/* How many nodes it has. */
size_t expr_size(const struct expr *e);
struct expr *expr_copy(void *ctx, const struct expr *e);
struct cond *cond_copy(void *ctx, const struct cond *c);
/* The same tree, places aside.  NULL equals NULL. */
bool expr_equal(const struct expr *a, const struct expr *b);

/* A number modulo 2^bits, as its sign-extension: the one form constants have after folding. */
uint64_t const_wrap(uint64_t v, int bits);
/* The value of an operator on constants modulo 2^bits; false: not defined (x / 0, funnel out of range), or no arithmetic. */
bool expr_apply(enum expr_op op, const uint64_t v[3], int bits, uint64_t *ret);
bool relation_holds(enum relation rel, uint64_t a, uint64_t b, int bits);
/*
 * Folds constants in place and returns what is left: constant subtrees, x + 0, x * 1, x << 0, x & -1, x - c as x + -c,
 * (x + c) + d.  Nothing else is moved.
 */
struct expr *expr_fold(void *ctx, struct expr *e, int bits);
/* The value of a tree without leaves other than constants. */
bool expr_value(const struct expr *e, int bits, uint64_t *ret);

struct machine;
struct pattern;
/* As a spec writes it, for messages; m and p may be NULL (registers and operands are then numbers). */
const char *expr_print(void *ctx, const struct machine *m, const struct pattern *p, const struct expr *e);
const char *action_print(void *ctx, const struct machine *m, const struct pattern *p, const struct action *a);
const char *step_print(void *ctx, const struct machine *m, const struct pattern *p, const struct step *s);

static inline bool regset_has(const struct regset *s, int r)
{
	return s->bits[r >> 6] >> (r & 63) & 1;
}
static inline void regset_add(struct regset *s, int r)
{
	s->bits[r >> 6] |= (uint64_t)1 << (r & 63);
}
static inline void regset_del(struct regset *s, int r)
{
	s->bits[r >> 6] &= ~((uint64_t)1 << (r & 63));
}

#endif
