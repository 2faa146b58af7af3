"""Which of several moves is best, by the deals in which all of them were tried.

The first move is the one to beat. For each other one something is expected before any deal, and
results are weighed against that: ten deals say little, as luck moves a round by 30 points and the
choice of a move by 5.

Trying on must pay. After each batch of deals the search asks, of each rival of the best move so
far, how many points the next `AHEAD` deals can be expected to gain by making it the best. That is
their *value of information* (Howard 1966): with what is likely of a difference, a normal
distribution of mean d < 0, they move the mean by a normal s Z and gain E[max(0, d + s Z)] =
s f(d / s), f(z) = phi(z) + z Phi(z), as in the knowledge gradient of Frazier, Powell and Dayanik (A
Knowledge-Gradient Policy for Sequential Information Collection, 2008). A rival of which that is
less than the price of its rounds is tried no further, and when none is left the matter is settled:
because one move is clearly better, or because those that are left are as good as each other.

What is ugly. Ten deals can hardly turn a choice that forty can, so the value of one batch alone
stops too soon (Frazier and Powell, Paradoxes in Learning, 2010); how far to look ahead is a number
that was tried out. Leads are taken for independent, though all of them are over the same move.
"""

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt
from typing import Final, NamedTuple

SPREAD: Final = 5.0
"""Standard deviation, in points, of a move's worth from what is expected of it."""

LUCK: Final = 600.0
"""How much the difference between two moves changes from deal to deal: the variance, in squared
points, that is assumed before any deal."""

LUCK_DEALS: Final = 5
"""How many deals that assumption weighs: a few deals that are alike do not prove that there is no
luck."""

PRICE: Final = 4e-4
"""Points that a played-out round must be expected to gain."""

BATCH: Final = 10
"""Deals that are tried before all is judged again."""

AHEAD: Final = 40
"""Deals whose value is asked for. With this and the price a choice is worse by 0.01 to 0.02 points
than after half as many rounds again."""


class Likely(NamedTuple):
    """How many points better than the first a move probably is, and the variance of that."""

    worth: float
    variance: float
    luck: float = LUCK
    """The variance, from deal to deal, of the lead that this is known from."""

    @property
    def off(self) -> float:
        """Its standard deviation."""
        return sqrt(self.variance)

    @property
    def to_learn(self) -> float:
        """The variance by which the next `AHEAD` deals move `worth`."""
        return self.variance**2 / (self.variance + self.luck / AHEAD) if self.variance else 0.0


THE_FIRST: Final = Likely(0.0, 0.0)
"""The first move beside itself."""


def expected(handicap: float) -> Likely:
    """The prospect of a move before any deal, expected to be `handicap` points worse."""
    return Likely(-handicap, SPREAD * SPREAD)


def information(ahead: Likely, behind: Likely) -> float:
    """Points that the next `AHEAD` deals can be expected to gain by turning two moves around."""
    off = sqrt(ahead.to_learn + behind.to_learn)
    if not off:
        return 0.0
    z = (behind.worth - ahead.worth) / off
    return off * (exp(-z * z / 2) / sqrt(2 * pi) + z * erfc(-z / sqrt(2)) / 2)


class Lead:
    """Sums up how much better than the first a move was, over the deals that tried both."""

    def __init__(self) -> None:
        """Start with no deal."""
        self._deals = 0
        self._sum = 0.0
        self._squares = 0.0

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
        # both as weights, which are inverse variances: the deals, and what was expected
        shown = deals / luck
        weight = 1 / before.variance
        total = shown + weight
        return Likely((mean * shown + before.worth * weight) / total, 1 / total, luck)


class Trials:
    """Compares moves, which are numbers here, by the deals in which they were tried.

    `before` is what is expected of each, the first as 0. It says which moves to try on (`left`),
    which is `best` so far, which is the `runner_up`, and whether that `is_settled`.
    """

    def __init__(self, before: Sequence[Likely]) -> None:
        """Start with nothing tried, and what is held likely of each move `before` that.

        If that alone settles it, nothing is left to be tried.
        """
        self.left = list(range(len(before)))
        """The first move, the best, and those that may still prove better; to be tried next."""
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
        """Find the best move so far, and drop for good the rivals that are not worth their rounds.

        Sets `best`, `left`, and `is_settled`: whether no rival is left, the first move included.
        """
        likely, cost = self._likely(), PRICE * AHEAD
        self.best = max(self.left, key=lambda at: likely[at].worth)
        rivals = [
            at
            for at in self.left
            if at != self.best and information(likely[self.best], likely[at]) > cost
        ]
        # the first is played on in every deal, as the leads of all others are over it
        self.left = sorted({0, self.best, *rivals})
        self.is_settled = not rivals

    @property
    def runner_up(self) -> int | None:
        """The best of the other moves, dropped ones included; None if there is no other."""
        likely = self._likely()
        others = [at for at in range(len(likely)) if at != self.best]
        return max(others, key=lambda at: likely[at].worth, default=None)

    def _likely(self) -> list[Likely]:
        leads = zip(self._leads[1:], self._before[1:], strict=True)
        return [THE_FIRST, *(lead.likely(before) for lead, before in leads)]
