/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lowering: templates of a few lines on small machines made up for the purpose, and the instructions that must come out.
 * Each case says what it is about; what is compared is the bare text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <talloc.h>

#include "ir_edit.h"
#include "liveness.h"
#include "lower.h"
#include "machines.h"
#include "parse.h"
#include "resolve.h"
#include "schedule.h"
#include "text.h"

struct one {
	const char *what, *machine, *templates, *expected;	/* the last routine is the one */
};

static const struct one cases[] = {
	{ "a need with one pattern", THREE_OPERANDS, ROUTINE("temp t t = S[src + 8] D[dst] = t return n"),
	  "ld t0, 8(a1)|st t0, 0(a0)|mov a0, a2|ret|" },
	{ "constants fold, and zero is a register", THREE_OPERANDS, ROUTINE("D[dst + (2 * word - 4 * 4)] = 0 return 0"),
	  "st z, 0(a0)|mov a0, z|ret|" },
	{ "x - c is x + -c", THREE_OPERANDS, ROUTINE("n -= 100 return n"), "addi a2, a2, -100|mov a0, a2|ret|" },
	{ "a constant in a register, that of the result if it can", THREE_OPERANDS,
	  ROUTINE("temp t t = n & 1000 return t"), "li t0, 1000|and t0, a2, t0|mov a0, t0|ret|" },
	{ "a constant in a register of its own", THREE_OPERANDS, ROUTINE("n = n & 1000 return n"),
	  "li t0, 1000|and a2, a2, t0|mov a0, a2|ret|" },
	{ "a branch never taken, first of what is done at once", THREE_OPERANDS,
	  ROUTINE("if word == 4 goto out, n = src out: return n"), "mov a2, a1|.Lout_0:|mov a0, a2|ret|" },
	{ "a loop without a step", THREE_OPERANDS, ROUTINE("for k in 1 .. 3 { n += k } return n"),
	  "addi a2, a2, 1|addi a2, a2, 2|mov a0, a2|ret|" },
	{ "c - b", THREE_OPERANDS, ROUTINE("temp t t = 64 - n return t"), "li t0, 64|sub t0, t0, a2|mov a0, t0|ret|" },
	{ "two registers and a constant", THREE_OPERANDS, ROUTINE("temp t t = src + n - 8 return t"),
	  "add t0, a1, a2|addi t0, t0, -8|mov a0, t0|ret|" },
	{ "base and register", THREE_OPERANDS, ROUTINE("temp t t = S[src + n + -8] D[dst + n] = t return 0"),
	  "add t0, a1, a2|ld t0, -8(t0)|add t1, a0, a2|st t0, 0(t1)|mov a0, z|ret|" },
	{ "a test by an and", THREE_OPERANDS, ROUTINE("if n & 7 == 0 goto out n = 0 out: return n"),
	  "li t0, 7|and t0, a2, t0|beq t0, z, .Lout_0|mov a2, z|.Lout_0:|mov a0, a2|ret|" },
	{ "a relation swapped, and next to a constant", THREE_OPERANDS,
	  ROUTINE("if n > src goto out if n <= 9 goto out out: return n"),
	  "blt a1, a2, .Lout_0|li t0, 9|bge t0, a2, .Lout_0|.Lout_0:|mov a0, a2|ret|" },
	{ "a relation decided when compiled", THREE_OPERANDS,
	  ROUTINE("if 1 < 2 goto out if 1 == 2 goto out n = 0 out: return n"),
	  "jump .Lout_0|mov a2, z|.Lout_0:|mov a0, a2|ret|" },
	{ "an inverted branch", FACTS("access aligned") REGISTERS ACCESSES ALU "`beq {a}, {b}, {L}` if a == b goto L\n"
	  "`jump {L}` goto L\n`ret` return\n" TARGET("any"), ROUTINE("if n != src goto out n = 0 out: return n"),
	  "beq a2, a1, .L1|jump .Lout_0|.L1:|mov a2, z|.Lout_0:|mov a0, a2|ret|" },
	{ "a group in terms of the new value", THREE_OPERANDS,
	  ROUTINE("loop: n -= 8, if n != 8 goto loop return n"),
	  ".Lloop_0:|addi a2, a2, -8|bne a2, z, .Lloop_0|mov a0, a2|ret|" },
	{ "a group that keeps what it reads", THREE_OPERANDS,
	  ROUTINE("loop: n -= 8, if n >= src goto loop return n"),
	  ".Lloop_0:|mov t0, a2|addi a2, a2, -8|bge t0, a1, .Lloop_0|mov a0, a2|ret|" },
	{ "all at once, as the line says it", MANY, ROUTINE("D[dst] = S[src], dst += 8, src += 8, n -= 8 return n"), MOVED },
	{ "all at once, in another order", MANY, ROUTINE("n -= 8, src += 8, dst += 8, D[dst] = S[src] return n"), MOVED },
	{ "all at once, the access between", MANY, ROUTINE("src += 8, n -= 8, D[dst] = S[src], dst += 8 return n"), MOVED },
	{ "a turn, in another order", STRINGS,
	  ROUTINE("temp c : count c = n while c != 0 { c -= 1; src += 1; D1[dst] = S1[src]; dst += 1 } return c"),
	  "mov c, a2|rep|mov a0, c|ret|" },
	{ "two loads at once, the second first", PAIRS, ROUTINE("temp t[2] t[1] = S[src + 8], t[0] = S[src] return t[1]"),
	  "ldp t0, t1, 0(a1)|mov a0, t1|ret|" },
	{ "-b as 0 - b", SUMS, ROUTINE("temp t t = -n D[dst] = t return n"), "sub t0, z, a2|st t0, 0(a0)|addi a0, a2, 0|ret|" },
	{ "0 - b, and what is no sum", SUMS, ROUTINE("temp t t = 0 - n t = t - src D[dst] = t return src | n"),
	  "sub t0, z, a2|sub t0, t0, a1|st t0, 0(a0)|or a0, a1, a2|ret|" },
	{ "a number as 0 + i", SUMS, ROUTINE("temp t t = 5 D[dst] = t return n"), "addi t0, z, 5|st t0, 0(a0)|addi a0, a2, 0|ret|" },
	{ "a copy as b - 0", FACTS("access aligned") REGISTERS ACCESSES BRANCHES "`sub {a}, {b}, {c}` a = b - c\n" TARGET("any"),
	  ROUTINE("n = src return n"), "sub a2, a1, z|sub a0, a2, z|ret|" },
	{ "a copy as b | 0", FACTS("access aligned") REGISTERS ACCESSES BRANCHES "`or {a}, {b}, {c}` a = b | c\n" TARGET("any"),
	  ROUTINE("n = src return n"), "or a2, a1, z|or a0, a2, z|ret|" },
	{ "a group that a pattern has", TWO_OPERANDS, ROUTINE("loop: n -= 8, if n >= 8 goto loop return n"),
	  ".Lloop_0:|sub 8, a2|jge .Lloop_0|mov a2, a0|ret|" },
	{ "two operands", TWO_OPERANDS, ROUTINE("temp t t = src + n t = t - n return t"),
	  "mov a1, t0|add a2, t0|sub a2, t0|mov t0, a0|ret|" },
	{ "d = a - d", TWO_OPERANDS, ROUTINE("n = src - n return n"), "neg a2|add a1, a2|mov a2, a0|ret|" },
	{ "d = a << d", TWO_OPERANDS, ROUTINE("n = src << n % 64 return n"),
	  "mov a1, t0|shl a2, t0|mov t0, a2|mov a2, a0|ret|" },
	{ "the longest match", PAIRS,
	  ROUTINE("temp t[2] t[0] = Su[src] t[1] = Su[src + 8] Du[dst - 8] = t[0] Du[dst] = t[1] return n"),
	  "ldp t0, t1, 0(a1)|stp t0, t1, -8(a0)|mov a0, a2|ret|" },
	{ "a pair's second need must not read what the first wrote", PAIRS,
	  ROUTINE("temp t t = Su[src] src = Su[t + 8] return src"), "ld t0, 0(a1)|ld a1, 8(t0)|mov a0, a1|ret|" },
	{ "one move a block: the last access takes it along", PAIRS,
	  ROUTINE("temp t t = Su[src] Du[dst] = t src += 8 dst += 8 return n"),
	  "ld t0, (a1), 8|st t0, 0(a0)|addi a0, a0, 8|mov a0, a2|ret|" },
	{ "one move a block: offsets", PAIRS,
	  ROUTINE("temp t t = Su[src] Du[dst] = t t = Su[src + 8] Du[dst + 8] = t src += 16 return n"),
	  "ld t0, 0(a1)|st t0, 0(a0)|ld t0, 8(a1)|st t0, 8(a0)|addi a1, a1, 16|mov a0, a2|ret|" },
	{ "a move at each access: writeback, or an add", MOVES_BY("each"),
	  ROUTINE("temp t t = Su[src] Du[dst] = t t = Su[src + 8] Du[dst + 8] = t src += 16 dst += 16 return n"),
	  "ld t0, (a1), 8|st t0, 0(a0)|addi a0, a0, 8|ld t0, (a1), 8|st t0, 0(a0)|addi a0, a0, 8|mov a0, a2|ret|" },
	{ "a move at each access: what moves all the way leaves the next move alone", MOVES_BY("each"),
	  ROUTINE("temp t t = Su[src] src += 8 t = Su[src] src += 8 return n"),
	  "ld t0, (a1), 8|ld t0, (a1), 8|mov a0, a2|ret|" },
	{ "a move at each access: not past what reads the pointer itself", MOVES_BY("each"),
	  ROUTINE("temp t t = Su[src] n = src & n src += 8 return n"),
	  "ld t0, 0(a1)|and a2, a1, a2|addi a1, a1, 8|mov a0, a2|ret|" },
	{ "lists, where addresses are aligned", MOVES_BY("each"),
	  ROUTINE("temp t[3] for k in 0 .. 3 step 1 { t[k] = S[src + 8 * k] } for k in 0 .. 3 step 1 { D[dst + 8 * k] = t[k] } "
		  "src += 24 dst += 24 return n"),
	  "ldm a1!, {t0, t1, t2}|stm a0!, {t0, t1, t2}|mov a0, a2|ret|" },
	{ "no lists where they may not be", MOVES_BY("block"),
	  ROUTINE("temp t[2] for k in 0 .. 2 step 1 { t[k] = Su[src + 8 * k] } return t[1]"),
	  "ld t0, 0(a1)|ld t1, 8(a1)|mov a0, t1|ret|" },
	{ "user forms where the side is user", USER_FORMS TARGET("user"),
	  ROUTINE("resume out(n = n) temp t t = S[src + 8] D[dst] = t out: return n")
	  "routine from = copy with src user\n",
	  "addi t0, a1, 8|ldu t0, (t0)|st t0, 0(a0)|.Lout_0:|mov a0, a2|ret|" },
	{ "streamed stores first, and their fence", USER_FORMS TARGET("any"),
	  ROUTINE("temp t t = S[src] D[dst] = t fence return n") "routine stream = copy with dst stream\n",
	  "ld t0, 0(a1)|stn t0, 0(a0)|sync|mov a0, a2|ret|" },
	{ "a loop that is one instruction", STRINGS,
	  ROUTINE("temp c : count c = n while c != 0 { D1[dst] = S1[src]; dst += 1; src += 1; c -= 1 } return c"),
	  "mov c, a2|rep|mov a0, c|ret|" },
	{ "can: yes and no", THREE_OPERANDS,
	  ROUTINE("temp t when can(t = S[src + 8]) { n = 1 } when can(t = S[src + n]) { n = 2 } "
		  "when not can(n -= 1; if n != 1 goto x) { n = 3 } return n"),
	  "li a2, 1|li a2, 3|mov a0, a2|ret|" },
	{ "try: the first that can be lowered, and no trace of others", THREE_OPERANDS,
	  ROUTINE("try { temp t t = 5 D[dst] = t t = rep(n) n = t } else try { temp t[9] n = 1 } else { n = 2 } return n"),
	  "li a2, 2|mov a0, a2|ret|" },
	{ "labels of a macro are its own, others are looked for outwards",
	  THREE_OPERANDS, "macro m(x) { here: if x == n goto here if x != n goto out }\n"
	  ROUTINE("m(src) m(dst) here: n = 0 out: return n"),
	  ".Lhere_0:|beq a1, a2, .Lhere_0|bne a1, a2, .Lout_1|.Lhere_2:|beq a0, a2, .Lhere_2|bne a0, a2, .Lout_1|"
	  ".Lhere_4:|mov a2, z|.Lout_1:|mov a0, a2|ret|" },
	{ "arguments of macros: sums, lists, constants", THREE_OPERANDS,
	  "macro m(p, t, w) { t[0] = S[p + w] t[1] = S[p + 2 * w] }\n"
	  ROUTINE("temp t[2] m(src + 8, t, word) return t[1]"), "ld t0, 16(a1)|ld t1, 24(a1)|mov a0, t1|ret|" },
	{ "temporaries end with their braces", THREE_OPERANDS,
	  ROUTINE("when word == 8 { temp a[4] a[3] = 1 } else { fail `no` } temp b b = regs return b"),
	  "li t3, 1|li t0, 3|mov a0, t0|ret|" },
	{ "a frame when registers are short", THREE_OPERANDS,
	  ROUTINE("temp t[4] saving { temp u u = 1 t[0] = u } return t[0]"),
	  "push s0|li s0, 1|mov t0, s0|pop s0|mov a0, t0|ret|" },
	{ "no frame when they are not", THREE_OPERANDS, ROUTINE("saving { temp u u = 1 n = u } return n"),
	  "li t0, 1|mov a2, t0|mov a0, a2|ret|" },
	{ "ways out of a frame", THREE_OPERANDS,
	  ROUTINE("temp t[4] saving { temp u u = 1 if u == n goto out if u == src goto out if u == dst goto on "
		  "return u on: n = u } out: return n"),
	  "push s0|li s0, 1|beq s0, a2, .L2|beq s0, a1, .L2|beq s0, a0, .Lon_1|mov a0, s0|pop s0|ret|.Lon_1:|mov a2, s0|"
	  "pop s0|.Lout_0:|mov a0, a2|ret|.L2:|pop s0|jump .Lout_0|" },
	{ "two at once", THREE_OPERANDS,
	  ROUTINE("temp t[2] weave { D[dst] = t[0] D[dst + 8] = t[1] } { t[0] = S[src] t[1] = S[src + 8] } return n"),
	  "st t0, 0(a0)|ld t0, 0(a1)|st t1, 8(a0)|ld t1, 8(a1)|mov a0, a2|ret|" },
	{ "slots: idle, filled, never by what can fault", DELAYED,
	  ROUTINE("resume out(n = n) temp t loop: t = S[src] src = src + 8 if src != n goto loop dst = dst + 8 if src != t "
		  "goto loop D[dst] = t out: return n") "routine to = copy with dst user\n",
	  ".Lloop_1:|ld t0, 0(a1)|addi a1, a1, 8|bne a1, a2, .Lloop_1|nop|bne a1, t0, .Lloop_1|addi a0, a0, 8|"
	  "st t0, 0(a0)|.Lout_0:|ret|mov a0, a2|" },
	{ "slots: never by what stood before the branch's own access", DELAYED,
	  ROUTINE("resume out(n = n) temp t loop: if n == 0 goto out n = n + 8 t = S[src] goto loop out: return n")
	  "routine to = copy with src user\n",
	  ".Lloop_1:|beq a2, z, .Lout_0|nop|addi a2, a2, 8|ldf t0, (a1)|jump .Lloop_1|nop|.Lout_0:|ret|mov a0, a2|" },
	{ "slots: skipped by jumps and by what goes further down, not before what may fault", ANNULLED,
	  ROUTINE("resume out(n = n) loop: if n == 0 goto out if src == dst goto low D[dst] = n if n != dst goto low goto loop "
		  "low: if n == src goto loop out: return n") "routine to = copy with dst user\n",
	  ".Lloop_1:|beq,n a2, z, .Lout_0|beq a1, a0, .Llow_2|nop|st a2, 0(a0)|bne,n a2, a0, .Llow_2|jump,n .Lloop_1|"
	  ".Llow_2:|beq a2, a1, .Lloop_1|nop|.Lout_0:|ret|mov a0, a2|" },
	{ "a state is closed on the ways out it reaches", STATES,
	  ROUTINE("temp t if n == 0 goto out t = S[src] D[dst] = t return n out: return n"),
	  "beq a2, z, .Lout_0|ld t0, 0(a1)|st t0, 0(a0)|mov a0, a2|emms|ret|.Lout_0:|mov a0, a2|ret|" },
	{ "a state that accesses need is open between", NEEDED, ROUTINE("temp t t = S[src] D[dst] = t return n"),
	  "open|ld t0, 0(a1)|st t0, 0(a0)|mov a0, a2|close|ret|" },
	{ "a state that a block needs: before its loop, and put back for what jumps right behind it too", NEEDED,
	  ROUTINE("temp t if n == 0 goto out states { loop: t = S[src] D[dst] = t n -= 8 if n != 0 goto loop } out: return n"),
	  "beq a2, z, .Lout_0|open|.Lloop_1:|ld t0, 0(a1)|st t0, 0(a0)|addi a2, a2, -8|bne a2, z, .Lloop_1|.Lout_0:|close|"
	  "mov a0, a2|ret|" },
	{ "stores past the caches among others", USER_FORMS TARGET("any"),
	  ROUTINE("temp t t = S[src] Dn[dst] = t D[dst + 8] = t D8un[dst + 16] = t fence return n"),
	  "ld t0, 0(a1)|stn t0, 0(a0)|st t0, 8(a0)|stn t0, 16(a0)|sync|mov a0, a2|ret|" },
	{ "a state that is another after each access", CHANGED, ROUTINE("temp t D[dst] = t D[dst + 8] = t return n"),
	  "turn 2|st t0, 0(a0)|turn 2|st t0, 8(a0)|mov a0, a2|ret|" },
	{ "a state that accesses need to be this and that", CHANGED,
	  ROUTINE("temp t, u align loop: t = S[src] u = S[src + 8] D[dst] = u n = n - 8 if n != 0 goto loop return n"),
	  ".Lloop_0:|turn 1|ld t0, 0(a1)|ld t1, 8(a1)|turn 2|st t1, 0(a0)|addi a2, a2, -8|bne a2, z, .Lloop_0|mov a0, a2|ret|" },
	{ "a state that only some ways have", CHANGED,
	  ROUTINE("temp t if n == 0 goto on t = S[src] on: D[dst] = t t = S1[src] if n == 0 goto out t = S[src] out: return n"),
	  "beq a2, z, .Lon_0|turn 1|ld t0, 0(a1)|.Lon_0:|turn 2|st t0, 0(a0)|ldb t0, 0(a1)|ldb|beq a2, z, .Lout_1|"
	  "ld t0, 0(a1)|.Lout_1:|mov a0, a2|turn 0|ret|" },
	{ "a jump to another routine", FACTS("access aligned") REGISTERS ACCESSES ALU BRANCHES EMITTING("any", "set, copy"),
	  "routine set(dst, src, n) { return n }\n" ROUTINE("if n < src jump set jump set"), "blt a2, a1, set|jump set|" },
	{ "a jump to another routine, where something is to be done first",
	  FACTS("access aligned enter { `in` } leave { `out` }") REGISTERS ACCESSES ALU BRANCHES
	  EMITTING("any", "set, copy"),
	  "routine set(dst, src, n) { return n }\n" ROUTINE("if n < src jump set return n"),
	  "blt a2, a1, .L1|mov a0, a2|ret|.L1:|jump set|" },
};

