"""An engine that waits where it is called."""

from __future__ import annotations

import _thread
import copy
import functools
import os
import threading
import time
import weakref
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Iterator
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO, TYPE_CHECKING, Any, TypeVar

from ._conversation import Answers, Conversation, Search
from ._core import Core, Inquiry, Questions, Searching, Solving, Starting
from ._program import Child, EngineError, find_program
from ._values import Game, Limit, Line, PlayResult, Solution

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec, Unpack

    P = ParamSpec("P")
R = TypeVar("R")


class Process(Conversation):
    """The process of an engine, and of others that share it. A thread reads what it
    writes, so that an interrupt, which only the main thread gets, never cuts an answer.
    """

    def __init__(self, program: str) -> None:
        super().__init__(Child(program), Answers())
        self._lock = threading.RLock()
        self.users: weakref.WeakSet[Engine] = weakref.WeakSet()
        process = self.child.process
        assert process.stdin and process.stdout
        self._stdin = process.stdin
        threading.Thread(target=_read, args=(process.stdout, self.answers), daemon=True).start()

    def write(self, data: bytes) -> None:
        rest = memoryview(data)
        try:
            while rest:
                rest = rest[self._stdin.write(rest) :]
        except (OSError, ValueError):
            raise self.child.death() from None

    def bell(self) -> tuple[Callable[[], object], Callable[[float | None], Any]]:
        # The thread that reads may have the bell for a moment longer than any engine.
        queue: SimpleQueue[None] = SimpleQueue()

        async def wait(deadline: float | None) -> None:
            try:
                left = None if deadline is None else max(0, deadline - time.monotonic())
                queue.get(timeout=left and min(left, threading.TIMEOUT_MAX))
            except Empty:
                self.late()

        return lambda: queue.put(None), wait

    def abandon(self, search: Search) -> None:
        def stop() -> None:
            with suppress(EngineError):
                self.stop(search)

        # This thread may be in the middle of a line.
        if not self.is_over(search):
            _thread.start_new_thread(stop, ())


def _read(stdout: IO[bytes], answers: Answers) -> None:
    try:
        while data := os.read(stdout.fileno(), 1 << 16):
            answers.feed(data)
    finally:
        answers.end()
        stdout.close()


def run(coroutine: Coroutine[Any, Any, R]) -> R:
    """The value of a coroutine that waits by itself."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    raise RuntimeError("expected a coroutine that does not yield")


def waiting(method: Callable[Concatenate[Any, P], Coroutine[Any, Any, R]]) -> Callable[Concatenate[Any, P], R]:
    def call(self: Any, /, *arguments: P.args, **named: P.kwargs) -> R:
        return run(method(self, *arguments, **named))

    functools.update_wrapper(call, method)
    return call


def iterating(method: Callable[Concatenate[Any, P], AsyncIterator[R]]) -> Callable[Concatenate[Any, P], Iterator[R]]:
    def call(self: Any, /, *arguments: P.args, **named: P.kwargs) -> Iterator[R]:
        found = method(self, *arguments, **named)
        try:
            while True:
                yield run(found.__anext__())  # type: ignore[arg-type]
        except StopAsyncIteration:
            return

    functools.update_wrapper(call, method)
    return call


class Analysis(Inquiry):
    __doc__ = Inquiry.__doc__

    def __enter__(self) -> Analysis:
        return self

    def __iter__(self) -> Iterator[Line]:
        return iterating(Inquiry.__aiter__)(self)

    __exit__ = waiting(Inquiry.__aexit__)

    def result(self) -> PlayResult:  # type: ignore[override]
        """Waits for the end of the search."""
        return run(self._result())


class Engine(Core):
    """An engine that keeps a position, knows the rules and searches; `Starting` explains
    the arguments.

    Threads may share an engine, which runs one search at a time. A process that was
    forked needs its own.
    """

    _link: Process
    _inquiry = Analysis

    def __init__(self, game: Game = "yoxii", **how: Unpack[Starting]) -> None:
        self._program = find_program(how.get("program"))
        super().__init__(Process(self._program), game, how.get("timeout", 30.0))
        self._link.users.add(self)
        try:
            run(Questions._open(self, how.get("options", {})))
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine; a second call does nothing."""
        self._is_closed = True
        self._link.users.discard(self)
        if not self._link.users:
            self._link.close()

    def copy(self) -> Engine:
        """Another process with the same game, position and options."""
        return copy.copy(self)

    def twin(self) -> Engine:
        """Another engine with a position of its own in the same process, which ends with
        the last of them. It has the same options, and they run one search between them.
        """
        self._check()
        twin = self.__new__(type(self))
        twin.__dict__ |= {**self.__dict__, "_configured": {**self._configured}}
        self._link.users.add(twin)
        return twin

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[Game], dict[str, object]]:
        how: Starting = {"program": self._program, "options": self._configured, "timeout": self._timeout}
        return functools.partial(type(self), **how), (self.game,), {"_state": self._state}

    def analysis(
        self, limit: Limit | None = None, *, multipv: int = 1, **how: Unpack[Searching]
    ) -> Analysis:
        return run(Questions.analysis(self, limit, multipv=multipv, **how))  # type: ignore[return-value]

    analysis.__doc__ = Questions.analysis.__doc__

    configure = waiting(Questions.configure)
    ping = waiting(Questions.ping)
    new_game = waiting(Questions.new_game)
    set_position = waiting(Questions.set_position)
    push = waiting(Questions.push)
    pop = waiting(Questions.pop)
    fen = waiting(Questions.fen)
    score = waiting(Questions.score)
    result = waiting(Questions.result)
    route = waiting(Questions.route)
    actions = waiting(Questions.actions)
    planes = waiting(Questions.planes)
    svg = waiting(Questions.svg)
    text = waiting(Questions.text)
    positions = iterating(Questions.positions)
    play = waiting(Questions.play)
    analyse = waiting(Questions.analyse)
    solve = waiting(Questions.solve)


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
