"""Days that pass when a test says so: the services of the dailies, and players whose attempts end as they are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.periods import DAY
from bot.services.attempts import Attempts
from bot.services.bulletins import Bulletins
from bot.services.dailies import Dailies, Seat
from bot.services.daily_results import DailyResults, DailyView
from bot.services.day_ends import DayEnds
from bot.services.pool import Pool
from bot.services.press import Press
from bot.services.prover import Proof, Prover
from bot.services.standings import Standings
from bot.snowflake import snowflake_at
from bot.store import deals
from bot.store.database import Database, Statement
from bot.store.deals import Ready
from engine import GAMES, EndReason, Result, Rules

SECOND, MINUTE, HOUR = 1000, 60_000, 3_600_000
HOME, AWAY = 501, 502
"""Two servers."""


def instant(text: str) -> int:
    """Returns the instant of a UTC time as in ``2026-11-30 12:00``, in ms since 1970."""
    return round(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def day(text: str) -> int:
    """Returns the day of a date."""
    return instant(text) // DAY


def result(
    reason: EndReason, *, cards: int = 0, moves: int = 130, mistakes: int = 0, time: int = 4 * MINUTE
) -> Result:
    """Returns how an attempt ends."""
    return Result(reason, time, cards, moves, mistakes, undos=0, hints=0)


WON = result(EndReason.WON)
STUCK = result(EndReason.STUCK, cards=10)
FORFEIT = result(EndReason.FORFEIT, cards=20)


class Blind:
    """Finds nothing out."""

    async def prove(self, rules: Rules, seed: str) -> Proof:
        """Returns that nothing is known."""
        return Proof()

    async def close(self) -> None:
        """Does nothing."""


@dataclass
class Days:
    """One process's services; another one on the same database is another process."""

    db: Database
    pressed: int = 0
    prover: Prover = field(default_factory=Blind)
    attempts: Attempts = field(init=False)
    pool: Pool = field(init=False)
    standings: Standings = field(init=False)
    dailies: Dailies = field(init=False)
    ends: DayEnds = field(init=False)
    results: DailyResults = field(init=False)
    bulletins: Bulletins = field(init=False)

    def __post_init__(self) -> None:
        self.attempts = Attempts(self.db)
        self.pool = Pool(self.db)
        self.standings = Standings(self.db)
        self.dailies = Dailies(self.db, self.attempts, self.pool, self.prover)
        self.ends = DayEnds(self.db, self.attempts, self.standings)
        self.results = DailyResults(self.db, self.attempts, self.dailies, self.ends)
        self.bulletins = Bulletins(self.db, self.results)

    def press(self, player: int, at: int) -> Press:
        """Returns a press of *player* at the instant *at*, another one each time."""
        self.pressed += 1
        return Press(snowflake_at(at) + self.pressed, player, f"Player {player}")

    async def play(self, player: int, at: int, game: str = "links", *, guild: int | None = HOME) -> Seat:
        """Lets *player* ask for today's daily."""
        return await self.dailies.play(self.press(player, at), game, at, guild=guild)

    async def end(self, seat: Seat, how: Result) -> None:
        """Ends the attempt as it is told, whatever its game says."""
        start = seat.record.attempt.start
        await self.db.write(
            Statement(
                "INSERT INTO event (attempt, seq, kind, detail, at) VALUES ($1, 1, 'end', $2, $3)",
                (seat.record.id, how.reason.value, start + how.time),
                rows=1,
            ),
            Statement(
                "UPDATE attempt SET ended_at = $1, reason = $2, time_taken = $3, cards_left = $4, moves = $5, "
                "mistakes = $6, undos = $7, hints = $8 WHERE id = $9",
                (
                    start + how.time,
                    how.reason.value,
                    how.time,
                    how.cards_left,
                    how.moves,
                    how.mistakes,
                    how.undos,
                    how.hints,
                    seat.record.id,
                ),
                rows=1,
            ),
        )

    async def finish(
        self, player: int, at: int, how: Result = WON, game: str = "links", *, guild: int | None = HOME
    ) -> Seat:
        """Lets *player* begin today's daily at *at* and end it."""
        seat = await self.play(player, at, game, guild=guild)
        assert seat.is_new
        await self.end(seat, how)
        await self.ends.follow(player, at + how.time)
        return seat

    async def show(
        self, player: int, on: int, now: int, game: str = "links", *, guild: int | None = HOME
    ) -> DailyView:
        """Returns the daily of the day *on* as *player* may see it."""
        return await self.results.show(on, game, player, now, guild=guild)

    async def stock(self, each: int, at: int) -> None:
        """Puts *each* many deals of every game into the pool, unproved."""
        for rules in GAMES:
            for number in range(each):
                self.pressed += 1
                seed = f"{rules.key} {number} {self.pressed}"
                await self.db.write(deals.keep(rules, Ready(seed, 1 + number % 3), at + number))

    async def seeds(self, on: int) -> dict[str, str]:
        """Returns the seeds of the dailies of a day by game."""
        rows = await self.db.read("SELECT game, seed FROM daily WHERE day = $1", on)
        return {row[0]: row[1] for row in rows}
