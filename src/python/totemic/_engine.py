"""An engine that waits where it is called."""

from __future__ import annotations

import copy
import functools
import os
import threading
import time
import weakref
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, TypeVar

from ._conversation import Answers, Conversation, Search, State, positions
from ._core import Core, Inquiry, Options, Searching, Solving, Starting
from ._program import BadInput, Child, EngineError, find_program
from ._values import Game, Limit, Line, Option, Position, Solution

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec, Unpack

    P = ParamSpec("P")
R = TypeVar("R")


class Process(Conversation):
    """The process of an engine, and of others that share it. A thread reads what it
    writes, so that an interrupt, which only the main thread gets, never cuts an answer.
    """

    def __init__(self, program: str) -> None:
        super().__init__()
        self.lock: Any = threading.RLock()
        self.writing: Any = threading.RLock()
        self.users: weakref.WeakSet[Engine] = weakref.WeakSet()
        self._is_writing = False
        self._forgotten: str | None = None
        self.child = child = Child(program)
        assert child.process.stdin and child.process.stdout
        self._stdin = child.process.stdin
        weakref.finalize(self, child.end)
        threading.Thread(target=_read, args=(child.process.stdout, self.answers), daemon=True).start()

    def write(self, text: str) -> None:
        self.child.check()
        data = memoryview(text.encode())
        with self.writing:
            self._is_writing = True
            try:
                while data:
                    data = data[os.write(self._stdin.fileno(), data) :]
                if self._forgotten == self._latest_search:
                    self._forgotten = None
                    os.write(self._stdin.fileno(), b"\nstop\n")
            except (OSError, ValueError):
                raise self.child.death() from None
            finally:
                self._is_writing = False

    def bell(self) -> tuple[Callable[[], object], Callable[[float | None], Any]]:
        # The thread that reads may have the bell for a moment longer than any engine.
        queue: SimpleQueue[None] = SimpleQueue()
        end_late = self.child.end_late

        async def wait(deadline: float | None) -> None:
            try:
                left = None if deadline is None else max(0, deadline - time.monotonic())
                queue.get(timeout=left and min(left, threading.TIMEOUT_MAX))
            except Empty:
                raise end_late() from None

        return lambda: queue.put(None), wait

    def abandon(self, search: Search) -> None:
        # Who is in the middle of a line, perhaps this thread, stops it afterwards.
        self._forgotten = search.token
        if self.writing.acquire(blocking=False):
            try:
                if not self._is_writing:
                    self.stop(search)
            finally:
                self.writing.release()


def _read(stdout: IO[bytes], answers: Answers) -> None:
    try:
        while data := os.read(stdout.fileno(), 1 << 18):
            answers.feed(data)
    finally:
        answers.end()
        stdout.close()


