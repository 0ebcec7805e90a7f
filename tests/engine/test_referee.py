"""A second reading of the rules, as literal and slow as can be, against the engine's lists of legal moves."""

from __future__ import annotations

from collections.abc import Callable

from engine import Move, Rules, State

RANKS = "A23456789TJQK"
Piles = dict[str, list[str]]


def rank(card: str) -> int:
    """Returns 1 for an ace to 13 for a king."""
    return RANKS.index(card[0]) + 1


def hand_allows(key: str, piles: Piles, recycled: int, move: str) -> bool:
    """Tells whether One-Handed or Taking Silk under the ruleset *key* allows *move*."""
    stock, hand = piles["s"], piles["h"]
    fan = hand[-4:]
    ranks_match = len(fan) == 4 and fan[0][0] == fan[3][0]
    suits_match = len(fan) == 4 and fan[0][1] == fan[3][1]
    match move:
        case "hdx4":
            one_suit = key.endswith("-four-suit") and len(fan) == 4 and len({card[1] for card in fan}) == 1
            return ranks_match or one_suit
        case "hdx2":
            return suits_match
        case "hdx3":
            return key.endswith("-last-three") and suits_match and fan[2][0] == fan[3][0]
        case "sh":
            return bool(stock) and (key.endswith("-free") or not (ranks_match or suits_match))
        case "hh":
            over = stock or ranks_match or suits_match or len(hand) < 4
            return key.endswith("-recycle") and not over and recycled < len(hand)
        case _:
            return False


def take_away_allows(key: str, piles: Piles, move: str) -> bool:
    """Tells whether Take Away or Striptease under the ruleset *key* allows *move*."""
    if len(move) != 4 or move[0] != "t" or move[2] != "f":
        return False
    tableau = [piles[f"t{number}"] for number in (1, 2, 3, 4)]
    source, target = piles[move[:2]], piles[move[2:]]
    if not source:
        return False
    circle = RANKS
    if key.startswith("striptease"):
        circle = RANKS.replace("Q", "")
        covered = len(source) == 2 and any(len(pile) > 2 for pile in tableau)
        if len(source) == 1 or covered:
            return False
    if not target:
        return True
    step = (circle.index(source[-1][0]) - circle.index(target[-1][0])) % len(circle)
    return step in (1, len(circle) - 1)


def links_allows(piles: Piles, move: str) -> bool:
    """Tells whether Links allows *move*."""
    if move == "sw":
        return bool(piles["s"])
    source, target = (move[0], move[1:]) if move[0] == "w" else (move[:2], move[2:])
    if source[0] not in "wt" or target[0] not in "tf" or source == target or "x" in move or not piles[source]:
        return False
    card, onto = piles[source][-1], piles[target]
    if target[0] == "f":
        return target[1] == card[1].lower() and len(onto) == rank(card) - 1
    if onto:
        return rank(onto[-1]) == rank(card) + 1
    return source == "w" or len(piles[source]) > 1


def allows(rules: Rules, piles: Piles, recycled: int, move: Move) -> bool:
    """Tells whether the game allows *move*, by the functions above."""
    if rules.base == "links":
        return links_allows(piles, str(move))
    if rules.base in ("take-away", "striptease"):
        return take_away_allows(rules.key, piles, str(move))
    return hand_allows(rules.key, piles, recycled, str(move))


def test_legal_moves(rules: Rules, random_game: Callable[[Rules, int], list[State]]) -> None:
    for number in range(3):
        for state in random_game(rules, number)[::7]:
            piles = {name: [str(card) for card in state[name].cards] for name in state.names}
            every = [
                Move(source, target, count)
                for source in state.names
                for target in state.names
                for count in (1, 2, 3, 4)
            ]
            allowed = {move for move in every if allows(rules, piles, state.recycled, move)}
            assert set(rules.legal_moves(state)) == allowed, str(state)
