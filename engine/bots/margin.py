"""The margin of one move over another, in points, compared with luck."""

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
"""The standard errors that a difference must exceed to be more than the luck of the deals."""

POINTS_MIN: Final = 1.0
"""The smallest difference in points that matters to a person."""

_DEALS_MIN: Final = 20


class Gain(Enum):
    """The main source of the points by which one move is better than another."""

    GOES_OUT = "goes-out"
    """The seat goes out more often, by more than luck."""
    HOLDS_LESS = "holds-less"
    """The seat itself is left with less."""
    OTHERS_HOLD_MORE = "others-hold-more"
    """The others are left with more."""


class Margin(Struct, frozen=True):
    """A comparison of a move with a rival, over the same deals."""

    rival: Move
    points: float
    """How many points better the move is than its rival, on average; below 0 if it is worse."""
    noise: float
    """How far luck may move `points`: `NOISE` standard errors."""
    gain: Gain
    """The main source of the points, for the better move."""

    @property
    def is_clear(self) -> bool:
        """True if the move is better by more than luck, and by enough to mention.

        False if it is worse, however clearly.
        """
        return self.points > max(self.noise, POINTS_MIN)

    def turned(self, move: Move) -> "Margin":
        """Return the margin of the rival over `move`, the move that this margin is about."""
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
    """Return the margin of a move over a rival, from this many deals.

    Both moves must be legal. Return None if the move cannot be weighed, or if there are fewer than
    `_DEALS_MIN` deals, for example because the effort ends.
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
    """Return the gain of the first move of each pair, or of the second if `sign` is -1."""
    outs, noise = _mean([sign * (mine.is_out - theirs.is_out) for mine, theirs in pairs])
    if outs > noise:
        return Gain.GOES_OUT
    less = sum(sign * (theirs.own - mine.own) for mine, theirs in pairs)
    more = sum(sign * (mine.others - theirs.others) for mine, theirs in pairs)
    return Gain.HOLDS_LESS if less >= more else Gain.OTHERS_HOLD_MORE


def _mean(values: Sequence[float]) -> tuple[float, float]:
    """Return the mean of at least two values, and its noise: `NOISE` standard errors."""
    count = len(values)
    mean = sum(values) / count
    spread = sqrt(sum((value - mean) ** 2 for value in values) / (count - 1))
    return mean, NOISE * spread / sqrt(count)
