"""What Python costs: the figures of `src/python/README.md`, as medians of five rounds of processor
time, which others who use the machine change least.

Run `python benches/python.py` where `totemic` is installed; `pip install pettingzoo[classic]
open_spiel` adds what it is compared with. `totemic solve --file` is measured if the program is on
the search path.
"""

import importlib
import os
import random
import shutil
import statistics
import subprocess
import tempfile
import time

import numpy as np
import totemic
from totemic import env

ROUNDS = 5


def used():
    """The processor time of this process and of those that it has waited for."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def measure(name, work, count):
    """Of `work`, which does something `count` times."""
    rounds = []
    for _ in range(ROUNDS):
        begin = used()
        work(count)
        rounds.append((used() - begin) / count)
    took = statistics.median(rounds)
    print(f"{name:44} {took * 1e6:8.1f} µs = {1 / took:9,.0f} a second", flush=True)
    return took


def module(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        print(f"{name}: not measured, {error}")
        return None


def steps(game, view=np.int8):
    """Random actions, each with an observation and its mask, which NumPy searches faster as bool."""

    def work(count):
        game.reset(seed=1)
        for _ in range(count):
            observation, _, ended, cut, _ = game.last()
            if ended or cut:
                game.reset()
                observation, *_ = game.last()
            game.step(random.choice(np.flatnonzero(observation["action_mask"].view(view))))

    return work


def states(game, actions):
    """Random actions, each chosen of what `actions` tells of a state, with planes in an array."""

    def work(count):
        planes = np.empty(totemic.PLANES[game], np.uint8)
        state = totemic.State(game)
        for number in range(count):
            if state.is_terminal():
                state = totemic.State(game, f"random {number}")
            state.planes(out=planes)
            state.apply_action(random.choice(actions(state)))

    return work


def by_mask(game):
    """The legal actions of a state, by an array for the mask."""
    mask = np.empty(totemic.ACTIONS[game], np.uint8)
    seen = mask.view(bool)

    def actions(state):
        state.legal_actions_mask(mask)
        return np.flatnonzero(seen)

    return actions


def many(game):
    games = env.vector(game, 64)

    def work(count):
        seen, _ = games.reset(seed=1)
        for _ in range(count // 64):
            seen, *_ = games.step(seen["action_mask"].argmax(1))

    return work


def fens(game, count):
    found = []
    while len(found) < count:
        state = totemic.State(game, f"random {len(found)}")
        while not state.is_terminal():
            found.append(state.fen())
            state.apply_action(random.choice(state.legal_actions()))
    return found[:count]


def endgames(game, count):
    """Positions of random games, seven plies before the last that there could be."""
    found, seed = [], 0
    while len(found) < count:
        state, seed = totemic.State(game, f"random {seed}"), seed + 1
        while not state.is_terminal() and len(state.history) < totemic.MAX_PLIES[game] - 7:
            state.apply_action(random.choice(state.legal_actions()))
        if not state.is_terminal():
            found.append(state.fen())
    return found


random.seed(1)
if classic := module("pettingzoo.classic.connect_four_v3"):
    measure("connect_four_v3.raw_env", steps(classic.raw_env()), 1000)
    measure("connect_four_v3.raw_env, mask as bool", steps(classic.raw_env(), bool), 1000)
if pyspiel := module("pyspiel"):

    def spiel(choose):
        game = pyspiel.load_game("connect_four")

        def work(count):
            state = game.new_initial_state()
            for _ in range(count):
                state = game.new_initial_state() if state.is_terminal() else state
                choose(state)

        return work

    def by_list(state):
        state.observation_tensor()
        state.apply_action(random.choice(state.legal_actions()))

    def by_arrays(state):
        np.asarray(state.observation_tensor(), np.float32)
        state.apply_action(random.choice(np.flatnonzero(state.legal_actions_mask())))

    measure("pyspiel connect_four", spiel(by_list), 20_000)
    measure("pyspiel connect_four, arrays and mask", spiel(by_arrays), 20_000)
for name in totemic.MAX_PLIES:
    measure(f"{name}: env.raw_env", steps(env.raw_env(name)), 3000)
    measure(f"{name}: env.raw_env, mask as bool", steps(env.raw_env(name), bool), 3000)
    measure(f"{name}: State", states(name, totemic.State.legal_actions), 20_000)
    measure(f"{name}: State, arrays and mask", states(name, by_mask(name)), 20_000)
    measure(f"{name}: env.vector of 64", many(name), 64 * 500)
    engine = totemic.Engine(name)
    texts = fens(name, 5000)
    for encode in (True, False):
        work = lambda _: [None for _ in engine.positions(texts, encode=encode)]
        measure(f"{name}: positions(encode={encode})", work, len(texts))
    ends = endgames(name, 2000)
    measure(f"{name}: solve_many", lambda _: totemic.solve_many(ends, game=name), len(ends))
    if program := shutil.which("totemic"):
        with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
            file.write("\n".join(ends))
            file.flush()
            command = [program, "--game", name, "solve", "--file", file.name, "--threads", "1"]
            measure(f"{name}: totemic solve --file", lambda _: subprocess.run(command, capture_output=True), len(ends))
