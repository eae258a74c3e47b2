#!/usr/bin/env python3
"""Makes the files of parts here from `hokito-4x4.good` and `yoxii-win.good`: `parts.py`.

Each puts the choices of the whole proof down as a verifier would expect them that follows the
format, or one that gets a rule of parts wrong. Run it after a change of the format.
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
        data = "\n".join(lines).encode() + body
        (HERE / name).write_bytes(data + hashlib.sha256(data).digest())

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


def main():
    proof = Proof("hokito-4x4.good")
    # With six moves behind them: where all of these are parts, they are met again.
    roots = [position for position in proof.plan if sum(map(bool, position[0])) == 10]
    proof.write("parts-many.good", proof.choices(set(roots)))
    proof.write("parts-forget-root.bad", proof.choices(set(roots), forgets_root=True))
    # Where some are, what is below them is met before and behind them as well.
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
    # A mark in a file without parts.
    data = (HERE / "parts.good").read_bytes()[:-32].replace(b"certificate 2", b"certificate 1", 1)
    (HERE / "parts-unannounced.bad").write_bytes(data + hashlib.sha256(data).digest())


if __name__ == "__main__":
    main()
