"""Learns Hokito from nothing by playing against itself: python tabula_rasa.py [GAMES]

The policy is a softmax over the legal actions, linear in what stands on the two squares
of each; the method is REINFORCE (Williams, 1992).
"""

import sys

import numpy as np
from totemic import env

rng = np.random.default_rng(1)
game = env.raw_env("hokito")
planes, ranks, files = game.observation_space("player_1")["observation"].shape
# Heights count by tens.
scale = np.array([1, 1, 1, 1, 1, 1, 10, 10, 1])


def choose(weights):
    """An action of the policy, and how it would become more likely."""
    seen = game.observe(game.agent_selection)
    actions = np.flatnonzero(seen["action_mask"])
    squares = seen["observation"].reshape(planes, -1).T / scale
    begin, end = np.divmod(actions, ranks * files)
    features = np.einsum("ai,aj->aij", squares[begin], squares[end]).reshape(len(actions), -1)
    values = features @ weights
    odds = np.exp(values - values.max())
    odds /= odds.sum()
    chosen = rng.choice(len(actions), p=odds)
    return actions[chosen], features[chosen] - odds @ features


def play(weights, seed):
    """The rewards of a game between the policies of two weights, and its gradients."""
    game.reset(seed=seed)
    gradients = {agent: np.zeros(planes * planes) for agent in game.agents}
    while not any(game.terminations.values()):
        agent = game.agent_selection
        action, gradient = choose(weights[agent])
        gradients[agent] += gradient
        game.step(action)
    return game.rewards, gradients


def strength(weights, games):
    """The points that the policy makes against random moves, of 1."""
    points = 0.0
    for number in range(games):
        own, other = game.possible_agents[:: 1 if number % 2 else -1]
        rewards, _ = play({own: weights, other: np.zeros_like(weights)}, 10**6 + number)
        points += (rewards[own] + 1) / 2
    return points / games


games = int(sys.argv[1]) if len(sys.argv) > 1 else 2500
learned = np.zeros(planes * planes)
print(f"before {strength(learned, 200):.0%}")
for number in range(games):
    rewards, gradients = play(dict.fromkeys(game.possible_agents, learned), number)
    learned += 0.02 * sum(rewards[agent] * gradients[agent] for agent in rewards)
print(f"after {games} games {strength(learned, 200):.0%}")
game.close()
