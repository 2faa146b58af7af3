"""The comparison of several moves by the deals in which all of them were tried.

The first move is the one to beat. Each other move has an expected worth before any deal, and
results are combined with that: ten deals mean little, because luck moves a round by 30 points and
the choice of a move by 5.

More trials must pay. After each batch of deals the search computes, for each rival of the best move
so far, how many points the next `AHEAD` deals can be expected to gain by making it the best. That
is their *value of information* (Howard 1966): if the difference has a normal distribution of mean
d < 0, the deals move the mean by a normal s Z and gain E[max(0, d + s Z)] = s f(d / s), f(z) =
phi(z) + z Phi(z), as in the knowledge gradient of Frazier, Powell and Dayanik (A Knowledge-Gradient
Policy for Sequential Information Collection, 2008). If that is less than the price of its rounds,
the rival is dropped. The choice is settled when no rival is left, because one move is clearly
better, or because the rest are as good as each other.

Drawbacks. Ten deals can hardly change a choice that forty can, so the value of one batch alone
stops too soon (Frazier and Powell, Paradoxes in Learning, 2010); the number of deals to look ahead
was found by experiment. Leads are treated as independent, although all are over the same move.
"""

from collections.abc import Sequence
from math import erfc, exp, pi, sqrt
from typing import Final, NamedTuple

SPREAD: Final = 5.0
"""The standard deviation, in points, of a move's worth from its expectation."""

LUCK: Final = 600.0
"""The variance, in squared points, of the difference between two moves from deal to deal, assumed
before any deal."""

LUCK_DEALS: Final = 5
"""The weight of that assumption, in deals: a few similar deals do not prove that there is no
luck."""

PRICE: Final = 4e-4
"""The points that a played-out round must be expected to gain."""

BATCH: Final = 10
"""The deals to try before judging again."""

AHEAD: Final = 40
"""The deals to look ahead. With this and the price, a choice is 0.01 to 0.02 points worse than with
half as many rounds again."""


class Likely(NamedTuple):
    """The probable lead of a move over the first one, in points, and its variance."""

    worth: float
    variance: float
    luck: float = LUCK
    """The variance of the lead from deal to deal."""

    @property
    def off(self) -> float:
        """The standard deviation of `worth`."""
        return sqrt(self.variance)

    @property
    def to_learn(self) -> float:
        """The variance of the change that the next `AHEAD` deals make to `worth`."""
        return self.variance**2 / (self.variance + self.luck / AHEAD) if self.variance else 0.0


THE_FIRST: Final = Likely(0.0, 0.0)
"""The lead of the first move over itself: none."""


def expected(handicap: float) -> Likely:
    """Return the prior of a move that is expected to be `handicap` points worse than the first."""
    return Likely(-handicap, SPREAD * SPREAD)


def information(ahead: Likely, behind: Likely) -> float:
    """Return the points that `AHEAD` more deals should gain by reversing the order of two moves."""
    off = sqrt(ahead.to_learn + behind.to_learn)
    if not off:
        return 0.0
    z = (behind.worth - ahead.worth) / off
    return off * (exp(-z * z / 2) / sqrt(2 * pi) + z * erfc(-z / sqrt(2)) / 2)


class Lead:
    """A move's lead over the first move, in the deals that tried both."""

    def __init__(self) -> None:
        self._deals = 0
        self._sum = 0.0
        self._squares = 0.0

    def add(self, lead: float) -> None:
        """Add a deal in which the move was this many points better than the first."""
        self._deals += 1
        self._sum += lead
        self._squares += lead * lead

    def likely(self, before: Likely) -> Likely:
        """Return the posterior of the move after these deals, with the prior `before`."""
        deals = self._deals
        mean = self._sum / deals if deals else 0.0
        seen = self._squares - self._sum * mean
        luck = (seen + LUCK_DEALS * LUCK) / (deals + LUCK_DEALS)
        # the weights of the deals and of the prior are inverse variances
        shown = deals / luck
        weight = 1 / before.variance
        total = shown + weight
        return Likely((mean * shown + before.worth * weight) / total, 1 / total, luck)


class Trials:
    """A comparison of moves, given as numbers, by the deals in which they were tried.

    It tracks the moves to keep trying (`left`), the `best` move so far, the `runner_up`, and
    whether the choice `is_settled`.
    """

    def __init__(self, before: Sequence[Likely]) -> None:
        """Start with nothing tried; `before` contains the prior of each move.

        The prior of the first move is ignored, because its lead over itself is 0. The priors alone
        may settle the choice.
        """
        self.left = list(range(len(before)))
        """The moves to try next: the first, the best, and those that may still prove better."""
        self.best = 0
        self.is_settled = False
        self.tried = 0
        """The number of rounds played out so far."""
        self._before = tuple(before)
        self._leads = [Lead() for _ in before]
        self.judge()

    def add(self, worths: Sequence[float]) -> None:
        """Add a deal: the worth of each of the moves in `left`, in that order.

        This does not judge the moves. Raise ValueError if the number of worths is wrong.
        """
        for at, worth in zip(self.left, worths, strict=True):
            self._leads[at].add(worth - worths[0])
        self.tried += len(worths)

    def judge(self) -> None:
        """Find the best move so far, and drop for good the rivals that are not worth their rounds.

        Set `best`, `left` and `is_settled`, which is True if no rival is worth more rounds.
        """
        likely, cost = self._likely(), PRICE * AHEAD
        self.best = max(self.left, key=lambda at: likely[at].worth)
        rivals = [
            at
            for at in self.left
            if at != self.best and information(likely[self.best], likely[at]) > cost
        ]
        # every deal tries the first move, because all leads are measured against it
        self.left = sorted({0, self.best, *rivals})
        self.is_settled = not rivals

    @property
    def runner_up(self) -> int | None:
        """The best of the other moves, including dropped ones, or None if there is no other."""
        likely = self._likely()
        others = [at for at in range(len(likely)) if at != self.best]
        return max(others, key=lambda at: likely[at].worth, default=None)

    def _likely(self) -> list[Likely]:
        leads = zip(self._leads[1:], self._before[1:], strict=True)
        return [THE_FIRST, *(lead.likely(before) for lead, before in leads)]
