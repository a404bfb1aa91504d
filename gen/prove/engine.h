/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The engine that proof and analysis share: abstract states, and what a line of an instruction does to one.
 *
 * A number in a register is tracked as an integer that is *congruent* to it modulo 2^w, so that sums and shifts left
 * need no overflow check; where bits are looked at (comparisons, masks, shifts right) the integer must first be shown to
 * lie in a window of 2^w.  Half of 2^w is a variable of which only a small lower bound is assumed.
 *
 * Ghosts: n, dst0, src0 (arguments at entry);
 *	W	the first W bytes of the destination are right
 *	M	nothing at or past dst0 + M was modified
 *	p	the first byte that is inaccessible on either side, n if there is none; it may rise, never above n
 *	Y	the bytes from W up to Y are zeros (only where the rest must be cleared)
 */
#ifndef UCOPY_ENGINE_H
#define UCOPY_ENGINE_H

#include "cfg.h"
#include "diag.h"
#include "domain.h"

enum { VAR_HALF = 1, VAR_DST0, VAR_SRC0, VAR_N, VAR_P, VAR_W, VAR_M, VAR_Y, VAR_FIRST };

#define FAMILIES 3	/* splittings x = 2^k Q + R that may live at once */
#define BITS_MAX 9	/* bits of the number that is tested bit by bit */
#define SPARES 4
#define SMALL_MAX 64
#define MODES_MAX 8	/* states of a machine */

struct vars {
	int count;
	int spare[SPARES];
	int quotient[FAMILIES], rest[FAMILIES];
	int nbits, bits_quotient, bit[BITS_MAX];
	int measure;
	int base;		/* registers are base .. count */
	int of_reg[256];	/* 0: the program does not name it */
	int reg_of[DOMAIN_VARS];
};

/* What a register's variable stands for. */
enum held {
	HELD_NUMBER,	/* the register's value (forgotten: anything) */
	/* A range of lanes is empty where hi <= lo. */
	HELD_SOURCE,	/* lane i (byte i from the low end), lo <= i < hi, is the source's byte at distance var + slope * i */
	HELD_FILL,	/* lanes lo <= i < hi are the fill byte */
	HELD_ENTRY,	/* what register `of` held at entry */
	HELD_MIX,	/* the low `of` bits of lo | hi (slope 0) or lo ^ hi (slope 1), two numbers */
	HELD_ONES,	/* lanes lo <= i < hi are ones, the others zeros */
	HELD_HOLE,	/* lanes lo <= i < hi are zeros, the others ones */
	HELD_DEST,	/* what the destination holds from `word` on, but lanes lo <= i < hi: those are as `of` says */
	HELD_ASKED,	/* the result of the last hook that holds memory: is it held? */
	HELD_UNIT,	/* 256^lo; in expressions only, as is */
	HELD_JUNK,	/* lanes lo <= i < hi are anything, the others zeros */
};

struct holding {
	enum held kind;
	int8_t slope;
	bool rest;			/* the other lanes are anything; else they are zeros */
	int16_t of;			/* HELD_DEST: HELD_NUMBER (zeros), HELD_SOURCE or HELD_FILL */
	const struct form *lo, *hi, *word;	/* never changed once made; NULL where they have no meaning */
};

/* What an expression evaluates to; f: the number (lost: anything), or the source distance of lane 0. */
struct value {
	struct holding c;
	struct form f;
};

struct astate {
	struct dstate *d;
	struct regset saved;		/* of an open frame: registers it holds as they were at entry */
	int8_t frame;			/* 0: none is open, 1: one is, -1: unknown */
	uint64_t mode[MODES_MAX];	/* of each state of the machine, the values it may have: bit by value */
	int8_t holds;			/* 1: a granule is held by a hook, 0: none is, -1: unknown */
	const struct form *granted;	/* held unless that is 0: all up to there, from the start of the side that can fault; NULL */
	bool owed;			/* non-temporal stores await a fence */
	bool aged;			/* whatever could have become accessible, may have: p has no upper bound but n */
	bool clearing;			/* Y means something */
	uint8_t family[FAMILIES];	/* k of x = 2^k Q + R; 0: not in use */
	bool bits;			/* the bits are some number's */
	struct holding held[];		/* by register variable - base */
};

/* Something that could not be shown. */
struct failure {
	enum diag_id id;
	int line;			/* where */
	int site;			/* the fault that leads there: its line, or -1 */
	const char *text;
};

struct flow;

