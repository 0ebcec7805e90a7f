"""The live race on the wire: fair starts, coalesced progress, messages that vanish."""

from __future__ import annotations

import asyncio
import re
from itertools import pairwise

import discord.backoff
import pytest

from bot.playground import Fault, Message, Permission, Player, Request, find_button, text_of
from bot.playground.interaction import COMMAND
from bot.publish import PACE
from engine import commitment
from engine.__main__ import main as engine_main
from tests.wire.conftest import Wire, is_board

EDIT = r"PATCH /channels/"
TOKEN_EDIT = r"PATCH /webhooks/"


async def test_the_boards_of_25_entrants_come_side_by_side(wire: Wire) -> None:
    players = [wire.discord.add_player(f"Player {number}") for number in range(25)]
    wire.discord.record.clear()
    boards = await wire.race(*players)
    assert len({text_of(board) for board in boards.values()}) == 1
    edits = wire.discord.record.find(TOKEN_EDIT)
    told, edits = edits[:25], edits[25:]
    assert all("Get ready" in str(each.payload) for each in told)
    assert len(edits) == 25
    assert all(each.status == 200 for each in (*told, *edits))
    sent = [each for each in wire.discord.record.requests if edits[0].at <= each.at <= edits[-1].at]
    assert len(sent) == 25, "nothing else is sent between the first board and the last"


async def test_a_hundred_simultaneous_joins_and_a_start_leave_one_race(wire: Wire) -> None:
    host = wire.discord.add_player("Host")
    lobby = await wire.open(host)
    crowd = [wire.discord.add_player(f"Player {number}") for number in range(100)]
    presses = [player.press(lobby, "Join") for player in crowd[:60]]
    presses.append(host.press(lobby, "Start"))
    presses += [player.press(lobby, "Join") for player in crowd[60:]]
    for press in presses:
        await press
    race = (await wire.bot.desk.races.live())[0].race
    told = [text_of(press.message) for press in presses if press.message and press.message is not lobby]
    joined = [each for each in told if "You are in" in each]
    assert len(race.entrants) == 1 + len(joined)
    assert len(race.entrants) <= 25
    refused = [each for each in told if "full" in each or "countdown" in each]
    assert len(joined) + len(refused) == 100
    with wire.clock.skip():
        for player, press in zip([*crowd[:60], host, *crowd[60:]], presses, strict=True):
            if press.message and "You are in" in text_of(press.message):
                await player.sees(is_board)


