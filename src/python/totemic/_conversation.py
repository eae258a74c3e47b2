"""What is said to an engine and what it answers, without a pipe.

A script may be interrupted between any two steps. So nothing counts answers: each
exchange, and each search, begins or ends with a word of its own that the engine echoes,
and lines are sorted by these. The position is that of the caller, and the engine is told
it again whenever it is not known to have it.
"""

from __future__ import annotations

import itertools
import logging
import re
import time
import weakref
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import NamedTuple

from ._program import BadInput, Child
from ._values import QUERIES, Game, Line, Option, PlayResult, Position, Side, words

ERROR = "info string error: "
_log = logging.getLogger("totemic")
_of_search = re.compile(r"info (?!string error: (?!'go'|'solve'|the search ))|bestmove |solution ").match
# The first names of options that have others, without their blanks and `UCI_`.
_NAMES = {"skilllevel": "skill"}


class State(NamedTuple):
    """A game as far as it has been played; `start` are the words after `position`."""

    game: Game
    start: str
    played: tuple[str, ...] = ()
    turn: Side = "p1"
    moves: tuple[str, ...] = ()

    def command(self) -> str:
        return " ".join([f"position {self.start}", *(["moves"] * bool(self.played)), *self.played])

    @classmethod
    def at(cls, game: Game, text: str, moves: Iterable[str] = ()) -> State:
        """The position of a text, which may have moves of its own, after more of them."""
        start, _, own = f"{text} ".partition(" moves ")
        return cls(game, position(start.rstrip()), (*words(own), *words(moves)))

    def after(self, move: str) -> State:
        """What the engine need be told of the position after a move."""
        return self._replace(played=(*self.played, move), turn="p2" if self.turn == "p1" else "p1")


class Answer:
    """The lines that answer commands, once they have come."""

    token = ""
    lines: list[str] | None = None

    def __init__(self, link: Conversation) -> None:
        self.wake, self.wait = link.bell()


class Search(Answer):
    """What a search or the solver has found so far; filled as lines come."""

    def __init__(self, link: Conversation, turn: Side) -> None:
        super().__init__(link)
        self.turn = turn
        self.found: list[Line] = []
        self.best: dict[int, Line] = {}
        self.error = ""
        self.result: PlayResult | None = None
        self.solution = ""
        self.is_over = False

    def take(self, text: str) -> None:
        if text.startswith(ERROR):
            self.error = text.removeprefix(ERROR)
        elif text.startswith("bestmove "):
            _, move, *more = text.split()
            reply = more[1] if len(more) > 1 else None
            self.result = PlayResult(None if move == "0000" else move, reply, self.best.get(1))
        elif text.startswith("solution "):
            self.solution = text
        elif line := Line.parse(text, self.turn):
            self.best[line.multipv] = line
            self.found.append(line)
        self.is_over = bool(self.result or self.solution)
        self.wake()


class Answers:
    """Sorts what an engine writes: blocks of answers, and the lines of searches."""

    def __init__(self) -> None:
        self._rest = ""
        self._block: list[str] = []
        self._token = ""
        self.is_over = False
        # Of what nobody waits for any more, nothing is kept.
        self.awaited: weakref.WeakValueDictionary[str, Answer] = weakref.WeakValueDictionary()

    def feed(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data.decode("ascii", "replace")).split("\n")
        if _log.isEnabledFor(logging.DEBUG):
            for line in lines:
                _log.debug("< %s", line)
        for line in lines:
            if line.startswith("response #s"):
                self._token, self._block = line[9:], []
            elif line.startswith("response #"):
                block, self._block = self._block, []
                if answer := self.awaited.pop(line[9:], None):
                    answer.lines = block
                    answer.wake()
            elif not _of_search(line):
                self._block.append(line)
            elif isinstance(search := self.awaited.get(self._token), Search):
                search.take(line)

    def end(self) -> None:
        self.is_over = True
        for reference in self.awaited.valuerefs():
            if answer := reference():
                answer.wake()


