"""Same Deal's engine: the games, their deals and records, races. Pure: no clock, no files, no randomness."""

from engine.attempt import Attempt, EndReason, Event, EventKind, Result
from engine.cards import DECK, RANKS, SUITS, UNKNOWN, Card, check_deck, parse_card, parse_cards
from engine.deal import MAX_SEED_LENGTH, canonical_seed, commitment, deal_code, random_seed, shuffle
from engine.errors import (
    AlreadyInRaceError,
    AttemptError,
    AttemptOverError,
    CardError,
    EngineError,
    HiddenCardError,
    HostIsHereError,
    IllegalMoveError,
    NotationError,
    NotHostError,
    NotInRaceError,
    RaceError,
    RaceFullError,
    RemovedFromRaceError,
    SeedError,
    UndoError,
    UnknownGameError,
    WrongPhaseError,
)
from engine.games import GAMES, find_game
from engine.hints import hint
from engine.moves import Move, parse_move
from engine.race import Entrant, Phase, Race, Standing
from engine.replay import Replay, parse_replay
from engine.rules import Outcome, Rules
from engine.search import Solution, Verdict
from engine.solver import Difficulty, difficulty, solve
from engine.state import Pile, Role, State, parse_state, role

__all__ = [
    "DECK",
    "GAMES",
    "MAX_SEED_LENGTH",
    "RANKS",
    "SUITS",
    "UNKNOWN",
    "AlreadyInRaceError",
    "Attempt",
    "AttemptError",
    "AttemptOverError",
    "Card",
    "CardError",
    "Difficulty",
    "EndReason",
    "EngineError",
    "Entrant",
    "Event",
    "EventKind",
    "HiddenCardError",
    "HostIsHereError",
    "IllegalMoveError",
    "Move",
    "NotHostError",
    "NotInRaceError",
    "NotationError",
    "Outcome",
    "Phase",
    "Pile",
    "Race",
    "RaceError",
    "RaceFullError",
    "RemovedFromRaceError",
    "Replay",
    "Result",
    "Role",
    "Rules",
    "SeedError",
    "Solution",
    "Standing",
    "State",
    "UndoError",
    "UnknownGameError",
    "Verdict",
    "WrongPhaseError",
    "canonical_seed",
    "check_deck",
    "commitment",
    "deal_code",
    "difficulty",
    "find_game",
    "hint",
    "parse_card",
    "parse_cards",
    "parse_move",
    "parse_replay",
    "parse_state",
    "random_seed",
    "role",
    "shuffle",
    "solve",
]
