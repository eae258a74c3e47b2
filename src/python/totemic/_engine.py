"""An engine that waits where it is called, and what one for `asyncio` shares with it."""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from ._errors import BadInput, EngineError
from ._totemic import ERROR, PLANES, Search, Session, State, prove
from ._values import Game, Limit, Line, Option, Planes, PlayResult, Position, Side, Solution
from ._values import milliseconds, whole

Options = Mapping[str, object]
Pairs = list[tuple[str, str | None]]
P = ParamSpec("P")
R = TypeVar("R")
A = TypeVar("A", bound="Inquiry")

# The first names of options that have others, without their blanks and `UCI_`.
_NAMES = {"skilllevel": "skill"}


@functools.cache
def _introduction() -> list[str]:
    return Session("yoxii").ask("ugi")


@functools.cache
def _options() -> dict[str, Option]:
    found = [Option.parse(line) for line in _introduction() if line.startswith("option ")]
    return {option.name: option for option in found}


def _name(name: str) -> str:
    """The name of an option as the engine lists it."""
    key = str(name).lower().replace(" ", "").removeprefix("uci_")
    key = _NAMES.get(key, key)
    return next((it for it in _options() if it.lower() == key), name)


def _text(value: object) -> str | None:
    return None if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _given(options: Options | None) -> dict[str, str | None]:
    """Options as the engine names them, with the texts of their values."""
    if not isinstance(options, (Mapping, type(None))):
        raise BadInput(f"options {options!r}: expected names with values, such as {{'Hash': 64}}")
    return {_name(name): _text(value) for name, value in (options or {}).items()}


def _checked(lines: list[str]) -> list[str]:
    """The lines of a search, if none of them is an error."""
    for line in lines:
        if line.startswith(ERROR):
            why = line.removeprefix(ERROR)
            raise EngineError(why) if " failed: " in why else BadInput(why)
    return lines


def _of_state(method: Callable[Concatenate[State, P], R]) -> Callable[Concatenate[Core[Any], P], R]:
    """A method of the state of an engine as one of the engine itself."""

    @functools.wraps(method)
    def ask(self: Core[Any], /, *arguments: P.args, **named: P.kwargs) -> R:
        return method(self.state, *arguments, **named)

    return ask


