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

    def place(self, start, moves):
        end = " moves " + " ".join(moves) if moves else ""
        print(f"position fen {start}{end}", file=self.process.stdin, flush=True)

    def moves(self):
        lines = self.ask("go perft 1", "Nodes searched")
        return [line.split(":")[0] for line in lines[:-1]]

    def is_even(self, ms, bar):
        scores = [line for line in self.ask(f"go movetime {ms}", "bestmove") if " score " in line]
        words = scores[-1].split() if scores else []
        return "cp" in words and abs(int(words[words.index("cp") + 1])) <= bar


def main():
    program, game, count, *seed = sys.argv[1:]
    rng = random.Random(int(seed[0]) if seed else 1)
    engine = Engine(program, game)
    found = 0
    while found < int(count):
        setup = [program, "setup", "--game", game, "--seed", str(rng.randrange(1 << 32))]
        start = subprocess.run(setup, capture_output=True, text=True, check=True).stdout.strip()
        moves = []
        for _ in range(rng.randint(2, 5)):
            engine.place(start, moves)
            moves.append(rng.choice(engine.moves()))
        engine.ask("isready", "readyok")
        engine.place(start, moves)
        if engine.is_even(GLANCE_MS, 2 * BAR) and engine.is_even(LOOK_MS, BAR):
            found += 1
            print(start, "moves", *moves, flush=True)


if __name__ == "__main__":
    main()