struct made {
	void *ctx;
	struct diag *d;
	struct machine *m;
	struct program *p;
	const char *text;
};

static struct made make(const char *machine, const char *templates)
{
	struct made r = { .ctx = talloc_new(NULL) };
	struct tree *t;

	r.text = talloc_asprintf(r.ctx, "%s%s", machine, templates);
	r.d = diag_new(r.ctx, 0);
	t = parse_text(r.ctx, r.d, "toy.spec", r.text, strlen(r.text));
	r.m = t && !diag_errors(r.d) ? resolve_machine(r.ctx, r.d, t, NULL, NULL) : NULL;
	if (r.m)
		r.p = lower_routine(r.ctx, r.d, r.m, &t->templates, t->templates.routines[t->templates.nroutines - 1]->name);
	return r;
}

/* The text with a bar for each end of line, and without tabs. */
static const char *flat(void *ctx, const struct program *p)
{
	char *s = talloc_strdup(ctx, program_text(ctx, p)), *to = s;

	for (const char *from = s; *from; from++)
		if (*from != '\t')
			*to++ = *from == '\n' ? '|' : *from;
	*to = '\0';
	return s;
}

static void run_case(void **state)
{
	const struct one *c = *state;
	struct made r = make(c->machine, c->templates);

	if (!r.p)
		diag_flush(r.d, stderr, false, false);
	assert_non_null(r.p);
	schedule_slots(r.p);
	assert_string_equal(flat(r.ctx, r.p), c->expected);
	assert_int_equal(diag_errors(r.d), 0);
	talloc_free(r.ctx);
}

