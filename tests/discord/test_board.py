"""Playing on a board: one press, two presses, everything that helps, and how it ends."""

from __future__ import annotations

from typing import Any

import pytest

from bot.store.players import Style
from bot.views.payload import walk
from engine import EndReason, find_game
from tests.discord.table import Seated, Table, buttons_of, ids_of, text_of, told
from tools.scenes import play, scenes

WON_FROM = ("s213", 130)
"""A seed, and how many moves of the scripted player leave Links with stock and waste empty."""


def find(message: object, *verb: str) -> str | None:
    """Returns the custom id of the button of *message* whose verb begins like this, None if there is none."""
    return next((each for each in ids_of(message) if each.split(":")[3 : 3 + len(verb)] == list(verb)), None)


def alt_of(message: Any) -> str:
    """Returns the alternative text of the picture in *message*."""
    found = [part for part in walk(message.components) if part["type"] == 12]
    return str(found[0]["items"][0]["description"])


async def press(race: Seated, player, *verb: str):  # type: ignore[no-untyped-def]
    """Presses the button of *player*'s board whose verb begins like this."""
    custom_id = find(race.seats[player.id], *verb)
    assert custom_id is not None, (verb, ids_of(race.seats[player.id]))
    return await player.click(race.seats[player.id], custom_id=custom_id)


async def type_moves(race: Seated, player, text: str):  # type: ignore[no-untyped-def]
    """Types moves into the form."""
    await press(race, player, "more")
    shown = await press(race, player, "type")
    assert shown.modal is not None
    return await player.submit_modal(shown, {"moves": text})


async def test_a_card_with_one_place_is_played_at_one_press(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="take-away", seed="friday")
    await press(race, ann, "pile", "t1")
    assert (await race.attempt(ann)).moves == 1
    assert "51 cards left · 1 move " in race.board(ann)


async def test_a_card_with_two_places_is_picked_shown_and_let_go(table: Table) -> None:
    ann = table.player("ann")
    scene = next(each for each in scenes() if each.name == "links-3-picked")
    race = await table.race(ann, game="links", seed=scene.seed)
    await type_moves(race, ann, " ".join(map(str, play(find_game("links"), scene.seed)[: scene.plies])))
    before = await race.attempt(ann)
    pile = scene.presses[0].removeprefix("pile:")
    places = {move.target for move in before.rules.legal_moves(before.state) if move.source == pile}
    await press(race, ann, "pile", pile)
    assert (await race.attempt(ann)) == before
    assert "Picked:" in race.board(ann)
    open_piles = {each.split(":")[4] for each in ids_of(race.seats[ann.id]) if each.split(":")[3] == "pile"}
    assert open_piles == places | {pile}
    await press(race, ann, "pile", pile)
    assert "Picked:" not in race.board(ann)
    await press(race, ann, "pile", pile)
    await press(race, ann, "pile", min(places))
    played = (await race.attempt(ann)).line.move
    assert played is not None
    assert (played.source, played.target) == (pile, min(places))


async def test_pressing_the_place_first_overrides_where_a_card_goes_by_itself(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="take-away", seed="friday")
    await press(race, ann, "pile", "f5")
    assert "Picked: **Foundation 5**" in race.board(ann)
    await press(race, ann, "pile", "t2")
    assert str((await race.attempt(ann)).line.moves[0]) == "t2f5"


async def test_choosing_both_ends_overrides_it_too(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="screenshots")
    attempt = await race.attempt(ann)
    moves = [str(move) for move in play(attempt.rules, "screenshots")[:40]]
    await type_moves(race, ann, " ".join(moves))
    await press(race, ann, "more")
    await press(race, ann, "free")
    pile = next(each.split(":")[4] for each in ids_of(race.seats[ann.id]) if each.split(":")[3] == "pick")
    seq = (await race.attempt(ann)).seq
    await press(race, ann, "pick", pile)
    assert "Picked:" in race.board(ann)
    assert (await race.attempt(ann)).seq == seq


async def test_typed_moves_are_played_up_to_the_first_impossible_one(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="friday")
    await type_moves(race, ann, "sw SW, sw\nt1t1 sw")
    assert (await race.attempt(ann)).moves == 3
    assert "`t1t1` is not possible" in race.board(ann)
    assert "Played: 3" in race.board(ann)
    await type_moves(race, ann, "`@everyone` sw")
    assert (await race.attempt(ann)).moves == 3
    assert "`everyone` is not possible" in race.board(ann)
    assert "@" not in race.board(ann)
    await type_moves(race, ann, " , ")
    assert "no move in that" in race.board(ann)
    await type_moves(race, ann, "sw sw")
    assert "Played 2 moves" in race.board(ann)