def _run(coroutine: Coroutine[Any, Any, R]) -> R:
    """The value of a coroutine that waits by itself."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise RuntimeError("expected a coroutine that does not yield")


def _waiting(method: Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]) -> Callable[Concatenate[Any, P], R]:
    def call(self: Any, /, *arguments: P.args, **named: P.kwargs) -> R:
        return _run(method(self._core, *arguments, **named))

    functools.update_wrapper(call, method)
    return call


def _of_core(method: Callable[Concatenate[Any, P], R]) -> Callable[Concatenate[Any, P], R]:
    def call(self: Any, /, *arguments: P.args, **named: P.kwargs) -> R:
        return method(self._core, *arguments, **named)

    functools.update_wrapper(call, method)
    return call


class Engine:
    """An engine that keeps a position, knows the rules and searches; `Starting` explains
    the arguments.

    Threads may share an engine, which runs one search at a time. A process that was
    forked needs its own.
    """

    def __init__(self, game: Game = "yoxii", **how: Unpack[Starting]) -> None:
        self._program = find_program(how.get("program"))
        self._core = Core(Process(self._program), game, how.get("timeout", 30.0))
        self._core.link.users.add(self)
        try:
            _run(self._core.open(how.get("options", {})))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine; a second call does nothing."""
        self._core.is_closed = True
        process = self._core.link
        process.users.discard(self)
        if not process.users:
            with suppress(EngineError):
                process.write("\nquit\n")
            process.child.is_closed = True
            process.child.end(patience=2)

    def copy(self) -> Engine:
        """Another process with the same game, position and options."""
        return copy.copy(self)

    def twin(self) -> Engine:
        """Another engine with a position of its own in the same process, which ends with
        the last of them. It has the same options, and they run one search between them.
        """
        self._core.check()
        twin = Engine.__new__(Engine)
        twin._program, twin._core = self._program, copy.copy(self._core)
        twin._core.configured = dict(self._core.configured)
        self._core.link.users.add(twin)
        return twin

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[object, ...]]:
        core = self._core
        return _engine, (core.game, self._program, core.configured, core.timeout, core.state)

    @property
    def game(self) -> Game:
        return self._core.game

    @property
    def id(self) -> Mapping[str, str]:
        """The `name` and the `author` of the engine."""
        return self._core.id

    @property
    def options(self) -> Mapping[str, Option]:
        """The options that the engine has, by their names."""
        return self._core.options

    legal_moves = _of_core(Core.legal_moves)
    is_game_over = _of_core(Core.is_game_over)
    turn = _of_core(Core.turn)
    stop = _of_core(Core.stop)
    configure = _waiting(Core.configure)
    ping = _waiting(Core.ping)
    new_game = _waiting(Core.new_game)
    set_position = _waiting(Core.set_position)
    push = _waiting(Core.push)
    pop = _waiting(Core.pop)
    fen = _waiting(Core.fen)
    score = _waiting(Core.score)
    result = _waiting(Core.result)
    route = _waiting(Core.route)
    actions = _waiting(Core.actions)
    planes = _waiting(Core.planes)
    svg = _waiting(Core.svg)
    text = _waiting(Core.text)
    play = _waiting(Core.play)
    analyse = _waiting(Core.analyse)
    solve = _waiting(Core.solve)
    _change = _waiting(Core.change)
    _query = _waiting(Core.query)
    _batch = _waiting(Core.batch)

    def analysis(
        self, limit: Limit | None = None, *, multipv: int = 1, **how: Unpack[Searching]
    ) -> Analysis:
        return Analysis(_run(self._core.analysis(limit, multipv=multipv, **how)))

    analysis.__doc__ = Core.analysis.__doc__

    def positions(
        self,
        fens: Iterable[str],
        *,
        encode: bool = False,
        on_error: Callable[[str, BadInput], object] | None = None,
    ) -> Iterator[Position]:
        """What the rules say of many positions, in their order, with planes and actions
        if `encode`. Much faster than one by one, as the questions go in batches. The
        engine's own position stays as it is.

        A position that the engine refuses raises `BadInput`, or is left out, once
        `on_error` was called with it and with the error.
        """
        for batch, answer in self._core.ask_rules(fens, encode):
            yield from positions(batch, _run(self._core.told(answer)), on_error)


def _engine(game: Game, program: str, options: Options, timeout: float, state: State) -> Engine:
    engine = Engine(game, program=program, options=options, timeout=timeout)
    engine._core.state = state
    return engine


class Analysis:
    __doc__ = Inquiry.__doc__

    def __init__(self, core: Inquiry) -> None:
        self._core = core

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *error: Any) -> None:
        _run(self._core.__aexit__(*error))

    def __iter__(self) -> Iterator[Line]:
        with suppress(StopAsyncIteration):
            while True:
                yield _run(self._core.__anext__())

    lines = _of_core(Inquiry.lines)
    stop = _of_core(Inquiry.stop)
    result = _waiting(Inquiry.result)


def solve(position: str, *, game: Game = "yoxii", **how: Unpack[Solving]) -> Solution:
    """Proves the value of one position; the arguments are those of `solve_many`."""
    return solve_many([position], game=game, **how)[0]


def solve_many(positions: Iterable[str], *, game: Game = "yoxii", **how: Unpack[Solving]) -> list[Solution]:
    """Proves the values of positions, in their order; takes the arguments of `Engine.solve`.

    A limit is one for each position, but `timeout` is seconds for all of them.
    """
    texts, timeout = list(positions), how.pop("timeout", None)
    end = None if timeout is None else time.monotonic() + timeout
    solutions = []
    with Engine(game, options=how.pop("options", {})) as engine:
        for _ in engine.positions(texts):
            pass  # One that is refused need not wait for those before it.
        for text in texts:
            engine.set_position(text)
            how["timeout"] = end and end - time.monotonic()
            solutions.append(engine.solve(**how))
    return solutions
