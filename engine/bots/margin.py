"""By how much one move is better than others, in points, and whether that is more than luck."""

from collections.abc import Sequence
from enum import Enum
from math import sqrt
from typing import Final

from msgspec import Struct

from engine.bots.effort import Effort
from engine.bots.pieces import Pieces, in_pieces
from engine.bots.search import TrialEnd, is_weighable, weigh
from engine.chance import Entropy
from engine.table.moves import Move
from engine.view import SeatView

NOISE: Final = 2.0
"""Standard errors that a difference must exceed not to be luck of the deals."""

POINTS_MIN: Final = 1.0
"""Differences below this many points do not matter to a person."""

_DEALS_MIN: Final = 20


class Gain(Enum):
    """Where the points come from by which one move is better than another."""

    GOES_OUT = "goes-out"
    """The seat goes out more often, by more than luck."""
    HOLDS_LESS = "holds-less"
    """Mostly from what the seat itself is left with."""
    OTHERS_HOLD_MORE = "others-hold-more"
    """Mostly from what the others are left with."""


class Margin(Struct, frozen=True):
    """How a move compares with a rival, over the same deals."""

    rival: Move
    points: float
    """How many more points the others end behind the seat, on average; below 0: it is worse."""
    noise: float
    """How far that may be off by luck: `NOISE` standard errors."""
    gain: Gain
    """Where the points come from, of whichever is better."""

    @property
    def is_clear(self) -> bool:
        """Whether the move is better by more than luck, and by enough to mention.

        False where it is worse, however clearly.
        """
        return self.points > max(self.noise, POINTS_MIN)

    def turned(self, move: Move) -> "Margin":
        """The same margin seen from the other side: of the rival over `move`."""
        return Margin(move, -self.points, self.noise, self.gain)


@in_pieces
def margin_over(
    view: SeatView,
    move: Move,
    rival: Move,
    entropy: Entropy,
    deals: int,
    effort: Effort | None = None,
) -> Pieces[Margin | None]:
    """How a move compares with a rival, over so many deals.

    None if the move cannot be weighed, and with fewer than `_DEALS_MIN` deals, as when the effort
    ends. Both moves must be legal.
    """
    if not is_weighable(view, move):
        return None
    own, theirs = yield from weigh.pieces(view, (move, rival), entropy, deals, effort)
    if len(own) < _DEALS_MIN:
        return None
    pairs = [*zip(own, theirs, strict=True)]
    leads = [mine.worth - theirs.worth for mine, theirs in pairs]
    points, noise = _mean(leads)
    return Margin(rival, points, noise, _gain(pairs, 1 if points >= 0 else -1))


def _gain(pairs: Sequence[tuple[TrialEnd, TrialEnd]], sign: int) -> Gain:
    """Where the points come from by which the first of each pair is better; -1: the second."""
    outs, noise = _mean([sign * (mine.is_out - theirs.is_out) for mine, theirs in pairs])
    if outs > noise:
        return Gain.GOES_OUT
    less = sum(sign * (theirs.own - mine.own) for mine, theirs in pairs)
    more = sum(sign * (mine.others - theirs.others) for mine, theirs in pairs)
    return Gain.HOLDS_LESS if less >= more else Gain.OTHERS_HOLD_MORE


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """The mean of at least two values, and how far luck may move it: `NOISE` standard errors."""
    count = len(values)
    mean = sum(values) / count
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
    return mean, NOISE * spread / sqrt(count)
