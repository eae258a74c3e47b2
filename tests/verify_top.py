#!/usr/bin/env python3
"""Checks the top of a proof in parts: `verify_top.py TOP [DIR [N]]`.

That its claim follows from its tasks, and with DIR that the streams there prove every Nth of them (1:
all). The formats are documented in src/engine/search/certificates/parts.rs; the rules are those of
verify_certificate.py.

Prints what is proved; exit code 1 if it is not, 2 for wrong usage.
"""

import hashlib
import os
import re
import sys

from verify_certificate import LONGEST_LINE, Rejected, check, load, read_choices, read_header, shown

FIRST_LINE = "totemic top 1"
TASK = r"task\t([0-9a-f]{16})\t(0|[1-9][0-9]{0,19})\t([^\t]+)\t([^\t]+)"


def read_step(line):
    """A choice, or what a task claims of which position."""
    if re.fullmatch(r"0|[1-9][0-9]{0,3}", line):
        return int(line)
    task = re.fullmatch(TASK, line)
    if not task:
        raise Rejected(f"'{line}' is neither a choice nor a task")
    name, nodes, claim, position = task.groups()
    if name != identity(claim, position) or int(nodes) >= 1 << 64:
        raise Rejected(f"'{line}' is not a task")
    return claim, position


def read_steps(data):
    *lines, rest = data.split(b"\n")
    if rest:
        raise Rejected("its last line has no end")
    if any(len(line) > LONGEST_LINE for line in lines):
        raise Rejected("a line is too long")
    return [read_step(line.decode("utf-8", "replace")) for line in lines]


def identity(claim, position):
    return hashlib.sha256(f"{position}\n{claim}\n".encode()).hexdigest()[:16]


def verify(top, folder, every):
    """What a top and the streams in a folder prove, in words."""
    names = ["rules", "position", "claim"]
    (game, position, claim), data = read_header(load(top), FIRST_LINE, names)
    steps = read_steps(data)
    check(game, position, claim, steps)
    tasks = [step for step in steps if isinstance(step, tuple)]
    checked = tasks[::every] if folder else []
    for goal, start in checked:
        stream = os.path.join(folder, identity(goal, start) + ".stream")
        if not os.path.isfile(stream):
            raise Rejected(f"there is no '{stream}'")
        check(game, start, goal, read_choices(load(stream)))
    said = "proved" if checked == tasks else "follows from its tasks"
    unchecked = f", {len(tasks) - len(checked)} NOT checked" if checked != tasks else ""
    return f"{said}: {claim} in '{position}' ({len(checked)} of {len(tasks)} tasks checked{unchecked})"


def main(top, folder=None, every="1"):
    try:
        print(f"{top}: {verify(top, folder, int(every))}")
        return 0
    except (Rejected, OSError) as why:
        print(f"{top}: not proved: {shown(why)}", file=sys.stderr)
        return 1


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4 or not re.fullmatch("[1-9][0-9]*", (sys.argv + ["1"] * 2)[3]):
        print(__doc__, file=sys.stderr)
        sys.exit(2)
    sys.exit(main(*sys.argv[1:]))
