"""Both games as environments of PettingZoo, for programs that learn.

Planes and actions are those of `protocol.md`, each as the player sees them that the
observation is for.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any, Literal

try:
    import numpy as np
    from gymnasium import spaces
    from pettingzoo import AECEnv  # type: ignore[import-untyped]
    from pettingzoo.utils import wrappers  # type: ignore[import-untyped]
except ImportError as error:
    raise ImportError(f'{error}: totemic.env needs `pip install "totemic[env]"`') from error

from ._engine import Engine, Planes, position
from ._program import BadInput

_SIDES = {"player_1": "p1", "player_2": "p2"}
_REWARDS = {"p1win": (1, -1), "p2win": (-1, 1), "draw": (0, 0)}
_QUERIES = ("query turn", "query result", "query actions", "query planes")


def env(game: str, **arguments: Any) -> Any:
    """A game in PettingZoo's wrappers: an illegal action loses. Takes the arguments of
    `raw_env`, as `yoxii` and `hokito` do.
    """
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(game, **arguments), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


yoxii, hokito = partial(env, "yoxii"), partial(env, "hokito")


class raw_env(AECEnv):  # type: ignore[misc]
    """A game between `player_1`, who begins, and `player_2`.

    An observation has the planes as `observation` and the legal actions as
    `action_mask`, all 0 for the player who waits. The rewards at the end are 1, 0 or
    -1, before that 0. `moves` has the text of each legal action, and `engine`, made
    with the other arguments, may be asked about the position, but must not change it.
    """

    metadata = {"render_modes": ["human", "ansi", "svg"], "is_parallelizable": False}

    def __init__(
        self, game: str, render_mode: Literal["human", "ansi", "svg"] | None = None, **arguments: Any
    ) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.engine = Engine(game, **arguments)
        self.metadata = {**self.metadata, "name": f"{self.engine.game}_v0"}
        self.moves: dict[int, str] = {}
        self._planes: dict[str, Planes] = {}
        self._random = random.Random()
        self.possible_agents = list(_SIDES)
        self._actions = int(self.engine._ask("query actions").split()[0])
        parts: dict[str, spaces.Space[Any]] = {
            "observation": spaces.Box(0, 36, self.engine.planes().shape, np.uint8),
            "action_mask": spaces.Box(0, 1, (self._actions,), np.int8),
        }
        self.observation_spaces = {agent: spaces.Dict(parts) for agent in _SIDES}
        self.action_spaces = {agent: spaces.Discrete(self._actions) for agent in _SIDES}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: at the protocol's `position random SEED`, or at the `position`
        of the options. Without a seed, the next one is drawn, beginning with the last.
        """
        if seed is not None:
            self._random.seed(int(seed))
        start = f"random {self._random.getrandbits(64) if seed is None else seed}"
        self.agents = list(_SIDES)
        self.rewards = dict.fromkeys(_SIDES, 0)
        self._cumulative_rewards = dict.fromkeys(_SIDES, 0)
        self.terminations = dict.fromkeys(_SIDES, False)
        self.truncations = dict.fromkeys(_SIDES, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in _SIDES}
        self._change(position((options or {}).get("position", start)))
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """Plays the action of the player to move; `None` for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action not in self.moves:
            raise BadInput(f"action {action}: expected one of those in the action mask")
        self._cumulative_rewards[agent] = 0
        self._change(f"moves {self.moves[action]}")
        self._accumulate_rewards()

    def _change(self, command: str) -> None:
        turn, result, actions, planes = self.engine._change(command, *_QUERIES)
        self.agent_selection = next(agent for agent, side in _SIDES.items() if side == turn)
        self.moves = dict(zip(map(int, actions.split()[1:]), self.engine.legal_moves()))
        self._planes = {self.agent_selection: Planes.parse(planes)}
        if result != "none":
            self.rewards = dict(zip(_SIDES, _REWARDS[result]))
            self.terminations = dict.fromkeys(_SIDES, True)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, Any]:
        if agent not in self._planes:
            self._planes[agent] = self.engine.planes(_SIDES[agent])
        planes = self._planes[agent]
        mask = np.zeros(self._actions, np.int8)
        if agent == self.agent_selection:
            mask[list(self.moves)] = 1
        numbers = np.frombuffer(planes.values, np.uint8).reshape(planes.shape)
        return {"observation": numbers.copy(), "action_mask": mask}

    def render(self) -> str | None:
        """The board as text (`ansi`) or as SVG, or printed at each turn (`human`)."""
        picture = self.engine.svg() if self.render_mode == "svg" else self.engine.text()
        if self.render_mode != "human":
            return picture
        print(picture)
        return None

    def close(self) -> None:
        self.engine.close()
