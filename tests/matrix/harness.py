# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Assembles routines, links them with the fault matrix and runs the result; shared by the runner and its self-test."""

import ast
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT / "tests"))
import targets                                                          # noqa: E402
from targets import Failure                                             # noqa: E402

SOURCES = ["main.c", "grid.c", "trial.c", "arena.c", "fault.c", "hooks.c"]
KINDS = {
    "copy_from_user": "KIND_FROM", "copy_to_user": "KIND_TO", "copy_in_user": "KIND_IN",
    "clear_user": "KIND_CLEAR", "memcpy": "KIND_MEMCPY", "memset": "KIND_MEMSET",
}
# What a machine needs besides its row in tests/machines.tsv: options for the compiler, for the emulator.
MORE = {
    "alpha": {"cc": ["-Wl,--no-relax"]},
    "arm": {"cc": ["-marm"]},
    "mips": {"cc": ["-mno-abicalls", "-fno-pic"]},
    "sparc64": {"cc": ["-fno-pie", "-fno-pic"]},
    "riscv64": {"run": ["-cpu", "rv64,v=true,vext_spec=v1.0"]},
}
ALIASES = {"aarch64": "arm64", "hppa": "parisc"}
MISSING = 77                            # what the test runner takes as "skipped"


def read_machines():
    """{name: prefix of its tools, command that runs its programs, options of the compiler, ..} of those with a machine part."""
    table = {}
    for line in (ROOT / "tests" / "machines.tsv").read_text().splitlines():
        name, *field = line.split("\t")
        if line.startswith("#") or not (HERE / "machine" / f"{name}.S").exists():
            continue
        more = MORE.get(name, {})
        command = [] if field[2] == "-" else [*field[2].split(), *more.get("run", [])]
        table[name] = {"prefix": field[0] + "-", "run": command, "cc": more.get("cc", [])}
    return table


MACHINES = read_machines()


def usage():
    """The harness's own options, as its program tells them."""
    text = re.search(r'usage_text\[\] =\n((?:\t".*"\n?)+);', (HERE / "main.c").read_text())
    return "".join(ast.literal_eval(line.strip()) for line in text[1].splitlines())


def machine_of(name):
    name = ALIASES.get(name, name)
    if name not in MACHINES and targets.none_runs(name):
        sys.exit(MISSING)
    if name not in MACHINES:
        raise Failure(f"no machine '{name}'; known are {', '.join(MACHINES)}.  A new one needs a row in tests/machines.tsv, and "
                      f"tests/matrix/machine/{name}.S and .h")
    return name


def missing_tools(machine):
    m = MACHINES[machine]
    need = [m["prefix"] + t for t in ("gcc", "as", "nm")] + m["run"][:1]
    return [t for t in need if not shutil.which(t)]


