/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Machines for tests of lowering, as specs: each is small, and has what its cases are about. */
#ifndef UCOPY_TEST_MACHINES_H
#define UCOPY_TEST_MACHINES_H

/* What every one of them has: registers a0 a1 a2 are the arguments, t0.. free, s0 s1 saved, z zero. */
#define FACTS(more) \
	"machine toy { register width 8 block instruction `ld` `st` 1 registers fault granularity instruction\n" \
	"byte order little\n" more "\n" \
	"relation cc { < `lt` >= `ge` == `eq` != `ne` }\n" \
	"range imm = -128..127\n"
#define REGISTERS "class r 8 `a0 a1 a2 t0 t1 t2 t3 s0 s1 z`\n" \
	"args `a0 a1 a2` result `a0` free `t0 t1 t2 t3` zero `z` keep `s0 s1 sp`\n" \
	"stack enter { `push {all}` } leave { `pop {all}` } saved `s0 s1`\n"
#define TARGET(user) EMITTING(user, "copy")
#define EMITTING(user, routines) "target plain { named `{r}` user by " user " label `.L{f}_{n}` width `.long` file begin { } end { }\n" \
	"function begin { `{f}:` } end { } entry { `{site} {fixup}` } fixups { } end { } retry yes emit " routines " } }\n"
#define BRANCHES \
	"`b{cc} {a}, {b}, {L}` if a ?cc b goto L\n" \
	"`jump {L}` goto L\n" \
	"`ret` return\n"
#define ACCESSES \
	"`ld {a}, {i:imm}({p})` a = M8[p + i]\n" \
	"`st {a}, {i:imm}({p})` M8[p + i] = a\n" \
	"`ldb {a}, {i:imm}({p})` a = M1[p + i]\n" \
	"`stb {a}, {i:imm}({p})` M1[p + i] = a\n"
#define ALU \
	"`mov {a}, {b}` a = b\n" \
	"`li {a}, {i:-32768..32767}` a = i\n" \
	"`addi {a}, {b}, {i:imm}` a = b + i\n" \
	"`add {a}, {b}, {c}` a = b + c\n" \
	"`sub {a}, {b}, {c}` a = b - c\n" \
	"`and {a}, {b}, {c}` a = b & c\n" \
	"`sll {a}, {b}, {i:0..63}` a = b << i\n"
#define THREE_OPERANDS FACTS("access aligned") REGISTERS ACCESSES ALU BRANCHES TARGET("any")

#define TWO_OPERANDS FACTS("access unaligned") REGISTERS ACCESSES BRANCHES \
	"`mov {b}, {a}` a = b\n" \
	"`li {i:-32768..32767}, {a}` a = i\n" \
	"`add {b}, {a}` a = a + b\n" \
	"`sub {b}, {a}` a = a - b\n" \
	"`neg {a}` a = -a\n" \
	"`and {b}, {a}` a = a & b\n" \
	"`shl {b}, {a}` a = a << b % 64\n" \
	"`sub {i:imm}, {a}` then `j{cc} {L}` a -= i; if a ?cc i goto L\n" \
	TARGET("any")

/* Writeback, pairs, lists. */
#define MOVES_BY(update) FACTS("access mixed pointer update " update) REGISTERS \
	"`ldm {p}!, {{{a[2..4 asc]}}}` a[k] = M8[p + 8 * k]; p += 8 * len(a) aligned 8\n" \
	"`stm {p}!, {{{a[2..4 asc]}}}` M8[p + 8 * k] = a[k]; p += 8 * len(a) aligned 8 tears 8\n" \
	"`ld {a}, ({p}), {i:imm}` a = M8[p]; p += i\n" \
	"`ldb {a}, ({p}), {i:imm}` a = M1[p]; p += i\n" \
	ACCESSES ALU BRANCHES TARGET("any")

#define PAIRS FACTS("access unaligned") REGISTERS \
	"`ldp {a}, {b}, {i:-64..56/8}({p})` a = M8[p + i]; b = M8[p + i + 8]\n" \
	"`stp {a}, {b}, {i:-64..56/8}({p})` M8[p + i] = a; M8[p + i + 8] = b\n" \
	"`ld {a}, ({p}), {i:imm}` a = M8[p]; p += i\n" \
	ACCESSES ALU BRANCHES TARGET("any")

