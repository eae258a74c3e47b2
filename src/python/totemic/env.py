"""Both games as environments of PettingZoo and Gymnasium, for programs that learn.

Planes and actions are those of `protocol.md`, each as the player sees them that the
observation is for.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypedDict, get_args

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(f'{error}: totemic.env needs `pip install "totemic[env]"`') from error

from ._conversation import State, answers
from ._core import BATCH, Starting
from ._engine import Engine
from ._program import BadInput
from ._values import Game, Planes

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

Mode = Literal["human", "ansi", "svg"]
Agent = Literal["player_1", "player_2"]
_SIDES: dict[Agent, Literal["p1", "p2"]] = {"player_1": "p1", "player_2": "p2"}
_REWARDS = {"p1win": (1, -1), "p2win": (-1, 1), "draw": (0, 0)}
_FRESH = {"rewards": 0, "_cumulative_rewards": 0, "terminations": False, "truncations": False}
_QUERIES = ("query result", "query actions", "query planes")
_MODES = get_args(Mode)


class Observation(TypedDict):
    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


def _spaces(engine: Engine) -> tuple[spaces.Dict, spaces.Discrete]:
    """What is observed, and the actions."""
    count = int(engine._query("actions").split()[0])
    mask = spaces.Box(0, 1, (count,), np.int8)
    planes = spaces.Box(0, 36, engine.planes().shape, np.uint8)
    return spaces.Dict({"observation": planes, "action_mask": mask}), spaces.Discrete(count)


def _numbers(planes: Sequence[Planes]) -> NDArray[np.uint8]:
    values = bytearray().join([it.values for it in planes])
    return np.frombuffer(values, np.uint8).reshape(-1, *planes[0].shape)


class raw_env(AECEnv):  # type: ignore[misc]
    """A game between `player_1`, who begins, and `player_2`.

    An observation has the planes as `observation` and the legal actions as
    `action_mask`, all 0 for the player who waits. The rewards at the end are 1, 0 or
    -1, before that 0. `engine`, made with the other arguments, may be asked about the
    position, but must not change it. Copies play on independently.
    """

    metadata = {"render_modes": [*_MODES], "is_parallelizable": False}
    agent_selection: Agent
    infos: dict[Agent, dict[str, object]]

    def __init__(self, game: Game, render_mode: Mode | None = None, **how: Unpack[Starting]) -> None:
        super().__init__()
        if render_mode not in (None, *_MODES):
            raise BadInput(f"render_mode {render_mode!r}: expected one of {', '.join(_MODES)} or None")
        self.render_mode = render_mode
        self.engine = Engine(game, **how)
        self.metadata = {**self.metadata, "name": f"{game}_v0"}
        self._actions: tuple[str, ...] = ()
        self._planes: dict[Agent, Planes] = {}
        self._random = random.Random()
        self._state = self.engine._core.state
        self.possible_agents: list[Agent] = [*_SIDES]
        self.agents: list[Agent] = []
        seen, actions = _spaces(self.engine)
        self.observation_spaces = dict.fromkeys(_SIDES, seen)
        self.action_spaces = {agent: copy.copy(actions) for agent in _SIDES}

    def observation_space(self, agent: Agent) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Discrete:
        return self.action_spaces[agent]

    @property
    def moves(self) -> dict[int, str]:
        """The text of each legal action."""
        return dict(zip(map(int, self._actions), self.engine.legal_moves()))

    def reset(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        """Begins a game: at the protocol's `position random SEED`, or at the `position`
        of the options. Without a seed, the next one is drawn, beginning with the last.
        """
        if seed is not None:
            self._random.seed(int(seed))
        start = f"random {self._random.getrandbits(64) if seed is None else seed}"
        state = State.at(self.engine.game, (options or {}).get("position", start))
        fresh = {name: dict.fromkeys(_SIDES, value) for name, value in _FRESH.items()}
        self._change(state, state.command(), agents=[*_SIDES], infos={it: {} for it in _SIDES}, **fresh)

    def step(self, action: int | None) -> None:
        """Plays the action of the player to move; `None` for one whose game is over."""
        if not hasattr(self, "agent_selection"):
            raise BadInput("a step before the first game: expected reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            move = self._state.moves[self._actions.index(str(action))]
        except ValueError:
            raise BadInput(f"action {action}: expected one of those in the action mask") from None
        self._change(self._state.after(move), f"moves {move}")

    def _change(self, state: State, command: str, **changed: object) -> None:
        try:
            result, actions, planes = self.engine._change(state, command, queries=_QUERIES)
            state = self.engine._core.state
            mover = "player_1" if state.turn == "p1" else "player_2"
            changed |= {"_state": state, "agent_selection": mover, "_planes": {mover: Planes.parse(planes)}}
            changed["_actions"] = tuple(actions.split()[1:])
            if result != "none":
                changed["rewards"] = rewards = dict(zip(_SIDES, _REWARDS[result]))
                changed["_cumulative_rewards"] = {**rewards}
                changed["terminations"] = dict.fromkeys(_SIDES, True)
            # All at once: an interrupt leaves the game before a step or after it.
            self.__dict__.update(changed)
        finally:
            self.engine._core.state = self._state
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: Agent) -> Observation:
        planes = self._planes.get(agent) or self.engine.planes(_SIDES[agent])
        mask = np.zeros(self.action_spaces[agent].n, np.int8)
        if agent == self.agent_selection:
            mask[np.fromstring(" ".join(self._actions), np.int64, sep=" ")] = 1
        return {"observation": _numbers([planes])[0], "action_mask": mask}

    def render(self) -> str | None:
        """The board as text (`ansi`) or as SVG, or printed at each turn (`human`)."""
        picture = self.engine.svg() if self.render_mode == "svg" else self.engine.text()
        if self.render_mode != "human":
            return picture
        print(picture)
        return None

    def clone(self) -> raw_env:
        """A copy, which needs no process of its own."""
        other = raw_env.__new__(raw_env)
        changing = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations")
        other.__dict__ |= self.__dict__ | {name: copy.copy(self.__dict__.get(name)) for name in changing}
        other.infos = {agent: {**info} for agent, info in self.__dict__.get("infos", {}).items()}
        other.action_spaces, other._random = copy.deepcopy(self.action_spaces), copy.copy(self._random)
        other.engine = self.engine.twin()
        return other

    __copy__ = clone

    def __deepcopy__(self, _: object) -> raw_env:
        return self.clone()

    def close(self) -> None:
        self.engine.close()


class Wrapped(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """A `raw_env` in PettingZoo's wrappers."""

    if TYPE_CHECKING:
        unwrapped: raw_env

    def clone(self) -> Wrapped:
        """A copy, which needs no process of its own."""
        return copy.deepcopy(self)

    __copy__ = clone


