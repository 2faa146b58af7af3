"""How much thinking a decision may cost: so many rounds played out, or as long as there is time.

A count of rounds gives the same decision on every computer. The engine has no clock: a caller that
has one, or another reason to break off, hands in `is_stopped`, which is asked before every deal.
"""

from collections.abc import Callable
from math import inf


def never() -> bool:
    """False: the check of an effort that nobody breaks off."""
    return False


class Effort:
    """How many rounds may be played out and how many were, in all searches it is handed to.

    A search asks `lasts` before it goes on, and counts its rounds with `spend`. Nothing is ever
    given back.
    """

    def __init__(self, rollouts: float = inf, is_stopped: Callable[[], bool] = never) -> None:
        """Allow so many rounds, and none once `is_stopped` says yes; any thread may ask it."""
        self.rollouts = rollouts
        self.spent = 0
        """How many rounds were played out so far."""
        self.was_stopped = False
        """Whether it was broken off, while there were rounds left."""
        self._is_stopped = is_stopped

    def has_time(self) -> bool:
        """Whether it is not broken off yet; asks `is_stopped`, whose first yes counts for good."""
        self.was_stopped = self.was_stopped or self._is_stopped()
        return not self.was_stopped

    def lasts(self) -> bool:
        """Whether more may be played out: rounds are left, and it is not broken off."""
        return self.spent < self.rollouts and self.has_time()

    def spend(self, rollouts: int) -> None:
        """Count so many rounds as played out, beyond the limit, too."""
        self.spent += rollouts
