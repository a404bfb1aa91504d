#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# tune.sh UCOPY [GLOB]: what is measured, what becomes of it, and what a profile may say.  No case asserts a time.  Prints TAP.
cd "$(dirname "$0")/.." || exit 1
ucopy=$(realpath "$1")
only=${2:-*}
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tmp"
export TMPDIR=$scratch/tmp
n=0 bad=0

# is NAME COMMAND..: a case
is() {
	name=$1
	shift
	# shellcheck disable=SC2254
	case $name in $only) ;; *) return ;; esac
	n=$((n + 1))
	if "$@" >"$scratch/log" 2>&1; then
		echo "ok $n - $name"
	else
		echo "not ok $n - $name"
		sed 's/^/# /' "$scratch/log"
		bad=1
	fi
}

# unless COMMAND NAME..: a case, or that it is skipped where a command is missing
unless() {
	needs=$1
	shift
	for c in $needs; do
		command -v "$c" >/dev/null && continue
		# shellcheck disable=SC2254
		case $1 in $only) ;; *) return ;; esac
		n=$((n + 1))
		echo "ok $n - $1 # SKIP no $c"
		return
	done
	is "$@"
}

# ends STATUS ARGUMENT..: the exit status; output in $scratch/out and $scratch/err
ends() {
	want=$1
	shift
	timeout 300 "$ucopy" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	head -c 3000 "$scratch/out" "$scratch/err"
	[ "$status" -eq "$want" ]
}

says() { grep -q -- "$2" "$scratch/$1"; }
silent() { [ ! -s "$scratch/$1" ]; }
nothing_left() { [ -z "$(ls "$TMPDIR")" ]; }
usage() { ends 2 "$@" && silent out && says err "^ucopy: "; }

# profile TUNES [MACHINE [FORM]]: $scratch/p.json
profile() { printf '{"profile": %s, "machine": "%s", "tunes": {%s}}\n' "${3-1}" "${2-x86_64}" "$1" >"$scratch/p.json"; }

# check_profile FILE MEASURED ROUNDS ROUTINE..: is it whole, and are its routines these?
check_profile() {
	python3 - "$@" <<'END'
import json, sys
p = json.load(open(sys.argv[1]), parse_float=lambda s: sys.exit(f"{s} is no integer"))
sizes = p["sizes"]
assert p["generator"] == "ucopy" and p["profile"] == 1 and p["measured"] == sys.argv[2] and p["rounds"] == int(sys.argv[3])
assert sizes[:33] == list(range(33)) and sizes[-1] == 1 << 20 and sizes == sorted(set(sizes)) and 256 in sizes and 320 in sizes
routines = [m["routine"] for m in p["methods"] if not m["with"]]
assert routines == sys.argv[4:], routines
for m in p["methods"]:
    assert set(m) == {"routine", "with", "aligned", "misaligned", "mixes"}
    for a in ("aligned", "misaligned"):
        assert len(m[a]) == len(sizes) and all(isinstance(v, int) and v >= 0 for v in m[a]) and m[a][-1] > m[a][0]
        assert set(m["mixes"][a]) == {"memcpy", "syscalls"} and all(v > 0 for v in m["mixes"][a].values())
assert p["tunes"] and all(isinstance(v, int) for v in p["tunes"].values())
END
}

native() {
	ends 0 bench --rounds 3 -o "$scratch/n.json" --plot "$scratch/n.svg" specs/x86_64.spec && silent err && nothing_left &&
		check_profile "$scratch/n.json" picoseconds 3 copy_to_user_blocks copy_to_user_string copy_to_user_by_size &&
		says out '^string_from: ' && says out '^block: ' && says out '^x86_64/methods: nanoseconds a call' &&
		says out '^   1048576 ' && says out '^  *syscalls ' && says out '^  A   copy_to_user_blocks$' &&
		says out 'copy_to_user_blocks, block 128$'
}
picture() {
	python3 - "$scratch/n.svg" <<'END'
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
svg = "{http://www.w3.org/2000/svg}"
assert root.tag == svg + "svg" and float(root.get("font-size")) >= 12
texts = [t.text for t in root.iter(svg + "text")]
assert {"bytes per nanosecond", "bytes copied or filled", "1", "1 KiB", "1 MiB", "copy_to_user_string"} <= set(texts), texts
lines = list(root.iter(svg + "polyline"))
assert len(lines) >= 4
for line in lines:
    points = [tuple(map(float, p.split(","))) for p in line.get("points").split()]
    assert len(points) > 80 and points == sorted(points, key=lambda p: p[0])
    assert all(0 < x < float(root.get("width")) and 0 < y < float(root.get("height")) for x, y in points)
END
}
# What was measured is what is generated, and is then measured without candidates.
round_trip() {
	value=$(python3 -c 'import json, sys; print(json.load(open(sys.argv[1]))["tunes"]["string_from"])' "$scratch/n.json") &&
		ends 0 gen --tune "$scratch/n.json" -o "$scratch/o" --target methods specs/x86_64.spec &&
		grep -q "cmp \$$value, " "$scratch/o/x86_64/methods/copy_to_user_by_size.S" &&
		ends 0 bench --tune "$scratch/n.json" --rounds 1 specs/x86_64.spec && says out "^copy_to_user_by_size, string_from $value: " &&
		! says out 'copy_to_user_blocks, block'
}
no_warnings() {
	for cc in 'cc -std=c17' clang; do
		command -v "${cc%% *}" >/dev/null || continue
		ends 0 bench --rounds 1 --cc "$cc -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Werror" \
			specs/x86_64.spec || return 1
	done
}

