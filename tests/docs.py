#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
"""docs.py UCOPY [GLOB]: what the documentation shows is what happens.  Prints TAP.

In every ```console block a line `$ COMMAND` is run at the top of a copy of the tree, `ucopy` being the one given; the
lines below it are what it must print, `...` standing for any lines.  Links to files of the tree must lead somewhere.

In man/*.5 every display, .EX to .EE, has a comment before it that says what it is:

    .\\" file NAME              the file NAME
    .\\" add NAME               more of it, at its end
    .\\" put NAME after TEXT    put into that file behind the first line with TEXT
    .\\" put NAME for TEXT      the same, in place of that line
    .\\" in NAME after TEXT     put there only for a while: the spec must be proved
    .\\" in NAME for TEXT       the same, in place of that line
    .\\" says                   the display before it must be refused, in these words
    .\\" run                    commands and what they print, where the files are

`.\\" use PAGE` begins with that page's files; .ig to .. is a display that readers don't see.  All keywords and all
ids of messages must be described.
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


def pages():
    return sorted((ROOT / "man").glob("*.5"))


def transcript(lines):
    """Commands, each with the number of its line and the lines it must print."""
    found = []
    for number, line in lines:
        if line.startswith("$ "):
            found.append((number, line[2:], []))
        elif found:
            found[-1][2].append(line)
    return found


def examples(text):
    inside, shown = False, []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            inside = line.strip() == "```console"
        elif inside:
            shown.append((number, line))
    return transcript(shown)


def matches(want, have):
    pattern = "".join(r"(?:.*\n)*?" if w.strip() == "..." else re.escape(w) + r"\n" for w in want)
    return re.fullmatch(pattern, "".join(line + "\n" for line in have)) is not None


def run(command, where, env):
    done = subprocess.run(["bash", "-c", command], cwd=where, env=env, stdin=subprocess.DEVNULL, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout.splitlines()


def links(doc):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", doc.read_text()):
        if "://" not in target and not (doc.parent / target).exists():
            yield target


def unquoted(line):
    return line.replace("\\&", "").replace("\\e", "\\")


def displays(text):
    """(number, mark, lines) of each display of a page; the mark of one that has none is None."""
    mark, found, end = None, [], None
    for number, line in enumerate(text.splitlines(), 1):
        if end:
            if line == end:
                end = None
            else:
                found[-1][2].append(unquoted(line))
        elif line in (".EX", ".nf", ".ig"):
            found.append((number, mark, []))
            end = {".EX": ".EE", ".nf": ".fi", ".ig": ".."}[line]
            mark = None
        elif line.startswith('.\\" '):
            mark = line[4:]
            if mark.startswith("use "):
                found.append((number, mark, []))
        elif line not in (".RS", ".PP"):
            mark = None
    return found


class Page:
    """The files of one page, and what is said about them."""

    def __init__(self, path, case, env, scratch):
        self.path, self.case, self.env, self.scratch = path, case, env, scratch
        self.files = {}
        self.refused = None

    def add_files(self, text):
        for _, mark, lines in displays(text):
            self.file_of(mark, lines)

    def file_of(self, mark, lines):
        verb, _, name = (mark or "").partition(" ")
        if verb == "use":
            self.add_files((self.path.parent / name).read_text())
        elif verb == "file":
            self.files[name] = list(lines)
        elif verb == "add":
            self.files[name] += lines
        elif verb == "put":
            self.files = self.with_fragment(mark, lines)
        else:
            return False
        return True

    def with_fragment(self, mark, lines):
        name, how, anchor = re.fullmatch(r"\w+ (\S+) (after|for) (.+)", mark).groups()
        text = self.files[name]
        at = next(k for k, line in enumerate(text) if anchor in line)
        return dict(self.files, **{name: text[:at + (how == "after")] + lines + text[at + 1:]})

    def lay_out(self, files):
        where = pathlib.Path(tempfile.mkdtemp(dir=self.scratch))
        for name, lines in files.items():
            (where / name).write_text("".join(line + "\n" for line in lines))
        return where

    def fragment(self, name, mark, lines, refused):
        files = self.with_fragment(mark, lines)
        status, have = run("ucopy check *.spec", self.lay_out(files), self.env)
        if refused:
            self.refused = have if status in (1, 3) else ["accepted:"] + have
        else:
            self.case(status == 0, f"{name}: is proved", have)

    def play(self, name, lines, number):
        where = self.lay_out(self.files)
        for line, command, want in transcript(enumerate(lines, number + 1)):
            _, have = run(command, where, self.env)
            while want and not want[-1].strip():
                want.pop()
            self.case(matches(want, have), f"{name}:{line}: {command}", ["printed:"] + have)

    def test(self):
        shown = displays(self.path.read_text())
        name = self.path.relative_to(ROOT)
        self.case(len(shown) > 10, f"{name}: has examples")
        commands = run("ucopy --help", ROOT, self.env)[1]
        unknown = [c for c in re.findall(r"^\.I ucopy ([\w-]+)$", self.path.read_text(), re.M)
                   if not any(line.startswith(f"  {c} ") for line in commands)]
        self.case(not unknown, f"{name}: names commands there are", unknown)
        if shutil.which("man"):
            _, said = run(f"MANROFFSEQ= MANWIDTH=80 man --warnings -E UTF-8 -l -Tutf8 -Z {self.path} 2>&1 >/dev/null",
                          ROOT, self.env)
            self.case(not said, f"{name}: is a man page", said)
        for k, (number, mark, lines) in enumerate(shown):
            here = f"{name}:{number}"
            if self.file_of(mark, lines):
                continue
            if mark == "run":
                self.play(name, lines, number)
            elif mark == "says":
                have, self.refused = self.refused or ["nothing stands before it"], None
                self.case(matches(lines, have), f"{here}: is refused in these words", ["printed:"] + have)
            elif mark and mark.startswith("in "):
                self.fragment(here, mark, lines, k + 1 < len(shown) and shown[k + 1][1] == "says")
            else:
                self.case(False, f"{here}: a display that says not what it is")


def test_words(case):
    """Every keyword and every message's id is in the pages."""
    text = "\n".join(p.read_text() for p in pages())
    keywords = set(re.findall(r'\bK\(\w+, "(\w+)"', (ROOT / "gen/parse/token.h").read_text()))
    bold = re.findall(r"^\.(?:B|BR|BI|SS) (.*)$|\\fB(.*?)\\f", text, re.M)
    described = set(re.findall(r"[\w-]+", " ".join(a + b for a, b in bold)))
    missing = sorted(keywords - described)
    case(len(keywords) > 50 and not missing, "man: every keyword is described", missing)
    code = "".join(f.read_text() for f in (ROOT / "gen").rglob("*.[chy]") if f.name != "diag_ids.h")
    ids = {i for name, i in re.findall(r'^DIAG\((\w+), "([\w-]+)"\)', (ROOT / "gen/base/diag_ids.h").read_text(), re.M)
           if re.search(rf"\b{name}\b", code) or name in (ROOT / "gen/parse/scan.re").read_text()}
    listed = re.findall(r"^\.TP\n\.B ([a-z-]+)$", "\n".join(re.findall(r'^\.\\" ids$(.*?)^\.\\" end$', text, re.M | re.S)), re.M)
    wrong = sorted(ids ^ set(listed)) + sorted(i for i in set(listed) if listed.count(i) > 1)
    case(ids and not wrong, "man: every message's id is described, once", wrong)


def main():
    ucopy = pathlib.Path(sys.argv[1]).resolve()
    glob = sys.argv[2] if len(sys.argv) > 2 else "*"
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
        for doc in (d for d in documents() if d.match(glob)):
            name = doc.relative_to(ROOT)
            broken = list(links(doc))
            case(not broken, f"{name}: links", broken)
            for number, command, want in examples(doc.read_text()):
                _, have = run(command, tree, env)
                case(matches(want, have), f"{name}:{number}: {command}", ["printed:"] + have)
        for page in (p for p in pages() if p.match(glob)):
            Page(page, case, env, scratch).test()
        test_words(case)
    print(f"1..{count}")
    return bad != 0


sys.exit(main())
