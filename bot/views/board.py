"""A player's board: the cards, the buttons that play them, and what has happened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.text import Sentence, count, duration, instant, say
from bot.text import board as board_text
from bot.text import result as result_text
from bot.text.board import call_label
from bot.views.faces import Faces
from bot.views.ids import BOARD, make_id
from bot.views.payload import Button, ButtonStyle, Inner, Message, button, container, row, rows, section
from bot.views.payload import text as words
from engine import SUITS, Attempt, EndReason, Move, Role, State, role
from engine.selection import pressable_piles

ACCENT, ACCENT_WON, ACCENT_OVER = 0x5865F2, 0x23A55A, 0x80848E
FAN = 4
"""How many cards at the right end of a hand are fanned out."""
SECTIONS_FROM = 6
"""From how many tableau piles on each pile has its button at the end of its line."""
RUN = 5
"""How many cards of a long pile are shown where each pile has one line."""


@dataclass(frozen=True, slots=True)
class Board:
    """What is shown: the attempt, which pile is picked, and a sentence on what has just happened."""

    id: int
    attempt: Attempt
    picked: str | None = None
    note: str | None = None


def board(shown: Board, faces: Faces) -> Message:
    """Returns the board with its buttons, or how the attempt ended."""
    attempt, state = shown.attempt, shown.attempt.state.observed()
    parts: list[Inner] = [words("\n".join(_head(shown)))]
    if attempt.is_over:
        parts += _table(shown, state, faces, live=False)
        return Message.of(container(parts, _accent(attempt)))
    parts += _table(shown, state, faces, live=True)
    parts.append(row(*_controls(shown)))
    return Message.of(container(parts, ACCENT))


def more(shown: Board) -> Message:
    """Returns the menu behind the board's last button."""
    return Message.of(
        container(
            [
                words(say(board_text.BOARD_TITLE, game=shown.attempt.rules.name)),
                words("\n".join(f"- {line}" for line in shown.attempt.rules.how_to_play)),
                row(
                    _button(shown, board_text.BUTTON_BACK, "back", ButtonStyle.PRIMARY),
                    _button(shown, board_text.BUTTON_FORFEIT, "forfeit", ButtonStyle.DANGER),
                ),
            ],
            ACCENT,
        )
    )


def forfeit(shown: Board) -> Message:
    """Returns the question whether the player really gives up."""
    return Message.of(
        container(
            [
                words(say(board_text.FORFEIT_ASK)),
                row(
                    _button(shown, board_text.BUTTON_BACK, "back", ButtonStyle.PRIMARY),
                    _button(shown, board_text.BUTTON_REALLY_FORFEIT, "end", ButtonStyle.DANGER),
                ),
            ],
            ACCENT,
        )
    )


def tally(attempt: Attempt, template: Sentence, **more_values: str) -> str:
    """Returns the counts of *attempt* as *template* has them."""
    mistakes = (
        f" · {count(result_text.MISTAKES_ONE, result_text.MISTAKES, attempt.mistakes)}"
        if attempt.mistakes
        else ""
    )
    return say(
        template,
        cards=count(result_text.CARDS_LEFT_ONE, result_text.CARDS_LEFT, attempt.cards_left),
        moves=count(result_text.MOVES_ONE, result_text.MOVES, attempt.moves),
        mistakes=f" · {mistakes}" if attempt.mistakes else "",
        **more_values,
    )


def _head(shown: Board) -> list[str]:
    attempt = shown.attempt
    lines = [say(board_text.BOARD_TITLE, game=attempt.rules.name)]
    if (result := attempt.result) is not None:
        lines.append(say(result_text.ENDS[result.reason], time=duration(result.time)))
        lines += [tally(attempt, board_text.BOARD_DONE), say(board_text.END_WAIT)]
    else:
        lines.append(tally(attempt, board_text.BOARD_CLOCK, relative=instant(attempt.start)))
        if shown.picked is not None:
            lines.append(say(board_text.PICKED, pile=_pile_name(shown.picked)))
    if shown.note:
        lines.append(shown.note)
    return lines


def _accent(attempt: Attempt) -> int:
    won = attempt.result is not None and attempt.result.reason is EndReason.WON
    return ACCENT_WON if won else ACCENT_OVER


