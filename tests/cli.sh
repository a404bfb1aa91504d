#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# cli.sh UCOPY: the command line as a user meets it.  Prints TAP.
cd "$(dirname "$0")/.." || exit 1
ucopy=$(realpath "$1")
root=$PWD
spec=specs/arm64.spec
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
n=0 bad=0

# is NAME COMMAND..: a case
is() {
	name=$1
	shift
	n=$((n + 1))
	if "$@" >"$scratch/log" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$scratch/log"
		bad=1
	fi
}

# ends STATUS ARGUMENT..: the program's exit status, its output in $scratch/out and $scratch/err
ends() {
	want=$1
	shift
	"$ucopy" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	cat "$scratch/out" "$scratch/err"
	[ "$status" -eq "$want" ]
}

says() { grep -q -- "$2" "$scratch/$1"; }
silent() { [ ! -s "$scratch/$1" ]; }

usage() { ends 2 "$@" && silent out && says err "^ucopy: "; }
help_on_stdout() { ends 0 --help && silent err && says out "^Usage: ucopy"; }
version_on_stdout() { ends 0 --version && silent err && says out "^ucopy [0-9]"; }
near_option() { usage check --taget=x "$spec" && says err "did you mean '--target'"; }
near_command() { usage chek "$spec" && says err "did you mean 'check'"; }
full_device() { "$ucopy" --help >/dev/full; [ $? -eq 3 ]; }
no_file() { ends 1 check gone.spec && silent out && says err '\[file-not-read\]'; }
no_machine() { ends 1 check specs/common.spec && silent out && says err '\[unknown-machine\]'; }
no_routine() { ends 1 check --routine copy_to_usr "$spec" && silent out && says err 'error: .*copy_to_usr'; }
no_target() { ends 1 check --target plane "$spec" && silent out && says err '\[unknown-target\]'; }
json() {
	ends 1 check --diagnostics=json gone.spec && silent out && python3 -c \
		'import json, sys; [json.loads(line) for line in sys.stdin] or sys.exit(1)' <"$scratch/err"
}

check_lines() {
	ends 0 check "$spec" && silent err && says out '^arm64/plain copy_to_user: .*exact, maximal$' &&
		says out '^arm64/plain memcpy: [0-9]* instructions, no fault sites$'
}

# Each of several specs is told its errors, whatever is wrong with the others.
every_spec() {
	ends 1 check tests/errors/result_empty.spec tests/errors/target_of_nowhere.spec && [ "$(grep -c 'error:' "$scratch/err")" -eq \
		$(($(grep -c 'error:' tests/errors/result_empty.stderr) + $(grep -c 'error:' tests/errors/target_of_nowhere.stderr))) ]
}

gen() { "$ucopy" gen -o "$scratch/$1" --depfile "$scratch/$1.d" "$2"; }
gen_twice() {
	gen a "$spec" || return 1
	find "$scratch/a" -type f -printf '%p %i %T@\n' | sort >"$scratch/before"
	gen a "$spec" >"$scratch/out" || return 1
	find "$scratch/a" -type f -printf '%p %i %T@\n' | sort >"$scratch/after"
	cmp "$scratch/before" "$scratch/after" && says out ', unchanged$' && [ -s "$scratch/before" ]
}
gen_elsewhere() { (cd specs && gen b arm64.spec) && (cd / && gen c "$root/$spec") &&
	diff -r "$scratch/a" "$scratch/b" && diff -r "$scratch/a" "$scratch/c"; }
