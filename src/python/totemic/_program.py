"""The program: where it is, how it starts, and what can go wrong with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import IO


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
        # `pip install --target` puts it beside the package.
        folders = [str(Path(__file__).parents[1] / "bin"), sysconfig.get_path("scripts")]
        folders += [str(Path(sys.executable).parent), sysconfig.get_path("scripts", f"{os.name}_user")]
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


class Child:
    """The program as a child process that speaks the protocol."""

    def __init__(self, program: str, popen: type[subprocess.Popen[bytes]] = subprocess.Popen) -> None:
        self.owner = os.getpid()
        self.is_closed = self.is_late = False
        try:
            self._errors: IO[bytes] = tempfile.TemporaryFile()
            self.process = popen(
                [program, "ugi"],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # Ctrl-C is for the caller, who may go on with the engine.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (FileNotFoundError, PermissionError) as error:
            raise ProgramNotFound(f"{program!r} cannot be started: {error}") from error
        except OSError as error:
            raise EngineError(f"{program!r} cannot be started: {error}") from error

    def check(self) -> None:
        """Raises why nothing can be asked any more, if so."""
        if self.owner != os.getpid() or self.is_closed or self.is_late:
            raise self.death()

    def death(self) -> EngineError:
        """Why no answer comes."""
        if self.owner != os.getpid():
            return EngineError("the engine belongs to the process that started it")
        if self.is_closed:
            return EngineDied("the engine is closed")
        if self.is_late:
            return EngineTimeout("the engine gave no answer in time and was ended")
        try:
            code: object = self.process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            code = "none yet"
        try:
            self._errors.seek(0)
            last = self._errors.read()[-1000:].decode(errors="replace").strip()
        except ValueError:  # Another thread has closed it meanwhile.
            return EngineDied("the engine is closed")
        return EngineDied(f"the engine ended (exit code {code})" + (f": {last}" if last else ""))

    def kill(self) -> None:
        """Tells the system to end the process."""
        if self.owner == os.getpid():
            self.process.kill()

    def end(self) -> None:
        """Ends the process."""
        self.kill()
        if self.owner == os.getpid():
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=2)
            for file in (self.process.stdin, self._errors):
                with suppress(OSError):  # What was not written is of no use any more.
                    file and file.close()
