"""Engines for `asyncio`: as `totemic.Engine`, but what asks the engine is awaited.

No engine has a thread. One task at a time changes the position of an engine.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Generator
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any

from ._conversation import Answers, Conversation
from ._core import Questions, Starting
from ._program import Child, EngineError, find_program
from ._values import Game

if TYPE_CHECKING:
    from typing_extensions import Unpack

if sys.platform == "win32":
    # Only its pipes can be waited for.
    from asyncio.windows_utils import Popen
else:
    from subprocess import Popen


class _Reader(asyncio.Protocol):
    """Keeps nothing alive but what a reader needs."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def data_received(self, data: bytes) -> None:
        self._answers.feed(data)

    def connection_lost(self, error: Exception | None) -> None:
        self._answers.end()


class _Pipes(Conversation):
    _input: asyncio.WriteTransport | None = None

    def __init__(self, program: str) -> None:
        super().__init__(Child(program, Popen))
        self.lock = self.writing = nullcontext()

    async def connect(self) -> None:
        loop, process = asyncio.get_running_loop(), self.child.process
        reader = _Reader(self.answers)
        await loop.connect_read_pipe(lambda: reader, process.stdout)
        self._input, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, process.stdin)

    def write(self, data: bytes) -> None:
        if not self._input:
            raise EngineError("the engine was not awaited: expected `await Engine()`, or `async with`")
        self._input.write(data)

    def bell(self) -> tuple[Callable[[], object], Callable[[float | None], Any]]:
        event, end_late = asyncio.Event(), self.child.end_late

        async def wait(deadline: float | None) -> None:
            # Before Python 3.12, `asyncio.wait_for` loses some cancellations.
            left = float("inf") if deadline is None else deadline - time.monotonic()
            timer = asyncio.get_running_loop().call_later(left, end_late)
            try:
                await event.wait()
                event.clear()
            finally:
                timer.cancel()

        return event.set, wait


class Engine(Questions):
    """An engine as `totemic.Engine` is; ready in `async with Engine() as engine:`, or
    after `engine = await Engine()`.
    """

    _link: _Pipes

    def __init__(self, game: Game = "yoxii", **how: Unpack[Starting]) -> None:
        self._program, self._given = find_program(how.get("program")), how.get("options", {})
        super().__init__(_Pipes(self._program), game, how.get("timeout", 30.0))

    def __await__(self) -> Generator[Any, None, Engine]:
        return self._opened().__await__()

    async def _opened(self) -> Engine:
        try:
            await self._link.connect()
            await self._open(self._given)
        except BaseException:
            self._link.child.end()
            raise
        return self

    async def __aenter__(self) -> Engine:
        return await self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Ends the engine; a second call does nothing."""
        link, child, self._is_closed = self._link, self._link.child, True
        if not child.is_closed:
            with suppress(EngineError):
                link.send("\nquit\n")
            end = time.monotonic() + 2
            while child.process.poll() is None and time.monotonic() < end:
                await asyncio.sleep(0.005)
            child.is_closed = True
            if link._input:
                link._input.close()
            elif child.process.stdout:
                child.process.stdout.close()
            child.end()

    async def copy(self) -> Engine:
        """Another process with the same game, position and options."""
        how: Starting = {"program": self._program, "options": self._configured, "timeout": self._timeout}
        engine = await Engine(self.game, **how)
        engine._state = self._state
        return engine
