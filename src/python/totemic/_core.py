"""What can be asked of an engine. What takes its time is `async` here, and what waits is
below: `totemic.aio` gives it to `asyncio`, and `totemic.Engine` waits where it is called.
"""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, TypedDict

from ._conversation import ERROR, Answer, Conversation, Search, State, checked, halt
from ._conversation import option_key, option_text, position, set_option
from ._program import BadInput, EngineDied, EngineError
from ._values import QUERIES, Game, Limit, Line, Option, Planes, PlayResult, Position, Result, Side, Solution
from ._values import integers, words

if TYPE_CHECKING:
    from typing_extensions import Unpack

Options = Mapping[str, object]

# So many positions are asked about at once: what is sent fits into a pipe.
BATCH = 200


class Starting(TypedDict, total=False):
    """`program` is a path; without it, the program is that of the environment's `TOTEMIC`,
    else the installed one. `options` are those of the protocol, `{"Hash": 256}`. `timeout`
    is how many seconds, 30 if not given, an answer may take beyond the time that a limit
    allows; an engine that takes longer is ended.
    """

    program: str | os.PathLike[str] | None
    options: Options
    timeout: float


class Searching(TypedDict, total=False):
    """`root_moves` are the only moves to consider, `options` those of this search alone.
    `timeout` is for limits without a time: after so many seconds the engine is ended with
    `EngineTimeout`.
    """

    root_moves: Iterable[str]
    options: Options
    timeout: float | None


class Solving(TypedDict, total=False):
    """`margin` is proved, too, if asked for; `all_moves` asks for all best moves, and for
    what each move is worth. After `time_limit` seconds, or `nodes` positions, what is not
    proved yet stays unknown; after `timeout` seconds the engine is ended with
    `EngineTimeout`.
    """

    margin: bool
    all_moves: bool
    time_limit: float | None
    nodes: int | None
    options: Options
    timeout: float | None


