"""An engine as a child process that speaks UGI."""

from __future__ import annotations

import itertools
import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from ._program import (
    BadInput,
    EngineDied,
    EngineError,
    EngineTimeout,
    ProgramNotFound,
    find_program,
)
from ._solve import Solution, solve

_ERROR = "info string error: "
# Positions of a batch that are asked about at once: more could fill both pipes.
_WINDOW = 100


def _line(command: str) -> str:
    if not command.isprintable():
        raise BadInput(f"{command!r}: expected printable text in one line")
    return command


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first of these that it reaches. Times are in seconds."""

    time: float | None = None
    depth: int | None = None
    nodes: int | None = None
    mate: int | None = None
    p1_clock: float | None = None
    p2_clock: float | None = None
    p1_inc: float | None = None
    p2_inc: float | None = None
    remaining_moves: int | None = None

    def command(self) -> str:
        """The words behind `go`."""
        names = {
            "time": "movetime",
            "p1_clock": "p1time",
            "p2_clock": "p2time",
            "p1_inc": "p1inc",
            "p2_inc": "p2inc",
            "remaining_moves": "movestogo",
        }
        seconds = {"time", "p1_clock", "p2_clock", "p1_inc", "p2_inc"}
        words = []
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None:
                value = round(value * 1000) if field.name in seconds else value
                words.append(f"{names.get(field.name, field.name)} {value}")
        return " ".join(words)


@dataclass(frozen=True)
class Score:
    """A score for the side to move: centipoints, or a proof.

    `mate` is the number of plies in which the game is won at the latest, negative
    when it is lost. `bound` is `lowerbound` or `upperbound` where the value is at
    least, or at most, this.
    """

    cp: int | None = None
    mate: int | None = None
    bound: str | None = None


@dataclass(frozen=True)
class Line:
    """A line of play that a search has found; `wdl` is in thousandths."""

    depth: int
    seldepth: int
    multipv: int
    score: Score
    nodes: int
    nps: int
    hashfull: int
    time: float
    pv: tuple[str, ...]
    wdl: tuple[int, int, int] | None = None

    @classmethod
    def parse(cls, text: str) -> Line | None:
        """Reads an `info` line; `None` if it is another kind of line."""
        words = text.split()
        if words[:2] != ["info", "depth"]:
            return None
        head, _, moves = text.partition(" pv ")
        words = head.split()

        def number(name: str) -> int:
            return int(words[words.index(name) + 1]) if name in words else 0

        at = words.index("score")
        value = int(words[at + 2])
        bound = next((word for word in words if word in ("lowerbound", "upperbound")), None)
        odds = words.index("wdl") if "wdl" in words else None
        return cls(
            depth=number("depth"),
            seldepth=number("seldepth"),
            multipv=number("multipv"),
            score=Score(
                cp=value if words[at + 1] == "cp" else None,
                mate=value if words[at + 1] == "mate" else None,
                bound=bound,
            ),
            nodes=number("nodes"),
            nps=number("nps"),
            hashfull=number("hashfull"),
            time=number("time") / 1000,
            pv=tuple(moves.split()),
            wdl=None if odds is None else tuple(map(int, words[odds + 1 : odds + 4])),  # type: ignore[arg-type]
        )


@dataclass(frozen=True)
class PlayResult:
    """The engine's choice; `move` is `None` where the game is over."""

    move: str | None
    ponder: str | None
    line: Line | None


@dataclass(frozen=True)
class Position:
    """What the rules say of a position.

    `turn` is `p1` or `p2`, `score` the points of both as they stand, and `result` is
    `None` while the game goes on, then `p1win`, `p2win` or `draw`.
    """

    fen: str
    turn: str
    legal_moves: tuple[str, ...]
    score: tuple[int, int]
    result: str | None


