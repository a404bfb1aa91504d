#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# man.sh [--update] UCOPY: the man page's commands and options are those of the program's table.
cd "$(dirname "$0")/.." || exit 1
page=man/ucopy.1
made=$(mktemp) || exit 1
trap 'rm -f "$made"' EXIT

# page_with COMMAND..: the page with that command's output between its marks
page_with() {
	sed '/^\.\\" begin$/q' "$page"
	"$@" || exit 1
	sed -n '/^\.\\" end$/,$p' "$page"
}

if [ "$1" = --update ]; then
	page_with "$2" --help=man >"$made" && cp "$made" "$page"
	exit
fi
page_with "$1" --help=man >"$made" || exit 1
diff -u "$page" "$made" || exit 1
if command -v man >/dev/null; then
	complaints=$(LC_ALL=C.UTF-8 MANROFFSEQ='' MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z "$page" 2>&1 >/dev/null)
	[ -z "$complaints" ] || { echo "$complaints"; exit 1; }
fi
"$1" --help=bash | bash -n
