"""The scripted opponent: what it reads, and that it plays a race of a toy bot to its end."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import discord
import pytest

from bot.playground import Message, Playground, find_button, text_of
from bot.playground.rival import Rival
from bot.playground.strategy import Passable, cards_in, enabled, fan_of, piles_of, right_call
from tests.playground.conftest import Connect
from tests.playground.toy import EPHEMERAL, ToyBot, button, row, text, v2


def board(*components: dict[str, Any]) -> Message:
    """Returns a message with these components."""
    return Message(1, 1, 1, 0.0, components=list(components))


def choose(*components: dict[str, Any], seed: int = 1) -> str | None:
    """Returns what a fresh player presses."""
    return Passable()(board(*components), Random(seed))


@pytest.mark.parametrize(
    ("shown", "cards"),
    [
        ("`7h  8d 10s  Kc`", "7H 8D TS KC"),
        ("7♥︎ 10♠︎", "7H TS"),
        ("<:c_7H:123><:c2_TS_5fe3:124> <a:QC:5> <:card_9_D:6>", "7H TS QC 9D"),
        ("<:card_back_1:1> -- [] Deal 7 of 12 by HAL", ""),
    ],
)
def test_reads_cards(shown: str, cards: str) -> None:
    assert " ".join(rank + suit for rank, suit in cards_in(shown)) == cards


def test_finds_the_fan() -> None:
    lines = "### One-Handed\n-# Older: `2c 3c`\n## `7h 8d 9c 7s`\n-# nothing else"
    assert fan_of(board(text(lines))) == [("7", "H"), ("8", "D"), ("9", "C"), ("7", "S")]
    assert fan_of(board(text("**Hand** `2c 3c 7h 8d 9c 7s`")))[0] == ("7", "H")
    assert fan_of(board(text("no cards"))) == []


@pytest.mark.parametrize(
    ("fan", "empty", "call"),
    [
        ("7h 8d 9c 7s", False, "Discard 4"),
        ("7h 8d 9c 2h", False, "Discard 2"),
        ("7h 8d 2c 2h", False, "Discard 3"),
        ("7h 8d 9c 2s", False, "Draw"),
        ("7h 8d 9c 2s", True, "Recycle"),
        ("7h 8d", False, "Draw"),
    ],
)
def test_calls_rightly(fan: str, empty: bool, call: str) -> None:
    calls = ["Draw", "Discard 2", "Discard 4", "Discard 3", "Recycle"]
    cards = cards_in(fan.replace("h", "H"))
    assert right_call(cards, calls, stock_is_empty=empty) == call


def test_gets_ready_and_leaves_the_rest_alone() -> None:
    assert choose(row(button("Leave", "l"), button("Ready", "r"))) == "r"
    controls = [button(name, name) for name in ("Undo", "Hint", "More", "Forfeit")]
    assert choose(row(*controls)) is None
    assert choose(row(*controls, button("3", "pile 3"))) == "pile 3"
    assert choose(row(button("3", "pile 3", disabled=True))) is None


def test_hosts_nobody() -> None:
    hosting = row(button("Ready", "r"), button("Leave", "l"), button("Cancel the race", "c"))
    assert choose(hosting) == "l"
    others = {"type": 3, "custom_id": "remove", "options": [{"label": "Ann", "value": "1"}]}
    assert choose(hosting, row(others)) == "r"


def test_plays_home_first_and_never_lets_go() -> None:
    lines = text("**Foundations** `As` `--`\n**1** `Kc Qd`\n**2** `9c 8c 2s`")
    piles = [button("1", "one"), button("2", "two"), button("Deal (4)", "deal")]
    assert choose(lines, row(*piles)) == "two"
    assert piles_of(board(lines, row(*piles)))["2"][-1] == ("2", "S")
    picked = row(button("1", "one", style=3), button("2", "two"))
    assert choose(text("**1** is picked\n**2** `3c`"), picked) == "two"


def test_gives_up_where_nothing_changes() -> None:
    player, random = Passable(), Random(1)
    shown = (
        text("-# 40 cards left · 9 moves"),
        row(button("1", "one"), button("2", "two"), button("More", "more")),
    )
    pressed = [player(board(*shown), random) for _ in range(40)]
    assert {"one", "two"} == set(pressed[:20])
    assert pressed[-1] == "more"
    assert player(board(row(button("Back", "b"), button("Forfeit", "f"))), random) == "f"
    assert player(board(row(button("Back", "b"), button("Yes, give up", "y"))), random) == "y"


class ToyRace:
    """A bot whose race is: press Join, press Ready, call the fan rightly five times."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.over = asyncio.Event()

    async def __call__(self, bot: ToyBot, interaction: discord.Interaction) -> None:
        data: dict[str, Any] = dict(interaction.data or {})
        pressed = data.get("custom_id")
        match pressed:
            case None:
                lobby = v2(text("A race"), row(button("Mitmachen", "join", 3), button("Start", "start")))
                await bot.api.answer(interaction, 4, lobby)
            case "join":
                seat = v2(text("You are in"), row(button("Ready", "ready"), button("Leave", "leave")))
                await bot.api.answer(interaction, 4, {**seat, "flags": seat["flags"] | EPHEMERAL})
            case _:
                self.calls.append(str(pressed))
                await bot.api.answer(interaction, 7, {"components": self._board()})

    def _board(self) -> list[dict[str, Any]]:
        if len(self.calls) > 5:
            self.over.set()
            return [text("No moves left")]
        fan = ("## `7h 8d 9c 7s`", "## `7h 8d 9c 2h`")[len(self.calls) % 2]
        calls = [button(name, name) for name in ("Draw", "Discard 2", "Discard 4")]
        return [
            text(f"-# {52 - len(self.calls)} cards left"),
            text(fan),
            row(*calls),
            row(button("More", "more")),
        ]


