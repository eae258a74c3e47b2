"""What can go wrong."""


class EngineError(Exception):
    """What goes wrong with the engine; the other errors are kinds of it."""


class BadInput(EngineError, ValueError):
    """The engine refused a position, a move, a limit or an option: its own words."""
