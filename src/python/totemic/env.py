"""Both games as environments of PettingZoo and Gymnasium, for programs that learn.

Planes and actions are those of `protocol.md`, each as the player sees them that the
observation is for.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Sequence
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

from ._conversation import State, position
from ._conversation import answers as read
from ._core import Starting
from ._engine import BATCH, Engine
from ._program import BadInput
from ._values import Game

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

Mode = Literal["human", "ansi", "svg"]
Agent = Literal["player_1", "player_2"]
_SIDES: dict[Agent, Literal["p1", "p2"]] = {"player_1": "p1", "player_2": "p2"}
_REWARDS = {"p1win": (1, -1), "p2win": (-1, 1), "draw": (0, 0)}
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


def _numbers(planes: list[str]) -> NDArray[np.uint8]:
    """The numbers of answers to `query planes`."""
    values = "".join([text[text.rindex(" ") + 1 :] for text in planes])
    return np.subtract(np.frombuffer(values.encode(), np.uint8), 48, dtype=np.uint8)


class raw_env(AECEnv):  # type: ignore[misc]
    """A game between `player_1`, who begins, and `player_2`.

    An observation has the planes as `observation` and the legal actions as
    `action_mask`, all 0 for the player who waits. The rewards at the end are 1, 0 or
    -1, before that 0. `engine`, made with the other arguments, may be asked about the
    position, but must not change it. Copies play on independently.
    """

    metadata = {"render_modes": [*_MODES], "is_parallelizable": False}

    def __init__(self, game: Game, render_mode: Mode | None = None, **how: Unpack[Starting]) -> None:
        super().__init__()
        if render_mode not in (None, *_MODES):
            raise BadInput(f"render_mode {render_mode!r}: expected one of {', '.join(_MODES)} or None")
        self.render_mode = render_mode
        self.engine = Engine(game, **how)
        self.metadata = {**self.metadata, "name": f"{game}_v0"}
        self._actions: tuple[str, ...] = ()
        self._planes: dict[str, str] = {}
        self._random = random.Random()
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
        state = State(self.engine.game, position((options or {}).get("position", start)))
        self.agents = [*_SIDES]
        self.rewards = dict.fromkeys(_SIDES, 0)
        self._cumulative_rewards = dict.fromkeys(_SIDES, 0)
        self.terminations = dict.fromkeys(_SIDES, False)
        self.truncations = dict.fromkeys(_SIDES, False)
        self.infos: dict[Agent, dict[str, object]] = {agent: {} for agent in _SIDES}
        self._change(state, state.command())

    def step(self, action: int | None) -> None:
        """Plays the action of the player to move; `None` for one whose game is over."""
        if not hasattr(self, "agent_selection"):
            raise BadInput("a step before the first game: expected reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        try:
            move = self.engine._core.state.moves[self._actions.index(str(action))]
        except ValueError:
            raise BadInput(f"action {action}: expected one of those in the action mask") from None
        self._cumulative_rewards[agent] = 0
        state = self.engine._core.state
        self._change(state._replace(played=(*state.played, move)), f"moves {move}")

    def _change(self, state: State, command: str) -> None:
        result, actions, planes = self.engine._change(state, command, queries=_QUERIES)
        self.agent_selection: Agent = "player_1" if self.engine._core.state.turn == "p1" else "player_2"
        self._actions = tuple(actions.split()[1:])
        self._planes = {self.agent_selection: planes}
        if result != "none":
            self.rewards = dict(zip(_SIDES, _REWARDS[result]))
            self.terminations = dict.fromkeys(_SIDES, True)
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: Agent) -> Observation:
        if agent not in self._planes:
            self._planes[agent] = self.engine._query(f"planes {_SIDES[agent]}")
        mask = np.zeros(self.action_spaces[agent].n, np.int8)
        if agent == self.agent_selection:
            mask[np.fromstring(" ".join(self._actions), np.int64, sep=" ")] = 1
        shape = self.observation_spaces[agent]["observation"].shape
        return {"observation": _numbers([self._planes[agent]]).reshape(shape), "action_mask": mask}

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
        changing = ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations", "_planes")
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
        self._fens, self._moves = [""] * num_envs, [""] * num_envs
        self._codes: list[NDArray[np.int64]] = [np.zeros(0, np.int64)] * num_envs
        self._turns = np.zeros(num_envs, np.int8)
        self._seen = {name: np.zeros(box.shape, box.dtype) for name, box in self.observation_space.items()}  # type: ignore[attr-defined]

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        """Begins all games, each at `position random SEED`: with the seeds, or with the
        seed and those that follow it.
        """
        if seed is not None:
            self._random.seed(str(seed))
        seeds = range(seed, seed + self.num_envs) if isinstance(seed, int) else seed
        self._begin(range(self.num_envs), seeds)
        return self._result()

    def step(
        self, actions: Sequence[int] | NDArray[np.int64]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        """Plays an action in each game."""
        starts = []
        for number, (action, codes) in enumerate(zip(actions, self._codes)):
            [found] = np.nonzero(codes == action)
            if not len(found):
                raise BadInput(f"action {action} of game {number}: expected one of those in its mask")
            starts.append(f"fen {self._fens[number]} moves {self._moves[number].split()[found[0]]}")
        movers = self._turns.copy()
        results = self._set(range(self.num_envs), starts)
        rewards = np.array([_REWARDS.get(result, (0, 0))[who] for result, who in zip(results, movers)], float)
        ended = np.array([result != "none" for result in results])
        final = np.full(self.num_envs, None, object)
        if ended.any():
            numbers = [int(number) for number in np.nonzero(ended)[0]]
            for number in numbers:
                final[number] = {name: seen[number].copy() for name, seen in self._seen.items()}
            self._begin(numbers, None)
        seen, infos = self._result()
        infos |= {"final_obs": final, "_final_obs": ended} if ended.any() else {}
        return seen, rewards, ended, np.zeros(self.num_envs, bool), infos

    def _begin(self, numbers: Sequence[int], seeds: Sequence[int] | None) -> None:
        drawn = seeds or [self._random.getrandbits(64) for _ in numbers]
        self._set(numbers, [f"random {seed}" for seed in drawn])

    def _result(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
        infos = {"turn": self._turns.copy(), "_turn": np.ones(self.num_envs, bool)}
        return {name: seen.copy() for name, seen in self._seen.items()}, infos

    def _set(self, numbers: Sequence[int], starts: Sequence[str]) -> list[str]:
        """Sets the positions of games and reads what they are like; returns the results."""
        queries = [f"query {name}" for name in ("fen", "turn", "legalmoves", "result", "actions", "planes")]
        answers: list[str] = []
        for at in range(0, len(starts), BATCH):
            texts = starts[at : at + BATCH]
            commands = [line for text in texts for line in (f"position {text}", *queries)]
            answers += read(self.engine._batch(commands))
        fens, turns, moves, results, actions, planes = (answers[at::6] for at in range(6))
        mask, shape = self._seen["action_mask"], self._seen["observation"].shape[1:]
        self._seen["observation"][[*numbers]] = _numbers(planes).reshape(-1, *shape)
        self._turns[[*numbers]] = [turn == "p2" for turn in turns]
        for number, fen, legal, text in zip(numbers, fens, moves, actions):
            self._fens[number], self._moves[number] = fen, legal
            self._codes[number] = codes = np.fromstring(text, np.int64, sep=" ")[1:]
            mask[number] = 0
            mask[number, codes] = 1
        return results

    def close_extras(self, **_: Any) -> None:
        self.engine.close()
