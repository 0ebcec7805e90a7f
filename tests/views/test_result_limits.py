"""The result of a race at its largest, with ratings, somebody out of it, and voided."""

from __future__ import annotations

import pytest

from bot.services.races import RaceView, Runner
from bot.services.standings import Verdict
from bot.store.races import RaceRecord
from bot.store.results import Rated
from bot.views.payload import walk
from bot.views.results import DETAILED, result
from engine import GAMES, EndReason, Entrant, Phase, Race, Result
from engine.race import MAX_ENTRANTS, MAX_LIMIT
from tests.payloads import check
from tests.services.conftest import NOW
from tests.views.boards import LARGEST_ID
from tests.views.test_standings_limits import NAME, PLAYERS

LONGEST_SEED = "`" * 64


def view_of(entrants: int, *, reason: EndReason = EndReason.DEAD) -> RaceView:
    """Returns a finished race whose names and numbers are as long as they can become."""
    field = tuple(
        Entrant(player, LARGEST_ID, result=Result(reason, MAX_LIMIT, 52, 9_999, 9_999, 9_999, 9_999))
        for player in PLAYERS[:entrants]
    )
    race = Race(PLAYERS[0], field, phase=Phase.FINISHED, start_at=NOW, limit=MAX_LIMIT)
    rules = max(GAMES, key=lambda rules: len(rules.name))
    record = RaceRecord(
        id=LARGEST_ID,
        guild=1,
        channel=1,
        rules=rules,
        seed=LONGEST_SEED,
        salt="0" * 32,
        race=race,
        outage=99_999_999,
    )
    return RaceView(record, tuple(Runner(each, NAME, None) for each in field))


def text_of(view: RaceView, verdict: Verdict) -> str:
    parts = walk(result(view, verdict).components)
    return "\n".join(part["content"] for part in parts if part["type"] == 10)


@pytest.mark.parametrize("entrants", [1, 2, DETAILED, DETAILED + 1, MAX_ENTRANTS])
@pytest.mark.parametrize("reason", EndReason)
def test_results_keep_to_the_limits(entrants: int, reason: EndReason) -> None:
    view = view_of(entrants, reason=reason)
    ratings = {player: Rated(9_999, -9_999) for player in PLAYERS}
    for verdict in (
        Verdict(),
        Verdict(ratings=ratings),
        Verdict(is_voided=True, disqualified=frozenset(PLAYERS[:3])),
        Verdict(ratings=ratings, disqualified=frozenset(PLAYERS[3:5])),
    ):
        check(result(view, verdict))


def test_who_is_disqualified_comes_last_and_without_a_place() -> None:
    text = text_of(view_of(3), Verdict(disqualified=frozenset(PLAYERS[:1])))
    lines = [line for line in text.splitlines() if " · line " in line]
    assert [line.split(" ")[0] for line in lines] == ["🥇", "🥇", "–"]
    assert "disqualified · line 3" in lines[2]


def test_a_voided_race_says_so_and_changes_no_rating() -> None:
    text = text_of(view_of(2), Verdict(is_voided=True))
    assert "voided by a moderator" in text
    assert "rating" not in text


def test_ratings_are_told_with_their_change() -> None:
    ratings = {PLAYERS[0]: Rated(1520, 34), PLAYERS[1]: Rated(900, -12)}
    text = text_of(view_of(3), Verdict(ratings={**ratings, PLAYERS[2]: Rated(760, None)}))
    for told in ("· rating 1520 (+34)", "· rating 900 (−12)", "· rating 760\n"):
        assert told in text
