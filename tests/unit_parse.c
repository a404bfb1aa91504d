/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Scanner and parser: tokens and the shape of trees. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "grammar.h"
#include "parse.h"
#include "token.h"

static void *ctx;
static struct diag *diag;

static int setup(void **state)
{
	(void)state;
	ctx = talloc_new(NULL);
	diag = diag_new(ctx, 0);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	talloc_free(ctx);
	return 0;
}

/* What diag_flush prints. */
static char *said(void)
{
	char *text = NULL, *copy;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	diag_flush(diag, f, false, false);
	fclose(f);
	copy = talloc_strdup(ctx, text);
	free(text);
	return copy;
}

static struct tree *parse(const char *text)
{
	struct tree *t = parse_text(ctx, diag, "t", text, strlen(text));

	if (diag_errors(diag))
		fputs(said(), stderr);
	assert_int_equal(diag_errors(diag), 0);
	assert_non_null(t);
	return t;
}

/* A tree of operators as (op kids), to compare shapes. */
static char *shape(const struct expr *e)
{
	static const char *const names[] = {
		[EX_NEG] = "neg", [EX_NOT] = "~", [EX_ADD] = "+", [EX_SUB] = "-", [EX_MUL] = "*", [EX_DIV] = "/", [EX_MOD] = "%",
		[EX_AND] = "&", [EX_OR] = "|", [EX_XOR] = "^", [EX_SHL] = "<<", [EX_SHR] = ">>", [EX_MIN] = "min",
		[EX_MAX] = "max", [EX_POW2] = "pow2", [EX_FUNNEL] = "funnel", [EX_SX] = "sx", [EX_REP] = "rep",
		[EX_FEATURE] = "feature",
	};
	char *r;

	switch (e->op) {
	case EX_CONST:
		return talloc_asprintf(ctx, "%llu", (unsigned long long)e->value);
	case EX_NAME:
		return talloc_strdup(ctx, e->name);
	case EX_TEXT:
		return talloc_asprintf(ctx, "`%s`", e->name);
	case EX_INDEX:
		return talloc_asprintf(ctx, "%s[%s]", e->name, shape(e->kid[0]));
	case EX_LENGTH:
		return talloc_asprintf(ctx, "len %s", e->name);
	case EX_FAMILY:
		return talloc_asprintf(ctx, "%llu,%s", (unsigned long long)e->value, e->kid[0] ? shape(e->kid[0]) : "");
	case EX_MEM:
		return talloc_asprintf(ctx, "%c(%s)%s[%s%s%s]", (char)e->letter, e->kid[1] ? shape(e->kid[1]) : "",
				       e->any_address ? "u" : "", e->kid[2] ? shape(e->kid[2]) : "", e->kid[2] ? ": " : "",
				       shape(e->kid[0]));
	default:
		r = talloc_asprintf(ctx, "(%s", names[e->op]);
		if (e->op == EX_FEATURE)
			r = talloc_asprintf_append(r, " %s", e->name);
		for (int i = 0; i < 3 && e->kid[i]; i++)
			r = talloc_asprintf_append(r, " %s", shape(e->kid[i]));
		return talloc_asprintf_append(r, ")");
	}
}

static char *cond_shape(const struct cond *c)
{
	static const char *const names[REL_COUNT] = { "==", "!=", "<", "<=", ">", ">=", "<s", "<=s", ">s", ">=s" };

	return talloc_asprintf(ctx, "%s%s %s%s %s", c->negated ? "not " : "", shape(c->lhs), c->relname ? "?" : "",
			       c->relname ? c->relname : names[c->rel], shape(c->rhs));
}

static char *act_shape(const struct action *a)
{
	switch (a->kind) {
	case ACT_SET:
	case ACT_STORE:
		return talloc_asprintf(ctx, "%s %s = %s", a->kind == ACT_SET ? "set" : "store", shape(a->target), shape(a->value));
	case ACT_GOTO:
		return talloc_asprintf(ctx, "%s %s if %s", a->jump ? "jump" : "goto", a->name, a->cond ? cond_shape(a->cond) : "-");
	case ACT_CALL:
		return talloc_asprintf(ctx, "call %s", a->name);
	case ACT_HINT:
		return talloc_asprintf(ctx, "hint %s", shape(a->target));
	case ACT_NEED:
		return talloc_asprintf(ctx, "need %s", cond_shape(a->cond));
	case ACT_CLOBBER:
		return talloc_asprintf(ctx, "clobber %s", shape(a->value));
	case ACT_RETURN:
		return talloc_strdup(ctx, "return");
	case ACT_FENCE:
		return talloc_strdup(ctx, "fence");
	default:
		return talloc_strdup(ctx, "?");
	}
}