gen_linked() {
	mkdir "$scratch/linked" && ln -s "$root/specs" "$scratch/linked/folder" &&
		gen l "$scratch/linked/folder/arm64.spec" && diff -r "$scratch/a" "$scratch/l"
}
gen_nowhere() { ends 3 gen -o /dev/null/x "$spec" && silent out && says err '\[file-not-written\]'; }
gen_one() {
	"$ucopy" gen -o "$scratch/one" --target plain --routine memcpy "$spec" &&
		[ "$(cd "$scratch/one" && find . -type f)" = ./arm64/plain/memcpy.S ]
}
gen_comments() {
	"$ucopy" gen -o "$scratch/comments" --comments "$spec" || return 1
	grep -q '/\* templates/.*tmpl:[0-9]*, specs/arm64.spec:[0-9]* \*/$' "$scratch/comments/arm64/plain/memcpy.S" &&
		(cd "$scratch/comments" && find . -name '*.S' -exec sed -i -E 's,[ ]+/\* templates/.*,,' {} +) &&
		diff -r "$scratch/a" "$scratch/comments"
}
# A folder's `..` is its own parent: only where it is no link can both be left out.
detours() (
	mkdir -p "$scratch/far/away" "$scratch/near/real" && cd "$scratch/near" && ln -s ../far/away link || exit 1
	printf 'include `../x`\n' >real/a && printf 'include `../x`\n' >../far/away/b && printf '!' >x && printf '!' >../far/x
	ends 1 check real/a && says err '^x:1:1: error' && ends 1 check ./real/../real/a && says err '^\./x:1:1: error' &&
		ends 1 check link/b && says err '^link/../x:1:1: error' && ends 1 check "$scratch/near/real/a" &&
		says err "^$scratch/near/x:1:1: error"
)
depfile() {
	grep -q "^[^:]*$scratch/a/arm64/plain/memcpy.S[^:]*: .*specs/arm64.spec" "$scratch/a.d" &&
		grep -q 'templates/copy.tmpl' "$scratch/a.d" && [ "$(wc -l <"$scratch/a.d")" = 1 ]
}
# A spec that lies about one effect: refused, and what was written before stays as it was.
refused_writes_nothing() {
	mkdir -p "$scratch/tree/specs" && cp specs/*.spec "$scratch/tree/specs" && cp -r templates "$scratch/tree" &&
		sed -i -E '/stp \{a\}, \{b\}, \[\{p\}, #\{i:pair\}\]/s/M8\[p \+ i \+ 8\] = b/M8[p + i + 8] = a/;
			/sttr/s/U8,4,2,1\[p \+ i\] = a/U8,4,2,1[p + i] = a + 1/' "$scratch/tree/$spec" &&
		! cmp -s "$scratch/tree/$spec" "$spec" || return 1
	mkdir "$scratch/refused" && touch "$scratch/refused/keep"
	"$ucopy" gen -o "$scratch/refused" "$scratch/tree/$spec"
	status=$?
	echo "status $status"
	[ "$status" = 3 ] || [ "$status" = 1 ] || return 1
	[ "$(find "$scratch/refused" -type f)" = "$scratch/refused/keep" ]
}

# A target's text for loops stands before the label of one, and of every one that a template aligns.
loops_aligned() {
	printf 'include `%s/%s`\ntarget wide of arm64 from plain { loop { `.p2align 6` } }\n' "$root" "$spec" >"$scratch/wide.spec"
	ends 0 gen -o "$scratch/wide" --target wide --routine copy_to_user "$scratch/wide.spec" &&
		grep -A 1 'p2align 6' "$scratch/wide/arm64/wide/copy_to_user.S" | grep -q '_next:$' &&
		[ "$(grep -v 'p2align 6' "$scratch/wide/arm64/wide/copy_to_user.S" | sed 1,2d)" = \
			"$(sed 1,2d out/arm64/plain/copy_to_user.S)" ]
}

no_sites() {
	ends 0 gen -o "$scratch/none" --target plain --routine memcpy "$spec" && silent err &&
		says out '^arm64/plain 1 routine, no fault sites, 1 written$'
}
# A routine that goes on in another is no better than that one, and doesn't say it is.
jumping() {
	cp tests/errors/parts/base.spec "$scratch" &&
		sed 's/^    keep /    enter { `in` } leave { `out` } keep /' tests/errors/parts/proof.spec >"$scratch/proof.spec"
	cat >"$scratch/jumping.spec" <<'END'
include `proof.spec`
routine copy(dst, src, n) {
    temp t, d, s, left
    d = dst
    s = src
    left = n
    resume out(n = left)
    if left == 0 goto out
  byte:
    t = S1[s]
    D1[d] = t
    s += 1
    d += 1
    left -= 1
    if left != 0 goto byte
  out:
    return left
}
routine on(dst, src, n) {
    if n == 0 jump copied
    if n < 8 jump copied
    jump from
}
routine copied = copy with src user, dst user
routine from = copy with src user, dst user
routine short = on with dst user
target jumps of p from plain { emit from, copied, short }
END
	ends 0 check --target jumps "$scratch/jumping.spec" &&
		says out '^p/jumps short: .*, as exact and maximal as copied and from$' && says out '^p/jumps copied: .*, exact, maximal$' &&
		ends 0 gen -o "$scratch/jumps" --target jumps "$scratch/jumping.spec" && says out ' exact, maximal, 3 written$' &&
		ends 0 gen -o "$scratch/jumps" --target jumps --routine short "$scratch/jumping.spec" &&
		says out '^p/jumps 1 routine, 0 fault sites, as exact and maximal as what they go on in, unchanged$' &&
		cp "$scratch/jumps/p/jumps/short.S" "$scratch/out" && says out 'Goes on in copied and from, ' &&
		[ "$(grep -c 'j copied\|j from' "$scratch/out")" -ge 2 ] && [ "$(grep -B 1 'j copied\|j from' "$scratch/out" |
			grep -cx $'\tout')" -eq "$(grep -c 'j copied\|j from' "$scratch/out")" ] &&
		says out 'place of a fault, where it goes on in no other:$' && ! says out 'No access can fault' &&
		ends 0 table --target jumps --routine short "$scratch/jumping.spec" && says out '"maximal": null' &&
		says out '"exact": null' && says out '"rewrites": null' && says out '"copied"' &&
		ends 0 table --target jumps --format c "$scratch/jumping.spec" &&
		says out '"short", "short", "residual", -1, -1, -1, .*, goes_on_2, ' && says out 'goes_on_2.* = { "copied", "from", 0 };' &&
		cc -std=c17 -Wall -Werror -c -o "$scratch/t.o" -x c "$scratch/out"
}

variant() {
	ends 0 gen -o "$scratch/variant" --target plain --target plain+each --routine copy_to_user "$spec" && silent err &&
		says out '^arm64/plain 1 routine' && says out '^arm64/plain+each 1 routine' &&
		head -n 2 "$scratch/variant/arm64/plain+each/copy_to_user.S" | grep -q ' as plain+each; do not edit' &&
		cmp "$scratch/a/arm64/plain/copy_to_user.S" "$scratch/variant/arm64/plain/copy_to_user.S" &&
		! cmp -s "$scratch/variant/arm64/plain/copy_to_user.S" "$scratch/variant/arm64/plain+each/copy_to_user.S"
}
# On a terminal of its own; the variable counts when it says something.
colours() { NO_COLOR=$1 script -qec "'$ucopy' check gone.spec" /dev/null </dev/null | grep -q $'\033\[[0-9;]*m'; }
no_colour() { command -v script >/dev/null || return 0; colours '' && ! colours 1; }

# As many threads as there are processors for it, whatever others there are.
one_processor() {
	command -v taskset >/dev/null || return 0
	taskset -c "$(taskset -cp $$ | sed 's/.*[ ,-]//')" "$ucopy" check "$spec" >"$scratch/out" 2>&1 &
	most=0
	while threads=$(sed -n 's/^Threads:\t//p' /proc/$!/status 2>/dev/null) && [ -n "$threads" ]; do
		[ "$threads" -gt "$most" ] && most=$threads
	done
	echo "$most threads"
	wait $! && [ "$most" = 1 ]
}
# What was being done, shown once it takes a while (it is stopped for that), is gone before anything else is said.
progress() {
	command -v script >/dev/null || return 0
	script -qec "'$ucopy' check --dump=ir specs/*.spec & sleep 0.1; kill -STOP \$!; sleep 2.5; kill -CONT \$!; wait \$!" /dev/null \
		</dev/null >"$scratch/out" 2>&1
	tr '\r' '\n' <"$scratch/out" | grep -c $'^\033\[K.*/plain'
	! grep -q $'\033\[K[^\r]*[^\r]routine [a-z_]*, symbol' "$scratch/out"
}