def _table(shown: Board, state: State, faces: Faces, *, live: bool) -> list[Inner]:
    by_role: dict[Role, list[str]] = {}
    for name in state.names:
        by_role.setdefault(role(name), []).append(name)
    tableau = by_role.get(Role.TABLEAU, [])
    parts: list[Inner] = []
    if Role.HAND in by_role:
        parts += _hand(shown, state, faces, live=live)
    elif len(tableau) < SECTIONS_FROM or not live:
        parts += _piles(state, tableau, faces)
    else:
        parts += _sections(shown, state, tableau, faces)
    foundations = by_role.get(Role.FOUNDATION, [])
    if foundations:
        parts.append(words(_foundations(state, foundations, faces)))
    if Role.WASTE in by_role:
        line = f"**{say(board_text.WASTE)}** {faces.line(state['w'].cards, most=RUN)}"
        live_waste = live and bool(state["w"].cards)
        parts.append(section(line, _pile_button(shown, "w", faces)) if live_waste else words(line))
    if live and tableau and len(tableau) < SECTIONS_FROM:
        parts += rows([_pile_button(shown, name, faces) for name in tableau])
        parts += rows([_pile_button(shown, name, faces) for name in foundations])
    return parts


def _hand(shown: Board, state: State, faces: Faces, *, live: bool) -> list[Inner]:
    hand = state["h"].cards
    older = hand[:-FAN]
    counts = [
        f"**{say(board_text.STOCK)}** {len(state['s'])}",
        f"**{say(board_text.DISCARDED)}** {len(state['d'])}",
        f"**{say(board_text.HAND)}** {len(hand)}",
    ]
    parts: list[Inner] = [words(" · ".join(counts))]
    if older:
        parts.append(words(f"-# {say(board_text.OLDER, n=len(older))}: {faces.line(older[-8:])}"))
    parts.append(words(f"## {faces.line(hand[-FAN:])}"))
    if live:
        calls = shown.attempt.rules.calls
        parts += rows([_button(shown, call_label(move), f"call:{move}", _call_style(move)) for move in calls])
    return parts


def _piles(state: State, names: Sequence[str], faces: Faces) -> list[Inner]:
    lines = [f"**{_pile_name(name)}** {faces.line(state[name].cards)}" for name in names]
    return [words("\n".join(lines))]


def _sections(shown: Board, state: State, names: Sequence[str], faces: Faces) -> list[Inner]:
    return [
        section(
            f"**{_pile_name(name)}** {faces.line(state[name].cards, most=RUN)}",
            _pile_button(shown, name, faces),
        )
        for name in names
    ]


def _foundations(state: State, names: Sequence[str], faces: Faces) -> str:
    tops = [faces.line(state[name].cards[-1:], suit=_suit(name)) for name in names]
    return f"**{say(board_text.FOUNDATIONS)}** {' '.join(tops)}"


def _suit(foundation: str) -> int | None:
    """Returns the suit that the name of a foundation promises, if it does: ``fh`` takes hearts."""
    found = SUITS.find(foundation[1:].upper())
    return None if found < 0 else found


def _controls(shown: Board) -> list[Button]:
    attempt = shown.attempt
    controls: list[Button] = []
    deal = Move("s", "w")
    if "w" in attempt.state.names:
        controls.append(
            _button(
                shown,
                say(board_text.BUTTON_DEAL, n=len(attempt.state["s"])),
                f"call:{deal}",
                ButtonStyle.PRIMARY,
                disabled=not attempt.rules.is_legal(attempt.state, deal),
            )
        )
    controls.append(_button(shown, board_text.BUTTON_UNDO, "undo", disabled=not attempt.can_undo))
    controls.append(_button(shown, board_text.BUTTON_MORE, "more"))
    return controls


def _pile_button(shown: Board, name: str, faces: Faces) -> Button:
    attempt, picked = shown.attempt, shown.picked
    exposed = attempt.state[name].exposed
    label = _pile_name(name) + (f" {faces.label(exposed)}" if exposed else "")
    style = ButtonStyle.SECONDARY
    if picked is not None:
        style = ButtonStyle.SUCCESS if name == picked else ButtonStyle.PRIMARY
    usable = name in pressable_piles(attempt.rules.legal_moves(attempt.state), picked)
    verb = f"pile:{name}" if picked is None else f"pile:{name}:{picked}"
    return _button(shown, label, verb, style if usable else ButtonStyle.SECONDARY, disabled=not usable)


def _call_style(move: Move) -> ButtonStyle:
    return ButtonStyle.PRIMARY if role(move.source) is Role.STOCK else ButtonStyle.SECONDARY


def _pile_name(name: str) -> str:
    if name == "w":
        return say(board_text.WASTE)
    return f"→{name[1:]}" if role(name) is Role.FOUNDATION else name[1:]


def _button(
    shown: Board,
    label: str,
    verb: str,
    style: ButtonStyle = ButtonStyle.SECONDARY,
    *,
    disabled: bool = False,
) -> Button:
    custom_id = make_id(BOARD, shown.id, shown.attempt.seq, verb)
    return button(str(label), custom_id, style, disabled=disabled)
