#!/usr/bin/env python3
"""Openings that are even, for matches: one a line, for `totemic match --openings`.

Usage: openings.py ENGINE yoxii|hokito COUNT [SEED]

Plays two to five random moves (in Hokito from a random set-up) and keeps the
position when the engine, after 0.4 s, sees neither side more than 15
centipoints ahead. From other starts the better side often wins whoever plays
it, and such a pair of games says nothing about the players.
"""

import random
import subprocess
import sys

BAR = 15
GLANCE_MS, LOOK_MS = 60, 400


class Engine:
    def __init__(self, program, game):
        command = [program, "--game", game, "ugi"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def ask(self, command, last):
        """The lines of the answer up to the one that begins with `last`."""
        print(command, file=self.process.stdin, flush=True)
        lines = []
        while not lines or not lines[-1].startswith(last):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine has gone")
            lines.append(line.strip())
        return lines

    def is_even(self, position, ms, bar):
        print("position fen", position, file=self.process.stdin, flush=True)
        scores = [line for line in self.ask(f"go movetime {ms}", "bestmove") if " score " in line]
        words = scores[-1].split() if scores else []
        return "cp" in words and abs(int(words[words.index("cp") + 1])) <= bar


def main():
    program, game, count, *seed = sys.argv[1:]
    rng = random.Random(int(seed[0]) if seed else 1)
    engine = Engine(program, game)
    found = 0
    while found < int(count):
        setup = [program, "setup", "--game", game]
        setup += ["--plies", str(rng.randint(2, 5)), "--seed", str(rng.randrange(1 << 32))]
        position = subprocess.run(setup, capture_output=True, text=True, check=True).stdout.strip()
        looks = [(GLANCE_MS, 2 * BAR), (LOOK_MS, BAR)]
        if all(engine.is_even(position, ms, bar) for ms, bar in looks):
            found += 1
            print(position, flush=True)


if __name__ == "__main__":
    main()
