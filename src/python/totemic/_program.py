"""Where the program is, and what can go wrong with it."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path


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
    """The program's path: `program` if given, else the environment's `TOTEMIC`, else
    the one that was installed with this package, else the first on the search path.

    Raises `ProgramNotFound`, which names all these places.
    """
    named = program or os.environ.get("TOTEMIC")
    name = os.fspath(named) if named else "totemic"
    folders = [] if named else [sysconfig.get_path("scripts"), str(Path(sys.executable).parent)]
    folders += [] if named else [sysconfig.get_path("scripts", f"{os.name}_user")]
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
