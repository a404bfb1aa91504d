/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A machine as a spec describes it, resolved for one target: registers, patterns, ABI, facts and texts.
 * All lengths are in bytes.  Everything is owned by the talloc context given to resolve and lives as long as it.
 */
#ifndef UCOPY_MACHINE_H
#define UCOPY_MACHINE_H

#include "effect.h"

enum byte_order { LITTLE, BIG };
enum alignment_rule { ACCESS_ALIGNED, ACCESS_UNALIGNED, ACCESS_MIXED };	/* MIXED: any address but for patterns marked `aligned` */
enum pointer_update { UPDATE_BLOCK, UPDATE_EACH };
/* What a fixup does: from which place (base registers as they are | the exact place), and then (return | bytes). */
enum fixup_form { FIXUP_DIRECT, FIXUP_LADDER, FIXUP_RETRY, FIXUP_BOTH };
enum parity { PARITY_EVEN, PARITY_ODD, PARITY_ANY };	/* how many registers a frame must save */
enum slot_fault { SLOT_NONE, SLOT_SELF, SLOT_BRANCH, SLOT_NEVER };

struct reg {
	const char *name;	/* spelling in its class */
	int width;		/* bytes */
};

struct reg_class {
	const char *name;
	int width;
	int *regs;		/* in the order lists must rise and temporaries are taken */
	size_t nregs;
	struct place place;
};

struct view {			/* another spelling of a class's registers */
	const char *name;
	int reg_class;		/* index into classes */
	const char **spelling;	/* by position in the class; NULL where a register has none */
	struct place place;
};

struct range {			/* lo, lo + step, .. hi; or the masks below 2^ones (2^k - 1), or -2^k: tops */
	enum { RANGE_STEP, RANGE_ONES, RANGE_TOPS } kind;
	int64_t lo, hi, step;	/* RANGE_ONES, RANGE_TOPS: 1 <= k <= hi */
};

struct ranges {
	const char *name;	/* NULL: written in place */
	struct range *v;
	size_t n;
};

struct relations {		/* the texts of a relation, NULL where the machine has none */
	const char *name;
	const char *text[REL_COUNT];
};

enum operand_kind {
	OPERAND_REG, OPERAND_LIST, OPERAND_IMM, OPERAND_RELATION, OPERAND_LABEL, OPERAND_CALLEE, OPERAND_SPACE, OPERAND_POOL,
	OPERAND_ANNUL
};
enum list_order { LIST_ANY, LIST_ASCENDING, LIST_RUN, LIST_EVEN };

struct operand {
	const char *name;
	enum operand_kind kind;
	int reg_class;			/* OPERAND_REG, OPERAND_LIST */
	int view;			/* -1: the class's spelling */
	int list_min, list_max;		/* OPERAND_LIST: number of registers */
	enum list_order list_order;
	const struct relations *relation;	/* OPERAND_RELATION */
	struct place place;
};

/* A piece of a text: literal characters, or an operand's print. */
struct text_part {
	const char *literal;		/* NULL: a hole */
	int operand;			/* of the pattern; in texts of targets and stacks: enum text_name */
	int view;			/* how this hole spells a register; -1: the class's spelling */
	int reg_class;			/* {reg:class}: of whose registers the line is printed; -1: of all */
	struct expr *print;		/* immediates: the printed value as an expression of EX_OPERAND, or NULL: the value itself */
	struct ranges ranges;		/* of the printed value; n == 0: any */
};

struct text {
	struct text_part *parts;
	size_t nparts;
	struct place place;
};

/* What holes of texts outside patterns stand for; `print` is then an expression of EX_OPERAND with that index. */
enum text_name {
	TEXT_ROUTINE,	/* {r} routine with its suffix (`named` only) */
	TEXT_FUNCTION,	/* {f} its whole symbol */
	TEXT_NUMBER,	/* {n} number of a label */
	TEXT_SITE,	/* {site} label of a fault site */
	TEXT_NEXT,	/* {next} label behind it */
	TEXT_FIXUP,	/* {fixup} label of its fixup */
	TEXT_WIDTH,	/* {width} directive of a 4-byte word */
	TEXT_REG,	/* {reg} a saved register; the line is printed once for each */
	TEXT_AT,	/* {at} its offset from the lowest saved one, in bytes */
	TEXT_ALL,	/* {all} the saved registers, joined by `, ` */
	TEXT_SIZE,	/* {size} their bytes, rounded up to 16 */
	TEXT_NAMES
};

struct pattern_line {
	struct text text;
	struct step step;		/* nacts == 0: its doing is in the next line's effect */
};

struct pattern {
	int number;			/* order in the spec: the first written wins a draw */
	struct operand *operands;
	size_t noperands;
	struct pattern_line *lines;	/* printed together, never parted */
	size_t nlines;
	struct step as;			/* what lowering may look for, and nobody else; nacts == 0: the lines' own effects */
	int tears;			/* a faulting store may have stored whole units of so many bytes; 0: nothing */
	bool tears_any;			/* any subset of its units, not only a prefix */
	int aligned;			/* its accesses must be aligned to so many bytes; 0: see the machine's rule */
	bool slot;			/* the text behind it runs before it takes effect */
	bool needs_frame;		/* destroys a register of `keep` that no class has: only while a frame is open */
	uint32_t *differ;		/* by operand: bits of the operands that must be another register than it */
	struct regset own;		/* fixed registers it writes or clobbers */
	const struct text *pool;	/* text that lies in a pool, its label printed by `{@}`; NULL */
	struct place place;
};

struct texts { struct text *v; size_t n; };

