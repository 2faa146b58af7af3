"""By how much one move is better than others, in points, and whether that is more than luck."""

from collections.abc import Sequence
from math import sqrt
from typing import Final

from engine.bots.house import ranked
from engine.bots.search import MayGoOn, always, is_weighable, weigh
from engine.chance import Entropy
from engine.struct import Struct
from engine.table.moves import LayTile, Move
from engine.view import SeatView

NOISE: Final = 2.0
"""Standard errors that a difference must exceed not to be luck of the deals."""

POINTS_MIN: Final = 1.0
"""Differences below this many points do not matter to a person."""

_RIVALS_MAX: Final = 3
_DEALS_MIN: Final = 20


class Margin(Struct, frozen=True):
    """How a move compares with its nearest rival, over the same deals."""

    rival: Move
    points: float
    """How many more points the others end behind the seat, on average."""
    noise: float
    """How far that may be off by luck: `NOISE` standard errors."""
    ahead: float
    """The share of the deals in which the move is better."""

    @property
    def is_clear(self) -> bool:
        """Whether the difference is more than luck, and large enough to mention."""
        return self.points > max(self.noise, POINTS_MIN)


def rivals_of(view: SeatView, move: Move) -> tuple[Move, ...]:
    """The likeliest other moves in its place, a few, as far as they can be weighed."""
    others = [each for each in view.legal if each != move and is_weighable(view, each)]
    lays = ranked(view, [each for each in others if isinstance(each, LayTile)])
    rest = [each for each in others if not isinstance(each, LayTile)]
    return tuple([*lays, *rest][:_RIVALS_MAX])


def margin_over(
    view: SeatView,
    move: Move,
    rivals: Sequence[Move],
    entropy: Entropy,
    deals: int,
    may_go_on: MayGoOn = always,
) -> Margin | None:
    """How a move compares with the best of its rivals; None without one, or with too few deals."""
    if not rivals or not is_weighable(view, move):
        return None
    own, *theirs = weigh(view, (move, *rivals), entropy, deals, may_go_on)
    if len(own) < _DEALS_MIN:
        return None
    worths, rival = max(zip(theirs, rivals, strict=True), key=lambda each: sum(each[0]))
    leads = [mine - other for mine, other in zip(own, worths, strict=True)]
    count, mean = len(leads), sum(leads) / len(leads)
    spread = sqrt(sum((lead - mean) ** 2 for lead in leads) / (count - 1))
    ahead = sum(lead > 0 for lead in leads) / count
    return Margin(rival, mean, NOISE * spread / sqrt(count), ahead)