/* Errors that depend on the machine more than on a file: id and place are golden tests' matter, that they come is ours. */
static const struct one wrong[] = {
	{ "no instruction", THREE_OPERANDS, ROUTINE("n = rep(n) return n"), "no-instruction" },
	{ "-b, and no register is 0", NO_ZERO, ROUTINE("dst = -n return dst"), "no-instruction" },
	{ "at once, but for one number", MANY, ROUTINE("src += 8, dst += 16, n -= 8, D[dst] = S[src] return n"), "no-instruction" },
	{ "no register", THREE_OPERANDS, ROUTINE("temp t[5] return n"), "no-register" },
	{ "no alternative", THREE_OPERANDS, ROUTINE("try { n = rep(n) } else { temp t[9] } return n"), "no-way-to-lower" },
	{ "unknown name", THREE_OPERANDS, ROUTINE("n = m return n"), "unknown-name" },
	{ "unknown label", THREE_OPERANDS, ROUTINE("goto x"), "unknown-label" },
	{ "label twice", THREE_OPERANDS, ROUTINE("x: x: return n"), "label-twice" },
	{ "unknown macro", THREE_OPERANDS, ROUTINE("m() return n"), "unknown-macro" },
	{ "endless macros", THREE_OPERANDS, "macro m() { m() }\n" ROUTINE("m() return n"), "macros-nested-too-deep" },
	{ "too long a loop", THREE_OPERANDS, ROUTINE("for k in 0 .. 1 << 40 step 1 { } return n"), "too-many-turns" },
	{ "not constant", THREE_OPERANDS, ROUTINE("when n == 1 { } return n"), "not-constant" },
	{ "no value", THREE_OPERANDS, ROUTINE("const c = 1 / 0 return n"), "not-constant" },
	{ "off the end", THREE_OPERANDS, ROUTINE("n = 0"), "runs-off-the-end" },
	{ "into a frame", THREE_OPERANDS,
	  ROUTINE("temp t[4] goto x saving { temp u u = 1 x: n = u } return n"), "goto-into-saving" },
	{ "no list", THREE_OPERANDS, ROUTINE("n = n[0] return n"), "list-index" },
	{ "past a list", THREE_OPERANDS, ROUTINE("temp t[2] n = t[2] return n"), "list-index" },
	{ "written sum", THREE_OPERANDS, "macro m(x) { x = 1 }\n" ROUTINE("m(n + 1) return n"), "not-a-place" },
	{ "declared twice", THREE_OPERANDS, ROUTINE("temp t, t return n"), "given-twice" },
	{ "arguments", THREE_OPERANDS, "macro m(x) { }\n" ROUTINE("m() return n"), "argument-count" },
	{ "resume", THREE_OPERANDS, ROUTINE("resume x(what = n) x: return n"), "bad-resume" },
	{ "with", THREE_OPERANDS, ROUTINE("return n") "routine b = copy with dst yellow\n", "unknown-with" },
};

