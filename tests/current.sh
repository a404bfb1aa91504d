#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# current.sh UCOPY: out/ is, to the byte, what the program makes of specs/ and templates/, wherever it is run from.
cd "$(dirname "$0")/.." || exit 1
. tests/tools.sh
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2046
set -- "$1" $(specs | sed "s|^|$PWD/|")
ucopy=$1
shift
(cd / && "$ucopy" gen -o "$scratch/out" "$@") && diff -r out "$scratch/out"