tuned() {
	profile '"string_from": 1234, "block": 32'
	ends 0 gen --tune "$scratch/p.json" -o "$scratch/t" --depfile "$scratch/t.d" --target methods specs/x86_64.spec && silent err &&
		grep -q 'cmp \$1234, ' "$scratch/t/x86_64/methods/copy_to_user_by_size.S" &&
		grep -qx ' \* Tuned: block 32, string_from 1234.' "$scratch/t/x86_64/methods/copy_to_user_blocks.S" &&
		grep -q "$scratch/p.json" "$scratch/t.d" && ! grep -rq 'p.json' "$scratch/t" &&
		! cmp -s "$scratch/t/x86_64/methods/copy_to_user_blocks.S" out/x86_64/methods/copy_to_user_blocks.S &&
		mkdir "$scratch/else" && cp "$scratch/p.json" "$scratch/else/q.json" &&
		ends 0 gen --tune "$scratch/else/q.json" -o "$scratch/t" --target methods specs/x86_64.spec && says out ', unchanged$' &&
		! grep -rq Tuned out
}
# Every value that a profile can have can be generated.
values() {
	for v in 0 1 4096 1073741824; do
		for block in 16 32 64 128; do
			profile "\"string_from\": $v, \"block\": $block, \"ahead\": 0"
			ends 0 check --tune "$scratch/p.json" specs/x86_64.spec || return 1
		done
	done
}
others_take_it() {
	profile '"string_from": 777'
	ends 0 explain --tune "$scratch/p.json" --target methods specs/x86_64.spec copy_to_user_by_size && says out 'cmp \$777, ' &&
		ends 0 table --tune "$scratch/p.json" --target methods specs/x86_64.spec &&
		ends 1 gen --tune "$scratch/p.json" -o "$scratch/none" specs/x86_64.spec specs/i386.spec && says err '\[foreign-profile\]' &&
		[ ! -e "$scratch/none" ]
}

# hostile ID: $scratch/p.json is refused with that message, in printable characters
hostile() {
	ends 1 check --tune "$scratch/p.json" specs/x86_64.spec && silent out && says err "\[$1\]" &&
		! LC_ALL=C grep -q '[^[:print:][:space:]]' "$scratch/err" &&
		ends 1 check --diagnostics=json --tune "$scratch/p.json" specs/x86_64.spec &&
		python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin] or sys.exit(1)' <"$scratch/err"
}
bytes() { printf "$2" >"$scratch/p.json"; hostile "$1"; }
deep() { python3 -c 'print("[" * 200000)' >"$scratch/p.json"; hostile bad-json; }
deep_object() { python3 -c 'print("{\"a\":" * 100000 + "1" + "}" * 100000)' >"$scratch/p.json"; hostile bad-json; }
huge() { truncate -s 3G "$scratch/p.json"; hostile file-too-large && rm "$scratch/p.json"; }
many_tunes() {
	profile "$(python3 -c 'print(",".join(f"\"t{i}\": {i}" for i in range(20000)))')"
	hostile unknown-tune
}
long_name() { profile "\"$(printf 'x%.0s' {1..100000})\": 1"; hostile unknown-tune; }
no_file() {
	mkfifo "$scratch/fifo"
	for f in "$scratch" /dev/zero "$scratch/fifo" /dev/stdin "$scratch/gone"; do
		ends 1 check --tune "$f" specs/x86_64.spec && says err '\[file-not-read\]' || return 1
	done
}

