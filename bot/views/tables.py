"""The table on a board: in emoji or characters, as a picture, in words."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from bot.render.layout import FAN_LENGTH, Heaps, suit_of_pile
from bot.render.palette import Colours
from bot.render.table import draw_table
from bot.render.words import alt_text, heap_words, table_lines
from bot.store.players import Style
from bot.text import board as board_text
from bot.text import say, translate
from bot.views.buttons import ABREAST, call_buttons, mark_of, pile_button, short_name
from bot.views.faces import Line
from bot.views.look import Look
from bot.views.options import Board, Options
from bot.views.payload import Button, File, Inner, Text, gallery, rows, section
from bot.views.payload import text as words
from engine import Role, State, role

SECTIONS_FROM = 6
"""From how many tableau piles on each pile has its button at the end of its line."""


def table(board: Board, options: Options, look: Look) -> tuple[list[Inner], list[File]]:
    """Returns the table with the buttons of its piles, or of the game's calls, and the files that it shows."""
    if look.style is Style.IMAGE:
        return _picture(board, options, look)
    if look.style is Style.TEXT:
        lines = table_lines(
            options.state, selected=board.picked, targets=_places(board, options), say=translate
        )
        return [words("\n".join(lines)), *_all_rows(board, options, look)], []
    if _named(options.state, Role.HAND):
        return _hand(board, options, look), []
    if len(_named(options.state, Role.TABLEAU)) >= SECTIONS_FROM:
        return _sections(board, options, look), []
    return _lines(board, options, look), []


def _picture(board: Board, options: Options, look: Look) -> tuple[list[Inner], list[File]]:
    state, selected = options.state, options.selected
    targets = sorted(options.targets)
    alt = alt_text(state, selected=board.picked, targets=_places(board, options), say=translate)
    png = _drawn(state, look.colours, selected, tuple(targets), heap_words(translate))
    file = File(f"board-{board.id}-{board.attempt.seq}.png", png, alt)
    parts: list[Inner] = [gallery(f"attachment://{file.name}", alt)]
    return parts + _all_rows(board, options, look), [file]


def _places(board: Board, options: Options) -> list[str]:
    """Returns where the picked card may go. A hint is no choice of the player's, and is told in a line of its own."""
    return [] if board.picked is None else sorted(options.targets)


@lru_cache(maxsize=64)
def _drawn(
    state: State, colours: Colours, selected: str | None, targets: tuple[str, ...], heaps: Heaps
) -> bytes:
    """Returns a picture of the table. All boards of a race are alike at its start, so the last ones are kept."""
    return draw_table(state, colours=colours, selected=selected, targets=targets, heaps=heaps)


def _hand(board: Board, options: Options, look: Look) -> list[Inner]:
    state = options.state
    parts: list[Inner] = [words(" · ".join(_counts(state)))]
    for name in _named(state, Role.HAND):
        hand = state[name].cards
        if len(hand) > FAN_LENGTH:
            parts.append(words(say(board_text.OLDER, cards=look.faces.cards(hand[:-FAN_LENGTH]))))
        parts.append(words(look.faces.fan(hand[-FAN_LENGTH:])))
    return parts if board.attempt.is_over else parts + list(rows(call_buttons(board)))


def _lines(board: Board, options: Options, look: Look) -> list[Inner]:
    """Returns piles of which every card is shown, and below them their buttons in one row."""
    state = options.state
    tableau, foundations = _named(state, Role.TABLEAU), _named(state, Role.FOUNDATION)
    lines = [_line(board, options, name) for name in tableau]
    parts: list[Inner] = [words(text) for text in look.faces.piles(lines)]
    parts += rows(_buttons(board, options, look, tableau))
    if foundations:
        parts.append(_tops(board, options, look, foundations))
        parts += rows(_buttons(board, options, look, foundations), most=ABREAST)
    return parts


def _sections(board: Board, options: Options, look: Look) -> list[Inner]:
    """Returns piles as lines that end with their buttons; long runs show their first and last cards."""
    state, faces = options.state, look.faces
    tableau, foundations = _named(state, Role.TABLEAU), _named(state, Role.FOUNDATION)
    parts: list[Inner] = []
    if foundations:
        places = [name for name in foundations if name in options.targets]
        tops = _tops(board, options, look, foundations, heading=True)
        if len(places) == 1:
            accessory = pile_button(board, options, look, places[0], beside=True)
            parts.append(section(tops["content"], accessory))
        else:
            parts += [tops, *rows(_buttons(board, options, look, places))]
    over = board.attempt.is_over
    for name in tableau:
        line = faces.pile(_line(board, options, name))
        parts.append(
            words(line) if over else section(line, pile_button(board, options, look, name, beside=True))
        )
    for name in _named(state, Role.WASTE):
        count = say(board_text.WASTE, n=len(state[name]))
        text = faces.pile(_line(board, options, name, label=count, loose=True))
        live = not over and len(state[name]) > 0
        parts.append(
            section(text, pile_button(board, options, look, name, beside=True)) if live else words(text)
        )
    return parts


def _tops(
    board: Board, options: Options, look: Look, foundations: Sequence[str], *, heading: bool = False
) -> Text:
    tops = look.faces.tops([_line(board, options, name) for name in foundations])
    return words(say(board_text.FOUNDATIONS_HEADING if heading else board_text.FOUNDATIONS, cards=tops))


def _line(
    board: Board, options: Options, name: str, *, label: str | None = None, loose: bool = False
) -> Line:
    shown = short_name(name) if label is None else label
    mark = mark_of(board, options, name)
    return Line(shown, options.state[name], mark, suit_of_pile(name), loose)


def _counts(state: State) -> list[str]:
    sentences = (
        (Role.STOCK, board_text.STOCK),
        (Role.DISCARD, board_text.DISCARDED),
        (Role.HAND, board_text.HAND),
    )
    return [say(sentence, n=len(state[name])) for kind, sentence in sentences for name in _named(state, kind)]


def _all_rows(board: Board, options: Options, look: Look) -> list[Inner]:
    """Returns the buttons of a table that is shown apart from them: piles, foundations, the waste."""
    if board.attempt.is_over:
        return []
    if board.attempt.rules.calls:
        return list(rows(call_buttons(board)))
    state = options.state
    tableau, foundations = _named(state, Role.TABLEAU), _named(state, Role.FOUNDATION)
    if len(tableau) >= SECTIONS_FROM:
        foundations = tuple(name for name in foundations if name in options.targets)
    waste = tuple(name for name in _named(state, Role.WASTE) if len(state[name]))
    return [
        made
        for names in (tableau, foundations + waste)
        for made in rows(_buttons(board, options, look, names), most=ABREAST)
    ]


def _buttons(board: Board, options: Options, look: Look, names: Sequence[str]) -> list[Button]:
    return [] if board.attempt.is_over else [pile_button(board, options, look, name) for name in names]


def _named(state: State, kind: Role) -> tuple[str, ...]:
    return _of_role(state.names, kind)


@lru_cache(maxsize=256)
def _of_role(names: tuple[str, ...], kind: Role) -> tuple[str, ...]:
    return tuple(name for name in names if role(name) is kind)
