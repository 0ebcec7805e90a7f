"""The exceptions of the engine.

::

    EngineError
    ├── NotationError               a text that names nothing (also a ValueError)
    │   ├── CardError               no such card, or not a whole deck
    │   ├── SeedError               a seed that no deal can come from
    │   └── UnknownGameError        no game has this key
    ├── IllegalMoveError            the rules do not allow the move here
    ├── HiddenCardError             what the move would turn up is not known
    ├── AttemptError                an attempt that does not take what was asked of it
    │   ├── AttemptOverError
    │   └── UndoError
    └── RaceError                   a race that does not take what was asked of it
        ├── WrongPhaseError
        ├── RaceFullError
        ├── AlreadyInRaceError
        ├── NotInRaceError
        ├── NotHostError
        ├── HostIsHereError
        └── RemovedFromRaceError

The text of each is one plain sentence without a full stop.
"""

from __future__ import annotations


class EngineError(Exception):
    """Something that the engine refuses. All its exceptions derive from this one."""


class NotationError(EngineError, ValueError):
    """A text that is not in the engine's notation."""


class CardError(NotationError):
    """A text that names no card, or cards that make no whole deck."""


class SeedError(NotationError):
    """A seed that no deal can come from."""


class UnknownGameError(NotationError):
    """A key that no game has, or none under the version of its rules that was asked for."""

    def __init__(self, key: str) -> None:
        super().__init__(f"there is no game {key!r}")
        self.key = key


class IllegalMoveError(EngineError):
    """A move that the rules do not allow in the position."""


class HiddenCardError(EngineError):
    """A move whose result depends on a card that is unknown in the position."""


class AttemptError(EngineError):
    """An attempt that does not take what was asked of it."""


class AttemptOverError(AttemptError):
    """An attempt that has ended."""


class UndoError(AttemptError):
    """A move that cannot be taken back."""


class RaceError(EngineError):
    """A race that does not take what was asked of it."""


class WrongPhaseError(RaceError):
    """An *action* that the *phase* of the race does not allow."""

    def __init__(self, action: str, phase: str) -> None:
        super().__init__(f"a race that is {phase} does not take {action!r}")
        self.action = action
        self.phase = phase


class RaceFullError(RaceError):
    """A race that has no place left; *limit* is how many it has."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"the race has no more than {limit} places")
        self.limit = limit


class AlreadyInRaceError(RaceError):
    """A player who joins twice."""

    def __init__(self) -> None:
        super().__init__("the player is in the race already")


class NotInRaceError(RaceError):
    """A player who is not in the race."""

    def __init__(self) -> None:
        super().__init__("the player is not in the race")


class NotHostError(RaceError):
    """A player who does what only the host may do."""

    def __init__(self) -> None:
        super().__init__("only the host may do that")


class HostIsHereError(RaceError):
    """A start by another player while the host is not idle; it is open to all after *wait* milliseconds."""

    def __init__(self, wait: int) -> None:
        super().__init__(f"only the host may start for another {wait} ms")
        self.wait = wait


class RemovedFromRaceError(RaceError):
    """A player whom the host has sent away."""

    def __init__(self) -> None:
        super().__init__("the host has removed the player from the race")
