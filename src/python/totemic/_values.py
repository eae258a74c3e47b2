"""Limits, and what an engine answers, as values."""

from __future__ import annotations

import functools
import operator
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, NamedTuple

from ._errors import BadInput

Game = Literal["yoxii", "hokito"]
Side = Literal["p1", "p2"]
Result = Literal["p1win", "p2win", "draw"]
Value = Literal["win", "draw", "loss"]

_BOUNDS = {"upperbound": -1, None: 0, "lowerbound": 1}
# What the other side calls it.
_OTHER = {"win": "loss", "loss": "win", "lowerbound": "upperbound", "upperbound": "lowerbound", "p1": "p2", "p2": "p1"}


def milliseconds(seconds: float) -> int:
    """A time as the protocol has it."""
    is_number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not is_number or not abs(seconds) < 1e300:
        raise BadInput(f"time {seconds!r}: expected a number of seconds")
    return round(seconds * 1000)


def whole(count: Any, name: str) -> int:
    """A count, which is a whole number."""
    try:
        return operator.index(count)
    except TypeError:
        raise BadInput(f"{name} {count!r}: expected a whole number") from None


def _seconds(word: str) -> float | None:
    """A limit in seconds, which the protocol has after this word."""
    return field(default=None, metadata={"words": lambda time: f"{word} {milliseconds(time)}"})


def _count(word: str) -> int | None:
    """A limit that is a number, which the protocol has after this word."""
    return field(default=None, metadata={"words": lambda count: f"{word} {whole(count, word)}"})


@dataclass(frozen=True)
class Limit:
    """When a search ends: at the first of these that it reaches.

    `time` is for this move, in seconds; `depth` is in plies, `nodes` are positions visited;
    `mate` asks for a win within so many plies. The clocks of both sides and what they gain
    with each move are in seconds, too; `remaining_moves` are those until they gain more.
    """

    time: float | None = _seconds("movetime")
    depth: int | None = _count("depth")
    nodes: int | None = _count("nodes")
    mate: int | None = _count("mate")
    p1_clock: float | None = _seconds("p1time")
    p2_clock: float | None = _seconds("p2time")
    p1_inc: float | None = _seconds("p1inc")
    p2_inc: float | None = _seconds("p2inc")
    remaining_moves: int | None = _count("movestogo")

    def command(self) -> str:
        """The words after `go`."""
        given = ((it, getattr(self, it.name)) for it in fields(self))
        words = [it.metadata["words"](value) for it, value in given if value is not None]
        if not words:
            raise BadInput("a limit sets none of its fields: expected at least one")
        return " ".join(words)


@functools.total_ordering
@dataclass(frozen=True)
class Score:
    """A score for the side `turn`: centipoints, or the plies until the game is won at
    the latest, negative when it is lost. `bound` is `lowerbound` or `upperbound` where
    the value is at least, or at most, this.

    Scores for the same side have an order: the greater is better for it.
    """

    cp: int | None = None
    mate: int | None = None
    bound: str | None = None
    turn: Side | None = None

    def pov(self, side: Side) -> Score:
        """The score from a side's point of view."""
        if self.turn is None:
            raise BadInput("the score does not say for which side it is")
        if side not in ("p1", "p2"):
            raise BadInput(f"side {side!r}: expected 'p1' or 'p2'")
        return self if side == self.turn else -self

    def __neg__(self) -> Score:
        cp, mate = (value if value is None else -value for value in (self.cp, self.mate))
        return Score(cp, mate, _OTHER.get(self.bound or ""), _OTHER.get(self.turn or ""))  # type: ignore[arg-type]

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        if self.turn != other.turn:
            raise BadInput("scores of different sides have no order: expected pov() first")
        return self._rank() < other._rank()

    def _rank(self) -> tuple[int, int, int]:
        """A win is above all estimates, the sooner the higher."""
        kind = 0 if self.mate is None else 1 if self.mate > 0 else -1
        return kind, (self.cp or 0) if self.mate is None else -self.mate, _BOUNDS[self.bound]


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
    def parse(cls, text: str, turn: Side | None = None) -> Line | None:
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
            score=Score(found.get("cp"), found.get("mate"), bound and bound[0], turn),
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


class Planes(NamedTuple):
    """A position as planes of numbers from 0 to 36, which `protocol.md` explains.

    `shape` is the number of planes, ranks and files; `values` has a byte for each
    number: `numpy.frombuffer(planes.values, numpy.uint8).reshape(planes.shape)`.
    """

    shape: tuple[int, ...]
    values: bytes


class Position(NamedTuple):
    """What the rules say of a position.

    `turn` is `p1` or `p2`, `score` the points of both as they stand, and `result` is
    `None` while the game goes on, then `p1win`, `p2win` or `draw`. `actions`, in the
    order of `legal_moves`, and `planes` are there where they were asked for.
    """

    fen: str
    turn: Side
    legal_moves: tuple[str, ...]
    score: tuple[int, int]
    result: Result | None
    actions: tuple[int, ...] | None = None
    planes: Planes | None = None


@dataclass(frozen=True)
class Solution:
    """What is proved of a position, for the side to move.

    `value` is `win`, `draw` or `loss`, and `None` where it stayed unknown; `margin` is
    the difference of the points at the end. `best` lists moves that keep the value, or
    the margin if that was asked for: all of them if `best_complete`. `moves` and
    `margins` have what is proved of each move, where `all_moves` was asked for.
    `nodes` and `time`, in seconds, are what all of it took.
    """

    value: Value | None
    margin: int | None
    best: tuple[str, ...]
    best_complete: bool
    nodes: int
    time: float
    moves: Mapping[str, Value] = field(default_factory=dict)
    margins: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str, is_all: bool = False, is_over: bool = False) -> Solution:
        """Reads a `solution` line, which has all best moves if `is_all`."""
        head, kind, moves = re.split(" (best|some)|$", text, maxsplit=1)
        found = dict(zip(*[iter(head.split()[1:])] * 2))
        value = None if found["value"] == "unknown" else found["value"]
        margin = int(found["margin"]) if "margin" in found else None
        best, is_whole = tuple(moves.split()), is_over or is_all and kind == "best"
        return cls(value, margin, best, is_whole, int(found["nodes"]), int(found["time"]) / 1000)

    def with_moves(self, after: Mapping[str, Solution]) -> Solution:
        """The same with what is proved of the positions after its moves."""
        moves = {move: _OTHER.get(it.value, it.value) for move, it in after.items() if it.value}
        margins = {move: -it.margin for move, it in after.items() if it.margin is not None}
        nodes, time = (sum(taken) for taken in zip((self.nodes, self.time), *((it.nodes, it.time) for it in after.values())))
        return replace(self, moves=moves, margins=margins, nodes=nodes, time=time)  # type: ignore[arg-type]


class Option(NamedTuple):
    """An option of the engine: its `type` is `check`, `spin`, `combo`, `button` or `string`."""

    name: str
    type: str
    default: str
    min: int | None
    max: int | None
    var: tuple[str, ...]

    @classmethod
    def parse(cls, text: str) -> Option:
        """Reads an `option` line."""
        pairs = re.findall(r"(name|type|default|min|max|var) (\S+)", text)
        found = dict(pairs)
        low, high = (int(found[word]) if word in found else None for word in ("min", "max"))
        choices = tuple(value for word, value in pairs if word == "var")
        return cls(found["name"], found["type"], found.get("default", ""), low, high, choices)
