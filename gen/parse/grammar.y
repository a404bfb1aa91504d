/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The language of specs and templates.  What the actions call is in ast_*.c; the automaton is driven by grammar_run.h. */
%name Grammar
%token_prefix T_
%token_type {struct token}
%extra_context {struct parser *p}
%start_symbol input
%stack_size 250
%include {
#include <assert.h>

#include "ast_build.h"
#include "grammar.h"

#define Grammar_ENGINEALWAYSONSTACK 1

#pragma GCC diagnostic ignored "-Wunused-variable"	/* in what Lemon makes of destructors */

struct yyParser;
static void syntax_error(struct yyParser *y, struct parser *p, int kind, struct token t);
}
%syntax_error { syntax_error(yypParser, p, yymajor, TOKEN); }
%stack_overflow {
	if (!p->fatal)
		diag_error(p->d, DIAG_DEEP, p->before, "blocks or parentheses are nested too deep");
	p->fatal = true;
}
%code {
#include "grammar_run.h"
}

/*
 * Words that are names where no keyword can stand.  Those that begin things at top level can't be among them: the
 * automaton prefers a fallback to a default reduction, so `with zeroing` would swallow the next one.
 */
%fallback NAME REGISTER REGISTERS WIDTH BLOCK INSTRUCTION POINTER UPDATE FIXUP FAULT GRANULARITY GRANULE BYTE ORDER
	ACCESS DELAY FILL ANNUL CLASS VIEW OF BETWEEN RANGE RELATION STATE VARIANT DROP FROM ARGS RESULT FREE SAVED KEEP
	ZERO ENTER LEAVE STACK TEARS ANY ALIGNED SLOT POOL NEED CLOBBER USER BY SIDES NAMED FILE FUNCTION BEGIN END
	LABEL ENTRY FIXUPS LOOP REACH RETRY EMIT HINT FENCE HOLD RELEASE EVEN ODD WITH RESUME TEMP CONST WEAVE SAVING STATES ALIGN CAN.

%left OR.
%left AND.
%nonassoc EQ NE LT LE GT GE SLT SLE SGT SGE RELVAR.
%left BAR.
%left CARET.
%left AMP.
%left SHL SHR.
%left PLUS MINUS.
%left STAR PERCENT SLASH.
%right NOT TILDE.

%type mitems {struct spec_body *}
%type titems {struct spec_body *}
%type target {struct spec_target *}
%type variant {struct spec_variant *}
%type mfact {struct spec_fact *}
%type tfact {struct spec_fact *}
%type abi {struct spec_fact *}
%type class {struct spec_class *}
%type view {struct spec_view *}
%type range {struct spec_range *}
%type relation {struct spec_relation *}
%type rels {struct spec_relation *}
%type state {struct spec_state *}
%type mfeature {struct spec_feature *}
%type insn {struct spec_pattern *}
%type heads {struct spec_pattern *}
%type lines {struct spec_pattern *}
%type tunes {struct spec_body *}
%type textlist {struct text_list}
%type texts {struct text_list}
%type names {struct name_list}
%type name1 {struct name_list}
%type numbers {struct number_list}
%type ranges {struct ranges}
%type rng {struct ranges}
%type bound {struct bound}
%type any {int}
%type relop {enum relation}
%type effect {struct effect *}
%type eacts {struct acts}
%type eact {struct action *}
%type acts {struct acts}
%type act {struct action *}
%type group {struct acts}
%type cond {struct cond *}
%type expr {struct deep}
%type place {struct deep}
%type mem {struct deep}
%type exprs {struct exprs}
%type args {struct exprs}
%type body {struct body}
%type stmts {struct body}
%type stmt {struct stmt *}
%type elses {struct tail}
%type whens {struct tail}
%type hooked {struct hooked}
%type parity {int}
%type destroys {struct text_at}
%type test {struct test *}
%type temps {struct temps}
%type count {struct deep}
%type step {struct deep}
%type class_of {struct token}
%type what_of {struct token}
%type from {struct token}
%type u {struct token}
%type address {struct address}
%type rargs {struct resume_args}
%type rarg1 {struct resume_args}
%type rarg {struct resume_arg}
%type withs {struct withs}
%type withlist {struct withs}
%type tuning {struct tuning}

input ::= file.

