#!/usr/bin/env python3
"""How well the odds that the engine shows agree with how its games end.

Usage: calibration.py SCALE DRAW JOURNAL...

Reads journals of `totemic match`, takes every score that is no proof, and
compares the points expected by the model of `Odds::logistic` (SCALE and DRAW in
centipoints) with the points made, in bands of ten per cent.
"""

import json
import math
import sys


def expected(score, scale, draw):
    def above(bar):
        return 1 / (1 + math.exp((bar - score) / scale))

    return (above(draw) + above(-draw)) / 2


def scores(path):
    """Score and points at the end, from the view of each mover."""
    with open(path, encoding="utf-8") as journal:
        for line in journal:
            game = json.loads(line)
            if "moves" not in game:
                continue
            first = {"p1win": 1.0, "draw": 0.5, "p2win": 0.0}[game["result"]]
            # Random moves before the game's own may have changed the side.
            swapped = len(game["opening"].get("moves", [])) % 2
            for ply, move in enumerate(game["moves"]):
                if "cp" in move.get("s", {}):
                    is_first = (ply + swapped) % 2 == 0
                    yield move["s"]["cp"], first if is_first else 1 - first


def main():
    scale, draw = float(sys.argv[1]), float(sys.argv[2])
    bands = [[] for _ in range(10)]
    for path in sys.argv[3:]:
        for score, points in scores(path):
            share = expected(score, scale, draw)
            bands[min(int(10 * share), 9)].append((share, points))
    print("| expected | made | scores |\n| --- | --- | --- |")
    for band in filter(None, bands):
        shares, points = (sum(column) / len(band) for column in zip(*band))
        print(f"| {shares:.3f} | {points:.3f} | {len(band)} |")


main()
