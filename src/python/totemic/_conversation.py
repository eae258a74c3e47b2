"""What is said to an engine and what it answers, without a pipe.

A script may be interrupted between any two steps. So nothing counts answers: each exchange
tells the engine the position, and ends with a word of its own that the engine echoes. Lines
are sorted by these words.
"""

from __future__ import annotations

import itertools
import logging
import re
import time
import weakref
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from typing import NamedTuple

from ._program import BadInput, Child
from ._values import Game, Line, Option, Side, words

ERROR = "info string error: "
_log = logging.getLogger("totemic")
_of_search = re.compile(r"info (?!string error: (?!'go'|'solve'|the search ))|bestmove |solution ").match
# The first names of options that have others, without their blanks and `UCI_`.
_NAMES = {"skilllevel": "skill"}


class State(NamedTuple):
    """A game as far as it has been played; `text` are the words after `position`."""

    game: Game
    text: str
    turn: Side = "p1"
    moves: str = ""

    @classmethod
    def at(cls, game: Game, text: str, moves: Iterable[str] = ()) -> State:
        """The position of a text, which may have moves of its own, after more of them."""
        return cls(game, position(text).strip(" ")).after(*words(moves))

    def after(self, *moves: str) -> State:
        """What the engine need be told of the position after moves."""
        link = " " if " moves" in self.text else " moves "
        return State(self.game, self.text + link + " ".join(moves)) if moves else self

    def before(self) -> tuple[State, str]:
        """The position before the last move, and that move."""
        start, _, moves = self.text.partition(" moves")
        if not (played := words(moves)):
            raise BadInput("there is no move to take back")
        return State(self.game, start).after(*played[:-1]), played[-1]


class Answer:
    """The lines that answer a question, once they have come."""

    mark = "#"
    is_over = False

    def __init__(self, link: Conversation) -> None:
        self.lines: list[str] = []
        self.token = f"{self.mark}{next(link.numbers)}"
        self.bells: list[Callable[[], object]] = []

    def wake(self) -> None:
        """Wakes all who wait for it."""
        for ring in [*self.bells]:
            ring()


class Search(Answer):
    """What a search or the solver has found so far; `lines` are the others that it wrote."""

    mark = "#s"

    def __init__(self, link: Conversation, turn: Side) -> None:
        super().__init__(link)
        self.turn = turn
        self.found: deque[Line] = deque()
        self.best: dict[int, Line] = {}

    def take(self, text: str) -> None:
        if line := Line.parse(text, self.turn):
            self.best[line.multipv] = line
            self.found.append(line)
        else:
            self.lines.append(text)
            self.is_over = text.startswith(("bestmove ", "solution "))
        self.wake()


class Answers:
    """Sorts what an engine writes: blocks of answers, and the lines of searches."""

    is_over = False
    _rest = _token = ""

    def __init__(self) -> None:
        self._block: list[str] = []
        self.awaited: dict[str, Answer] = {}

    def feed(self, data: bytes) -> None:
        *lines, self._rest = (self._rest + data.decode("ascii", "replace")).split("\n")
        if _log.isEnabledFor(logging.DEBUG):
            for line in lines:
                _log.debug("< %s", line)
        for line in lines:
            if line.startswith("response"):
                line = line[9:]
                if not line.startswith("#"):
                    self._block.append(line)
                    continue
                block, self._block = self._block, []
                if line.startswith(Search.mark):
                    self._token = line
                elif answer := self.awaited.pop(line, None):
                    answer.lines, answer.is_over = block, True
                    answer.wake()
            elif not _of_search(line):
                self._block.append(line)
            elif isinstance(search := self.awaited.get(self._token), Search):
                search.take(line)
                if search.is_over:
                    del self.awaited[self._token]

    def end(self) -> None:
        self.is_over = True
        for answer in [*self.awaited.values()]:
            answer.wake()


