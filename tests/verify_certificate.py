#!/usr/bin/env python3
"""An independent verifier of Totemic's certificates: `verify_certificate.py FILE...`.

Python's standard library and rules of its own; no search. The format is documented in
src/search/solver/certificate.rs. A position is checked so: without legal moves, the claim has
to be true of its score; with the claim's side to move, the next choice in the file names the
move (a position met before needs none); otherwise the positions after all moves are checked.

Prints what each file proves; exit code 1 if one does not, 2 for wrong usage.
"""

import hashlib
import re
import sys

MAGIC = "totemic certificate 1"
STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))


class Rejected(Exception):
    """Why a file proves nothing."""


# Hokito: 36 squares, a1 to f6 by rank. A tower is (side, value, height), side 0 moves first.


class Hokito:
    SIZE = 6
    SIDES = "bw"

    @staticmethod
    def read(text):
        board, side = ranks_of(text, Hokito.SIDES, 6)
        towers = {}
        for rank, row in enumerate(board):
            file = 0
            for item in row.split(","):
                tower = re.fullmatch(r"([bw])([123])(?::([1-9][0-9]?))?", item)
                empty = re.fullmatch(r"x([1-6]?)", item)
                if tower:
                    owner, value, height = tower.groups()
                    height = int(height or 1)
                    if tower.group(3) and height < 2:
                        raise Rejected("a stack of one")
                    towers[rank * 6 + file] = ("bw".index(owner), int(value), height)
                    file += 1
                elif empty:
                    file += int(empty.group(1) or 1)
                else:
                    raise Rejected(f"'{item}' is no square")
            if file != 6:
                raise Rejected(f"rank '{row}' has {file} squares")
        tops = [tower[:2] for tower in towers.values()]
        if sum(tower[2] for tower in towers.values()) > 36 or any(tops.count(top) > 6 for top in tops):
            raise Rejected("more pawns than there are")
        return tuple(towers.get(square) for square in range(36)), side

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
        ends, (_, value, height) = set(), board[origin]
        paths = [(origin,)]
        for _ in range(value):
            near = [(p, Hokito.next_to(board, p[-1], step)) for p in paths for step in STRAIGHT]
            paths = [path + (end,) for path, end in near if end is not None and end not in path]
        for path in paths:
            if (board[path[-1]][2] == 1) == (height == 1):
                ends.add(path[-1])
        return sorted(ends)

    @staticmethod
    def moves(position):
        board, side = position
        own = [square for square in range(36) if board[square] and board[square][0] == side]
        return [(origin, end) for origin in own for end in Hokito.targets(board, origin)]

    @staticmethod
    def play(position, move):
        (board, side), (origin, end) = position, move
        board = list(board)
        owner, value, height = board[origin]
        board[end] = (owner, value, height + board[end][2])
        board[origin] = None
        return tuple(board), 1 - side

    @staticmethod
    def score(position):
        points = [0, 0]
        for tower in filter(None, position[0]):
            points[tower[0]] += tower[1] * tower[2]
        return points, [0, 0]


# Yoxii: 7 files and ranks, without the corners. The board maps a square to (side, value);
# a position is (board, totem, side). Reserves follow from the board.


class Yoxii:
    SIDES = "wr"
    WIDTHS = (3, 5, 7, 7, 7, 5, 3)
    SQUARES = [(f, r) for r in range(7) for f in range(7) if abs(f - 3) + abs(r - 3) < 5]
    SET = set(SQUARES)
    STOCK = {1: 5, 2: 5, 3: 5, 4: 3}
    STEPS = [(f, r) for r in (-1, 0, 1) for f in (-1, 0, 1) if f or r]

    @staticmethod
    def read(text):
        board, side = ranks_of(text, Yoxii.SIDES, 7)
        pieces, totem = {}, None
        for rank, row in enumerate(board):
            width = Yoxii.WIDTHS[rank]
            file, first = 0, 3 - width // 2
            for mark in row:
                if mark.isdigit() and mark != "0":
                    file += int(mark)
                    continue
                square = (first + file, rank)
                if mark == "*" and totem is None:
                    totem = square
                elif mark.lower() in "oiyx":
                    pieces[square] = (int(mark.islower()), "oiyx".index(mark.lower()) + 1)
                else:
                    raise Rejected(f"mark '{mark}'")
                file += 1
            if file != width:
                raise Rejected(f"rank '{row}' has {file} squares")
        if totem is None:
            raise Rejected("no totem")
        position = frozenset(pieces.items()), totem, side
        if any(left < 0 for owner in (0, 1) for left in Yoxii.reserve(pieces, owner).values()):
            raise Rejected("more pieces than there are")
        owners = [owner for owner, _ in pieces.values()]
        if owners.count(0) - owners.count(1) != side:
            raise Rejected("the other side has to move")
        return position

    @staticmethod
    def reserve(pieces, side):
        left = dict(Yoxii.STOCK)
        for owner, value in pieces.values():
            if owner == side:
                left[value] -= 1
        return left

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
        raise Rejected(f"'{text}' is no position")
    return ranks[::-1], sides.index(side)


