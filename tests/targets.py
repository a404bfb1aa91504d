# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""The targets of a machine whose code lies in out/, and what each needs (tests/targets.tsv)."""

import pathlib
import typing

ROOT = pathlib.Path(__file__).resolve().parent.parent
DEFAULT = "plain"                       # what files that are given by name are taken for


class Target(typing.NamedTuple):
    machine: str
    name: str
    skip: str                           # why its code can't be run here; empty: it can
    watch: bool                         # for unaligned accesses
    stock: str                          # rows of count/stock.tsv to compare with
    options: list                       # of the assembler

    def __str__(self):
        return f"{self.machine}/{self.name}"

    def files(self):
        return sorted((ROOT / "out" / self.machine / self.name).glob("*.S"))


def target(machine, name=DEFAULT):
    for line in (ROOT / "tests" / "targets.tsv").read_text().splitlines():
        field = [f if f != "-" else "" for f in line.split("\t")]
        if field[:2] == [machine, name]:
            skip, watch, stock, options = field[2:6]
            return Target(machine, name, skip, watch == "yes", stock or machine, options.split())
    return Target(machine, name, "", False, machine, [])


def names(machine):
    """The first is the default one, if it is there: what differs is compared with it."""
    found = {d.name for d in (ROOT / "out" / machine).glob("*") if d.is_dir()}
    return sorted(found, key=lambda name: (name != DEFAULT, name))


def chosen(machine, asked=None):
    """All targets of a machine, or the one that was asked for; [] if there is none."""
    return [target(machine, name) for name in names(machine) if asked in (None, name)]


def each(machine, asked, work, missing):
    """Does work on every target; the status: 0, the worst of all, or missing when none could be run here."""
    status = []
    for t in chosen(machine, asked):
        if t.skip:
            print(f"{t}: skipped, {t.skip}", flush=True)
        else:
            print(f"{t}:", flush=True)
            status.append(work(t))
    return max(status, default=missing)