async def test_a_form_that_was_left_open_changes_nothing_later(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="friday")
    await press(race, ann, "more")
    form = await press(race, ann, "type")
    await press(race, ann, "back")
    await race.press(ann, "Deal (44)")
    await ann.submit_modal(form, {"moves": "sw sw"})
    assert (await race.attempt(ann)).moves == 1
    assert "moved on" in race.board(ann)


async def test_a_game_that_cannot_be_lost_is_finished_in_one_press(table: Table) -> None:
    ann = table.player("ann")
    seed, plies = WON_FROM
    race = await table.race(ann, game="links", seed=seed)
    moves = play(find_game("links"), seed)[:plies]
    await type_moves(race, ann, " ".join(map(str, moves)))
    assert "Finish" in buttons_of(race.seats[ann.id])
    await race.press(ann, "Finish")
    done = await race.attempt(ann)
    assert done.result is not None
    assert done.result.is_won
    assert done.moves == plies + 32
    assert "Won" in race.board(ann)


async def test_auto_plays_what_is_safe_and_undo_takes_it_back_one_by_one(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="screenshots")
    attempt = await race.attempt(ann)
    assert buttons_of(race.seats[ann.id])["Auto"].get("disabled", False) is not bool(
        attempt.rules.safe_moves(attempt.state)
    )
    line = play(attempt.rules, "screenshots")
    before = 0
    while "Auto" not in buttons_of(race.seats[ann.id]) or buttons_of(race.seats[ann.id])["Auto"].get(
        "disabled"
    ):
        await type_moves(race, ann, str(line[before]))
        before += 1
    await race.press(ann, "Auto")
    after = await race.attempt(ann)
    assert after.moves > before
    assert not after.rules.safe_moves(after.state)
    await race.press(ann, "Undo")
    assert (await race.attempt(ann)).undos == 1
    assert "Taken back" in race.board(ann)


async def test_undo_stops_at_a_card_that_was_turned_up(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="friday")
    await race.press(ann, "Deal (44)")
    assert buttons_of(race.seats[ann.id])["Undo"].get("disabled")
    attempt = await race.attempt(ann)
    entrant = (await table.bot.desk.races.find(race.id)).race.entrants[0]
    shown = await table.press_id(ann, f"b:{entrant.attempt}:{attempt.seq}:undo")
    assert "Nothing to take back" in told(shown)


@pytest.mark.parametrize("verb", ["auto", "hint", "type", "free", "typed"])
async def test_where_the_right_call_is_the_game_there_is_no_help(table: Table, verb: str) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="one-handed")
    entrant = (await table.bot.desk.races.find(race.id)).race.entrants[0]
    assert "no such help" in told(await table.press_id(ann, f"b:{entrant.attempt}:0:{verb}"))
    assert not {"Auto", "Hint"} & set(buttons_of(race.seats[ann.id]))
    assert (await race.attempt(ann)).seq == 0


async def test_a_hint_names_a_move_and_is_counted_once_a_position(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="take-away", seed="friday")
    await race.press(ann, "Hint")
    assert "💡 **" in race.board(ann)
    hinted = await race.attempt(ann)
    assert (hinted.hints, hinted.seq) == (1, 1)
    told = race.board(ann)
    await race.press(ann, "Hint")
    assert race.board(ann) == told
    assert (await race.attempt(ann)) == hinted
    marked = {
        part["custom_id"]: part["emoji"] for part in walk(race.seats[ann.id].components) if part.get("emoji")
    }
    assert sorted(each["name"] for each in marked.values()) == ["🎯", "💡"]
    await press(race, ann, "pile", "t1")
    await race.press(ann, "Hint")
    assert (await race.attempt(ann)).hints == 2
    assert "2 hints" in race.board(ann)


async def test_a_hint_outlives_a_restart_and_is_not_charged_twice(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="friday")
    await race.press(ann, "Hint")
    await table.restart()
    assert (await race.attempt(ann)).hinted
    await race.press(ann, "Hint")
    assert (await race.attempt(ann)).hints == 1


async def test_there_are_no_hints_in_ranked_races(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="take-away")
    assert (await table.bot.desk.races.find(race.id)).ranked
    assert "Hint" not in buttons_of(race.seats[ann.id])
    entrant = (await table.bot.desk.races.find(race.id)).race.entrants[0]
    assert "no such help" in told(await table.press_id(ann, f"b:{entrant.attempt}:0:hint"))
    assert (await race.attempt(ann)).hints == 0