static void run_wrong(void **state)
{
	const struct one *c = *state;
	struct made r = make(c->machine, c->templates);
	char *said = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&said, &size);

	assert_null(r.p);
	assert_int_equal(diag_errors(r.d), 1);
	diag_flush(r.d, f, false, false);
	fclose(f);
	if (!strstr(said, c->expected))
		print_error("%s", said);
	assert_non_null(strstr(said, c->expected));
	free(said);
	talloc_free(r.ctx);
}

static struct expr *sum_of(void *ctx, int a, int b, int64_t c)
{
	struct place at = { .source = NULL };
	struct expr *e = expr_binary(ctx, EX_SUB, expr_reg(ctx, a, at), expr_reg(ctx, b, at), at);

	return expr_binary(ctx, EX_ADD, e, expr_const(ctx, (uint64_t)c, at), at);
}

/* What fixups are made of: sums, jumps, leaving; scratch registers only, and nothing left behind when it can't be done. */
static void acts(void **state)
{
	struct made r = make(THREE_OPERANDS, ROUTINE("return n"));
	struct place at = { .source = NULL };
	int n = machine_reg(r.m, "a2"), src = machine_reg(r.m, "a1"), label = program_label(r.p, "here");
	struct regset scratch = { { 0 } }, saved = { { 0 } };
	struct action a[3] = {
		{ .kind = ACT_SET, .index = -1, .label = -1, .target = expr_reg(r.ctx, n, at), .value = sum_of(r.ctx, n, src, 1000) },
		{ .kind = ACT_LEAVE, .index = -1, .label = -1 },
		{ .kind = ACT_GOTO, .index = -1, .label = label },
	};
	size_t before = r.p->ninsns;

	(void)state;
	regset_add(&saved, machine_reg(r.m, "s0"));
	a[1].clobber = saved;
	label_here(r.p, label);
	assert_false(lower_acts(r.ctx, NULL, r.p, a, 3, scratch, at, NULL));
	assert_int_equal(r.p->ninsns, before);
	regset_add(&scratch, machine_reg(r.m, "t3"));
	assert_true(lower_acts(r.ctx, r.d, r.p, a, 3, scratch, at, NULL));
	assert_string_equal(flat(r.ctx, r.p),
			    "mov a0, a2|ret|.Lhere_0:|sub a2, a2, a1|li t3, 1000|add a2, a2, t3|pop s0|jump .Lhere_0|");
	talloc_free(r.ctx);
}

