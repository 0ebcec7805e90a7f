"""The result of a race at its largest, with ratings, somebody out of it, and voided."""

from __future__ import annotations

import re

import pytest

from bot.services.moderation import MAX_REASON
from bot.services.races import JUDGEMENTS, RaceView, Runner
from bot.services.standings import Verdict
from bot.store.moderation import Deed, Entry
from bot.store.races import RaceRecord
from bot.store.results import Rated
from bot.views.payload import File, walk
from bot.views.results import DETAILED, result
from engine import GAMES, EndReason, Entrant, Phase, Race, Result
from engine.race import MAX_ENTRANTS, MAX_LIMIT
from tests.payloads import check
from tests.services.conftest import NOW
from tests.views.boards import LARGEST_ID
from tests.views.test_standings_limits import NAME, PLAYERS

LONGEST_SEED = "`" * 64
PICTURE = File("race.png", b"", "x")
JUDGED = tuple(
    Entry(1, 1, 1, Deed.DISQUALIFY, "*" * MAX_REASON, NOW, LARGEST_ID, player=PLAYERS[0])
    for _ in range(JUDGEMENTS)
)


def view_of(
    entrants: int, *, reason: EndReason = EndReason.DEAD, name: str = NAME, n: int = 9_999
) -> RaceView:
    """Returns a finished race whose names and numbers are as long as they can become, or as they are given."""
    field = tuple(
        Entrant(player, LARGEST_ID, result=Result(reason, MAX_LIMIT, 52, n, n, n, n))
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
    return RaceView(record, tuple(Runner(each, name, None) for each in field), judgements=JUDGED)


def text_of(view: RaceView, verdict: Verdict) -> str:
    parts = walk(result(view, verdict).components)
    return "\n".join(part["content"] for part in parts if part["type"] == 10)


@pytest.mark.usefixtures("longest")
@pytest.mark.parametrize("entrants", [1, 2, DETAILED, DETAILED + 1, MAX_ENTRANTS])
def test_results_keep_to_the_limits(entrants: int) -> None:
    ratings = {player: Rated(9_999, -9_999) for player in PLAYERS}
    for reason in EndReason:
        view = view_of(entrants, reason=reason)
        for verdict in (
            Verdict(),
            Verdict(ratings=ratings),
            Verdict(is_voided=True, disqualified=frozenset(PLAYERS[:3])),
            Verdict(ratings=ratings, disqualified=frozenset(PLAYERS[3:5])),
        ):
            check(result(view, verdict, PICTURE))


@pytest.mark.parametrize("entrants", [DETAILED, DETAILED + 1, MAX_ENTRANTS])
def test_everything_that_is_counted_is_told_of_any_number_of_entrants(entrants: int) -> None:
    text = text_of(view_of(entrants, name="Ada Lovelace, Countess", n=87), Verdict())
    lines = [line for line in text.splitlines() if "Lovelace" in line and "2:00:00.0" in line]
    assert len(lines) == entrants
    for number, line in enumerate(lines, start=1):
        assert "**Ada Lovelace, Countess**" in line
        assert re.findall(r"[0-9:.]+", line.partition(" · ")[2]) == (
            ["2:00:00.0", "52", *["87"] * 4, str(number)]
        )
    key = [line for line in text.splitlines() if line.startswith("-# ▤")]
    assert len(key) == (entrants > DETAILED)
    for sign in re.findall(r"\W(?=52|87|\d+$)", lines[0].partition("2:00:00.0")[2]) if key else ():
        assert f"{sign} " in key[0]


def test_help_that_nobody_took_is_not_told() -> None:
    lines = text_of(view_of(MAX_ENTRANTS, n=0), Verdict()).splitlines()
    assert any(line.endswith(" ▤52 →0 #7") for line in lines)


def test_who_gave_up_gets_no_medal() -> None:
    text = text_of(view_of(2, reason=EndReason.FORFEIT), Verdict())
    assert [line.split(" ")[0] for line in text.splitlines() if " · curve " in line] == ["**1.**"] * 2


def test_who_is_disqualified_comes_last_and_without_a_place() -> None:
    text = text_of(view_of(3), Verdict(disqualified=frozenset(PLAYERS[:1])))
    lines = [line for line in text.splitlines() if " · curve " in line]
    assert [line.split(" ")[0] for line in lines] == ["🥇", "🥇", "–"]
    assert "disqualified · curve 3" in lines[2]


def test_a_voided_race_says_so_and_changes_no_rating() -> None:
    text = text_of(view_of(2), Verdict(is_voided=True))
    assert "voided by a moderator" in text
    assert "rating" not in text


def test_ratings_are_told_with_their_change() -> None:
    ratings = {PLAYERS[0]: Rated(1520, 34), PLAYERS[1]: Rated(900, -12)}
    text = text_of(view_of(3), Verdict(ratings={**ratings, PLAYERS[2]: Rated(760, None)}))
    for told in ("· rating 1520 (+34)", "· rating 900 (−12)", "· rating 760\n"):
        assert told in text
