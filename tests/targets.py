# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The targets of a machine whose code lies in out/, and what each needs (tests/targets.tsv)."""

import pathlib
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULT = "plain"                       # what files that are given by name are taken for


class Failure(Exception):
    pass


class Target(typing.NamedTuple):
    machine: str
    name: str
    skip: str                           # why its code can't be run here; empty: it can
    watch: bool                         # for unaligned accesses
    stock: str                          # rows of count/stock.tsv to compare with
    options: list                       # of the assembler
    lines: str                          # another target that has all of its lines, where they are tried; or empty
    run: list                           # what runs its programs, where the machine's own emulator won't do

    def __str__(self):
        return f"{self.machine}/{self.name}"

    def files(self):
        return sorted((ROOT / "out" / self.machine / self.name).glob("*.S"))


def target(machine, name=DEFAULT):
    for line in (ROOT / "tests" / "targets.tsv").read_text().splitlines():
        field = [f if f != "-" else "" for f in line.split("\t")] + [""]
        if field[:2] == [machine, name]:
            skip, watch, stock, options, _, lines, run = field[2:9]
            return Target(machine, name, skip, watch == "yes", stock or machine, options.split(), lines, run.split())
    return Target(machine, name, "", False, machine, [], "", [])


def names(machine):
    """The first is the default one, if it is there: what differs is compared with it."""
    found = {d.name for d in (ROOT / "out" / machine).glob("*") if d.is_dir()}
    return sorted(found, key=lambda name: (name != DEFAULT, name))


def chosen(machine, asked=None):
    """All targets of a machine, or the one that was asked for."""
    known = names(machine)
    if not known or asked not in (None, *known):
        raise Failure(f"no target{' ' + repr(asked) if asked else ''} in out/{machine}; known are {', '.join(known) or 'none'}")
    return [target(machine, name) for name in known if asked in (None, name)]


def of_files(machine, asked=None):
    """The target that files given by name are of."""
    return chosen(machine, asked)[0] if asked else target(machine)


def none_runs(machine):
    """Is none of a machine's targets run here, so that the runners need no part for it?  Says why."""
    some = chosen(machine) if names(machine) else []
    none = bool(some) and all(t.skip for t in some)
    if none:
        each(some, None, None)
    return none


def each(some, work, nothing):
    """Does work, which ends with a status, on each of some targets; the worst status, or nothing if none can be run here."""
    status = []
    for t in some:
        if t.skip:
            print(f"{t}: skipped, {t.skip}", flush=True)
        else:
            print(f"{t}:", flush=True)
            status.append(abs(work(t)))     # a signal's is negative
    return max(status, default=nothing)