/* Sums, and a register that is 0 for those that have fewer terms. */
#define SUMS FACTS("access aligned") REGISTERS ACCESSES BRANCHES \
	"`addi {a}, {b}, {i:imm}` a = b + i\n" \
	"`sub {a}, {b}, {c}` a = b - c\n" \
	"`or {a}, {b}, {c}` a = b | c\n" TARGET("any")
#define NO_ZERO FACTS("access aligned") "class r 8 `a0 a1 a2 t0 t1`\nargs `a0 a1 a2` result `a0` free `t0 t1`\n" \
	ACCESSES BRANCHES "`sub {a}, {b}, {c}` a = b - c\n" TARGET("any")

/* One line that does four things at once. */
#define MANY FACTS("access aligned") REGISTERS ALU BRANCHES \
	"`movs ({p}), ({q}), {c}` M8[p] = M8[q]; p += 8; q += 8; c -= 8\n" ACCESSES TARGET("any")
#define MOVED "movs (a0), (a1), a2|mov a0, a2|ret|"

#define USER_FORMS FACTS("access unaligned") REGISTERS \
	"`ld {a}, {i:imm}({p})` a = M8[p + i]\n" \
	"`st {a}, {i:imm}({p})` M8[p + i] = a\n" \
	"`ldu {a}, ({p})` a = U8[p]\n" \
	"`stu {a}, ({p})` U8[p] = a\n" \
	"`stn {a}, {i:imm}({p})` N8[p + i] = a\n" \
	"`sync` fence\n" ALU BRANCHES

#define DELAYED FACTS("access aligned delay 1 fill `nop` fault never") REGISTERS ACCESSES ALU \
	"`ldf {a}, ({p})` a = M8[p] then `jump {L}` goto L slot\n" \
	"`b{cc} {a}, {b}, {L}` if a ?cc b goto L slot\n" \
	"`jump {L}` goto L slot\n" \
	"`ret` return slot\n" TARGET("any")

#define ANNULLED FACTS("access aligned delay 1 fill `nop` annul `,n` fault branch") REGISTERS ACCESSES ALU \
	"`b{cc}{annul} {a}, {b}, {L}` if a ?cc b goto L slot\n" \
	"`jump{annul} {L}` goto L slot\n" \
	"`ret` return slot\n" TARGET("any")

#define STATES FACTS("access aligned state mmx { clean, dirty }") REGISTERS ALU BRANCHES \
	"`ld {a}, {i:imm}({p})` a = M8[p + i]; mmx = dirty\n" \
	"`st {a}, {i:imm}({p})` M8[p + i] = a\n" \
	"`emms` mmx = clean\n" TARGET("any")

#define NEEDED FACTS("access aligned state door { closed, open }") REGISTERS ALU BRANCHES \
	"`ld {a}, {i:imm}({p})` a = M8[p + i]; need door == open\n" \
	"`st {a}, {i:imm}({p})` M8[p + i] = a; need door == open\n" \
	"`open` door = open\n" \
	"`close` door = closed\n" TARGET("any")

#define CHANGED FACTS("access aligned state door { closed, ajar, open }") REGISTERS ALU BRANCHES \
	"`ld {a}, {i:imm}({p})` a = M8[p + i]; need door == ajar\n" \
	"`st {a}, {i:imm}({p})` M8[p + i] = a; need door == open; door = closed\n" \
	"`ldb {a}, {i:imm}({p})` door = ajar then `ldb` a = M1[p + i]; need door == ajar\n" \
	"`turn 0` door = closed\n" \
	"`turn 1` door = ajar\n" \
	"`turn 2` door = open\n" TARGET("any")

#define STRINGS FACTS("access unaligned") "class r 8 `a0 a1 a2 t0 t1 c`\n class count 8 `c`\n" \
	"args `a0 a1 a2` result `a0` free `t0 t1 c` keep `sp`\n" \
	"`rep` while `c` != 0 { M1[`a0`] = M1[`a1`]; `a0` += 1; `a1` += 1; `c` -= 1 }\n" \
	"`mov {a}, {b}` a = b\n `li {a}, {i:0..9}` a = i\n" ACCESSES BRANCHES TARGET("any")

#define ROUTINE(body) "routine copy(dst, src, n) { " body " }\n"

#endif
