"""Boards, profiles, lists and replays at their largest, against all of Discord's limits."""

from __future__ import annotations

import pytest

from bot.periods import Span, day_of, period_of
from bot.render.film import LARGEST, draw_film
from bot.services.history import PAGE as RACES
from bot.services.history import History, Profile
from bot.services.leaderboard import PAGE, Leaderboard, Metric, Place, Scope, Wish
from bot.services.replays import Footage, Pair, Reel, Rival
from bot.store.history import Finisher, PastRace, Streak
from bot.store.players import Style
from bot.store.results import ALL_GAMES
from bot.store.standings import Line, Record, board_of
from bot.views.film import film, scenes_of
from bot.views.history import choice_of, history
from bot.views.leaderboard import leaderboard, shared_leaderboard
from bot.views.payload import walk
from bot.views.profile import profile
from bot.views.replay import JUMPS, Viewer, jumps, viewer
from engine import GAMES, Rules
from engine.race import MAX_ENTRANTS
from tests.payloads import check
from tests.services.conftest import NOW
from tests.services.test_replays import reel_of
from tests.views.boards import LARGEST_ID, looks, plain_look

NAME = "*_`" * 30
"""A name of which every character has to be escaped."""
PLAYERS = [LARGEST_ID - number for number in range(MAX_ENTRANTS)]
NAMES = dict.fromkeys(PLAYERS, NAME)
MANY = 2**31 - 1
EACH_GAME = pytest.mark.parametrize("rules", GAMES, ids=lambda rules: rules.key)
LONGEST = max(GAMES, key=lambda rules: len(rules.key))


def board_page(wish: Wish, *, own: bool = True, hidden: bool = False) -> Leaderboard:
    """Returns a page whose numbers are as long as they can become."""
    lines = [Line(player, MANY * 1000, MANY, MANY, MANY) for player in PLAYERS[:PAGE]]
    places = () if wish.needs_game else tuple(Place(MANY + index, line) for index, line in enumerate(lines))
    mine = Place(None if hidden else MANY, lines[0]) if own else None
    period = period_of(wish.span, day_of(NOW))
    return Leaderboard(wish, period, places, MANY * PAGE, mine, 7 if own and not hidden else None, NAMES)


@pytest.mark.usefixtures("longest")
@pytest.mark.parametrize("metric", Metric)
@pytest.mark.parametrize("scope", Scope)
@pytest.mark.parametrize("span", Span)
def test_boards_keep_to_the_limits(metric: Metric, scope: Scope, span: Span) -> None:
    for game in (None, LONGEST.key):
        for page in (0, 5, MANY - 1):
            wish = Wish(metric, game, scope, span, page)
            check(leaderboard(board_page(wish)))
            check(leaderboard(board_page(wish, own=False)))
            check(leaderboard(board_page(wish, hidden=True)))
            check(shared_leaderboard(board_page(wish)))


@pytest.mark.parametrize(
    ("metric", "span", "told", "resets"),
    [
        (Metric.WINS, Span.WEEK, "this week", True),
        (Metric.WINS, Span.ALL, "all time", False),
        (Metric.STREAK, Span.WEEK, "going on now", False),
        (Metric.STREAK, Span.ALL, "all time", False),
    ],
)
def test_a_board_says_when_it_begins_anew(metric: Metric, span: Span, told: str, *, resets: bool) -> None:
    page = leaderboard(board_page(Wish(metric, None, Scope.SERVER, span)))
    said = "\n".join(part["content"] for part in walk(page.components) if part["type"] == 10)
    assert f"all games · this server · {told}" in said
    assert ("Begins anew <t:" in said) == resets


def test_players_without_names_and_deleted_ones_break_no_board() -> None:
    wish = Wish(Metric.WINS)
    lines = (Line(-5, 3, 3, 3, 0), Line(17, 2, 3, 3, 0))
    places = tuple(Place(index, line) for index, line in enumerate(lines, start=1))
    shown = Leaderboard(wish, period_of(Span.ALL, 0), places, 2, None, None, {})
    text = "\n".join(part["content"] for part in walk(leaderboard(shown).components) if part["type"] == 10)
    assert "deleted player" in text
    assert "somebody" in text


def races(*, message: int | None) -> tuple[PastRace, ...]:
    finishers = tuple(Finisher(player, None if index == 1 else 1) for index, player in enumerate(PLAYERS))
    return tuple(
        PastRace(LARGEST_ID - number, LONGEST.key, NOW, LARGEST_ID, message, True, finishers)
        for number in range(RACES)
    )


