"""A server with players, and what tests ask of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from discord.http import Route
from simcord.actors import MemberActor
from simcord.env import Env
from simcord.results import InteractionResult, ResponseMessage

from bot.app import SameDeal
from bot.views.payload import Message, button, row, walk
from engine import Attempt, Rules, parse_move


def text_of(message: Any) -> str:
    """Returns all texts of *message*, a line each."""
    return "\n".join(part["content"] for part in walk(_components(message)) if part["type"] == 10)


def buttons_of(message: Any) -> dict[str, dict[str, Any]]:
    """Returns the buttons of *message* by their labels."""
    return {part.get("label", ""): part for part in walk(_components(message)) if part["type"] == 2}


def ids_of(message: Any) -> list[str]:
    """Returns the custom ids of the buttons of *message* that can be pressed."""
    return [part["custom_id"] for part in buttons_of(message).values() if not part.get("disabled")]


def _components(message: Any) -> list[dict[str, Any]]:
    found = message.components
    return [part if isinstance(part, dict) else part.to_dict() for part in found]


def told(result: InteractionResult) -> str:
    """Returns the private sentence that answered; fails if the answer was public or no new message."""
    assert result.response is not None, "not answered"
    assert result.ephemeral, "answered in public"
    return text_of(result.response)


@dataclass
class Seated:
    """A race on the table: its public message and the private ones of its entrants, the host first."""

    table: Table
    id: int
    lobby: ResponseMessage
    seats: dict[int, ResponseMessage] = field(default_factory=dict)

    async def join(self, player: MemberActor) -> None:
        """Lets *player* press Join."""
        result = await player.click(self.lobby, label="Join")
        assert result.ephemeral
        assert result.response is not None
        self.seats[player.id] = result.response

    async def start(self, *players: MemberActor) -> None:
        """Lets all *players*, who are all the entrants, press Ready, and waits for their boards."""
        for player in players:
            await player.click(self.seats[player.id], label="Ready")
        await self.table.env.advance_time(7)

    async def press(self, player: MemberActor, label: str) -> InteractionResult:
        """Lets *player* press a button of the own private message."""
        return await player.click(self.seats[player.id], label=label)

    def board(self, player: MemberActor) -> str:
        """Returns the text of *player*'s private message."""
        return text_of(self.seats[player.id])

    async def attempt(self, player: MemberActor) -> Attempt:
        """Returns *player*'s attempt as the bot knows it."""
        record = await self.table.bot.desk.races.find(self.id)
        entrant = record.race.find(player.id)
        assert entrant is not None
        return (await self.table.bot.desk.attempts.find(entrant.attempt)).attempt

    async def play(self, player: MemberActor, moves: Iterable[str]) -> None:
        """Plays *moves* through the board's buttons."""
        for move in moves:
            await play(self, player, move)


class Table:
    """A server, a channel, players, and the bot among them."""

    def __init__(self, env: Env, bot: SameDeal, make_bot: Callable[[], SameDeal]) -> None:
        self.env = env
        self.bot = bot
        self._make_bot = make_bot
        self.guild = env.create_guild()
        self.channel = self.guild.create_text_channel("games")

    def player(self, name: str, *, bot: bool = False) -> MemberActor:
        """Returns a new member of the server."""
        actor: MemberActor = self.guild.add_member(self.env.create_user(name, bot=bot))
        return actor

    async def open(self, host: MemberActor, game: str = "one-handed", **options: Any) -> Seated:
        """Lets *host* open a race."""
        result = await host.slash(self.channel, "race new", game=game, **options)
        assert result.response is not None
        assert not result.ephemeral
        race = int(ids_of(result.response)[0].split(":")[1])
        seated = Seated(self, race, result.response)
        seated.seats[host.id] = result.followups[0]
        return seated

    async def race(self, *players: MemberActor, game: str = "one-handed", **options: Any) -> Seated:
        """Returns a race of *players* that has just begun."""
        seated = await self.open(players[0], game, **options)
        for player in players[1:]:
            await seated.join(player)
        if len(players) == 1:
            await players[0].click(seated.lobby, label="Start")
            await self.env.advance_time(7)
        else:
            await seated.start(*players)
        return seated

    async def tick(self) -> None:
        """Lets the bot do what is due, as it does once a second by itself outside of tests."""
        with self.env._bot_scope():
            task = asyncio.create_task(self.bot.desk.tick())
        await self.env.settle()
        await task

    async def sweep(self) -> None:
        """Lets the bot look through all live races, as it does every half minute."""
        with self.env._bot_scope():
            task = asyncio.create_task(self.bot.desk.sweep())
        await self.env.settle()
        await task

    async def restart(self) -> None:
        """Stops the bot and starts another one on the same database."""
        self.bot = self._make_bot()
        await self.env.restart_bot(self.bot)

    async def press_id(self, player: MemberActor, custom_id: str) -> InteractionResult:
        """Lets *player* press a button with any custom id, on a message made for that."""
        body = Message.of(row(button("x", custom_id))).body()
        sent = await self.bot.http.request(
            Route("POST", "/channels/{channel_id}/messages", channel_id=self.channel.id), json=body
        )
        message = await self.bot.get_partial_messageable(self.channel.id).fetch_message(int(sent["id"]))
        return await player.click(message, custom_id=custom_id)

    @property
    def last(self) -> Any:
        """The newest public message of the channel."""
        return self.channel.last_message

    def said(self) -> list[Any]:
        """Returns the public messages of the channel, oldest first."""
        return list(self.channel.history())


async def play(seated: Seated, player: MemberActor, move: str) -> None:
    """Plays one *move* through the buttons: a call, or the source and, where it is asked for, the target."""
    board = seated.seats[player.id]
    call = next((each for each in ids_of(board) if each.endswith(f":call:{move}")), None)
    if call is not None:
        await player.click(board, custom_id=call)
        return
    before = await seated.attempt(player)
    source, target = split(move)
    for pile in (source, target):
        verbs = [each for each in ids_of(board) if each.split(":")[3:5] == ["pile", pile]]
        assert verbs, f"{move}: no button for {pile} on\n{text_of(board)}"
        await player.click(board, custom_id=verbs[0])
        if (await seated.attempt(player)).seq != before.seq:
            return


def split(move: str) -> tuple[str, str]:
    """Returns the source and the target of a move in its notation."""
    parsed = parse_move(move)
    return parsed.source, parsed.target


def forced_line(rules: Rules, attempt: Attempt) -> list[str]:
    """Returns the moves to the end of a game that leaves no choice, or that always takes the first one."""
    state, moves = attempt.state, []
    while rules.outcome(state) is None:
        move = sorted(rules.legal_moves(state), key=str)[0]
        moves.append(str(move))
        state = rules.apply(state, move)
    return moves
