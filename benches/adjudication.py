#!/usr/bin/env python3
"""How often `totemic match --resign` would end a game with the wrong result.

    python3 benches/adjudication.py FILE... [--totemic PROGRAM]

FILEs are written by `totemic datagen`. For each setting of `--resign`: in which
part of the games it ends one before the solver proves its result, how many of
these the side that resigns did not lose in the end, and how many plies of the
part before the proof are saved, by the mean of all games.
"""

import argparse
import subprocess

SCORES = [200, 300, 400, 500, 600]
COUNTS = [1, 2, 3]


def is_start(position):
    """Yoxii's start, or 36 single pawns: every game's first position."""
    board = position.split()[0]
    return board == "3/5/7/3*3/7/5/3" or ("," in board and not set("x:") & set(board))


def games(program, path):
    """Each game as (side, score, result of the side) up to the first proof; a
    random move has no score."""
    command = [program, "data", "dump", path]
    dump = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = []
    for line in dump.splitlines():
        position, _, _, score, proved, result = line.split("\t")
        if is_start(position):
            found.append([])
            open_game = True
        open_game = open_game and proved == "-"
        if open_game:
            number = None if score == "random" else int(score)
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
