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
import subprocess
import time

OPENINGS = pathlib.Path(__file__).parent.parent / "tests/data/openings"


class Engine:
    def __init__(self, program, game, threads):
        command = [program, "--game", game, "ugi"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)
        self.tell(f"setoption name Threads value {threads}")
        self.tell("setoption name Hash value 256")

    def tell(self, command):
        print(command, file=self.process.stdin, flush=True)

    def ask(self, command, answer):
        self.tell(command)
        for line in self.process.stdout:
            if line.startswith(answer):
                return
        raise SystemExit(f"the engine ended after '{command}'")

    def time_to(self, depth, position):
        self.tell("uginewgame")
        self.tell(f"position {position}" if position.startswith("startpos") else f"position fen {position}")
        self.ask("isready", "readyok")
        begin = time.perf_counter()
        self.ask(f"go depth {depth}", "bestmove")
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
    engines = [Engine(given.totemic, given.game, threads) for threads in (1, 2)]
    times = [[math.log(engine.time_to(given.depth, line)) for engine in engines] for line in lines]
    alone, ratios = [one for one, _ in times], [one - two for one, two in times]
    error = math.sqrt(sum((ratio - sum(ratios) / len(ratios)) ** 2 for ratio in ratios)) / len(ratios)
    print(f"{given.game}: depth {given.depth}, {len(times)} positions, one thread {mean(alone):.2f} s")
    print(f"two threads {mean(ratios):.2f} times as fast (standard error {100 * error:.0f} %)")


if __name__ == "__main__":
    main()