# What a machine that nobody has told the tests about needs.
new_machine() {
	for run in 'matrix/run' "patterns/run /bin/false" "assemble.sh $ucopy"; do
		# shellcheck disable=SC2086
		tests/$run vax >"$scratch/out" 2>&1
		[ $? -ne 0 ] && says out 'a row in tests/machines.tsv' || return 1
	done
	tests/matrix/run vax 2>&1 | grep -q 'tests/matrix/machine/vax\.S' &&
		tests/patterns/run /bin/false vax 2>&1 | grep -q 'tests/patterns/machine/vax\.S'
}

# What fixups that return can serve, and what they can't.
returning() {
	for t in plain+aligned+ladder plain+each+aligned+direct; do
		ends 0 check --target $t --routine copy_to_user --routine clear_user "$spec" &&
			ends 3 check --target $t --routine copy_from_user --routine copy_in_user "$spec" && silent out &&
			says err ' copy_from_user: .*\[no-progress\]' && says err ' copy_in_user: .*\[no-progress\]' || return 1
	done
	ends 3 check --target plain+ladder --routine clear_user "$spec" && says err '\[residual-not-exact\]'
}

# No machine is asked for, as with --help.
harness_options() {
	tests/matrix/run --help-harness >"$scratch/out" && says out '^  --quick  *a sample' && says out '^  --list' &&
		tests/matrix/run x86_64 --help-harness | cmp - "$scratch/out"
}