struct feature { const char *name; enum { FEATURE_NO, FEATURE_YES, FEATURE_VARIANT } value; };
struct state { const char *name; const char **values; size_t nvalues; };	/* values[0]: at entry, and owed at every way out */
struct tune { const char *name; uint64_t value; bool tuned; };			/* tuned: by a profile */
struct symbol { const char *routine; const char *text; };			/* routine NULL: for all */

struct hook_symbol { const char *name, *symbol; struct regset clobber; };	/* a function of the kernel, and what it destroys */

struct target {
	const char *name;
	const char *full_name;		/* with the variants asked for behind it: `plain+each` */
	bool user_by_user;		/* the user side is reached by U patterns only */
	const char *sides[2];		/* space operand of source, destination; NULL: none */
	struct symbol *symbols;		/* {r}: routine */
	size_t nsymbols;
	struct texts file_begin, file_end, function_begin, function_end, entry, loop, fixups_begin, fixups_end;
	struct text label;		/* {f} {n} */
	const char *width;		/* directive of a 4-byte word */
	bool retry;			/* a fixup may copy again */
	const char **emit;		/* routines this target wants */
	size_t nemit;
	struct hook_symbol *hooks;
	size_t nhooks;
	struct place place;
};

struct machine {
	const char *name;
	int width;			/* of a register */
	int block_registers;		/* registers a block instruction moves */
	const char *block_words[2];	/* its load and its store begin with these words; NULL: the spec has none */
	enum byte_order order;
	enum alignment_rule access;
	enum pointer_update update;
	enum fixup_form fixup;
	int granularity;		/* bytes a faulting wide store may have stored in units of; 0: nothing (instruction) */
	int granule;			/* smallest page */
	int delay;			/* delay slots of a `slot` pattern */
	const char *fill;		/* text of an idle slot */
	const char *annul;		/* what `{annul}` prints where a branch that is taken skips its slot; NULL */
	enum slot_fault slot_fault;

	struct reg *regs;
	size_t nregs;
	struct reg_class *classes;	/* the first is the default */
	size_t nclasses;
	struct view *views;
	size_t nviews;
	struct ranges *ranges;
	size_t nranges;
	struct relations *relations;
	size_t nrelations;
	struct state *states;
	size_t nstates;
	struct feature *features;
	size_t nfeatures;
	struct tune *tunes;
	size_t ntunes;

	int args[8];			/* registers of the arguments, in order */
	size_t nargs;
	int result;
	int zero;			/* register that reads as 0, or -1 */
	int *free;			/* registers a routine may use without saving, in the order they are taken */
	size_t nfree;
	int *saved;			/* registers `saving` may use, once the frame holds them */
	size_t nsaved;
	const char **keep;		/* spellings that must be as at entry on every way out; not all are registers of a class */
	size_t nkeep;
	struct regset kept;		/* those of them that are */
	struct texts enter, leave;		/* always, before anything else and before each return */
	struct texts stack_enter, stack_leave;	/* around `saving` */
	struct texts call_enter, call_leave;	/* .. that calls; n == 0: the same as without */
	enum parity call_saves;

	struct pattern *patterns;	/* target's first, then the machine's, each in the order written */
	size_t npatterns;
	struct target target;
	struct place place;
	struct place update_place, fixup_place;	/* where the spec says so (else the machine's name); for notes */
};

/* Look-ups: an index, or -1.  Registers are also found by their spelling in a view. */
int machine_reg(const struct machine *m, const char *name);
int machine_class(const struct machine *m, const char *name);
int machine_view(const struct machine *m, const char *name);
int machine_state(const struct machine *m, const char *name);
const struct ranges *machine_range(const struct machine *m, const char *name);
/* A tune's value; 0 when the spec does not set it. */
uint64_t machine_tune(const struct machine *m, const char *name);
/* Does the target have that feature for certain?  Variants that are applied and the byte order's name are features too. */
bool machine_feature(const struct machine *m, const char *name);
/* Position of a register in a class, or -1. */
int class_position(const struct reg_class *c, int reg);
/* Does a hole of a frame's text stand for this register? */
bool frame_part_takes(const struct machine *m, const struct text_part *part, int reg);
/* How a register is spelled in a view (-1: by its own name); NULL where it has no spelling. */
const char *reg_spelling(const struct machine *m, int reg, int view);

/* Is v in one of the ranges?  n == 0: always. */
bool ranges_has(const struct ranges *r, int64_t v);
/* What a hole prints for an immediate. */
int64_t printed_value(const struct text_part *part, int64_t imm);
/*
 * The immediate for which a hole prints `printed`; false: none, or not found (only sums, differences and scales are
 * turned around).
 */
bool printed_inverse(const struct text_part *part, int64_t printed, int64_t *ret_imm);
/*
 * Can operand o of p be the immediate `value` (modulo 2^(8 width))?  Every hole that prints it must take it; *ret_imm
 * is then the number to put into operand_value: value as a signed number, or as an unsigned one.
 */
bool imm_fits(const struct machine *m, const struct pattern *p, int o, uint64_t value, int64_t *ret_imm);
/* Can operand o of p be this register: in its class, and spelled in every view that prints it? */
bool reg_fits(const struct machine *m, const struct pattern *p, int o, int reg);
/* Are n registers in the order a list operand wants them? */
bool list_fits(const struct machine *m, const struct operand *o, const int *regs, int n);

/* Is this the first word of what the pattern prints first? */
bool pattern_begins(const struct pattern *p, const char *word);

/* The symbol of a routine in this target. */
const char *target_symbol(void *ctx, const struct machine *m, const char *routine);

#endif
