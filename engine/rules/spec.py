"""The fixed facts of a table's game: rules, set, seats, rounds and hand size, checked together."""

from dataclasses import dataclass, replace
from typing import Final

from engine.refusals import Refusal, RefusalReason, refused
from engine.rules.deals import SMALL_FIRST, DealTable, dealt_hand
from engine.rules.ruleset import RuleSet
from engine.rules.switches import StartDouble, Target
from engine.tiles import SET_BITS, SET_SIZES

SEATS_MIN: Final = 2
SEATS_MAX: Final = 14
"""The most seats of any published deal table. [docs/rules.md §1.2]"""

PARTNER_SEATS: Final = (4, 6, 8)
"""The numbers of seats with which partners may play, from the first text. [docs/rules.md §2.5]"""

ROUNDS_MAX: Final = 99
"""The most rounds of a game in which a double may be used again; more than an evening has."""


@dataclass(frozen=True, slots=True)
class TableSpec:
    """One table's game, known to be playable. Make one with `make_spec`."""

    rules: RuleSet
    pip_max: int
    """Highest pip value of the set, one of `SET_SIZES`."""
    seats: int
    rounds: int
    """The number of rounds of the game."""
    hand: int
    """The number of tiles each seat is dealt."""

    @property
    def is_open(self) -> bool:
        """True if a total is meant to end the game, not the number of rounds. [§7.4]"""
        return self.rounds == ROUNDS_MAX and is_open_ended(self.rules)


_FIRST_TEXT: Final = ((8, 12), (12, 15), (SEATS_MAX, 18))


def suggested_set(seats: int, deal: DealTable | int = DealTable.STANDARD) -> int:
    """Return the highest pip value of the default set for this many seats. [docs/rules.md §1.1]

    The deal table's own text suggests a set, else the first text does: D12 up to 8 seats, D15 up to
    12, then D18. If the table has no number for the suggested set, return the smallest set for
    which it has one. If it has none for any set, return the suggested one. Raise StopIteration
    above `SEATS_MAX` seats.
    """
    if isinstance(deal, int):
        return next(pip_max for most, pip_max in _FIRST_TEXT if seats <= most)
    spans = (*SMALL_FIRST.get(deal, ()), *_FIRST_TEXT)
    suggested = next(pip_max for most, pip_max in spans if seats <= most)
    listed = [pip_max for pip_max in SET_SIZES if dealt_hand(deal, pip_max, seats)]
    return suggested if suggested in listed else next(iter(listed), suggested)


def rounds_max(rules: RuleSet, pip_max: int) -> int:
    """Return the most rounds of a game: 99 if a double may be used again, else one per double.

    If each round has its own double, doubles before the first round's do not count.
    [docs/rules.md §1.4]
    """
    if rules.engine.uses_again:
        return ROUNDS_MAX
    return rounds_usual(rules, pip_max)


def rounds_usual(rules: RuleSet, pip_max: int) -> int:
    """Return the default number of rounds under these rules: one per double. [docs/rules.md §1.4]

    If each round has its own double, doubles before the first round's do not count. If doubles may
    be used again and a total ends the game, return `ROUNDS_MAX`.
    """
    if is_open_ended(rules):
        return ROUNDS_MAX
    return (pip_max if rises(rules) else first_pip(rules, pip_max)) + 1


def is_open_ended(rules: RuleSet) -> bool:
    """Return True if the rules let a total end the game, and doubles may be used again. [§1.4]

    Such a game has no natural number of rounds.
    """
    return rules.engine.uses_again and not isinstance(rules.target, Target)


def first_pip(rules: RuleSet, pip_max: int) -> int:
    """Return the pip value of the first round's own double.

    If rounds have no doubles of their own, return the highest pip value of the set. A
    `start-double` above the set's highest double means that double. [docs/rules.md §1.4]
    """
    if rises(rules):
        return 0
    if isinstance(rules.start_double, StartDouble) or not rules.engine.has_own_double:
        return pip_max
    return min(rules.start_double, pip_max)


def rises(rules: RuleSet) -> bool:
    """Return True if each further round has the next higher double. [docs/rules.md §1.4]

    Return False if rounds do not have their own doubles.
    """
    return rules.engine.has_own_double and rules.start_double is StartDouble.LOWEST


def make_spec(
    rules: RuleSet,
    pip_max: int | None,
    seats: int,
    rounds: int | None = None,
    deal: int | None = None,
) -> TableSpec | Refusal:
    """Return the spec of a playable table, or a refusal with the first reason against it.

    If `pip_max` is None, take the suggested set; if `rounds` is None, take the default number. A
    number in `deal` replaces the deal table of the rules. The numbers may come from people and
    peers, so nothing is raised. [docs/rules.md §1]
    """
    if not SEATS_MIN <= seats <= SEATS_MAX:
        reason = RefusalReason.SEATS_OUT_OF_RANGE
        return refused(reason, seats=seats, least=SEATS_MIN, most=SEATS_MAX)
    if rules.partners.is_yes and seats not in PARTNER_SEATS:
        return refused(RefusalReason.PARTNER_SEATS, seats=seats)
    rules = rules if deal is None else replace(rules, deal=deal)
    pip_max = suggested_set(seats, rules.deal) if pip_max is None else pip_max
    if pip_max not in SET_SIZES:
        return refused(RefusalReason.SET_UNKNOWN, set=pip_max)
    rounds = rounds_usual(rules, pip_max) if rounds is None else rounds
    most = rounds_max(rules, pip_max)
    if not 1 <= rounds <= most:
        return refused(RefusalReason.ROUNDS_OUT_OF_RANGE, rounds=rounds, most=most)
    tiles = SET_BITS[pip_max].bit_count() - rules.engine.is_set_aside
    most = tiles // seats
    hand = dealt_hand(rules.deal, pip_max, seats)
    if hand is None:
        return refused(RefusalReason.DEAL_UNLISTED, set=pip_max, seats=seats, most=most)
    if not 1 <= hand <= most:
        reason = RefusalReason.DEAL_OUT_OF_RANGE
        return refused(reason, set=pip_max, seats=seats, hand=hand, tiles=tiles, most=most)
    return TableSpec(rules, pip_max, seats, rounds, hand)
