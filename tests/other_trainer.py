"""Weights fitted by another program than totemic's own, with nothing but Python.

    totemic data weights --classes OLD > table.tsv
    totemic data dump --features --eval-file OLD GAMES > positions.tsv
    python3 other_trainer.py GAME FEATURES table.tsv positions.tsv NEW

GAME and FEATURES are the first words of the line after 'totemic-weights 1' in a file of
weights, such as hokito and hokito-3. OLD is a file of weights; this
program makes sure that they give each position the static value that is printed. Then
it fits weights of its own to the results, from nothing, with one game in ten held out.
"""

import math
import struct
import sys
import zlib

KNOTS = (0, 9, 18, 27, 36)
PASSES = 5
RATE = 100.0  # Thousandths of a logit for an error of one, over all features together.


def parts_of(ply):
    """The knots beside a ply with their shares in ninths."""
    left = min(ply // 9, len(KNOTS) - 2)
    return left, ply - KNOTS[left]


def static_value(weights, ply, features):
    """Centipoints, in whole numbers as the engine has them."""
    left, ninths = parts_of(ply)
    total = 0
    for feature, amount in features:
        before, after = weights[feature][left : left + 2]
        total += amount * (before + int((after - before) * ninths / 9))
    return min(max(int(total / 10), -32768), 32767)


def logit(weights, ply, features):
    left, ninths = parts_of(ply)
    total = 0.0
    for feature, amount in features:
        before, after = weights[feature][left : left + 2]
        total += amount * (before + (after - before) * ninths / 9)
    return total / 1000


def loss(weights, examples):
    """Mean log loss of what became of them."""
    total = 0.0
    for ply, features, points in examples:
        expected = 1 / (1 + math.exp(-logit(weights, ply, features)))
        expected = min(max(expected, 1e-9), 1 - 1e-9)
        total -= points * math.log(expected) + (1 - points) * math.log(1 - expected)
    return total / len(examples)


def main(game, name, table, positions, out):
    with open(table, encoding="utf-8") as lines:
        weights = [[int(word) for word in line.split("\t")[1:6]] for line in lines]
    proved_points = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    examples, held_out = [], []
    with open(positions, encoding="utf-8") as lines:
        for line in lines:
            _, _, value, _, proved, result, number, ply, features = line.rstrip("\n").split("\t")
            if value == "random":
                continue
            features = [tuple(map(int, pair.split(":"))) for pair in features.split()]
            found = static_value(weights, int(ply), features)
            if found != int(value):
                sys.exit(f"{line}the static value is {value}, the weights make {found}")
            points = proved_points.get(proved, (int(result) + 1) / 2)
            into = held_out if int(number) % 10 == 0 else examples
            into.append((int(ply), features, points))
    print(f"{len(examples) + len(held_out)} static values agree")
    print(f"loss by the weights that played {loss(weights, held_out):.4f}")
    weights = [[0.0] * len(KNOTS) for _ in weights]
    for _ in range(PASSES):
        for ply, features, points in examples:
            left, ninths = parts_of(ply)
            error = points - 1 / (1 + math.exp(-logit(weights, ply, features)))
            # Steps of one size, however many features there are, and how large.
            step = RATE * error / (1 + sum(amount * amount for _, amount in features))
            for feature, amount in features:
                weights[feature][left] += step * amount * (9 - ninths) / 9
                weights[feature][left + 1] += step * amount * ninths / 9
    print(f"loss fitted {loss(weights, held_out):.4f}")
    header = f"totemic-weights 1\n{game} {name} {len(weights)} by other_trainer.py\n\n"
    body = header.encode()
    for knots in weights:
        knots = (min(max(round(knot), -32768), 32767) for knot in knots)
        body += struct.pack("<5h", *knots)
    with open(out, "wb") as file:
        file.write(body + struct.pack("<I", zlib.crc32(body)))


if __name__ == "__main__":
    main(*sys.argv[1:])
