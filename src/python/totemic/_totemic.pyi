"""The engine itself, written in Rust: `help()` has what its classes and methods do."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, final, overload

# Whatever has a C-contiguous buffer, such as an array of NumPy; types name such objects only
# since Python 3.12.
Buffer = Any
Game = Literal["yoxii", "hokito"]
Side = Literal["p1", "p2"]
Result = Literal["p1win", "p2win", "draw"]

#: What the line of an error begins with.
ERROR: str
#: No game has more moves.
MAX_PLIES: Mapping[Game, int]
#: The number of actions, which are whole numbers from 0.
ACTIONS: Mapping[Game, int]
#: The numbers of planes, ranks and files.
PLANES: Mapping[Game, tuple[int, int, int]]

@final
class State:
    """A game as far as it has been played, with the rules.

    `position` is `startpos`, the text of a position, or `random SEED`; it may have moves of
    its own, as in `startpos moves a4a3`, and `moves` follow. States of the same position are
    equal, whatever was played before. Bad input raises `BadInput` and changes nothing.

    The names are those of OpenSpiel where it has one.
    """

    def __new__(cls, game: Game = "yoxii", position: str = "startpos", moves: str | Iterable[str] = ()) -> State: ...
    @property
    def game(self) -> Game:
        """The game that is played."""
    @property
    def history(self) -> tuple[str, ...]:
        """The moves since the first position."""
    @property
    def line(self) -> str:
        """What sets the position in the protocol, after the word `position`."""
    def fen(self) -> str:
        """The position's text."""
    def turn(self) -> Side:
        """The side to move, `p1` or `p2`; `p1` is the side that began the game."""
    def current_player(self) -> int:
        """0 or 1 for `p1` or `p2`, who is to move; -4 when the game is over."""
    def is_terminal(self) -> bool:
        """Whether the game is over: the side to move has no move."""
    def result(self) -> Result | None:
        """`p1win`, `p2win` or `draw`; `None` while the game goes on."""
    def returns(self) -> list[float]:
        """1, 0 or -1 for each player at the end of the game; 0 before."""
    def score(self) -> tuple[int, int]:
        """The points of both players as they stand."""
    def legal_moves(self) -> tuple[str, ...]:
        """All legal moves in alphabetical order; none when the game is over."""
    def legal_actions(self) -> list[int]:
        """The legal moves as numbers below `ACTIONS`, in rising order, as the side to move sees
        the board: `protocol.md` explains them."""
    @overload
    def legal_actions_mask(self) -> bytes:
        """1 for each legal action and 0 for the others. `out`, an array of as many bytes, gets
        them instead."""
    @overload
    def legal_actions_mask(self, out: Buffer) -> None: ...
    @overload
    def planes(self, viewer: Side | None = None) -> bytes:
        """The position as planes of bytes, 0 to 36, in the shape `PLANES`: as the side to move
        sees it, or the viewer. `out`, an array of as many bytes, gets them instead."""
    @overload
    def planes(self, viewer: Side | None = None, *, out: Buffer) -> None: ...
    def action_to_string(self, action: int) -> str:
        """The move of a legal action."""
    def string_to_action(self, move: str) -> int:
        """The action of a legal move."""
    def apply_action(self, action: int) -> None:
        """Plays a legal action."""
    def push(self, *moves: str) -> None:
        """Plays moves, all or none of them."""
    def pop(self) -> str:
        """Takes the last move back, and tells which it was."""
    def route(self, move: str) -> list[str]:
        """The squares that a legal move goes over, from the first to the last."""
    def text(self) -> str:
        """A picture of the board in characters."""
    def svg(self) -> str:
        """A picture of the board as SVG."""
    def clone(self) -> State:
        """A state that is played on by itself."""
    def facts(self, encode: bool) -> tuple[Any, ...]:
        """The fields of `Position`."""
    def __getnewargs__(self) -> tuple[Game, str]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

def prove(
    states: Sequence[State], *, hash: int, threads: int, margin: bool, all_moves: bool,
    seconds: float | None, nodes: int | None,
) -> list[tuple[Any, ...]]:
    """The fields of the `Solution` of each state, all of one game. `hash` is in MiB; `seconds` and
    `nodes` limit each state."""

@final
class Batch:
    """Many games at once, as the sides to move see them, in C-contiguous arrays of the caller.

    For each game, `planes` has the bytes of `State.planes`, `mask` those of
    `State.legal_actions_mask`, `turns` 0 or 1 for `p1` or `p2` to move, `rewards` (float64) what
    its end is worth to the side that moved last, 1, 0 or -1, and `ended` 1 if it is over. Many
    games are played by several threads.
    """

    def __new__(
        cls, game: Game, planes: Buffer, mask: Buffer, turns: Buffer, rewards: Buffer, ended: Buffer
    ) -> Batch: ...
    def reset(self, starts: Mapping[int, str]) -> None:
        """Begins games anew: `starts` has the text of the position by the number of the game."""
    def step(self, actions: Buffer | Sequence[int]) -> None:
        """Plays an action (int64) in each game. One that is over does not begin again by itself."""
    def fens(self) -> list[str]:
        """The positions' texts."""

@final
class Session:
    """A conversation with an engine in this process, in the words of the protocol."""

    def __new__(cls, game: Game) -> Session: ...
    def ask(self, *lines: str) -> list[str]:
        """Says lines that are answered at once, after whatever runs was stopped."""
    def set(self, wanted: Sequence[tuple[str, str | None]]) -> None:
        """Sets options by name, where they have other values; `None` presses a button."""
    def begin(self, wanted: Sequence[tuple[str, str | None]], position: str, command: str) -> Search:
        """Sets options and a position, and begins a search or the solver."""
    def close(self) -> None:
        """Ends the engine."""

@final
class Search:
    """The lines of a search. It is stopped when nobody has it any more."""

    def next(self, seconds: float | None = None) -> str | None:
        """The next line that no other call has taken; `None` if the search is over, or the time."""
    def result(self) -> list[str]:
        """All lines, once the search is over."""
    def lines(self) -> list[str]:
        """All lines so far."""
    def progress(self) -> tuple[int, bool]:
        """How many lines there are so far, and whether the last one has come."""
    def stop(self) -> None:
        """Ends the search; its last line follows."""
    def call_when_more(self, callback: Callable[[], object], seen: int) -> None:
        """Has a function called, once, when there are more than `seen` lines or none will come."""
