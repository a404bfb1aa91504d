#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# assemble.sh UCOPY MACHINE: of each target, every file of out/MACHINE/TARGET assembles with the assembler alone and no
# complaint, all of them link together, nothing is left undefined but hooks, and the table has an entry for each fault site that
# was proved.
cd "$(dirname "$0")/.." || exit 1
. tests/tools.sh
ucopy=$1 machine=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT

row "$machine" 2 >/dev/null || { echo "no machine '$machine'.  A new one needs a row in tests/machines.tsv"; exit 1; }
for t in as ld nm objdump; do
	tool "$machine" $t >"$scratch/$t" || { echo "no $t for $machine"; exit 77; }
done
tool_of() { cat "$scratch/$1"; }

spec=$(grep -lE "^machine +$machine( |\{)" specs/*.spec)
# What is the kernel's may be left undefined.
grep -oE 'hook +[a-z_]+ +`[^`]*`' "$spec" | sed 's/.*`\(.*\)`/\1/' >"$scratch/hooks"

# Of each routine: its target, its name, its symbol, and how many sites it has.
"$ucopy" table --format c "$spec" >"$scratch/table.c" || exit 1
sed -nE 's/^\t\{ "[^"]*", "([^"]*)", "([^"]*)", "([^"]*)", "[a-z]*", (-?[01], ){4}[0-9]+, ([0-9]+), .*/\1 \2 \3 \5/p' \
	"$scratch/table.c" >"$scratch/routines"
[ -s "$scratch/routines" ] || { echo 'the table names no routine'; exit 1; }
cut -d ' ' -f 1 "$scratch/routines" | sort -u >"$scratch/targets"
find "out/$machine" -mindepth 1 -maxdepth 1 | sed 's|.*/||' | sort | diff "$scratch/targets" - ||
	{ echo "the table's targets (<) are not those of out/$machine (>)"; exit 1; }

# routine DIR NAME SYMBOL SITES: its object has the symbol, and 8 bytes of table for each site
routine() {
	o=$1/$2.o
	"$(tool_of nm)" -g "$o" | grep -q " T $3\$" || { echo "$2: no symbol $3"; return 1; }
	"$(tool_of objdump)" -h "$o" | awk '$2 == "__ex_table" { print $3, $7 }' >"$scratch/section"
	read -r size aligned <"$scratch/section" || size=0 aligned=
	[ "$((0x$size))" -eq $((8 * $4)) ] || {
		echo "$2: a table of $((0x$size)) bytes, not $((8 * $4))"
		return 1
	}
	[ "$4" -eq 0 ] || [ "${aligned#2\*\*}" -ge 2 ] || { echo "$2: the table is not aligned"; return 1; }
	rm -f "$o"
}

# check_target TARGET: all of the above
check_target() {
	dir=$scratch/$1
	mkdir "$dir" || return 1
	as_options=$(needs "$machine" "$1" 6) ld_options=$(needs "$machine" "$1" 7)
	for s in out/"$machine/$1"/*.S; do
		[ -e "$s" ] || { echo "out/$machine/$1 is empty"; return 1; }
		# shellcheck disable=SC2086
		"$(tool_of as)" $as_options --fatal-warnings -o "$dir/$(basename "$s" .S).o" "$s" || return 1
	done
	# shellcheck disable=SC2086
	"$(tool_of ld)" $ld_options -r -o "$dir/all" "$dir"/*.o || return 1

	undefined=$("$(tool_of nm)" -u "$dir/all" | awk '{ print $NF }' | grep -vxF -f "$scratch/hooks")
	[ -z "$undefined" ] || { echo "undefined: $undefined"; return 1; }

	while read -r target name symbol sites; do
		[ "$target" != "$1" ] || routine "$dir" "$name" "$symbol" "$sites" || return 1
	done <"$scratch/routines"
	left=$(find "$dir" -name '*.o')
	[ -z "$left" ] || { echo "files of no routine: $left"; return 1; }
}

bad=0
while read -r t; do
	check_target "$t" || { echo "FAIL $machine/$t"; bad=1; }
done <"$scratch/targets"
exit $bad