file ::= .
file ::= file top.
top ::= error SYNC.
top ::= INCLUDE TEXT(T). { parse_include(p, T); }
top ::= MACHINE(F) NAME(N) LB mitems(B) RB. {
	struct spec_machine *m = NEW(p, struct spec_machine);

	*m = (struct spec_machine){ name_at(p, N), *B, place_to_here(p, F.place) };
	body_check(p, B, false);
	PUSH(p, p->tree->machines, p->tree->nmachines, m);
}
top ::= target(T). { PUSH(p, p->tree->targets, p->tree->ntargets, T); }
top ::= TARGET(F) NAME(N) OF NAME(M) from(O) LB titems(B) RB. {
	struct spec_target *t = NEW(p, struct spec_target);

	*t = (struct spec_target){ name_at(p, N), name_at(p, M), name_at(p, O), *B, place_to_here(p, F.place) };
	PUSH(p, p->tree->targets, p->tree->ntargets, t);
}
top ::= TUNE NAME(N) ASSIGN NUM(V) tuning(X). { tune_add(p, N, V, X); }
tuning(A) ::= . { A = (struct tuning){ 0 }; }
tuning(A) ::= OF numbers(L). { A = (struct tuning){ .of = L }; }
tuning(A) ::= BETWEEN NAME(X) COMMA NAME(Y). { A = (struct tuning){ .below = X, .above = Y }; }
top ::= FEATURE NAME(N). {
	struct templates *t = &p->tree->templates;

	PUSH(p, t->features, t->nfeatures, ((struct declared){ token_string(p, N), 0, N.place }));
}
top ::= MACRO NAME(N) LP names(L) RP body(B). {
	struct macro *m = NEW(p, struct macro);
	struct params l = params_of(p, L);

	*m = (struct macro){ token_string(p, N), l.v, l.n, B, N.place };
	PUSH(p, p->tree->templates.macros, p->tree->templates.nmacros, m);
}
top ::= ROUTINE NAME(N) LP names(L) RP body(B). {
	struct routine *r = NEW(p, struct routine);
	struct params l = params_of(p, L);

	*r = (struct routine){ .name = token_string(p, N), .params = l.v, .nparams = l.n, .body = B, .place = N.place };
	PUSH(p, p->tree->templates.routines, p->tree->templates.nroutines, r);
}
top ::= ROUTINE NAME(N) ASSIGN NAME(B) withs(W). {
	struct routine *r = NEW(p, struct routine);

	*r = (struct routine){ .name = token_string(p, N), .base = token_string(p, B), .withs = W.v, .nwiths = W.n,
			       .place = N.place };
	PUSH(p, p->tree->templates.routines, p->tree->templates.nroutines, r);
}
top ::= HOOK(F) NAME(N) LP names(L) RP LB hooked(H) RB. { hook_add(p, F, N, params_of(p, L), H); }
hooked(A) ::= HOLD NAME(N). { A = (struct hooked){ HOOK_HOLD, token_string(p, N), N.place }; }
hooked(A) ::= RELEASE. { A = (struct hooked){ .kind = HOOK_RELEASE }; }
hooked(A) ::= NOTHING. { A = (struct hooked){ .kind = HOOK_NOTHING }; }

/* Machines and variants. */
mitems(A) ::= . { A = NEW(p, struct spec_body); }
mitems(A) ::= mitems(A) error SYNC.
mitems(A) ::= mitems(A) mfact(F). { PUSH(p, A->facts, A->nfacts, *F); }
mitems(A) ::= mitems(A) abi(F). { PUSH(p, A->facts, A->nfacts, *F); }
mitems(A) ::= mitems(A) class(X). { PUSH(p, A->classes, A->nclasses, *X); }
mitems(A) ::= mitems(A) view(X). { PUSH(p, A->views, A->nviews, *X); }
mitems(A) ::= mitems(A) range(X). { PUSH(p, A->ranges, A->nranges, *X); }
mitems(A) ::= mitems(A) relation(X). { PUSH(p, A->relations, A->nrelations, *X); }
mitems(A) ::= mitems(A) state(X). { PUSH(p, A->states, A->nstates, *X); }
mitems(A) ::= mitems(A) mfeature(X). { PUSH(p, A->features, A->nfeatures, *X); }
mitems(A) ::= mitems(A) insn(X). { PUSH(p, A->patterns, A->npatterns, *X); }
mitems(A) ::= mitems(A) variant(X). { PUSH(p, A->variants, A->nvariants, X); }
mitems(A) ::= mitems(A) target(X). { PUSH(p, A->targets, A->ntargets, X); }
mitems(A) ::= mitems(A) DROP TEXT(T). { PUSH(p, A->drops, A->ndrops, text_at(p, T)); }
mitems(A) ::= mitems(A) TUNE LB tunes(X) RB. { tunes_add(p, A, X); }
tunes(A) ::= . { A = NEW(p, struct spec_body); }
tunes(A) ::= tunes(A) NAME(N) NUM(V). { tune_push(p, A, N, V); }
variant(A) ::= VARIANT(F) NAME(N) LB mitems(B) RB. {
	A = NEW(p, struct spec_variant);
	*A = (struct spec_variant){ name_at(p, N), *B, place_to_here(p, F.place) };
	body_check(p, B, true);
}