class Core(Generic[A]):
    """What all engines have: a position, and what the rules say of it."""

    #: The game as far as it has been played; another may be set.
    state: State
    _analysis: type[A]

    def __init__(self, game: Game = "yoxii", *, options: Options | None = None) -> None:
        self.state = State(game)
        self._session = Session(self.state.game)
        self._configured: dict[str, str] = {}
        # All options that were ever set, by this engine or for one search.
        self._set: set[str] = set()
        self.configure(options or {})

    def close(self) -> None:
        """Ends the engine; a second call does nothing. The rules still answer."""
        self._session.close()

    def copy(self) -> Self:
        """Another engine with the same game, position and options."""
        other = type(self)(self.game, options=self._configured)
        other.state = self.state.clone()
        return other

    __copy__ = copy

    def __deepcopy__(self, _: object) -> Self:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        make = functools.partial(type(self), options=self._configured)
        return make, (self.game,), {"state": self.state.clone()}

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.game

    @property
    def id(self) -> Mapping[str, str]:
        """The `name` and the `author` of the engine."""
        return dict(line.split(" ", 2)[1:] for line in _introduction() if line.startswith("id "))

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that the engine has, by their names."""
        return _options()

    def configure(self, options: Options) -> None:
        """Sets options, by the names that `protocol.md` gives; a button is set to `None`.
        Stops a search that runs. Another `Game` begins at its start.
        """
        for name, text in _given(options).items():
            if name == "Game":
                self.state = State(text or "")  # type: ignore[arg-type]
                continue
            self._session.set([(name, text)])
            if text is not None:
                self._set.add(name)
                self._configured[name] = text

    def set_position(self, fen: str = "startpos", moves: str | Iterable[str] = ()) -> None:
        """Sets the position: `startpos`, a position's text, or `random SEED`; then plays
        `moves`. All or nothing: bad input raises `BadInput` and changes nothing.
        """
        self.state = State(self.game, fen, moves)

    push, pop = _of_state(State.push), _of_state(State.pop)
    turn, fen, score = _of_state(State.turn), _of_state(State.fen), _of_state(State.score)
    legal_moves, route = _of_state(State.legal_moves), _of_state(State.route)
    is_game_over, result = _of_state(State.is_terminal), _of_state(State.result)
    text, svg = _of_state(State.text), _of_state(State.svg)

    def actions(self) -> tuple[int, ...]:
        """The action of each legal move, in the order of `legal_moves`."""
        return self.state.facts(True)[5]  # type: ignore[no-any-return]

    def planes(self, viewer: Side | None = None) -> Planes:
        """The position as the side to move sees it, or as the viewer does, `p1` or `p2`."""
        return Planes(PLANES[self.game], self.state.planes(viewer))

    def positions(
        self, fens: Iterable[str], *, encode: bool = False,
        on_error: Callable[[str, BadInput], object] | None = None,
    ) -> Iterator[Position]:
        """What the rules say of many positions, in their order, with planes and actions
        if `encode`. The engine's own position stays as it is.

        A position that the engine refuses raises `BadInput`, or is left out, once
        `on_error` was called with it and with the error.
        """
        game, shape = self.game, PLANES[self.game]
        for fen in fens:
            try:
                state = State(game, fen)
            except BadInput as error:
                if not on_error:
                    raise
                on_error(fen, error)
                continue
            yield Position._make([*state.facts(encode), Planes(shape, state.planes()) if encode else None])

    def new_game(self) -> None:
        """Forgets what earlier searches have found. Stops a search that runs."""
        self._session.ask("uginewgame")

    def ping(self) -> None:
        """Makes the engine ready: the memory of its tables need not be waited for later.
        Stops a search that runs.
        """
        self._session.ask("isready")

    def stop(self) -> None:
        """Ends the search that runs."""
        self._session.ask()

    def analysis(
        self, limit: Limit | None = None, *, multipv: int = 1,
        root_moves: str | Iterable[str] = (), options: Options | None = None,
    ) -> A:
        """A search whose lines can be read while it runs; without a limit, until `stop`.

        It finds the best `multipv` lines. `root_moves` are the only moves to consider,
        `options` those of this search alone. Another search, an option or a new game stop
        it, and so does leaving it: by the end of its `with` block, or by forgetting it.
        """
        text = "infinite" if limit is None else limited(limit).command()
        if moves := root_moves if isinstance(root_moves, str) else " ".join(root_moves):
            text += f" searchmoves {moves}"
        search = self._begin(f"go {text}", options, self.state, multipv)
        return self._analysis(search, self.turn())

    def _begin(self, command: str, options: Options | None, state: State, multipv: int = 1) -> Search:
        """Begins with these options; those not given get their default or configured values."""
        given = _given(options)
        for name, way in {"Game": "configure({'Game': ...})", "MultiPV": "analyse(limit, multipv=...)"}.items():
            if name in given:
                raise BadInput(f"{name!r} cannot be set for one search: expected {way}")
        self._set |= {name for name, text in given.items() if text is not None}
        defaults = {name: _options()[name].default for name in self._set if name in _options()}
        wanted = {"Game": self.game, **defaults, **self._configured, **given, "MultiPV": str(multipv)}
        return self._session.begin([*wanted.items()], state.line, command)


def limited(limit: Limit) -> Limit:
    """A limit, so that the search ends by itself."""
    if not isinstance(limit, Limit):
        raise BadInput(f"limit {limit!r}: expected a totemic.Limit")
    return limit


def solving(
    state: State, margin: bool, all_moves: bool, time_limit: float | None, nodes: int | None
) -> Generator[tuple[State, str], list[str], Solution]:
    """Yields positions with the questions about them, and gets the lines of their answers."""
    end = math.inf if time_limit is None else time.monotonic() + milliseconds(time_limit) / 1000

    def question(is_all: bool) -> str:
        text = "solve" + " margin" * margin + " all" * is_all
        if time_limit is not None:
            text += f" movetime {max(1, milliseconds(end - time.monotonic()))}"
        return text + ("" if nodes is None else f" nodes {whole(nodes, 'nodes')}")

    solution = Solution.parse((yield state, question(all_moves))[-1], all_moves, state.is_terminal())
    after = {}
    for move in state.legal_moves() if all_moves else ():
        if time.monotonic() >= end:
            break
        child = state.clone()
        child.push(move)
        after[move] = Solution.parse((yield child, question(False))[-1])
    return solution.with_moves(after)


class Inquiry:
    """A search that runs: iterate over its lines, `stop` it, ask for its `result`.

    Leaving the `with` block stops the search and waits for its answer; forgetting it stops
    it, too. Each line goes to one of those who iterate.
    """

    def __init__(self, search: Search, turn: Side) -> None:
        self._search = search
        self._turn: Side = turn

    def lines(self) -> list[Line]:
        """The last line of each rank so far, the best first."""
        found = (Line.parse(text, self._turn) for text in self._search.lines())
        best = {line.multipv: line for line in found if line}
        return [line for _, line in sorted(best.items())]

    def stop(self) -> None:
        """Ends the search; its result follows."""
        self._search.stop()

    def _answer(self) -> PlayResult:
        _, move, *more = _checked(self._search.lines())[-1].split()
        ponder_move = more[1] if more else None
        line = next(iter(self.lines()), None)
        return PlayResult(None if move == "0000" else move, ponder_move, line)

    def _next(self, seconds: float | None = None) -> Line | None:
        while text := self._search.next(seconds):
            if line := Line.parse(text, self._turn):
                return line
        return None


class Analysis(Inquiry):
    __doc__ = Inquiry.__doc__

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._search.stop()
        self._search.result()

    def __iter__(self) -> Iterator[Line]:
        return self

    def __next__(self) -> Line:
        if line := self._next():
            return line
        _checked(self._search.lines())
        raise StopIteration

    def result(self) -> PlayResult:
        """Waits for the end of the search."""
        self._search.result()
        return self._answer()


class Engine(Core[Analysis]):
    """An engine that keeps a position, knows the rules and searches. `options` are those of
    the protocol, `{"Hash": 256}`.

    Threads may share an engine, which runs one search at a time. A process that was forked
    needs its own.
    """

    _analysis = Analysis

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def play(
        self, limit: Limit, *, root_moves: str | Iterable[str] = (), options: Options | None = None
    ) -> PlayResult:
        """Lets the engine choose a move; it is not played. The arguments are those of
        `analysis`.
        """
        with self.analysis(limited(limit), root_moves=root_moves, options=options) as search:
            return search.result()

    def analyse(
        self, limit: Limit, *, multipv: int = 1,
        root_moves: str | Iterable[str] = (), options: Options | None = None,
    ) -> list[Line]:
        """The best lines of the position, `multipv` of them, the best first. The arguments
        are those of `analysis`.
        """
        limited(limit)
        with self.analysis(limit, multipv=multipv, root_moves=root_moves, options=options) as search:
            search.result()
            return search.lines()

    def solve(
        self, *, margin: bool = False, all_moves: bool = False,
        time_limit: float | None = None, nodes: int | None = None, options: Options | None = None,
    ) -> Solution:
        """Proves the value of the position.

        `margin` is proved, too, if asked for; `all_moves` asks for all best moves, and for
        what each move is worth. After `time_limit` seconds, or `nodes` positions for each
        question, what is not proved yet stays unknown.
        """
        steps = solving(self.state.clone(), margin, all_moves, time_limit, nodes)
        try:
            state, command = next(steps)
            while True:
                state, command = steps.send(_checked(self._begin(command, options, state).result()))
        except StopIteration as end:
            return end.value  # type: ignore[no-any-return]


def solve(
    position: str, *, game: Game = "yoxii", margin: bool = False, all_moves: bool = False,
    time_limit: float | None = None, nodes: int | None = None, options: Options | None = None,
) -> Solution:
    """Proves the value of one position; the arguments are those of `solve_many`."""
    return solve_many(
        [position], game=game, margin=margin, all_moves=all_moves, time_limit=time_limit, nodes=nodes, options=options
    )[0]


def solve_many(
    positions: Iterable[str], *, game: Game = "yoxii", margin: bool = False, all_moves: bool = False,
    time_limit: float | None = None, nodes: int | None = None, options: Options | None = None,
) -> list[Solution]:
    """Proves the values of positions, in their order. The arguments are those of
    `Engine.solve`; a limit is one for each position, with all its moves.
    """
    with Engine(game, options=options) as engine:
        sizes = {name: it.default for name, it in engine.options.items()} | engine._configured
    if nodes is not None and whole(nodes, "nodes") < 1:
        raise BadInput(f"nodes {nodes}: expected a whole number of at least 1")
    seconds = time_limit if time_limit is None else max(milliseconds(time_limit), 1) / 1000
    # One that is refused need not wait for those before it.
    states = [State(game, text) for text in positions]
    solutions = prove(
        states, hash=int(sizes["Hash"]), threads=int(sizes["Threads"]), margin=bool(margin),
        all_moves=bool(all_moves), seconds=seconds, nodes=nodes and min(nodes, 2**63),
    )
    return [Solution(*it) for it in solutions]