class Core:
    """What both kinds of engines have: a position, and what asks about it."""

    _inquiry: type[Inquiry]

    def __init__(self, link: Conversation, game: Game, timeout: float) -> None:
        self._link, self._timeout = link, timeout
        self._state = State(game, "startpos")
        self._configured: dict[str, object] = {}
        self._is_closed = False

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._state.game

    @property
    def id(self) -> Mapping[str, str]:
        """The `name` and the `author` of the engine."""
        return self._link.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that the engine has, by their names."""
        return {option.name: option for option in self._link.options.values()}

    def legal_moves(self) -> tuple[str, ...]:
        """All legal moves in alphabetical order; none when the game is over."""
        self._check()
        return tuple(self._state.moves.split())

    def is_game_over(self) -> bool:
        """Whether the side to move has no move."""
        self._check()
        return not self._state.moves

    def turn(self) -> Side:
        """The side to move, `p1` or `p2`; `p1` is the side that began the game."""
        self._check()
        return self._state.turn

    def stop(self) -> None:
        """Ends the search that runs; its result follows."""
        self._check()
        self._link.stop()

    def _check(self) -> None:
        if self._is_closed:
            raise EngineDied("the engine is closed")
        self._link.child.check()
        if self._link.answers.is_over:
            raise self._link.child.death()

    def _say(self, *commands: str) -> Answer:
        """Says commands that set a position if they need one; `_told` has the answers."""
        self._check()
        return self._link.ask(self.game, *commands)

    async def _told(self, answer: Answer) -> list[str]:
        return await self._link.told(answer, self._timeout)

    async def _ask(self, *commands: str) -> list[str]:
        return await self._told(self._say(*commands))

    async def _lines(self, *commands: str) -> list[str]:
        """The lines that answer commands about the position."""
        return checked(await self._ask(f"position {self._state.text}", *commands))

    async def _query(self, subject: str) -> str:
        return (await self._lines(f"query {subject}"))[0]

    async def _change(self, start: State, state: State, *commands: str) -> None:
        """Changes the position by commands from a start, and learns its moves."""
        answer = self._say(f"position {start.text}", *commands, "query turn", "query legalmoves")
        turn, moves = checked(await self._told(answer))
        self._state = State(state.game, state.text, turn, moves)  # type: ignore[arg-type]

    async def _begin(self, state: State, command: str, options: Options, timeout: float | None) -> Inquiry:
        """Begins a search or the solver."""
        with self._link.lock:
            self._check()
            await self._link.settle(state, {**self._configured, **options}, self._timeout)
            # First: an interrupt that comes while the search begins stops it.
            inquiry = self._inquiry(self._link, Search(self._link, state.turn), timeout)
            self._link.begin(inquiry._search, state, command)
            return inquiry


class Questions(Core):
    """What is asked of an engine, and waited for."""

    async def _open(self: Core, options: Options) -> None:
        lines = await self._ask("ugi")
        found = [Option.parse(line) for line in lines if line.startswith("option ")]
        self._link.options = {option.name.lower(): option for option in found}
        self._link.id = dict(line.split(" ", 2)[1:] for line in lines if line.startswith("id "))
        await Questions.configure(self, {"Game": self.game, **options})

    async def configure(self: Core, options: Options) -> None:
        """Sets options, by the names that `protocol.md` gives; a button is set to `None`.
        Stops a search that runs.
        """
        for name, value in options.items():
            key, text = option_key(name), option_text(value)
            with self._link.lock:
                if key == "game":
                    state = State(text.strip().lower(), "startpos")  # type: ignore[arg-type]
                    commands = [*halt(self._state), set_option(name, text), f"position {state.text}"]
                    await self._change(self._state, state, *commands)
                    continue
                self._check()
                await self._link.settle(self._state, {**self._configured, name: value}, self._timeout)
                if value is not None:
                    self._configured[key] = value

    async def analysis(
        self: Core, limit: Limit | None = None, *, multipv: int = 1, **how: Unpack[Searching]
    ) -> Inquiry:
        """A search whose lines can be read while it runs; without a limit, until `stop`.

        The rules are answered meanwhile. Another search, an option or a new game stop it,
        and so does leaving it: by the end of its `with` block, or by forgetting it.
        """
        text = "infinite" if limit is None else limit.command()
        if not text:
            raise BadInput("a limit sets none of its fields: expected at least one")
        if among := words(how.get("root_moves", ())):
            text += " searchmoves " + " ".join(among)
        timeout = how.get("timeout")
        if timeout is None and limit is not None:
            # Whose clock it is, only the engine knows.
            times = [it for it in (limit.time, limit.p1_clock, limit.p2_clock) if it is not None]
            timeout = max(times) + self._timeout if times else None
        options = {**how.get("options", {}), "MultiPV": multipv}
        return await self._begin(self._state, f"go {text}", options, timeout)

    async def ping(self) -> None:
        """Waits until the engine is ready."""
        await self._lines("isready")

    async def new_game(self) -> None:
        """Forgets what earlier searches have found. Stops a search that runs."""
        await self._lines("uginewgame")

    async def set_position(self, fen: str = "startpos", moves: Iterable[str] = ()) -> None:
        """Sets the position: `startpos`, a position's text, or `random SEED`; then
        plays `moves`. All or nothing: bad input raises `BadInput` and changes nothing.
        """
        state = State.at(self.game, fen, moves)
        with self._link.lock:
            await self._change(state, state)

    async def push(self, *moves: str) -> None:
        """Plays moves on the position, all or none of them."""
        if played := words(moves):
            with self._link.lock:
                await self._change(self._state, self._state.after(*played), "moves " + " ".join(played))

    async def pop(self) -> str:
        """Takes the last move back, and tells which it was."""
        with self._link.lock:
            state, move = self._state.before()
            await self._change(state, state)
        return move

    async def fen(self) -> str:
        """The position's text."""
        return await self._query("fen")

    async def score(self) -> tuple[int, int]:
        """The points of both players as they stand."""
        one, two = integers(await self._query("score"))
        return one, two

    async def result(self) -> Result | None:
        """`p1win`, `p2win` or `draw`; `None` while the game goes on."""
        return await self._query("result") if self.is_game_over() else None  # type: ignore[return-value]

    async def route(self, move: str) -> tuple[str, ...]:
        """The squares that a legal move goes over, from the first to the last."""
        return tuple((await self._query(f"route {move}")).split())

    async def actions(self) -> tuple[int, ...]:
        """The index of each legal move among all actions, in the order of `legal_moves`."""
        return integers(await self._query("actions"))[1:]

    async def planes(self, viewer: Side | None = None) -> Planes:
        """The position as the side to move sees it, or as the viewer does, `p1` or `p2`."""
        return Planes.parse(await self._query(f"planes {viewer or ''}"))

    async def svg(self) -> str:
        """A picture of the board as SVG."""
        return await self._query("svg")

    async def text(self) -> str:
        """A picture of the board in characters."""
        return "\n".join(await self._lines("d"))

    async def positions(
        self,
        fens: Iterable[str],
        *,
        encode: bool = False,
        on_error: Callable[[str, BadInput], object] | None = None,
    ) -> AsyncIterator[Position]:
        """What the rules say of many positions, in their order, with planes and actions
        if `encode`. Much faster than one by one, as the questions go in batches. The
        engine's own position stays as it is.

        A position that the engine refuses raises `BadInput`, or is left out, once
        `on_error` was called with it and with the error.
        """
        queries = [f"query {name}" for name in QUERIES[: None if encode else -2]]
        rest, asked = iter(fens), deque[tuple[list[str], Answer]]()
        while True:
            # The engine works on the next batch while this one is read.
            while len(asked) < 2 and (batch := [*islice(rest, BATCH)]):
                commands = (line for fen in batch for line in (f"position {position(fen)}", *queries))
                asked.append((batch, self._say(*commands)))
            if not asked:
                return
            batch, answer = asked.popleft()
            lines = iter(await self._told(answer))
            for fen in batch:
                found = [*islice(lines, len(queries))]
                if not found[0].startswith(ERROR):
                    yield Position.parse(found)
                    continue
                # The others are about the position before, and one is still to come.
                error = BadInput(found[0].removeprefix(ERROR))
                next(lines)
                if not on_error:
                    raise error
                on_error(fen, error)

    async def play(self, limit: Limit, **how: Unpack[Searching]) -> PlayResult:
        """Lets the engine choose a move; it is not played."""
        async with await Questions.analysis(self, limit, **how) as search:
            return await search._result()

    async def analyse(self, limit: Limit, *, multipv: int = 1, **how: Unpack[Searching]) -> list[Line]:
        """The best lines of the position, `multipv` of them, the best first."""
        async with await Questions.analysis(self, limit, multipv=multipv, **how) as search:
            await search._result()
            return search.lines()

    async def solve(self, **how: Unpack[Solving]) -> Solution:
        """Proves the value of the position."""
        state, start = self._state, time.monotonic()
        limit, timeout, nodes = how.get("time_limit"), how.get("timeout"), how.get("nodes")

        async def ask(state: State, is_all: bool) -> Solution:
            spent = time.monotonic() - start
            text = "solve" + " margin" * how.get("margin", False) + " all" * is_all
            text += "" if limit is None else f" movetime {max(1, (limit - spent) * 1000):.0f}"
            text += "" if nodes is None else f" nodes {nodes}"
            left = None if timeout is None else timeout - spent
            async with await self._begin(state, text, how.get("options", {}), left) as search:
                return Solution.parse(await search._last(), is_all)

        solution = await ask(state, how.get("all_moves", False))
        moves = state.moves.split() if how.get("all_moves") else ()
        return solution.with_moves({move: await ask(state.after(move), False) for move in moves})


