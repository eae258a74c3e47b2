"""An engine as a child process that speaks UGI."""

from __future__ import annotations

import math
import os
import re
import subprocess
import tempfile
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from ._program import BadInput, EngineDied, EngineError, EngineTimeout, ProgramNotFound
from ._program import Solution, find_program, solve

_ERROR = "info string error: "
# Bytes that are sent before the answers are read: more could fill both pipes, which are
# the smallest on Windows; and at most so many of them ask about a position.
_BATCH, _QUERIES = 3500, 110
# The numbers that the characters of planes stand for.
_NUMBERS = bytes(max(code - 48, 0) for code in range(256))


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
        """The words after `go`."""
        times = {"movetime": self.time, "p1time": self.p1_clock, "p2time": self.p2_clock}
        times |= {"p1inc": self.p1_inc, "p2inc": self.p2_inc}
        words = {name: f"{time * 1000:.0f}" for name, time in times.items() if time is not None}
        counts = {"depth": self.depth, "nodes": self.nodes, "mate": self.mate}
        counts |= {"movestogo": self.remaining_moves}
        words |= {name: str(count) for name, count in counts.items() if count is not None}
        return " ".join(f"{name} {value}" for name, value in words.items())


@dataclass(frozen=True)
class Score:
    """A score for the side to move: centipoints, or the plies until the game is won at
    the latest, negative when it is lost. `bound` is `lowerbound` or `upperbound` where
    the value is at least, or at most, this.
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
        if not text.startswith("info depth "):
            return None
        head, _, moves = text.partition(" pv ")
        found = {name: int(value) for name, value in re.findall(r"([a-z]+) (-?\d+)", head)}
        odds = re.search(r" wdl (\d+) (\d+) (\d+)", head)
        bound = re.search("lowerbound|upperbound", head)
        names = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull")
        return cls(
            **{name: found.get(name, 0) for name in names},
            score=Score(found.get("cp"), found.get("mate"), bound and bound[0]),
            time=found.get("time", 0) / 1000,
            pv=tuple(moves.split()),
            wdl=odds and (int(odds[1]), int(odds[2]), int(odds[3])),
        )


@dataclass(frozen=True)
class PlayResult:
    """The engine's choice; `move` is `None` where the game is over."""

    move: str | None
    ponder: str | None
    line: Line | None


@dataclass(frozen=True)
class Planes:
    """A position as planes of numbers from 0 to 36, which `protocol.md` explains.

    `shape` is the number of planes, ranks and files; `values` has a byte for each
    number: `numpy.frombuffer(planes.values, numpy.uint8).reshape(planes.shape)`.
    """

    shape: tuple[int, ...]
    values: bytes

    @classmethod
    def parse(cls, text: str) -> Planes:
        """Reads the answer to `query planes`."""
        *shape, values = text.split()
        return cls(tuple(map(int, shape)), values.encode().translate(_NUMBERS))


@dataclass(frozen=True)
class Position:
    """What the rules say of a position.

    `turn` is `p1` or `p2`, `score` the points of both as they stand, and `result` is
    `None` while the game goes on, then `p1win`, `p2win` or `draw`. `actions`, in the
    order of `legal_moves`, and `planes` are there where they were asked for.
    """

    fen: str
    turn: str
    legal_moves: tuple[str, ...]
    score: tuple[int, int]
    result: str | None
    actions: tuple[int, ...] | None = None
    planes: Planes | None = None


