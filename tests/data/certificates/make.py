#!/usr/bin/env python3
"""Makes most files here from `hokito-4x4.good`, `hokito-margin.good` and `yoxii-win.good`: `make.py`.

Those of parts have the choices of a whole proof as a verifier would expect them that follows the
format, or one that gets a rule of parts wrong; the others are altered in one place, or prove
something of a game that is over. Run it after a change of the format.
"""

import hashlib
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))
from verify_certificate import MAGIC, PART, read_choices, read_claim, read_header  # noqa: E402

NAMES = ["rules", "position", "claim", "prover", "choices"]


class Proof:
    """A proof without parts: what it chooses in each position."""

    def __init__(self, name):
        data = (HERE / name).read_bytes()[:-32]
        (self.game, text, claim, *_), body = read_header(data, MAGIC + "1", NAMES)
        self.lines = data[: -len(body)].decode().splitlines()
        self.root, (self.side, _) = self.game.read(text), read_claim(claim)
        self.plan = {}
        choices = iter(read_choices(body))
        self.visit(self.root, lambda position: position in self.plan, lambda: next(choices))

    def visit(self, position, is_met, choose):
        moves = self.game.moves(position)
        if moves and position[-1] != self.side:
            for move in moves:
                self.visit(self.game.play(position, move), is_met, choose)
        elif moves and not is_met(position):
            self.plan[position] = choose()
            self.visit(self.game.play(position, moves[self.plan[position]]), is_met, choose)

    def write(self, name, choices):
        body = b"".join(bytes([c] if c < 128 else [c & 127 | 128, c >> 7]) for c in choices)
        lines = [MAGIC + "2", *self.lines[1:5], f"choices {len(choices)}", "", ""]
        seal(name, "\n".join(lines).encode() + body)

    def choices(self, roots, sees_outside=False, keeps_inside=False, forgets_root=False):
        """The choices with parts at these positions, by the rules or against one of them."""
        listed = []

        def walk(position, met, outside):
            moves = self.game.moves(position)
            if not moves:
                return
            if position[-1] != self.side:
                for move in moves:
                    walk(self.game.play(position, move), met, outside)
                return
            if position in met or (sees_outside and outside and position in outside):
                return
            if position in roots and outside is None:
                listed.append(PART)
                inside = set()
                if not forgets_root:
                    met.add(position)
                walk(position, inside, met - {position})
                if keeps_inside:
                    met |= inside
                return
            met.add(position)
            listed.append(self.plan[position])
            walk(self.game.play(position, moves[self.plan[position]]), met, outside)

        walk(self.root, set(), None)
        return listed


def alter(name, new, old_part, new_part):
    """A file that differs from another in one place, with the checksum that belongs to it."""
    data = (HERE / name).read_bytes()[:-32]
    assert old_part in data
    seal(new, data.replace(old_part, new_part, 1))


def over(name, rules, position, claim):
    """What is claimed of a game that is over: no choices."""
    lines = [f"{MAGIC}1", f"rules {rules}", f"position {position}", f"claim {claim}"]
    seal(name, "\n".join([*lines, "prover make.py", "choices 0", "", ""]).encode())


def seal(name, data):
    (HERE / name).write_bytes(data + hashlib.sha256(data).digest())


def main():
    proof = Proof("hokito-4x4.good")
    # With six moves after them: where all of these are parts, they are met again.
    roots = [position for position in proof.plan if sum(map(bool, position[0])) == 10]
    proof.write("parts-many.good", proof.choices(set(roots)))
    proof.write("parts-forget-root.bad", proof.choices(set(roots), forgets_root=True))
    # Where some are, what is below them is met before and after them as well.
    roots = set(roots[10::20])
    right = proof.choices(roots)
    proof.write("parts.good", right)
    proof.write("parts-that-see-outside.bad", proof.choices(roots, sees_outside=True))
    proof.write("parts-kept-behind.bad", proof.choices(roots, keeps_inside=True))
    proof.write("parts-unmarked.bad", [choice for choice in right if choice != PART])
    proof.write("part-left-over.bad", [*right, PART])
    at = right.index(PART)
    proof.write("part-in-part.bad", [*right[:at], PART, *right[at:]])
    proof.write("part-of-all.good", [PART, *proof.choices(set())])
    yoxii = Proof("yoxii-win.good")
    last = [position for position in yoxii.plan if len(position[0]) == 28]
    yoxii.write("parts-yoxii.good", yoxii.choices(set(last or list(yoxii.plan)[5:9])))
    alter("parts.good", "parts-unannounced.bad", b"certificate 2", b"certificate 1")
    inside = next(i for i in range(at + 2, len(right)) if PART not in right[i - 1 : i + 2])
    proof.write("part-deep-in-part.bad", [*right[:inside], PART, *right[inside:]])

    alter("hokito-margin.good", "rules-hokito.bad", b"hokito-1", b"hokito-2")
    alter("hokito-margin.good", "margin-form.bad", b">= 10", b">= 010")
    alter("hokito-margin.good", "count.bad", b"choices 4", b"choices 5")
    alter("hokito-margin.good", "count-form.bad", b"choices 4", b"choices 04")
    alter("hokito-margin.good", "long-line.bad", b"prover ", b"prover " + b"x" * 2048)
    alter("hokito-margin.good", "long-line.good", b"prover ", b"prover \xff" + b"x" * 2027)
    alter("yoxii-win.good", "side.bad", b"/3 w", b"/3 r")
    data = (HERE / "yoxii-win.good").read_bytes()
    body = data.index(b"\n\n") + 2
    alter("yoxii-win.good", "long-form.bad", data[: body + 1], data[:body] + bytes([data[body] | 128, 0]))
    alter("yoxii-win.good", "half-choice.bad", data[:-32], data[:-32] + b"\x80")

    tie = "iO1/*iYoY/YyXOXoy/i1OXyYO/xyxxiYo/1IIO1/1y1 w"
    over("tie-wins.good", "yoxii-1", tie, "p2 wins")
    over("tie-draws.good", "yoxii-1", tie, "p2 draws")
    over("tie-points.good", "yoxii-1", tie, "p1 >= 0")
    over("tie-draws.bad", "yoxii-1", tie, "p1 draws")
    over("tie-points.bad", "yoxii-1", tie, "p2 >= 1")
    draw = "b1,x5/x6/x6/x6/x6/x5,w1 b"
    over("draw-draws.good", "hokito-1", draw, "p1 draws")
    over("draw-wins.bad", "hokito-1", draw, "p1 wins")


if __name__ == "__main__":
    main()
