"""Which of several moves is best, by the deals in which all of them were tried.

The first move is the one to beat. For each other one something is expected before any deal, and
results are weighed against that: ten deals say little, as luck moves a round by 30 points and the
choice of a move by 5. Moves that can hardly be best are tried no further.
"""

from collections.abc import Sequence
from math import sqrt
from typing import Final

SPREAD: Final = 5.0
"""Standard deviation, in points, of a move's worth from what is expected of it."""

CLEAR: Final = 1.5
"""Standard deviations that settle a matter."""

LUCK: Final = 600.0
"""Variance, in squared points, of the difference between two moves from deal to deal, and below the
number of deals it is taken to have been seen in already: a few like deals do not prove that there
is no luck."""
LUCK_DEALS: Final = 5


class Trials:
    """Moves by number, and their results; `handicaps` are how much worse each is expected to be."""

    def __init__(self, handicaps: Sequence[float]) -> None:
        """Start with nothing tried; the handicap of the first move is 0."""
        self.left = list(range(len(handicaps)))
        """The first move, and those that may still be best; each is to be tried next."""
        self.best = 0
        self.is_settled = False
        self.tried = 0
        """How many rounds were played out so far."""
        self._handicaps = tuple(handicaps)
        self._deals = 0
        self._leads = [0.0] * len(handicaps)
        self._squares = [0.0] * len(handicaps)
        self.judge()

    def add(self, worths: Sequence[float]) -> None:
        """Add one more deal: the worth of each of the moves that are left."""
        for at, worth in zip(self.left, worths, strict=True):
            lead = worth - worths[0]
            self._leads[at] += lead
            self._squares[at] += lead * lead
        self._deals += 1
        self.tried += len(worths)

    def judge(self) -> None:
        """Find the best move, and drop those that are clearly worse."""
        likely = {at: self._likely(at) for at in self.left[1:]}
        self.best, most = 0, 0.0
        for at, (worth, _) in likely.items():
            if worth > most:
                self.best, most = at, worth
        kept = [at for at, (worth, off) in likely.items() if worth + CLEAR * off >= most]
        self.left = [0, *kept]
        alone = kept == [self.best] and most > CLEAR * likely[self.best][1]
        self.is_settled = not kept or alone

    def _likely(self, at: int) -> tuple[float, float]:
        """How much better than the first a move is likely to be, and its standard deviation."""
        sum_, deals = self._leads[at], self._deals
        mean = sum_ / deals if deals else 0.0
        seen = self._squares[at] - sum_ * mean
        luck = (seen + LUCK_DEALS * LUCK) / (deals + LUCK_DEALS)
        shown, expected = deals / luck, 1 / (SPREAD * SPREAD)
        weight = shown + expected
        return (mean * shown - self._handicaps[at] * expected) / weight, sqrt(1 / weight)
