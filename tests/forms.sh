#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# forms.sh UCOPY: fixups of every form, with either pointer update, on one machine, and a machine's other ways to a word's
# ends: each proved where it is right and refused where it isn't, and what is proved keeps the contract when it runs.
# Prints TAP.
cd "$(dirname "$0")/.." || exit 1
ucopy=$1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
n=0 bad=0

report() {
	n=$((n + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $n - $2"
	else
		bad=1
		echo "not ok $n - $2"
		sed 's/^/# /' "$out/said"
	fi
}

# on MACHINE [TARGET]: what follows is about these.
on() {
	machine=$1 spec=specs/$1.spec target=${2:-plain}
}

# holds FORM [ROUTINE..]: proved exact and maximal, and right when run
holds() {
	form=$1
	shift
	for r in "${@:-}"; do
		"$ucopy" check --target "$target+$form" ${r:+--routine "$r"} "$spec"
	done >"$out/said" 2>&1 && ! grep -E 'fault sites' "$out/said" | grep -v 'no fault sites' | grep -qv 'exact, maximal'
	report $? "$machine, $form: proved exact and maximal${*:+ ($*)}"
	rm -rf "$out/code"
	for r in "${@:-}"; do
		"$ucopy" gen -o "$out/code" --target "$target+$form" ${r:+--routine "$r"} "$spec"
	done >"$out/said" 2>&1 && tests/matrix/run "$machine" "$out"/code/*/*/*.S --target "$target" --quick >"$out/said" 2>&1
	report $? "$machine, $form: fault matrix"
}

# refused FORM ID ROUTINE: the proof fails, and says so
refused() {
	"$ucopy" check --target "$target+$1" --routine "$3" "$spec" >"$out/said" 2>&1
	[ $? -eq 3 ] && grep -q "\\[$2\\]" "$out/said"
	report $? "$1: $3 is refused [$2]"
}

# moves ROUTINE: with `each` no access of the block loop has an offset, without it some have
moves() {
	"$ucopy" gen -o "$out/moves" --target plain --target plain+each --routine "$1" "$spec" >"$out/said" 2>&1
	for form in plain plain+each; do
		sed -n '/_next:$/,/_last:$/p' "$out/moves/$machine/$form/$1.S" | grep -c '\[x[0-9]*, #[1-9]'
	done | tr '\n' ' ' >"$out/said"
	grep -q '^[1-9][0-9]* 0 $' "$out/said"
	report $? "each: pointers of $1 move at every access"
}

on arm64
moves copy_to_user
moves memcpy
holds each
holds both
holds each+both
holds aligned
holds aligned+both
holds aligned+ladder copy_to_user clear_user
holds each+aligned+direct copy_to_user clear_user
refused direct residual-not-exact copy_to_user
refused ladder residual-not-exact copy_to_user
refused aligned+direct residual-not-exact clear_user
refused aligned+ladder no-progress copy_from_user
refused each+aligned+direct no-progress copy_from_user
on parisc
holds bytes
on i386 mmx
holds unread
holds reread
echo "1..$n"
exit $bad
