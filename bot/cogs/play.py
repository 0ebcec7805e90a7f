"""Boards: the command that shows one again, and every press on it."""

from __future__ import annotations

import asyncio

import discord
from discord import app_commands

from bot import respond
from bot.boards import Page
from bot.desk import Desk
from bot.errors import BadButtonError, NoBoardError, NoMoveThereError
from bot.router import Call, press_of
from bot.services import aids
from bot.services.aids import Typed
from bot.services.attempts import Played, Wish
from bot.store.attempts import AttemptRecord
from bot.store.players import Style
from bot.text import board as board_text
from bot.text import count, say
from bot.text.board import call_label
from bot.views import board as view
from bot.views.board import Board
from bot.views.ids import number
from bot.views.look import Look
from bot.views.rules import rules_card
from engine import Attempt, Event, EventKind, IllegalMoveError, Move, NotationError, parse_move
from engine.selection import press_pile


def board_command(desk: Desk) -> app_commands.Command[app_commands.Group, ..., None]:
    """Returns ``/board``."""

    @app_commands.command(name="board", description="Show your board again")
    @app_commands.allowed_installs(guilds=True, users=True)
    @app_commands.allowed_contexts(guilds=True, dms=True, private_channels=True)
    async def show(interaction: discord.Interaction) -> None:
        press, guild = press_of(interaction), interaction.guild_id
        taken = None if guild is None else await desk.races.seat(guild, press.player)
        if taken is not None:
            await desk.show_own(interaction, press, await desk.races.find(taken[0]))
            return
        alone = await desk.attempts.newest_alone(press.player)
        if alone is None:
            raise NoBoardError
        await desk.show_board(interaction, press, alone)

    return show


