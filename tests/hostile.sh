#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# hostile.sh UCOPY: files, names and folders as somebody with bad intentions would have them.  Prints TAP.
cd "$(dirname "$0")/.." || exit 1
ucopy=$(realpath "$1")
root=$PWD
spec=specs/x86_64.spec
scratch=$(mktemp -d) || exit 1
trap 'chmod -R u+rwX "$scratch"; rm -rf "$scratch"' EXIT
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

# ends STATUS ARGUMENT..: the exit status, within ten seconds; output in $scratch/out and $scratch/err
ends() {
	want=$1
	shift
	timeout 10 "$ucopy" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	head -c 2000 "$scratch/out" "$scratch/err"
	[ "$status" -eq "$want" ]
}

says() { grep -q -- "$1" "$scratch/err"; }

# A machine that proves a routine, as a file; extra lines of its target in $1, the routine's name in $2.
machine() {
	local name=${2:-copy_to_user}
	cat <<END
routine copy(dst, src, n) {
    temp d, s, left, x
    d = dst
    s = src
    left = n
    resume out(n = left)
    if left == 0 goto out
  byte:
    x = S1[s]
    D1[d] = x
    s += 1
    d += 1
    left -= 1, if left != 1 goto byte
  out:
    return left
}
routine $name = copy with dst user
target base {
    named \`u_{r}\`  label \`.L{f}_{n}\`  width \`.long\`
    file begin { } end { }  function begin { \`{f}:\` } end { }  fixups { } end { }
    entry { \`{width} {site}\` \`{width} {fixup}\` }
}
machine ${3:-m} {
    register width 8  byte order little  access aligned  fault granularity instruction  fixup retry
    class r 8 \`r0..r9\`  args \`r0 r1 r2\`  result \`r0\`  free \`r3..r9\`
    relation cc { == \`eq\` != \`ne\` }
    \`ld {a}, ({p})\` a = M1[p]
    \`st {a}, ({p})\` M1[p] = a
    \`mov {a}, {b}\` a = b
    \`li {a}, {i:0..1}\` a = i
    \`add {a}, {b}, {i:-1..1}\` a = b + i
    \`b{cc} {a}, {L}\` if a ?cc 0 goto L
    \`b{cc} {a}, {i:0..1}, {L}\` if a ?cc i goto L
    \`j {L}\` goto L
    \`ret\` return
    target ${4:-plain} from base { user by any  emit $name $1 }
}
END
}

# included WHAT ID..: an include of it is refused with that message
included() {
	printf 'include `%s`\n' "$1" >"$scratch/including.spec"
	ends 1 check "$scratch/including.spec" && says "\[$2\]"
}

is 'what follows is proved when nothing is wrong' eval 'machine >"$scratch/good.spec"; ends 0 check "$scratch/good.spec"'

mkdir "$scratch/folder" && mkfifo "$scratch/fifo" && ln -s loop "$scratch/loop" && ln -s /dev/zero "$scratch/zero.spec"
truncate -s 3G "$scratch/huge"
is 'include: a folder' included folder file-not-read
is 'include: its own folder' included . file-not-read
is 'include: an empty name' included '' file-not-read
is 'include: a device without end' included /dev/zero file-not-read
is 'include: a link to it' included zero.spec file-not-read
is 'include: a fifo nobody writes to' included fifo file-not-read
is 'include: a link to itself' included loop file-not-read
is 'include: a file of 3 GB' included huge file-too-large
is 'include: an absolute path' included /etc/hostname-that-is-not-there file-not-read
is 'include: out of all folders' included ../../../../../../../../../../etc file-not-read
is 'include: standard input' included /dev/stdin file-not-read
is 'include: a name longer than any path' included "$(printf 'x%.0s' {1..4000})" file-not-read
is 'include: a name longer than any text' included "$(printf 'x%.0s' {1..5000})" text-too-long
is 'no spec but a folder' ends 1 check "$scratch/folder"
is 'no spec but a fifo' ends 1 check "$scratch/fifo"

many_files() {
	mkdir "$scratch/many"
	for i in $(seq 100); do
		echo "# $i" >"$scratch/many/$i"
		printf 'include `%s`\n' "$i"
	done >"$scratch/many/all.spec"
	ends 1 check "$scratch/many/all.spec" && says '\[too-many-items\]'
}
is 'include: a hundred files' many_files

# Only printable characters, whatever a file holds.
printable() { ! LC_ALL=C grep -q '[^[:print:][:space:]]' "$scratch/err" && [ -s "$scratch/err" ]; }
quoted() {
	printf "$1" >"$scratch/bytes.spec"
	ends 1 check "$scratch/bytes.spec" && printable && ends 1 check --diagnostics=json "$scratch/bytes.spec" && printable &&
		python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin] or sys.exit(1)' <"$scratch/err"
}
is 'messages: bytes of NUL' quoted 'machine m {\n\0\0 `\0`\n}\n'
is 'messages: no UTF-8' quoted 'machine m {\n register \xff\xfe width `\xc3\x28`\n}\n'
is 'messages: what a terminal would obey' quoted 'machine m {\n \033[2J\033]0;title\007 nothing `\033[31m`\n x \x9b31m\n}\n'
is 'messages: carriage returns and backspaces' quoted 'machine m {\r\n \x08\x08 bad \x7f\x0b\n}\n'
long_line() { { printf 'machine m { '; printf '%%200000s' ''; printf 'bad }\n'; } >"$scratch/bytes.spec"
	ends 1 check "$scratch/bytes.spec" && [ "$(wc -c <"$scratch/err")" -lt 2000 ]; }
is 'messages: a line of 200,000 bytes' long_line
named_file() {
	cp "$scratch/including.spec" "$scratch/"$'\033[31mred\n.spec'
	ends 1 check "$scratch/"$'\033[31mred\n.spec' && printable && ends 1 check "$scratch/"$'gone\033[31m' && printable
}
# What a table says of a file whose name is no UTF-8 is the same but for the name.
named_table() {
	mkdir -p "$scratch/names" && cp "$scratch/good.spec" "$scratch/names/plain.spec" &&
		cp "$scratch/good.spec" "$scratch/names/"$'pl\xe4n.spec' || return 1
	ends 0 table "$scratch/names/plain.spec" && cp "$scratch/out" "$scratch/want" &&
		ends 0 table "$scratch/names/"$'pl\xe4n.spec' && grep -q '"site"' "$scratch/out" &&
		sed 's/pl\\\\xe4n/plain/' "$scratch/out" | cmp - "$scratch/want"
}
is 'table: a file whose name is no UTF-8' named_table
comment_ends() {
	mkdir -p "$scratch/we*" && cp "$scratch/good.spec" "$scratch/we*/x.spec" && cp "$scratch/good.spec" "$scratch/we*/"$'x\n.spec' &&
		ends 1 gen -o "$scratch/odd" "$scratch/we*/"$'x\n.spec' && ends 0 gen -o "$scratch/odd" "$scratch/we*/x.spec" &&
		! grep -rq 'we\*/' "$scratch/odd" && [ "$(find "$scratch/odd" -name '*.S' | wc -l)" = 1 ]
}
is 'messages: a file by a name a terminal would obey' named_file
arguments() {
	e=$'\033[31m'
	ends 2 "$e" && printable && ends 2 check "--$e" x && printable && ends 2 table --format "$e" x && printable &&
		ends 1 check --target "$e" "$scratch/good.spec" && printable && ends 1 check --routine "$e" "$scratch/good.spec" &&
		printable && ends 3 gen -o "/dev/null/$e" "$scratch/good.spec" && printable
}
is 'messages: arguments a terminal would obey' arguments
is 'gen: a name of a file that ends a line or a comment' comment_ends

# Output: nothing outside of its folder, all or nothing.
untouched() { [ "$(find "$scratch/w" -type f -o -type l | wc -l)" -eq "$1" ] && ! find "$scratch/w" -name '*.??????' | grep -q .; }
no_folder() { untouched 0 && [ ! -e "$scratch/w/o" ]; }
fresh() { chmod -R u+rwX "$scratch/w" 2>/dev/null; rm -rf "$scratch/w"; mkdir "$scratch/w"; }
outside() {
	fresh
	machine "$1" "${2:-copy_to_user}" "${3:-m}" "${4:-plain}" >"$scratch/outside.spec"
	ends 1 gen -o "$scratch/w/a/b" "$scratch/outside.spec" && untouched 0
}
is 'gen: a routine named by a path' outside '' '../../x'
is 'gen: a machine named by a path' outside '' copy_to_user '../m'
is 'gen: a target named by a path' outside '' copy_to_user m '..'
routine_option() { fresh && ends 1 gen -o "$scratch/w/o" --routine ../../x "$scratch/good.spec" && untouched 0; }
target_option() { fresh && ends 1 gen -o "$scratch/w/o" --target ../plain "$scratch/good.spec" && untouched 0; }
is 'gen: --routine by a path' routine_option
is 'gen: --target by a path' target_option
two() {
	fresh && cp "$scratch/good.spec" "$scratch/two.spec"
	ends "$1" gen -o "$scratch/w/o" "$scratch/good.spec" "$scratch/$2.spec"
}
full_list() { "$ucopy" check "$scratch/good.spec" >/dev/full 2>"$scratch/err"; [ $? -eq 3 ] && says 'standard output'; }
full_table() { "$ucopy" table "$scratch/good.spec" >/dev/full 2>"$scratch/err"; [ $? -eq 3 ] && says 'standard output'; }
is 'check: standard output is full' full_list
is 'table: standard output is full' full_table
same_twice() { two 1 two && says '\[given-twice\]' && untouched 0; }
is 'gen: two specs with the same machine' same_twice
same_symbol() {
	fresh && { machine && printf 'target same of m from plain { named copy `u_copy_to_user` }\n'; } >"$scratch/w.spec" &&
		ends 1 gen -o "$scratch/w/o" --target same --routine copy --routine copy_to_user "$scratch/w.spec" &&
		says '\[same-symbol\]' && untouched 0 && ends 0 gen -o "$scratch/w/o" --target same --routine copy "$scratch/w.spec"
}
is 'gen: two routines of one symbol' same_symbol
read_only_file() {
	fresh && "$ucopy" gen -o "$scratch/w/o" "$scratch/good.spec" && f=$(find "$scratch/w" -type f) || return 1
	echo old >"$f" && chmod 444 "$f" && ends 0 gen -o "$scratch/w/o" "$scratch/good.spec" && grep -q u_copy_to_user "$f" &&
		untouched 1
}
is 'gen: a read-only file is replaced as a whole' read_only_file
link_out() {
	fresh && mkdir -p "$scratch/w/o/m/plain" && echo mine >"$scratch/victim" &&
		ln -s "$scratch/victim" "$scratch/w/o/m/plain/copy_to_user.S" &&
		ends 0 gen -o "$scratch/w/o" "$scratch/good.spec" && [ "$(cat "$scratch/victim")" = mine ]
}
is 'gen: a link in place of a file is replaced, not followed' link_out
folder_there() {
	fresh && mkdir -p "$scratch/w/o/m/plain/copy_to_user.S"
	ends 3 gen -o "$scratch/w/o" "$scratch/good.spec" && says '\[file-not-written\]' && untouched 0
}
is 'gen: a folder in place of a file' folder_there
# Found before the first file is renamed; what was there stays, what was made for the others does not.
folder_behind() {
	fresh && mkdir -p "$scratch/w/o/x86_64/plain/memset.S"
	ends 3 gen -o "$scratch/w/o" "$scratch/good.spec" "$spec" && says '/memset.S: Is a directory' && untouched 0 &&
		[ "$(cd "$scratch/w" && find . | sort | xargs)" = '. ./o ./o/x86_64 ./o/x86_64/plain ./o/x86_64/plain/memset.S' ]
}
is 'gen: a folder in place of the last file' folder_behind
depfile_folder() {
	fresh && ends 3 gen -o "$scratch/w/o" --depfile "$scratch/w" "$scratch/good.spec" && says 'Is a directory' && no_folder
}
is 'gen: a folder in place of the depfile' depfile_folder
fifo_there() {
	fresh && mkdir -p "$scratch/w/o/m/plain" && mkfifo "$scratch/w/o/m/plain/copy_to_user.S"
	ends 0 gen -o "$scratch/w/o" "$scratch/good.spec" && untouched 1
}
is 'gen: a fifo in place of a file' fifo_there
file_there() { fresh && touch "$scratch/w/o"; ends 3 gen -o "$scratch/w/o" "$scratch/good.spec" && untouched 1; }
is 'gen: a file in place of the folder' file_there
unwritable() {
	fresh && mkdir "$scratch/w/o" && chmod 555 "$scratch/w/o"
	if [ "$(id -u)" -eq 0 ]; then
		ends 3 gen -o /proc/1/none "$scratch/good.spec"
	else
		ends 3 gen -o "$scratch/w/o" "$scratch/good.spec"
	fi && says '/m/plain/copy_to_user.S: .*\[file-not-written\]' && untouched 0
}
is 'gen: a folder that can not be written to' unwritable
limited() { # a file system that is full, by a limit on the size of files
	fresh
	(ulimit -f 0; trap '' XFSZ; ends 3 gen -o "$scratch/w/o" "$scratch/good.spec" >/dev/full 2>&1) || return 1
	no_folder
}
is 'gen: no room for what is written' limited
limit_signals() { fresh && (ulimit -f 0; ends 3 gen -o "$scratch/w/o" "$spec" >/dev/full 2>&1) && untouched 0; }
is 'gen: no room, and a signal that says so' limit_signals
# More is said than a buffer holds, to a reader that has gone: all files are there, as are none beside them.
no_reader() {
	fresh && mkfifo "$scratch/w/fifo" && mkdir "$scratch/w/specs" || return 1
	long=$(printf 'x%.0s' {1..100})
	for i in $(seq 50); do (machine '' copy_to_user "m$i$long" >"$scratch/w/specs/$i.spec"); done
	exec 4<>"$scratch/w/fifo" 3>"$scratch/w/fifo" 4<&-
	"$ucopy" gen -o "$scratch/w/o" "$scratch"/w/specs/*.spec >&3 2>"$scratch/err"
	status=$?
	exec 3>&-
	rm -r "$scratch/w/specs"
	[ $status -eq 3 ] && says 'standard output' && untouched 50
}
is 'gen: nobody reads what is said' no_reader
depfile() {
	fresh
	ends 3 gen -o "$scratch/w/o" --depfile "$scratch/gone/d" "$scratch/good.spec" && says "$scratch/gone/d: .*file-not-written" &&
		[ ! -e "$scratch/gone" ] && no_folder
}
is 'gen: a depfile in a folder that is not there' depfile
# It takes no other file's place: not a spec's, a template's, nor that of a file that is there or will be.
depfile_place() {
	fresh && mkdir "$scratch/w/in" && printf 'include `part.spec`\n' >"$scratch/w/in/a.spec" &&
		cp "$scratch/good.spec" "$scratch/w/in/part.spec" && ln -s in "$scratch/w/link" && ln "$scratch/w/in/part.spec" "$scratch/w/hard"
	for d in in/a.spec in/part.spec link/part.spec in/../in/./a.spec hard o/m/plain/copy_to_user.S o/x/../m/plain//copy_to_user.S; do
		ends 1 gen -o "$scratch/w/o" --depfile "$scratch/w/$d" "$scratch/w/in/a.spec" && says '\[given-twice\]' &&
			cmp "$scratch/good.spec" "$scratch/w/in/part.spec" && untouched 4 || return 1
	done
	(cd "$scratch/w" && ends 1 gen --depfile ./out/m/plain/copy_to_user.S in/a.spec) && untouched 4 &&
		ends 0 gen -o "$scratch/w/o" --depfile "$scratch/w/d" "$scratch/w/in/a.spec" && untouched 6
}
is 'gen: a depfile in place of another file' depfile_place
depfile_device() {
	fresh && mknod "$scratch/w/null" c 1 3 2>/dev/null || return 0
	ends 3 gen -o "$scratch/w/o" --depfile "$scratch/w/null" "$scratch/good.spec" && [ -c "$scratch/w/null" ] && no_folder &&
		says '/null: not a regular file'
}
is 'gen: a depfile in place of a device' depfile_device
# Names as make takes them, or none.
depfile_names() {
	command -v make >/dev/null || return 0
	for odd in 'a b' 'a#b' 'a:b' 'a$b' 'a\b' 'a\ b' 'a\\ b' '$(x)' "a'b"; do
		fresh && mkdir "$scratch/w/$odd" && cp "$scratch/good.spec" "$scratch/w/$odd/x y.spec" &&
			(cd "$scratch/w" && ends 0 gen -o "$odd" --depfile d "$odd/x y.spec" && printf '\t@echo made\n' >>d &&
			make -qf d && touch -d '1 hour' "$odd/x y.spec" && [ "$(make -f d 2>/dev/null)" = made ]) ||
			{ echo "$odd"; return 1; }
	done
	for odd in 'a;b' 'a|b' 'a%b' $'a\tb' $'a\nb'; do
		fresh && ends 1 gen -o "$scratch/w/$odd" --depfile "$scratch/w/d" "$scratch/good.spec" && untouched 0 &&
			says 'no rule of make can name' || return 1
	done
}
is 'gen: names that mean something to make' depfile_names
# With less and less memory: all of it, or a word and nothing.  What needs terabytes to start (sanitizers) is left out.
no_memory() {
	(ulimit -v 2000000 && "$ucopy" --version >/dev/null 2>&1) || { echo "can not be limited"; return 0; }
	refused=0
	for kb in 5000 6000 7000 8000 9000 10000 12000 14000 16000 18000 20000 24000 28000; do
		fresh
		(ulimit -v $kb && "$ucopy" gen -o "$scratch/w/o" "$spec" >/dev/null 2>"$scratch/err")
		status=$?
		files=$(find "$scratch/w" -type f | wc -l)
		echo "$kb KB: status $status, $files files"
		case $status in
		0) untouched 7 || return 1 ;;
		3) refused=$((refused + 1)) && untouched 0 && says 'out of memory' || return 1 ;;
		127) ;;			# too little to load it
		*) return 1 ;;
		esac
	done
	[ "$refused" -gt 2 ]
}
is 'gen: too little memory' no_memory
cd "$root" || exit 1

# What is installed: apt-get is a stub that writes down what it is asked for, and nothing is there yet.
stubs() {
	mkdir -p "$scratch/bin" && rm -f "$scratch/asked"
	printf '#!/bin/sh\n[ "$1" = update ] || echo "$@" >>"%s"\n' "$scratch/asked" >"$scratch/bin/apt-get"
	printf '#!/bin/sh\ncase $* in *binutils*|*" x") exit 1 ;; esac\necho install ok installed\n' >"$scratch/bin/dpkg-query"
	printf '#!/bin/sh\n' >"$scratch/bin/ninja"
	printf '#!/bin/sh\necho 0\n' >"$scratch/bin/id"
	chmod +x "$scratch/bin/"*
}
installs() { (PATH=$scratch/bin:$PATH && . tests/tools.sh && install_packages "$@"); }
package_names() {
	stubs && installs gcc x && grep -q 'install .* x$' "$scratch/asked" || return 1
	for word in '' x- x+ -x --purge 'x y' 'x=1' 'x/sid' binutils-; do
		stubs
		if installs gcc "$word" x || [ -e "$scratch/asked" ]; then
			echo "'$word' got through"
			return 1
		fi
	done
}
is 'install: names that mean something else to apt-get' package_names
# A spec whose machine the tests don't know: regenerate does all but count its bytes.
new_machine() (
	stubs && rm -rf "$scratch/new" && mkdir -p "$scratch/new/specs" "$scratch/new/tests" "$scratch/new/build" &&
		cp regenerate "$scratch/new" && cp tests/tools.sh tests/machines.tsv tests/targets.tsv "$scratch/new/tests" &&
		cp "$scratch/good.spec" "$scratch/new/specs" && cd "$scratch/new" && touch build/build.ninja &&
		ln -s "$ucopy" build/ucopy || exit 1
	PATH=$scratch/bin:$PATH ./regenerate >"$scratch/out" 2>&1 || { cat "$scratch/out"; exit 1; }
	cat "$scratch/out"
	[ ! -e "$scratch/asked" ] && [ -s out/m/plain/copy_to_user.S ] && grep -q '^m: .*left out$' "$scratch/out" &&
		grep -q '^m/plain 1 routine.* written$' "$scratch/out"
)
is 'regenerate: a machine without a row in machines.tsv' new_machine
echo "1..$n"
exit $bad
