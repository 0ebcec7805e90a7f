"""The public message of a race, and the private one of an entrant who waits for it."""

from __future__ import annotations

from collections.abc import Sequence

from bot.services.races import RaceView, Runner
from bot.store.races import RaceRecord
from bot.text import Sentence, duration, harmless, instant, say, speaking
from bot.text import help as help_text
from bot.text import lobby as lobby_text
from bot.text import result as result_text
from bot.text.games import game_goal, game_name
from bot.text.names import name_of, plain_name_of
from bot.views.board import ACCENT, ACCENT_OVER, ACCENT_WON, tally
from bot.views.ids import RACE, make_id
from bot.views.moderation import judgement_lines
from bot.views.payload import (
    Button,
    ButtonStyle,
    Inner,
    Message,
    Option,
    Row,
    button,
    container,
    menu,
    row,
    with_names_that_fit,
)
from bot.views.payload import text as words
from bot.views.practice import certificate
from engine import Entrant, Phase, commitment
from engine.race import MAX_ENTRANTS

DETAILED = 12
"""Up to how many entrants the end of each is told in a sentence; of more in a word, to fit into one message."""
BAR = 10
"""The length of a progress bar, in characters."""


def lobby(view: RaceView) -> Message:
    """Returns the public message of a race in whatever phase it is, in the language of the race."""
    with speaking(view.record.locale):
        return with_names_that_fit(lambda most: _lobby(view, most))


def _lobby(view: RaceView, most: int) -> Message:
    """Returns the public message with names of at most *most* characters."""
    record = view.record
    parts: list[Inner] = [words(_head(view))]
    match record.race.phase:
        case Phase.OPEN | Phase.COUNTDOWN:
            parts += [words(_entrants(view, most)), words(_state_of(record))]
        case Phase.RUNNING | Phase.FINISHED:
            is_brief = len(view.runners) > DETAILED
            lines = [_runner(each, most, is_brief=is_brief) for each in view.runners]
            parts += [words("\n".join(lines)), words(_state_of(record))]
        case Phase.CANCELLED:
            parts.append(words(_cancelled(view)))
    if record.race.phase is not Phase.CANCELLED:
        parts.append(words(_commitment(record)))
    buttons = _buttons(record)
    if buttons:
        parts.append(row(*buttons))
    accent = {Phase.FINISHED: ACCENT_WON, Phase.CANCELLED: ACCENT_OVER}.get(record.race.phase, ACCENT)
    return Message.of(container(parts, accent))


def seat(
    view: RaceView, player: int, *, first: bool = False, removable: Sequence[Entrant] | None = None
) -> Message:
    """Returns the private message of *player*, who is or was an entrant, while the race has not begun.

    *first*: the player has never played, and is told where to look. *removable*: the host has asked whom to remove.
    """
    record, race = view.record, view.record.race
    entrant = race.find(player)
    title = words(say(lobby_text.SEAT_TITLE, game=game_name(record.rules)))
    if entrant is None:
        gone = lobby_text.SEAT_REMOVED if player in race.removed else lobby_text.SEAT_LEFT
        return Message.of(container([words(say(gone))], ACCENT_OVER))
    if race.phase is Phase.CANCELLED:
        return Message.of(container([words(_cancelled(view))], ACCENT_OVER))
    leave = _button(record, lobby_text.BUTTON_LEAVE, "leave", ButtonStyle.DANGER)
    with speaking(record.locale):  # as the buttons of the public message are labelled
        start, rules, opens = map(
            say, (lobby_text.BUTTON_START, lobby_text.BUTTON_RULES, lobby_text.BUTTON_OPEN)
        )
    told_first = [say(help_text.FIRST_RACE, rules=rules)] * first
    lost = words("\n".join([*told_first, say(lobby_text.SEAT_LOST, open=opens)]))
    cancel = _button(record, lobby_text.BUTTON_CANCEL, "cancel", ButtonStyle.DANGER)
    if race.phase is Phase.COUNTDOWN and race.start_at is not None:
        ways = row(leave, cancel) if player == race.host else row(leave)
        starts = say(
            lobby_text.SEAT_STARTS, relative=instant(race.start_at), time=instant(race.start_at, "T")
        )
        return Message.of(container([title, words(starts), lost, ways], ACCENT))
    state = [say(lobby_text.SEAT_READY if entrant.ready else lobby_text.SEAT_NOT_READY)]
    toggle = (
        _button(record, lobby_text.BUTTON_NOT_READY, "unready")
        if entrant.ready
        else _button(record, lobby_text.BUTTON_READY, "ready", ButtonStyle.SUCCESS)
    )
    parts: list[Inner] = [title]
    if player != race.host:
        return Message.of(container([title, words("\n".join(state)), lost, row(toggle, leave)], ACCENT))
    remove = _button(record, lobby_text.BUTTON_REMOVE, "whom")
    state.append(say(lobby_text.SEAT_HOST, start=start))
    parts += [words("\n".join(state)), lost, row(toggle, leave, cancel, remove)]
    if removable is not None:
        parts.append(_remove_menu(view, removable) if removable else words(say(lobby_text.SEAT_ALONE)))
    return Message.of(container(parts, ACCENT))