async def test_a_dead_token_leaves_the_button_to_open_the_board(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lobby = await wire.open(ada)
    await ben.press(lobby, "Join")
    wire.clock.ahead += 16 * 60
    await ada.press(lobby, "Start")
    with wire.clock.skip():
        board = await ada.sees(is_board)
    assert not any(is_board(message) for message in ben.messages())
    opened = await ben.press(lobby, "Open my board")
    assert opened.message is not None
    assert text_of(opened.message) == text_of(board)


async def test_pressing_the_private_message_renews_its_token(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lobby = await wire.open(ada)
    joined = await ben.press(lobby, "Join")
    assert joined.message is not None
    wire.clock.ahead += 14 * 60
    await ben.press(joined.message, "Ready")
    wire.clock.ahead += 14 * 60
    await ada.press(lobby, "Start")
    with wire.clock.skip():
        assert await ben.sees(is_board) is joined.message


async def test_progress_is_drawn_once_for_many_moves_and_not_at_all_for_none(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "**Started" in text_of(_lobby(wire)))
        await asyncio.sleep(0)
    wire.discord.record.clear()
    for left in range(44, 34, -1):
        await ada.press(board, f"Deal ({left})")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "10 moves" in text_of(_lobby(wire)))
    assert len(wire.discord.record.find(EDIT)) <= 2
    wire.discord.record.clear()
    opened = await ada.press(_lobby(wire), "Open my board")
    assert opened.message is not None
    with wire.clock.skip():
        await wire.bot.desk.sweep()
    assert wire.discord.record.find(EDIT) == []


async def test_all_races_of_a_channel_share_one_edit_every_three_seconds(wire: Wire) -> None:
    players = [wire.discord.add_player(name) for name in ("Ada", "Ben", "Cid")]
    boards = [(await wire.race(player))[player.id] for player in players]
    lobbies = [each for each in wire.discord.owner.messages() if find_button(each, "Rules")]
    edits: list[float] = []
    pulse = wire.discord.record.watch
    assert pulse is not None

    def note(request: Request) -> None:
        if request.method == "PATCH" and request.path.startswith("/channels/"):
            edits.append(wire.clock())
        pulse(request)

    wire.discord.record.watch = note

    async def told(text: str) -> None:
        with wire.clock.skip():
            await wire.discord.signal.until(lambda: all(text in text_of(each) for each in lobbies))

    for left in (44, 43):
        for player, board in zip(players, boards, strict=True):
            await player.press(board, f"Deal ({left})")
        await told(f"{45 - left} move")
    for player, board in zip(players, boards, strict=True):
        await _forfeit(player, board)
    await told("Finished")
    assert len(edits) >= 3 * len(players)
    assert min(later - sooner for sooner, later in pairwise(edits)) >= PACE - 0.01


async def test_a_deleted_public_message_is_posted_again(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lobby = await wire.open(ada)
    private = await ada.sees("You are in")
    wire.discord.world.delete(lobby)
    await ada.press(private, "Ready")
    with wire.clock.skip():
        again = await ben.sees("a race")
    assert again.id != lobby.id
    await ben.press(again, "Join")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "Ben" in text_of(again))


async def test_an_old_public_message_is_left_alone_and_posted_anew(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada, game="links", minutes=120))[ada.id]
    old = _lobby(wire)
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "**Started" in text_of(old))
    wire.clock.ahead += 51 * 60
    await ada.press(board, "Deal (44)")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: _lobby(wire) is not old)
    assert "1 move" in text_of(_lobby(wire))
    assert "0 moves" in text_of(old)


