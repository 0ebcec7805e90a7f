"""Nothing secret leaves the bot: all that it sends and logs in races of every game, in every style of board.

Who plays may be told the cards that this player has seen so far, and nobody else any card; seeds and salts are for
nobody before the end. Cards are looked for under all names that they have.
"""

from __future__ import annotations

import json
import logging
import random
import re
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import bot.views.tables
from bot.playground import Interaction, Message, Player, Request, buttons, text_of
from bot.playground.models import Emoji
from bot.render.art import emoji_names, face_key
from bot.render.inline import card_code, card_label
from bot.render.palette import Colours
from bot.render.words import Detail, card_words
from bot.store.players import Style
from bot.store.races import RaceRecord
from bot.text import speaking, translate
from bot.text.catalogue import LANGUAGE_NAMES
from engine import DECK, GAMES, Attempt, Card, Rules, State, deal_code
from tests.wire.conftest import Wire, is_board

LATER_MESSAGE, LATER_CHANGE = 5, 6
PRESSES = 4
"""How often each player presses a board before giving up."""
BASES = sorted({rules.base for rules in GAMES})
LOOKS = ("more", "view")
PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010800000000"
    "3a7e9b550000000a49444154789c6360000000020001"
    "48afa4710000000049454e44ae426082"
)


def names_of(card: Card) -> set[str]:
    """Returns what *card* is called outside of code: in notation, on buttons, as emoji, in any language."""
    names = {str(card), card_label(card)}
    names |= {emoji_names()[face_key(card, colours)] for colours in Colours}
    for language in LANGUAGE_NAMES:
        with speaking(language):
            names |= {card_words(card, translate, detail=detail) for detail in (Detail.FULL, Detail.BRIEF)}
    return names


NAMES = {name: card for card in DECK for name in names_of(card)}
NAME = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(NAMES, key=len, reverse=True)))})(?!\w)")
CODES = {card_code(card).strip(): card for card in DECK}
"""Cards as they stand in code; elsewhere "As" is a word of its own."""


def cards_in(text: str) -> set[Card]:
    """Returns the cards that *text* names."""
    code = " ".join(re.findall(r"`([^`]+)`", text)).split()
    return {NAMES[name] for name in NAME.findall(text)} | {CODES[each] for each in code if each in CODES}


class Watch:
    """What the bot has sent so far, and who may know what."""

    def __init__(self, wire: Wire) -> None:
        self.wire = wire
        self.requests: list[Request] = []
        self.seen: defaultdict[int, set[Card]] = defaultdict(set)
        self._players: dict[str, int] = {}
        wire.discord.record.watch = self._note

    def _note(self, request: Request) -> None:
        self.requests.append(request)
        self.wire.discord.signal.pulse()

    async def made(self, press: Interaction) -> Interaction:
        """Waits for the answer to *press*; what is sent through its token is for that player alone."""
        self._players[press.token] = press.user.id
        return await press

    async def answered(self, press: Interaction) -> None:
        """Waits for the answer to *press*, and for what follows an acknowledgement."""
        before = press.source.revision if press.source is not None else 0
        message = (await self.made(press)).message
        assert message is not None
        if press.type == LATER_MESSAGE:
            await self.wire.discord.signal.until(lambda: not message.loading)
        elif press.type == LATER_CHANGE:
            await self.wire.discord.signal.until(lambda: message.revision > before)

    async def press(self, player: Player, board: Message, custom_id: str) -> None:
        """Has *player* press a button of the own *board*."""
        await self.answered(player.press(board, custom_id))

    async def public(self, lobby: Message, *, gone: int) -> None:
        """Waits until the public message of the race tells that so many are *gone*."""
        with self.wire.clock.skip():
            await self.wire.discord.signal.until(lambda: text_of(lobby).count("**Forfeited**") == gone)

    def see(self, player: Player, attempt: Attempt) -> None:
        """Notes that *player* sees *attempt* as it stands."""
        cards = (card for pile in attempt.state.observed().piles for card in pile.cards)
        self.seen[player.id] |= {card for card in cards if card.rank}

    def check(self, *secrets: str) -> None:
        """Checks all that was sent since the last check, and forgets it."""
        for request in self.requests:
            text = json.dumps(request.payload, ensure_ascii=False)
            token = next((part for part in request.path.split("/") if part in self._players), "")
            told = cards_in(text) - self.seen[self._players.get(token, 0)]
            assert not told, f"{request} tells {sorted(map(str, told))}: {text}"
            everything = f"{request.path} {text} {request.uploads}"
            assert not [each for each in secrets if each in everything], f"{request}: {everything}"
        self.requests.clear()


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[State]:
    """Keeps the positions of which pictures are drawn, without drawing them."""
    states: list[State] = []

    def draw(state: State, **_: Any) -> bytes:
        states.append(state)
        return PIXEL

    monkeypatch.setattr(bot.views.tables, "draw_table", draw)
    bot.views.tables._drawn.cache_clear()
    return states