def env(game: Game, render_mode: Mode | None = None, **how: Unpack[Starting]) -> Wrapped:
    """A game in PettingZoo's wrappers: an illegal action loses. Takes the arguments of
    `raw_env`, as `yoxii` and `hokito` do.
    """
    raw = raw_env(game, render_mode, **how)
    return Wrapped(wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, -1)))


yoxii, hokito = partial(env, "yoxii"), partial(env, "hokito")


class _Started(NamedTuple):
    """A game of many, by the names of queries after the actions."""

    codes: NDArray[np.int64]
    fen: str
    turn: str
    legalmoves: str
    result: str


class vector(VectorEnv[Any, Any, Any]):
    """Many games at once in one process, as Gymnasium's vector environments are.

    Each action is that of the side to move, which observes the planes and the mask of
    legal actions; the reward is for the side that has moved: 1, 0 or -1 at the end of its
    game. A game that has ended begins again in the same step: then `final_obs` of the
    infos has what was seen at its end. `turn` of the infos is 0 where player one is to
    move, else 1.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game: Game, num_envs: int, **how: Unpack[Starting]) -> None:
        self.engine = Engine(game, **how)
        self.num_envs = num_envs
        seen, actions = _spaces(self.engine)
        self.single_observation_space, self.single_action_space = seen, actions
        self.observation_space = batch_space(seen, num_envs)
        self.action_space = batch_space(actions, num_envs)
        self._random = random.Random()
        self._count = int(actions.n)
        self._games: list[_Started] = []

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begins all games, each at `position random SEED`: with the seeds, or with the
        seed and those that follow it.
        """
        if seed is not None:
            self._random.seed(str(seed))
        seeds = range(seed, seed + self.num_envs) if isinstance(seed, int) else seed
        starts = self._starts(self.num_envs) if seeds is None else [f"random {it}" for it in seeds]
        if len(starts) != self.num_envs:
            raise BadInput(f"{len(starts)} seeds: expected {self.num_envs}")
        self._games, seen = self._ask(starts)
        return seen, self._infos()

    def step(
        self, actions: Sequence[int] | NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays an action in each game."""
        if len(actions) != len(self._games):
            raise BadInput(f"{len(actions)} actions: expected {len(self._games)}, after reset()")
        starts = []
        for number, (action, game) in enumerate(zip(actions, self._games)):
            [found] = np.nonzero(game.codes == action)
            if not len(found):
                raise BadInput(f"action {action} of game {number}: expected one of those in its mask")
            starts.append(f"fen {game.fen} moves {game.legalmoves.split()[found[0]]}")
        games, seen = self._ask(starts)
        rewards = np.zeros(self.num_envs)
        final = np.full(self.num_envs, None, object)
        ended = np.array([game.result != "none" for game in games])
        numbers = [int(number) for number in np.flatnonzero(ended)]
        for number in numbers:
            final[number] = {name: it[number].copy() for name, it in seen.items()}
            rewards[number] = _REWARDS[games[number].result][self._games[number].turn == "p2"]
        if numbers:
            again, fresh = self._ask(self._starts(len(numbers)))
            for name, it in seen.items():
                it[numbers] = fresh[name]
            for number, game in zip(numbers, again):
                games[number] = game
        self._games = games
        infos = self._infos() | ({"final_obs": final, "_final_obs": ended} if numbers else {})
        return seen, rewards, ended, np.zeros(self.num_envs, bool), infos

    def _starts(self, count: int) -> list[str]:
        return [f"random {self._random.getrandbits(64)}" for _ in range(count)]

    def _infos(self) -> dict[str, Any]:
        turns = np.array([game.turn == "p2" for game in self._games], np.int8)
        return {"turn": turns, "_turn": np.ones(self.num_envs, bool)}

    def _ask(self, starts: list[str]) -> tuple[list[_Started], dict[str, NDArray[Any]]]:
        """Games that begin, or go on, at positions, and what is seen of them."""
        queries = [f"query {name}" for name in ("actions", "planes", *_Started._fields[1:])]
        found: list[str] = []
        for at in range(0, len(starts), BATCH):
            batch = starts[at : at + BATCH]
            found += answers(self.engine._batch([line for it in batch for line in (f"position {it}", *queries)]))
        actions, planes, *others = (found[at :: len(queries)] for at in range(len(queries)))
        games = [_Started(np.fromstring(text, np.int64, sep=" ")[1:], *it) for text, *it in zip(actions, *others)]
        mask = np.zeros((len(games), self._count), np.int8)
        for row, game in zip(mask, games):
            row[game.codes] = 1
        return games, {"observation": _numbers([*map(Planes.parse, planes)]), "action_mask": mask}

    def close_extras(self, **_: Any) -> None:
        self.engine.close()
