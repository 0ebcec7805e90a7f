"""Practice through the real discord.py with SimCord."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest
from simcord.actors import MemberActor
from simcord.results import InteractionResult

from bot import respond
from bot.errors import NoBoardError
from bot.periods import day_of
from bot.services.dailies import featured
from bot.services.prover import Proof, Winnable, prove_deal
from bot.views.payload import Message
from engine import Attempt
from tests.discord.table import Table, buttons_of, forced_line, ids_of, text_of, told

GAME = "one-handed"


def answer(result: InteractionResult) -> Any:
    """Returns the message that answered a press or a command."""
    assert result.response is not None
    return result.response


async def practise(table: Table, player: MemberActor, **options: str) -> Any:
    """Lets *player* practise and returns the board's message."""
    result = await player.slash(table.channel, "play", **options)
    assert result.ephemeral
    return answer(result)


async def attempt_of(table: Table, board: Any) -> Attempt:
    """Returns the attempt that *board* shows, over or not."""
    own = int(next(each for each in ids_of(board) if each[:2] in ("b:", "p:")).split(":")[1])
    return (await table.bot.desk.attempts.find(own)).attempt


async def play_out(table: Table, player: MemberActor, board: Any) -> None:
    """Plays a game without choices to its end."""
    attempt = await attempt_of(table, board)
    for move in forced_line(attempt.rules, attempt):
        call = next(each for each in ids_of(board) if each.endswith(f":call:{move}"))
        await player.click(board, custom_id=call)


