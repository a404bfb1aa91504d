/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the grammar's actions build trees with.  For the parser's own files only. */
#ifndef UCOPY_AST_BUILD_H
#define UCOPY_AST_BUILD_H

#include "ast_spec.h"
#include "diag.h"
#include "token.h"

#define EXPR_DEPTH 100		/* nodes above each other in one expression, or in the test of a `when` */
#define PARAMS_MAX 32
#define INCLUDE_DEPTH 20
#define ERRORS_MAX 500		/* what is so full of errors is no spec */
#define FILE_LIMIT (256 * 1024)
#define FILES_MAX 64
#define ITEMS_MAX 1000		/* of one list: patterns of a machine, statements of a body, .. */
#define ACTIONS_MAX 64		/* at once, or of one line */
#define TEXT_MAX 4096		/* bytes between backticks */

enum where { IN_SPEC, IN_TEMPLATE, IN_NEITHER };

struct arena {
	void *ctx;
	char *at, *end;
	size_t block;			/* size of the newest block; 0: none */
};

/* One parse of one text. */
struct parser {
	struct arena *arena;
	struct diag *d;
	struct tree *tree;
	struct spec_pattern *pattern;	/* whose marks are read */
	struct parser *includer;	/* whose include this text is; NULL: nobody's */
	struct scanner scanner;
	struct place include;		/* the one that is being read */
	struct place before;		/* the last token that belongs to what is being built */
	const void *snapshot;		/* grammar.y's own: the automaton's stack before the current token */
	enum where where;
	bool bad;			/* a syntax error was found at the current token */
	bool quiet;			/* blocks are being closed: not worth a message */
	bool fatal;			/* beyond a limit: give up */
};

/* grammar.y: feeds all tokens. */
void parse_tokens(struct parser *p);

/* parse.c */
void parse_include(struct parser *p, struct token text);

/* ast_build.c */
void *arena_get(struct arena *a, size_t size);		/* zeroed */
const char *arena_string(struct arena *a, const char *s, size_t n);
/* Room for one more of n elements of that size: v, or a larger copy of it. */
void *arena_grow(struct arena *a, void *v, size_t n, size_t size);

/* Has a list of n room for one more?  What has none is too large to be read on. */
void list_check(struct parser *p, size_t n, size_t most);
/* The same of what is `depth` deep. */
void depth_check(struct parser *p, unsigned depth);

#define NEW(p, type) ((type *)arena_get((p)->arena, sizeof(type)))
#define PUSH_MOST(p, v, n, item, most) \
	(list_check((p), (n), (most)), (v) = arena_grow((p)->arena, (v), (n), sizeof(*(v))), (v)[(n)++] = (item))
#define PUSH(p, v, n, item) PUSH_MOST(p, v, n, item, ITEMS_MAX)

struct deep {			/* an expression, and how deep it is */
	struct expr *e;
	unsigned depth;
};

struct address { struct token space; struct deep at; };		/* space: a token without place when there is none */
struct acts { struct action *v; size_t n; struct place start; };
struct exprs { struct deep *v; size_t n; };
struct temps { struct temp *v; size_t n; };
struct resume_args { struct resume_arg *v; size_t n; };
struct withs { struct with *v; size_t n; };
struct params { struct param *v; size_t n; };
struct effect { struct step step; struct place place; };
struct tail { bool has; struct body body; };
struct hooked { enum hook_kind kind; const char *held; struct place at; };	/* what a hook does */
struct tuning { struct number_list of; struct token below, above; };	/* what a tune says behind its number; no place: not given */
struct bound { struct token first, digits; bool minus; };

const char *token_text(struct parser *p, struct token t, unsigned *ret_length);	/* of the source, not ended by NUL */
const char *token_string(struct parser *p, struct token t);
struct name_at name_at(struct parser *p, struct token t);
struct text_at text_at(struct parser *p, struct token t);
struct place place_to_here(struct parser *p, struct place start);

struct deep expr_number(struct parser *p, struct token t);
struct deep expr_name(struct parser *p, struct token t);
struct deep expr_index(struct parser *p, struct token name, struct deep index);
struct deep expr_text(struct parser *p, struct token t);
struct deep expr_one(struct parser *p, enum expr_op op, struct token t, struct deep a);
struct deep expr_two(struct parser *p, enum expr_op op, struct deep a, struct deep b);
struct deep expr_call(struct parser *p, struct token name, struct exprs args);
/* length.e and any may be missing: NULL, a token without place.  any: the `u` behind a length. */
struct deep expr_mem(struct parser *p, struct token mem, struct deep length, struct token any, struct address at);

