#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# races.sh: the program with a detector of data races gives the same output and messages, and has none.  Skipped (77)
# where the detector itself doesn't run: some kernels spread addresses wider than it can follow.
cd "$(dirname "$0")/.." || exit 1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
echo 'int main(void) { return 0; }' >"$scratch/try.c"
cc -fsanitize=thread -o "$scratch/try" "$scratch/try.c" && "$scratch/try" || exit 77
meson setup "$scratch/build" -Db_sanitize=thread && ninja -C "$scratch/build" ucopy || exit 1
tests/current.sh "$scratch/build/ucopy" && tests/golden.sh "$scratch/build/ucopy"
