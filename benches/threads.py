#!/usr/bin/env python3
"""How much sooner two threads reach a depth than one.

    python3 benches/threads.py yoxii|hokito DEPTH [--totemic PROGRAM] [--positions N]

Searches the first N positions of `tests/data/openings` to a depth, each with one
thread and with two, by turns and with empty tables, and prints the geometric mean
of the times of one thread and how much sooner two are done. For an idle machine.
"""

import argparse
import math
import pathlib
import time

from openings import Engine

OPENINGS = pathlib.Path(__file__).parent.parent / "tests/data/openings"


def started(program, game, threads):
    engine = Engine(program, game)
    engine.tell(f"setoption name Threads value {threads}")
    engine.tell("setoption name Hash value 256")
    return engine


def time_to(engine, depth, position):
    engine.tell("uginewgame")
    engine.tell(f"position fen {position}")
    engine.ask("isready", "readyok")
    begin = time.perf_counter()
    engine.ask(f"go depth {depth}", "bestmove")
    return time.perf_counter() - begin


def mean(logs):
    return math.exp(sum(logs) / len(logs))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("game", choices=["yoxii", "hokito"])
    parser.add_argument("depth", type=int)
    parser.add_argument("--totemic", default="totemic", metavar="PROGRAM")
    parser.add_argument("--positions", type=int, default=40, metavar="N")
    given = parser.parse_args()
    lines = (OPENINGS / f"{given.game}.txt").read_text().splitlines()
    lines = [line for line in lines if line and not line.startswith("#")][: given.positions]
    engines = [started(given.totemic, given.game, threads) for threads in (1, 2)]
    times = [[math.log(time_to(engine, given.depth, line)) for engine in engines] for line in lines]
    alone, ratios = [one for one, _ in times], [one - two for one, two in times]
    error = math.sqrt(sum((ratio - sum(ratios) / len(ratios)) ** 2 for ratio in ratios)) / len(ratios)
    print(f"{given.game}: depth {given.depth}, {len(times)} positions, one thread {mean(alone):.2f} s")
    print(f"two threads {mean(ratios):.2f} times as fast (standard error {100 * error:.0f} %)")


if __name__ == "__main__":
    main()
