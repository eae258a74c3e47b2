#!/usr/bin/env python3
"""An independent verifier of Totemic's certificates: `verify_certificate.py FILE...`.

Python's standard library and rules of its own; no search. The format is documented in
src/engine/search/certificates.rs. A position is checked so: without legal moves, the claim has
to be true of its score; with the claim's side to move, the next choice in the file names the
move (a position met before needs none); otherwise the positions after all moves are checked.
A mark in the place of a choice begins a part, in which only its own positions were met.

Prints what each file proves; exit code 1 if one does not, 2 for wrong usage.
"""

import argparse
import array
import hashlib
import re
import sys

MAGIC = "totemic certificate "
PART = (1 << 14) - 1
MAX_MIB = 32
LONGEST_LINE = 2048
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Rejected(Exception):
    """Why a file proves nothing."""


# Hokito: 36 squares, a1 to f6 by rank. A tower is (side, value, height), side 0 moves first.
class Hokito:
    @staticmethod
    def read(text):
        board, side = ranks_of(text, "bw", 6)
        squares = []
        for rank in board:
            start = len(squares)
            for item in rank.split(","):
                found = re.fullmatch(r"x([1-6]?)|([bw])([123])(?::([2-9]|[1-9][0-9]))?", item)
                if not found:
                    raise Rejected(f"'{item}' is not a square")
                empty, owner, value, height = found.groups()
                tower = owner and ("bw".index(owner), int(value), int(height or 1))
                squares += [tower] * (1 if tower else int(empty or 1))
            if len(squares) != start + 6:
                raise Rejected(f"rank '{rank}' has not six squares")
        tops = [tower[:2] for tower in squares if tower]
        if sum(tower[2] for tower in squares if tower) > 36 or any(tops.count(top) > 6 for top in tops):
            raise Rejected("more pawns than there are")
        return tuple(squares), side

    @staticmethod
    def next_to(board, square, step):
        """The next tower from a square in a direction, None at the edge."""
        file, rank = square % 6 + step[0], square // 6 + step[1]
        while 0 <= file < 6 and 0 <= rank < 6:
            if board[rank * 6 + file]:
                return rank * 6 + file
            file, rank = file + step[0], rank + step[1]
        return None

    @staticmethod
    def targets(board, origin):
        """Where the tower's walk of its value in steps can end."""
        (_, value, height), paths = board[origin], [(origin,)]
        for _ in range(value):
            near = [(p, Hokito.next_to(board, p[-1], step)) for p in paths for step in STRAIGHT]
            paths = [path + (end,) for path, end in near if end is not None and end not in path]
        ends = {path[-1] for path in paths}
        return sorted(end for end in ends if (board[end][2] == 1) == (height == 1))

    @staticmethod
    def moves(position):
        board, side = position
        own = [square for square in range(36) if board[square] and board[square][0] == side]
        return [(origin, end) for origin in own for end in Hokito.targets(board, origin)]

    @staticmethod
    def play(position, move):
        (board, side), (origin, end) = position, move
        owner, value, height = board[origin]
        changed = {origin: None, end: (owner, value, height + board[end][2])}
        return tuple(changed.get(square, board[square]) for square in range(36)), 1 - side

    @staticmethod
    def score(position):
        towers = [tower for tower in position[0] if tower]
        return [sum(t[1] * t[2] for t in towers if t[0] == side) for side in (0, 1)], [0, 0]


# Yoxii: 7 files and ranks, without the corners. The board maps a square to (side, value);
# a position is (board, totem, side). Reserves follow from the board.
class Yoxii:
    WIDTHS = (3, 5, 7, 7, 7, 5, 3)
    SQUARES = [(f, r) for r in range(7) for f in range(7) if abs(f - 3) + abs(r - 3) < 5]
    SET = set(SQUARES)
    STOCK = {1: 5, 2: 5, 3: 5, 4: 3}
    STEPS = [(f, r) for r in (-1, 0, 1) for f in (-1, 0, 1) if f or r]

    @staticmethod
    def read(text):
        board, side = ranks_of(text, "wr", 7)
        pieces, totem = {}, None
        for rank, row in enumerate(board):
            file = first = 3 - Yoxii.WIDTHS[rank] // 2
            for mark in row:
                if mark == "*" and totem is None:
                    totem = file, rank
                elif mark.lower() in "oiyx":
                    pieces[file, rank] = int(mark.islower()), "oiyx".index(mark.lower()) + 1
                elif mark not in "123456789":
                    raise Rejected(f"mark '{mark}'")
                file += int(mark) if mark in "123456789" else 1
            if file != first + Yoxii.WIDTHS[rank]:
                raise Rejected(f"rank '{row}' has {file - first} squares")
        if totem is None:
            raise Rejected("no totem")
        if any(left < 0 for owner in (0, 1) for left in Yoxii.reserve(pieces, owner).values()):
            raise Rejected("more pieces than there are")
        owners = [owner for owner, _ in pieces.values()]
        if owners.count(0) - owners.count(1) != side:
            raise Rejected("the other side has to move")
        return frozenset(pieces.items()), totem, side

    @staticmethod
    def reserve(pieces, side):
        placed = [value for owner, value in pieces.values() if owner == side]
        return {value: stock - placed.count(value) for value, stock in Yoxii.STOCK.items()}

    @staticmethod
    def moves(position):
        pieces, totem, side = dict(position[0]), position[1], position[2]
        values = [value for value, left in sorted(Yoxii.reserve(pieces, side).items()) if left]
        ends = []
        for file, rank in Yoxii.STEPS:
            end = (totem[0] + file, totem[1] + rank)
            while end in pieces and pieces[end][0] == side:
                end = (end[0] + file, end[1] + rank)
            if end in Yoxii.SET and end not in pieces:
                ends.append(end)
        found = []
        for end in sorted(ends, key=lambda square: square[::-1]):
            free = [square for square in Yoxii.SQUARES if square not in pieces and square != end]
            beside = [square for square in free if Yoxii.touch(square, end)]
            found += [(end, square, value) for square in beside or free for value in values]
        return found

    @staticmethod
    def touch(one, other):
        return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1

    @staticmethod
    def play(position, move):
        (pieces, _, side), (totem, square, value) = position, move
        return pieces | {(square, (side, value))}, totem, 1 - side

    @staticmethod
    def score(position):
        points, number = [0, 0], [0, 0]
        for square, (owner, value) in position[0]:
            if Yoxii.touch(square, position[1]):
                points[owner] += value
                number[owner] += 1
        return points, number


