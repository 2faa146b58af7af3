"""What a table plays: the rules, the set, the seats, the rounds and the deal, checked together."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from engine.deals import dealt_hand
from engine.rules import RuleSet
from engine.tiles import SET_BITS, SET_SIZES

SEATS_MIN: Final = 2
SEATS_MAX: Final = 14
"""Seats the published deal tables reach up to. [docs/rules.md §1.2]"""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One table's game, known to be playable. Make one with `make_spec`."""

    rules: RuleSet
    pip_max: int
    """Highest pip value of the set, one of `SET_SIZES`."""
    seats: int
    rounds: int
    """How many rounds the game has."""
    hand: int
    """How many tiles each seat is dealt."""


class SpecProblemCode(Enum):
    """Why a table cannot be made. [docs/rules.md §1]"""

    SET_UNKNOWN = "set-unknown"
    """Facts: `set`. Choose one of `SET_SIZES`."""
    SEATS_OUT_OF_RANGE = "seats-out-of-range"
    """Facts: `seats`, `least`, `most`."""
    ROUNDS_OUT_OF_RANGE = "rounds-out-of-range"
    """Facts: `rounds`, `most` (one a double)."""
    DEAL_UNLISTED = "deal-unlisted"
    """The deal table has no number; facts: `set`, `seats`, `most`. Name one with `deal=`."""
    DEAL_OUT_OF_RANGE = "deal-out-of-range"
    """The hands do not fit the set; facts: `set`, `seats`, `hand`, `tiles`, `most`."""


@dataclass(frozen=True, slots=True)
class SpecProblem:
    """A table that cannot be played, the switch to change, and the numbers that say why."""

    code: SpecProblemCode
    switch: str
    """`set`, `seats`, `rounds` or `deal`."""
    facts: tuple[tuple[str, int], ...]


def suggested_set(seats: int) -> int:
    """The set the first text suggests for so many seats: D12 to 8, D15 to 12, then D18."""
    if seats <= 8:
        return 12
    return 15 if seats <= 12 else 18


def rounds_max(pip_max: int) -> int:
    """One round for each double, since each is set aside once. [docs/rules.md §1.4]"""
    return pip_max + 1


def deck_count(pip_max: int) -> int:
    """Tiles that are dealt from: the set without the round's double. [docs/rules.md §1.4]"""
    return SET_BITS[pip_max].bit_count() - 1


def make_spec(
    rules: RuleSet,
    pip_max: int | None,
    seats: int,
    rounds: int | None = None,
    deal: int | None = None,
) -> TableSpec | SpecProblem:
    """A playable table, or the first reason why there is none.

    `pip_max` None takes the suggested set, `rounds` None one round a double; a number in `deal`
    replaces the deal table. Arguments may come from people and peers. [docs/rules.md §1]
    """
    if not SEATS_MIN <= seats <= SEATS_MAX:
        facts = (("seats", seats), ("least", SEATS_MIN), ("most", SEATS_MAX))
        return SpecProblem(SpecProblemCode.SEATS_OUT_OF_RANGE, "seats", facts)
    pip_max = suggested_set(seats) if pip_max is None else pip_max
    if pip_max not in SET_SIZES:
        return SpecProblem(SpecProblemCode.SET_UNKNOWN, "set", (("set", pip_max),))
    rounds = rounds_max(pip_max) if rounds is None else rounds
    if not 1 <= rounds <= rounds_max(pip_max):
        facts_of_rounds = (("rounds", rounds), ("most", rounds_max(pip_max)))
        return SpecProblem(SpecProblemCode.ROUNDS_OUT_OF_RANGE, "rounds", facts_of_rounds)
    rules = rules if deal is None else replace(rules, deal=deal)
    hand = _hand(rules, pip_max, seats)
    if isinstance(hand, SpecProblem):
        return hand
    return TableSpec(rules, pip_max, seats, rounds, hand)


def _hand(rules: RuleSet, pip_max: int, seats: int) -> int | SpecProblem:
    tiles = deck_count(pip_max)
    most = tiles // seats
    at = (("set", pip_max), ("seats", seats))
    if isinstance(rules.deal, int):
        hand: int | None = rules.deal
    else:
        hand = dealt_hand(rules.deal, pip_max, seats)
    if hand is None:
        return SpecProblem(SpecProblemCode.DEAL_UNLISTED, "deal", (*at, ("most", most)))
    if not 1 <= hand <= most:
        facts = (*at, ("hand", hand), ("tiles", tiles), ("most", most))
        return SpecProblem(SpecProblemCode.DEAL_OUT_OF_RANGE, "deal", facts)
    return hand