mfact(A) ::= REGISTER(F) WIDTH NUM(N). { A = fact_number(p, FACT_WIDTH, F, N); }
mfact(A) ::= BLOCK(F) INSTRUCTION TEXT(X) TEXT(Y) NUM(N) REGISTERS. {
	A = fact_number(p, FACT_BLOCK, F, N);
	PUSH(p, A->texts.v, A->texts.n, text_at(p, X));
	PUSH(p, A->texts.v, A->texts.n, text_at(p, Y));
}
mfact(A) ::= POINTER(F) UPDATE NAME(W). { A = fact_word(p, FACT_UPDATE, F, W, words_update); }
mfact(A) ::= FIXUP(F) NAME(W). { A = fact_word(p, FACT_FIXUP, F, W, words_fixup); }
mfact(A) ::= FAULT(F) GRANULARITY INSTRUCTION. { A = fact_new(p, FACT_GRANULARITY, F); }
mfact(A) ::= FAULT(F) GRANULARITY BYTE. { A = fact_new(p, FACT_GRANULARITY, F); A->number = 1; }
mfact(A) ::= FAULT(F) GRANULARITY NUM(N). { A = fact_number(p, FACT_GRANULARITY, F, N); }
mfact(A) ::= FAULT(F) GRANULE NUM(N). { A = fact_number(p, FACT_GRANULE, F, N); }
mfact(A) ::= BYTE(F) ORDER NAME(W). { A = fact_word(p, FACT_ORDER, F, W, words_order); }
mfact(A) ::= ACCESS(F) NAME(W). { A = fact_word(p, FACT_ACCESS, F, W, words_access); }
mfact(A) ::= ACCESS(F) ALIGNED. { A = fact_new(p, FACT_ACCESS, F); A->value = ACCESS_ALIGNED; }
mfact(A) ::= DELAY(F) NUM(N) FILL TEXT(T) FAULT NAME(W). { A = fact_delay(p, F, N, T, W); }
mfact(A) ::= DELAY(F) NUM(N) FILL TEXT(T) ANNUL TEXT(X) FAULT NAME(W). {
	A = fact_delay(p, F, N, T, W);
	PUSH(p, A->texts.v, A->texts.n, text_at(p, X));
}

abi(A) ::= ARGS(F) TEXT(T). { A = fact_text(p, FACT_ARGS, F, T); }
abi(A) ::= RESULT(F) TEXT(T). { A = fact_text(p, FACT_RESULT, F, T); }
abi(A) ::= FREE(F) TEXT(T). { A = fact_text(p, FACT_FREE, F, T); }
abi(A) ::= SAVED(F) TEXT(T). { A = fact_text(p, FACT_SAVED, F, T); }
abi(A) ::= KEEP(F) TEXT(T). { A = fact_text(p, FACT_KEEP, F, T); }
abi(A) ::= ZERO(F) TEXT(T). { A = fact_text(p, FACT_ZERO, F, T); }
abi(A) ::= ENTER(F) texts(X) LEAVE texts(Y). { A = fact_texts(p, FACT_ENTER, F, X, Y); }
abi(A) ::= STACK(F) ENTER texts(X) LEAVE texts(Y) SAVED TEXT(T). {
	A = fact_texts(p, FACT_STACK, F, X, Y);
	A->saved = text_at(p, T);
}
abi(A) ::= STACK(F) CALL ENTER texts(X) LEAVE texts(Y) parity(W). {
	A = fact_texts(p, FACT_STACK_CALL, F, X, Y);
	A->value = W;
}
parity(A) ::= . { A = PARITY_ANY; }
parity(A) ::= EVEN. { A = PARITY_EVEN; }
parity(A) ::= ODD. { A = PARITY_ODD; }