static char *step_shape(const struct step *s)
{
	char *r = s->loop ? talloc_asprintf(ctx, "while %s: ", cond_shape(s->loop)) : talloc_strdup(ctx, "");

	for (size_t i = 0; i < s->nacts; i++)
		r = talloc_asprintf_append(r, "%s%s", i ? "; " : "", act_shape(&s->acts[i]));
	return r;
}

static void check_effect(const char *effect, const char *want)
{
	struct tree *t = parse(talloc_asprintf(ctx, "machine m { `x` %s }", effect));

	assert_int_equal(t->machines[0]->body.npatterns, 1);
	assert_string_equal(step_shape(&t->machines[0]->body.patterns[0].lines[0].step), want);
}

static void test_tokens(void **state)
{
	static const struct { int kind; const char *text; } all[] = {
#define KEYWORD(id, text, ...) { T_##id, text },
#define NONE(...)
		TOKENS(KEYWORD, KEYWORD, NONE)
#undef KEYWORD
#undef NONE
		{ T_NAME, "machines" }, { T_NAME, "_a1" }, { T_NUM, "0x1F" }, { T_NUM, "4K" }, { T_TEXT, "`a {b}`" },
		{ T_RELVAR, "?cc" }, { 0, "" }, { 0, " # nothing" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		char *text = talloc_asprintf(ctx, "%s ", all[i].text);
		struct source source = { "t", text, (uint32_t)strlen(text) };
		struct scanner s = { &source, text, text, text + source.size, 0, diag };
		struct token t;

		assert_int_equal(scan(&s, &t), all[i].kind);
		assert_non_null(token_name(all[i].kind));
		if (all[i].kind) {
			assert_int_equal(t.place.start, 0);
			assert_int_equal(t.place.end, strlen(all[i].text));
			assert_true(t.first);
			assert_int_equal(scan(&s, &t), 0);
		}
	}
	assert_int_equal(diag_errors(diag), 0);
}

static void test_numbers(void **state)
{
	static const struct { const char *text; uint64_t value; } all[] = {
		{ "0", 0 }, { "18446744073709551615", UINT64_MAX }, { "0xffffffffffffffff", UINT64_MAX }, { "4K", 4096 },
		{ "2M", 2 << 20 }, { "0xfK1", 0 }, { "0xAb", 171 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		char *text = talloc_asprintf(ctx, "machine m { tune { t %s } }", all[i].text);
		struct tree *t = parse_text(ctx, diag, "t", text, strlen(text));

		assert_int_equal(t->machines[0]->body.tunes[0].value, all[i].value);
	}
	assert_int_equal(diag_errors(diag), 1);
}

static void test_expressions(void **state)
{
	(void)state;
	check_effect("a = b + c * 4 - 1", "set a = (- (+ b (* c 4)) 1)");
	check_effect("a = b & 1 << c | d ^ e", "set a = (| (& b (<< 1 c)) (^ d e))");
	check_effect("a = ~-b & -1 << 8 * (p % 8)", "set a = (& (~ (neg b)) (<< (neg 1) (* 8 (% p 8))))");
	check_effect("a = b << (64 - 8 * (p / 8)) % 64", "set a = (<< b (% (- 64 (* 8 (/ p 8))) 64))");
	check_effect("if a & 1 == 0 goto L", "goto L if (& a 1) == 0");
	check_effect("if not a < b goto L", "goto L if a >= b");
	check_effect("if not not a <s b jump r", "jump r if a <s b");
	check_effect("if a <src goto L", "goto L if a < src");
	check_effect("if a ?cc 4 goto L", "goto L if a ?cc 4");
	check_effect("if not a ?cc b goto L", "goto L if not a ?cc b");
	check_effect("if not feature f goto L", "goto L if (feature f) == 0");
	check_effect("a[k] = M4[p + 4 * k]; p += 4 * len(a)",
		     "set a[k] = M(4)[(+ p (* 4 k))]; set p = (+ p (* 4 len a))");
	check_effect("M(4 - p % 4)[s: p] -= a >> 8", "store M((- 4 (% p 4)))[s: p] = (- M((- 4 (% p 4)))[s: p] (>> a 8))");
	check_effect("a = M8,4,2,1u[p]", "set a = M(8,4,2,1,)u[p]");
	check_effect("a = N[p]; hint U1[q]; fence", "set a = N()[p]; hint U(1)[q]; fence");
	check_effect("a = funnel(b, c, `r`); `r` = sx(rep(a), 4)", "set a = (funnel b c `r`); set `r` = (sx (rep a) 4)");
	check_effect("while `c` != 0 { M1[`d`] = M1[`s`]; `c` -= 1 }",
		     "while `c` != 0: store M(1)[`d`] = M(1)[`s`]; set `c` = (- `c` 1)");
	check_effect("call f; clobber `a b`; need x == on; return", "call f; clobber `a b`; need x == on; return");
	check_effect("nothing", "");
	check_effect("width = block", "set width = block");
}

static void test_patterns(void **state)
{
	struct tree *t = parse("machine m {\n"
			       "  `a {x}` then `b {x:w}` x = y then `c` nothing as x = M4u[y] tears 8,4 any aligned 2 slot pool `p` for v\n"
			       "  `plain` return\n"
			       "  register width 8\n"
			       "}\n");
	const struct spec_body *b = &t->machines[0]->body;
	const struct spec_pattern *p = &b->patterns[0];
	const struct source *s = p->place.source;

	(void)state;
	assert_int_equal(b->npatterns, 2);
	assert_int_equal(b->nfacts, 1);
	assert_int_equal(p->nlines, 3);
	assert_false(p->lines[0].has_effect);
	assert_true(p->lines[1].has_effect);
	assert_true(p->lines[2].has_effect);
	assert_int_equal(p->lines[2].step.nacts, 0);
	assert_string_equal(p->lines[1].text.text, "b {x:w}");
	assert_memory_equal(s->text + p->lines[1].text.place.start, "b {x:w}`", 8);
	assert_int_equal(p->lines[1].text.place.end - p->lines[1].text.place.start, 7);
	assert_true(p->has_as);
	assert_string_equal(step_shape(&p->as), "set x = M(4)u[y]");
	assert_int_equal(p->tears.n, 2);
	assert_int_equal(p->tears.v[1], 4);
	assert_true(p->tears_any);
	assert_int_equal(p->aligned.n, 1);
	assert_true(p->slot);
	assert_string_equal(p->pool.text, "p");
	assert_string_equal(p->only.name, "v");
	assert_false(b->patterns[1].has_as);
	assert_int_equal(b->patterns[1].tears.n, 0);
	assert_null(b->patterns[1].pool.text);
	assert_memory_equal(s->text + p->place.start, "`a {x}`", 7);
}

static const struct spec_fact *fact(const struct spec_body *b, enum fact_kind kind)
{
	for (size_t i = 0; i < b->nfacts; i++)
		if (b->facts[i].kind == kind)
			return &b->facts[i];
	fail_msg("there is no fact '%s'", fact_names[kind]);
	return NULL;
}

static void test_machine(void **state)
{
	struct tree *t = parse("machine m { register width 8  block instruction `l` `s` 2 registers\n"
			       "pointer update each  fixup both  fault granularity byte  fault granule 4K  byte order big\n"
			       "access aligned  delay 1 fill `n` fault never  args `a b`  result `a` free `c` saved `d` keep `e` zero `z`\n"
			       "enter { `x` `y` } leave `z`  stack enter { } leave { `q` } saved `s`\n"
			       "class r 8 `a..z`  view w of r `- b`  range i = -8..8/4 | ones 3 | 7\n"
			       "relation cc { < `lo` >=s `ge` }  state fpu { off, on }  feature f  tune { block 64  byte 1 }\n"
			       "variant v { access mixed  drop `l`  target plain { user by user } } }\n");
	const struct spec_body *b = &t->machines[0]->body;

	(void)state;
	assert_string_equal(t->machines[0]->name.name, "m");
	assert_int_equal(fact(b, FACT_WIDTH)->number, 8);
	assert_int_equal(fact(b, FACT_BLOCK)->number, 2);
	assert_string_equal(fact(b, FACT_BLOCK)->texts.v[1].text, "s");
	assert_int_equal(fact(b, FACT_UPDATE)->value, UPDATE_EACH);
	assert_int_equal(fact(b, FACT_FIXUP)->value, FIXUP_BOTH);
	assert_int_equal(fact(b, FACT_GRANULARITY)->number, 1);
	assert_int_equal(fact(b, FACT_GRANULE)->number, 4096);
	assert_int_equal(fact(b, FACT_ORDER)->value, BIG);
	assert_int_equal(fact(b, FACT_ACCESS)->value, ACCESS_ALIGNED);
	assert_int_equal(fact(b, FACT_DELAY)->value, SLOT_NEVER);
	assert_string_equal(fact(b, FACT_ZERO)->texts.v[0].text, "z");
	assert_int_equal(fact(b, FACT_ENTER)->texts.n, 2);
	assert_string_equal(fact(b, FACT_ENTER)->ends.v[0].text, "z");
	assert_int_equal(fact(b, FACT_STACK)->texts.n, 0);
	assert_string_equal(fact(b, FACT_STACK)->saved.text, "s");
	assert_string_equal(b->views[0].of.name, "r");
	assert_int_equal(b->ranges[0].ranges.n, 3);
	assert_int_equal(b->ranges[0].ranges.v[0].lo, -8);
	assert_int_equal(b->ranges[0].ranges.v[0].step, 4);
	assert_int_equal(b->ranges[0].ranges.v[1].kind, RANGE_ONES);
	assert_int_equal(b->ranges[0].ranges.v[2].hi, 7);
	assert_string_equal(b->relations[0].text[REL_SGE].text, "ge");
	assert_null(b->relations[0].text[REL_EQ].text);
	assert_string_equal(b->states[0].values.v[1].name, "on");
	assert_string_equal(b->tunes[1].name.name, "byte");
	assert_int_equal(b->variants[0]->body.ntargets, 1);
	assert_string_equal(b->variants[0]->body.drops[0].text, "l");
	for (int k = 0; k < FACT_COUNT; k++)
		assert_non_null(fact_names[k]);
}

static void test_targets(void **state)
{
	struct tree *t = parse("target gnu { named `u_{r}` named f `g` label `.L` width `.w` sides `a` `b` retry no reach 32767\n"
			       "file begin { `x` } end { } function begin `y` end `z` entry { `e` `f` } fixups { } end { } loop `a`\n"
			       "feature q variant hook h `h` clobber `r` emit a, b user by any  `ret` return }\n"
			       "target k of m from gnu { }\n"
			       "hook pin(address, n) { hold address }\nhook unpin() { release }\n");
	const struct spec_body *b = &t->targets[0]->body;

	(void)state;
	assert_int_equal(t->ntargets, 2);
	assert_null(t->targets[0]->of.name);
	assert_string_equal(t->targets[1]->of.name, "m");
	assert_string_equal(t->targets[1]->from.name, "gnu");
	assert_null(b->symbols[0].routine.name);
	assert_string_equal(b->symbols[1].routine.name, "f");
	assert_string_equal(fact(b, FACT_SIDES)->texts.v[1].text, "b");
	assert_int_equal(fact(b, FACT_RETRY)->value, 0);
	assert_int_equal(fact(b, FACT_USER)->value, 0);
	assert_int_equal(fact(b, FACT_REACH)->number, 32767);
	assert_string_equal(fact(b, FACT_FUNCTION)->ends.v[0].text, "z");
	assert_int_equal(fact(b, FACT_ENTRY)->texts.n, 2);
	assert_string_equal(fact(b, FACT_LOOP)->texts.v[0].text, "a");
	assert_string_equal(fact(b, FACT_EMIT)->names.v[1].name, "b");
	assert_int_equal(b->features[0].value, FEATURE_VARIANT);
	assert_string_equal(b->hooks[0].clobber.text, "r");
	assert_int_equal(b->npatterns, 1);
	assert_int_equal(t->templates.nhooks, 2);
	assert_int_equal(t->templates.hooks[0].nparams, 2);
	assert_int_equal(t->templates.hooks[0].kind, HOOK_HOLD);
	assert_string_equal(t->templates.hooks[0].held, "address");
	assert_int_equal(t->templates.hooks[1].kind, HOOK_RELEASE);
}

static const struct body *only_body(const char *text)
{
	struct tree *t = parse(talloc_asprintf(ctx, "macro m(a) { %s }", text));

	assert_int_equal(t->templates.nmacros, 1);
	return &t->templates.macros[0]->body;
}

static void test_statements(void **state)
{
	const struct body *b = only_body("resume out(dst = d, n) temp t, x[w / 4] : wide const c = pow2(min(8, regs))\n"
					 "next: n -= 1, if n != 1 goto next while c != 0 { D1[d] = S1[s]; c -= 1 }\n"
					 "for k in 0 .. w step u { t = S(u)u[s + k] } step1(t, 4) r = call f(a) call g() return 0 - n\n"
					 "jump copy align fail `no` saving { } weave { fence } { goto next }");
	static const enum stmt_kind kinds[] = {
		STMT_RESUME, STMT_TEMP, STMT_CONST, STMT_LABEL, STMT_GROUP, STMT_WHILE, STMT_FOR, STMT_EXPAND, STMT_CALL, STMT_CALL,
		STMT_RETURN, STMT_JUMP, STMT_ALIGN, STMT_FAIL, STMT_SAVING, STMT_WEAVE,
	};

	(void)state;
	assert_int_equal(b->n, sizeof(kinds) / sizeof(*kinds));
	for (size_t i = 0; i < b->n; i++)
		assert_int_equal(b->v[i]->kind, kinds[i]);
	assert_string_equal(b->v[0]->args[0].var, "d");
	assert_string_equal(b->v[0]->args[1].param, "n");
	assert_string_equal(b->v[0]->args[1].var, "n");
	assert_null(b->v[1]->temps[0].count);
	assert_string_equal(shape(b->v[1]->temps[1].count), "(/ w 4)");
	assert_string_equal(b->v[1]->temps[1].reg_class, "wide");
	assert_string_equal(shape(b->v[2]->value), "(pow2 (min 8 regs))");
	assert_int_equal(b->v[4]->nacts, 2);
	assert_string_equal(act_shape(&b->v[4]->acts[1]), "goto next if n != 1");
	assert_string_equal(cond_shape(b->v[5]->cond), "c != 0");
	assert_string_equal(shape(b->v[6]->by), "u");
	assert_string_equal(act_shape(&b->v[6]->body.v[0]->acts[0]), "set t = S(u)u[(+ s k)]");
	assert_string_equal(shape(b->v[7]->values[1]), "4");
	assert_string_equal(shape(b->v[8]->value), "r");
	assert_string_equal(b->v[8]->name, "f");
	assert_null(b->v[9]->value);
	assert_string_equal(b->v[13]->name, "no");
	assert_true(b->v[15]->has_other);
	assert_int_equal(b->v[15]->other.n, 1);
}

static char *test_shape(const struct test *t)
{
	switch (t->op) {
	case TEST_NAME:
		return talloc_strdup(ctx, t->name);
	case TEST_NOT:
		return talloc_asprintf(ctx, "(not %s)", test_shape(t->kid[0]));
	case TEST_AND:
	case TEST_OR:
		return talloc_asprintf(ctx, "(%s %s %s)", t->op == TEST_AND ? "and" : "or", test_shape(t->kid[0]),
				       test_shape(t->kid[1]));
	case TEST_COMPARE:
		return cond_shape(t->compare);
	default:
		return talloc_asprintf(ctx, "can %s", step_shape(&(struct step){ NULL, t->acts, t->nacts }));
	}
}

static void test_choices(void **state)
{
	const struct body *b = only_body("when a and not b or c { fence } else { }\n"
					 "when not n + 1 < 4 and can(a = b; c = d) { }\n"
					 "try { } else try { fence } else { goto x }\n"
					 "try { fail `x` }");

	(void)state;
	assert_string_equal(test_shape(b->v[0]->test), "(or (and a (not b)) c)");
	assert_true(b->v[0]->has_other);
	assert_string_equal(test_shape(b->v[1]->test), "(and (not (+ n 1) < 4) can set a = b; set c = d)");
	assert_false(b->v[1]->has_other);
	assert_int_equal(b->v[2]->kind, STMT_TRY);
	assert_int_equal(b->v[2]->other.n, 1);
	assert_int_equal(b->v[2]->other.v[0]->kind, STMT_TRY);
	assert_int_equal(b->v[2]->other.v[0]->body.n, 1);
	assert_true(b->v[2]->other.v[0]->has_other);
	assert_false(b->v[3]->has_other);
}

static void test_routines(void **state)
{
	struct tree *t = parse("routine copy(dst, src, n) { return n }\n"
			       "routine a = copy\nroutine b = copy with src user, zeroing\nhook h() { nothing }");

	(void)state;
	assert_int_equal(t->templates.nroutines, 3);
	assert_int_equal(t->templates.routines[0]->nparams, 3);
	assert_null(t->templates.routines[0]->base);
	assert_int_equal(t->templates.routines[1]->nwiths, 0);
	assert_string_equal(t->templates.routines[2]->base, "copy");
	assert_int_equal(t->templates.routines[2]->nwiths, 2);
	assert_string_equal(t->templates.routines[2]->withs[0].what, "user");
	assert_null(t->templates.routines[2]->withs[1].what);
	assert_int_equal(t->templates.nhooks, 1);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(test_tokens), TEST(test_numbers), TEST(test_expressions), TEST(test_patterns), TEST(test_machine),
		TEST(test_targets), TEST(test_statements), TEST(test_choices), TEST(test_routines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
