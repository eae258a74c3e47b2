#!/usr/bin/env python3
"""How often the interval of `totemic estimate` holds what `totemic certify` takes.

Usage: estimates.py PROGRAM [COUNT [SEED [KIND]]]

Takes at most COUNT (default 20) positions of each kind: random set-ups of Hokito on 4x4, 3x6
and 4x5 squares, of which the first side is claimed to win, and endgames of both games of the
engine from tests/data, easy (suite), hard (solve-hard.tsv) and as they are played
(within-reach.tsv), with the claim that they are worth what they are. Each is certified, which tells its true cost, and estimated with two
budgets far below that. Printed are a line for each estimate, and for each kind and budget
the geometric mean of estimate / cost with its standard deviation as a factor, and how many
intervals hold the cost. With another SEED they are other positions, as far as there are any.
"""

import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile

# Squares in a rank, values of one side's pawns.
SETUPS = {
    "4x4": (4, [1, 1, 1, 2, 2, 2, 3, 3]),
    "3x6": (3, [1, 1, 1, 2, 2, 2, 3, 3, 3]),
    "4x5": (4, [1, 1, 1, 1, 2, 2, 2, 3, 3, 3]),
}
DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "data")
# Of the cost; where the solver needs no more than the budget, nothing is estimated.
BUDGETS = [1 / 300, 1 / 30]
LEAST_BUDGET = 50


def run(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def setup(kind, rng):
    files, values = SETUPS[kind]
    pawns = []
    for side in "bw":
        rng.shuffle(values)
        pawns += [f"{side}{value}" for value in values]
    ranks = [pawns[i : i + files] for i in range(0, len(pawns), files)]
    gap = [f"x{6 - files}"] if files < 6 else []
    ranks = [",".join(rank + gap) for rank in ranks] + ["x6"] * (6 - len(ranks))
    return "/".join(ranks) + " b"


def endgames(game, files, rng):
    """Positions of which the value is known, with a claim that is true of each."""
    rows = []
    for file in files:
        with open(os.path.join(DATA, file)) as lines:
            rows += [line.rstrip("\n").split("\t") for line in lines]
    rows = [row for row in rows if row[0] == game]
    rng.shuffle(rows)
    for _, position, value, *_ in rows:
        mover = "p1" if position[-1] == {"yoxii": "w", "hokito": "b"}[game] else "p2"
        side = {"p1": "p2", "p2": "p1"}[mover] if value.startswith("loss") else mover
        yield position, f"{side} {'draws' if value.startswith('draw') else 'wins'}"


def cost(position, claim, folder):
    """The nodes of the proof; none where the claim is false."""
    path = os.path.join(folder, "proof")
    code, out, err = run("certify", position, "--claim", claim, "--out", path, "--force")
    found = re.search(r"(\d+) nodes? of the solver", out)
    return int(found.group(1)) if found else None


def measure(kind, positions, folder, sums):
    for position, claim in positions:
        true = cost(position, claim, folder)
        if true is None:
            print(f"{kind}: not proved: {claim} in '{position}'", flush=True)
            continue
        for part in BUDGETS:
            budget = max(LEAST_BUDGET, round(true * part))
            words = ["--claim", claim, "--budget", str(budget), "--json"]
            _, out, _ = run("estimate", position, *words)
            found = json.loads(out).get("estimate")
            if not found:
                continue
            low, high, nodes = found["nodes_low"], found["nodes_high"], found["nodes"]
            held = low <= true <= high
            sums.setdefault((kind, part), []).append((nodes / true, held))
            told = f"{nodes:.3g}, interval {low:.3g} to {high:.3g}"
            print(
                f"{kind} cost {true} budget {budget} estimate {told} {held} {claim} '{position}'",
                flush=True,
            )


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    wanted = sys.argv[4] if len(sys.argv) > 4 else ""
    sums = {}
    kinds = {}
    for kind in SETUPS:
        rng = random.Random(f"{kind} {seed}")
        kinds[kind] = [(setup(kind, rng), "p1 wins") for _ in range(count)]
    for game in ["yoxii", "hokito"]:
        suite = [f"suite/{game}-{plies}.tsv" for plies in range(12, 16)]
        played = ["within-reach.tsv"]
        for name, files in [("suite", suite), ("hard", ["solve-hard.tsv"]), ("played", played)]:
            rng = random.Random(f"{game} {name} {seed}")
            kinds[f"{game}-{name}"] = list(endgames(game, files, rng))[:count]
    with tempfile.TemporaryDirectory() as folder:
        for kind, positions in kinds.items():
            if wanted in kind:
                measure(kind, positions, folder, sums)
    for (kind, part), rows in sums.items():
        logs = [math.log(ratio) for ratio, _ in rows]
        mean = sum(logs) / len(logs)
        spread = math.sqrt(sum((x - mean) ** 2 for x in logs) / max(1, len(logs) - 1))
        held = sum(held for _, held in rows)
        print(
            f"{kind:12} budget 1/{1 / part:<4.0f} estimate/cost {math.exp(mean):.2f} "
            f"({math.exp(spread):.2f}), {held} of {len(rows)} intervals hold the cost"
        )


if __name__ == "__main__":
    if len(sys.argv) < 2 or not os.access(sys.argv[1], os.X_OK):
        sys.exit(__doc__)
    PROGRAM = sys.argv[1]
    main()
