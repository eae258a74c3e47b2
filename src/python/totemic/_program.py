"""The program: where it is, what can go wrong with it, and exact values by `totemic solve`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any


class EngineError(Exception):
    """What goes wrong with the engine; the other errors are kinds of it."""


class BadInput(EngineError, ValueError):
    """The engine refused a position, a move, a limit or an option: its own words."""


class EngineDied(EngineError):
    """The engine ended, or was closed, while an answer was due."""


class EngineTimeout(EngineError, TimeoutError):
    """The engine gave no answer in time, and was ended."""


class ProgramNotFound(EngineError, FileNotFoundError):
    """The program is in none of the places where it was looked for."""


def find_program(program: str | os.PathLike[str] | None = None) -> str:
    """The path of `program`, else of the environment's `TOTEMIC`, else of the program that
    was installed with this package, else of the first on the search path.
    """
    named = program or os.environ.get("TOTEMIC")
    name = os.fspath(named or "totemic")
    folders: list[str] = []
    if not named:
        folders = [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
        folders.append(sysconfig.get_path("scripts", f"{os.name}_user"))
    for folder in (*folders, None):
        found = shutil.which(name, path=folder)
        if found is not None:
            return found
    origin = ", which the environment's TOTEMIC names," if named and not program else ""
    places = "in " + ", ".join(dict.fromkeys(folders)) if folders else "as a path"
    raise ProgramNotFound(
        f"the program {name!r}{origin} was not found {places} or on the search path: "
        "install it, or name it by `program=` or by the environment's TOTEMIC"
    )


@dataclass(frozen=True)
class Solution:
    """What is proved of a position, for the side to move.

    `value` is `win`, `draw` or `loss`, and `None` where it stayed unknown; `margin` is
    the difference of the points at the end. `moves` and `margins` have each move's,
    where `all_moves` was asked for. `best` lists moves that keep the value, or the
    margin if that was asked for: all of them if `best_complete`.
    """

    position: str
    game: str
    value: str | None
    margin: int | None
    best: tuple[str, ...]
    best_complete: bool
    moves: Mapping[str, str]
    margins: Mapping[str, int]
    pv: tuple[str, ...]
    nodes: int


def solve(position: str, **arguments: Any) -> Solution:
    """Proves the value of one position; takes the arguments of `solve_many`."""
    return solve_many([position], **arguments)[0]


def solve_many(
    positions: Iterable[str],
    *,
    game: str = "yoxii",
    margin: bool = False,
    all_moves: bool = False,
    time_limit: float | None = None,
    threads: int = 1,
    hash: int | None = None,
    program: str | os.PathLike[str] | None = None,
    timeout: float | None = None,
) -> list[Solution]:
    """Proves the values of positions, in their order.

    `time_limit` is seconds a position, after which its value stays unknown; `timeout`
    is seconds for all, after which `EngineTimeout` is raised. `hash` is in MiB.
    """
    texts = list(positions)
    for text in texts:
        if not text.isprintable() or text.strip()[:1] in ("", "#"):
            raise BadInput(f"{text!r}: expected a position in one line")
    command = [find_program(program), "--game", game, "solve", "--json", "--file", "-"]
    command += ["--margin"] * margin + ["--all-moves"] * all_moves
    numbers = {"--threads": threads, "--time-limit": time_limit, "--hash": hash}
    for option, number in numbers.items():
        command += [] if number is None else [option, str(number)]
    lines = "\n".join(texts) + "\n"
    try:
        done = subprocess.run(
            command, input=lines, capture_output=True, encoding="utf-8", timeout=timeout
        )
    except subprocess.TimeoutExpired:
        raise EngineTimeout(f"no answer from the solver within {timeout} s") from None
    errors = [line for line in done.stderr.splitlines() if line.startswith("error: ")]
    if errors:
        raise BadInput(errors[0].removeprefix("error: "))
    if done.returncode not in (0, 3):
        raise EngineDied(f"the solver ended (exit code {done.returncode}): {done.stderr.strip()}")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    # Positions are proved in any order where there are several threads.
    return [_solution(entry) for entry in sorted(found, key=lambda entry: entry["line"])]


def _solution(entry: dict[str, Any]) -> Solution:
    known = {field.name: entry[field.name] for field in fields(Solution)}
    known["value"] = None if entry["value"] == "unknown" else entry["value"]
    known |= {name: tuple(entry[name]) for name in ("best", "pv")}
    return Solution(**known | {name: entry[name] or {} for name in ("moves", "margins")})
