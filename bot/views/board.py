"""A player's board: the cards, the buttons that play them, what has happened, and the pages behind it."""

from __future__ import annotations

from bot.render.inline import card_label
from bot.render.words import card_words, pile_words
from bot.services.aids import MOST_TYPED, may_help
from bot.services.practice import UNRANKED
from bot.store.attempts import Purpose
from bot.store.players import Style
from bot.text import Sentence, count, duration, instant, say, translate
from bot.text import board as board_text
from bot.text import result as result_text
from bot.text.games import game_name
from bot.views.buttons import ABREAST, act, controls
from bot.views.ids import board_id
from bot.views.look import Look
from bot.views.options import Board, Options, options_of
from bot.views.payload import Button, ButtonStyle, Form, Inner, Message, container, form, row, rows
from bot.views.payload import text as words
from bot.views.practice import restart_button, ways_on
from bot.views.tables import table
from engine import Attempt, Card, EndReason, Move, Result, Role, State, role

__all__ = ["ACCENT", "ACCENT_OVER", "ACCENT_WON", "Board", "board", "forfeit", "more", "tally", "type_form"]

ACCENT, ACCENT_WON, ACCENT_OVER = 0x5865F2, 0x23A55A, 0x80848E
FIELD = "moves"
"""The custom id of the one input of the form for typed moves."""

TITLES = {
    Purpose.RACE: board_text.TITLE_RACE,
    Purpose.DAILY: board_text.TITLE_DAILY,
    Purpose.ARCHIVE: board_text.TITLE_ARCHIVE,
    Purpose.PRACTICE: board_text.TITLE_PRACTICE,
}
FORFEITS = {Purpose.RACE: board_text.FORFEIT_RACE, Purpose.DAILY: board_text.FORFEIT_DAILY}


def board(shown: Board, look: Look) -> Message:
    """Returns the board with its buttons, or how the attempt ended."""
    options = options_of(shown)
    parts: list[Inner] = [words("\n".join(_head(shown, options, look)))]
    cards, files = table(shown, options, look)
    parts += cards
    if not shown.attempt.is_over:
        parts += rows(controls(shown, options, look), most=ABREAST)
    elif ways := ways_on(shown.record):
        parts.append(row(*ways))
    return Message.of(container(parts, _accent(shown.attempt)), files=files)


def more(shown: Board, look: Look) -> Message:
    """Returns the page behind the board's last button."""
    record, rules = shown.record, shown.attempt.rules
    lines: list[str] = []
    buttons: list[Button] = []
    if may_help(record):
        legal = rules.legal_moves(shown.attempt.state)
        names = shown.attempt.state.names
        example, piles = " ".join(map(str, legal[:2])), " ".join(names)
        letters = ", ".join(
            f"`{letter}` {pile_words(letter, translate)}"
            for letter in dict.fromkeys(name[0] for name in names)
        )
        lines.append(say(board_text.MORE_TYPE, example=example, piles=piles, letters=letters))
        buttons.append(act(shown, board_text.BUTTON_TYPE, "type"))
        if any(role(move.target) is Role.TABLEAU for move in legal):
            lines.append(say(board_text.MORE_FREE))
            buttons.append(act(shown, board_text.BUTTON_FREE, "free"))
        lines.append(say(board_text.MORE_AUTO))
    lines.append(say(board_text.MORE_LOOK))
    views = (
        (Style.EMOJI, board_text.BUTTON_EMOJI),
        (Style.IMAGE, board_text.BUTTON_IMAGE),
        (Style.TEXT, board_text.BUTTON_TEXT),
    )
    buttons += [act(shown, label, f"view:{style}") for style, label in views if style is not look.style]
    buttons.append(act(shown, board_text.BUTTON_RULES, "rules"))
    parts: list[Inner] = [
        words(say(board_text.MORE_TITLE, game=game_name(rules))),
        words("\n".join(f"- {line}" for line in lines)),
        *rows(buttons),
        row(
            act(shown, board_text.BUTTON_BACK, "back", ButtonStyle.PRIMARY),
            *([restart_button(record)] if record.purpose in UNRANKED else []),
            act(shown, board_text.BUTTON_FORFEIT, "forfeit", ButtonStyle.DANGER),
        ),
    ]
    return Message.of(container(parts, ACCENT))


