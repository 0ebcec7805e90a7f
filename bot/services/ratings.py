"""Ratings: each rated race changes what is believed of its entrants' skill, by the model of Plackett and Luce.

A rating is a function of the results up to it, in the order in which the races ended. So a race that finishes is
rated on top of what came before; and when an older result changes, the races after it that it concerns are rated
anew, one after the other, until nothing changes any more.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

from openskill.models import PlackettLuce

from bot.periods import DAY
from bot.snowflake import created_at
from bot.store import ratings as store
from bot.store.database import ConflictError, Database, Statement
from bot.store.ratings import Belief, Competitor, Field
from bot.store.results import ALL_GAMES
from engine.scoring import shown_rating

LEAST_AGE = 7 * DAY
"""How old an account has to be at a race's start for its ratings, in milliseconds."""
LEAST_FIELD = 2
"""How many such accounts make a race rated."""
LOOKED_AT = 100
"""Among how many stale results races are looked for that can be rated at once."""
TRIES = 8
"""How often a race is tried again after something before it has changed meanwhile."""


def is_old_enough(player: int, start: int) -> bool:
    """Tells whether the account *player* was old enough for ratings at the instant *start* (ms since 1970).

    Of a deleted player, whose id is below zero, nobody knows it any more.
    """
    return player > 0 and created_at(player) + LEAST_AGE <= start


def _apart(stale: Iterable[tuple[int, int]]) -> list[int]:
    """Returns the races of *stale* results that can be rated at once: none has a player of an earlier one.

    It saves work and no more: whatever is rated too early goes stale again.
    """
    fields: dict[int, set[int]] = {}
    for race, player in stale:
        fields.setdefault(race, set()).add(player)
    seen: set[int] = set()
    found = []
    for race, players in fields.items():
        if not players & seen:
            found.append(race)
        seen |= players
    return found


class Model:
    """How a race changes beliefs: openskill's Plackett-Luce model with its defaults."""

    def __init__(self) -> None:
        self._model = PlackettLuce()

    @property
    def start(self) -> Belief:
        """What is believed of somebody of whom nothing is known."""
        return Belief(self._model.mu, self._model.sigma)

    def rate(self, beliefs: Sequence[Belief], places: Sequence[int]) -> list[Belief]:
        """Returns what is believed after a race in which those of whom *beliefs* were held came to *places*.

        Equal places are ties. With equal beliefs, equal places change them equally, to the last bit: what the
        model makes of them differs by its rounding alone.
        """
        teams = [[self._model.rating(belief.mu, belief.sigma)] for belief in beliefs]
        rated = self._model.rate(teams, ranks=[float(place) for place in places])
        equals: dict[tuple[Belief, int], Belief] = {}
        return [
            equals.setdefault(key, Belief(player.mu, player.sigma))
            for key, (player,) in zip(zip(beliefs, places, strict=True), rated, strict=True)
        ]


class Ratings:
    """The ratings in the database."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._model = Model()
        self._lock = asyncio.Lock()

    async def work(self, limit: int) -> int:
        """Rates about *limit* races that are still to be rated, the oldest first, and returns how many these were."""
        done = 0
        async with self._lock:
            while done < limit and (races := _apart(await store.stale(self._db, LOOKED_AT))):
                await asyncio.gather(*map(self._rate, races))
                done += len(races)
        return done

    async def rate(self, race: int) -> None:
        """Rates *race* now, whatever older ones are still to be rated; it may be rated already."""
        async with self._lock:
            await self._rate(race)

    async def _rate(self, race: int) -> None:
        for _ in range(TRIES):
            field = await store.field(self._db, race)
            if field is None or not any(each.is_stale for each in field.competitors):
                return
            try:
                await self._db.write(*self.outcome(field))
            except ConflictError:
                continue
            return

    def outcome(self, field: Field) -> list[Statement]:
        """Returns what keeps the ratings after a race, and marks as stale what follows from them."""
        places = [each.place for each in field.competitors]
        games = self._model.rate([each.before or self._model.start for each in field.competitors], places)
        overall = self._model.rate(
            [each.all_before or self._model.start for each in field.competitors], places
        )
        statements: list[Statement] = []
        for competitor, game, all_games in zip(field.competitors, games, overall, strict=True):
            statements += _keep(field, competitor, game, all_games)
        return statements


def _keep(field: Field, competitor: Competitor, game: Belief, all_games: Belief) -> list[Statement]:
    shown, all_shown = shown_rating(game.mu, game.sigma), shown_rating(all_games.mu, all_games.sigma)
    before = competitor.before
    gain = None if before is None else shown - shown_rating(before.mu, before.sigma)
    statements = [
        store.save(
            field.race,
            competitor,
            after=game,
            shown=shown,
            gain=gain,
            all_after=all_games,
            all_shown=all_shown,
        )
    ]
    for board, rating, is_new in (
        (field.board, shown, game != competitor.after),
        (ALL_GAMES, all_shown, all_games != competitor.all_after),
    ):
        if is_new:
            statements += [
                store.mark_next(competitor.player, field.at, field.race, board),
                store.show(competitor.player, field.at, field.race, board, rating),
            ]
    return statements