struct engine {
	void *ctx;			/* lives as long as the engine */
	const struct program *p;
	const struct machine *m;
	struct cfg *cfg;
	struct vars vars;
	bool proving;			/* fault edges and obligations; else analysing */
	bool checking;			/* failures are recorded now */
	bool strict;			/* a torn store may leave any subset of its units */
	bool maximal;			/* so far: no return that may leave out accessible bytes */
	bool rewrites;			/* bytes beside the destination are stored with what they held */
	int word, bits;			/* bytes and bits of a register */
	struct form *directions;	/* templates of joins, and the registers each needs alive */
	struct regset *direction_regs;
	size_t ndirections;
	struct failure *failures;
	size_t nfailures;
	unsigned steps, joins;
	bool gave_up;
	bool exhausted;			/* .. for all that is left to do */
	int measuring;			/* variable that is compared with vars.measure; 0: none */
	unsigned loops;
	struct flow *flow;		/* where edges go */
	uint8_t busy;			/* families this line has made: bit k; bit 7: the bits */
	const struct regset *live;	/* registers that live before the line that runs */
	struct form *small;		/* the constants 0 .. SMALL_MAX, as lanes */
};

/* engine.c */
struct engine *engine_new(void *ctx, const struct program *p, bool proving, const char **ret_why);
struct astate *engine_entry(struct engine *e);			/* the state at the first instruction */
struct astate *engine_resumed(struct engine *e, const struct resume *r);	/* where it resumes */
bool side_is_user(const struct engine *e, enum side side);
void engine_fail(struct engine *e, enum diag_id id, int line, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* directions.c */
void directions_find(struct engine *e);
/* Those that matter where these registers live, into ret (room for e->ndirections + DIRECTIONS_EXTRA). */
#define GRANTED_MAX 8
#define DIRECTIONS_EXTRA (3 * FAMILIES + 2 * BITS_MAX + 2 + GRANTED_MAX)
size_t directions_at(const struct engine *e, const struct astate *s, const struct regset *live,
		     struct form *ret);

/* state.c */
struct astate *state_new(struct engine *e);
struct astate *state_copy(struct engine *e, const struct astate *s);
struct astate *state_join(struct engine *e, const struct astate *a, const struct astate *b,
			  const struct regset *live, bool widen);
bool state_same(const struct engine *e, const struct astate *a, const struct astate *b);
/* What is done to a variable is done to contents whose lanes mention it: they are said without it, or forgotten. */
void state_assign(struct engine *e, struct astate *s, int var, const struct form *f);
void state_forget(struct engine *e, struct astate *s, int var);
void state_forget_reg(struct engine *e, struct astate *s, int reg);
void state_forget_dead(struct engine *e, struct astate *s, const struct regset *live);
/* x := max(x, f). */
void state_raise(struct engine *e, struct astate *s, int x, const struct form *f);
/* s becomes what s and t, the same but for the numbers, both know; or takes t's numbers for its own. */
void state_merge(struct engine *e, struct astate *s, const struct astate *t);
void state_swap(struct astate *s, struct astate *t);
/* Registers := values of before, all at once. */
void state_write(struct engine *e, struct astate *s, const int *regs, struct value *values, int n);
struct holding *state_held(const struct engine *e, struct astate *s, int reg);	/* NULL: it has no variable */

/* content.c */
struct value value_number(struct form f);
struct value value_any(void);
struct value value_lanes(struct engine *e, enum held kind, int slope, struct form f, struct form lo,
			 struct form hi, bool rest);
bool value_is_zero(const struct astate *s, const struct value *v);
/* Is it the fill byte, and zeros above it? */
bool value_is_byte(const struct astate *s, const struct value *v);
/* What is left of it in a register of `width` bytes. */
struct value value_fit(struct engine *e, struct astate *s, const struct value *v, int width);
const struct form *form_keep(struct engine *e, const struct form *f);
bool form_same(const struct form *a, const struct form *b);
bool form_has(const struct form *f, int var);
/* x moved by `bytes` lanes: up (sign 1) or down (-1); a register has `size` lanes. */
struct value value_move(struct engine *e, struct astate *s, const struct value *x, struct form bytes,
			int sign, int size);
struct value value_or(struct engine *e, struct astate *s, const struct value *a, const struct value *b);
struct value value_low_lanes(struct engine *e, struct astate *s, const struct value *x, int bytes);
struct value value_funnel(struct engine *e, struct astate *s, const struct value *hi, const struct value *lo,
			  struct form bytes);
struct value value_rep(struct engine *e, struct astate *s, const struct value *x);

/* mask.c: masks of whole bytes whose place is a number, and words of the destination */
bool value_as_ones(struct engine *e, const struct value *x, struct value *ret);
struct value value_and(struct engine *e, struct astate *s, const struct value *a, const struct value *b);
struct value value_not(struct engine *e, const struct value *x);
bool value_or_other(struct engine *e, struct astate *s, const struct value *a, const struct value *b,
		    struct value *ret);
struct value value_dest(struct engine *e, struct form at);
/* Does a state's register hold bytes of the destination?  They are no longer true once it is stored to. */
void state_forget_dest(struct engine *e, struct astate *s);

/* number.c */
bool number_window(const struct engine *e, const struct astate *s, const struct form *x, struct form *ret);
bool number_signed_window(const struct engine *e, const struct astate *s, const struct form *x);
struct form number_low(struct engine *e, struct astate *s, struct form x, int k);
bool number_split(struct engine *e, struct astate *s, struct form x, int k, struct form *ret_q,
		  struct form *ret_r);
/* What f is said with is not split anew before this line is done. */
void number_keep_split(struct engine *e, const struct form *f);
/* Assumes that x has no bits but these; false: it can't be. */
bool number_only_bits(struct astate *s, const struct form *x, uint64_t bits);
/* The bits of `mask` of x. */
struct form number_bits(struct engine *e, struct astate *s, struct form x, uint64_t mask);
/* x / 8, when that has integer coefficients. */
bool number_bytes(struct engine *e, const struct astate *s, const struct form *bits, struct form *ret);

/* eval.c */
struct load { const struct expr *mem; struct value value; };
struct loads { int n; struct load v[64]; };
struct value eval(struct engine *e, struct astate *s, const struct expr *x, const struct loads *loads);
/*
 * For a place of `width` bytes: one that is wider than a register takes what is moved there as it is, only.  -1: of any
 * size; what is calculated has a register's width there, with zeros behind.
 */
struct value eval_for(struct engine *e, struct astate *s, const struct expr *x, const struct loads *loads,
		      int64_t width);
/* Assumes that the condition holds; false: it can not. */
bool assume(struct engine *e, struct astate *s, const struct cond *c, bool negated,
	    const struct loads *loads);

/* transfer.c: runs a line on s, which is consumed; edges go to e->flow; returns what goes on to the next line, or NULL. */
struct astate *transfer(struct engine *e, int line, struct astate *s);

/* memory.c: the loads and stores of a step.  False: nothing goes on. */
bool access_loads(struct engine *e, struct astate *s, int line, const struct step *step, struct loads *loads);
bool access_stores(struct engine *e, struct astate *s, int line, const struct step *step,
		   const struct loads *loads);
/* call.c: what a step's calls ask for and do, but for what they leave in registers; false: nothing goes on.  And that. */
bool call_before(struct engine *e, struct astate *s, int line, const struct step *step);
bool step_calls(const struct step *step);
void call_behind(struct engine *e, struct astate *s, const struct step *step);
/* A register of HELD_ASKED was found to be 0, or not to be. */
void call_tested(struct astate *s, bool held);
/* access.c: does the line touch a user side, and is a store first to fault? */
bool access_is_site(struct engine *e, struct astate *s, int line, bool *ret_store);

/* leave.c: obligations where control leaves the routine. */
void leave_by_return(struct engine *e, struct astate *s, int line);
void leave_by_jump(struct engine *e, struct astate *s, int line);

/* fixpoint.c */
/* EDGE_TAKEN + k: the k-th jump; EDGE_FAULT + k: the k-th access. */
enum { EDGE_NEXT, EDGE_AGAIN, EDGE_TAKEN, EDGE_FAULT = 16 };
void flow_push(struct engine *e, int line, int kind, int to, struct astate *s);
struct flow *flow_new(struct engine *e, void *ctx, const bool *within, int stop);
void flow_start(struct engine *e, struct flow *f, int line, struct astate *s);
void flow_run(struct engine *e, struct flow *f);
/* While it runs, fn is called with the state before each line; once it has, what the last call saw is what holds. */
void flow_watch(struct flow *f, void (*fn)(void *arg, int line, struct astate *s), void *arg);
const struct astate *flow_at(const struct flow *f, int leader);	/* NULL: not reached */
/* Walks every reached block once more, calling fn (if any) with the state before each line. */
void flow_walk(struct engine *e, struct flow *f, void (*fn)(void *arg, int line, struct astate *s),
	       void *arg);

void flow_walk_block(struct engine *e, struct flow *f, int leader,
		     void (*fn)(void *arg, int line, struct astate *s), void *arg);
/* Calls fn for what flows to a line along each edge; line -1: from outside. */
void flow_edges(const struct flow *f, int to, void (*fn)(void *arg, int line, int kind, struct astate *s),
		void *arg);

/* terminate.c: every loop among the lines of `reached` must have a measure. */
void terminate(struct engine *e, const struct flow *f, const bool *reached);

#endif
