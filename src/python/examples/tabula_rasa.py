"""Learns Hokito from nothing by playing against itself: python tabula_rasa.py [GAMES]

The policy is a softmax over the legal actions, linear in what stands on the two squares
of each; the method is REINFORCE (Williams, 1992). Fifty games are played at a time.
"""

import sys

import numpy as np
from totemic import env

SIZE = 50
rng = np.random.default_rng(1)
games = env.vector("hokito", SIZE)
planes, ranks, files = games.single_observation_space["observation"].shape
# Heights count by tens.
scale = np.array([1, 1, 1, 1, 1, 1, 10, 10, 1])


def choose(seen, weights):
    """An action of the policy for each game, and how it would become more likely."""
    numbers, actions = np.nonzero(seen["action_mask"])
    squares = seen["observation"].reshape(SIZE, planes, -1).transpose(0, 2, 1) / scale
    begin, end = np.divmod(actions, ranks * files)
    features = squares[numbers, begin][:, :, None] * squares[numbers, end][:, None, :]
    features = features.reshape(len(actions), -1)
    # The greatest of values with noise of Gumbel's kind is drawn by the softmax.
    values = np.einsum("af,af->a", features, weights[numbers])
    first = np.searchsorted(numbers, np.arange(SIZE))
    odds = np.exp(values - np.maximum.reduceat(values, first)[numbers])
    odds /= np.add.reduceat(odds, first)[numbers]
    noisy = np.log(odds) + rng.gumbel(size=len(actions))
    best = np.flatnonzero(noisy == np.maximum.reduceat(noisy, first)[numbers])
    return actions[best], features[best] - np.add.reduceat(odds[:, None] * features, first)


def play(weights, seed):
    """The rewards of both players in each game, and the gradients of their policies."""
    seen, infos = games.reset(seed=seed)
    gradients, rewards = np.zeros((SIZE, 2, planes * planes)), np.zeros((SIZE, 2))
    running, every = np.ones(SIZE, bool), np.arange(SIZE)
    while running.any():
        turns = infos["turn"]
        actions, gradient = choose(seen, weights[every, turns])
        gradients[every[running], turns[running]] += gradient[running]
        seen, reward, ended, _, infos = games.step(actions)
        over = running & ended
        rewards[every[over], turns[over]] = reward[over]
        rewards[every[over], 1 - turns[over]] = -reward[over]
        running &= ~ended
    return rewards, gradients


def strength(learned, batches):
    """The points that the policy makes against random moves, of 1."""
    weights = np.zeros((SIZE, 2, planes * planes))
    own = np.arange(SIZE) % 2
    weights[np.arange(SIZE), own] = learned
    rewards = [play(weights, 10**6 + SIZE * number)[0][np.arange(SIZE), own] for number in range(batches)]
    return (np.mean(rewards) + 1) / 2


count = int(sys.argv[1]) if len(sys.argv) > 1 else 2500
learned = np.zeros(planes * planes)
print(f"before {strength(learned, 4):.0%}")
for number in range(count // SIZE):
    rewards, gradients = play(np.broadcast_to(learned, (SIZE, 2, planes * planes)), SIZE * number)
    learned += 0.02 * np.einsum("gp,gpf->f", rewards, gradients)
print(f"after {count} games {strength(learned, 4):.0%}")
games.close()