no_methods() { ends 1 bench specs/arm64.spec && silent out && says err '\[nothing-to-measure\]' && nothing_left; }
no_compiler() {
	ends 3 bench -o "$scratch/no.json" --cc ./nosuch-cc specs/x86_64.spec && silent out && says err '`./nosuch-cc` can not be run: No such' &&
		ends 3 bench -o "$scratch/no.json" --cc false specs/x86_64.spec && silent out && says err '`false` ended with exit status 1 \[not-built\]' &&
		nothing_left && [ ! -e "$scratch/no.json" ]
}
complains() {
	printf '#!/bin/sh\necho first line >&2\necho second >&2\nexit 4\n' >"$scratch/bad-cc" && chmod +x "$scratch/bad-cc"
	ends 3 bench --cc "$scratch/bad-cc" specs/x86_64.spec && says err 'note: first line$' && says err 'note: second$'
}
# A compiler that makes something else: what it says, and how it ends.
impostor() {
	for body in 'exit 7' 'echo 0 0 1 2' 'kill -9 $$' ''; do
		printf '#!/bin/sh\nwhile [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; shift; done\nprintf "#!/bin/sh\\n%%s\\n" %s >"$out"\nchmod +x "$out"\n' \
			"'$body'" >"$scratch/other-cc" && chmod +x "$scratch/other-cc"
		ends 3 bench --cc "$scratch/other-cc" specs/x86_64.spec && silent out && says err '\[not-run\]' && nothing_left || return 1
	done
}
# .. and one that says more than the times.
talkative() {
	printf '#!/bin/sh\nfor a; do [ "$before" = -o ] && out=$a; before=$a; done\ncc "$@" && mv "$out" %s && printf %s >"$out" && chmod +x "$out"\n' \
		"$scratch/real" "'#!/bin/sh\n$scratch/real \$1; echo done\n'" >"$scratch/other-cc" && chmod +x "$scratch/other-cc"
	ends 3 bench --rounds 1 --cc "$scratch/other-cc" specs/x86_64.spec && silent out && says err 'something else than times \[not-run\]' &&
		nothing_left && [ -x "$scratch/real" ]
}
# Who never stops is ended, with all it has started: one that prints, complains, or does so behind its own end.
endless() {
	for body in 'yes 1' 'trap "" TERM; while :; do yes 1 >&2; done' 'yes 1 & echo $! >"$0.pid"; sleep 1'; do
		printf '#!/bin/sh\n%s\n' "$body" >"$scratch/endless" && chmod +x "$scratch/endless"
		for option in --cc --run; do
			ends 3 bench --rounds 1 "$option" "$scratch/endless" specs/x86_64.spec && silent out && nothing_left &&
				says err "\`$scratch/endless\` says too much, and was ended \[not-" || return 1
		done
	done
	# who has ended and is waited for by nobody is still there by name
	for _ in $(seq 50); do
		case $(cut -d ' ' -f 3 "/proc/$(cat "$scratch/endless.pid")/stat" 2>/dev/null) in '' | Z) return 0 ;; esac
		sleep 0.1
	done
	return 1
}
not_written() {
	printf '#!/bin/sh\nexec cc "$@"\n' >"$scratch/cc" && chmod +x "$scratch/cc"
	ends 3 bench --rounds 1 --cc "$scratch/cc" -o "$scratch/gone/p.json" --plot "$scratch/x.svg" specs/x86_64.spec && silent out &&
		says err '\[file-not-written\]' && [ ! -e "$scratch/x.svg" ] && [ ! -e "$scratch/gone" ]
}
same_file() {
	ends 1 bench -o "$scratch/x" --plot "$scratch/x" specs/x86_64.spec && says err '\[given-twice\]' && [ ! -e "$scratch/x" ] &&
		cp -r specs templates "$scratch/tmp" && ends 1 bench -o "$TMPDIR/specs/x86_64.spec" "$TMPDIR/specs/x86_64.spec" &&
		cmp specs/x86_64.spec "$TMPDIR/specs/x86_64.spec" && rm -r "$TMPDIR/specs" "$TMPDIR/templates"
}
# It is the same by any name: through `.` and `..`, a folder that is a link, or as another file's link.
same_file_by_two_names() {
	mkdir -p "$scratch/f/real" && ln -s real "$scratch/f/link" && echo old >"$scratch/f/real/old" && ln -s old "$scratch/f/real/other" &&
		cp -r specs templates "$scratch/f" || return 1
	while read -r profile picture said; do
		ends 1 bench --rounds 1 -o "$scratch/f/$profile" --plot "$scratch/f/$picture" "$scratch/f/specs/x86_64.spec" &&
			says err "^error: $scratch/f/$said is given twice: .*\[given-twice\]" || return 1
	done <<'END'
x ./x ./x
x real/../x real/../x
real/x link/x link/x
real/old real/other real/other
specs/../specs/x86_64.spec y specs/../specs/x86_64.spec
y ./templates/copy.tmpl ./templates/copy.tmpl
gone/x gone/./x gone/./x
END
	[ "$(cat "$scratch/f/real/old")" = old ] && [ ! -e "$scratch/f/x" ] && [ ! -e "$scratch/f/y" ] && diff -r specs "$scratch/f/specs" &&
		diff -r templates "$scratch/f/templates"
}
# Ended by a signal, it takes the compiler and all files with it.
killed() {
	printf '#!/bin/sh\necho $$ >"%s"\nexec sleep 100\n' "$scratch/pid" >"$scratch/slow-cc" && chmod +x "$scratch/slow-cc"
	"$ucopy" bench --cc "$scratch/slow-cc" specs/x86_64.spec &
	ucopy_pid=$!
	for _ in $(seq 100); do [ -s "$scratch/pid" ] && break; sleep 0.1; done
	kill "$ucopy_pid"
	wait "$ucopy_pid"
	[ $? -eq 143 ] && nothing_left || return 1
	for _ in $(seq 50); do kill -0 "$(cat "$scratch/pid")" 2>/dev/null || return 0; sleep 0.1; done
	return 1
}