async def test_giving_up_is_asked_back_and_away_from_the_moves(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    race = await table.race(ann, bob, game="take-away")
    assert "Forfeit" not in buttons_of(race.seats[ann.id])
    await race.press(ann, "More")
    await race.press(ann, "Forfeit")
    assert "Give up this race?" in race.board(ann)
    await race.press(ann, "Back to the board")
    assert not (await race.attempt(ann)).is_over
    await race.press(ann, "More")
    await race.press(ann, "Forfeit")
    await race.press(ann, "Yes, give up")
    assert "Forfeited" in race.board(ann)


@pytest.mark.parametrize(
    ("game", "letters"),
    [
        ("take-away", "(`t` Pile, `f` Foundation)"),
        ("links", "(`s` Stock, `w` Waste, `t` Pile, `f` Foundation)"),
    ],
)
async def test_the_letters_of_typed_moves_are_explained(table: Table, game: str, letters: str) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game=game)
    await race.press(ann, "More")
    assert letters in race.board(ann)


async def test_the_rules_come_as_a_message_of_their_own(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="striptease")
    await race.press(ann, "More")
    shown = await race.press(ann, "Rules")
    assert shown.response is not None
    assert shown.ephemeral
    assert "queens" in text_of(shown.response)
    assert "queen of" in alt_of(shown.response)
    by_command = await ann.slash(table.channel, "rules", game="striptease")
    assert by_command.response is not None
    assert text_of(by_command.response) == text_of(shown.response)
    from_lobby = await ann.click(race.lobby, label="Rules")
    assert from_lobby.response is not None
    assert text_of(from_lobby.response) == text_of(shown.response)


async def test_pictures_are_acknowledged_first_and_follow(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="links", seed="friday")
    await choose(table, ann, Style.IMAGE)
    before = len(table.env.http_requests)
    await race.press(ann, "Deal (44)")
    calls = [
        (each.method, each.path.split("/")[-1], (each.json or {}).get("type"))
        for each in table.env.http_requests[before:]
    ]
    assert calls[:2] == [("POST", "callback", 6), ("PATCH", "@original", None)]
    picture = race.seats[ann.id].attachments
    assert len(picture) == 1
    assert picture[0].filename.endswith("-1.png")
    await race.press(ann, "Deal (43)")
    picture = race.seats[ann.id].attachments
    assert [each.filename.rpartition("-")[2] for each in picture] == ["2.png"]
    assert "Waste" in alt_of(race.seats[ann.id])
    assert "42 cards face down" in alt_of(race.seats[ann.id])
    await choose(table, ann, Style.TEXT)
    await race.press(ann, "Deal (42)")
    assert race.seats[ann.id].attachments == []
    assert "Stock: 41 cards face down" in race.board(ann)


async def choose(table: Table, player, style: Style) -> None:  # type: ignore[no-untyped-def]
    """Lets *player* choose a style in the settings."""
    shown = await player.slash(table.channel, "settings")
    assert shown.response is not None
    await player.select(shown.response, [style.value])


async def test_a_race_starts_with_boards_in_everybodys_style(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    await choose(table, ann, Style.IMAGE)
    await choose(table, bob, Style.TEXT)
    race = await table.race(ann, bob, game="take-away")
    assert "Pile 1:" in alt_of(race.seats[ann.id])
    assert "Pile 1:" in race.board(bob)
    assert race.seats[bob.id].attachments == []


async def test_a_board_can_be_looked_at_once_in_another_way(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann, game="striptease", seed="friday")
    await race.press(ann, "More")
    await race.press(ann, "In words")
    assert "a face-down card on queen of" in race.board(ann)
    await race.press(ann, "More")
    await race.press(ann, "As a picture")
    assert len(race.seats[ann.id].attachments) == 1
    await press(race, ann, "pile", "t1")
    assert race.seats[ann.id].attachments == []
    assert "face-down" not in race.board(ann)


async def test_a_picture_of_a_lost_board_is_deferred_too(table: Table) -> None:
    ann = table.player("ann")
    await choose(table, ann, Style.IMAGE)
    race = await table.race(ann, game="links")
    before = len(table.env.http_requests)
    shown = await ann.slash(table.channel, "board")
    assert [(each.json or {}).get("type") for each in table.env.http_requests[before:]] == [5, None]
    assert shown.ephemeral
    assert shown.response is not None
    assert len(shown.response.attachments) == 1
    again = await ann.click(race.lobby, label="Open my board")
    assert again.response is not None
    assert len(again.response.attachments) == 1


async def test_a_stuck_game_ends_at_once_with_its_reason_in_every_style(table: Table) -> None:
    ann = table.player("ann")
    rules = find_game("take-away-4")
    seed = next(seed for seed in "abcdefgh" if len(play(rules, seed)) < 52)
    for style in Style:
        await choose(table, ann, style)
        race = await table.race(ann, game="take-away-4", seed=seed)
        await type_moves(race, ann, " ".join(map(str, play(rules, seed))))
        done = await race.attempt(ann)
        assert done.result is not None
        assert done.result.reason is EndReason.STUCK
        assert "No moves left" in race.board(ann)
        assert ids_of(race.seats[ann.id]) == []
        await table.env.advance_time(8)