class Conversation:
    """A conversation with a child process. How it waits is for those who inherit it."""

    _lock: AbstractContextManager[object]

    def __init__(self, child: Child, answers: Answers) -> None:
        self.child, self.answers = child, answers
        self.numbers = itertools.count(1)
        self._searching = ""
        self._settled: dict[str, str | None] = {}
        self.options: dict[str, Option] = {}
        self.id: dict[str, str] = {}
        weakref.finalize(self, child.end)

    @property
    def lock(self) -> AbstractContextManager[object]:
        """Held while a position or options change, and while something is written."""
        self.child.check()  # In a forked process, nobody may be there to release a lock.
        return self._lock

    def write(self, data: bytes) -> None:
        """Writes all of it."""
        raise NotImplementedError

    def bell(self) -> tuple[Callable[[], object], Callable[[float | None], Awaitable[object]]]:
        """What rings, from any thread, and what waits for it until a deadline."""
        raise NotImplementedError

    def ask(self, game: Game, *commands: str) -> Answer:
        """Says commands to be answered at once, and as they are now, of a game."""
        answer = Answer(self)
        # The first echo ends the answers to what was cut.
        self._say(answer, set_option("Game", game), "query echo #", *commands, f"query echo {answer.token}")
        return answer

    def begin(self, search: Search, state: State, command: str) -> None:
        """Begins a search or the solver, after whatever still runs."""
        self._say(search, *halt(state), f"position {state.text}", f"query echo {search.token}", command)

    def _say(self, answer: Answer, *commands: str) -> None:
        if not "".join(commands).isprintable():
            bad = next(command for command in commands if not command.isprintable())
            raise BadInput(f"{bad!r}: expected printable text in one line")
        with self.lock:
            if _log.isEnabledFor(logging.DEBUG):
                for command in commands:
                    _log.debug("> %s", command)
            self.answers.awaited[answer.token] = answer
            if isinstance(answer, Search):
                self._searching = answer.token
            # The first end is that of a line that may have been cut.
            self.write("\n".join(["", *commands, ""]).encode())

    async def until(self, answer: Answer, deadline: float | None, is_enough: Callable[[], bool] = lambda: False) -> bool:
        """Waits until it is enough, or until the answer is whole, which is false."""
        ring, wait = self.bell()
        answer.bells.append(ring)
        try:
            while not is_enough():
                if self.is_over(answer):
                    if not answer.is_over:
                        raise self.child.death()
                    return is_enough()
                self.child.check()
                await wait(deadline)
            return True
        finally:
            answer.bells.remove(ring)

    def is_over(self, answer: Answer) -> bool:
        """Whether nothing more comes, also as the engine has ended."""
        return answer.is_over or self.answers.is_over

    async def told(self, answer: Answer, timeout: float) -> list[str]:
        """The lines that answer what was asked."""
        await self.until(answer, time.monotonic() + timeout)
        return answer.lines

    def late(self) -> None:
        """Ends an engine whose answer is late."""
        self.child.is_late = True
        self.child.kill()
        self.answers.end()  # Another process may hold its output open.

    def close(self) -> None:
        """Ends the process and the waiting for it."""
        # First: other threads are told of this, not of the end that follows.
        self.child.is_closed = True
        self.answers.end()
        self.child.end()

    def stop(self, search: Search | None = None) -> None:
        """Stops a search if it runs, or whatever runs."""
        if not (search and search.is_over):
            with self.lock:
                if not search or search.token == self._searching:
                    _log.debug("> stop")
                    self.write(b"\nstop\n")

    def abandon(self, search: Search) -> None:
        """Stops a search if it runs, wherever in the script that is asked."""
        self.stop(search)

    async def settle(self, state: State, wanted: Mapping[str, object], timeout: float) -> None:
        """Sets the options that are not as they are wanted; what is not wanted is as in
        the beginning. Buttons act each time.
        """
        names = {option_key(name): name for name in (*self._settled, *wanted)}
        if "game" in names:
            raise BadInput("'Game' cannot be set for one search: expected configure({'Game': ...})")
        buttons = [set_option(name) for name, value in wanted.items() if value is None]
        texts = {key: self.options[key].default for key in self._settled if key in self.options}
        texts |= {option_key(name): option_text(value) for name, value in wanted.items() if value is not None}
        found = {key: text for key, text in texts.items() if self._settled.get(key) != text}
        if found or buttons:
            # Not known until they are taken.
            self._settled |= dict.fromkeys(found)
            commands = [set_option(names[key], text) for key, text in found.items()]
            checked(await self.told(self.ask(state.game, *halt(state), *commands, *buttons), timeout))
            self._settled |= found


def halt(state: State) -> list[str]:
    """Stops what runs; its last line is written before anything else is answered."""
    return ["stop", set_option("Game", state.game)]


def option_key(name: str) -> str:
    name = name.lower().replace(" ", "").removeprefix("uci_")
    return _NAMES.get(name, name)


def option_text(value: object) -> str:
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def set_option(name: str, text: str = "") -> str:
    return f"setoption name {name}" + (f" value {text}" if text else "")


def checked(lines: list[str]) -> list[str]:
    """The lines, if none of them is an error."""
    for line in lines:
        if line.startswith(ERROR):
            raise BadInput(line.removeprefix(ERROR))
    return lines


def position(text: str) -> str:
    """The words that set a position; the engine refuses what is no text of one line."""
    text = text if text.isprintable() else ascii(text)
    return text if text.lstrip().startswith(("startpos", "random")) else f"fen {text}"
