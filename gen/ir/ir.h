/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The intermediate representation: a routine as a list of instructions, each one pattern of the spec with its operands
 * bound.  What is proved is this list; printing it is one fixed text an instruction.
 *
 * Control flow: execution begins at instruction 0 and falls through; a taken ACT_GOTO goes to labels[label].at; after a
 * fault in line k of an instruction execution goes on at labels[fixup[k]].at with every register as it was when that line
 * (with `loop`: that iteration) began.  Basic blocks are found by cfg.h.
 */
#ifndef UCOPY_IR_H
#define UCOPY_IR_H

#include "machine.h"

enum side { SIDE_NONE, SIDE_SRC, SIDE_DST };

union operand_value {
	int reg;			/* OPERAND_REG */
	int64_t imm;			/* OPERAND_IMM */
	enum relation rel;		/* OPERAND_RELATION */
	int label;			/* OPERAND_LABEL, OPERAND_POOL (a label that is nowhere in the list) */
	const struct callee *callee;	/* OPERAND_CALLEE */
	const char *symbol;		/* OPERAND_SPACE */
	bool annul;			/* OPERAND_ANNUL: no slot; what is printed behind it is skipped when taken */
	struct { int *regs; int n; } list;	/* OPERAND_LIST */
};

#define LINES_MAX 6			/* lines of one pattern */

struct insn {
	const struct pattern *pattern;	/* NULL: enter or leave of a frame (steps say which) */
	union operand_value *operands;	/* as many as the pattern has */
	struct step steps[LINES_MAX];	/* the effect with operands bound, one a line: what proof and interpreter run */
	int nsteps;
	int fixup[LINES_MAX];		/* a fault in line k goes on at this label; -1: line k is no fault site */
	bool align;			/* a loop starts here: the target may align it */
	bool opens, closes;		/* lowering: a `states` block begins here; one has ended before it */
	int slot;			/* >= 0: index of the instruction that is printed in this one's delay slot (it stands before
					   this one in the list and runs before it); -1: idle */
	bool in_slot;			/* this one is printed in the slot of a later one */
	struct place place;		/* the template's line that needed it */
	const struct place *also;	/* of the others it covers, each line once */
	size_t nalso;
};

struct label {
	const char *name;		/* in the template; NULL: made by the compiler */
	const char *symbol;		/* another routine's symbol: a jump there leaves this one; else NULL */
	int at;				/* index of the instruction that follows; may be the number of instructions; -1: nowhere */
};

enum contract { CONTRACT_RESIDUAL, CONTRACT_RESULT_DST };	/* what the routine returns: n - W, or dst */
enum content { CONTENT_COPY, CONTENT_ZERO, CONTENT_BYTE };	/* what dst must hold: src's bytes, zeros, the low byte of argument 1 */

/* Where a routine can go on: label, and the register that must hold each parameter moved by w, for some w <= W. */
struct resume {
	int label;
	int dst, src, n;		/* registers; -1: not wanted.  dst0 + w, src0 + w, n0 - w */
	struct place place;
};

struct routine_info {
	const char *name;		/* copy_to_user */
	const char *symbol;		/* ucopy_copy_to_user */
	enum content content;
	enum contract contract;
	bool src_user, dst_user;	/* which sides can fault */
	bool dst_stream;
	bool zeroing;			/* the last r bytes of dst are cleared */
	int dst, src, n, value;		/* argument registers at entry, -1: there is none.  value: the fill byte */
};

/* What a call goes to, and what may be counted on when it comes back. */
struct callee {
	const char *name, *symbol;
	enum callee_kind {
		CALLEE_ROUTINE,		/* does all that `info` promises; no side of it can fault */
		CALLEE_HOLD,		/* result not 0: the granule that argument `held` points into is accessible until .. */
		CALLEE_RELEASE,		/* .. this is called */
		CALLEE_OTHER		/* memory may become accessible, no more is known */
	} kind;
	struct routine_info info;
	int held;			/* its register */
	struct regset reads, writes;	/* arguments; the result, and what is destroyed besides what the call itself does */
};

struct program {
	const struct machine *machine;
	struct routine_info info;
	struct insn *insns;
	size_t ninsns, capacity;
	struct label *labels;
	size_t nlabels;
	size_t hot;			/* instructions before the fixups */
	int *resume_of;			/* by instruction: index into resumes, or -1: a fault here can't be resumed */
	struct resume *resumes;
	size_t nresumes;
	struct regset *free_at;		/* by instruction: registers that hold nothing that is needed later (fixups may use them) */
	struct regset *frame_at;	/* by instruction: what the frame that is open before it has saved; none: no frame */
	bool *framed;			/* by instruction: is a frame open before it? */
	struct shapes *shapes;		/* the patterns as lowering looks for them; for lower_acts */
	bool calls;			/* it calls something: its frames save what calls destroy */
	bool maximal, rewrites;		/* found by the proof: every site maximal; neighbours rewritten (no byte stores) */
	struct place place;
};

/* An empty program of a machine, owned by ctx. */
struct program *program_new(void *ctx, const struct machine *m);

/*
 * Appends an instruction of a pattern (NULL: a frame's), its operands unbound, its steps empty, no fault site, not
 * resumable.  What is returned is good until the next one is appended.
 */
struct insn *program_append(struct program *p, const struct pattern *pattern, struct place at);

/* Makes a label; it is nowhere until label_here puts it behind the last instruction.  name may be NULL. */
int program_label(struct program *p, const char *name);
void label_here(struct program *p, int label);

/* Does the instruction go on behind it only if it does not jump (true), or never (false)? */
bool insn_falls_through(const struct insn *i);
/* Has it no slot, as what is printed behind it is skipped when it goes elsewhere? */
bool insn_annuls(const struct insn *i);

/* The register sides of one action: what it reads, what it writes (a clobber counts as a write). */
void action_reads(const struct action *a, struct regset *add_to);
void action_writes(const struct action *a, struct regset *add_to);
void cond_reads(const struct cond *c, struct regset *add_to);
void expr_reads(const struct expr *e, struct regset *add_to);

/* The first access in an expression; NULL: there is none. */
struct expr *expr_find_mem(struct expr *e);

/* The access of an action: its EX_MEM, stored to or loaded from; NULL: it touches no memory.  A hint does not count. */
struct expr *action_access(const struct action *a);

static inline bool regset_empty(const struct regset *s)
{
	return !(s->bits[0] | s->bits[1] | s->bits[2] | s->bits[3]);
}
static inline bool regset_meet(const struct regset *a, const struct regset *b)
{
	return (a->bits[0] & b->bits[0]) | (a->bits[1] & b->bits[1]) | (a->bits[2] & b->bits[2]) |
	       (a->bits[3] & b->bits[3]);
}
static inline void regset_or(struct regset *a, const struct regset *b)
{
	for (int k = 0; k < 4; k++)
		a->bits[k] |= b->bits[k];
}
static inline void regset_minus(struct regset *a, const struct regset *b)
{
	for (int k = 0; k < 4; k++)
		a->bits[k] &= ~b->bits[k];
}

#endif
