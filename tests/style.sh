#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What every file of the tree has to look like.  Prints each offence as file:line: text.
cd "$(dirname "$0")/.." || exit 1
bad=0
list=$(mktemp) && hits=$(mktemp) || exit 1
trap 'rm -f "$list" "$hits"' EXIT

# offence TEXT: what stands in $hits is wrong for the reason given
offence() {
	if [ -s "$hits" ]; then
		printf '%s:\n' "$1"
		sed 's/^/  /' "$hits"
		bad=1
	fi
}

# files REGEX: names of the tree's files that match
files() {
	grep -E "$1" "$list"
}

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	git ls-files >"$list"
else
	find . -type f ! -path './build*' ! -path './.git/*' | sed 's|^\./||' >"$list"
fi
[ -s "$list" ] || { echo "no files found"; exit 1; }

# Built and run is only what the build names.
for f in $(files '^gen/.*\.c$'); do grep -q "'$f'" meson.build || echo "$f"; done >"$hits"
for f in $(files '^tests/unit_.*\.c$'); do
	grep -q "'$(basename "$f" .c | sed 's/^unit_//')'" tests/meson.build || echo "$f"
done >>"$hits"
offence 'the build does not name this file'

# A room takes from those before it in this list only.
rooms='base ir domain interp prove parse resolve lower plan print bench cli'
files '^gen/[a-z]*/.*\.[ch]$' | xargs awk -v rooms="$rooms" '
	BEGIN { n = split(rooms, list, " "); for (i = 1; i <= n; i++) rank[list[i]] = i
		for (i = 1; i < ARGC; i++) { split(ARGV[i], part, "/"); home[part[3]] = rank[part[2]] } }
	/^#include "/ { split(FILENAME, part, "/"); split($0, word, "\"")
		if (!rank[part[2]] || home[word[2]] > rank[part[2]]) printf "%s:%d: %s\n", FILENAME, FNR, $0 }' >"$hits"
offence 'a room takes from one that stands above it'

code='\.(c|h|re|y|S|in|sh|py|awk|build|spec|tmpl)$|^(check|regenerate|\.ci/run)$|meson_options'

files "$code" | xargs grep -nE '[	 ]+$' >"$hits"
offence 'blanks at the end of a line'

files '\.(c|h|re|y)$' | xargs grep -nE '^ +[^ *]' >"$hits"
offence 'a line is indented by blanks, not tabs'

files '\.(c|h|re|y|S)$' | xargs awk '{ line = $0; gsub(/\t/, "        ", line) }
	length(line) > 140 { printf "%s:%d: %d columns\n", FILENAME, FNR, length(line) }' >"$hits"
offence 'a line is longer than 140 columns'

files . | grep -v '^tests/corpus/' | while read -r f; do
	[ -s "$f" ] && [ ! -L "$f" ] && ! grep -qI . "$f" && continue
	[ -s "$f" ] && [ -n "$(tail -c 1 "$f")" ] && echo "$f"
done >"$hits"
offence 'no newline at the end of the file'

files "$code" | while read -r f; do
	head -n 2 "$f" | grep -q 'SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause' || echo "$f"
done >"$hits"
offence 'no SPDX line at the head'

files '^(gen|tests)/.*\.(c|h|re|y)$' | xargs wc -l | awk '$2 != "total" && $1 > 500 { print $2 ": " $1 " lines" }' >"$hits"
offence 'a file is longer than 500 lines'

files '^specs/.*\.spec$' | xargs wc -l | awk '$2 != "total" && $1 > 100 { print $2 ": " $1 " lines" }' >"$hits"
offence 'a spec is longer than 100 lines'

# The compiler knows no machine: no architecture, system, register, mnemonic or directive stands in gen/.
machines='arm|arm64|aarch64|armv7|thumb|neon|x86|x86_64|amd64|i386|i686|hppa|pa-?risc|sparc|sparc64|riscv|riscv64'
machines="$machines|powerpc|ppc|ppc64|s390|s390x|mips|mips64|mipsel|m68k|alpha|loongarch|loongarch64|superh|sh4|ia64|kunpeng"
systems='linux|freebsd|netbsd|openbsd|xnu|darwin'
mnemonics='ldp|stp|ldm|stm|ldmia|stmia|movntq|movnti|movs[bqlwd]|stby|ldtr|sttr|ldr|str[bh]|ldrb|stw|ldw|lwz|cbz|cbnz'
mnemonics="$mnemonics|tbz|femms|mtsar|shrpw|addib|nop|jmp|jne|beq|bne|sw[lr]|lw[lr]"
registers='rax|rcx|rdx|rsi|rdi|eax|ecx|esi|edi|xmm[0-9]+|mm[0-9]|[xw](zr|[0-9]|[12][0-9]|30)|lr|%?sar|%[fgs]r[0-9]+'
directives='\.(text|globl|global|p2align|align|type|size|long|word|quad|section|pushsection|popsection|previous|set)'
files '^gen/' | xargs grep -nwiE "$machines|$systems|$mnemonics|$registers" | grep -v 'http://www\.w3\.org/' >"$hits"
files '^gen/' | xargs grep -nE "\"[^\"]*$directives([^a-z_][^\"]*)?\"|\`[^\`]*$directives([^a-z_][^\`]*)?\`" >>"$hits"
offence 'gen/ names a machine, a system, a register, a mnemonic or a directive'

files "$code" | grep -v '^tests/style.sh$' | xargs grep -nE 'TODO|FIXME|XXX[^.X"]|HACK|unimplemented' >"$hits"
offence 'something is left undone'

exit $bad
