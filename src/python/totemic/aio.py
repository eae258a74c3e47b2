"""An engine for `asyncio`: as `totemic.Engine`, but what thinks is awaited.

The rules answer at once, without `await`. The engine's own thread wakes the task that waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable

from ._engine import Core, Inquiry, Options, _checked, _limited, solving
from ._totemic import Search
from ._values import Limit, Line, PlayResult, Solution


async def _ring(search: Search, seen: int) -> None:
    """Waits until there are more lines of a search than were seen, or none will come."""
    loop, event = asyncio.get_running_loop(), asyncio.Event()
    search.ring(lambda: loop.call_soon_threadsafe(event.set), seen)
    await event.wait()


class Analysis(Inquiry):
    __doc__ = Inquiry.__doc__

    async def __aenter__(self) -> Analysis:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._search.stop()
        await self._end()

    def __aiter__(self) -> Analysis:
        return self

    async def __anext__(self) -> Line:
        while True:
            seen, is_over = len(self._search), self._search.is_over()
            if line := self._next(0):
                return line
            if is_over:
                _checked(self._search.lines())
                raise StopAsyncIteration
            await _ring(self._search, seen)

    async def _end(self) -> None:
        while not self._search.is_over():
            await _ring(self._search, len(self._search))

    async def result(self) -> PlayResult:
        """Waits for the end of the search."""
        await self._end()
        return self._answer()


class Engine(Core):
    """An engine as `totemic.Engine` is, for `async with` or without it."""

    async def __aenter__(self) -> Engine:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.close()

    def copy(self) -> Engine:
        """Another engine with the same game, position and options."""
        other = type(self)(self.game, options=self._configured)
        other.state = self.state.clone()
        return other

    def analysis(
        self,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: str | Iterable[str] = (),
        options: Options | None = None,
    ) -> Analysis:
        """A search for `async with`, whose lines `async for` reads while it runs; without a
        limit, until `stop`. The arguments are those of `totemic.Engine.analysis`.
        """
        return Analysis(*self._go(limit, multipv, root_moves, options))

    async def play(
        self, limit: Limit, *, root_moves: str | Iterable[str] = (), options: Options | None = None
    ) -> PlayResult:
        """Lets the engine choose a move; it is not played."""
        async with self.analysis(_limited(limit), root_moves=root_moves, options=options) as search:
            return await search.result()

    async def analyse(
        self,
        limit: Limit,
        *,
        multipv: int = 1,
        root_moves: str | Iterable[str] = (),
        options: Options | None = None,
    ) -> list[Line]:
        """The best lines of the position, `multipv` of them, the best first."""
        async with self.analysis(
            _limited(limit), multipv=multipv, root_moves=root_moves, options=options
        ) as search:
            await search.result()
            return search.lines()

    async def solve(
        self,
        *,
        margin: bool = False,
        all_moves: bool = False,
        time_limit: float | None = None,
        nodes: int | None = None,
        options: Options | None = None,
    ) -> Solution:
        """Proves the value of the position; the arguments are those of `totemic.Engine.solve`."""
        steps = solving(self.state.clone(), margin, all_moves, time_limit, nodes)
        try:
            state, command = next(steps)
            while True:
                async with Analysis(self._begin(command, options, state), state.turn()) as search:
                    await search._end()
                    lines = _checked(search._search.lines())
                state, command = steps.send(lines)
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]
