#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# held.sh UCOPY: copies while a page is held are proved, and each way to do them wrong is refused.  Prints TAP.
cd "$(dirname "$0")/.." || exit 1
ucopy=$1
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
cp -r specs templates "$out"
n=0 bad=0 machine=arm

# check ROUTINE ID: whether a proof fails by ID (none: holds), with the files as they are in $out
check() {
	"$ucopy" check --target pinned --routine "$1" "$out/specs/$machine.spec" >"$out/said" 2>&1
	status=$?
	if [ "$2" = none ]; then
		[ $status -eq 0 ]
	else
		[ $status -ne 0 ] && grep -q "error: .*\\[$2\\]" "$out/said"
	fi
}

# is NAME ID FILE SED-SCRIPT [ROUTINE]: the file is changed so, and must be
is() {
	n=$((n + 1))
	sed -E "$4" "$3" >"$out/$3"
	if ! cmp -s "$3" "$out/$3" && check "${5:-copy_to_user_pinned}" "$2"; then
		echo "ok $n - $1"
	else
		echo "not ok $n - $1"
		sed 's/^/# /' "$out/said"
		bad=1
	fi
	cp "$3" "$out/$3"
}

t=templates/held.tmpl
is 'as it is, but for a comment' none $t 's/^# Page by page/# By pages/'
is 'the same for clearing' none $t 's/^# Page by page/# By pages/' clear_user_pinned
is 'a page is not let go' held-memory $t '/call unpin/d'
is 'it is let go twice' held-memory $t 's/call unpin\(\)/&  call unpin()/'
is 'it is held still where another routine goes on' held-memory $t 's/if held != 0 goto within/if held != 0 goto by_parts/'
is 'whether it is held is not asked' call-not-proved $t '/if held == 0 goto by_parts/d'
is 'more than the page' call-not-proved $t 's/size = granule - size/size = granule/'
is 'a byte more than the page' call-not-proved $t 's/size = granule - size/size = granule + 1 - size/'
is 'more than is left' call-not-proved $t '/^ +size = left$/d'
is 'all that is left' call-not-proved $t 's/memcpy\(d, s, size\)/memcpy(d, s, left)/'
is 'another page' call-not-proved $t 's/held = call pin\(d\)/held = call pin(s)/'
is 'the page behind it' call-not-proved $t 's/held = call pin\(d\)/held = call pin(d + granule)/'
is 'the page before it' call-not-proved $t 's/held = call pin\(d\)/held = call pin(d + -granule)/'
is 'another place' call-not-proved $t 's/memcpy\(d, s, size\)/memcpy(s, d, size)/'
is 'the count stays behind' call-not-proved $t 's/left -= size/left -= 1/'
is 'the source stays behind' call-not-proved $t '/^ +s \+= size/d'
is 'variables are not where calls leave them' call-not-proved $t 's/temp d : kept/temp d/'
is 'other bytes than zeros' call-not-proved $t 's/memset\(d, 0, size\)/memset(d, 1, size)/' clear_user_pinned
is 'what goes on finds an old destination' jump-after-changes $t '/^ +dst = d$/d'
is 'what goes on finds an old count' jump-after-changes $t '/^ +n = left$/d'
is 'it can take forever' loop-may-not-end $t 's/if held == 0 goto by_parts/if held == 0 goto page/'
is 'a routine that can fault is called' unfit-callee $t 's/call memcpy/call copy_to_user/'
is 'a hook that is not declared' unknown-hook $t 's/call touch/call tuch/'
is 'a hook with too few arguments' argument-count $t 's/call touch\(d\)/call touch()/'
is 'a hook the target does not know' unfit-callee specs/arm.spec 's/hook touch `ucopy_touch`//'
is 'a hook that no template declares' unknown-hook specs/arm.spec 's/hook touch `ucopy_touch`/hook tuch `ucopy_touch`/'
is 'a frame without the return address' saved-not-kept specs/arm.spec 's/stack call enter.*odd/ /'
machine=x86_64
is 'on another machine' none $t 's/^# Page by page/# By pages/'
is 'a call outside of a frame' frame-not-dropped $t 's/^    if n < pin jump copy_to_user$/    call touch(dst)/'

# of ROUTINE ID NAME: a routine of tests/specs/calls.spec, of each machine there
of() {
	n=$((n + 1))
	"$ucopy" check --target "${4:-calls}" --routine "$1" tests/specs/calls.spec >"$out/said" 2>&1
	status=$?
	if if [ "$2" = none ]; then [ $status -eq 0 ]; else [ $status -ne 0 ] && grep -q "error: .*\\[$2\\]" "$out/said"; fi; then
		echo "ok $n - $3"
	else
		echo "not ok $n - $3"
		sed 's/^/# /' "$out/said"
		bad=1
	fi
}

of bare_user frame-not-dropped 'a call without a frame'
of nothing_kept_user none 'a frame for the call alone'
of kept_user none 'what a hook destroys is not taken for what is kept'
of less_user none 'below 1 is 0'
of more_user none 'at least 1 is not 0'
of memset_low none 'the low byte of what is filled with'
of copy_to_user_pinned call-not-proved 'ordinary accesses that do not reach user memory' domains_held
of copy_to_user_pinned none 'pages of 64K' wide
of held_twice unfit-callee 'what is called holds a page itself'
sed 's/`push {{{all}, lr}}`/`push {{{all}}}`/; /stack call/d; s/^    stack enter { `push {{{all}}}` } leave { `pop {{{all}}}` }/    stack enter { `push {{{all}, lr}}` } leave { `pop {{{all}, lr}}` }/' \
	specs/arm.spec >"$out/specs/arm.spec"
machine=arm
is 'a call outside of any frame' frame-not-dropped $t 's/^    if n < pin jump copy_to_user$/    call touch(dst)/'
echo "1..$n"
exit $bad
