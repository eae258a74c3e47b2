"""Engines for `asyncio`: as `totemic.Engine`, but what asks the engine is awaited.

No engine has a thread. One task at a time changes the position of an engine.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Callable, Generator
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

from ._conversation import Answers, Conversation
from ._core import Inquiry, Questions, Starting
from ._program import Child, EngineError, find_program
from ._values import Game

if TYPE_CHECKING:
    from typing_extensions import Unpack

if sys.platform == "win32":
    # Only its pipes can be waited for.
    from asyncio.windows_utils import Popen
else:
    from subprocess import Popen


class _Answers(Answers, asyncio.Protocol):
    data_received = Answers.feed

    def connection_lost(self, error: Exception | None) -> None:
        self.end()


class _Pipes(Conversation):
    answers: _Answers
    _input: asyncio.WriteTransport | None = None

    def __init__(self, program: str) -> None:
        super().__init__(Child(program, Popen), _Answers())
        self._lock = nullcontext()

    def close(self) -> None:
        super().close()
        if self._input:
            self._input.close()
        elif self.child.process.stdout:
            self.child.process.stdout.close()

    async def connect(self) -> None:
        self.child.check()
        loop, process = asyncio.get_running_loop(), self.child.process
        answers = self.answers  # The transport keeps it, and must not keep this conversation.
        await loop.connect_read_pipe(lambda: answers, process.stdout)
        # Its transport closes it, once the loop watches it no more.
        stdin, process.stdin = process.stdin, None
        self._input, _ = await loop.connect_write_pipe(asyncio.BaseProtocol, stdin)

    def write(self, data: bytes) -> None:
        if not self._input:
            raise EngineError("the engine was not awaited: expected `await Engine()`, or `async with`")
        self._input.write(data)

    def bell(self) -> tuple[Callable[[], object], Callable[[float | None], Any]]:
        event = asyncio.Event()

        async def wait(deadline: float | None) -> None:
            # Before Python 3.12, `asyncio.wait_for` loses some cancellations.
            left = float("inf") if deadline is None else deadline - time.monotonic()
            timer = asyncio.get_running_loop().call_later(left, self.late)
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
    _inquiry = Inquiry

    def __init__(self, game: Game = "yoxii", **how: Unpack[Starting]) -> None:
        self._program, self._given = find_program(how.get("program")), how.get("options", {})
        super().__init__(_Pipes(self._program), game, how.get("timeout", 30.0))

    def __await__(self) -> Generator[Any, None, Engine]:
        return self._opened().__await__()

    async def _opened(self) -> Engine:
        if not self._link._input:
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
        link, self._is_closed = self._link, True
        # First: other tasks are told of this, not of the end that follows.
        link.child.is_closed = True
        link.child.kill()
        try:
            while link.child.process.poll() is None:
                await asyncio.sleep(0.002)
        finally:
            link.close()

    async def copy(self) -> Engine:
        """Another process with the same game, position and options."""
        how: Starting = {"program": self._program, "options": self._configured, "timeout": self._timeout}
        engine = await type(self)(self.game, **how)
        engine._state = self._state
        return engine
