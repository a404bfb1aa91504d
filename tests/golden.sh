#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# golden.sh [--update] UCOPY [GLOB]: every tests/errors/*.spec must be refused with exactly the words beside it.
# The first line of a spec may say `# exit N` behind its licence; without it, 1.  Prints TAP.
cd "$(dirname "$0")/.." || exit 1
update=
[ "$1" = --update ] && { update=1; shift; }
ucopy=$1
glob=${2:-*}
said=$(mktemp) && found=$(mktemp) || exit 1
trap 'rm -f "$said" "$found"' EXIT
n=0 bad=0

# One case: the exit status and standard error are exact, standard output is empty.
case_of() {
	want=$(sed -n 's/^# exit \([0-9]*\)$/\1/p' "$1" | head -n 1)
	command=$(sed -n 's/^# run \(.*\)$/\1/p' "$1" | head -n 1)
	# shellcheck disable=SC2086
	"$ucopy" ${command:-check} "$1" </dev/null >"$found" 2>"$said"
	status=$?
	[ -n "$update" ] && cp "$said" "${1%.spec}.stderr"
	if [ "$status" -ne "${want:-1}" ]; then
		echo "# exit status $status, not ${want:-1}"
		sed 's/^/# /' "$said"
		return 1
	fi
	if ! diff -u "${1%.spec}.stderr" "$said" >"$found" 2>&1; then
		sed 's/^/# /' "$found"
		return 1
	fi
}

for f in tests/errors/$glob.spec; do
	[ -e "$f" ] || continue
	n=$((n + 1))
	name=$(basename "$f" .spec)
	if case_of "$f"; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		bad=1
	fi
done
echo "1..$n"
[ "$n" -gt 0 ] || { echo "Bail out! no case was found"; exit 1; }
exit $bad
