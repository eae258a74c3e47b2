"""The engine Totemic for the board games Yoxii and Hokito, from Python.

>>> import totemic
>>> with totemic.Engine("hokito") as engine:
...     while not engine.is_game_over():
...         engine.push(engine.play(totemic.Limit(nodes=200)).move)
...     engine.result() in ("p1win", "p2win", "draw")
True

`State` is a game with its rules, `Batch` plays many games in arrays, and `Engine` searches.
`totemic.aio` has an engine for `asyncio`, `totemic.env` environments for programs that learn.
"""

from importlib import metadata

from ._engine import Analysis, Engine, solve, solve_many
from ._errors import BadInput, EngineError
from ._totemic import ACTIONS, MAX_PLIES, PLANES, Batch, State
from ._values import Game, Limit, Line, Option, Planes, PlayResult, Position, Score, Solution

try:
    __version__ = metadata.version("totemic")
except metadata.PackageNotFoundError:  # In a checkout.
    __version__ = "unknown"

__all__ = ["Analysis", "Batch", "Engine", "Game", "Limit", "Line", "Option", "Planes", "PlayResult"]
__all__ += ["ACTIONS", "MAX_PLIES", "PLANES", "BadInput", "EngineError"]
__all__ += ["Position", "Score", "Solution", "State", "solve", "solve_many"]
