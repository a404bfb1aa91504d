# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""Assembles routines, links them with the fault matrix and runs the result; shared by the runner and its self-test."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SOURCES = ["main.c", "grid.c", "trial.c", "arena.c", "fault.c"]
KINDS = {
    "copy_from_user": "KIND_FROM", "copy_to_user": "KIND_TO", "copy_in_user": "KIND_IN",
    "clear_user": "KIND_CLEAR", "memcpy": "KIND_MEMCPY", "memset": "KIND_MEMSET",
}
# By machine: prefix of the tools, command to run its programs, options of the assembler and compiler.
MACHINES = {
    "x86_64": {"prefix": "x86_64-linux-gnu-", "run": [], "as": ["--64"], "cc": []},
    "arm64": {"prefix": "aarch64-linux-gnu-", "run": ["qemu-aarch64"], "as": ["-march=armv8-a"], "cc": []},
}
ALIASES = {"aarch64": "arm64"}
MISSING = 77                            # what the test runner takes as "skipped"


class Failure(Exception):
    pass


def machine_of(name):
    name = ALIASES.get(name, name)
    if name not in MACHINES:
        raise Failure(f"no machine '{name}'; known are {', '.join(MACHINES)}")
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
        call([m["prefix"] + "as", *m["as"], *options, "-o", out, file])
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
        zeroing = "true" if "zeroing" in re.split("_", kind) else "false"
        lines.append(f'\t{{ "{name}", (uintptr_t){symbol}, {found[symbol]}, {KINDS[kind_of(kind)]}, {zeroing}, true }},')
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


def build(machine, files, where, mapping=(), extra=(), options=()):
    """Links the files with the harness; returns the program."""
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
    call([m["prefix"] + "gcc", *flags(machine), "-static", *own_objects(machine, where), table, *objects, *extra,
          "-o", program])
    return program


def run(machine, program, options):
    command = [*MACHINES[machine]["run"], str(program), *options]
    sys.stdout.flush()
    return subprocess.run(command, check=False, env={**os.environ, "LC_ALL": "C"}).returncode