table_agrees() {
	"$ucopy" table --format json "$spec" >"$scratch/t.json" && "$ucopy" table --format c "$spec" >"$scratch/t.c" &&
		"$ucopy" table --format asm "$spec" >"$scratch/t.s" || return 1
	cc -std=c17 -Wall -Werror -c -o "$scratch/t.o" -x c "$scratch/t.c" || return 1
	! command -v c++ >/dev/null || { c++ -Wall -Werror -c -o "$scratch/t.o" -x c++ "$scratch/t.c" &&
		nm "$scratch/t.o" | grep -q ' [A-Z] ucopy_routines$'; } || return 1
	! command -v clang >/dev/null || clang -Wall -Wmissing-variable-declarations -Werror -fsyntax-only -x c "$scratch/t.c" || return 1
	python3 - "$scratch" <<'END'
import json, pathlib, re, sys
where = pathlib.Path(sys.argv[1])
routines = json.loads((where / "t.json").read_text())["routines"]
c = re.findall(r'^\t\{ (\d+), (\d+), (\d+), "([^"]*)", "', (where / "t.c").read_text(), re.M)
asm = re.findall(r"(\S+) - \.\n\s*\S+ (\S+) - \.", (where / "t.s").read_text())
flat = [s for r in routines for s in r["sites"]]
assert flat, "no fault sites"
assert [tuple(str(s[k]) for k in ("instruction", "line", "fixup_instruction", "access")) for s in flat] == c
words = re.findall(r'^\t\{ "(.*?)", "(.*?)", "(.*?)", "(.*?)", "(.*?)", (\d), (\d), (\d), (\d), (\d+), (\d+), 0, ', (where / "t.c").read_text(), re.M)
names = ["machine", "target", "routine", "symbol", "returns", "exact", "maximal", "rewrites", "zeroing", "instructions"]
assert [[str(r[k] if not isinstance(r[k], bool) else int(r[k])) for k in names] + [str(len(r["sites"]))] for r in routines] == \
    [list(w) for w in words]
assert [(s["site"], s["fixup"]) for s in flat] == asm
for r in routines:
    text = (where / "a" / r["machine"] / r["target"] / (r["routine"] + ".S")).read_text()
    printed = re.findall(r"(\S+) - \.\n\s*\S+ (\S+) - \.", text)
    assert [(s["site"], s["fixup"]) for s in r["sites"]] == printed, r["routine"]
    for s in r["sites"]:
        assert f"{s['site']}:\n\t{s['text']}\n" in text, s
        assert f"{s['fixup']}:\n" in text, s
END
}

# Each key that JSON has is in the man page.
keys_described() {
	"$ucopy" table "$spec" >"$scratch/t.json" && ! "$ucopy" check --diagnostics=json tests/errors/no_instruction_range.spec \
		2>"$scratch/m.json" || return 1
	python3 - "$scratch" <<'END'
import json, pathlib, re, sys
where = pathlib.Path(sys.argv[1])
page = pathlib.Path("man/ucopy.1").read_text().partition(".SH FORMATS")[2].partition("\n.SH ")[0]
described = set(re.findall(r"\w+", " ".join(re.findall(r"^\.B.? (.*)$", page, re.M)).replace("\\fB", "").replace("\\fR", "")))
keys = set()
json.loads((where / "t.json").read_text(), object_pairs_hook=lambda pairs: keys.update(k for k, _ in pairs))
for line in (where / "m.json").read_text().splitlines():
    json.loads(line, object_pairs_hook=lambda pairs: keys.update(k for k, _ in pairs))
assert len(keys) > 25 and not keys - described, keys - described
END
}

explains() { ends 0 explain "$spec" copy_to_user && silent err && says out '^  *fault: goes on at .*; left: n - W' &&
	says out 'W = n; x0 = 0$' && ! says out ' $'; }
