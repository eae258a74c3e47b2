"""Exact values, by the command `totemic solve`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ._program import BadInput, EngineDied, EngineTimeout, find_program


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
    command += ["--threads", str(threads)]
    command += ["--margin"] if margin else []
    command += ["--all-moves"] if all_moves else []
    command += [] if time_limit is None else ["--time-limit", str(time_limit)]
    command += [] if hash is None else ["--hash", str(hash)]
    try:
        done = subprocess.run(
            command,
            input="\n".join(texts) + "\n",
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
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
    value = None if entry["value"] == "unknown" else entry["value"]
    best, pv = tuple(entry["best"]), tuple(entry["pv"])
    moves, margins = entry["moves"] or {}, entry["margins"] or {}
    return Solution(**known | dict(value=value, best=best, pv=pv, moves=moves, margins=margins))