class(A) ::= CLASS(F) NAME(N) NUM(W) TEXT(T). {
	A = NEW(p, struct spec_class);
	*A = (struct spec_class){ name_at(p, N), W.number, text_at(p, T), place_to_here(p, F.place) };
}
view(A) ::= VIEW(F) NAME(N) OF NAME(C) TEXT(T). {
	A = NEW(p, struct spec_view);
	*A = (struct spec_view){ name_at(p, N), name_at(p, C), text_at(p, T), place_to_here(p, F.place) };
}
range(A) ::= RANGE(F) NAME(N) ASSIGN ranges(R). {
	A = NEW(p, struct spec_range);
	*A = (struct spec_range){ name_at(p, N), R, place_to_here(p, F.place) };
	A->ranges.name = A->name.name;
}
relation(A) ::= RELATION(F) NAME(N) LB rels(R) RB. {
	A = R;
	A->name = name_at(p, N);
	A->place = place_to_here(p, F.place);
}
rels(A) ::= . { A = NEW(p, struct spec_relation); }
rels(A) ::= rels(A) relop(R) TEXT(T). { relation_add(p, A, R, T); }
state(A) ::= STATE(F) NAME(N) LB name1(L) RB. {
	A = NEW(p, struct spec_state);
	*A = (struct spec_state){ name_at(p, N), L, place_to_here(p, F.place) };
}
mfeature(A) ::= FEATURE(F) NAME(N). { A = feature_new(p, F, N, FEATURE_NO); }

relop(A) ::= EQ. { A = REL_EQ; }
relop(A) ::= NE. { A = REL_NE; }
relop(A) ::= LT. { A = REL_LT; }
relop(A) ::= LE. { A = REL_LE; }
relop(A) ::= GT. { A = REL_GT; }
relop(A) ::= GE. { A = REL_GE; }
relop(A) ::= SLT. { A = REL_SLT; }
relop(A) ::= SLE. { A = REL_SLE; }
relop(A) ::= SGT. { A = REL_SGT; }
relop(A) ::= SGE. { A = REL_SGE; }

ranges(A) ::= rng(A).
ranges(A) ::= ranges(A) BAR rng(R). {
	if (R.n)
		PUSH(p, A.v, A.n, R.v[0]);
}
rng(A) ::= bound(L). { A = range_new(p, L, L, 1); }
rng(A) ::= bound(L) DOTDOT bound(H). { A = range_new(p, L, H, 1); }
rng(A) ::= bound(L) DOTDOT bound(H) SLASH NUM(N). { A = range_new(p, L, H, N.number); }
rng(A) ::= NAME(K) NUM(N). { A = range_named(p, K, N); }
bound(A) ::= NUM(N). { A = (struct bound){ N, N, false }; }
bound(A) ::= MINUS(F) NUM(N). { A = (struct bound){ F, N, true }; }

/* Instructions. */
insn(A) ::= lines(A) marks.
insn(A) ::= lines(A) as marks.
as ::= AS effect(E). { pattern_as(p, p->pattern, E); }
lines(A) ::= heads(A) TEXT(T) effect(E). { pattern_line(p, A, T, E); p->pattern = A; }
heads(A) ::= . { A = NEW(p, struct spec_pattern); }
heads(A) ::= heads(A) TEXT(T) THEN. { pattern_line(p, A, T, NULL); }
heads(A) ::= heads(A) TEXT(T) effect(E) THEN. { pattern_line(p, A, T, E); }
marks ::= .
marks ::= marks TEARS(F) numbers(L) any(Y). { mark_numbers(p, &p->pattern->tears, F, L, Y); }
marks ::= marks ALIGNED(F) numbers(L). { mark_numbers(p, &p->pattern->aligned, F, L, false); }
marks ::= marks SLOT(F). { mark_slot(p, F); }
marks ::= marks POOL(F) TEXT(T). { mark_pool(p, F, T); }
marks ::= marks FOR(F) NAME(N). { mark_only(p, F, N); }
any(A) ::= . { A = false; }
any(A) ::= ANY. { A = true; }
numbers(A) ::= NUM(N). { A = number_add(p, (struct number_list){ 0 }, N); }
numbers(A) ::= numbers(A) COMMA NUM(N). { A = number_add(p, A, N); }