class Conversation:
    """A conversation with a child process. How it waits is for those who inherit it."""

    child: Child
    # Held from a question to its answer, and while something is written.
    lock: AbstractContextManager[object]
    writing: AbstractContextManager[object]

    def __init__(self) -> None:
        self.answers = Answers()
        self._tokens = itertools.count(1)
        self._last = self._latest_search = ""
        # What the engine is known to have: after an interrupt, nothing.
        self._at: State | None = None
        self.settled: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self.id: dict[str, str] = {}

    def write(self, text: str) -> None:
        """Sends a text."""
        raise NotImplementedError

    def bell(self) -> tuple[Callable[[], object], Callable[[float | None], Awaitable[object]]]:
        """What rings, from any thread, and what waits for it until a deadline."""
        raise NotImplementedError

    async def ask(self, state: State | None, commands: list[str], timeout: float) -> tuple[str, list[str]]:
        """The lines that answer commands about a state, and the token to `settle` with."""
        answer = self.tell(state, commands)
        return answer.token, await self.told(answer, timeout)

    def tell(self, state: State | None, commands: list[str]) -> Answer:
        """Says commands about a state; `told` waits for what answers them."""
        answer = Answer(self)
        token = self._expect(answer, "#")
        self._say(state, [*commands, f"query echo {token}"])
        return answer

    async def told(self, answer: Answer, timeout: float) -> list[str]:
        deadline = time.monotonic() + timeout
        while answer.lines is None:
            if self.answers.is_over:
                raise self.child.death()
            await answer.wait(deadline)
        return answer.lines

    def settle(self, token: str, state: State) -> None:
        """The engine has a state, if nothing was said to it since."""
        if token == self._last:
            self._at = state

    def begin(self, state: State, search: Search, command: str) -> None:
        """Begins a search or the solver, after whatever still runs."""
        self._latest_search = self._expect(search, "#s")
        self._say(state, [*self.halt(state), f"query echo {search.token}", command])
        self._at = state

    def _expect(self, answer: Answer, mark: str) -> str:
        self._last = answer.token = f"{mark}{next(self._tokens)}"
        self.answers.awaited[answer.token] = answer
        return answer.token

    def stop(self, search: Search) -> None:
        """Stops a search if it runs."""
        with self.writing:
            if search.token == self._latest_search and not search.is_over:
                self.write("\nstop\n")

    def abandon(self, search: Search) -> None:
        """Stops a search if it runs and if that needs no waiting."""
        self.stop(search)

    @staticmethod
    def halt(state: State) -> list[str]:
        """Stops what runs; its last line is written before anything else is answered."""
        return ["stop", set_option("Game", state.game)]

    def _say(self, state: State | None, commands: list[str]) -> None:
        for command in commands:
            if not command.isprintable():
                raise BadInput(f"{command!r}: expected printable text in one line")
        if state is not None and self._at is not state:
            # Ends a line that may have been cut, and the answers to what was cut.
            commands = ["", set_option("Game", state.game), "query echo #", state.command(), *commands]
        self._at = None
        for command in commands if _log.isEnabledFor(logging.DEBUG) else ():
            _log.debug("> %s", command)
        self.write("\n".join([*commands, ""]))

    def settings(self, wanted: Mapping[str, object]) -> dict[str, str]:
        """The options that are not as they are wanted, with their values; what is not
        wanted is as in the beginning.
        """
        texts = {name: self.options[name].default for name in self.settled if name in self.options}
        texts |= {option_key(name): option_text(value) for name, value in wanted.items()}
        found = {name: text for name, text in texts.items() if self.settled.get(name) != text}
        # Not known until they are taken.
        self.settled |= dict.fromkeys(found, "?")
        return found


def option_key(name: str) -> str:
    name = name.lower().replace(" ", "").removeprefix("uci_")
    return _NAMES.get(name, name)


def option_text(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def set_option(name: str, text: str) -> str:
    return f"setoption name {name}" + (f" value {text}" if text else "")


def checked(lines: list[str]) -> list[str]:
    """The lines, if none of them is an error."""
    for line in lines:
        if line.startswith(ERROR):
            raise BadInput(line.removeprefix(ERROR))
    return lines


def answers(lines: list[str]) -> list[str]:
    """What follows `response` in each line."""
    return [line[9:] for line in checked(lines)]


def position(text: str) -> str:
    """The words that set a position."""
    return text if text.lstrip().startswith(("startpos", "random")) else f"fen {text}"


def questions(fens: Iterable[str], encode: bool) -> list[str]:
    """The commands that ask about positions."""
    queries = [f"query {name}" for name in QUERIES[: None if encode else -2]]
    return [command for fen in fens for command in (f"position {position(fen)}", *queries)]


def positions(
    fens: list[str], lines: list[str], on_error: Callable[[str, BadInput], object] | None
) -> Iterator[Position]:
    """Reads what answers `questions`."""
    refused = sum(line.startswith(ERROR) for line in lines)
    step = (len(lines) - refused) // len(fens)
    found = iter(lines)
    for fen in fens:
        line = next(found)
        if not line.startswith(ERROR):
            rest = itertools.islice(found, step - 1)
            yield Position.parse([line[9:], *(line[9:] for line in rest)])
            continue
        # What follows is about the position before.
        next(itertools.islice(found, step - 1, None))
        error = BadInput(line.removeprefix(ERROR))
        if on_error is None:
            raise error
        on_error(fen, error)
