/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The flat form the interpreter runs: three-address operations on an array of 8-byte slots.  Registers come first,
 * constants and temporaries follow; a value wider than 8 bytes has several slots, the low one first.
 */
#ifndef UCOPY_INTERP_FLAT_H
#define UCOPY_INTERP_FLAT_H

#include "interp.h"

#define FLAT_WORDS 32		/* the widest value: what one instruction moves from memory to memory */
#define FLAT_STORES 64		/* stores of one step */
#define FLAT_FRAME 256
#define FLAT_STATES 32

enum flat_opcode {
	FLAT_COPY, FLAT_NEG, FLAT_NOT, FLAT_ADD, FLAT_SUB, FLAT_MUL, FLAT_DIV, FLAT_MOD, FLAT_AND, FLAT_OR, FLAT_XOR,
	FLAT_SHL, FLAT_SHR, FLAT_FUNNEL, FLAT_SX, FLAT_REP, FLAT_LOAD
};

struct flat_mem {
	uint16_t address, length;	/* slots */
	enum access letter;
	uint32_t align;			/* the address must be a multiple of it; 1: any */
	bool side[2];			/* may touch source, destination (by its space) */
};

struct flat_op {
	enum flat_opcode op;
	uint16_t d, a, b, c, words;
	uint8_t width;			/* bytes of the value, at most 8; wider ones go by words */
	int mem;			/* FLAT_LOAD */
	uint64_t mask;
};

struct flat_cond { enum relation rel; uint16_t a, b; uint8_t shift; };	/* shift: moves the sign to the top bit */
struct flat_store { int mem; uint16_t value, words; };
struct flat_set { uint16_t reg, value, words; uint64_t mask; };

struct flat_event {
	enum action_kind kind;		/* GOTO, RETURN, CALL, FENCE, STATE, NEED, CLOBBER, ENTER, LEAVE */
	bool conditional, jump;
	struct flat_cond cond;
	int target;			/* GOTO: instruction */
	int state, value;
	const struct regset *regs;
	const struct callee *callee;
};

struct flat_part { int first, n; };

struct flat_step {
	bool loop;
	struct flat_part head;		/* operations of the loop's condition */
	struct flat_cond cond;
	struct flat_part ops, stores, sets, events;
	int fixup;			/* instruction, or -1 */
	int tears;
	bool any;
};

struct flat_insn {
	struct flat_part steps;
	int stretch;			/* counting of accesses starts anew when it changes, and at a loop's head */
	bool head;
};

struct flat_frame { const struct regset *regs; int base; };

struct interp {
	const struct program *program;
	uint64_t *v;			/* all slots */
	size_t nslots;
	size_t nregwords;		/* slots of registers; those of features follow */
	uint16_t *slot;			/* by register */
	uint16_t feature;		/* slot of the first feature */
	int zero;			/* register that stays 0, or -1 */
	struct flat_op *ops;
	struct flat_mem *mems;
	struct flat_store *stores;
	struct flat_set *sets;
	struct flat_event *events;
	struct flat_step *steps;
	struct flat_insn *insns;
	int ninsns;
	int nops, nmems, nstores, nsets, nevents, nsteps;

	uint64_t *entry;		/* registers at entry */
	uint64_t mask, region[2];	/* address of the boundary, by side: source, destination */
	uint8_t *bytes[2], *fresh;	/* memory; the destination as it is before a run */
	uint8_t fill;
	uint64_t frame[FLAT_FRAME];	/* what frames save */
};

bool flat_compile(struct interp *in, const char **ret_why);

static inline int flat_words(int width)
{
	return width <= 8 ? 1 : (width + 7) / 8;
}

static inline uint64_t flat_mask(int width)
{
	return width < 8 ? ((uint64_t)1 << (8 * width)) - 1 : ~(uint64_t)0;
}

#endif