async def test_friends_practise_the_same_word(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    boards = [
        await practise(table, ann, game=GAME, seed="Friday "),
        await practise(table, bob, game=GAME, seed="friday"),
    ]
    first, second = [await attempt_of(table, board) for board in boards]
    assert first.seed == second.seed == "friday"
    assert first.limit is None


async def test_without_a_game_it_is_the_featured_one_and_without_a_seed_a_new_deal(table: Table) -> None:
    ann = table.player("ann")
    attempts = [await attempt_of(table, await practise(table, ann)) for _ in range(2)]
    assert {each.rules for each in attempts} == {featured(day_of(table.bot.desk.clock.now()))}
    assert len({each.seed for each in attempts}) == 2
    assert all(len(each.seed) == 13 for each in attempts)


async def test_the_verdict_comes_after_the_end_and_not_before(table: Table) -> None:
    ann = table.player("ann")
    board = await practise(table, ann, game=GAME, seed="friday")
    assert "can be won" not in text_of(board)
    assert "cannot be won" not in text_of(board)
    await play_out(table, ann, board)
    proof = prove_deal(GAME, "friday")
    expected = "This deal can be won" if proof.winnable is Winnable.YES else "This deal cannot be won"
    assert f"{expected} · deal `{GAME}:friday`" in text_of(board)


async def test_what_cannot_be_found_out_in_time_is_said_to_be_unknown(table: Table) -> None:
    class Slow:
        async def prove(self, rules: object, seed: str) -> Proof:
            return Proof()

        async def close(self) -> None:
            return

    table.bot.desk.proofs._prover = Slow()
    ann = table.player("ann")
    board = await practise(table, ann, game=GAME, seed="friday")
    await play_out(table, ann, board)
    assert "Whether this deal can be won is not known" in text_of(board)


class Slow:
    """A prover that takes *seconds*."""

    def __init__(self, table: Table, seconds: float) -> None:
        self._env = table.env
        self._seconds = seconds

    async def prove(self, rules: object, seed: str) -> Proof:
        await self._env.external_wait(asyncio.sleep(self._seconds), reason="a proof")
        return Proof(Winnable.NO)

    async def close(self) -> None:
        return


async def test_a_board_does_not_wait_for_the_verdict(table: Table) -> None:
    table.bot.desk.proofs._prover = Slow(table, 60)
    ann = table.player("ann")
    board = await practise(table, ann, game=GAME, seed="friday")
    await play_out(table, ann, board)
    assert "being found out" in text_of(board)
    await table.env.advance_time(61)
    assert "This deal cannot be won · deal `one-handed:friday`" in text_of(board)
    assert "being found out" not in text_of(board)
    assert not table.bot.desk.verdicts._owed


async def test_a_verdict_that_comes_late_leaves_the_next_game_alone(table: Table) -> None:
    table.bot.desk.proofs._prover = Slow(table, 60)
    ann = table.player("ann")
    board = await practise(table, ann, game=GAME, seed="friday")
    await play_out(table, ann, board)
    await ann.click(board, label="Start over")
    await table.env.advance_time(61)
    assert "cannot be won" not in text_of(board)
    assert "Draw" in buttons_of(board)


@pytest.mark.parametrize("label", ["Start over", "Another deal"])
async def test_a_verdict_under_a_board_shown_again_leaves_the_next_game_alone(
    table: Table, label: str
) -> None:
    table.bot.desk.proofs._prover = Slow(table, 60)
    ann = table.player("ann")
    await play_out(table, ann, await practise(table, ann, game=GAME, seed="friday"))
    shown = answer(await ann.slash(table.channel, "board"))
    assert "being found out" in text_of(shown)
    await ann.click(shown, label=label)
    await table.env.advance_time(61)
    assert "Draw" in buttons_of(shown)


async def test_a_press_on_a_board_whose_answer_is_under_way_ends_its_verdict(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.bot.desk.proofs._prover = Slow(table, 60)
    ann = table.player("ann")
    await play_out(table, ann, await practise(table, ann, game=GAME, seed="friday"))
    send = respond.answer

    async def slow(interaction: discord.Interaction, message: Message) -> None:
        await send(interaction, message)
        respond.unwatch(interaction)
        await table.bot.desk.clock.sleep(5)

    monkeypatch.setattr(respond, "answer", slow)
    shown = answer(await ann.slash(table.channel, "board"))
    await ann.click(shown, label="Start over")
    await table.env.advance_time(61)
    assert "Draw" in buttons_of(shown)


async def test_no_verdict_follows_an_answer_that_failed(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    table.bot.desk.proofs._prover = Slow(table, 60)
    ann = table.player("ann")
    await play_out(table, ann, await practise(table, ann, game=GAME, seed="friday"))

    async def refuse(*_: object) -> None:
        raise NoBoardError

    with monkeypatch.context() as patch:
        patch.setattr(table.bot.desk.boards, "answer", refuse)
        assert "no board" in told(await ann.slash(table.channel, "board"))
    assert not table.bot.desk.verdicts._owed


async def test_a_verdict_that_comes_too_late_is_on_the_next_board(table: Table) -> None:
    table.bot.desk.proofs._prover = Slow(table, 16 * 60)
    ann = table.player("ann")
    board = await practise(table, ann, game=GAME, seed="friday")
    await play_out(table, ann, board)
    await table.env.advance_time(17 * 60)
    assert "is not known" in text_of(board)
    shown = answer(await ann.slash(table.channel, "board"))
    assert "This deal cannot be won" in text_of(shown)


async def test_a_deal_is_begun_anew_after_its_end_and_in_the_middle(table: Table) -> None:
    ann = table.player("ann")
    board = await practise(table, ann, game=GAME, seed="friday")
    first = await attempt_of(table, board)
    await ann.click(board, label="Draw")
    await table.env.advance_time(5)
    await ann.click(board, label="More")
    await ann.click(board, label="Start over")
    again = await attempt_of(table, board)
    assert (again.seed, again.moves, again.seq) == (first.seed, 0, 0)
    assert again.start > first.start
    assert "The same deal from the beginning" in text_of(board)
    await play_out(table, ann, board)
    assert set(buttons_of(board)) == {"Start over", "Another deal"}
    await ann.click(board, label="Start over")
    assert (await attempt_of(table, board)).seed == "friday"
    await play_out(table, ann, board)
    await ann.click(board, label="Another deal")
    other = await attempt_of(table, board)
    assert other.rules.key == GAME
    assert other.seed != "friday"


async def test_a_race_has_no_new_beginning(table: Table) -> None:
    ann = table.player("ann")
    race = await table.race(ann)
    await race.press(ann, "More")
    assert "Start over" not in buttons_of(race.seats[ann.id])
    own = next(each for each in ids_of(race.seats[ann.id]) if each.startswith("b:")).split(":")[1]
    assert "no button of mine" in told(await table.press_id(ann, f"p:{own}:again"))
    assert "no button of mine" in told(await table.press_id(ann, f"p:{own}:hack"))


async def test_a_board_that_was_lost_is_shown_again(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    assert "no board" in told(await ann.slash(table.channel, "board"))
    first = await attempt_of(table, await practise(table, ann, game="links"))
    await table.env.advance_time(5)
    await ann.slash(table.channel, "daily play", game="striptease")
    assert "Striptease" in text_of(answer(await ann.slash(table.channel, "board")))
    await table.press_id(ann, f"b:{(await table.bot.desk.attempts.newest_alone(ann.id)).id}:0:end")  # type: ignore[union-attr]
    shown = answer(await ann.slash(table.channel, "board"))
    assert (await attempt_of(table, shown)).seed == first.seed
    race = await table.race(ann, bob)
    assert text_of(answer(await ann.slash(table.channel, "board"))) == race.board(ann)


async def test_somebody_elses_practice_is_left_alone(table: Table) -> None:
    ann, bob = table.player("ann"), table.player("bob")
    board = await practise(table, ann, game=GAME)
    own = ids_of(board)[0].split(":")[1]
    assert f"<@{ann.id}>" in told(await table.press_id(bob, f"p:{own}:again"))


async def test_hints_and_undo_are_there(table: Table) -> None:
    ann = table.player("ann")
    board = await practise(table, ann, game="take-away", seed="friday")
    attempt = await attempt_of(table, board)
    move = attempt.rules.legal_moves(attempt.state)[0]
    await ann.click(
        board, custom_id=next(each for each in ids_of(board) if each.endswith(f":pile:{move.source}"))
    )
    await ann.click(board, label="Undo")
    assert "Taken back" in text_of(board)


async def test_practice_works_in_direct_messages(table: Table) -> None:
    user = table.env.create_user("eve")
    shown = await user.slash("play", game="links")
    await user.click(answer(shown), label="Deal (44)")
    assert "1 move" in text_of(answer(shown))
    again = await user.slash("board")
    assert text_of(answer(again)) == text_of(answer(shown))


async def test_wrong_games_and_seeds_are_refused(table: Table) -> None:
    ann = table.player("ann")
    long = await ann.slash(table.channel, "play", game=GAME, seed="x" * 65)
    assert "That seed does not work" in told(long)


async def test_a_race_says_whether_its_deal_is_certified(table: Table) -> None:
    ann = table.player("ann")
    await table.bot.desk.pool.fill(Sure(), 0)
    lobbies = {}
    for game in ("one-handed", "take-away", "links"):
        race = await table.open(ann, game)
        lobbies[game] = text_of(race.lobby)
        await race.press(ann, "Leave")
    assert "certified" not in lobbies["one-handed"]
    certified = [game for game, lobby in lobbies.items() if "is certified winnable" in lobby]
    assert certified == ["take-away"]
    assert "is not certified" in lobbies["links"]
    assert "difficulty" not in "".join(lobbies.values())


class Sure:
    """Finds that every deal can be won."""

    async def prove(self, rules: object, seed: str) -> Proof:
        """Returns that it can, with some effort."""
        return Proof(Winnable.YES, 2)

    async def close(self) -> None:
        """Does nothing."""


async def test_a_result_tells_how_hard_the_deal_was(table: Table) -> None:
    ann = table.player("ann")
    await table.bot.desk.pool.fill(Sure(), 0)
    race = await table.race(ann, game="take-away")
    assert "difficulty" not in race.board(ann)
    for label in ("More", "Forfeit", "Yes, give up"):
        await race.press(ann, label)
    await table.env.advance_time(5)
    assert "This deal can be won; difficulty: medium" in text_of(table.last)