def call(command, **more):
    done = subprocess.run([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False, **more)
    if done.returncode:
        raise Failure(f"{shlex.join(str(c) for c in command)}\n{done.stdout}")
    return done.stdout


def assemble(machine, files, build, options=()):
    m = MACHINES[machine]
    objects = []
    for i, file in enumerate(files):
        if file.suffix == ".o":
            objects.append(file)
            continue
        out = build / f"{i}-{file.stem}.o"
        call([m["prefix"] + "as", *options, "-o", out, file])
        objects.append(out)
    return objects


def symbols(machine, objects):
    """Functions that the objects define: {name: size}."""
    out = call([MACHINES[machine]["prefix"] + "nm", "--defined-only", "-g", "-S", *objects])
    found = {}
    for line in out.splitlines():
        field = line.split()
        if len(field) >= 3 and field[-2] in "TtWw":
            found[field[-1]] = int(field[1], 16) if len(field) == 4 else 0
    return found


def kind_of(name):
    for kind in KINDS:
        if name == kind or name.startswith(kind + "_"):
            return kind
    return None


def routines(found, mapping, prefix="ucopy_"):
    """[(name, symbol, kind)] of the symbols in the contract's form and those that were mapped by hand."""
    chosen = []
    for kind, symbol in mapping:
        if symbol not in found:
            raise Failure(f"no function '{symbol}' in the objects")
        if not kind_of(kind):
            raise Failure(f"'{kind}' is no routine of the contract; known are {', '.join(KINDS)}")
        chosen.append((f"{kind}={symbol}", symbol, kind))
    for symbol in sorted(found):
        name = symbol[len(prefix):] if symbol.startswith(prefix) else ""
        if not mapping and kind_of(name):
            chosen.append((name, symbol, name))
    return chosen


def table_source(chosen, found):
    lines = ['#include "matrix.h"']
    lines += [f"extern char {symbol}[];" for symbol in sorted({s for _, s, _ in chosen})]
    lines += ["struct routine matrix_routines[] = {"]
    for name, symbol, kind in chosen:
        holds = "true" if "pinned" in re.split("_", kind) else "false"
        zeroing = "true" if "zeroing" in re.split("_", kind) else "false"
        lines.append(f'\t{{ "{name}", (uintptr_t){symbol}, {found[symbol]}, {KINDS[kind_of(kind)]}, {zeroing}, true, {holds} }},')
    lines += ["};", f"const size_t matrix_nroutines = {len(chosen)};", ""]
    return "\n".join(lines)


def flags(machine):
    return [*MACHINES[machine]["cc"], "-std=gnu17", "-D_GNU_SOURCE", "-O2", "-Wall", "-Wextra",
            "-Wno-builtin-declaration-mismatch", "-I", HERE, f'-DMACHINE_H="machine/{machine}.h"']


def own_objects(machine, where):
    """The harness's own objects; those made for an earlier program in the same directory serve again."""
    objects = []
    newest = max(f.stat().st_mtime for f in HERE.rglob("*.[chS]"))
    for source in [*SOURCES, f"machine/{machine}.S"]:
        out = where / f"{machine}-{pathlib.Path(source).stem}.o"
        if not out.exists() or out.stat().st_mtime < newest:
            call([MACHINES[machine]["prefix"] + "gcc", *flags(machine), "-c", HERE / source, "-o", out])
        objects.append(out)
    return objects


def build(machine, files, where, mapping=(), extra=(), options=(), own=None):
    """Links the files with the harness, whose objects lie in own; returns the program and the functions of the files."""
    m = MACHINES[machine]
    objects = assemble(machine, files, where, options)
    found = symbols(machine, objects)
    chosen = routines(found, mapping)
    if not chosen:
        raise Failure("the objects define no ucopy_ routine; name one with --map")
    table = where / "routines.c"
    # Function symbols as data: their address is all that is wanted.
    table.write_text(table_source(chosen, found))
    program = where / f"matrix-{machine}"
    call([m["prefix"] + "gcc", *flags(machine), "-static", *own_objects(machine, own or where), table, *objects, *extra,
          "-o", program])
    return program, found


def addresses(machine, program):
    out = call([MACHINES[machine]["prefix"] + "nm", program])
    return {f[2]: int(f[0], 16) for f in (l.split() for l in out.splitlines()) if len(f) == 3}


def plugin(source, where):
    out = where / f"{source.stem}.so"
    call(["gcc", "-O2", "-shared", "-fPIC", "-Wall", "-Wextra", "-o", out, source])
    return out


def watch_alignment(machine, program, found):
    """Options for the emulator, and the file that unaligned accesses will be written to."""
    at = addresses(machine, program)
    out = program.with_suffix(".unaligned")
    out.unlink(missing_ok=True)
    ranges = ",".join(f"range={at[s]:#x}-{at[s] + size:#x}" for s, size in sorted(found.items()) if size)
    return ["-plugin", f"{plugin(HERE / 'aligned.c', program.parent)},out={out},{ranges}"], out


def tell_unaligned(machine, program, found, out):
    at = addresses(machine, program)
    for line in sorted(set(out.read_text().splitlines())) if out.exists() else []:
        pc, size = line.split()
        symbol = max((s for s in found if at[s] <= int(pc, 16)), key=lambda s: at[s])
        print(f"FAIL {machine} {symbol}+{int(pc, 16) - at[symbol]:#x}: an access of {size} bytes that isn't aligned")
    return out.exists()


def run(machine, program, options, watched=None, emulator=()):
    """Runs a program of build's, to the status it exits with; watched: functions in which no access may be unaligned;
    emulator: what runs it, if not what runs the machine's."""
    command, out = list(emulator or MACHINES[machine]["run"]), None
    if watched:
        more, out = watch_alignment(machine, program, watched)
        command += more
    sys.stdout.flush()
    status = subprocess.run([*command, str(program), *options], check=False, env={**os.environ, "LC_ALL": "C"}).returncode
    if out and tell_unaligned(machine, program, watched, out):
        return status or 1
    return status