def read(data):
    """The game, position, claim and choices of a file."""
    if not data.startswith(MAGIC.encode()):
        raise Rejected("it is no certificate")
    if hashlib.sha256(data[:-32]).digest() != data[-32:]:
        raise Rejected("wrong checksum")
    header, _, body = data[:-32].partition(b"\n\n")
    lines = header.decode("utf-8", "replace").split("\n")
    names = ["rules", "position", "claim", "prover", "choices"]
    if lines[0] != MAGIC or [line.split(" ")[0] for line in lines[1:]] != names:
        raise Rejected("its header is damaged")
    rules, position, claim, _, count = [line.partition(" ")[2] for line in lines[1:]]
    if rules not in GAMES:
        raise Rejected(f"unknown rules '{rules}'")
    choices = read_choices(body)
    if count != str(len(choices)):
        raise Rejected(f"{len(choices)} choices, not {count}")
    game = GAMES[rules]
    return game, game.read(position), read_claim(claim), choices, f"{claim} in '{position}'"


def read_choices(body):
    choices, at = [], 0
    while at < len(body):
        choice = body[at] & 127
        if body[at] > 127:
            at += 1
            if at == len(body) or not 0 < body[at] < 128:
                raise Rejected("a choice is not in its shortest form")
            choice |= body[at] << 7
        choices.append(choice)
        at += 1
    return choices


def read_claim(text):
    """The claim's side, and whether points and tie-break of (own, other) are enough."""
    claim = re.fullmatch(r"p([12]) (?:(wins|draws)|>= (0|-?[1-9][0-9]{0,4}))", text)
    if not claim:
        raise Rejected(f"'{text}' is no claim")
    side = int(claim.group(1)) - 1
    least = int(claim.group(3) or 0)

    def holds(score):
        own, other = ([part[who] for part in score] for who in (side, 1 - side))
        if claim.group(2) == "wins":
            return own > other
        if claim.group(2) == "draws":
            return own >= other
        return own[0] - other[0] >= least

    return side, holds


def verify(data):
    """What the file proves, in words."""
    game, position, (side, holds), choices, words = read(data)
    met, used = set(), 0
    open_positions = [position]
    while open_positions:
        position = open_positions.pop()
        moves = game.moves(position)
        if not moves:
            if not holds(game.score(position)):
                raise Rejected("a game ends otherwise")
        elif position[-1] != side:
            open_positions += [game.play(position, move) for move in reversed(moves)]
        elif position not in met:
            met.add(position)
            if used == len(choices):
                raise Rejected("choices are missing")
            if choices[used] >= len(moves):
                raise Rejected(f"choice {used + 1} is no move")
            open_positions.append(game.play(position, moves[choices[used]]))
            used += 1
    if used != len(choices):
        raise Rejected(f"{len(choices) - used} choices are left over")
    return f"proved: {words} ({used} choices)"


def main(paths):
    failed = not paths
    for path in paths:
        try:
            with open(path, "rb") as file:
                print(f"{path}: {verify(file.read())}")
        except (Rejected, OSError, RecursionError) as why:
            print(f"{path}: not proved: {why}", file=sys.stderr)
            failed = True
    return int(failed) if paths else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
