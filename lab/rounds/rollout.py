"""Random legal play to the end of a round, fast: for measuring, and for bots that try things out.

The same game as `legal_moves` and `apply` play, without a `Table` for every move: hands are bit
sets and trains are their end values. It must agree with `play_round` and `choose_any`, octet by
octet, and `test_rollout_agrees_with_play_round` holds it to that. Rules it does not know are
played by those two.
"""

from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Final, NamedTuple

from engine.chance import Entropy, below
from engine.rules.ruleset import RuleSet
from engine.table.table import Ending, Outcome, RoundPhase, Table
from engine.table.trains import Position, Seat, train_index
from engine.tiles import PIP_BITS, TILE_BITS, TILES, Tile, tiles_in
from lab.rounds.any_move import choose_any
from lab.rounds.whole_games import play_round

FREE: Final = frozenset({"deal", "first", "blanks", "blocked_winner", "ties"})
"""Switches that play no part between the deal and the end of a round."""


_asked = attrgetter(*[each.name for each in fields(RuleSet) if each.name not in FREE])
_STANDARD: Final = _asked(RuleSet())


def plays_as_standard(rules: RuleSet) -> bool:
    """Whether a round is played as under `standard`, switch by switch: what is known here."""
    return bool(_asked(rules) == _STANDARD)


class RolloutEnd(NamedTuple):
    """How a round ended, and what is left in the hands, by seat."""

    outcome: Outcome
    hands: tuple[tuple[Tile, ...], ...]


def rollout(table: Table, tiles: Mapping[Position, Tile], entropy: Entropy) -> RolloutEnd:
    """Play a round from any moment of it to its end, every legal move equally likely."""
    assert table.phase is RoundPhase.PLAY
    if plays_as_standard(table.spec.rules) and not table.aside.gone:
        fast = _Round(table, tiles, entropy)
        while fast.outcome is None:
            fast.step()
        return RolloutEnd(fast.outcome, tuple(map(tiles_in, fast.hands)))
    played = play_round(table, tiles, [choose_any] * table.spec.seats, entropy)
    outcome = played.table.outcome
    assert outcome is not None
    left = (tuple(sorted(tiles[at] for at in held)) for held in played.table.hands)
    return RolloutEnd(outcome, tuple(left))


class _Round:
    """A round that changes in place. Trains are indices: the seats, then the Mexican train."""

    __slots__ = (
        "boneyard",
        "drawn",
        "ends",
        "entropy",
        "hands",
        "opening",
        "outcome",
        "owed",
        "passed",
        "public",
        "seat",
        "seats",
        "unseen",
    )

    def __init__(self, table: Table, tiles: Mapping[Position, Tile], entropy: Entropy) -> None:
        """Take over a table in play."""
        self.entropy = entropy
        self.seats = table.spec.seats
        self.seat: int = table.to_move
        self.hands = [sum(TILE_BITS[tiles[at]] for at in held) for held in table.hands]
        self.boneyard = [TILE_BITS[tiles[at]] for at in reversed(table.boneyard)]
        self.unseen = table.unseen
        self.ends = [train.ends[0].pip for train in table.trains]
        self.public = [train.marker or train.is_mexican for train in table.trains]
        self.opening = max(0, self.seats - table.turns)
        self.drawn = table.drawn
        self.owed = train_index(self.seats, table.owed[0].train) if table.owed else -1
        self.passed = table.passed
        self.outcome: Outcome | None = None

    def step(self) -> None:
        """One move of the seat in turn."""
        seat, ends = self.seat, self.ends
        if self.owed >= 0:
            places = [self.owed]
        elif self.opening:
            places = [seat]
        else:
            places = [at for at, public in enumerate(self.public) if public or at == seat]
        wanted = 0
        for at in places:
            wanted |= PIP_BITS[ends[at]]
        fitting = self.hands[seat] & wanted
        if fitting:
            self._lay(fitting, places)
        elif self.boneyard and not self.drawn:
            self.hands[seat] |= self.boneyard.pop()
            self.drawn = True
        else:
            self._pass()

    def _lay(self, fitting: int, places: list[int]) -> None:
        """Lay one of the fitting tiles; candidates are counted in the order of `legal_moves`."""
        ends, hand = self.ends, self.hands[self.seat]
        count = 0
        for at in places:
            count += (hand & PIP_BITS[ends[at]]).bit_count()
        choice = below(self.entropy, count) if count > 1 else 0
        bit, at, end = _candidate(fitting, places, ends, choice)
        seat = self.seat
        double = ends[at] == end
        ends[at] = end
        self.hands[seat] ^= bit
        self.unseen ^= bit
        self.passed = 0
        self.owed = -1
        self.drawn = False
        if at == seat:
            self.public[seat] = False
        if not self.hands[seat]:
            self.outcome = Outcome(Ending.OUT, Seat(seat))
        elif double and PIP_BITS[end] & self.unseen:
            self.owed = at
        else:
            self._next()

    def _pass(self) -> None:
        if not self.public[self.seat]:
            self.public[self.seat] = True
            self.passed = self.passed if self.owed >= 0 else 0
        self.passed |= 1 << self.seat
        if not self.boneyard and self.passed == (1 << self.seats) - 1:
            self.outcome = Outcome(Ending.BLOCKED, None)
        else:
            self._next()

    def _next(self) -> None:
        self.seat = (self.seat + 1) % self.seats
        self.drawn = False
        if self.opening:
            self.opening -= 1


def _candidate(
    fitting: int, places: list[int], ends: list[int], choice: int
) -> tuple[int, int, int]:
    """The candidate with this number: tile, place, and the end that is then open there."""
    while True:
        bit = fitting & -fitting
        low, high = TILES[bit.bit_length() - 1]
        for at in places:
            end = ends[at]
            if end in (low, high):
                if not choice:
                    return bit, at, low + high - end
                choice -= 1
        fitting ^= bit
