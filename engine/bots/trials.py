"""Which of several moves is best, by the deals in which all of them were tried.

The first move is the one to beat. For each other one something is expected before any deal, and
results are weighed against that: ten deals say little, as luck moves a round by 30 points and the
choice of a move by 5. Moves that can hardly be best are tried no further.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final, NamedTuple

SPREAD: Final = 5.0
"""Standard deviation, in points, of a move's worth from what is expected of it."""

CLEAR: Final = 1.5
"""Standard deviations that settle a matter."""

LUCK: Final = 600.0
"""How much the difference between two moves changes from deal to deal: the variance, in squared
points, that is assumed before any deal."""

LUCK_DEALS: Final = 5
"""How many deals that assumption weighs: a few deals that are alike do not prove that there is no
luck."""


class Likely(NamedTuple):
    """How many points better than the first a move probably is, and the variance of that."""

    worth: float
    variance: float

    @property
    def off(self) -> float:
        """Its standard deviation."""
        return sqrt(self.variance)


def expected(handicap: float) -> Likely:
    """The prospect of a move before any deal, expected to be `handicap` points worse."""
    return Likely(-handicap, SPREAD * SPREAD)


class Lead:
    """Sums up how much better than the first a move was, over the deals that tried both."""

    def __init__(self) -> None:
        """Start with no deal."""
        self._deals, self._sum, self._squares = 0, 0.0, 0.0

    def add(self, lead: float) -> None:
        """Add one more deal, in which the move was better by so many points than the first."""
        self._deals += 1
        self._sum += lead
        self._squares += lead * lead

    def likely(self, before: Likely) -> Likely:
        """The prospect of the move after these deals, if it was `before` without them."""
        deals = self._deals
        mean = self._sum / deals if deals else 0.0
        seen = self._squares - self._sum * mean
        luck = (seen + LUCK_DEALS * LUCK) / (deals + LUCK_DEALS)
        shown, weight = deals / luck, 1 / before.variance
        total = shown + weight
        return Likely((mean * shown + before.worth * weight) / total, 1 / total)


class Trials:
    """Compares moves, which are numbers here, by the deals in which they were tried.

    `before` is what is expected of each, the first as 0. It says which moves to try on (`left`),
    which is `best` so far, and whether that `is_settled`.
    """

    def __init__(self, before: Sequence[Likely]) -> None:
        """Start with nothing tried, and what is held likely of each move `before` that.

        If that alone settles it, nothing is left to be tried.
        """
        self.left = list(range(len(before)))
        """The first move, and those that may still be best; each is to be tried next."""
        self.best = 0
        self.is_settled = False
        self.tried = 0
        """How many rounds were played out so far."""
        self._before = tuple(before)
        self._leads = [Lead() for _ in before]
        self.judge()

    def add(self, worths: Sequence[float]) -> None:
        """Add one more deal: the worth of each of the moves that are left, in that order.

        Judges nothing by itself. Raises ValueError for another number of worths.
        """
        for at, worth in zip(self.left, worths, strict=True):
            self._leads[at].add(worth - worths[0])
        self.tried += len(worths)

    def judge(self) -> None:
        """Find the best move so far, and drop for good those that are clearly worse.

        Sets `best` and `left`, and `is_settled`: whether the first move has no rival left, or only
        one that is clearly better.
        """
        likely = {at: self._leads[at].likely(self._before[at]) for at in self.left[1:]}
        self.best, most = 0, 0.0
        for at, (worth, _) in likely.items():
            if worth > most:
                self.best, most = at, worth
        kept = [at for at, each in likely.items() if each.worth + CLEAR * each.off >= most]
        self.left = [0, *kept]
        alone = kept == [self.best] and most > CLEAR * likely[self.best].off
        self.is_settled = not kept or alone
