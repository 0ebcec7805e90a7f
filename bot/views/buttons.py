"""The buttons of a board."""

from __future__ import annotations

from bot.render.inline import card_label
from bot.render.layout import suit_of_pile
from bot.render.words import card_words, cut, pile_words
from bot.services.aids import may_help, may_hint
from bot.store.players import Style
from bot.text import Sentence, say, translate
from bot.text import board as board_text
from bot.text.board import call_label
from bot.views.faces import Mark
from bot.views.ids import board_id
from bot.views.look import Look
from bot.views.options import Board, Options
from bot.views.payload import MAX_LABEL, Button, ButtonStyle, Emoji, button
from engine import Card, Move, Role, role

DEAL = Move("s", "w")
ABREAST = 4
"""How many buttons fit beside one another on a phone."""


def act(
    board: Board,
    label: Sentence,
    verb: str,
    style: ButtonStyle = ButtonStyle.SECONDARY,
    *,
    enabled: bool = True,
) -> Button:
    """Returns a button of *board* whose press does *verb*."""
    return button(say(label), _id(board, verb), style, disabled=not enabled)


def pile_button(board: Board, options: Options, look: Look, name: str, *, beside: bool = False) -> Button:
    """Returns the button of the pile *name*; *beside* the pile itself it needs not show the exposed card again."""
    verb = f"{'pick' if board.free else 'pile'}:{name}"
    if board.picked is not None:
        verb = f"pile:{name}:{board.picked}"
    mark = mark_of(board, options, name)
    style = ButtonStyle.SECONDARY
    if mark is not None:
        style = ButtonStyle.PRIMARY if mark is Mark.TARGET else ButtonStyle.SUCCESS
    label, emoji = _face(options, look, name, mark, beside=beside)
    return button(label, _id(board, verb), style, disabled=name not in options.pressable, emoji=emoji)


def call_buttons(board: Board) -> list[Button]:
    """Returns the calls of the game, all of them always open."""
    calls = sorted(board.attempt.rules.calls, key=_call_place)
    return [button(call_label(move), _id(board, f"call:{move}"), _call_style(move)) for move in calls]


def controls(board: Board, options: Options, look: Look) -> list[Button]:
    """Returns the last row: the stock, what helps, and the way to everything else."""
    record, attempt = board.record, board.attempt
    made: list[Button] = []
    if "w" in options.state.names:
        made.append(
            button(
                say(board_text.BUTTON_DEAL, n=len(options.state["s"])),
                _id(board, f"call:{DEAL}"),
                ButtonStyle.PRIMARY,
                disabled=DEAL not in options.legal,
                emoji=look.faces.mark(Mark.HINT) if board.hint == DEAL else None,
            )
        )
    made.append(act(board, board_text.BUTTON_UNDO, "undo", enabled=attempt.can_undo))
    if may_hint(record):
        made.append(act(board, board_text.BUTTON_HINT, "hint"))
    if may_help(record):
        label = board_text.BUTTON_FINISH if options.finishes else board_text.BUTTON_AUTO
        style = ButtonStyle.SUCCESS if options.finishes else ButtonStyle.SECONDARY
        made.append(act(board, label, "auto", style, enabled=options.safe))
    made.append(act(board, board_text.BUTTON_MORE, "more"))
    return made


def mark_of(board: Board, options: Options, name: str) -> Mark | None:
    """Returns the mark of the pile *name*."""
    if name == options.selected:
        return Mark.SELECTED if board.picked is not None else Mark.HINT
    return Mark.TARGET if name in options.targets else None


def short_name(name: str) -> str:
    """Returns what stands on the button of a pile: its number, or an F and its number or suit."""
    if role(name) is Role.TABLEAU:
        return name[1:]
    return say(board_text.BUTTON_WASTE) if role(name) is Role.WASTE else name.upper()


def _face(
    options: Options, look: Look, name: str, mark: Mark | None, *, beside: bool
) -> tuple[str, Emoji | None]:
    """Returns the label and the emoji of a pile's button."""
    if beside and look.style is not Style.TEXT:
        return short_name(name), None if mark is None else look.faces.mark(mark)
    exposed = options.state[name].exposed
    if look.style is Style.TEXT:
        return _in_words(name, exposed, mark), None
    label, emoji = look.faces.on_button(exposed, suit_of_pile(name))
    if mark is not None and emoji is not None:
        return short_name(name) if exposed is None else card_label(exposed), look.faces.mark(mark)
    if mark is not None:
        return f"{short_name(name)} {label}", look.faces.mark(mark)
    if emoji is None or exposed is None:
        return f"{short_name(name)} {label}".rstrip(), emoji
    return label, emoji


def _in_words(name: str, exposed: Card | None, mark: Mark | None) -> str:
    """Returns the label of a pile's button for those who listen to it."""
    label = pile_words(name, translate)
    if exposed is not None:
        label = say(board_text.BUTTON_CARD, pile=label, card=card_words(exposed, translate))
    marked = {
        Mark.SELECTED: board_text.BUTTON_CHOSEN,
        Mark.TARGET: board_text.BUTTON_TARGET,
        Mark.HINT: board_text.BUTTON_HINTED,
    }
    return cut(label if mark is None else say(marked[mark], button=label), MAX_LABEL)


def _call_place(move: Move) -> tuple[int, int]:
    """Returns where a call stands in its row: draw, the discards by their number of cards, recycle."""
    if role(move.source) is Role.STOCK:
        return 0, 0
    return 2 if role(move.target) is Role.HAND else 1, move.count


def _call_style(move: Move) -> ButtonStyle:
    return ButtonStyle.PRIMARY if role(move.source) is Role.STOCK else ButtonStyle.SECONDARY


def _id(board: Board, verb: str) -> str:
    record = board.record
    return board_id(record.id, record.attempt.seq, verb)
