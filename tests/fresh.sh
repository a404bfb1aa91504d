#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# fresh.sh [SUITE]: a new Debian in a folder (bookworm; trixie works as well), a clean clone in it, ./regenerate there: it must
# install what it needs, and change nothing.  Wants root, debootstrap and this machine's own package sources.
set -u
top=$(cd "$(dirname "$0")/.." && pwd)
suite=${1:-bookworm}
skip() { echo "skipped: $*"; exit 77; }

[ "$(id -u)" -eq 0 ] || skip 'not root'
command -v debootstrap >/dev/null || skip 'debootstrap is not installed'
mirror=$(apt-get indextargets --format '$(SITE)' 2>/dev/null | grep '/debian$' | sort -u | head -n 1)
[ -n "$mirror" ] || skip 'no Debian mirror among the package sources'

root=$(mktemp -d) || exit 1
finish() {
	umount "$root/proc" "$root/dev" 2>/dev/null
	rm -rf --one-file-system "$root"
}
trap finish EXIT
debootstrap --variant=minbase --include=git,ca-certificates "$suite" "$root" "$mirror" >"$root.log" 2>&1 || {
	tail -n 5 "$root.log"
	rm -f "$root.log"
	skip 'debootstrap failed'
}
rm -f "$root.log"
# Where packages come from is this machine's business; where they come through, too.
cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/" 2>/dev/null
cp /etc/resolv.conf /etc/hosts "$root/etc/" 2>/dev/null
mount -t proc proc "$root/proc" && mount --bind /dev "$root/dev" || skip 'nothing can be mounted'
git clone -q --no-hardlinks "$top" "$root/root/ucopy" || exit 1

chroot "$root" apt-get update -qq >"$root/log" 2>&1 || skip 'no package lists to be had'
chroot "$root" sh -c 'cd /root/ucopy && ./regenerate </dev/null' >"$root/log" 2>&1 || {
	cat "$root/log"
	grep -qE '^E: (Failed to fetch|Unable to fetch)' "$root/log" && skip 'packages could not be fetched'
	echo 'regenerate failed'
	exit 1
}
cat "$root/log"
changed=$(chroot "$root" git -C /root/ucopy status --porcelain)
[ -z "$changed" ] || { echo "regenerate changed:"; echo "$changed"; exit 1; }
echo "$suite: nothing changed"