# The lines of template and spec are beside every instruction that has a template's line, and nothing else is new.
explains_lines() {
	"$ucopy" explain "$spec" copy_to_user >"$scratch/plain" && ends 0 explain --comments "$spec" copy_to_user && silent err &&
		says out '^          for templates/copy.tmpl:[0-9]* by specs/arm64.spec:[0-9]*$' &&
		[ "$(grep -c '^ *[0-9][0-9]*   [a-z]' "$scratch/plain")" -eq "$(grep -c '^          for ' "$scratch/out")" ] &&
		grep -v '^          for ' "$scratch/out" | cmp - "$scratch/plain"
}
why_not() {
	ends 0 why-not "$spec" copy_to_user stp && silent err &&
		says out "^copy_to_user of arm64/plain$" && says out "^specs/arm64.spec:[0-9]*: \`stp {a:z}, {b:z}, \[{p}, #" &&
		says out "^    templates/copy.tmpl:[0-9]*: not for \`D8u\[.* and [0-9]* like it: it can't access that side$" || return 1
	ends 0 why-not "$spec" memcpy 'ldp {a}, {b}, [{p}, ' && says out '^    taken [0-9]* times$' &&
		says out "S4u.*: it accesses another number of bytes$" &&
		says out "it also does .*, which is not what follows$" && says out "is one register there, and not both" || return 1
	ends 0 why-not "$spec" memcpy ldrh && says out '`ldr{,,h,b} ' || return 1
	ends 0 why-not specs/x86_64.spec memcpy lea && says out ': specs/x86_64.spec:[0-9]* `mov .*` does it too, and stands before it$'
}
why_not_lowered() {
	ends 1 why-not tests/errors/no_instruction_range.spec copy li && says err 'no-instruction' &&
		says out ': .* is out of the range of `i`$'
}
no_line() { ends 1 why-not "$spec" memcpy nosuch && silent out && says err '\[no-such-line\]$'; }
completes() {
	eval "$("$ucopy" --help=bash)" || return 1
	COMP_WORDS=(ucopy ge) COMP_CWORD=1 && _ucopy && [ "${COMPREPLY[*]}" = gen ] || return 1
	COMP_WORDS=(ucopy table --format '') COMP_CWORD=3 && _ucopy && [ "${COMPREPLY[*]}" = 'json c asm' ] || return 1
	COMP_WORDS=(ucopy gen --dep) COMP_CWORD=2 && _ucopy && [ "${COMPREPLY[*]}" = --depfile ]
}

is 'help goes to standard output' help_on_stdout
is 'so does the version' version_on_stdout
is 'no command' usage
is 'unknown option' usage check --frob "$spec"
is 'unknown option, a near one is named' near_option
is 'unknown command, a near one is named' near_command
is 'an option without its value' usage gen "$spec" -o
is 'a value that is none of the choices' usage table --format xml "$spec"
is 'too few arguments' usage explain "$spec"
is 'an option another command has' usage check -o x "$spec"
is 'standard output is full' full_device
is 'a file that is not there' no_file
is 'a spec without a machine' no_machine
is 'a routine that is not there' no_routine
is 'a target that is not there' no_target
is 'errors of every spec' every_spec
is 'loops are aligned as the target says' loops_aligned
is 'messages as JSON' json
is 'check: a line for each routine' check_lines
is 'gen: a second run changes nothing' gen_twice
is 'gen: the same bytes from any folder' gen_elsewhere
is 'gen: the same bytes from a folder that is a link' gen_linked
is 'gen: a folder that can not be made' gen_nowhere
is 'gen: one routine' gen_one
is 'gen: comments change nothing else' gen_comments
is 'gen: the depfile' depfile
is 'names of files without detours' detours
is 'gen: refused, nothing is written' refused_writes_nothing
is 'an option another command has, as it would be without' usage check --format=json "$spec"
is 'no dump' usage check --dump=none "$spec"
is 'no help' usage --help=none check "$spec"
is 'an empty folder' usage gen -o '' "$spec"
is 'the same target twice' usage check --target plain --target plain "$spec"
is 'gen: a variant has a folder of its own' variant
is 'one processor, one thread' one_processor
is 'progress is taken away before a dump' progress
is 'NO_COLOR counts when it is not empty' no_colour
is 'gen: routines without fault sites' no_sites
is 'a routine that goes on in another claims no more than that' jumping
is 'tests: a machine they do not know' new_machine
is 'fixups that return' returning
is 'tests: options of the fault matrix' harness_options
is 'table: three forms and the files agree' table_agrees
is 'man page: keys of JSON' keys_described
is 'explain: sites and what they return' explains
is 'explain: with lines of template and spec' explains_lines
is 'why-not: how far a line got' why_not
is 'why-not: of a routine that can not be lowered' why_not_lowered
is 'why-not: no such line' no_line
is 'completion' completes
echo "1..$n"
exit $bad