def forfeit(shown: Board) -> Message:
    """Returns the question whether the player really gives up."""
    question = FORFEITS.get(shown.record.purpose, board_text.FORFEIT_ALONE)
    parts: list[Inner] = [
        words(say(question)),
        row(
            act(shown, board_text.BUTTON_BACK, "back", ButtonStyle.PRIMARY),
            act(shown, board_text.BUTTON_REALLY_FORFEIT, "end", ButtonStyle.DANGER),
        ),
    ]
    return Message.of(container(parts, ACCENT))


def type_form(shown: Board) -> Form:
    """Returns the form in which moves are typed."""
    legal = [str(move) for move in shown.attempt.rules.legal_moves(shown.attempt.state)]
    return form(
        board_id(shown.id, shown.attempt.seq, "typed"),
        say(board_text.FORM_TITLE),
        field=FIELD,
        label=say(board_text.FORM_LABEL),
        description=say(board_text.FORM_HELP, example=legal[0]),
        placeholder=" ".join(legal[:3]),
        most=MOST_TYPED * 5,
    )


def tally(attempt: Attempt, template: Sentence, **more_values: str) -> str:
    """Returns the counts of *attempt* as *template* has them."""
    mistakes = count(result_text.MISTAKES_ONE, result_text.MISTAKES, attempt.mistakes)
    return say(
        template,
        cards=count(result_text.CARDS_LEFT_ONE, result_text.CARDS_LEFT, attempt.cards_left),
        moves=count(result_text.MOVES_ONE, result_text.MOVES, attempt.moves),
        mistakes=f" · {mistakes}" if attempt.mistakes else "",
        **more_values,
    )


def counts(done: Attempt | Result, *, with_cards: bool = True) -> str:
    """Returns what is counted: cards left, if *with_cards*, and moves, mistakes and help where there were any."""
    parts = [count(result_text.CARDS_LEFT_ONE, result_text.CARDS_LEFT, done.cards_left)] if with_cards else []
    parts.append(count(result_text.MOVES_ONE, result_text.MOVES, done.moves))
    for one, many, n in (
        (result_text.MISTAKES_ONE, result_text.MISTAKES, done.mistakes),
        (result_text.UNDOS_ONE, result_text.UNDOS, done.undos),
        (result_text.HINTS_ONE, result_text.HINTS, done.hints),
    ):
        if n:
            parts.append(count(one, many, n))
    return " · ".join(parts)


def hint_line(move: Move, state: State, look: Look) -> str:
    """Returns a hint in words."""
    card = state[move.source].exposed
    if card is None:
        return say(board_text.HINT_DEAL)
    return say(
        board_text.HINT_CARD,
        card=_card(card, look),
        source=pile_words(move.source, translate),
        target=pile_words(move.target, translate),
    )


def _head(shown: Board, options: Options, look: Look) -> list[str]:
    """Returns the title, the counts, and one line on what has just happened or can be done now."""
    attempt = shown.attempt
    lines = [say(TITLES[shown.record.purpose], game=game_name(attempt.rules))]
    if (result := attempt.result) is not None:
        lines.append(say(result_text.ENDS[result.reason], time=duration(result.time)))
        lines.append(say(board_text.BOARD_DONE, counts=counts(result)))
        lines += [shown.note] if shown.note else []
        lines += [say(board_text.END_WAIT)] if shown.record.race is not None else []
        return lines
    lines.append(say(board_text.BOARD_CLOCK, counts=counts(attempt), relative=instant(attempt.start)))
    return [*lines, shown.note or _tip(shown, options, look)]


def _tip(shown: Board, options: Options, look: Look) -> str:
    if shown.attempt.rules.calls:
        return say(board_text.TIP_CALLS)
    if shown.hint is not None:
        return hint_line(shown.hint, options.state, look)
    if shown.picked is None:
        return say(board_text.TIP_FREE if shown.free else board_text.TIP_PILES)
    exposed = options.state[shown.picked].exposed if shown.picked in options.state.names else None
    if exposed is None or role(shown.picked) is Role.FOUNDATION:
        return say(board_text.PICKED_PLACE, pile=pile_words(shown.picked, translate))
    return say(board_text.PICKED, card=_card(exposed, look))


def _card(card: Card, look: Look) -> str:
    return card_words(card, translate) if look.style is Style.TEXT else card_label(card)


def _accent(attempt: Attempt) -> int:
    if attempt.result is None:
        return ACCENT
    return ACCENT_WON if attempt.result.reason is EndReason.WON else ACCENT_OVER