class Engine:
    """An engine that keeps a position, knows the rules and searches.

    `options` are those of the protocol, `{"Hash": 256, "Threads": 2}`. `timeout` is
    how many seconds an answer may take beyond the time that a limit allows; an engine
    that takes longer is ended. Threads may share an engine, which runs one search at a
    time; a process that was forked needs its own.
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
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                [self._program, "ugi"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                # Ctrl-C is for the caller, who may go on with the engine.
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except OSError as error:
            self._errors.close()
            raise ProgramNotFound(f"{self._program!r} cannot be started: {error}") from error
        assert self._process.stdin and self._process.stdout
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        self._owner = os.getpid()
        self._lock = threading.RLock()
        self._deadline = math.inf
        self._timed_out = False
        # Answers may be left over, as an exchange was interrupted.
        self._stale, self._pings = False, 0
        self._searching = False
        self._closed = False
        watched = (weakref.ref(self), self._process)
        threading.Thread(target=_watch, args=watched, daemon=True).start()
        self._moves: tuple[str, ...] = ()
        try:
            self.configure({"Game": game, **(options or {})})
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Ends the engine; a second call does nothing."""
        if self._closed or self._owner != os.getpid():
            return
        self._closed = True
        try:
            self._send("quit")
            self._process.wait(timeout=2)
        except (EngineError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for stream in (self._stdin, self._stdout, self._errors):
            with suppress(OSError):  # What was not written is of no use any more.
                stream.close()

    def configure(self, options: Mapping[str, object]) -> None:
        """Sets options, by the names that `protocol.md` gives; a button is set to `None`."""
        for name, value in options.items():
            text = str(value).lower() if isinstance(value, bool) else str(value)
            command = f"setoption name {name}" + ("" if value is None else f" value {text}")
            moves = self._ask(command, "query legalmoves")
            if name.lower() == "game":
                self.game, self._moves = text.lower(), tuple(moves.split())

    def new_game(self) -> None:
        """Forgets what earlier searches have found."""
        self._ask("uginewgame", "query turn")

    def set_position(self, fen: str = "startpos", moves: Iterable[str] = ()) -> None:
        """Sets the position: `startpos`, a position's text, or `random SEED`; then
        plays `moves`. All or nothing: bad input raises `BadInput` and changes nothing.
        """
        played = " ".join(moves)
        self._change(position(fen) + (f" moves {played}" if played else ""))

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

    def actions(self) -> tuple[int, ...]:
        """The index of each legal move among all actions, in the order of `legal_moves`."""
        return _actions(self._ask("query actions"))

    def planes(self, viewer: str = "") -> Planes:
        """The position as the side to move sees it, or as the viewer does, `p1` or `p2`."""
        return Planes.parse(self._ask(f"query planes {viewer}"))

    def svg(self) -> str:
        """A picture of the board as SVG."""
        return self._ask("query svg")

    def text(self) -> str:
        """A picture of the board in characters."""
        [(_, lines)] = self._exchange(["d", "query turn"])
        return "\n".join(lines)

    def positions(self, fens: Iterable[str], *, encode: bool = False) -> Iterator[Position]:
        """What the rules say of many positions, in their order, with planes and actions
        if `encode`. Much faster than one by one, as the questions go in batches. The
        engine's own position stays as it is.
        """
        names = ["fen", "turn", "legalmoves", "score", "result"] + ["actions", "planes"] * encode
        queries = [f"query {name}" for name in names]
        texts = iter(fens)
        text = next(texts, None)
        while text is not None:
            commands, size = [position(text), *queries], len(text) + _QUERIES
            while (text := next(texts, None)) is not None and size + len(text) < _BATCH:
                commands += [position(text), *queries]
                size += len(text) + _QUERIES
            with self._lock:
                own = self._ask("query fen")
                answers = self._exchange([*commands, f"position fen {own}"])
            for at in range(0, len(answers), len(queries)):
                found, remarks = zip(*answers[at : at + len(queries)])
                _raise_error(remarks[0])
                fen, turn, moves, score, result, *encoded = found
                one, two = map(int, score.split())
                outcome = None if result == "none" else result
                extras = (_actions(encoded[0]), Planes.parse(encoded[1])) if encode else ()
                yield Position(fen, turn, tuple(moves.split()), (one, two), outcome, *extras)

    def play(
        self, limit: Limit, *, root_moves: Iterable[str] = (), timeout: float | None = None
    ) -> PlayResult:
        """Lets the engine choose a move; it is not played.

        `root_moves` are the only moves to consider. `timeout` is for limits without a
        time: after so many seconds the engine is ended with `EngineTimeout`.
        """
        with self.analysis(limit, root_moves=root_moves, timeout=timeout) as search:
            return search.result()

    def analyse(
        self,
        limit: Limit,
        *,
        multipv: int = 1,
        root_moves: Iterable[str] = (),
        timeout: float | None = None,
    ) -> list[Line]:
        """The best lines of the position, `multipv` of them, the best first."""
        with self.analysis(limit, multipv=multipv, root_moves=root_moves, timeout=timeout) as search:
            search.result()
            return search.lines()

    def analysis(
        self,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Iterable[str] = (),
        timeout: float | None = None,
    ) -> Analysis:
        """A search whose lines can be read while it runs; without a limit, until `stop`.

        Until it has ended, all other questions to the engine raise `EngineError`.
        """
        words = "infinite" if limit is None else limit.command()
        if not words:
            raise BadInput("a limit sets none of its fields: expected at least one")
        if root_moves := " ".join(root_moves):
            words += f" searchmoves {root_moves}"
        if timeout is None:
            # Whose clock it is, only the engine knows.
            times = [limit.time, limit.p1_clock, limit.p2_clock] if limit else []
            timeout = max((it for it in times if it is not None), default=math.inf) + self.timeout
        with self._lock:
            self._ask(f"setoption name MultiPV value {multipv}", "query turn")
            self._send(f"go {words}")
            self._searching = True
            self._deadline = time.monotonic() + timeout
        return Analysis(self)

    def stop(self) -> None:
        """Ends the search that runs; its result follows."""
        self._send("stop")

    def solve(self, **arguments: Any) -> Solution:
        """The exact value of the position; takes the arguments of `totemic.solve`."""
        return solve(self.fen(), game=self.game, program=self._program, **arguments)

    def _change(self, command: str, *queries: str) -> list[str]:
        """Changes the position and learns its moves, and the answers to other queries."""
        (moves, remarks), *others = self._exchange([command, "query legalmoves", *queries])
        if any(line.startswith(_ERROR) for line in remarks):
            # The engine takes a game whose last position was refused for ended.
            self._ask(f"position fen {self._ask('query fen')}", "query turn")
            _raise_error(remarks)
        self._moves = tuple(moves.split())
        return [answer for answer, _ in others]

    def _ask(self, *commands: str) -> str:
        """The answer to the query among the commands."""
        [(answer, remarks)] = self._exchange(commands)
        _raise_error(remarks)
        return answer

    def _exchange(self, commands: Sequence[str]) -> list[tuple[str, list[str]]]:
        """The answers to the queries among the commands, each with the lines before it."""
        with self._lock:
            if self._searching:
                raise EngineError("a search is running: stop it, or read it to its end, first")
            self._deadline = time.monotonic() + self.timeout
            try:
                if self._stale:
                    self._pings += 1
                    self._send("isready", "query legalmoves")
                    while self._pings:
                        self._pings -= self._read() == "readyok"
                    self._moves = tuple(self._response()[0].split())
                self._stale = True
                self._send(*commands)
                answers = [self._response() for word in commands if word.startswith("query")]
                self._stale = False
                return answers
            finally:
                self._deadline = math.inf

    def _response(self) -> tuple[str, list[str]]:
        """The next answer to a query, and the lines before it."""
        remarks = []
        while not (line := self._read()).startswith("response"):
            remarks.append(line)
            # A query that was refused has no other answer.
            if line.startswith(f"{_ERROR}'query'"):
                return "", remarks
        return line[9:], remarks

    def _send(self, *commands: str) -> None:
        if self._owner != os.getpid():
            raise EngineError("the engine belongs to the process that started it")
        for command in commands:
            if not command.isprintable():
                raise BadInput(f"{command!r}: expected printable text in one line")
        try:
            with self._lock:
                self._stdin.write("\n".join((*commands, "")).encode())
                self._stdin.flush()
        except (OSError, ValueError):
            raise self._death() from None

    def _read(self) -> str:
        try:
            line = self._stdout.readline()
        except ValueError:
            line = b""
        if not line:
            raise self._death()
        return line.decode(errors="replace").rstrip("\r\n")

    def _death(self) -> EngineError:
        self._searching = False
        if self._closed:
            return EngineDied("the engine is closed")
        if self._timed_out:
            return EngineTimeout("the engine gave no answer in time and was ended")
        try:
            code: object = self._process.wait(timeout=2)
        except subprocess.TimeoutExpired:
            code = "none yet"
        self._errors.seek(0)
        last = self._errors.read()[-1000:].decode(errors="replace").strip()
        return EngineDied(f"the engine ended (exit code {code})" + (f": {last}" if last else ""))


def _raise_error(lines: Iterable[str]) -> None:
    """Raises the first error among the engine's lines."""
    for line in lines:
        if line.startswith(_ERROR):
            raise BadInput(line.removeprefix(_ERROR))


def _actions(answer: str) -> tuple[int, ...]:
    return tuple(map(int, answer.split()[1:]))


def position(text: str) -> str:
    """The command that sets a position."""
    is_form = text.split()[:1] in (["startpos"], ["random"])
    return f"position {text}" if is_form else f"position fen {text}"


def _watch(engine: weakref.ref[Engine], process: subprocess.Popen[bytes]) -> None:
    """Ends an engine that answers too late, or that nobody uses any more."""
    while process.poll() is None:
        watched = engine()
        if watched is None or time.monotonic() > watched._deadline:
            if watched is not None:
                watched._timed_out = True
            process.kill()
        del watched
        time.sleep(0.1)


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

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._result is None and not isinstance(error, EngineError):
            self.stop()
            self.result()

    def __iter__(self) -> Iterator[Line]:
        engine = self._engine
        error = ""
        while self._result is None:
            text = engine._read()
            if text.startswith("bestmove"):
                words = text.split()
                engine._searching, engine._deadline = False, math.inf
                move = None if words[1] == "0000" else words[1]
                ponder = words[3] if len(words) > 3 else None
                self._result = PlayResult(move, ponder, self._lines.get(1))
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
