"""Both games as environments of PettingZoo and Gymnasium, for programs that learn.

Planes and actions are those of `protocol.md`, each as the player sees them that the
observation is for.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Iterable, Sequence
from functools import partial
from operator import index
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

from ._conversation import State, checked
from ._core import Starting
from ._engine import Engine, run
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
_MODES = get_args(Mode)


class Observation(TypedDict):
    observation: NDArray[np.uint8]
    action_mask: NDArray[np.int8]


def _spaces(engine: Engine) -> tuple[spaces.Dict, spaces.Discrete]:
    """What is observed, and the actions."""
    count = int(run(engine._query("actions")).split()[0])
    mask = spaces.Box(0, 1, (count,), np.int8)
    planes = spaces.Box(0, 36, engine.planes().shape, np.uint8)
    return spaces.Dict({"observation": planes, "action_mask": mask}), spaces.Discrete(count)


class _Seen(NamedTuple):
    """What is known of a position."""

    state: State
    result: str
    codes: NDArray[np.int64]
    planes: Planes

    def after(self, action: object, of: str = "") -> State:
        """The position after an action."""
        [found] = (self.codes == action).nonzero()
        if not len(found):
            raise BadInput(f"action {action}{of}: expected one of those in the action mask")
        return self.state.after(self.state.moves.split()[found[0]])


def _look(engine: Engine, states: Sequence[State]) -> list[_Seen]:
    queries = [f"query {name}" for name in ("turn", "legalmoves", "result", "actions", "planes")]
    lines = checked(run(engine._ask(*(line for it in states for line in (f"position {it.text}", *queries)))))
    seen = []
    for state, turn, moves, result, actions, planes in zip(states, *[iter(lines)] * len(queries)):
        codes = np.fromstring(actions, np.int64, sep=" ")[1:]
        state = State(state.game, state.text, turn, moves)
        seen.append(_Seen(state, result, codes, Planes.parse(planes)))
    return seen


def _arrays(seen: Sequence[_Seen], count: int) -> dict[str, NDArray[Any]]:
    """What the sides to move see of positions."""
    values = bytearray().join([it.planes.values for it in seen])
    planes = np.frombuffer(values, np.uint8).reshape(-1, *seen[0].planes.shape)
    mask = np.zeros((len(seen), count), np.int8)
    for row, it in zip(mask, seen):
        row[it.codes] = 1
    return {"observation": planes, "action_mask": mask}


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
        self._random = random.Random()
        self.possible_agents: list[Agent] = [*_SIDES]
        self.agents: list[Agent] = []
        self.infos = {}
        [self._seen] = _look(self.engine, [self.engine._state])
        seen, actions = _spaces(self.engine)
        self._count = int(actions.n)
        self.observation_spaces = dict.fromkeys(_SIDES, seen)
        self.action_spaces = {agent: copy.copy(actions) for agent in _SIDES}

    def observation_space(self, agent: Agent) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: Agent) -> spaces.Discrete:
        return self.action_spaces[agent]

    @property
    def moves(self) -> dict[int, str]:
        """The text of each legal action."""
        return dict(zip(self._seen.codes.tolist(), self._seen.state.moves.split()))

    def reset(self, seed: int | None = None, options: dict[str, str] | None = None) -> None:
        """Begins a game: at the protocol's `position random SEED`, or at the `position`
        of the options. Without a seed, the next one is drawn, beginning with the last.
        """
        if seed is not None:
            self._random.seed(int(seed))
        start = f"random {self._random.getrandbits(64) if seed is None else seed}"
        fresh: dict[str, Any] = {name: dict.fromkeys(_SIDES, value) for name, value in _FRESH.items()}
        fresh |= {"agents": [*_SIDES], "infos": {agent: {} for agent in _SIDES}}
        self._change(State.at(self.engine.game, (options or {}).get("position", start)), fresh)

    def step(self, action: int | None) -> None:
        """Plays the action of the player to move; `None` for one whose game is over."""
        if not hasattr(self, "agent_selection"):
            raise BadInput("a step before the first game: expected reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._change(self._seen.after(action), {})

    def _change(self, state: State, changed: dict[str, Any]) -> None:
        [seen] = _look(self.engine, [state])
        mover = "player_1" if seen.state.turn == "p1" else "player_2"
        changed |= {"_seen": seen, "agent_selection": mover}
        if seen.result != "none":
            changed["rewards"] = dict(zip(_SIDES, _REWARDS[seen.result]))
            changed["_cumulative_rewards"] = {**changed["rewards"]}
            changed["terminations"] = dict.fromkeys(_SIDES, True)
        try:
            # All at once: an interrupt leaves the game before a step or after it.
            self.__dict__.update(changed)
        finally:
            # No call, after which an interrupt may come.
            if self._seen is seen:
                self.engine._state = seen.state
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: Agent) -> Observation:
        seen = self._seen
        if agent != self.agent_selection:
            seen = seen._replace(codes=seen.codes[:0], planes=self.engine.planes(_SIDES[agent]))
        return {name: it[0] for name, it in _arrays([seen], self._count).items()}  # type: ignore[return-value]

    def render(self) -> str | None:
        """The board as text (`ansi`) or as SVG, or printed at each turn (`human`)."""
        picture = self.engine.svg() if self.render_mode == "svg" else self.engine.text()
        if self.render_mode != "human":
            return picture
        print(picture)
        return None

    def clone(self) -> raw_env:
        """A copy, which needs no process of its own."""
        other = self.__new__(type(self))
        own = {name: copy.copy(it) for name, it in vars(self).items() if isinstance(it, (dict, list, random.Random))}
        other.__dict__ |= self.__dict__ | own | {"engine": self.engine.twin()}
        other.infos, other.action_spaces = copy.deepcopy((self.infos, self.action_spaces))
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
        self._games: list[_Seen] = []

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begins all games, each at `position random SEED`: with the seeds, or with the
        seed and those that follow it; or all at the `position` of the options.
        """
        if seed is not None:
            self._random.seed(str(seed))
        if not (seed is None or isinstance(seed, Iterable)):
            seed = range(index(seed), index(seed) + self.num_envs)
        starts = self._starts(self.num_envs, seed)
        if options and "position" in options:
            starts = [State.at(self.engine.game, options["position"])] * self.num_envs
        if len(starts) != self.num_envs:
            raise BadInput(f"{len(starts)} seeds: expected {self.num_envs}")
        self._games = _look(self.engine, starts)
        return _arrays(self._games, self._count), self._infos()

    def step(
        self, actions: Sequence[int] | NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays an action in each game."""
        if len(actions) != len(self._games):
            raise BadInput(f"{len(actions)} actions: expected {len(self._games)}, after reset()")
        pairs = enumerate(zip(self._games, actions))
        games = _look(self.engine, [it.after(action, f" of game {number}") for number, (it, action) in pairs])
        seen = _arrays(games, self._count)
        rewards = np.zeros(self.num_envs)
        final = np.full(self.num_envs, None, object)
        ended = np.array([game.result != "none" for game in games])
        numbers = [int(number) for number in np.flatnonzero(ended)]
        for number in numbers:
            final[number] = {name: it[number] for name, it in seen.items()}
            rewards[number] = _REWARDS[games[number].result][self._games[number].state.turn == "p2"]
        if numbers:
            for number, game in zip(numbers, _look(self.engine, self._starts(len(numbers)))):
                games[number] = game
            seen = _arrays(games, self._count)
        self._games = games
        infos = self._infos() | ({"final_obs": final, "_final_obs": ended} if numbers else {})
        return seen, rewards, ended, np.zeros(self.num_envs, bool), infos

    def _starts(self, count: int, seeds: Iterable[int] | None = None) -> list[State]:
        seeds = (self._random.getrandbits(64) for _ in range(count)) if seeds is None else seeds
        return [State(self.engine.game, f"random {seed}") for seed in seeds]

    def _infos(self) -> dict[str, Any]:
        turns = np.array([game.state.turn == "p2" for game in self._games], np.int8)
        return {"turn": turns, "_turn": np.ones(self.num_envs, bool)}

    def close_extras(self, **_: Any) -> None:
        self.engine.close()