class BoardPresses:
    """The buttons of a board, of the pages behind it, and the form for typed moves."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def handle(self, call: Call) -> None:
        """Answers one press; its custom id is ``b:<attempt>:<seq>:<verb>…``."""
        attempt, seq, verb = number(call.part(0)), number(call.part(1)), call.part(2)
        match verb:
            case "pile" | "pick":
                await self._press_pile(call, attempt, seq)
            case "call":
                move = _parse(call.part(3))
                await self._act(call, attempt, seq, lambda a, at: a.play(move, at))
            case "undo":
                await self._act(call, attempt, seq, lambda a, at: a.undo(at))
            case "auto":
                aids.check_help(await self._desk.attempts.at(call.press, attempt, seq))
                await self._act(call, attempt, seq, aids.play_safe)
            case "hint":
                await self._hint(call, attempt, seq)
            case "typed":
                await self._type(call, attempt, seq)
            case "end":
                await self._act(call, attempt, seq, lambda a, at: a.forfeit(at))
            case "more" | "forfeit" | "back" | "free" | "view" | "type" | "rules":
                await self._turn(call, attempt, seq, verb)
            case _:
                raise BadButtonError

    async def _press_pile(self, call: Call, attempt: int, seq: int) -> None:
        pile, picked = call.part(3), call.parts[4] if len(call.parts) > 4 else None
        record = await self._desk.attempts.at(call.press, attempt, seq)
        if record.attempt.seq != seq or record.attempt.is_over:
            await self._show(call, Played(record))
            return
        meant = _meaning(record, pile, picked, free=call.part(2) == "pick")
        if isinstance(meant, Move):
            move = meant
            await self._act(call, attempt, seq, lambda a, at: a.play(move, at))
        else:
            await self._update(call, Board(record, picked=meant))

    async def _hint(self, call: Call, attempt: int, seq: int) -> None:
        """Names a move. It is looked for first, so that nobody pays for none, and paid for once a position."""
        record = await self._desk.attempts.at(call.press, attempt, seq)
        if record.attempt.seq != seq or record.attempt.is_over:
            await self._show(call, Played(record))
            return
        aids.check_hint(record)
        seen = record.attempt.state.observed()
        move = await self._desk.adviser.advise(record.attempt.rules, seen)
        if move is None:
            await self._update(call, Board(record, note=say(board_text.HINT_NONE)))
        elif record.attempt.hinted:
            await self._update(call, Board(record, hint=move))
        else:
            await self._act(call, attempt, seq, lambda a, at: a.take_hint(at), hint=move)

    async def _type(self, call: Call, attempt: int, seq: int) -> None:
        """Plays the moves of a form up to the first one that is not possible, and names that one."""
        aids.check_help(await self._desk.attempts.at(call.press, attempt, seq))
        text = call.fields.get(view.FIELD, "")
        typed = Typed((), 0)

        def wish(a: Attempt, at: int) -> tuple[Event, ...]:
            nonlocal typed
            typed = aids.play_typed(a, text, at)
            if not typed.events:
                raise IllegalMoveError(typed.refused or "")
            return typed.events

        try:
            played = await self._desk.attempts.act(call.press, attempt, seq, wish)
        except IllegalMoveError:
            record = await self._desk.attempts.at(call.press, attempt, seq)
            await self._update(call, Board(record, note=_typed_note(typed)))
            return
        note = _typed_note(typed) if played.events else None
        await self._tell(call, played, note=note)

    async def _turn(self, call: Call, attempt: int, seq: int, page: str) -> None:
        """Turns to a page behind the board, or back."""
        record = await self._desk.attempts.at(call.press, attempt, seq)
        shown = Board(record)
        if record.attempt.is_over:
            await self._update(call, shown)
            return
        match page:
            case "more":
                await self._page(call, record, lambda look: view.more(shown, look))
            case "forfeit":
                await self._page(call, record, lambda look: view.forfeit(shown))
            case "free":
                aids.check_help(record)
                await self._update(call, Board(record, free=True))
            case "view":
                await self._update(call, shown, style=_style(call.part(3)))
            case "type":
                aids.check_help(record)
                await respond.show_form(call.interaction, view.type_form(shown))
            case "rules":
                look = await self._look(call)
                card = await asyncio.to_thread(rules_card, record.attempt.rules, look.colours)
                await respond.answer(call.interaction, card)
            case _:
                await self._update(call, shown)

    async def _act(self, call: Call, attempt: int, seq: int, wish: Wish, *, hint: Move | None = None) -> None:
        await self._tell(call, await self._desk.attempts.act(call.press, attempt, seq, wish), hint=hint)

    async def _tell(
        self, call: Call, played: Played, *, note: str | None = None, hint: Move | None = None
    ) -> None:
        """Answers a press that has been saved. What follows from it does so even if the answer is lost."""
        try:
            await self._show(call, played, note=note, hint=hint)
        finally:
            if played.events:
                await self._desk.played(played.record)

    async def _show(
        self, call: Call, played: Played, *, note: str | None = None, hint: Move | None = None
    ) -> None:
        """Answers with the board after a press, or as it stands if the press came too late."""
        if played.is_stale:
            note = say(board_text.NOTE_STALE)
        await self._update(call, Board(played.record, note=note or _note(played.events), hint=hint))

    async def _look(self, call: Call) -> Look:
        return await self._desk.boards.look_of(call.press.player, call.press.at)

    async def _update(self, call: Call, shown: Board, *, style: Style | None = None) -> None:
        """Answers with the board, and says what is known of its deal if it is over and counts for nothing."""
        look = await self._look(call)
        if style is not None:
            look = look.in_style(style)
        await self._desk.verdicts.show(call.interaction, shown, look)
        self._desk.seats.shown(call.interaction, shown.record)

    async def _page(self, call: Call, record: AttemptRecord, page: Page) -> None:
        """Answers with a page behind the board of *record*."""
        await self._desk.boards.turn(call.interaction, page, await self._look(call))
        self._desk.seats.shown(call.interaction, record)


def _meaning(record: AttemptRecord, pile: str, picked: str | None, *, free: bool) -> Move | str | None:
    """Returns what a press of *pile* comes to: a move, the pile that is picked, or None where it is let go.

    :raises NoMoveThereError: if there is no move between these piles.
    """
    rules, state = record.attempt.rules, record.attempt.state
    try:
        if free and picked is None:
            if any(pile in (move.source, move.target) for move in rules.legal_moves(state)):
                return pile
            raise NoMoveThereError
        return press_pile(rules, state, pile, picked)
    except IllegalMoveError:
        raise NoMoveThereError from None


def _note(events: tuple[Event, ...]) -> str | None:
    first = events[0]
    match first.kind:
        case EventKind.MISTAKE if first.move is not None:
            return say(board_text.NOTE_MISTAKE, call=call_label(first.move))
        case EventKind.UNDO:
            return say(board_text.NOTE_UNDONE)
        case EventKind.MOVE if aids.moves_in(events) > 1:
            return count(board_text.NOTE_PLAYED_ONE, board_text.NOTE_PLAYED, aids.moves_in(events))
        case _:
            return None


def _typed_note(typed: Typed) -> str:
    if typed.refused is not None:
        move = "".join(char for char in typed.refused if char.isalnum())[:12] or "?"
        return say(board_text.NOTE_REFUSED, move=move, n=typed.played)
    if not typed.played:
        return say(board_text.NOTE_NOTHING)
    return count(board_text.NOTE_PLAYED_ONE, board_text.NOTE_PLAYED, typed.played)


def _style(name: str) -> Style:
    try:
        return Style(name)
    except ValueError:
        raise BadButtonError from None


def _parse(move: str) -> Move:
    try:
        return parse_move(move)
    except NotationError:
        raise BadButtonError from None
