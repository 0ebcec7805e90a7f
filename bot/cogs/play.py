"""Boards: the command that shows one again, and every press on it."""

from __future__ import annotations

import discord
from discord import app_commands

from bot import respond
from bot.desk import Desk
from bot.errors import BadButtonError, NoBoardError, NoMoveThereError, ServerOnlyError
from bot.router import Call, press_of
from bot.services.attempts import Played, Wish
from bot.text import board as board_text
from bot.text import say
from bot.views.board import Board, board, forfeit, more
from bot.views.ids import number
from engine import Event, EventKind, IllegalMoveError, Move, NotationError, parse_move
from engine.selection import press_pile


def board_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/board``."""

    @app_commands.command(name="board", description="Show the board of the race that you are in")
    @app_commands.guild_only()
    async def show(interaction: discord.Interaction) -> None:
        press = press_of(interaction)
        if interaction.guild_id is None:
            raise ServerOnlyError
        taken = await desk.races.seat(interaction.guild_id, press.player)
        if taken is None:
            raise NoBoardError
        await desk.show_own(interaction, press, await desk.races.find(taken[0]))

    return show


class BoardPresses:
    """The buttons of a board."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``b:<attempt>:<seq>:<verb>…``."""
        attempt, seq, verb = number(call.part(0)), number(call.part(1)), call.part(2)
        match verb:
            case "pile":
                await self._press_pile(call, attempt, seq)
            case "call":
                move = _parse(call.part(3))
                await self._act(call, attempt, seq, lambda a, at: a.play(move, at))
            case "undo":
                await self._act(call, attempt, seq, lambda a, at: a.undo(at))
            case "end":
                await self._act(call, attempt, seq, lambda a, at: a.forfeit(at))
            case "more" | "forfeit" | "back":
                await self._turn_to(call, attempt, verb)
            case _:
                raise BadButtonError

    async def _press_pile(self, call: Call, attempt: int, seq: int) -> None:
        pile, picked = call.part(3), call.parts[4] if len(call.parts) > 4 else None
        record = await self._desk.attempts.at(call.press, attempt, seq)
        if record.attempt.seq != seq or record.attempt.is_over:
            await self._show(call, Played(record))
            return
        try:
            meant = press_pile(record.attempt.rules, record.attempt.state, pile, picked)
        except IllegalMoveError:
            raise NoMoveThereError from None
        if isinstance(meant, Move):
            move = meant
            await self._act(call, attempt, seq, lambda a, at: a.play(move, at))
        else:
            shown = Board(attempt, record.attempt, picked=meant)
            await respond.update(call.interaction, board(shown, self._desk.faces))

    async def _turn_to(self, call: Call, attempt: int, page: str) -> None:
        record = await self._desk.attempts.find(attempt, player=call.press.player)
        shown = Board(attempt, record.attempt)
        if page == "back" or record.attempt.is_over:
            await respond.update(call.interaction, board(shown, self._desk.faces))
        else:
            await respond.update(call.interaction, more(shown) if page == "more" else forfeit(shown))

    async def _act(self, call: Call, attempt: int, seq: int, wish: Wish) -> None:
        played = await self._desk.attempts.act(call.press, attempt, seq, wish)
        await self._show(call, played)
        if played.events:
            await self._desk.played(played.record)

    async def _show(self, call: Call, played: Played) -> None:
        note = _note(played.events) if played.events else say(board_text.NOTE_STALE)
        shown = Board(played.record.id, played.record.attempt, note=note)
        await respond.update(call.interaction, board(shown, self._desk.faces))


def _note(events: tuple[Event, ...]) -> str | None:
    match events[0].kind:
        case EventKind.MISTAKE:
            return say(board_text.NOTE_MISTAKE)
        case EventKind.UNDO:
            return say(board_text.NOTE_UNDONE)
        case _:
            return None


def _parse(move: str) -> Move:
    try:
        return parse_move(move)
    except NotationError:
        raise BadButtonError from None