/* What control can't get to goes, and with it jumps that only led over it; one at the end of the hot part stays. */
static void unreached(void **state)
{
	struct made r = make(THREE_OPERANDS, ROUTINE("if n == 0 goto end  goto over  n = src  n = dst  over: if n == src goto end  end:"
						    " for k in 0 .. 2 { n = n + 1 }  return n"));

	(void)state;
	assert_non_null(r.p);
	ir_drop_unreached(r.p);
	assert_string_equal(flat(r.ctx, r.p), ".Lend_0:|.Lover_1:|addi a2, a2, 1|addi a2, a2, 1|mov a0, a2|ret|");
	talloc_free(r.ctx);
	r = make(THREE_OPERANDS, ROUTINE("goto over  n = src  over: return n"));
	r.p->hot = 2;
	ir_drop_unreached(r.p);
	assert_string_equal(flat(r.ctx, r.p), "jump .Lover_0|.Lover_0:|mov a0, a2|ret|");
	talloc_free(r.ctx);
}

/* Where an access can be resumed, and what is free there. */
static void resumes(void **state)
{
	struct made r = make(THREE_OPERANDS, ROUTINE("temp d, t d = dst resume out(dst = d, n = n) t = S[src] D[d] = t "
						    "d += 8 goto end out: n = d end: return n")
			     "routine to = copy with dst user\n");
	const struct resume *at;

	(void)state;
	assert_non_null(r.p);
	assert_int_equal(r.p->resume_of[0], -1);		/* mov touches no memory */
	assert_int_equal(r.p->resume_of[1], 0);
	at = &r.p->resumes[0];
	assert_int_equal(at->dst, machine_reg(r.m, "t0"));
	assert_int_equal(at->src, -1);
	assert_int_equal(at->n, machine_reg(r.m, "a2"));
	assert_int_equal(r.p->labels[at->label].at, 5);
	assert_true(regset_has(&r.p->free_at[1], machine_reg(r.m, "t1")));	/* about to be loaded */
	assert_false(regset_has(&r.p->free_at[2], machine_reg(r.m, "t1")));	/* about to be stored */
	assert_false(regset_has(&r.p->free_at[1], machine_reg(r.m, "t0")));	/* resumed with */
	assert_false(regset_has(&r.p->free_at[1], machine_reg(r.m, "a0")));	/* an anchor */
	assert_false(regset_has(&r.p->free_at[1], machine_reg(r.m, "s0")));	/* not saved */
	assert_int_equal(r.p->hot, r.p->ninsns);
	talloc_free(r.ctx);
}

