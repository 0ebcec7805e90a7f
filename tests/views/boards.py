"""Boards for tests: positions of every game, reached by play and constructed, in all looks and selections."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from bot.render.art import emoji_names
from bot.render.inline import EmojiText
from bot.render.palette import Colours
from bot.store.attempts import AttemptRecord, Purpose
from bot.store.players import Style
from bot.views.board import Board
from bot.views.faces import CodeFaces, EmojiFaces
from bot.views.look import Look
from engine import Attempt, Pile, Rules, State, parse_state, shuffle
from engine.attempt import Line
from engine.selection import partner_piles, pressable_piles

LARGEST_ID = 2**63 - 1
"""As long as a snowflake can become."""

IDS = {key: str(LARGEST_ID - place) for place, key in enumerate(emoji_names())}


def emoji_look(colours: Colours = Colours.TWO, style: Style = Style.EMOJI) -> Look:
    """Returns how somebody sees boards for whom all emoji are there."""
    return Look(style, colours, EmojiFaces(EmojiText(IDS, colours)))


def plain_look(style: Style = Style.EMOJI) -> Look:
    """Returns how somebody sees boards for whom no emoji are there."""
    return Look(style, Colours.TWO, CodeFaces())


def looks() -> list[Look]:
    """Returns all ways to see a board."""
    emoji = [emoji_look(colours, style) for colours in Colours for style in Style]
    return emoji + [plain_look(style) for style in Style]


def record_of(
    rules: Rules, state: State, *, ranked: bool = False, purpose: Purpose = Purpose.RACE, seq: int = 123_456
) -> AttemptRecord:
    """Returns an attempt that stands at *state*, with ids and numbers as long as they can become."""
    begun = Attempt.begin(rules, "x", start=1_790_000_000_000, limit=7_200_000)
    before = Line(rules.deal(shuffle("x")))
    attempt = replace(
        begun, line=Line(state, before), seq=seq, moves=99_999, mistakes=9_999, undos=9_999, hints=9_999
    )
    return AttemptRecord(LARGEST_ID, LARGEST_ID, purpose, attempt, ranked=ranked, race=LARGEST_ID)


def reached(rules: Rules, seed: int, *, plies: int = 160) -> Iterator[State]:
    """Yields the positions of a game played at random, one that prefers cards that have not been played yet."""
    random = Random(seed)
    state = rules.deal(shuffle(f"views {seed}"))
    for _ in range(plies):
        yield state
        moves = rules.legal_moves(state)
        if not moves:
            return
        state = rules.apply(state, random.choice(moves))


def extremes(rules: Rules) -> list[State]:
    """Returns positions with as many cards in one place as the rules could ever bring there, and more."""
    dealt = rules.deal(shuffle("extremes"))
    cards = [str(card) for card in shuffle("extremes")]
    names = dealt.names
    found = [dealt]
    if rules.calls:
        found.append(parse_state(f"s: h:{''.join(cards)} d:"))
        found.append(parse_state(f"s: h: d:{''.join(cards)}"))
        found.append(parse_state(f"s: h:{''.join(cards[:3])} d:{''.join(cards[3:])}"))
        return found
    tableau = [name for name in names if name.startswith("t")]
    foundations = [name for name in names if name.startswith("f")]
    if "w" in names:
        runs = ["".join(f"{rank}{suit}" for rank in "KQJT98765432A") for suit in "CDHS"]
        piles = dict.fromkeys(names, "") | dict(zip(tableau, runs, strict=False))
        found.append(_state(piles))
        piles = dict.fromkeys(names, "") | dict(zip(tableau, cards, strict=False)) | {"w": "".join(cards[8:])}
        found.append(_state(piles))
        built = {
            name: "".join(f"{rank}{suit}" for rank in "A23456789TJ")
            for name, suit in zip(foundations, "CDHS", strict=True)
        }
        rest = [f"{rank}{suit}" for rank in "QK" for suit in "CDHS"]
        found.append(_state(dict.fromkeys(names, "") | built | dict(zip(tableau, rest, strict=True))))
    else:
        piles = dict.fromkeys(names, "") | {
            name: "".join(cards[place :: len(tableau)][:12]) for place, name in enumerate(tableau)
        }
        piles |= dict(zip(foundations, cards[-4:], strict=False))
        found.append(_state(piles))
    return found


def _state(piles: dict[str, str]) -> State:
    return parse_state(" ".join(f"{name}:{cards}" for name, cards in piles.items()))


def boards(record: AttemptRecord, *, notes: Sequence[str] = ()) -> Iterator[Board]:
    """Yields every board of *record*: nothing picked, each pile picked that can be, free, hinted, with *notes*."""
    rules, state = record.attempt.rules, record.attempt.state
    yield Board(record)
    yield from (Board(record, note=note) for note in notes)
    if rules.calls or record.attempt.is_over:
        return
    legal = rules.legal_moves(state)
    yield Board(record, free=True)
    for pile in sorted(pressable_piles(legal)):
        if partner_piles(legal, pile):
            yield Board(record, picked=pile)
    for move in legal[:: 1 + len(legal) // 8]:
        yield Board(record, hint=move)


def stirred(state: State, seed: int) -> State:
    """Returns *state* with the cards that lie face down dealt anew among their places."""
    hidden = [
        pile.cards[place] for pile in state.piles for place in range(len(pile)) if place in pile.face_down
    ]
    Random(seed).shuffle(hidden)
    rest = iter(hidden)
    piles = tuple(
        Pile(
            tuple(next(rest) if place in pile.face_down else card for place, card in enumerate(pile.cards)),
            pile.face_down,
        )
        for pile in state.piles
    )
    return State(state.names, piles, state.recycled)
