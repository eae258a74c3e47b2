"""What can be asked of an engine. Everything is `async` here, and what waits is below:
`totemic.aio` gives it to `asyncio`, and `totemic.Engine` waits where it is called.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypedDict, TypeVar

from ._conversation import Answer, Conversation, Search, State
from ._conversation import answers, checked, option_key, option_text, questions, set_option
from ._program import BadInput, EngineDied, EngineError
from ._values import Game, Limit, Line, Option, Planes, PlayResult, Result, Side, Solution
from ._values import integers, words

if TYPE_CHECKING:
    from typing_extensions import Unpack

Options = Mapping[str, object]
Link = TypeVar("Link", bound=Conversation)

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


class Core(Generic[Link]):
    """An engine that keeps a position, knows the rules and searches."""

    def __init__(self, link: Link, game: Game, timeout: float) -> None:
        self.link, self.timeout = link, timeout
        self.state = State(game, "startpos")
        self.configured: dict[str, object] = {}
        self.is_closed = False

    async def open(self, options: Options) -> None:
        with self.link.lock:
            _, lines = await self.link.ask(None, ["ugi"], self.timeout)
        found = [Option.parse(line) for line in lines if line.startswith("option ")]
        self.link.options = {option.name.lower(): option for option in found}
        self.link.id = dict(line.split(" ", 2)[1:] for line in lines if line.startswith("id "))
        await self.configure({"Game": self.game, **options})

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def id(self) -> Mapping[str, str]:
        """The `name` and the `author` of the engine."""
        return self.link.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that the engine has, by their names."""
        return {option.name: option for option in self.link.options.values()}

    async def configure(self, options: Options) -> None:
        """Sets options, by the names that `protocol.md` gives; a button is set to `None`.
        Stops a search that runs.
        """
        for name, value in options.items():
            key, text = option_key(name), option_text(value)
            commands = [*self.link.halt(self.state), set_option(name, text)]
            if key == "game":
                await self.change(State(text.lower(), "startpos"), *commands)  # type: ignore[arg-type]
            else:
                await self.lines(*commands)
                if value is not None:
                    self.link.settled[key] = text
                    self.configured[key] = value

    async def ping(self) -> None:
        """Waits until the engine is ready."""
        await self.lines("isready")

    async def new_game(self) -> None:
        """Forgets what earlier searches have found. Stops a search that runs."""
        await self.lines("uginewgame")

    async def set_position(self, fen: str = "startpos", moves: Iterable[str] = ()) -> None:
        """Sets the position: `startpos`, a position's text, or `random SEED`; then
        plays `moves`. All or nothing: bad input raises `BadInput` and changes nothing.
        """
        state = State.at(self.state.game, fen, moves)
        await self.change(state, state.command())

    async def push(self, *moves: str) -> None:
        """Plays moves on the position, all or none of them."""
        if played := words(moves):
            with self.link.lock:
                state = self.state._replace(played=(*self.state.played, *played))
                await self.change(state, "moves " + " ".join(played))

    async def pop(self) -> str:
        """Takes the last move back, and tells which it was."""
        with self.link.lock:
            if not (played := self.state.played):
                raise BadInput("there is no move to take back")
            state = self.state._replace(played=played[:-1])
            await self.change(state, state.command())
        return played[-1]

    def legal_moves(self) -> tuple[str, ...]:
        """All legal moves in alphabetical order; none when the game is over."""
        self.check()
        return self.state.moves

    def is_game_over(self) -> bool:
        """Whether the side to move has no move."""
        return not self.legal_moves()

    def turn(self) -> Side:
        """The side to move, `p1` or `p2`; `p1` is the side that began the game."""
        self.check()
        return self.state.turn

    async def fen(self) -> str:
        """The position's text."""
        return await self.query("fen")

    async def score(self) -> tuple[int, int]:
        """The points of both players as they stand."""
        one, two = integers(await self.query("score"))
        return one, two

    async def result(self) -> Result | None:
        """`p1win`, `p2win` or `draw`; `None` while the game goes on."""
        return await self.query("result") if self.is_game_over() else None  # type: ignore[return-value]

    async def route(self, move: str) -> tuple[str, ...]:
        """The squares that a legal move goes over, from the first to the last."""
        return tuple((await self.query(f"route {move}")).split())

    async def actions(self) -> tuple[int, ...]:
        """The index of each legal move among all actions, in the order of `legal_moves`."""
        return integers(await self.query("actions"))[1:]

    async def planes(self, viewer: Side | None = None) -> Planes:
        """The position as the side to move sees it, or as the viewer does, `p1` or `p2`."""
        return Planes.parse(await self.query(f"planes {viewer or ''}"))

    async def svg(self) -> str:
        """A picture of the board as SVG."""
        return await self.query("svg")

    async def text(self) -> str:
        """A picture of the board in characters."""
        return "\n".join(await self.lines("d"))

    async def play(self, limit: Limit, **how: Unpack[Searching]) -> PlayResult:
        """Lets the engine choose a move; it is not played."""
        async with await self.analysis(limit, **how) as search:
            return await search.result()

    async def analyse(self, limit: Limit, *, multipv: int = 1, **how: Unpack[Searching]) -> list[Line]:
        """The best lines of the position, `multipv` of them, the best first."""
        async with await self.analysis(limit, multipv=multipv, **how) as search:
            await search.result()
            return search.lines()

    async def analysis(
        self, limit: Limit | None = None, *, multipv: int = 1, **how: Unpack[Searching]
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
            timeout = max(times) + self.timeout if times else None
        options = {**how.get("options", {}), "MultiPV": multipv}
        return await self.inquire(self.state, f"go {text}", options, timeout)

    async def solve(self, **how: Unpack[Solving]) -> Solution:
        """Proves the value of the position."""
        state, start = self.state, time.monotonic()
        limit, timeout, nodes = how.get("time_limit"), how.get("timeout"), how.get("nodes")

        async def ask(state: State, is_all: bool) -> Solution:
            spent = time.monotonic() - start
            text = "solve" + " margin" * how.get("margin", False) + " all" * is_all
            text += "" if limit is None else f" movetime {max(1, (limit - spent) * 1000):.0f}"
            text += "" if nodes is None else f" nodes {nodes}"
            left = None if timeout is None else timeout - spent
            async with await self.inquire(state, text, how.get("options", {}), left) as search:
                return Solution.parse(await search.solution(), is_all)

        solution = await ask(state, how.get("all_moves", False))
        moves = state.moves if how.get("all_moves") else ()
        return solution.with_moves({move: await ask(state.after(move), False) for move in moves})

    async def inquire(self, state: State, command: str, options: Options, timeout: float | None) -> Inquiry:
        """Begins a search or the solver."""
        link = self.link
        with link.lock:
            self.check()
            if settings := link.settings({**self.configured, **options}):
                await self.lines(*link.halt(state), *(set_option(*it) for it in settings.items()))
                link.settled |= settings
            search = Search(link, state.turn)
            link.begin(state, search, command)
        return Inquiry(link, search, timeout)

    def stop(self) -> None:
        """Ends the search that runs; its result follows."""
        self.check()
        self.link.write("\nstop\n")

    async def change(self, state: State, *commands: str, queries: Sequence[str] = ()) -> list[str]:
        """Changes the position and learns its moves, and the answers to other queries."""
        with self.link.lock:
            self.check()
            asked = [*commands, "query turn", "query legalmoves", *queries]
            token, lines = await self.link.ask(self.state, asked, self.timeout)
            turn, moves, *others = answers(lines)
            state = State(*state[:3], turn, tuple(moves.split()))  # type: ignore[arg-type]
            self.link.settle(token, state)
            self.state = state
        return others

    async def query(self, subject: str) -> str:
        return answers(await self.lines(f"query {subject}"))[0]

    async def lines(self, *commands: str) -> list[str]:
        """The lines that answer commands about the position as it is."""
        with self.link.lock:
            self.check()
            state = self.state
            token, lines = await self.link.ask(state, [*commands], self.timeout)
            self.link.settle(token, state)
        return checked(lines)

    async def batch(self, commands: list[str]) -> list[str]:
        """The lines that answer commands about other positions."""
        return await self.told(self.tell(commands))

    def tell(self, commands: list[str]) -> Answer:
        """Says commands about other positions; `told` waits for what answers them."""
        with self.link.lock:
            self.check()
            return self.link.tell(self.state, commands)

    async def told(self, answer: Answer) -> list[str]:
        return await self.link.told(answer, self.timeout)

    def ask_rules(self, fens: Iterable[str], encode: bool) -> Iterator[tuple[list[str], Answer]]:
        """Batches of positions, each with what will answer `questions` about it. The
        engine works on the next one while a batch is read.
        """
        fens, asked = iter(fens), None
        while batch := [*islice(fens, BATCH)]:
            later = batch, self.tell(questions(batch, encode))
            if asked:
                yield asked
            asked = later
        if asked:
            yield asked

    def check(self) -> None:
        if self.is_closed:
            raise EngineDied("the engine is closed")
        self.link.child.check()
        if self.link.answers.is_over:
            raise self.link.child.death()


class Inquiry:
    """A search that runs: iterate over its lines, `stop` it, ask for its `result`.

    Leaving the `with` block stops the search and waits for its answer.
    """

    def __init__(self, link: Conversation, search: Search, timeout: float | None) -> None:
        self._link, self._search = link, search
        self._deadline = None if timeout is None else time.monotonic() + timeout
        self._read = 0

    async def __aenter__(self) -> Inquiry:
        return self

    async def __aexit__(self, kind: object, error: object, trace: object) -> None:
        if not self._is_over():
            # An error on the way out says more than another of the same engine.
            with suppress(*[EngineError] if error else []):
                self.stop()
                await self._until(lambda: False)

    def __del__(self) -> None:
        with suppress(Exception):
            self._link.abandon(self._search)

    def __aiter__(self) -> Inquiry:
        return self

    async def __anext__(self) -> Line:
        if not await self._until(lambda: self._read < len(self._search.found)):
            raise StopAsyncIteration
        self._read += 1
        return self._search.found[self._read - 1]

    def lines(self) -> list[Line]:
        """The last line of each rank so far, the best first."""
        return [line for _, line in sorted(self._search.best.items())]

    def stop(self) -> None:
        """Ends the search; its result follows."""
        self._link.stop(self._search)

    async def result(self) -> PlayResult:
        """Waits for the end of the search."""
        await self._until(lambda: False)
        assert self._search.result
        return self._search.result

    async def solution(self) -> str:
        await self._until(lambda: False)
        return self._search.solution

    def _is_over(self) -> bool:
        """Whether nothing more comes, also as the engine has ended."""
        return self._search.is_over or self._link.answers.is_over

    async def _until(self, is_enough: Callable[[], bool]) -> bool:
        """Waits until it is enough, or until the search is over, which is false."""
        while not is_enough():
            if self._is_over():
                self._search.wake()  # Others may wait, too.
                if not self._search.is_over:
                    raise self._link.child.death()
                if self._search.error:
                    raise BadInput(self._search.error)
                return is_enough()
            self._link.child.check()
            await self._search.wait(self._deadline)
        return True
