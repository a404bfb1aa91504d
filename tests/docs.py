#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""docs.py UCOPY: what the documentation shows is what happens.  Prints TAP.

In every ```console block a line `$ COMMAND` is run at the top of a copy of the tree, `ucopy` being the one given; the
lines below it are what it must print, `...` standing for any lines.  Links to files of the tree must lead somewhere.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
KEPT = ("build*", ".git")


def documents():
    return sorted(p for p in ROOT.rglob("*.md") if not any(p.relative_to(ROOT).match(k + "/**/*") or
                  p.relative_to(ROOT).parts[0].startswith(("build", ".git")) for k in KEPT))


def examples(text):
    """Commands of a document, each with the line it stands in and the lines it must print."""
    inside, found = False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = line.strip() == "```console"
        elif inside and line.startswith("$ "):
            found.append((number, line[2:], []))
        elif inside and found:
            found[-1][2].append(line)
    return found


def matches(want, have):
    pattern = "".join(r"(?:.*\n)*?" if w.strip() == "..." else re.escape(w) + r"\n" for w in want)
    return re.fullmatch(pattern, "".join(line + "\n" for line in have)) is not None


def run(command, where, env):
    done = subprocess.run(["bash", "-c", command], cwd=where, env=env, stdin=subprocess.DEVNULL, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.splitlines()


def links(doc):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", doc.read_text()):
        if "://" not in target and not (doc.parent / target).exists():
            yield target


def main():
    ucopy = pathlib.Path(sys.argv[1]).resolve()
    count = bad = 0

    def case(ok, name, more=()):
        nonlocal count, bad
        count += 1
        bad += not ok
        print(f"{'ok' if ok else 'not ok'} {count} - {name}")
        for line in more if not ok else ():
            print(f"# {line}")

    with tempfile.TemporaryDirectory(prefix="docs-") as scratch:
        tree, tools = pathlib.Path(scratch, "tree"), pathlib.Path(scratch, "bin")
        shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*KEPT), symlinks=True)
        tools.mkdir()
        (tools / "ucopy").symlink_to(ucopy)
        env = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}", NO_COLOR="1", LC_ALL="C.UTF-8")
        for doc in documents():
            name = doc.relative_to(ROOT)
            broken = list(links(doc))
            case(not broken, f"{name}: links", broken)
            for number, command, want in examples(doc.read_text()):
                have = run(command, tree, env)
                case(matches(want, have), f"{name}:{number}: {command}", ["printed:"] + have)
    print(f"1..{count}")
    return bad != 0


sys.exit(main())
