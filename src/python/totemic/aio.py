"""An engine for `asyncio`: as `totemic.Engine`, but what thinks is awaited.

The rules answer at once, without `await`. The engine's own thread wakes the task that waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Self

from ._engine import Core, Inquiry, Options, _checked, limited, solving
from ._values import Limit, Line, PlayResult, Solution


class Analysis(Inquiry):
    __doc__ = Inquiry.__doc__

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._search.stop()
        await self._end()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Line:
        while True:
            seen, is_over = self._search.progress()
            if line := self._next(0):
                return line
            if is_over:
                _checked(self._search.lines())
                raise StopAsyncIteration
            await self._more(seen)

    async def _more(self, seen: int) -> None:
        """Waits until there are more lines than were seen, or none will come."""
        loop, event = asyncio.get_running_loop(), asyncio.Event()
        self._search.call_when_more(lambda: loop.call_soon_threadsafe(event.set), seen)
        await event.wait()

    async def _end(self) -> list[str]:
        while not (progress := self._search.progress())[1]:
            await self._more(progress[0])
        return self._search.lines()

    async def result(self) -> PlayResult:
        """Waits for the end of the search."""
        await self._end()
        return self._answer()


class Engine(Core[Analysis]):
    """An engine as `totemic.Engine` is, for `async with` or without it. Its `analysis` is for
    `async with`, too, and `async for` reads the lines.
    """

    _analysis = Analysis

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    async def play(
        self, limit: Limit, *, root_moves: str | Iterable[str] = (), options: Options | None = None
    ) -> PlayResult:
        """Lets the engine choose a move; it is not played."""
        async with self.analysis(limited(limit), root_moves=root_moves, options=options) as search:
            return await search.result()

    async def analyse(
        self, limit: Limit, *, multipv: int = 1,
        root_moves: str | Iterable[str] = (), options: Options | None = None,
    ) -> list[Line]:
        """The best lines of the position, `multipv` of them, the best first."""
        limited(limit)
        async with self.analysis(limit, multipv=multipv, root_moves=root_moves, options=options) as search:
            await search.result()
            return search.lines()

    async def solve(
        self, *, margin: bool = False, all_moves: bool = False,
        time_limit: float | None = None, nodes: int | None = None, options: Options | None = None,
    ) -> Solution:
        """Proves the value of the position; the arguments are those of `totemic.Engine.solve`."""
        steps = solving(self.state.clone(), margin, all_moves, time_limit, nodes)
        try:
            state, command = next(steps)
            while True:
                async with Analysis(self._begin(command, options, state), state.turn()) as search:
                    lines = _checked(await search._end())
                state, command = steps.send(lines)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
