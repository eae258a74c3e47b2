"""The engine Totemic for the board games Yoxii and Hokito, from Python.

>>> import totemic
>>> with totemic.Engine("hokito") as engine:
...     while not engine.is_game_over():
...         engine.push(engine.play(totemic.Limit(nodes=200)).move)
...     engine.result() in ("p1win", "p2win", "draw")
True

Needs only the program `totemic`, which `pip install` puts beside this package. `totemic.aio`
has the same for `asyncio`, `totemic.env` environments for programs that learn. What is said
to engines is logged by `logging.getLogger("totemic")` on the level `DEBUG`.
"""

from importlib import metadata

from ._engine import Analysis, Engine, solve, solve_many
from ._program import BadInput, EngineDied, EngineError, EngineTimeout, ProgramNotFound
from ._values import MAX_PLIES, Game, Limit, Line, Option, Planes, PlayResult, Position, Score, Solution

try:
    __version__ = metadata.version("totemic")
except metadata.PackageNotFoundError:  # In a checkout.
    __version__ = "unknown"

__all__ = ["Analysis", "Engine", "Game", "Limit", "Line", "Option", "Planes", "PlayResult"]
__all__ += ["BadInput", "EngineDied", "EngineError", "EngineTimeout", "ProgramNotFound"]
__all__ += ["MAX_PLIES", "Position", "Score", "Solution", "solve", "solve_many"]
