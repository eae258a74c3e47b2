"""Both games as environments of PettingZoo and Gymnasium, for programs that learn.

Planes and actions are those of `protocol.md`, each as the player sees them that the
observation is for.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, TypedDict, get_args

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(f'{error}: totemic.env needs `pip install "totemic[env]"`') from error

from ._engine import Engine, Options
from ._errors import BadInput
from ._totemic import ACTIONS, PLANES, Batch, State
from ._values import Game, whole

if TYPE_CHECKING:
    from numpy.typing import NDArray

Mode = Literal["human", "ansi", "svg"]
Agent = Literal["player_1", "player_2"]
_SIDES: dict[Agent, Literal["p1", "p2"]] = {"player_1": "p1", "player_2": "p2"}
_AGENTS: tuple[Agent, Agent] = ("player_1", "player_2")
_FRESH = {"rewards": 0, "_cumulative_rewards": 0, "terminations": False, "truncations": False}
_MODES = get_args(Mode)


class Observation(TypedDict):
    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


def _spaces(game: Game) -> tuple[spaces.Dict, spaces.Discrete]:
    """What is observed, and the actions."""
    mask = spaces.Box(0, 1, (ACTIONS[game],), np.int8)
    planes = spaces.Box(0, 36, PLANES[game], np.uint8)
    return spaces.Dict({"observation": planes, "action_mask": mask}), spaces.Discrete(ACTIONS[game])


class raw_env(AECEnv):  # type: ignore[misc]
    """A game between `player_1`, who begins, and `player_2`.

    An observation has the planes as `observation` and the legal actions as
    `action_mask`, all 0 for the player who waits. The rewards at the end are 1, 0 or
    -1, before that 0. `options` are those of the `engine`, which may be asked about the
    position. Copies play on independently.
    """

    metadata = {"render_modes": [*_MODES], "is_parallelizable": False}
    agent_selection: Agent
    infos: dict[Agent, dict[str, object]]

    def __init__(
        self, game: Game, render_mode: Mode | None = None, *, options: Options | None = None
    ) -> None:
        super().__init__()
        if render_mode not in (None, *_MODES):
            raise BadInput(f"render_mode {render_mode!r}: expected one of {', '.join(_MODES)} or None")
        self.render_mode = render_mode
        self.position = State(game)
        self._engine: Engine | None = None
        self._options = options
        self.metadata = {**self.metadata, "name": f"{self.position.game}_v0"}
        self._random = random.Random()
        self.possible_agents: list[Agent] = [*_AGENTS]
        self.agents: list[Agent] = []
        self.infos = {}
        seen, actions = _spaces(self.position.game)
        self._shape, self._actions = PLANES[self.position.game], ACTIONS[self.position.game]
        self.observation_spaces = dict.fromkeys(_AGENTS, seen)
        self.action_spaces = {agent: copy.copy(actions) for agent in _AGENTS}

    @property
    def engine(self) -> Engine:
        """An engine at the position, which it may be asked about."""
        if not self._engine:
            self._engine = Engine(self.position.game, options=self._options)
        self._engine.state = self.position.clone()
        return self._engine

    def observation_space(self, agent: Agent) -> spaces.Dict:
        return self.observation_spaces[agent]  # pyright: ignore[reportReturnType]

    def action_space(self, agent: Agent) -> spaces.Discrete:
        return self.action_spaces[agent]  # pyright: ignore[reportReturnType]

    @property
    def moves(self) -> dict[int, str]:
        """The text of each legal action."""
        _, _, moves, _, _, actions = self.position.facts(True)
        return dict(zip(actions, moves))

    def reset(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        """Begins a game: at the protocol's `position random SEED`, or at the `position`
        of the options. Without a seed, the next one is drawn, beginning with the last.
        """
        if seed is not None:
            self._random.seed(whole(seed, "seed"))
        start = f"random {self._random.getrandbits(64) if seed is None else seed}"
        fresh: dict[str, Any] = {name: dict.fromkeys(_AGENTS, value) for name, value in _FRESH.items()}
        fresh |= {"agents": [*_AGENTS], "infos": {agent: {} for agent in _AGENTS}}
        # PettingZoo's own test gives an option `options`.
        if unknown := {*(options or {})} - {"position", "options"}:
            raise BadInput(f"options {sorted(unknown)}: expected 'position' only")
        self._change(State(self.position.game, (options or {}).get("position", start)), fresh)

    def step(self, action: int | None) -> None:
        """Plays the action of the player to move; `None` for one whose game is over."""
        if not hasattr(self, "agent_selection"):
            raise BadInput("a step before the first game: expected reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self.position.clone()
        state.apply_action(action)  # type: ignore[arg-type]
        self._change(state, {})

    def _change(self, state: State, changed: dict[str, Any]) -> None:
        changed |= {"position": state, "agent_selection": _AGENTS[state.turn() == "p2"]}
        if state.is_terminal():
            changed["rewards"] = {agent: int(it) for agent, it in zip(_AGENTS, state.returns())}
            changed["_cumulative_rewards"] = {**changed["rewards"]}
            changed["terminations"] = dict.fromkeys(_AGENTS, True)
        # All at once: an interrupt leaves the game before a step or after it.
        self.__dict__.update(changed)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: Agent) -> Observation:
        state = self.position
        planes, mask = np.empty(self._shape, np.uint8), np.zeros(self._actions, np.int8)
        if agent == self.agent_selection:
            state.legal_actions_mask(mask.view(np.uint8))
        state.planes(_SIDES[agent], out=planes)
        return {"observation": planes, "action_mask": mask}

    def render(self) -> str | None:
        """The board as text (`ansi`) or as SVG, or printed at each turn (`human`)."""
        picture = self.position.svg() if self.render_mode == "svg" else self.position.text()
        if self.render_mode != "human":
            return picture
        print(picture)
        return None

    def clone(self) -> raw_env:
        """A copy, which plays on by itself."""
        other = self.__new__(type(self))
        own = {name: copy.copy(it) for name, it in vars(self).items() if isinstance(it, (dict, list, random.Random))}
        other.__dict__ |= self.__dict__ | own | {"position": self.position.clone(), "_engine": None}
        other.infos, other.action_spaces = copy.deepcopy((self.infos, self.action_spaces))
        return other

    __copy__ = clone

    def __deepcopy__(self, _: object) -> raw_env:
        return self.clone()

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_engine": None}

    def close(self) -> None:
        if self._engine:
            self._engine.close()


class Wrapped(wrappers.OrderEnforcingWrapper):  # type: ignore[misc]
    """A `raw_env` in PettingZoo's wrappers."""

    if TYPE_CHECKING:
        unwrapped: raw_env  # pyright: ignore[reportIncompatibleMethodOverride]

    def clone(self) -> Wrapped:
        """A copy, which plays on by itself."""
        return copy.deepcopy(self)

    __copy__ = clone