def sentence(content: str) -> Message:
    """Returns a message of one sentence."""
    return Message.of(words(content))


def _head(view: RaceView) -> str:
    record = view.record
    kind = (
        lobby_text.RANKED
        if record.ranked
        else lobby_text.UNRANKED_SEED
        if record.typed
        else lobby_text.UNRANKED
    )
    hosted = say(
        lobby_text.HOSTED,
        host=name_of(record.race.host, view.names),
        minutes=(record.race.limit - record.outage) // 60_000,
        kind=say(kind),
    )
    return "\n".join(
        (say(lobby_text.RACE_TITLE, game=game_name(record.rules)), game_goal(record.rules), hosted)
    )


def _entrants(view: RaceView, most: int) -> str:
    names = [
        _name(each, most) + (f" ({say(lobby_text.READY_MARK)})" if each.entrant.ready else "")
        for each in view.runners
    ]
    lines = [say(lobby_text.ENTRANTS, n=len(names), most=MAX_ENTRANTS), ", ".join(names)]
    if view.invited:
        lines.append(say(lobby_text.INVITED, names=", ".join(harmless(name, most) for name in view.invited)))
    return "\n".join(lines)


def _state_of(record: RaceRecord) -> str:
    race = record.race
    if race.phase is Phase.OPEN or race.start_at is None or race.deadline is None:
        return say(lobby_text.JOIN_HINT)
    relative, time = instant(race.start_at), instant(race.start_at, "T")
    if race.phase is Phase.COUNTDOWN:
        return say(lobby_text.STARTS, relative=relative, time=time)
    if race.phase is Phase.FINISHED:
        return say(lobby_text.FINISHED)
    lines = [say(lobby_text.RUNNING, relative=relative, time=instant(race.deadline, "T"))]
    if record.outage:
        lines.append(say(lobby_text.OUTAGE, seconds=record.outage // 1000))
    return "\n".join(lines)


def _cancelled(view: RaceView) -> str:
    return "\n".join((say(lobby_text.CANCELLED), *judgement_lines(view.judgements, view.names)))


def _runner(runner: Runner, most: int, *, is_brief: bool) -> str:
    attempt, result, name = runner.attempt, runner.entrant.result, _name(runner, most)
    if attempt is None:
        state = (
            say(lobby_text.WAITING)
            if result is None
            else say(result_text.ENDS[result.reason], time=duration(result.time))
        )
        return say(lobby_text.RUNNER, bar="░" * BAR, name=name, state=state)
    done = (attempt.dealt - attempt.cards_left) * BAR // attempt.dealt
    state = tally(attempt, lobby_text.NOT_DONE)
    if result is not None:
        time = duration(result.time)
        end = (
            say(lobby_text.DONE_SHORT, end=say(result_text.SHORT_ENDS[result.reason]), time=time)
            if is_brief
            else say(result_text.ENDS[result.reason], time=time)
        )
        state = f"{end} · {state}"
    bar = "█" * done + "░" * (BAR - done)
    return say(lobby_text.RUNNER, bar=bar, name=name, state=state)


def _commitment(record: RaceRecord) -> str:
    certified = certificate(record.rules, record.band)
    committed = say(lobby_text.COMMITMENT, hash=commitment(record.rules.key, record.seed, record.salt))
    return committed if certified is None else f"{certified}\n{committed}"


def _buttons(record: RaceRecord) -> list[Button]:
    rules = _button(record, lobby_text.BUTTON_RULES, "rules")
    match record.race.phase:
        case Phase.OPEN:
            return [
                _button(record, lobby_text.BUTTON_JOIN, "join", ButtonStyle.SUCCESS),
                _button(record, lobby_text.BUTTON_START, "start", ButtonStyle.PRIMARY),
                _button(record, lobby_text.BUTTON_OPEN, "board"),
                rules,
            ]
        case Phase.COUNTDOWN | Phase.RUNNING:
            return [_button(record, lobby_text.BUTTON_OPEN, "board", ButtonStyle.PRIMARY), rules]
        case _:
            return []


def _remove_menu(view: RaceView, removable: Sequence[Entrant]) -> Row:
    names = {runner.entrant.player: runner.name for runner in view.runners}
    options: list[Option] = [
        {"label": plain_name_of(each.player, names), "value": str(each.player)} for each in removable
    ]
    return menu(make_id(RACE, view.record.id, "remove"), options, say(lobby_text.REMOVE_PLACEHOLDER))


def _name(runner: Runner, most: int) -> str:
    return name_of(runner.entrant.player, {runner.entrant.player: runner.name}, most)


def _button(
    record: RaceRecord, label: Sentence, verb: str, style: ButtonStyle = ButtonStyle.SECONDARY
) -> Button:
    return button(say(label), make_id(RACE, record.id, verb), style)
