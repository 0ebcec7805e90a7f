"""One player's play of one deal, as a fold over what the player did.

An attempt is never stored; its events are. Whoever holds them gets the attempt back with
``Attempt.begin(...).extend(events)``. Nothing is ever taken out of that record: an undo is an event as much
as a move is, and so are a wrong call and a hint.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.deal import shuffle
from engine.errors import AttemptOverError, IllegalMoveError, UndoError
from engine.moves import Move
from engine.rules import Outcome, Rules
from engine.state import State

PENALTY = 5_000
"""What a wrong call costs, in milliseconds."""


class EventKind(StrEnum):
    """What an event records."""

    MOVE = "move"
    MISTAKE = "mistake"
    UNDO = "undo"
    HINT = "hint"
    END = "end"


class EndReason(StrEnum):
    """Why an attempt ended."""

    WON = "won"
    STUCK = "stuck"
    DEAD = "dead"
    TIME = "time"
    FORFEIT = "forfeit"


@dataclass(frozen=True, slots=True)
class Event:
    """One entry in the record of an attempt.

    *seq* counts from 1 without gaps, *at* is in milliseconds since 1970 (UTC). A move or a mistake carries the
    *move* that was called, the end carries its *reason*.
    """

    seq: int
    kind: EventKind
    at: int
    move: Move | None = None
    reason: EndReason | None = None


@dataclass(frozen=True, slots=True)
class Result:
    """How an attempt ended, with all that is counted. *time* is in milliseconds and includes penalties."""

    reason: EndReason
    time: int
    cards_left: int
    moves: int
    mistakes: int
    undos: int
    hints: int

    @property
    def is_won(self) -> bool:
        """Tells whether the deal was won."""
        return self.reason is EndReason.WON

    @property
    def is_forfeit(self) -> bool:
        """Tells whether the player gave up."""
        return self.reason is EndReason.FORFEIT


@dataclass(frozen=True, slots=True)
class Line:
    """A position and how it came about: a linked list, so that an undo is one step and shares all the rest."""

    state: State
    before: Line | None = None
    move: Move | None = None
    reveals: bool = False

    def push(self, rules: Rules, move: Move) -> Line:
        """Returns the line after *move*.

        :raises IllegalMoveError: if the move is not legal here.
        """
        after = rules.apply(self.state, move)
        return Line(after, self, move, rules.reveals(self.state, after))

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that led here, undone ones left out."""
        found: list[Move] = []
        line: Line | None = self
        while line is not None and line.move is not None:
            found.append(line.move)
            line = line.before
        return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class Attempt:
    """One player's play of one deal.

    *start* is the instant from which time counts, in milliseconds since 1970 (UTC); *limit* is how long the
    attempt may take, in milliseconds, or None. *dealt* is how many cards there were to play at the start. *hinted*
    tells whether a hint has been taken in the position on the table.
    """

    rules: Rules
    seed: str
    start: int
    limit: int | None
    line: Line
    dealt: int
    seq: int = 0
    moves: int = 0
    mistakes: int = 0
    undos: int = 0
    hints: int = 0
    hinted: bool = False
    end: Event | None = None

    @classmethod
    def begin(cls, rules: Rules, seed: str, *, start: int, limit: int | None = None) -> Attempt:
        """Returns the attempt before its first event."""
        state = rules.deal(shuffle(seed))
        return cls(rules, seed, start, limit, Line(state), rules.cards_left(state))

    @property
    def state(self) -> State:
        """The position on the table."""
        return self.line.state

    @property
    def cards_left(self) -> int:
        """The cards that the game still counts as left."""
        return self.rules.cards_left(self.state)

    @property
    def is_over(self) -> bool:
        """Tells whether the attempt has ended."""
        return self.end is not None

    @property
    def can_undo(self) -> bool:
        """Tells whether the last move may be taken back: not if it showed a card that was hidden before."""
        return self.end is None and self.line.before is not None and not self.line.reveals

    @property
    def deadline(self) -> int | None:
        """The last instant at which an event counts, in milliseconds since 1970, or None."""
        return None if self.limit is None else self.start + self.limit

    @property
    def result(self) -> Result | None:
        """How the attempt ended, or None while it goes on."""
        if self.end is None or self.end.reason is None:
            return None
        limit = self.limit if self.end.reason is EndReason.TIME else None
        time = self.time_at(self.end.at) if limit is None else limit
        return Result(
            self.end.reason, time, self.cards_left, self.moves, self.mistakes, self.undos, self.hints
        )

    def time_at(self, at: int) -> int:
        """Returns the time taken until instant *at*, penalties so far included, in milliseconds."""
        return max(0, at - self.start) + self.mistakes * PENALTY

    def push(self, event: Event) -> Attempt:
        """Returns the attempt after *event*.

        :raises IllegalMoveError: if the event is a move that is not legal here.
        :raises AttemptOverError: if the attempt has ended or the event is not the next one.
        :raises UndoError: if there is nothing to take back.
        """
        if self.end is not None or event.seq != self.seq + 1:
            raise AttemptOverError("this attempt takes no such event")
        match event.kind:
            case EventKind.MOVE if event.move is not None:
                line = self.line.push(self.rules, event.move)
                return replace(self, seq=event.seq, line=line, moves=self.moves + 1, hinted=False)
            case EventKind.UNDO:
                if self.line.before is None:
                    raise UndoError("there is no move to take back")
                before = self.line.before
                return replace(self, seq=event.seq, line=before, undos=self.undos + 1, hinted=False)
            case EventKind.HINT:
                return replace(self, seq=event.seq, hints=self.hints + 1, hinted=True)
            case EventKind.MISTAKE:
                return replace(self, seq=event.seq, mistakes=self.mistakes + 1)
            case EventKind.END:
                return replace(self, seq=event.seq, end=event)
            case _:
                raise IllegalMoveError("a move is missing from the record")

    def extend(self, events: Iterable[Event]) -> Attempt:
        """Returns the attempt after all of *events*; raises like :meth:`push`."""
        attempt = self
        for event in events:
            attempt = attempt.push(event)
        return attempt

    def play(self, move: Move, at: int) -> tuple[Event, ...]:
        """Returns what is recorded when the player asks for *move* at instant *at*.

        That is the move, and the end where the move ends the game; or a mistake, where the game has calls and
        this one is wrong.

        :raises IllegalMoveError: if the move is neither legal nor a call of the game.
        :raises AttemptOverError: if the attempt has ended.
        """
        self._check_running()
        if move in self.rules.calls and not self.rules.is_legal(self.state, move):
            return (Event(self.seq + 1, EventKind.MISTAKE, at, move),)
        event = Event(self.seq + 1, EventKind.MOVE, at, move)
        after = self.push(event)
        reason = after.natural_end
        return (event,) if reason is None else (event, Event(after.seq + 1, EventKind.END, at, reason=reason))

    def play_all(self, moves: Iterable[Move], at: int) -> tuple[Event, ...]:
        """Returns what is recorded when the player asks for several moves at once, up to the end of the game.

        :raises IllegalMoveError: if the first move is not legal; a later illegal one ends the list.
        """
        attempt, events = self, list[Event]()
        for move in moves:
            try:
                step = attempt.play(move, at)
            except (IllegalMoveError, AttemptOverError):
                if not events:
                    raise
                break
            events.extend(step)
            attempt = attempt.extend(step)
        return tuple(events)

    def undo(self, at: int) -> tuple[Event, ...]:
        """Returns what is recorded when the player takes the last move back.

        :raises UndoError: if there is none, or if it showed a card that was hidden before.
        """
        self._check_running()
        if self.line.before is None:
            raise UndoError("there is no move to take back")
        if self.line.reveals:
            raise UndoError("that move turned up a card, so it stands")
        return (Event(self.seq + 1, EventKind.UNDO, at),)

    def take_hint(self, at: int) -> tuple[Event, ...]:
        """Returns what is recorded when the player asks for a hint."""
        self._check_running()
        return (Event(self.seq + 1, EventKind.HINT, at),)

    def forfeit(self, at: int) -> tuple[Event, ...]:
        """Returns what is recorded when the player gives up."""
        self._check_running()
        return (Event(self.seq + 1, EventKind.END, at, reason=EndReason.FORFEIT),)

    def run_out(self) -> tuple[Event, ...]:
        """Returns what is recorded when the time limit has passed."""
        self._check_running()
        at = self.start if self.deadline is None else self.deadline
        return (Event(self.seq + 1, EventKind.END, at, reason=EndReason.TIME),)

    @property
    def natural_end(self) -> EndReason | None:
        """Why the position ends the attempt by itself, or None."""
        match self.rules.outcome(self.state):
            case Outcome.WON:
                return EndReason.WON
            case Outcome.STUCK:
                return EndReason.STUCK
            case _:
                return EndReason.DEAD if self.rules.is_dead(self.state) else None

    def _check_running(self) -> None:
        if self.end is not None:
            raise AttemptOverError("this attempt is over")


def timeline(attempt: Attempt, events: Iterable[Event]) -> tuple[tuple[int, int], ...]:
    """Returns (time taken, cards left) for the start of *attempt* and after each of *events*.

    Times are in milliseconds and include penalties so far, but are never more than that of the result.
    """
    points = [(0, attempt.cards_left)]
    for event in events:
        attempt = attempt.push(event)
        points.append((attempt.time_at(event.at), attempt.cards_left))
    last = points[-1][0] if attempt.result is None else attempt.result.time
    return tuple((min(time, last), cards) for time, cards in points)