/* Inside a frame, what it saved is free too. */
static void frames(void **state)
{
	struct made r = make(THREE_OPERANDS, ROUTINE("temp t[4] saving { temp u u = 1 n = u } return n"));

	(void)state;
	assert_false(r.p->framed[0]);
	assert_true(r.p->framed[1]);
	assert_true(regset_has(&r.p->frame_at[1], machine_reg(r.m, "s0")));
	assert_true(regset_has(&r.p->free_at[1], machine_reg(r.m, "s0")));
	assert_false(regset_has(&r.p->free_at[2], machine_reg(r.m, "s0")));
	assert_false(r.p->framed[4]);
	talloc_free(r.ctx);
}

int main(void)
{
	enum { CASES = sizeof(cases) / sizeof(*cases), WRONG = sizeof(wrong) / sizeof(*wrong) };
	struct CMUnitTest tests[CASES + WRONG + 4];
	size_t n = 0;

	memset(tests, 0, sizeof(tests));
	for (size_t k = 0; k < CASES; k++)
		tests[n++] = (struct CMUnitTest){ .name = cases[k].what, .test_func = run_case,
						  .initial_state = (void *)(uintptr_t)&cases[k] };
	for (size_t k = 0; k < WRONG; k++)
		tests[n++] = (struct CMUnitTest){ .name = wrong[k].what, .test_func = run_wrong,
						  .initial_state = (void *)(uintptr_t)&wrong[k] };
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(acts);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(resumes);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(unreached);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(frames);
	return cmocka_run_group_tests_name("lower", tests, NULL, NULL);
}