# In an emulator: the byte loop's counts rise by the same for each byte, twice the same is counted, and a choice costs as much.
counts() {
	ends 0 bench --cc riscv64-linux-gnu-gcc --run qemu-riscv64 -o "$scratch/a.json" --plot "$scratch/a.svg" tests/bench/bytes.spec &&
		silent err && says out 'instructions a call' && nothing_left &&
		check_profile "$scratch/a.json" instructions 1 copy_to_user_bytes copy_to_user copy_to_user_chosen &&
		grep -q '>bytes per instruction<' "$scratch/a.svg" &&
		ends 0 bench --cc riscv64-linux-gnu-gcc --run qemu-riscv64 -o "$scratch/b.json" tests/bench/bytes.spec &&
		cmp "$scratch/a.json" "$scratch/b.json" && python3 - "$scratch/a.json" <<'END'
import json, sys
p = json.load(open(sys.argv[1]))
by = {m["routine"]: m for m in p["methods"] if not m["with"]}
one, two, choice = by["copy_to_user_bytes"], by["copy_to_user"], by["copy_to_user_chosen"]
for a in ("aligned", "misaligned"):
    first, each = one[a][0], one[a][1] - one[a][0]
    assert [first + each * n for n in p["sizes"]] == one[a] or [first + each * n - each + 1 for n in p["sizes"]][1:] == one[a][1:]
    costs = {c - (x if n < 16 else y) for n, c, x, y in zip(p["sizes"], choice[a], one[a], two[a])}
    assert costs <= {1, 2, 3, 4} and len(costs) <= 2, costs
    t = p["tunes"]["words_from"]
    assert all(y <= x for n, x, y in zip(p["sizes"], one[a], two[a]) if n >= t + 16)
assert 1 < t < 128
END
}
not_counted() {
	ends 3 bench --run true specs/x86_64.spec && silent out && says err '\[not-run\]' &&
		ends 3 bench --run ./nosuch specs/x86_64.spec && says err '\[not-run\]' &&
		ends 3 bench --run qemu-x86_64 --host-cc false specs/x86_64.spec && says err '\[not-built\]' && nothing_left
}

# Each key of a profile is in the man page.
keys_described() {
	python3 - "$scratch/a.json" "$scratch/n.json" <<'END'
import json, pathlib, re, sys
page = pathlib.Path("man/ucopy.1").read_text().partition(".SS The tuning profile")[2].partition("\n.S")[0]
described = set(re.findall(r"\w+", " ".join(re.findall(r"^\.B.? (.*)$", page, re.M)).replace("\\fB", "").replace("\\fR", "")))
keys = set()
for name in sys.argv[1:]:
    if pathlib.Path(name).exists():
        json.loads(pathlib.Path(name).read_text(), object_pairs_hook=lambda pairs: keys.update(k for k, _ in pairs))
keys -= {"block", "ahead", "string_from", "words_from", "memcpy", "syscalls"}
assert not keys - described, keys - described
END
}