effect(A) ::= eacts(L). { A = effect_new(p, NULL, L, L.start); }
effect(A) ::= WHILE(F) cond(C) LB eacts(L) RB. { A = effect_new(p, C, L, F.place); }
eacts(A) ::= eact(X). { A = (struct acts){ 0 }; acts_add(p, &A, X); }
eacts(A) ::= eacts(A) SEMI eact(X). { acts_add(p, &A, X); }
eact(A) ::= act(A).
eact(A) ::= NEED(F) cond(C). { A = act_need(p, F, C); }
eact(A) ::= CLOBBER(F) TEXT(T). { A = act_clobber(p, F, T); }
eact(A) ::= RETURN(F). { A = act_plain(p, ACT_RETURN, F); }
eact(A) ::= NOTHING. { A = NULL; }

/* Actions: the notation that specs and templates share. */
act(A) ::= place(P) ASSIGN expr(E). { A = act_set(p, P, E); }
act(A) ::= place(P) ADDTO expr(E). { A = act_update(p, P, EX_ADD, E); }
act(A) ::= place(P) SUBFROM expr(E). { A = act_update(p, P, EX_SUB, E); }
act(A) ::= IF(F) cond(C) GOTO NAME(N). { A = act_goto(p, F, C, N, false); }
act(A) ::= IF(F) cond(C) JUMP NAME(N). { A = act_goto(p, F, C, N, true); }
act(A) ::= GOTO(F) NAME(N). { A = act_goto(p, F, NULL, N, false); }
act(A) ::= CALL(F) NAME(N). { A = act_name(p, ACT_CALL, F, N); }
act(A) ::= HINT(F) mem(M). { A = act_hint(p, F, M); }
act(A) ::= FENCE(F). { A = act_plain(p, ACT_FENCE, F); }
place(A) ::= NAME(N). { A = expr_name(p, N); }
place(A) ::= NAME(N) LK expr(I) RK. { A = expr_index(p, N, I); }
place(A) ::= TEXT(T). { A = expr_text(p, T); }
place(A) ::= mem(A).
mem(A) ::= MEM(M) address(X). { A = expr_mem(p, M, (struct deep){ 0 }, (struct token){ 0 }, X); }
mem(A) ::= MEM(M) LP expr(L) RP u(U) address(X). { A = expr_mem(p, M, L, U, X); }
address(A) ::= LK expr(E) RK. { A = (struct address){ .at = E }; }
address(A) ::= LK NAME(S) COLON expr(E) RK. { A = (struct address){ S, E }; }
u(A) ::= . { A = (struct token){ 0 }; }
u(A) ::= NAME(A).

cond(A) ::= expr(X) relop(R) expr(Y). [EQ] { A = cond_new(p, R, X, Y); }
cond(A) ::= expr(X) RELVAR(R) expr(Y). { A = cond_named(p, R, X, Y); }
cond(A) ::= FEATURE NAME(N). { A = cond_feature(p, N); }
cond(A) ::= NOT cond(C). { A = cond_not(C); }
expr(A) ::= NUM(N). { A = expr_number(p, N); }
expr(A) ::= place(A).
expr(A) ::= NAME(N) LP exprs(L) RP. { A = expr_call(p, N, L); }
expr(A) ::= LP expr(E) RP. { A = E; }
expr(A) ::= MINUS(F) expr(E). [NOT] { A = expr_one(p, EX_NEG, F, E); }
expr(A) ::= TILDE(F) expr(E). { A = expr_one(p, EX_NOT, F, E); }
expr(A) ::= expr(X) PLUS expr(Y). { A = expr_two(p, EX_ADD, X, Y); }
expr(A) ::= expr(X) MINUS expr(Y). { A = expr_two(p, EX_SUB, X, Y); }
expr(A) ::= expr(X) STAR expr(Y). { A = expr_two(p, EX_MUL, X, Y); }
expr(A) ::= expr(X) SLASH expr(Y). { A = expr_two(p, EX_DIV, X, Y); }
expr(A) ::= expr(X) PERCENT expr(Y). { A = expr_two(p, EX_MOD, X, Y); }
expr(A) ::= expr(X) AMP expr(Y). { A = expr_two(p, EX_AND, X, Y); }
expr(A) ::= expr(X) BAR expr(Y). { A = expr_two(p, EX_OR, X, Y); }
expr(A) ::= expr(X) CARET expr(Y). { A = expr_two(p, EX_XOR, X, Y); }
expr(A) ::= expr(X) SHL expr(Y). { A = expr_two(p, EX_SHL, X, Y); }
expr(A) ::= expr(X) SHR expr(Y). { A = expr_two(p, EX_SHR, X, Y); }
exprs(A) ::= expr(E). { A = (struct exprs){ 0 }; PUSH(p, A.v, A.n, E); }
exprs(A) ::= exprs(A) COMMA expr(E). { PUSH(p, A.v, A.n, E); }
args(A) ::= . { A = (struct exprs){ 0 }; }
args(A) ::= exprs(A).