GAMES = {"hokito-1": Hokito, "yoxii-1": Yoxii}


def ranks_of(text, sides, count):
    """The ranks of a position's text from the first one up, and the side to move."""
    board, _, side = text.partition(" ")
    ranks = board.split("/")
    if len(ranks) != count or side not in tuple(sides):
        raise Rejected(f"'{text}' is not a position")
    return ranks[::-1], sides.index(side)


def read_header(data, magic, names):
    """The values of a header's lines, for the rules their game, and what follows the header."""
    lines = [rf"{name} ([^\n]{{0,{LONGEST_LINE - len(name) - 1}}})\n" for name in names]
    found = re.match("".join([magic, "\n", *lines, "\n"]).encode(), data)
    if not found:
        raise Rejected(f"it does not begin with the lines {magic}, {', '.join(names)}")
    rules, *others = (value.decode("utf-8", "replace") for value in found.groups())
    if rules not in GAMES:
        raise Rejected(f"unknown rules '{rules}'")
    return (GAMES[rules], *others), data[found.end() :]


def read_choices(body):
    """The numbers of a stream: choices, and PART where one begins."""
    choices, rest = array.array("H"), iter(body)
    for choice in rest:
        if choice > 127:
            high = next(rest, 0)
            if not 0 < high < 128:
                raise Rejected("a choice is not in its shortest form")
            choice = choice & 127 | high << 7
        choices.append(choice)
    return choices


def read_claim(text):
    """The claim's side, and whether points and tie-break of (own, other) are enough."""
    claim = re.fullmatch(r"p([12]) (?:(wins|draws)|>= (0|-?[1-9][0-9]{0,4}))", text)
    if not claim or abs(int(claim.group(3) or 0)) > 10000:
        raise Rejected(f"'{text}' is not a claim")
    side = int(claim.group(1)) - 1
    least = int(claim.group(3) or 0)

    def holds(score):
        own, other = ([part[who] for part in score] for who in (side, 1 - side))
        reached = {"wins": own > other, "draws": own >= other}
        return reached.get(claim.group(2), own[0] - other[0] >= least)

    return side, holds


def check(game, text, claim, steps, may_have_parts=False):
    """Checks that a claim about a position follows from choices, or tasks: claims and positions."""
    (side, holds), met, used = read_claim(claim), set(), 0
    outside, open_positions = None, [game.read(text)]
    while open_positions:
        position = open_positions.pop()
        if position is None:  # the end of a part
            met, outside = outside, None
        if position is None or position in met:
            continue
        moves = game.moves(position)
        if not moves:
            if not holds(game.score(position)):
                raise Rejected("a game ends otherwise")
        elif position[-1] != side:
            open_positions += [game.play(position, move) for move in reversed(moves)]
        else:
            met.add(position)
            if used == len(steps):
                raise Rejected("choices are missing")
            step, used = steps[used], used + 1
            if step == PART and may_have_parts and outside is None:
                open_positions += [None, position]
                met, outside = set(), met  # what was met outside the part
            elif isinstance(step, tuple):
                if step[0] != claim or game.read(step[1]) != position:
                    raise Rejected(f"the task of '{step[1]}' is not the one needed")
            elif step < len(moves):
                open_positions.append(game.play(position, moves[step]))
            else:
                raise Rejected(f"choice {used} is not a move")
    if used != len(steps):
        raise Rejected(f"{len(steps) - used} choices are left over")


def load(path, max_mib=MAX_MIB):
    with open(path, "rb") as file:
        data = file.read((max_mib << 20) + 1)
    if len(data) > max_mib << 20:
        raise Rejected(f"it has more than {max_mib} MiB")
    return data


def verify(path, max_mib):
    """What the file proves, in words."""
    data = load(path, max_mib)
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise Rejected("wrong checksum")
    names = ["rules", "position", "claim", "prover", "choices"]
    version = "2" if data.startswith(f"{MAGIC}2".encode()) else "1"
    (game, text, claim, _, count), body = read_header(data[:-32], MAGIC + version, names)
    choices = read_choices(body)
    if count != str(len(choices)):
        raise Rejected(f"{len(choices)} choices, not {count}")
    check(game, text, claim, choices, may_have_parts=version == "2")
    return f"proved: {claim} in '{text}' ({len(choices)} choices)"


def shown(why):
    """Without control characters, which a file could have for the terminal."""
    return str(why).encode("unicode_escape").decode("ascii")


def main():
    parser = argparse.ArgumentParser(description="Checks certificates by rules of its own.")
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--max-size", type=int, default=MAX_MIB, metavar="MIB")
    arguments, failed = parser.parse_args(), False
    for path in arguments.files:
        try:
            print(f"{path}: {verify(path, arguments.max_size)}")
        except (Rejected, OSError) as why:
            print(f"{path}: not proved: {shown(why)}", file=sys.stderr)
            failed = True
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