case $(uname -m) in
x86_64) is_native=is ;;
*) is_native="unless no-such-machine" ;;
esac
$is_native 'bench: table, profile and picture' native
# Templates hold for all sizes of a block that may be chosen.
blocks() {
	. tests/tools.sh
	for m in $(machines); do
		for block in 16 32 64 128; do
			profile "\"block\": $block" "$m"
			ends 0 check --tune "$scratch/p.json" "$(grep -lE "^machine +$m( |\{)" specs/*.spec)" || return 1
		done
	done
}

$is_native 'bench: the picture' picture
$is_native 'bench: what was measured is generated' round_trip
$is_native 'bench: the harness compiles without warnings' no_warnings
$is_native 'bench: a program that says too much' talkative
$is_native 'bench: neither profile nor picture where one can not be written' not_written
is '--tune: every size of a block, on every machine' blocks
is '--tune: thresholds and block sizes' tuned
is '--tune: every value' values
is '--tune: explain, table, and specs of several machines' others_take_it
is '--tune: an empty file' bytes bad-json ''
is '--tune: bytes of NUL' bytes bad-json '{"profile": 1, \0 "machine": "x86_64"}\n'
is '--tune: a string with NUL' bytes bad-json '{"profile": 1, "machine": "x86_64", "tunes": {"a\\u0000": 1}}\n'
is '--tune: no UTF-8' bytes bad-json '{"profile": 1, "machine": "\xff\xfe", "tunes": {}}\n'
is '--tune: what a terminal would obey' bytes foreign-profile '{"profile": 1, "machine": "\\u001b[31m\xc2\x9b1m", "tunes": {}}\n'
is '--tune: something behind it' bytes bad-json '{"profile": 1, "machine": "x86_64", "tunes": {}} x\n'
is '--tune: a number beyond all' bytes bad-json '{"profile": 1, "machine": "x86_64", "tunes": {"string_from": 99999999999999999999}}\n'
is '--tune: a number like 1e3' bytes bad-value '{"profile": 1, "machine": "x86_64", "tunes": {"string_from": 1e3}}\n'
is '--tune: a string like 64' bytes bad-value '{"profile": 1, "machine": "x86_64", "tunes": {"block": "64"}}\n'
is '--tune: the least number there is' bytes bad-value '{"profile": 1, "machine": "x86_64", "tunes": {"block": -9223372036854775808}}\n'
is '--tune: a name with quotes' bytes unknown-tune '{"profile": 1, "machine": "x86_64", "tunes": {"\\"%%s%%n": 1}}\n'
is '--tune: brackets, 200,000 deep' deep
is '--tune: objects, 100,000 deep' deep_object
is '--tune: a file of 3 GB' huge
is '--tune: 20,000 tunes' many_tunes
is '--tune: a name of 100,000 letters' long_name
is '--tune: what is no file' no_file
is 'bench: a machine without methods' no_methods
is 'bench: no compiler' no_compiler
is 'bench: what the compiler complains of' complains
is 'bench: a program that never stops printing' endless
is 'bench: a program that is another one' impostor
is 'bench: one file for two' same_file
is 'bench: one file by two names' same_file_by_two_names
is 'bench: ended by a signal' killed
unless 'riscv64-linux-gnu-gcc qemu-riscv64' 'bench: instructions in an emulator' counts
unless 'qemu-x86_64' 'bench: an emulator that counts nothing' not_counted
is 'man page: keys of a profile' keys_described
no_words() {
	for option in --cc --run --host-cc; do
		for command in '' ' ' $' \t\n '; do
			usage bench "$option" "$command" specs/x86_64.spec && says err "'$option' wants CMD$" || return 1
		done
	done
}

is 'bench: a command without a word' no_words
is 'bench: no rounds' usage bench --rounds 0 specs/x86_64.spec
is 'bench: too many rounds' usage bench --rounds 1002 specs/x86_64.spec
is 'bench: rounds that are no number' usage bench --rounds 3x specs/x86_64.spec
is 'bench: two specs' usage bench specs/x86_64.spec specs/i386.spec
is 'gen: an emulator' usage gen --run qemu specs/x86_64.spec
is 'bench: comments' usage bench --comments specs/x86_64.spec
echo "1..$n"
exit $bad
