"""What Python costs: the figures of `src/python/README.md`, in microseconds.

Run `TOTEMIC=target/release/totemic PYTHONPATH=src/python python benches/python.py`; it needs
`pip install "pettingzoo[classic]" open_spiel`. Of short rounds, the best counts, as others may
use the machine. "cpu" is the processor time of Python and that of the engine.
"""

import pathlib
import random
import time

import numpy as np
import pyspiel
import totemic
from pettingzoo.classic import connect_four_v3
from totemic import env

ROUNDS = 20


def used(engine):
    """The processor time of an engine's threads, on Linux."""
    threads = pathlib.Path(f"/proc/{engine._link.child.process.pid}/task").iterdir() if engine else ()
    return sum(int((thread / "schedstat").read_text().split()[0]) for thread in threads) / 1e9


def measure(name, work, count, engine=None):
    """Of `work`, which does something `count` times."""
    rounds = []
    for _ in range(ROUNDS):
        before = time.perf_counter(), time.process_time(), used(engine)
        work(count)
        after = time.perf_counter(), time.process_time(), used(engine)
        rounds.append([(end - begin) / count * 1e6 for begin, end in zip(before, after)])
    wall, python, its = map(min, zip(*rounds))
    print(f"{name:36} {wall:6.1f} = {1e6 / wall:7,.0f} a second, cpu {python:5.1f} + {its:4.1f}", flush=True)


def steps(game):
    """Random actions, each with an observation and its mask."""

    def work(count):
        game.reset(seed=1)
        for _ in range(count):
            observation, _, ended, cut, _ = game.last()
            if ended or cut:
                game.reset()
                observation, *_ = game.last()
            game.step(random.choice(np.flatnonzero(observation["action_mask"])))

    return work


def spiel(count):
    game = pyspiel.load_game("connect_four")
    state = game.new_initial_state()
    for _ in range(count):
        state = game.new_initial_state() if state.is_terminal() else state
        state.observation_tensor()
        state.apply_action(random.choice(np.flatnonzero(state.legal_actions_mask())))


measure("connect_four_v3.raw_env", steps(connect_four_v3.raw_env()), 500)
measure("connect_four_v3.env", steps(connect_four_v3.env()), 500)
measure("pyspiel connect_four", spiel, 500)
for name in totemic.MAX_PLIES:
    with totemic.Engine(name) as engine:
        fens = []
        while len(fens) < 1000:
            engine.set_position(f"random {len(fens)}")
            while not engine.is_game_over():
                fens.append(engine.fen())
                engine.push(random.choice(engine.legal_moves()))
        for encode in (True, False):
            work = lambda _: [None for _ in engine.positions(fens[:1000], encode=encode)]
            measure(f"{name}: positions(encode={encode})", work, 1000, engine)
    many = env.vector(name, 64)

    def play(count):
        seen, _ = many.reset(seed=1)
        for _ in range(count // 64):
            seen, *_ = many.step([random.choice(np.flatnonzero(mask)) for mask in seen["action_mask"]])

    measure(f"{name}: vector(64)", play, 1280, many.engine)
    for make in (env.raw_env, env.env):
        game = make(name)
        measure(f"{name}: {make.__name__}", steps(game), 500, game.unwrapped.engine)
    measure(f"{name}: clone", lambda count: [game.unwrapped.clone() for _ in range(count)] and None, 300)