class Engine:
    """An engine that keeps a position, knows the rules and searches.

    `options` are those of the protocol, `{"Hash": 256, "Threads": 2}`. `timeout` is
    how many seconds an answer may take beyond the time that a limit allows; an engine
    that takes longer is ended. An engine belongs to one thread; only `stop` may be
    called from another.
    """

    def __init__(
        self,
        game: str = "yoxii",
        *,
        program: str | os.PathLike[str] | None = None,
        options: Mapping[str, object] | None = None,
        timeout: float = 30.0,
    ) -> None:
        self.game = game
        self.timeout = timeout
        self._program = find_program(program)
        pipe = subprocess.PIPE
        try:
            self._process = subprocess.Popen(
                [self._program, "ugi"], stdin=pipe, stdout=pipe, stderr=pipe, encoding="utf-8"
            )
        except OSError as error:
            raise ProgramNotFound(f"{self._program!r} cannot be started: {error}") from error
        assert self._process.stdin and self._process.stdout and self._process.stderr
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._stderr: deque[str] = deque(maxlen=5)
        self._writing = threading.Lock()
        self._deadline: float | None = None
        self._timed_out = False
        self._searching = False
        self._closed = threading.Event()
        self._listener = threading.Thread(
            target=self._stderr.extend, args=[self._process.stderr], daemon=True
        )
        self._listener.start()
        threading.Thread(target=self._watch, daemon=True).start()
        self._moves: tuple[str, ...] = ()
        try:
            self.configure({"Game": game, **(options or {})})
            self.set_position()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine; a second call does nothing."""
        if self._closed.is_set():
            return
        self._closed.set()
        try:
            self._send("quit")
            self._process.wait(timeout=2)
        except (EngineError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        self._listener.join(timeout=1)
        for stream in (self._stdin, self._stdout):
            try:
                stream.close()
            except OSError:
                pass  # What was not written is of no use to an engine that has ended.

    # The position.

    def configure(self, options: Mapping[str, object]) -> None:
        """Sets options, by the names that `protocol.md` gives."""
        for name, value in options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            self._ask(f"setoption name {name} value {text}")
            if name.lower() == "game":
                self.game = text.lower()
                self._moves = self._legal_moves()

    def new_game(self) -> None:
        """Forgets what earlier searches have found."""
        self._ask("uginewgame")

    def set_position(self, fen: str = "startpos", moves: Iterable[str] = ()) -> None:
        """Sets the position: `startpos`, a position's text, or `random SEED`; then
        plays `moves`. All or nothing: bad input raises `BadInput` and changes nothing.
        """
        words = fen.split()
        start = fen if words[:1] in (["startpos"], ["random"]) else f"fen {fen}"
        played = " ".join(moves)
        self._change(f"position {start}" + (f" moves {played}" if played else ""))

    def push(self, *moves: str) -> None:
        """Plays moves on the position, all or none of them."""
        if moves:
            self._change("moves " + " ".join(moves))

    def legal_moves(self) -> tuple[str, ...]:
        """All legal moves in alphabetical order; none when the game is over."""
        return self._moves

    def is_game_over(self) -> bool:
        """Whether the side to move has no move."""
        return not self._moves

    def fen(self) -> str:
        """The position's text."""
        return self._ask("query fen")

    def turn(self) -> str:
        """The side to move, `p1` or `p2`; `p1` is the side that began the game."""
        return self._ask("query turn")

    def score(self) -> tuple[int, int]:
        """The points of both players as they stand."""
        one, two = self._ask("query score").split()
        return int(one), int(two)

    def result(self) -> str | None:
        """`p1win`, `p2win` or `draw`; `None` while the game goes on."""
        return None if self._moves else self._ask("query result")

    def route(self, move: str) -> tuple[str, ...]:
        """The squares that a legal move goes over, from the first to the last."""
        return tuple(self._ask(f"query route {move}").split())

    def positions(self, fens: Iterable[str]) -> Iterator[Position]:
        """What the rules say of many positions, in their order.

        The questions go through the pipe in batches, which takes a fraction of the
        time of asking one by one. The engine's own position stays as it is.
        """
        own = self.fen()
        queries = "\nquery fen\nquery turn\nquery legalmoves\nquery score\nquery result"
        asked: deque[str] = deque()
        texts = iter(fens)
        try:
            while batch := list(itertools.islice(texts, _WINDOW)):
                self._send("\n".join(_line(f"position fen {fen}") + queries for fen in batch))
                asked.extend(batch)
                while asked:
                    asked.popleft()
                    answers, errors = zip(*(self._response() for _ in range(5)))
                    if errors[0]:
                        raise BadInput(errors[0])
                    fen, turn, moves, score, result = answers
                    one, two = map(int, score.split())
                    yield Position(
                        fen,
                        turn,
                        tuple(moves.split()),
                        (one, two),
                        None if result == "none" else result,
                    )
        finally:
            # Nobody waits for what was asked already when the reader stops early.
            for _ in asked:
                for _ in range(5):
                    self._response()
            self._ask(f"position fen {own}")

    # Searches.

    def play(
        self,
        limit: Limit,
        *,
        root_moves: Iterable[str] = (),
        timeout: float | None = None,
    ) -> PlayResult:
        """Lets the engine choose a move; it is not played.

        `root_moves` are the only moves to consider. `timeout` is for limits without a
        time: after so many seconds the engine is ended with `EngineTimeout`.
        """
        with self.analysis(limit, root_moves=root_moves, timeout=timeout) as analysis:
            for _ in analysis:
                pass
            return analysis.result()

    def analyse(
        self,
        limit: Limit,
        *,
        multipv: int = 1,
        root_moves: Iterable[str] = (),
        timeout: float | None = None,
    ) -> list[Line]:
        """The best lines of the position, `multipv` of them, the best first."""
        self.configure({"MultiPV": multipv})
        try:
            with self.analysis(limit, root_moves=root_moves, timeout=timeout) as analysis:
                for _ in analysis:
                    pass
                return analysis.lines()
        finally:
            if not self._closed.is_set() and self._process.poll() is None:
                self.configure({"MultiPV": 1})

    def analysis(
        self,
        limit: Limit | None = None,
        *,
        root_moves: Iterable[str] = (),
        timeout: float | None = None,
    ) -> Analysis:
        """A search whose lines can be read while it runs; without a limit, until `stop`."""
        self._idle()
        words = "infinite" if limit is None else limit.command()
        if not words:
            raise BadInput("a limit sets none of its fields: expected at least one")
        among = " ".join(root_moves)
        if limit is not None and timeout is None:
            allowed = limit.time if limit.time is not None else limit.p1_clock or limit.p2_clock
            timeout = None if allowed is None else max(allowed, 0) + self.timeout
        self._send(_line(f"go {words}" + (f" searchmoves {among}" if among else "")))
        self._searching = True
        self._deadline = None if timeout is None else time.monotonic() + timeout
        return Analysis(self)

    def stop(self) -> None:
        """Ends the search that runs; its result follows."""
        self._send("stop")

    def solve(self, **arguments: Any) -> Solution:
        """The exact value of the position; takes the arguments of `totemic.solve`."""
        return solve(self.fen(), game=self.game, program=self._program, **arguments)

    # The pipe.

    def _idle(self) -> None:
        if self._searching:
            raise EngineError("a search is running: stop it, or read it to its end, first")

    def _change(self, command: str) -> None:
        """Changes the position and learns its moves in the same exchange."""
        self._idle()
        self._send(_line(command) + "\nquery legalmoves")
        moves, error = self._response()
        if error:
            # The engine takes a game whose last position was refused for ended.
            self._ask(f"position fen {self._ask('query fen')}")
            raise BadInput(error)
        self._moves = tuple(moves.split())

    def _legal_moves(self) -> tuple[str, ...]:
        return tuple(self._ask("query legalmoves").split())

    def _ask(self, command: str) -> str:
        """One command; what the engine answers to a question."""
        self._idle()
        question = "" if command.startswith("query") else "\nquery turn"
        self._send(_line(command) + question)
        answer, error = self._response()
        if error:
            raise BadInput(error)
        return answer

    def _response(self) -> tuple[str, str]:
        """The next answer to a question, and the error before it if there was one."""
        self._deadline = time.monotonic() + self.timeout
        error = ""
        while True:
            line = self._read()
            if line.startswith("response"):
                self._deadline = None
                return line[9:], error
            if line.startswith(_ERROR):
                error = error or line.removeprefix(_ERROR)
                # A question that was refused has no other answer.
                if error.startswith("'query'"):
                    self._deadline = None
                    return "", error

    def _send(self, text: str) -> None:
        try:
            with self._writing:
                self._stdin.write(text + "\n")
                self._stdin.flush()
        except (OSError, ValueError):
            raise self._death() from None

    def _read(self) -> str:
        try:
            line = self._stdout.readline()
        except ValueError:
            line = ""
        if not line:
            raise self._death()
        return line.rstrip("\n")

    def _watch(self) -> None:
        while not self._closed.wait(0.1):
            deadline = self._deadline
            if deadline is not None and time.monotonic() > deadline:
                self._timed_out = True
                self._process.kill()
                return

    def _death(self) -> EngineError:
        if self._closed.is_set():
            return EngineDied("the engine is closed")
        if self._timed_out:
            return EngineTimeout("the engine gave no answer in time and was ended")
        try:
            code: object = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            code = "none yet"
        self._listener.join(timeout=1)
        last = "".join(self._stderr).strip()
        return EngineDied(f"the engine ended (exit code {code})" + (f": {last}" if last else ""))


