"""A replay: the table at one step, what happened there and just before, and the ways to all other steps.

All that a press needs stands in its custom id: ``v:<verb>:<attempt>:<other>:<step>``, the *other* attempt being 0
where one is watched alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from bot.render.film import Scene, draw_scene
from bot.render.inline import card_label
from bot.render.words import alt_text, heap_words, pile_words, table_lines
from bot.services.replays import Footage, Pair, Reel, Rival, Step, is_notable
from bot.store.players import Style
from bot.text import Sentence, decimal, duration, say, translate
from bot.text import replay as replay_text
from bot.text.board import call_label
from bot.text.games import game_name
from bot.text.names import name_of, plain_name_of
from bot.views.board import ACCENT, counts
from bot.views.ids import REPLAY, make_id
from bot.views.look import Look
from bot.views.options import Board, Options
from bot.views.payload import (
    Button,
    ButtonStyle,
    File,
    Inner,
    Message,
    Option,
    Row,
    button,
    container,
    gallery,
    menu,
    row,
)
from bot.views.payload import text as words
from bot.views.tables import table
from engine import Event, EventKind, Role, role

EARLIER = 4
"""How many steps before the one that is shown are told."""
JUMPS = 25
"""How many steps can be jumped to, as many as a menu has room for."""
LONGEST_OPTION = 100


@dataclass(frozen=True, slots=True)
class Viewer:
    """What is shown: the *footage* after so many *steps*, and the attempts at the same deal that can be watched.

    *plays* tells that it goes on by itself.
    """

    footage: Footage
    step: int
    rivals: Sequence[Rival] = ()
    plays: bool = False

    @property
    def first(self) -> Reel:
        """The attempt that is watched, or the first one of two."""
        return self.footage.first if isinstance(self.footage, Pair) else self.footage

    def id(self, verb: str, step: int | None = None) -> str:
        """Returns the custom id of what leads to *step* of the same footage."""
        other = self.footage.second.id if isinstance(self.footage, Pair) else 0
        return make_id(REPLAY, verb, self.first.id, other, self.step if step is None else step)


def replay_id(attempt: int, other: int = 0) -> str:
    """Returns the custom id of a button on any message that opens a replay, or two side by side, in a new one."""
    return make_id(REPLAY, "open", attempt, other, 0)


def viewer(shown: Viewer, look: Look) -> Message:
    """Returns the page of one step."""
    if isinstance(shown.footage, Pair):
        parts, files = _pair(shown, shown.footage, look)
    else:
        parts, files = _alone(shown, shown.footage, look)
    parts = [*parts, row(*_turns(shown)), _jumps(shown), *_rivals(shown), row(*_ways(shown))]
    return Message.of(container(parts, ACCENT), files=files)


def _alone(shown: Viewer, reel: Reel, look: Look) -> tuple[list[Inner], list[File]]:
    attempt = reel.at(shown.step)
    title = say(replay_text.TITLE, game=game_name(attempt.rules), name=reel_name(reel))
    lines = [title, f"-# {counts(attempt)}"]
    before = reel.steps[max(0, shown.step - 1 - EARLIER) : max(0, shown.step - 1)]
    lines += [_told(replay_text.EARLIER, step) for step in before]
    lines.append(
        _told(replay_text.STEP, reel.steps[shown.step - 1], last=reel.last) if shown.step else _begin()
    )
    cards, files = _still(reel, shown.step, look)
    return [words("\n".join(lines)), *cards], files


def _pair(shown: Viewer, pair: Pair, look: Look) -> tuple[list[Inner], list[File]]:
    done = pair.order[shown.step]
    lines = [say(replay_text.PAIR_TITLE, game=game_name(pair.first.record.attempt.rules))]
    for number, (reel, step) in enumerate(zip((pair.first, pair.second), done, strict=True), start=1):
        attempt = reel.at(step)
        lines.append(say(replay_text.PAIR_LINE, number=number, name=reel_name(reel), counts=counts(attempt)))
    lines.append(_pair_step(shown, pair))
    states = (pair.first.at(done[0]).state.observed(), pair.second.at(done[1]).state.observed())
    if look.style is Style.TEXT:
        tables: list[Inner] = [
            words("\n".join([f"**{number}**", *table_lines(state, say=translate)]))
            for number, state in enumerate(states, start=1)
        ]
        return [words("\n".join(lines)), *tables], []
    alt = say(
        replay_text.PAIR_ALT,
        first=alt_text(states[0], limit=480, say=translate),
        second=alt_text(states[1], limit=480, say=translate),
    )
    picture = draw_scene(Scene(states, (("1",), ("2",))), colours=look.colours, heaps=heap_words(translate))
    file = File(f"pair-{pair.first.id}-{shown.step}.png", picture, alt)
    return [words("\n".join(lines)), gallery(f"attachment://{file.name}", alt)], [file]


def _pair_step(shown: Viewer, pair: Pair) -> str:
    if not shown.step:
        return _begin()
    first, second = pair.order[shown.step]
    is_first = first > pair.order[shown.step - 1][0]
    reel, number = (pair.first, first) if is_first else (pair.second, second)
    step = reel.steps[number - 1]
    return say(
        replay_text.PAIR_STEP,
        number=shown.step,
        last=pair.last,
        time=duration(step.time),
        name=reel_name(reel),
        what=what_happened(step),
    )


def _begin() -> str:
    return say(replay_text.BEGIN)


def _still(reel: Reel, number: int, look: Look) -> tuple[list[Inner], list[File]]:
    """Returns the table after so many steps, without any button that plays."""
    attempt = reel.at(number)
    over = attempt.end or Event(attempt.seq + 1, EventKind.END, attempt.start)
    board = Board(reel.record.with_attempt(replace(attempt, end=over)))
    parts, files = table(board, Options(attempt.state.observed()), look)
    return _joined(parts), files


def _joined(parts: Sequence[Inner]) -> list[Inner]:
    """Returns *parts* with the texts that follow one another made one: that takes less room on a phone."""
    made: list[Inner] = []
    for part in parts:
        last = made[-1] if made else None
        if last is not None and last["type"] == 10 and part["type"] == 10:
            made[-1] = words(f"{last['content']}\n{part['content']}")
        else:
            made.append(part)
    return made


def what_happened(step: Step) -> str:
    """Returns a step in words."""
    event = step.event
    match event.kind:
        case EventKind.MOVE | EventKind.MISTAKE if event.move is not None:
            wrong = event.kind is EventKind.MISTAKE
            move, state = event.move, step.before.state
            if move in step.before.rules.calls:
                return say(replay_text.WRONG if wrong else replay_text.CALLED, call=call_label(move))
            card = state.observed()[move.source].exposed
            if card is None or role(move.source) is Role.STOCK:
                return say(replay_text.DEALT)
            return say(
                replay_text.MOVED,
                card=card_label(card),
                source=pile_words(move.source, translate),
                target=pile_words(move.target, translate),
            )
        case EventKind.UNDO:
            return say(replay_text.UNDONE)
        case EventKind.HINT:
            return say(replay_text.HINTED)
        case _:
            return say(replay_text.ENDED[event.reason or "stuck"])


def _told(template: Sentence, step: Step, **more: int) -> str:
    seconds = decimal(step.thought // 1000, step.thought % 1000 // 100)
    what = say(replay_text.THOUGHT, what=what_happened(step), thought=seconds)
    return say(template, number=step.after.seq, time=duration(step.time), what=what, **more)


def _turns(shown: Viewer) -> list[Button]:
    step, last = shown.step, shown.footage.last
    turns = (("first", "⏮️", 0), ("back", "◀️", step - 1), ("on", "▶️", step + 1), ("last", "⏭️", last))
    made = [
        button(
            "",
            shown.id(verb, min(max(0, to), last)),
            disabled=to == step or not 0 <= to <= last,
            emoji={"name": sign},
        )
        for verb, sign, to in turns
    ]
    if shown.plays:
        made.append(button(say(replay_text.BUTTON_PAUSE), shown.id("stop"), ButtonStyle.PRIMARY))
    else:
        made.append(
            button(say(replay_text.BUTTON_PLAY), shown.id("play"), ButtonStyle.SUCCESS, disabled=step == last)
        )
    return made


def _jumps(shown: Viewer) -> Row:
    options: list[Option] = [
        {"label": _jump_label(shown.footage, number)[:LONGEST_OPTION], "value": str(number)}
        for number in jumps(shown.footage)
    ]
    return menu(shown.id("jump"), options, say(replay_text.PICK_STEP))


def jumps(footage: Footage) -> list[int]:
    """Returns the steps that can be jumped to: begin and end, what is notable, and others in between, evenly."""
    last = footage.last
    notable = [number for number in range(1, last + 1) if is_notable(_step(footage, number))]
    chosen = {0, last, *notable[: JUMPS // 2]}
    spare = [number for number in range(1, last) if number not in chosen]
    room = min(JUMPS - len(chosen), len(spare))
    chosen.update(spare[index * len(spare) // room] for index in range(room))
    return sorted(chosen)


def _jump_label(footage: Footage, number: int) -> str:
    if not number:
        return say(replay_text.OPTION_BEGIN)
    step = _step(footage, number)
    return say(replay_text.OPTION_STEP, number=number, time=duration(step.time), what=what_happened(step))


def _step(footage: Footage, number: int) -> Step:
    """Returns the step that is the *number*-th of the footage."""
    if isinstance(footage, Reel):
        return footage.steps[number - 1]
    first, second = footage.order[number]
    is_first = first > footage.order[number - 1][0]
    return footage.first.steps[first - 1] if is_first else footage.second.steps[second - 1]


def _rivals(shown: Viewer) -> list[Row]:
    footage = shown.footage
    seen = {footage.id} if isinstance(footage, Reel) else {footage.first.id, footage.second.id}
    others = [each for each in shown.rivals if each.attempt not in seen]
    if not others:
        return []
    menus = [menu(shown.id("pair"), list(map(_rival, others)), say(replay_text.PICK_RIVAL))]
    if isinstance(footage, Reel):
        menus.insert(0, menu(shown.id("watch"), list(map(_rival, others)), say(replay_text.PICK_PLAYER)))
    return menus


def _rival(rival: Rival) -> Option:
    name = plain_name_of(rival.player, {} if rival.name is None else {rival.player: rival.name})
    if rival.is_out:
        label = say(replay_text.OPTION_OUT, name=name)
    elif rival.place is None:
        label = name
    else:
        label = say(replay_text.OPTION_PLACE, place=rival.place, name=name)
    return {"label": label[:LONGEST_OPTION], "value": str(rival.attempt)}


def _ways(shown: Viewer) -> list[Button]:
    made = [button(say(replay_text.BUTTON_FILM), shown.id("film"))]
    if isinstance(shown.footage, Pair):
        pair = shown.footage
        for reel, step in zip((pair.first, pair.second), pair.order[shown.step], strict=True):
            label = say(replay_text.BUTTON_ALONE, name=plain_reel_name(reel))
            made.append(button(label[:80], make_id(REPLAY, "alone", reel.id, 0, step)))
    return made


def reel_name(reel: Reel) -> str:
    return name_of(reel.record.player, {} if reel.name is None else {reel.record.player: reel.name})


def plain_reel_name(reel: Reel) -> str:
    return plain_name_of(reel.record.player, {} if reel.name is None else {reel.record.player: reel.name})
