#!/usr/bin/env python3
"""Openings that either side can win, for matches: one a line, for `totemic match --openings`.

Usage: openings.py ENGINE yoxii|hokito COUNT [SEED]

Plays two to five random moves (in Hokito from a random set-up) and keeps the
position when the engine, after 0.4 s, sees neither side more than 30
centipoints ahead and then, in at most sixteen games against itself, lets each
side win six (in Yoxii, where every fourth such game is drawn, five). From other
starts the same side often wins whoever plays it, and such a pair of games says
nothing about the players. No two games are alike: each move gets from 50 to
150 ms, by chance.
"""

import random
import subprocess
import sys

BAR = 30
GLANCE_MS, LOOK_MS = 60, 400
GAMES, WINS = 16, {"yoxii": 5, "hokito": 6}
FASTEST_MS, SLOWEST_MS = 50, 150


class Engine:
    def __init__(self, program, game):
        command = [program, "--game", game, "ugi"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, bufsize=1)

    def tell(self, command):
        print(command, file=self.process.stdin, flush=True)

    def ask(self, command, last):
        """The lines of the answer up to the one that begins with `last`."""
        self.tell(command)
        lines = []
        while not lines or not lines[-1].startswith(last):
            line = self.process.stdout.readline()
            if not line:
                sys.exit("the engine has gone")
            lines.append(line.strip())
        return lines

    def seems_even(self, position, ms, bar):
        self.tell(f"position fen {position}")
        scores = [line for line in self.ask(f"go movetime {ms}", "bestmove") if " score " in line]
        words = scores[-1].split() if scores else []
        return "cp" in words and abs(int(words[words.index("cp") + 1])) <= bar

    def play(self, position, rng):
        """The result of a game against itself: p1win, p2win or draw."""
        self.tell("uginewgame")
        self.tell(f"position fen {position}")
        while self.ask("query gameover", "response") == ["response false"]:
            ms = rng.randint(FASTEST_MS, SLOWEST_MS)
            move = self.ask(f"go movetime {ms}", "bestmove")[-1].split()[1]
            self.tell(f"moves {move}")
        return self.ask("query result", "response")[0].split()[1]

    def can_be_won(self, position, wanted, rng):
        """Whether each side wins as often as wanted."""
        wins = {"p1win": 0, "p2win": 0, "draw": 0}
        for left in range(GAMES, -1, -1):
            missing = sum(max(0, wanted - wins[side]) for side in ("p1win", "p2win"))
            if missing == 0 or missing > left:
                break
            wins[self.play(position, rng)] += 1
        return missing == 0


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
        is_even = all(engine.seems_even(position, ms, bar) for ms, bar in looks)
        if is_even and engine.can_be_won(position, WINS[game], rng):
            found += 1
            print(position, flush=True)


if __name__ == "__main__":
    main()