async def no_pause(seconds: float) -> None:
    assert 0.25 <= seconds <= 2.0
    await asyncio.sleep(0)


async def test_plays_a_whole_race(playground: Playground, start_bot: Connect) -> None:
    race = ToyRace()
    await start_bot(race)
    rita = playground.add_player("Rita")
    rival = Rival(playground.world, rita, seed=3, pause=no_pause)
    rival.start()
    assert rita.user.scripted
    playground.owner.says("hello")
    await playground.owner.slash("play")
    async with asyncio.timeout(30):
        await race.over.wait()
    await rival.stop()
    right = ["Discard 2", "Discard 4"] * 3
    assert race.calls[0] == "ready"
    assert sum(a == b for a, b in zip(race.calls[1:], right, strict=False)) >= 4
    assert [text_of(m) for m in playground.owner.messages()] == ["hello", "A race"]
    assert await playground.owner.sees("A race")


async def test_comes_back_to_a_race_that_began_before_the_restart(
    playground: Playground, start_bot: Connect
) -> None:
    race = ToyRace()
    asked: list[str] = []

    async def react(bot: ToyBot, interaction: discord.Interaction) -> None:
        data: dict[str, Any] = dict(interaction.data or {})
        match data.get("custom_id"):
            case None:
                names = "Ada" if asked else "Rita"
                asked.append(names)
                running = v2(
                    text(f"{names} · 51 cards left"), row(button("Mein Spielfeld öffnen", f"{names}:board"))
                )
                await bot.api.answer(interaction, 4, running)
            case str(opened) if opened.endswith(":board"):
                asked.append(opened)
                shown = v2(*race._board())
                await bot.api.answer(interaction, 4, {**shown, "flags": shown["flags"] | EPHEMERAL})
            case _:
                await race(bot, interaction)

    await start_bot(react)
    await playground.owner.slash("play")
    await playground.owner.slash("play")
    rita = playground.add_player("Rita")
    rival = Rival(playground.world, rita, seed=3, pause=no_pause)
    rival.start()
    async with asyncio.timeout(30):
        await race.over.wait()
    await rival.stop()
    assert asked == ["Rita", "Ada", "Rita:board"]


async def test_does_not_join_its_own_race_and_survives_silence(
    playground: Playground, start_bot: Connect
) -> None:
    pressed = asyncio.Event()

    async def silent(bot: ToyBot, interaction: discord.Interaction) -> None:
        if interaction.type is discord.InteractionType.application_command:
            await bot.api.answer(interaction, 4, v2(text("A race"), row(button("Join", "join"))))
        else:
            pressed.set()

    bot = await start_bot(silent)
    rita = playground.add_player("Rita")
    rival = Rival(playground.world, rita, pause=no_pause)
    rival.start()
    await rita.slash("play")
    await playground.owner.slash("play", channel=playground.channel("lounge"))
    async with asyncio.timeout(30):
        await pressed.wait()
    joined = playground.world.messages[int(bot.seen[2].message.id)] if bot.seen[2].message else None
    assert joined is not None
    assert (joined.interaction or {})["user"]["id"] == str(playground.owner.id)
    assert find_button(joined, "Join") is not None
    assert enabled(joined) == {"Join": "join"}
    await rival.stop()
