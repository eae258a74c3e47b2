"""The engine Totemic for the board games Yoxii and Hokito, from Python.

>>> import totemic
>>> with totemic.Engine("hokito") as engine:
...     while not engine.is_game_over():
...         engine.push(engine.play(totemic.Limit(nodes=200)).move)
...     engine.result() in ("p1win", "p2win", "draw")
True

Needs only the program `totemic`, which `pip install` puts beside this package.
"""

from ._engine import Analysis, Engine, Limit, Line, Planes, PlayResult, Position, Score
from ._program import BadInput, EngineDied, EngineError, EngineTimeout, ProgramNotFound
from ._program import Solution, solve, solve_many

__all__ = ["Analysis", "Engine", "Limit", "Line", "Planes", "PlayResult", "Position", "Score"]
__all__ += ["BadInput", "EngineDied", "EngineError", "EngineTimeout", "ProgramNotFound"]
__all__ += ["Solution", "solve", "solve_many"]