/* Targets. */
target(A) ::= TARGET(F) NAME(N) from(O) LB titems(B) RB. {
	A = NEW(p, struct spec_target);
	*A = (struct spec_target){ name_at(p, N), { 0 }, name_at(p, O), *B, place_to_here(p, F.place) };
}
from(A) ::= . { A = (struct token){ 0 }; }
from(A) ::= FROM NAME(N). { A = N; }
titems(A) ::= . { A = NEW(p, struct spec_body); }
titems(A) ::= titems(A) error SYNC.
titems(A) ::= titems(A) tfact(F). { PUSH(p, A->facts, A->nfacts, *F); }
titems(A) ::= titems(A) mfact(F). { PUSH(p, A->facts, A->nfacts, *F); }
titems(A) ::= titems(A) abi(F). { PUSH(p, A->facts, A->nfacts, *F); }
titems(A) ::= titems(A) class(X). { PUSH(p, A->classes, A->nclasses, *X); }
titems(A) ::= titems(A) state(X). { PUSH(p, A->states, A->nstates, *X); }
titems(A) ::= titems(A) insn(X). { PUSH(p, A->patterns, A->npatterns, *X); }
titems(A) ::= titems(A) TUNE LB tunes(X) RB. { tunes_add(p, A, X); }
titems(A) ::= titems(A) FEATURE(F) NAME(N) NAME(W). {
	PUSH(p, A->features, A->nfeatures, *feature_new(p, F, N, word_index(p, W, "feature", words_feature)));
}
titems(A) ::= titems(A) NAMED(F) TEXT(T). { symbol_add(p, A, F, (struct token){ 0 }, T); }
titems(A) ::= titems(A) NAMED(F) NAME(N) TEXT(T). { symbol_add(p, A, F, N, T); }
titems(A) ::= titems(A) HOOK(F) NAME(N) TEXT(T) destroys(C). { hook_text_add(p, A, F, N, T, C); }
destroys(A) ::= . { A = (struct text_at){ .text = NULL }; }
destroys(A) ::= CLOBBER TEXT(C). { A = text_at(p, C); }
tfact(A) ::= USER(F) BY NAME(W). { A = fact_word(p, FACT_USER, F, W, words_user); }
tfact(A) ::= USER(F) BY ANY. { A = fact_new(p, FACT_USER, F); }
tfact(A) ::= USER(F) BY USER. { A = fact_new(p, FACT_USER, F); A->value = 1; }
tfact(A) ::= SIDES(F) TEXT(X) TEXT(Y). {
	A = fact_text(p, FACT_SIDES, F, X);
	PUSH(p, A->texts.v, A->texts.n, text_at(p, Y));
}
tfact(A) ::= FILE(F) BEGIN texts(X) END texts(Y). { A = fact_texts(p, FACT_FILE, F, X, Y); }
tfact(A) ::= FUNCTION(F) BEGIN texts(X) END texts(Y). { A = fact_texts(p, FACT_FUNCTION, F, X, Y); }
tfact(A) ::= FIXUPS(F) texts(X) END texts(Y). { A = fact_texts(p, FACT_FIXUPS, F, X, Y); }
tfact(A) ::= LABEL(F) TEXT(T). { A = fact_text(p, FACT_LABEL, F, T); }
tfact(A) ::= WIDTH(F) TEXT(T). { A = fact_text(p, FACT_DIRECTIVE, F, T); }
tfact(A) ::= ENTRY(F) texts(X). { A = fact_texts(p, FACT_ENTRY, F, X, (struct text_list){ 0 }); }
tfact(A) ::= LOOP(F) texts(X). { A = fact_texts(p, FACT_LOOP, F, X, (struct text_list){ 0 }); }
tfact(A) ::= REACH(F) NUM(N). { A = fact_number(p, FACT_REACH, F, N); }
tfact(A) ::= RETRY(F) NAME(W). { A = fact_word(p, FACT_RETRY, F, W, words_retry); }
tfact(A) ::= EMIT(F) name1(L). { A = fact_new(p, FACT_EMIT, F); A->names = L; }
texts(A) ::= TEXT(T). { A = (struct text_list){ 0 }; PUSH(p, A.v, A.n, text_at(p, T)); }
texts(A) ::= LB textlist(L) RB. { A = L; }
textlist(A) ::= . { A = (struct text_list){ 0 }; }
textlist(A) ::= textlist(A) TEXT(T). { PUSH(p, A.v, A.n, text_at(p, T)); }

