# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""What stock routines execute: cells (stock.tsv), and every size up to MOST at every place in a word (sweep.tsv)."""

import fnmatch
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
SIZES = [8, 16, 31, 64, 100, 256, 1024, 4096]
CELLS = [f"{a}{n}" for a in "am" for n in SIZES]
MOST = 4096


def rows(file):
    lines = [l for l in file.read_text().splitlines() if l and not l.startswith("#")]
    head = lines[0].split("\t")
    return [dict(zip(head, l.split("\t"))) for l in lines[1:]]


def cells(machine):
    """{routine: {cell: instructions}}"""
    return {r["routine"]: {c: int(r[c]) for c in CELLS} for r in rows(HERE / "stock.tsv") if r["machine"] == machine}


def sweeps(file, machine, routines):
    """{routine: rows of the file}, of those routines that have any."""
    own = [r for r in rows(file) if r["machine"] == machine]
    found = {n: [r for r in own if fnmatch.fnmatchcase(n, r["routine"])] for n in routines}
    return {name: some for name, some in found.items() if some}


def sweep(some, place):
    """[instructions] by size, at a place; of each size, the last of the rows that say something of it holds."""
    figures = [None] * (MOST + 1)
    for row in some:
        counts, first = [int(c) for c in row["counts"].split()], int(row["from"])
        for n in range(first, MOST + 1) if fnmatch.fnmatchcase(place, row["place"]) else ():
            times, k = divmod(n - first, len(counts))
            figures[n] = counts[k] + times * int(row["grows"])
    return figures
