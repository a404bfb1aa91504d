#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# assemble.sh UCOPY MACHINE: every file of out/MACHINE/plain assembles with the assembler alone and no complaint, all of
# them link together, nothing is left undefined, and the table has an entry for each fault site that was proved.
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

for s in out/"$machine"/plain/*.S; do
	[ -e "$s" ] || { echo "out/$machine/plain is empty"; exit 1; }
	"$(tool_of as)" --fatal-warnings -o "$scratch/$(basename "$s" .S).o" "$s" || exit 1
done
"$(tool_of ld)" -r -o "$scratch/all" "$scratch"/*.o || exit 1

undefined=$("$(tool_of nm)" -u "$scratch/all")
[ -z "$undefined" ] || { echo "undefined: $undefined"; exit 1; }

# Of each routine: its symbol, and 8 bytes of table for each site.
"$ucopy" table --target plain --format c "$(grep -lE "^machine +$machine( |\{)" specs/*.spec)" >"$scratch/table.c" || exit 1
sed -nE 's/^\t\{ "[^"]*", "plain", "([^"]*)", "([^"]*)", "[a-z]*", ([01], ){4}[0-9]+, ([0-9]+), .*/\1 \2 \4/p' "$scratch/table.c" \
	>"$scratch/routines"
[ -s "$scratch/routines" ] || { echo 'the table names no routine'; exit 1; }
while read -r routine symbol sites; do
	o=$scratch/$routine.o
	"$(tool_of nm)" -g "$o" | grep -q " T $symbol\$" || { echo "$routine: no symbol $symbol"; exit 1; }
	size=$("$(tool_of objdump)" -h "$o" | awk '$2 == "__ex_table" { print $3 }')
	[ "$((0x${size:-0}))" -eq $((8 * sites)) ] || {
		echo "$routine: a table of $((0x${size:-0})) bytes, not $((8 * sites))"
		exit 1
	}
	aligned=$("$(tool_of objdump)" -h "$o" | awk '$2 == "__ex_table" { print $7 }')
	[ "$sites" -eq 0 ] || [ "${aligned#2\*\*}" -ge 2 ] || { echo "$routine: the table is not aligned"; exit 1; }
	rm -f "$o"
done <"$scratch/routines"
left=$(find "$scratch" -name '*.o')
[ -z "$left" ] || { echo "files of no routine: $left"; exit 1; }