/* Templates. */
names(A) ::= . { A = (struct name_list){ 0 }; }
names(A) ::= name1(A).
name1(A) ::= NAME(N). { A = (struct name_list){ 0 }; PUSH(p, A.v, A.n, name_at(p, N)); }
name1(A) ::= name1(A) COMMA NAME(N). { PUSH(p, A.v, A.n, name_at(p, N)); }
withs(A) ::= . { A = (struct withs){ 0 }; }
withs(A) ::= WITH withlist(L). { A = L; }
withlist(A) ::= NAME(N) what_of(W). { A = (struct withs){ 0 }; with_add(p, &A, N, W); }
withlist(A) ::= withlist(A) COMMA NAME(N) what_of(W). { with_add(p, &A, N, W); }
what_of(A) ::= . { A = (struct token){ 0 }; }
what_of(A) ::= NAME(A).
body(A) ::= LB stmts(L) RB. { A = L; }
stmts(A) ::= . { A = (struct body){ 0 }; }
stmts(A) ::= stmts(A) error SYNC.
stmts(A) ::= stmts(A) stmt(X). { PUSH(p, A.v, A.n, X); }
stmt(A) ::= group(L). { A = stmt_new(p, STMT_GROUP, L.start); A->acts = L.v; A->nacts = L.n; }
stmt(A) ::= WHILE(F) cond(C) LB acts(L) RB. {
	A = stmt_new(p, STMT_WHILE, F.place);
	A->cond = C;
	A->acts = L.v;
	A->nacts = L.n;
}
stmt(A) ::= NAME(N) COLON. { A = stmt_named(p, STMT_LABEL, N, N); }
stmt(A) ::= RESUME(F) NAME(N) LP rargs(L) RP. {
	A = stmt_named(p, STMT_RESUME, F, N);
	A->args = L.v;
	A->nargs = L.n;
}
stmt(A) ::= TEMP(F) temps(L). { A = stmt_new(p, STMT_TEMP, F.place); A->temps = L.v; A->ntemps = L.n; }
stmt(A) ::= CONST(F) NAME(N) ASSIGN expr(E). { A = stmt_named(p, STMT_CONST, F, N); A->value = E.e; }
stmt(A) ::= CONST(F) NAME(N) WHEN test(T). { A = stmt_named(p, STMT_CONST, F, N); A->test = T; }
stmt(A) ::= FOR(F) NAME(N) IN expr(X) DOTDOT expr(Y) step(Z) body(B). {
	A = stmt_named(p, STMT_FOR, F, N);
	A->from = X.e;
	A->to = Y.e;
	A->by = Z.e;
	A->body = B;
}
stmt(A) ::= WHEN(F) test(T) body(B) whens(O). { A = stmt_when(p, F, T, B, O); }
stmt(A) ::= TRY(F) body(B) elses(O). { A = stmt_block(p, STMT_TRY, F, B, O); }
stmt(A) ::= WEAVE(F) body(B) body(O). { A = stmt_block(p, STMT_WEAVE, F, B, (struct tail){ true, O }); }
stmt(A) ::= SAVING(F) body(B). { A = stmt_block(p, STMT_SAVING, F, B, (struct tail){ 0 }); }
stmt(A) ::= STATES(F) body(B). { A = stmt_block(p, STMT_STATES, F, B, (struct tail){ 0 }); }
stmt(A) ::= NAME(N) LP args(L) RP. { A = stmt_named(p, STMT_EXPAND, N, N); stmt_values(p, A, L); }
stmt(A) ::= CALL(F) NAME(N) LP args(L) RP. { A = stmt_named(p, STMT_CALL, F, N); stmt_values(p, A, L); }
stmt(A) ::= place(P) ASSIGN CALL NAME(N) LP args(L) RP. {
	A = stmt_named(p, STMT_CALL, (struct token){ .place = P.e->place }, N);
	A->value = P.e;
	stmt_values(p, A, L);
}
stmt(A) ::= RETURN(F) expr(E). { A = stmt_new(p, STMT_RETURN, F.place); A->value = E.e; }
stmt(A) ::= JUMP(F) NAME(N). { A = stmt_named(p, STMT_JUMP, F, N); }
stmt(A) ::= ALIGN(F). { A = stmt_new(p, STMT_ALIGN, F.place); }
stmt(A) ::= FAIL(F) TEXT(T). { A = stmt_new(p, STMT_FAIL, F.place); A->name = text_at(p, T).text; }
step(A) ::= . { A = (struct deep){ 0 }; }
step(A) ::= STEP expr(E). { A = E; }
group(A) ::= act(X). { A = (struct acts){ 0 }; acts_add(p, &A, X); }
group(A) ::= group(A) COMMA act(X). { acts_add(p, &A, X); }
acts(A) ::= act(X). { A = (struct acts){ 0 }; acts_add(p, &A, X); }
acts(A) ::= acts(A) SEMI act(X). { acts_add(p, &A, X); }
whens(A) ::= . { A = (struct tail){ 0 }; }
whens(A) ::= ELSE body(B). { A = (struct tail){ true, B }; }
whens(A) ::= ELSE WHEN(F) test(T) body(B) whens(O). { A = (struct tail){ true, body_of(p, stmt_when(p, F, T, B, O)) }; }
elses(A) ::= . { A = (struct tail){ 0 }; }
elses(A) ::= ELSE body(B). { A = (struct tail){ true, B }; }
elses(A) ::= ELSE TRY(F) body(B) elses(O). { A = (struct tail){ true, body_of(p, stmt_block(p, STMT_TRY, F, B, O)) }; }
rargs(A) ::= . { A = (struct resume_args){ 0 }; }
rargs(A) ::= rarg1(A).
rarg1(A) ::= rarg(X). { A = (struct resume_args){ 0 }; PUSH(p, A.v, A.n, X); }
rarg1(A) ::= rarg1(A) COMMA rarg(X). { PUSH(p, A.v, A.n, X); }
rarg(A) ::= NAME(N). { A.param = A.var = token_string(p, N); A.place = N.place; }
rarg(A) ::= NAME(N) ASSIGN NAME(V). {
	A.param = token_string(p, N);
	A.var = token_string(p, V);
	A.place = place_to_here(p, N.place);
}
temps(A) ::= NAME(N) count(C) class_of(K). { A = (struct temps){ 0 }; temp_add(p, &A, N, C, K); }
temps(A) ::= temps(A) COMMA NAME(N) count(C) class_of(K). { temp_add(p, &A, N, C, K); }
count(A) ::= . { A = (struct deep){ 0 }; }
count(A) ::= LK expr(E) RK. { A = E; }
class_of(A) ::= . { A = (struct token){ 0 }; }
class_of(A) ::= COLON NAME(N). { A = N; }
test(A) ::= NAME(N). { A = test_new(p, TEST_NAME, N.place, NULL, NULL); A->name = token_string(p, N); }
test(A) ::= NOT(F) test(X). { A = test_new(p, TEST_NOT, F.place, X, NULL); }
test(A) ::= test(X) AND test(Y). { A = test_new(p, TEST_AND, X->place, X, Y); }
test(A) ::= test(X) OR test(Y). { A = test_new(p, TEST_OR, X->place, X, Y); }
test(A) ::= expr(X) relop(R) expr(Y). [EQ] {
	A = test_new(p, TEST_COMPARE, X.e->place, NULL, NULL);
	A->compare = cond_new(p, R, X, Y);
}
test(A) ::= CAN(F) LP acts(L) RP. {
	A = test_new(p, TEST_CAN, F.place, NULL, NULL);
	A->acts = L.v;
	A->nacts = L.n;
}