class Inquiry:
    """A search that runs: iterate over its lines, `stop` it, ask for its `result`.

    Leaving the `with` block stops the search and waits for its answer.
    """

    def __init__(self, link: Conversation, search: Search, timeout: float | None) -> None:
        self._link, self._search = link, search
        self._deadline = None if timeout is None else time.monotonic() + timeout

    async def __aenter__(self) -> Inquiry:
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        if not self._link.is_over(self._search):
            # An error on the way out says more than another of the same engine.
            with suppress(*[EngineError] if error else []):
                self.stop()
                await self._link.until(self._search, self._deadline)

    def __del__(self) -> None:
        with suppress(Exception):
            self._link.abandon(self._search)

    def __aiter__(self) -> Inquiry:
        return self

    async def __anext__(self) -> Line:
        found = self._search.found
        while await self._link.until(self._search, self._deadline, lambda: bool(found)):
            with suppress(IndexError):  # Another thread was faster.
                return found.popleft()
        checked(self._search.lines)
        raise StopAsyncIteration

    def lines(self) -> list[Line]:
        """The last line of each rank so far, the best first."""
        return [line for _, line in sorted(self._search.best.items())]

    def stop(self) -> None:
        """Ends the search; its result follows."""
        self._link.stop(self._search)

    async def _last(self) -> str:
        """Waits for the end of the search, and tells its last line."""
        await self._link.until(self._search, self._deadline)
        return checked(self._search.lines)[-1]

    async def _result(self) -> PlayResult:
        """Waits for the end of the search."""
        _, move, *more = (await self._last()).split()
        reply = more[1] if more else None
        return PlayResult(None if move == "0000" else move, reply, self._search.best.get(1))

    result = _result
