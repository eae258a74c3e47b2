#!/usr/bin/env python3
"""How often `totemic match --resign` would end a game with the wrong result.

    python3 benches/adjudication.py FILE... [--totemic PROGRAM]

FILEs are journals by `totemic datagen`. For each setting of `--resign`: in which
part of the games it ends one before the solver proves its result, how many of
these the side that resigns did not lose in the end, and how many plies of the
part before the proof are saved, by the mean of all games.
"""

import argparse
import re
import subprocess

SCORES = [200, 300, 400, 500, 600]
COUNTS = [1, 2, 3]


def moves_before(position):
    """The moves made before a position: in Yoxii each adds a piece, in Hokito each of
    them takes a tower from the 36."""
    board = position.split()[0]
    if "," in board:
        return 36 - sum(not cell.startswith("x") for cell in re.split("[,/]", board))
    return sum(letter.isalpha() for letter in board)


def games(program, path):
    """Each game as (side, score, result of the side) up to the first proof; a
    random move has no score."""
    command = [program, "data", "dump", path]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = []
    before = None
    for line in dump.splitlines():
        position, _, _, score, proved, result = line.split("\t")
        # A game need not begin at the start of all games.
        if before is None or moves_before(position) != before + 1:
            found.append([])
            open_game = True
        before = moves_before(position)
        open_game = open_game and proved == "-"
        if open_game:
            number = None if score in ("random", "-") else int(score)
            found[-1].append((position.split()[1], number, int(result)))
    return found


def resigned(game, score, count):
    """The ply after which a side gives up and whether it was right; or None."""
    running = {}
    for ply, (side, own, result) in enumerate(game):
        if own is None:
            continue
        running[side] = running.get(side, 0) + 1 if own <= -score else 0
        if running[side] == count:
            return ply, result == -1
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("files", nargs="+", metavar="FILE")
    parser.add_argument("--totemic", default="totemic", metavar="PROGRAM")
    given = parser.parse_args()
    all_games = [game for path in given.files for game in games(given.totemic, path)]
    total = len(all_games)
    print(f"{total} games")
    print("score  movecount  ended  wrong  plies saved")
    for score in SCORES:
        for count in COUNTS:
            ends = [(game, resigned(game, score, count)) for game in all_games]
            ends = [(game, end) for game, end in ends if end]
            wrong = sum(not right for _, (_, right) in ends)
            saved = sum(len(game) - 1 - ply for game, (ply, _) in ends) / total
            part = 100 * len(ends) / total
            print(f"{score:5}  {count:9}  {part:3.0f} %  {wrong:5}  {saved:11.1f}")


if __name__ == "__main__":
    main()
