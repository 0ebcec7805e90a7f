"""Attempts: a fold over events that never forgets anything."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    GAMES,
    Attempt,
    AttemptOverError,
    EndReason,
    Event,
    EventKind,
    IllegalMoveError,
    Rules,
    UndoError,
    find_game,
    parse_move,
)
from engine.attempt import PENALTY, timeline


def begin(key: str, seed: str = "friday", *, limit: int | None = None) -> Attempt:
    return Attempt.begin(find_game(key), seed, start=1000, limit=limit)


def play_out(attempt: Attempt) -> Attempt:
    """Plays the first legal move to the end."""
    while not attempt.is_over:
        move = attempt.rules.legal_moves(attempt.state)[0]
        attempt = attempt.extend(attempt.play(move, attempt.start + attempt.seq))
    return attempt


@pytest.mark.parametrize(
    "rules", [game for game in GAMES if game.base != "links"], ids=lambda rules: rules.key
)
@settings(max_examples=25)
@given(seed=st.text("abc123", min_size=1), data=st.data())
def test_the_events_give_the_attempt_back(rules: Rules, seed: str, data: st.DataObject) -> None:
    attempt = Attempt.begin(rules, seed, start=0)
    events: list[Event] = []
    for _ in range(data.draw(st.integers(0, 40))):
        if attempt.is_over:
            break
        if attempt.can_undo and data.draw(st.booleans()):
            new = attempt.undo(attempt.seq)
        else:
            moves = [*rules.legal_moves(attempt.state), *rules.calls]
            new = attempt.play(data.draw(st.sampled_from(moves)), attempt.seq)
        attempt = attempt.extend(new)
        events += new
    assert Attempt.begin(rules, seed, start=0).extend(events) == attempt
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    kinds = [event.kind for event in events]
    assert attempt.moves == kinds.count(EventKind.MOVE)
    assert attempt.undos == kinds.count(EventKind.UNDO)
    assert attempt.mistakes == kinds.count(EventKind.MISTAKE)
    assert len(attempt.line.moves) == attempt.moves - attempt.undos


def test_a_wrong_call_costs_time_and_changes_nothing_on_the_table() -> None:
    attempt = begin("one-handed")
    wrong = next(move for move in attempt.rules.calls if not attempt.rules.is_legal(attempt.state, move))
    after = attempt.extend(attempt.play(wrong, 2000))
    assert after.state == attempt.state
    assert after.mistakes == 1
    end = after.extend(after.forfeit(4000)).result
    assert end is not None
    assert end.time == 3000 + PENALTY


def test_a_call_that_the_game_does_not_have_is_illegal_and_no_mistake() -> None:
    attempt = begin("one-handed")
    with pytest.raises(IllegalMoveError):
        attempt.play(parse_move("hdx3"), 2000)
    with pytest.raises(IllegalMoveError):
        begin("links").play(parse_move("t1fs"), 2000)


def test_the_last_move_brings_the_end_with_it() -> None:
    attempt = play_out(begin("one-handed"))
    assert attempt.end is not None
    assert attempt.end.reason in (EndReason.WON, EndReason.STUCK)
    with pytest.raises(AttemptOverError):
        attempt.play(attempt.rules.calls[0], 9000)
    with pytest.raises(AttemptOverError):
        attempt.push(Event(attempt.seq + 1, EventKind.HINT, 9000))


def test_undo_stops_where_a_card_was_turned_up() -> None:
    attempt = begin("links")
    with pytest.raises(UndoError):
        attempt.undo(2000)
    dealt = attempt.extend(attempt.play(parse_move("sw"), 2000))
    assert not dealt.can_undo
    with pytest.raises(UndoError):
        dealt.undo(3000)
    take_away = begin("take-away")
    moved = take_away.extend(take_away.play(parse_move("t1f1"), 2000))
    back = moved.extend(moved.undo(3000))
    assert back.state == take_away.state
    assert (back.seq, back.moves, back.undos) == (2, 1, 1)


def test_one_who_ran_out_of_time_took_the_limit() -> None:
    attempt = begin("links", limit=60_000)
    end = attempt.extend(attempt.run_out()).result
    assert end is not None
    assert (end.reason, end.time) == (EndReason.TIME, 60_000)


def test_several_moves_at_once_stop_at_the_first_that_is_illegal() -> None:
    attempt = begin("take-away")
    moves = [parse_move(text) for text in ("t1f1", "t1f2", "f1t1", "t2f3")]
    assert [event.move for event in attempt.play_all(moves, 5)] == moves[:2]
    with pytest.raises(IllegalMoveError):
        attempt.play_all([parse_move("f1t1")], 5)


def test_a_gap_in_the_record_is_refused() -> None:
    with pytest.raises(AttemptOverError):
        begin("links").push(Event(2, EventKind.HINT, 0))
    with pytest.raises(IllegalMoveError):
        begin("links").push(Event(1, EventKind.MOVE, 0))


def test_the_timeline_steps_from_all_cards_to_those_left() -> None:
    attempt = begin("one-handed")
    events: list[Event] = []
    played = attempt
    while not played.is_over:
        new = played.play(played.rules.legal_moves(played.state)[0], 1000 + 10 * played.seq)
        played, events = played.extend(new), [*events, *new]
    steps = list(timeline(attempt, events))
    assert steps[0] == (0, 52)
    assert steps[-1][1] == played.cards_left
    assert steps == sorted(steps, key=lambda step: (step[0], -step[1]))


@pytest.mark.parametrize(("mistakes", "limit"), [(0, None), (1, None), (3, 60_000), (3, 20_000)])
def test_the_timeline_ends_at_the_time_of_the_result(mistakes: int, limit: int | None) -> None:
    attempt = begin("one-handed", limit=limit)
    rules, played, events = attempt.rules, attempt, list[Event]()
    for at in range(10_000, 10_000 + mistakes):
        wrong = next(call for call in rules.calls if not rules.is_legal(played.state, call))
        events += (new := played.play(wrong, at))
        played = played.extend(new)
    events += (new := played.forfeit(15_000) if limit is None else played.run_out())
    steps = list(timeline(attempt, events))
    result = played.extend(new).result
    assert result is not None
    assert steps[-1] == (result.time, result.cards_left)
    assert steps == sorted(steps)