def env(game: Game, render_mode: Mode | None = None, *, options: Options | None = None) -> Wrapped:
    """A game in PettingZoo's wrappers: an illegal action loses. Takes the arguments of
    `raw_env`, as `yoxii` and `hokito` do.
    """
    raw = raw_env(game, render_mode, options=options)
    return Wrapped(wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, -1)))


yoxii, hokito = partial(env, "yoxii"), partial(env, "hokito")


class vector(VectorEnv[Any, Any, Any]):
    """Many games at once, as Gymnasium's vector environments are.

    Each action is that of the side to move, which observes the planes and the mask of
    legal actions; the reward is for the side that has moved: 1, 0 or -1 at the end of its
    game. A game that has ended begins again in the same step: then `final_obs` of the
    infos has what was seen at its end. `turn` of the infos is 0 where player one is to
    move, else 1. Each step writes into the same arrays: copy what you keep.
    """

    metadata = {"autoreset_mode": AutoresetMode.SAME_STEP}

    def __init__(self, game: Game, num_envs: int) -> None:
        if not isinstance(num_envs, int) or num_envs < 1:
            raise BadInput(f"num_envs {num_envs!r}: expected a whole number of at least 1")
        self.game = State(game).game
        self.num_envs = num_envs
        seen, actions = _spaces(self.game)
        self.single_observation_space, self.single_action_space = seen, actions
        self.observation_space = batch_space(seen, num_envs)
        self.action_space = batch_space(actions, num_envs)
        self._random = random.Random()
        self._seen: dict[str, NDArray[Any]] = {
            "observation": np.zeros((num_envs, *PLANES[self.game]), np.uint8),
            "action_mask": np.zeros((num_envs, ACTIONS[self.game]), np.int8),
        }
        self._turns, self._ended = np.zeros((2, num_envs), np.int8)
        self._rewards = np.zeros(num_envs)
        planes, mask = self._seen.values()
        turns, ended = self._turns.view(np.uint8), self._ended.view(np.uint8)
        self._games = Batch(self.game, planes, mask.view(np.uint8), turns, self._rewards, ended)
        self._is_fresh = False

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begins all games, each at `position random SEED`: with the seeds, or with the
        seed and those that follow it; or all at the `position` of the options.
        """
        options = dict(options or {})
        start = options.pop("position", None)
        if options:
            raise BadInput(f"options {options}: expected 'position' only")
        if seed is None:
            seeds = self._drawn(self.num_envs)
        else:
            seeds = [*seed] if isinstance(seed, Iterable) and not isinstance(seed, str) else [
                whole(seed, "seed") + number for number in range(self.num_envs)
            ]
            self._random.seed(str(seed))
        starts = [f"random {seed}" for seed in seeds] if start is None else [start] * self.num_envs
        if len(starts) != self.num_envs:
            raise BadInput(f"{len(starts)} seeds: expected {self.num_envs}")
        self._games.reset(dict(enumerate(starts)))
        self._is_fresh = True
        return self._seen, self._infos()

    def step(
        self, actions: Sequence[int] | NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays an action in each game."""
        if not self._is_fresh:
            raise BadInput("a step before the first games: expected reset() first")
        self._games.step(actions)
        infos: dict[str, Any] = {}
        ended, rewards = self._ended.astype(bool), self._rewards.copy()
        numbers = np.flatnonzero(ended)
        if len(numbers):
            final = np.full(self.num_envs, None, object)
            for number in numbers:
                final[number] = {name: it[number].copy() for name, it in self._seen.items()}
            infos = {"final_obs": final, "_final_obs": ended}
            seeds = self._drawn(len(numbers))
            self._games.reset({number: f"random {seed}" for number, seed in zip(numbers.tolist(), seeds)})
        return self._seen, rewards, ended, np.zeros(self.num_envs, bool), {**self._infos(), **infos}

    def _drawn(self, count: int) -> list[int]:
        return [self._random.getrandbits(64) for _ in range(count)]

    def _infos(self) -> dict[str, Any]:
        return {"turn": self._turns.copy(), "_turn": np.ones(self.num_envs, bool)}