struct cond *cond_new(struct parser *p, enum relation rel, struct deep a, struct deep b);
struct cond *cond_named(struct parser *p, struct token rel, struct deep a, struct deep b);
struct cond *cond_feature(struct parser *p, struct token name);
struct cond *cond_not(struct cond *c);

struct action *act_set(struct parser *p, struct deep target, struct deep value);
struct action *act_update(struct parser *p, struct deep target, enum expr_op op, struct deep value);
struct action *act_goto(struct parser *p, struct token first, struct cond *c, struct token label, bool jump);
struct action *act_name(struct parser *p, enum action_kind kind, struct token first, struct token name);
struct action *act_plain(struct parser *p, enum action_kind kind, struct token t);
struct action *act_hint(struct parser *p, struct token first, struct deep mem);
struct action *act_need(struct parser *p, struct token first, struct cond *c);
struct action *act_clobber(struct parser *p, struct token first, struct token regs);
/* Nothing is added for NULL. */
void acts_add(struct parser *p, struct acts *l, const struct action *a);
struct effect *effect_new(struct parser *p, struct cond *loop, struct acts acts, struct place start);

/* ast_items.c */
/* Index of the word in a list ended by NULL; else an error, and 0.  what: "byte order". */
int word_index(struct parser *p, struct token t, const char *what, const char *const *words);
extern const char *const words_update[], *const words_fixup[], *const words_order[], *const words_access[],
	*const words_slot[], *const words_feature[], *const words_user[], *const words_retry[];

struct spec_fact *fact_new(struct parser *p, enum fact_kind kind, struct token first);
struct spec_fact *fact_number(struct parser *p, enum fact_kind kind, struct token first, struct token number);
struct spec_fact *fact_word(struct parser *p, enum fact_kind kind, struct token first, struct token word,
			    const char *const *words);
struct spec_fact *fact_text(struct parser *p, enum fact_kind kind, struct token first, struct token text);
struct spec_fact *fact_texts(struct parser *p, enum fact_kind kind, struct token first, struct text_list texts,
			     struct text_list ends);
struct spec_fact *fact_delay(struct parser *p, struct token first, struct token slots, struct token fill, struct token fault);
struct spec_feature *feature_new(struct parser *p, struct token first, struct token name, int value);
/* No range when it's wrong. */
struct ranges range_new(struct parser *p, struct bound lo, struct bound hi, uint64_t step);
struct ranges range_named(struct parser *p, struct token kind, struct token ones);
void relation_add(struct parser *p, struct spec_relation *r, enum relation rel, struct token text);
struct number_list number_add(struct parser *p, struct number_list l, struct token number);

void mark_numbers(struct parser *p, struct number_list *which, struct token first, struct number_list l, bool any);
void mark_slot(struct parser *p, struct token first);
void mark_pool(struct parser *p, struct token first, struct token text);
void mark_only(struct parser *p, struct token first, struct token name);
void pattern_line(struct parser *p, struct spec_pattern *m, struct token text, struct effect *e);
void pattern_as(struct parser *p, struct spec_pattern *m, struct effect *e);

void symbol_add(struct parser *p, struct spec_body *b, struct token first, struct token routine, struct token text);
void body_check(struct parser *p, const struct spec_body *b, bool variant);

/* ast_stmts.c */
struct stmt *stmt_new(struct parser *p, enum stmt_kind kind, struct place start);
struct stmt *stmt_named(struct parser *p, enum stmt_kind kind, struct token first, struct token name);
void stmt_values(struct parser *p, struct stmt *s, struct exprs values);
void tune_push(struct parser *p, struct spec_body *b, struct token name, struct token value);
void tunes_add(struct parser *p, struct spec_body *body, const struct spec_body *tunes);
void hook_add(struct parser *p, struct token first, struct token name, struct params params, struct hooked does);
void hook_text_add(struct parser *p, struct spec_body *body, struct token first, struct token name, struct token text,
		   struct text_at clobber);
struct stmt *stmt_when(struct parser *p, struct token first, struct test *test, struct body body, struct tail other);
struct stmt *stmt_block(struct parser *p, enum stmt_kind kind, struct token first, struct body body, struct tail other);
struct body body_of(struct parser *p, struct stmt *s);
struct test *test_new(struct parser *p, enum test_op op, struct place start, struct test *a, struct test *b);
void temp_add(struct parser *p, struct temps *l, struct token name, struct deep count, struct token reg_class);
struct params params_of(struct parser *p, struct name_list names);
void with_add(struct parser *p, struct withs *l, struct token name, struct token what);
void tune_add(struct parser *p, struct token name, struct token value, struct tuning t);

#endif