class Analysis:
    """A search that runs: iterate over its lines, `stop` it, ask for its `result`.

    Leaving the `with` block stops the search and waits for its answer.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._lines: dict[int, Line] = {}
        self._result: PlayResult | None = None

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._result is None and not issubclass(kind or object, EngineError):  # type: ignore[arg-type]
            self.stop()
            self.result()

    def __iter__(self) -> Iterator[Line]:
        engine = self._engine
        error = ""
        while self._result is None:
            text = engine._read()
            if text.startswith("bestmove"):
                words = text.split()
                engine._searching, engine._deadline = False, None
                self._result = PlayResult(
                    move=None if words[1] == "0000" else words[1],
                    ponder=words[3] if len(words) > 3 else None,
                    line=self._lines.get(1),
                )
                if error:
                    raise BadInput(error)
            elif text.startswith(_ERROR):
                error = text.removeprefix(_ERROR)
            elif (line := Line.parse(text)) is not None:
                self._lines[line.multipv] = line
                yield line

    def lines(self) -> list[Line]:
        """The last line of each rank so far, the best first."""
        return [self._lines[rank] for rank in sorted(self._lines)]

    def stop(self) -> None:
        """Ends the search; its result follows."""
        if self._result is None:
            self._engine.stop()

    def result(self) -> PlayResult:
        """Waits for the end of the search."""
        for _ in self:
            pass
        assert self._result is not None
        return self._result
