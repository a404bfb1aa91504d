# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Shared by regenerate, check and the tests' scripts; read with `.` from the tree's top.  Expects nothing set.

# row MACHINE COLUMN: a field of tests/machines.tsv; fails for a machine that isn't there
row() {
	awk -F '\t' -v machine="$1" -v column="$2" \
		'$1 == machine { print $column; found = 1 } END { exit !found }' tests/machines.tsv
}

# needs MACHINE TARGET COLUMN: a field of tests/targets.tsv; nothing where it says nothing
needs() {
	awk -F '\t' -v machine="$1" -v target="$2" -v column="$3" \
		'$1 == machine && $2 == target && $column != "-" { print $column }' tests/targets.tsv
}

# specs: every spec that describes a machine
specs() {
	grep -lE '^machine ' specs/*.spec
}

# machines: their names
machines() {
	sed -nE 's/^machine +([A-Za-z0-9_]+).*/\1/p' specs/*.spec
}

# tool MACHINE NAME: the command that is NAME (as, gcc, objdump) for a machine, or nothing
tool() {
	gnu=$(row "$1" 2) && [ -n "$gnu" ] || return 1
	[ "$gnu" = - ] && gnu= || gnu=$gnu-
	command -v "$gnu$2"
}

# binutils MACHINE: the package of its assembler; fails for a machine of which that isn't known
binutils() {
	gnu=$(row "$1" 2) || return 1
	case $gnu in
	'') return 1 ;;
	-) echo binutils ;;
	*) echo "binutils-$gnu" | tr _ - ;;
	esac
}

have_package() {
	dpkg-query -W -f '${Status}' "$1" 2>/dev/null | grep -q 'ok installed'
}

# install PACKAGE..: those that are missing; nothing is asked, nothing is said when all are there
install_packages() {
	missing=
	for p; do
		# to apt-get a minus behind a name means to remove it, and a dash before it an option
		case $p in
		'' | [!a-z0-9]* | *[!a-z0-9.+-]* | *[+-])
			echo "'$p' is no package's name" >&2
			return 1
			;;
		esac
	done
	for p; do
		have_package "$p" || missing="$missing $p"
	done
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
		echo "please install:$missing" >&2
		return 1
	fi
	echo "installing:$missing" >&2
	log=$(mktemp) || return 1
	# shellcheck disable=SC2086
	if { apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing; } \
		</dev/null >"$log" 2>&1; then
		rm -f "$log"
	else
		cat "$log" >&2
		rm -f "$log"
		return 1
	fi
}

# now: seconds and hundredths since some moment
now() {
	cut -d ' ' -f 1 /proc/uptime
}

# since START: seconds gone, one decimal
since() {
	awk -v a="$1" -v b="$(now)" 'BEGIN { printf "%.1f", b - a }'
}