@pytest.mark.usefixtures("longest")
@pytest.mark.parametrize("player", [None, PLAYERS[0], PLAYERS[1]])
@pytest.mark.parametrize("message", [None, LARGEST_ID])
def test_lists_of_races_keep_to_the_limits(player: int | None, message: int | None) -> None:
    for page in (0, 7, MANY - 1):
        shown = History(LARGEST_ID, player, page, MANY * RACES, races(message=message), NAMES)
        check(history(shown))
        assert all(len(choice_of(shown, MANY, race)) <= 100 for race in shown.races)
    check(history(History(1, player, 0, 0, (), NAMES)))


def test_a_race_that_nobody_won_and_a_game_that_is_no_more_are_told() -> None:
    gone = PastRace(5, "faro", NOW, 1, 2, False, (Finisher(17, None),))
    check(history(History(1, None, 0, 1, (gone,), {})))


def record(board: str) -> Record:
    return Record(board, MANY, MANY, MANY, MANY, MANY, MANY)


@pytest.mark.usefixtures("longest")
@pytest.mark.parametrize("on_server", [True, False])
def test_profiles_keep_to_the_limits(on_server: bool) -> None:
    curve = tuple((NOW + number * 86_400_000, number % 3000) for number in range(500))
    full = Profile(
        PLAYERS[0],
        NAME,
        record(ALL_GAMES),
        tuple(record(board_of(rules)) for rules in GAMES),
        MANY,
        Streak(MANY, MANY),
        curve,
    )
    message = profile(full, on_server=on_server)
    check(message)
    assert len(message.files) == 2
    check(profile(Profile(5, None, None, (), 0, None, ()), on_server=on_server))
    few = Record(ALL_GAMES, 0, 0, None, None, 2, None)
    check(profile(Profile(5, None, few, (), 1, None, ((NOW, 0),)), on_server=on_server))


def rivals(reel: Reel) -> list[Rival]:
    others = [
        Rival(LARGEST_ID - 9 - number, NAME, player, None, is_out=True)
        for number, player in enumerate(PLAYERS[1:])
    ]
    return [Rival(reel.id, NAME, PLAYERS[0], 1), *others]


def footages(rules: Rules, *, most: int = 60) -> list[Footage]:
    one = reel_of(rules, 1, player=PLAYERS[0], number=LARGEST_ID, most=most)
    two = reel_of(rules, 2, player=PLAYERS[1], number=LARGEST_ID - 1, most=most)
    named = [Reel(each.record, NAME, each.events) for each in (one, two)]
    return [named[0], Pair(named[0], named[1])]


@pytest.mark.usefixtures("longest")
@EACH_GAME
def test_replays_keep_to_the_limits(rules: Rules) -> None:
    for footage in footages(rules):
        first = footage.first if isinstance(footage, Pair) else footage
        for step in range(0, footage.last + 1, 18):
            for look in looks():
                if step % 54 == 0 or look.style is not Style.IMAGE:
                    check(viewer(Viewer(footage, step, rivals(first), plays=step == 18), look))
        check(viewer(Viewer(footage, footage.last), plain_look()))


def test_a_menu_of_replays_names_places_only_where_there_are_any() -> None:
    footage = footages(LONGEST, most=1)[0]
    others = [Rival(1, "Ann", 1, 2), Rival(2, "Bob", 2, None), Rival(3, "Cid", 3, None, is_out=True)]
    page = viewer(Viewer(footage, 0, others), plain_look())
    menus = [part for part in walk(page.components) if part.get("custom_id", "").startswith("v:watch:")]
    assert [option["label"] for option in menus[0]["options"]] == ["2. Ann", "Bob", "Cid, disqualified"]


@EACH_GAME
def test_the_steps_to_jump_to_are_few_and_have_both_ends(rules: Rules) -> None:
    for footage in footages(rules):
        chosen = jumps(footage)
        assert chosen == sorted(set(chosen))
        assert (chosen[0], chosen[-1]) == (0, footage.last)
        assert len(chosen) == min(JUMPS, footage.last + 1)


@pytest.mark.usefixtures("longest")
@pytest.mark.parametrize("key", ["one-handed", "take-away"])
def test_films_keep_to_the_limits(key: str) -> None:
    rules = next(each for each in GAMES if each.key == key)
    for footage in footages(rules, most=20):
        scenes = scenes_of(footage)
        message = film(footage, draw_film(scenes), scenes)
        check(message)
        (file,) = message.files
        assert file.data[:6] in (b"GIF89a", b"GIF87a")
        assert len(file.data) <= LARGEST