async def test_lost_permissions_do_not_stop_a_race(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    lobby = await wire.open(ada)
    wire.discord.allow(
        wire.discord.channel("race-track"), deny=Permission.SEND_MESSAGES | Permission.VIEW_CHANNEL
    )
    await ben.press(lobby, "Join")
    await ada.press(lobby, "Start")
    with wire.clock.skip():
        board = await ben.sees(is_board)
        await wire.discord.signal.until(lambda: "**Started" in text_of(lobby))
    await ben.press(board, "Deal (44)")
    assert "1 move" in text_of(board)


@pytest.mark.parametrize("path", ["race new", "race leave", "race history"])
async def test_races_are_refused_in_direct_messages(wire: Wire, path: str) -> None:
    """Discord offers these commands on servers only; a client that sends them all the same is told why not."""
    ada = wire.discord.add_player("Ada")
    options = {"game": "links"} if path == "race new" else {}
    call = ada._call(ada.home, path, options)
    data = ada._command_data(call, ada.private)
    refused = await ada._interactions.begin(COMMAND, ada.user, ada.private, data, name=path)
    assert refused.message is not None
    assert "need a server" in text_of(refused.message)


async def test_missing_permissions_are_named_before_a_race_is_opened(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    wire.discord.allow(wire.discord.channel("race-track"), deny=Permission.SEND_MESSAGES)
    refused = await ada.slash("race new", {"game": "links"})
    assert refused.message is not None
    assert refused.message.audience == ada.id
    assert "Send Messages" in text_of(refused.message)
    assert await wire.bot.desk.races.live() == []


async def test_the_result_goes_without_its_picture_where_files_are_not_allowed(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    wire.discord.allow(wire.discord.channel("race-track"), deny=Permission.ATTACH_FILES)
    await _forfeit(ada, board)
    with wire.clock.skip():
        result = await ada.sees(": result")
    assert "salt" in text_of(result)


async def test_the_result_is_told_although_the_lobby_cannot_be_changed_any_more(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    body = {
        "code": 50083,
        "message": "Thread is archived",
    }  # a message in it brings it back, an edit does not
    wire.discord.faults.add(Fault(r"PATCH /channels/\d+/messages/\d+", 400, body, times=100))
    await _forfeit(ada, board)
    with wire.clock.skip():
        await ada.sees(": result")


async def test_a_judgement_brings_back_a_thread_that_is_put_away(wire: Wire) -> None:
    ada, mod = wire.discord.add_player("Ada"), wire.discord.add_player("Mod", moderator=True)
    await _forfeit(ada, (await wire.race(ada))[ada.id])
    with wire.clock.skip():
        result = await ada.sees(": result")
    body = {"code": 50083, "message": "Thread is archived"}
    wire.discord.faults.add(Fault(rf"PATCH /channels/\d+/messages/{result.id}", 400, body, times=100))
    (race,) = await wire.db.read("SELECT id FROM race")
    await mod.slash("moderate void", {"race": str(race[0]), "reason": "a wrong rule"})
    with wire.clock.skip():
        again = await ada.sees("a wrong rule")
    assert again.id != result.id


async def test_a_judgement_is_told_where_files_are_not_allowed_any_more(wire: Wire) -> None:
    ada, mod = wire.discord.add_player("Ada"), wire.discord.add_player("Mod", moderator=True)
    await _forfeit(ada, (await wire.race(ada))[ada.id])
    with wire.clock.skip():
        result = await ada.sees(": result")
    assert result.attachments
    body = {"code": 50013, "message": "Missing Permissions"}
    wire.discord.faults.add(Fault(rf"PATCH /channels/\d+/messages/{result.id}", 403, body))
    (race,) = await wire.db.read("SELECT id FROM race")
    await mod.slash("moderate void", {"race": str(race[0]), "reason": "a wrong rule"})
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "a wrong rule" in text_of(result))
    assert not result.attachments


async def test_one_who_takes_no_direct_messages_is_sent_no_more(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    for player in (ada, ben):
        page = (await player.slash("settings")).message
        assert page is not None
        await player.press(page, "Send it")
    ada.user.accepts_messages = False
    for letters in (2, 3):  # to both of them, then to Ben alone
        boards = await wire.race(ada, ben)
        for player in (ada, ben):
            await _forfeit(player, boards[player.id])
        with wire.clock.skip():
            await wire.discord.signal.until(lambda: len(ben.messages(ben.private)) == letters - 1)  # noqa: B023
        assert len(wire.discord.record.find("POST /users/@me/channels")) == letters


async def test_the_commitment_can_be_checked_with_the_engine(
    wire: Wire, capsys: pytest.CaptureFixture[str]
) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada, game="take-away"))[ada.id]
    shown = re.search(r"SHA-256 `([0-9a-f]{64})`", text_of(_lobby(wire)))
    assert shown is not None
    await _forfeit(ada, board)
    with wire.clock.skip():
        result = await ada.sees(": result")
    found = re.search(r"Deal `take-away:(\w+)` · salt `(\w+)` · SHA-256 `(\w+)`", text_of(result))
    assert found is not None
    seed, salt, again = found.groups()
    assert again == shown[1] == commitment("take-away", seed, salt)
    assert result.attachments
    assert engine_main(["verify", "take-away", "--seed", seed, "--salt", salt, "--commitment", again]) == 0
    assert (
        engine_main(["verify", "take-away", "--seed", seed + "x", "--salt", salt, "--commitment", again]) == 1
    )
    capsys.readouterr()


async def test_play_this_deal_again_after_the_race(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    board = (await wire.race(ada))[ada.id]
    before = await wire.attempt(board)
    await _forfeit(ada, board)
    with wire.clock.skip():
        result = await ben.sees(": result")
    again = await ben.press(result, "Play this deal")
    assert again.message is not None
    assert again.message.audience == ben.id
    practice = await wire.attempt(again.message)
    assert (practice.seed, practice.rules) == (before.seed, before.rules)


async def test_a_rematch_invites_the_same_entrants(wire: Wire) -> None:
    ada, ben = wire.discord.add_player("Ada"), wire.discord.add_player("Ben")
    boards = await wire.race(ada, ben)
    for player in (ada, ben):
        await _forfeit(player, boards[player.id])
    with wire.clock.skip():
        result = await ben.sees(": result")
    again = await ben.press(result, "Rematch")
    lobby = again.message
    assert lobby is not None
    assert "Also invited: Ada" in text_of(lobby)
    await ada.press(lobby, "Join")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "invited" not in text_of(lobby))


async def test_who_wants_a_rematch_at_the_same_moment_gets_the_same_one(wire: Wire) -> None:
    players = [wire.discord.add_player(name) for name in ("Ada", "Ben", "Cem")]
    boards = await wire.race(*players)
    for player in players:
        await _forfeit(player, boards[player.id])
    with wire.clock.skip():
        result = await players[0].sees(": result")
    presses = [player.press(result, "Rematch") for player in (*players, *players)]
    answers = [text_of((await press).message or result) for press in presses]
    (gathers,) = [record for record in await wire.bot.desk.races.live() if record.race.phase.is_live]
    assert {entrant.player for entrant in gathers.race.entrants} == {player.id for player in players}
    assert ["You are in" in each for each in answers].count(False) == 1, "the public message"


async def test_time_is_discords_whatever_the_bots_own_clock_says(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = wire.discord.add_player("Ada")
    monkeypatch.setattr(wire.clock, "now", lambda: int(wire.clock() * 1000) + 3_600_000)
    board = (await wire.race(ada))[ada.id]
    start = (await wire.attempt(board)).start
    wire.clock.ahead += 100
    press = await ada.press(board, "Deal (44)")
    events = await wire.db.read("SELECT at FROM event WHERE seq = 1")
    assert events == [((press.id >> 22) + 1_420_070_400_000,)]
    assert 99_000 <= events[0][0] - start <= 130_000


async def test_a_gap_of_the_connection_is_added_to_the_limit_and_said(
    wire: Wire, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discord.backoff.ExponentialBackoff, "delay", lambda _: 0.05)
    ada = wire.discord.add_player("Ada")
    await wire.race(ada, minutes=1)
    limit = (await wire.bot.desk.races.live())[0].race.limit
    lost = asyncio.create_task(wire.bot.wait_for("shard_disconnect", timeout=60))
    await asyncio.sleep(0)
    wire.discord.gateway.shut()
    await lost
    async with asyncio.timeout(60):
        while not wire.bot.desk.absences:
            await wire.db.read("SELECT 1")
        wire.clock.ahead += 20
        wire.discord.gateway.reopen()
        while wire.bot.desk.absences:
            await wire.db.read("SELECT 1")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "The bot was away for 2" in text_of(_lobby(wire)))
    longer = (await wire.bot.desk.races.live())[0].race.limit
    assert 20_000 <= longer - limit <= 30_000


def _lobby(wire: Wire) -> Message:
    """Returns the newest public message of a race."""
    return [each for each in wire.discord.owner.messages() if find_button(each, "Rules")][-1]


async def _forfeit(player: Player, board: Message) -> None:
    for label in ("More", "Forfeit", "Yes, give up"):
        await player.press(board, label)


async def test_a_race_that_cannot_be_told_of_is_given_up_in_the_end(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    board = (await wire.race(ada))[ada.id]
    wire.discord.allow(wire.discord.channel("race-track"), deny=Permission.VIEW_CHANNEL)
    await _forfeit(ada, board)
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: bool(wire.discord.record.find(r"POST /channels/")))
    assert await wire.bot.desk.races.live() != []
    wire.clock.ahead += 31 * 60
    await wire.bot.desk.sweep()
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: len(wire.discord.record.find(r"POST /channels/")) > 1)
    await _nothing_owed(wire)


async def test_a_cancelled_race_owes_nothing_once_it_is_shown(wire: Wire) -> None:
    ada = wire.discord.add_player("Ada")
    lobby = await wire.open(ada)
    await ada.press(await ada.sees("You are in"), "Cancel the race")
    with wire.clock.skip():
        await wire.discord.signal.until(lambda: "Cancelled" in text_of(lobby))
    await _nothing_owed(wire)


async def _nothing_owed(wire: Wire) -> None:
    """Waits until the bot has noted that all is said."""
    async with asyncio.timeout(60):
        while await wire.bot.desk.races.live():
            pass
