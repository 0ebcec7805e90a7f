"""A race: several players on one deal, from the lobby to the standings.

A race is a value. Each action returns the race after it or raises a :class:`~engine.errors.RaceError` that says
why it is refused; :data:`ALLOWED` is the one table of what is allowed when. All instants are in milliseconds
since 1970 (UTC) and are passed in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from engine.attempt import EndReason, Result
from engine.errors import (
    AlreadyInRaceError,
    HostIsHereError,
    NotHostError,
    NotInRaceError,
    RaceFullError,
    RemovedFromRaceError,
    WrongPhaseError,
)

MAX_ENTRANTS = 25
COUNTDOWN = 5_000
"""The shortest countdown; it ends on the next whole second."""
HOST_IDLE = 3 * 60_000
"""How long the host has to be silent before any entrant may start."""
LOBBY_IDLE = 30 * 60_000
"""How long a lobby may go without a press before it is cancelled."""
GRACE = 3_000
"""How long after the time limit a race stays open for presses that were made in time."""
DEFAULT_LIMIT = 15 * 60_000
MIN_LIMIT, MAX_LIMIT = 60_000, 120 * 60_000


class Phase(StrEnum):
    """Where a race stands."""

    OPEN = "open"
    COUNTDOWN = "countdown"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"

    @property
    def is_live(self) -> bool:
        """Tells whether the race is still to be decided."""
        return self in (Phase.OPEN, Phase.COUNTDOWN, Phase.RUNNING)


class Action(StrEnum):
    """What somebody may want of a race."""

    JOIN = "join"
    READY = "ready"
    LEAVE = "leave"
    REMOVE = "remove"
    START = "start"
    CANCEL = "cancel"
    BEGIN = "begin"
    FINISH = "finish"
    REMATCH = "rematch"


ALLOWED: Mapping[Phase, frozenset[Action]] = MappingProxyType(
    {
        Phase.OPEN: frozenset(
            {Action.JOIN, Action.READY, Action.LEAVE, Action.REMOVE, Action.START, Action.CANCEL}
        ),
        Phase.COUNTDOWN: frozenset({Action.LEAVE, Action.CANCEL, Action.BEGIN}),
        Phase.RUNNING: frozenset({Action.FINISH}),
        Phase.FINISHED: frozenset({Action.REMATCH}),
        Phase.CANCELLED: frozenset({Action.REMATCH}),
    }
)


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player in a race. *attempt* names the player's play of the deal; *result* is None while it goes on."""

    player: int
    attempt: int
    ready: bool = False
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """A line of the result: *place* counts from 1, equal entrants share it (1, 1, 3)."""

    place: int
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Race:
    """A race between its first and its last press. Entrants stand in the order in which they joined."""

    host: int
    entrants: tuple[Entrant, ...]
    phase: Phase = Phase.OPEN
    limit: int = DEFAULT_LIMIT
    touched: int = 0
    host_seen: int = 0
    start_at: int | None = None
    removed: frozenset[int] = frozenset()

    @classmethod
    def open(cls, host: int, attempt: int, now: int, *, limit: int = DEFAULT_LIMIT) -> Race:
        """Returns a lobby with its host in it."""
        return cls(host, (Entrant(host, attempt),), limit=limit, touched=now, host_seen=now)

    def find(self, player: int) -> Entrant | None:
        """Returns the entrant that *player* is, or None."""
        return next((entrant for entrant in self.entrants if entrant.player == player), None)

    def join(self, player: int, attempt: int, now: int) -> Race:
        """Returns the race with *player* in it, under the name *attempt*."""
        self.check(Action.JOIN)
        if self.find(player):
            raise AlreadyInRaceError
        if player in self.removed:
            raise RemovedFromRaceError
        if len(self.entrants) >= MAX_ENTRANTS:
            raise RaceFullError(MAX_ENTRANTS)
        return replace(self, entrants=(*self.entrants, Entrant(player, attempt)), touched=now)

    def ready(self, player: int, now: int, *, ready: bool = True) -> Race:
        """Returns the race with *player* ready or not; it starts when two or more are in it and all are ready."""
        self.check(Action.READY)
        entrant = self._entrant(player)
        return self._with(replace(entrant, ready=ready))._touch(player, now)._start_if_ready(now)

    def leave(self, player: int, now: int) -> Race:
        """Returns the race without *player*: the next in line hosts it, the last to leave cancels it."""
        self.check(Action.LEAVE)
        self._entrant(player)
        return self._without(player, now)._start_if_ready(now)

    def show(self, player: int, now: int) -> Race:
        """Returns the race after *player* has looked at the own place in it, which shows that somebody is there."""
        return self._touch(player, now) if self.find(player) and self.phase is Phase.OPEN else self

    def removable(self, by: int) -> tuple[Entrant, ...]:
        """Returns whom the host *by* may send away."""
        self.check(Action.REMOVE)
        self._check_host(by)
        return tuple(each for each in self.entrants if each.player != by)

    def remove(self, by: int, player: int, now: int) -> Race:
        """Returns the race without *player*, whom the host *by* sends away for good."""
        self.check(Action.REMOVE)
        self._check_host(by)
        self._entrant(player)
        race = self._without(player, now)
        return replace(race, removed=self.removed | {player}, host_seen=now)._start_if_ready(now)

    def start(self, by: int, now: int) -> Race:
        """Returns the race counting down: the host may start it, or any entrant once the host is silent."""
        self.check(Action.START)
        self._entrant(by)
        if by != self.host and (wait := self.host_seen + HOST_IDLE - now) > 0:
            raise HostIsHereError(wait)
        return self._touch(by, now)._count_down(now)

    def cancel(self, by: int, *, moderator: bool = False) -> Race:
        """Returns the race cancelled by its host or by a moderator."""
        self.check(Action.CANCEL)
        if not moderator:
            self._check_host(by)
        return replace(self, phase=Phase.CANCELLED)

    def expire(self, now: int) -> Race:
        """Returns the race cancelled if its lobby has been silent for too long, else itself."""
        silent = self.phase is Phase.OPEN and now - self.touched >= LOBBY_IDLE
        return replace(self, phase=Phase.CANCELLED) if silent else self

    def begin(self) -> Race:
        """Returns the race running: its start instant has come."""
        self.check(Action.BEGIN)
        return replace(self, phase=Phase.RUNNING)

    def finish(self) -> Race:
        """Returns the race finished if every entrant is done, else itself."""
        self.check(Action.FINISH)
        done = all(entrant.result is not None for entrant in self.entrants)
        return replace(self, phase=Phase.FINISHED) if done else self

    @property
    def deadline(self) -> int | None:
        """The last instant at which a move counts, or None before the start is known."""
        return None if self.start_at is None else self.start_at + self.limit

    @property
    def standings(self) -> tuple[Standing, ...]:
        """The entrants in order of merit, those who are not done last."""
        return rank(self.entrants)

    def check(self, action: Action) -> None:
        """Refuses *action* where the phase does not allow it.

        :raises WrongPhaseError: if so.
        """
        if action not in ALLOWED[self.phase]:
            raise WrongPhaseError(action, self.phase)

    def _check_host(self, player: int) -> None:
        if player != self.host:
            raise NotHostError

    def _entrant(self, player: int) -> Entrant:
        entrant = self.find(player)
        if entrant is None:
            raise NotInRaceError
        return entrant

    def _touch(self, player: int, now: int) -> Race:
        return replace(self, touched=now, host_seen=now if player == self.host else self.host_seen)

    def _start_if_ready(self, now: int) -> Race:
        waited_for = self.phase is Phase.OPEN and len(self.entrants) > 1
        return self._count_down(now) if waited_for and all(each.ready for each in self.entrants) else self

    def _count_down(self, now: int) -> Race:
        start_at = -(-(now + COUNTDOWN) // 1000) * 1000
        return replace(self, phase=Phase.COUNTDOWN, start_at=start_at)

    def _with(self, changed: Entrant) -> Race:
        entrants = tuple(changed if each.player == changed.player else each for each in self.entrants)
        return replace(self, entrants=entrants)

    def _without(self, player: int, now: int) -> Race:
        rest = tuple(entrant for entrant in self.entrants if entrant.player != player)
        if not rest:
            return replace(self, entrants=rest, phase=Phase.CANCELLED, touched=now)
        if player != self.host:
            return replace(self, entrants=rest, touched=now)
        return replace(self, entrants=rest, host=rest[0].player, touched=now, host_seen=now)


def merit(result: Result | None) -> tuple[int, ...]:
    """Returns the key by which results are ranked, best first; equal keys are equal placements.

    Won before not won; among the others fewer cards left; then less time including penalties. Forfeits are last
    and equal among themselves. None, for one who is still playing, comes after everything.
    """
    if result is None:
        return (3,)
    match result.reason:
        case EndReason.WON:
            return (0, result.time)
        case EndReason.FORFEIT:
            return (2,)
        case _:
            return (1, result.cards_left, result.time)


def rank(entrants: Iterable[Entrant]) -> tuple[Standing, ...]:
    """Returns *entrants* in order of merit with their places."""
    ordered = sorted(entrants, key=lambda entrant: merit(entrant.result))
    standings: list[Standing] = []
    for index, entrant in enumerate(ordered):
        tied = standings and merit(standings[-1].entrant.result) == merit(entrant.result)
        standings.append(Standing(standings[-1].place if tied else index + 1, entrant))
    return tuple(standings)
