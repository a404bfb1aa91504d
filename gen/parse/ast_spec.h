/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the parser makes of specs: machines, variants, targets and hooks as they are written, in the order written, each
 * thing with its place.  Nothing is looked up, but words that can be one of a few only are already numbers.  Only
 * resolve reads these.  Everything is owned by the talloc context given to parse.
 */
#ifndef UCOPY_AST_SPEC_H
#define UCOPY_AST_SPEC_H

#include "ast.h"
#include "machine.h"

struct name_at {
	const char *name;	/* NULL: not given */
	struct place place;
};

struct text_at {		/* what stands between two backticks */
	const char *text;	/* NULL: not given */
	struct place place;	/* without the backticks: byte i of text is at place.start + i */
};

struct text_list {
	struct text_at *v;
	size_t n;
};

struct name_list {
	struct name_at *v;
	size_t n;
};

struct number_list {		/* more than one: of a width family, an alternative each */
	uint64_t *v;
	size_t n;
	struct place place;
};

/* Keys that a body can have once.  What each fills in is said beside it. */
enum fact_kind {
	FACT_WIDTH,		/* register width: number */
	FACT_BLOCK,		/* block instruction: texts = load, store; number of registers */
	FACT_UPDATE,		/* pointer update: value is an enum pointer_update */
	FACT_FIXUP,		/* fixup: value is an enum fixup_form */
	FACT_GRANULARITY,	/* fault granularity: number; 0: instruction */
	FACT_GRANULE,		/* fault granule: number */
	FACT_ORDER,		/* byte order: value is an enum byte_order */
	FACT_ACCESS,		/* access: value is an enum alignment_rule */
	FACT_DELAY,		/* delay: number; texts = fill, annul (if any); value is an enum slot_fault */
	FACT_ARGS, FACT_RESULT, FACT_FREE, FACT_SAVED, FACT_KEEP, FACT_ZERO,	/* texts = one register list */
	FACT_ENTER,		/* enter, leave: texts, ends */
	FACT_STACK,		/* stack enter, leave: texts, ends; saved */
	FACT_STACK_CALL,	/* stack call enter, leave: texts, ends; value is an enum parity */
	/* targets only */
	FACT_USER,		/* user by: value 1: user, 0: any */
	FACT_SIDES,		/* sides: texts = source's, destination's */
	FACT_FILE, FACT_FUNCTION, FACT_FIXUPS,	/* begin, end: texts, ends */
	FACT_LABEL, FACT_DIRECTIVE,		/* label, width: texts = one */
	FACT_ENTRY, FACT_LOOP,	/* entry, loop: texts */
	FACT_REACH,		/* reach: number */
	FACT_RETRY,		/* retry: value 1: yes, 0: no */
	FACT_EMIT,		/* emit: names */
	FACT_COUNT
};

/* "register width", .. as written in a spec. */
extern const char *const fact_names[FACT_COUNT];

struct spec_fact {
	enum fact_kind kind;
	int value;
	uint64_t number;
	struct text_list texts, ends;
	struct text_at saved;
	struct name_list names;
	struct place place;		/* all of it */
};

struct spec_class { struct name_at name; uint64_t width; struct text_at regs; struct place place; };
struct spec_view { struct name_at name, of; struct text_at regs; struct place place; };
struct spec_range { struct name_at name; struct ranges ranges; struct place place; };
struct spec_relation { struct name_at name; struct text_at text[REL_COUNT]; struct place place; };
struct spec_state { struct name_at name; struct name_list values; struct place place; };
struct spec_tune { struct name_at name; uint64_t value; struct place place; };
struct spec_symbol { struct name_at routine; struct text_at text; struct place place; };	/* named [routine] text */
struct spec_hook_text { struct name_at name; struct text_at text, clobber; struct place place; };
struct spec_feature {			/* machine: feature NAME (value is FEATURE_NO); target: feature NAME yes|no|variant */
	struct name_at name;
	int value;			/* FEATURE_NO, FEATURE_YES, FEATURE_VARIANT */
	struct place place;
};

/*
 * An effect as parsed.  In its actions
 *
 *	ACT_SET		target is EX_NAME (an operand, or a state, whose value is then an EX_NAME too), EX_INDEX or EX_TEXT
 *	ACT_GOTO	name is the label's or, with jump, the routine's
 *	ACT_CALL	name
 *	ACT_NEED	cond
 *	ACT_CLOBBER	value is an EX_TEXT: a register list
 *
 * and `x += e` has become `x = x + e`.  `feature f` in a condition is `EX_FEATURE != 0`.  EX_MEM without a length: the
 * machine's word; with several (a width family): kid 1 is an EX_FAMILY.
 */
struct spec_line {
	struct text_at text;
	bool has_effect;		/* false: its doing is in the next line's; true with no action: `nothing` */
	struct step step;
	struct place effect_place;
};

struct spec_pattern {
	struct spec_line *lines;
	size_t nlines;
	bool has_as;
	struct step as;
	struct place as_place;
	struct number_list tears;	/* n == 0: not given */
	bool tears_any;
	struct number_list aligned;
	bool slot;
	struct text_at pool;
	struct name_at only;		/* `for NAME`: only for this variant, class or target */
	struct place place;
};

struct spec_variant;
struct spec_target;

/* What stands between the braces of a machine, a variant or a target (which fill in what they can have). */
struct spec_body {
	struct spec_fact *facts;
	size_t nfacts;
	struct spec_class *classes;
	size_t nclasses;
	struct spec_view *views;
	size_t nviews;
	struct spec_range *ranges;
	size_t nranges;
	struct spec_relation *relations;
	size_t nrelations;
	struct spec_state *states;
	size_t nstates;
	struct spec_feature *features;
	size_t nfeatures;
	struct spec_tune *tunes;
	size_t ntunes;
	struct spec_pattern *patterns;
	size_t npatterns;
	struct text_at *drops;		/* variants: texts of patterns that are left out */
	size_t ndrops;
	struct spec_symbol *symbols;
	size_t nsymbols;
	struct spec_hook_text *hooks;
	size_t nhooks;
	struct spec_variant **variants;
	size_t nvariants;
	struct spec_target **targets;
	size_t ntargets;
};

struct spec_variant { struct name_at name; struct spec_body body; struct place place; };

struct spec_target {
	struct name_at name, of, from;	/* of: the machine; NULL inside a machine, and for what others are made from */
	struct spec_body body;
	struct place place;
};

struct spec_machine { struct name_at name; struct spec_body body; struct place place; };

/* All that was read: everything of all files, in the order read. */
struct tree {
	struct spec_machine **machines;
	size_t nmachines;
	struct spec_target **targets;	/* at top level */
	size_t ntargets;
	struct templates templates;
	const struct source **sources;	/* every file read */
	size_t nsources;
};

#endif