@pytest.mark.parametrize("base", BASES)
async def test_nothing_secret_leaves_the_bot_before_the_end(
    wire: Wire, base: str, drawn: list[State], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    caplog.set_level(logging.DEBUG, "bot")
    players = await styled(wire)
    watch = Watch(wire)
    for rules in GAMES:
        if rules.base == base:
            lobby, boards, secrets = await start(watch, rules, players)
            await play(watch, players, lobby, boards, secrets)
            await end(watch, players[0], lobby, secrets)
            assert not [each for each in secrets if each in caplog.text]
    assert drawn
    assert all(state == state.observed() for state in drawn)
    assert cards_in(caplog.text) == set()


async def styled(wire: Wire) -> list[Player]:
    """Returns a player for each style of boards, all of different languages; the bot has its emoji."""
    for number, name in enumerate(emoji_names().values(), start=1):
        wire.discord.world.emoji[number] = Emoji(number, name, b"")
    assert await wire.bot.desk.emoji.refresh()
    players = []
    for style, locale in zip((Style.EMOJI, Style.IMAGE, Style.TEXT), ("en-US", "de", "fr"), strict=True):
        player = wire.discord.add_player(style.value, locale=locale)
        shown = (await player.slash("settings")).message
        assert shown is not None
        await player.select(shown, "s:style", [style.value])
        players.append(player)
    return players


async def start(
    watch: Watch, rules: Rules, players: list[Player]
) -> tuple[Message, list[Message], list[str]]:
    """Returns the public message and the boards of a race that has just begun, and what is secret until its end."""
    watch.seen.clear()
    host, *others = players
    lobby = (await watch.made(host.slash("race new", {"game": rules.key, "ranked": False}))).message
    assert lobby is not None
    for player in others:
        await watch.made(player.press(lobby, "Join"))
    await watch.made(host.press(lobby, "Start"))
    (record,) = await watch.wire.bot.desk.races.live()
    secrets = [record.seed, record.salt, deal_code(rules.key, record.seed)]
    watch.check(*secrets)
    with watch.wire.clock.skip():
        boards = [await player.sees(board_of(record, player)) for player in players]
    for player, board in zip(players, boards, strict=True):
        watch.see(player, await watch.wire.attempt(board))
    watch.check(*secrets)
    return lobby, boards, secrets


async def play(
    watch: Watch, players: list[Player], lobby: Message, boards: list[Message], secrets: list[str]
) -> None:
    """Has all look at their boards in every style, play and give up, and checks what is sent meanwhile."""
    for player, board in zip(players, boards, strict=True):
        for verb in (*LOOKS, *["call pile undo hint auto"] * PRESSES, "more", "forfeit"):
            await watch.press(player, board, pick(board, verb))
            if is_board(board):
                watch.see(player, await watch.wire.attempt(board))
            watch.check(*secrets)
        await watch.answered(player.slash("board"))
        await watch.answered(player.press(lobby, "Open my board"))
        watch.check(*secrets)
        await watch.press(player, board, pick(board, "end"))
        if player is not players[-1]:
            await watch.public(lobby, gone=players.index(player) + 1)
            await watch.answered(player.press(lobby, "Open my board"))
        watch.check(*secrets)


async def end(watch: Watch, player: Player, lobby: Message, secrets: list[str]) -> None:
    """Waits for the result, which tells what was secret, and for the end of the public message."""
    with watch.wire.clock.skip():
        result = await player.sees(": result")
        await watch.wire.discord.signal.until(lambda: "Finished" in text_of(lobby))
    assert all(each in text_of(result) for each in secrets)
    watch.wire.discord.world.delete(result)
    watch.requests.clear()


def board_of(record: RaceRecord, player: Player) -> Callable[[Message], bool]:
    """Returns what tells the board of *player* in a race from other messages."""
    entrant = record.race.find(player.id)
    assert entrant is not None
    return lambda message: is_board(message) and f"b:{entrant.attempt}:" in str(message.components)


def pick(board: Message, verbs: str) -> str:
    """Returns a button of *board* that does one of *verbs*, which random chance chooses."""
    found = [
        custom_id
        for each in buttons(board)
        if (custom_id := str(each["custom_id"])).split(":", 3)[3].startswith(tuple(verbs.split()))
        and not each.get("disabled")
    ]
    return random.choice(found)
