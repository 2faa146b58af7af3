"""The effort that a decision may cost: a number of rounds played out, or some time.

A count of rounds gives the same decision on every computer. The engine has no clock: a caller that
has one, or another reason to stop, passes `is_stopped`, which a search calls before every deal.
"""

from collections.abc import Callable
from math import inf


def never() -> bool:
    """Return False: the default `is_stopped`, for an effort that nobody stops."""
    return False


class Effort:
    """A limit on the rounds to play out, and a count of them, for all searches that share it.

    A search checks `lasts` before it goes on, and counts its rounds with `spend`.
    """

    def __init__(self, rollouts: float = inf, is_stopped: Callable[[], bool] = never) -> None:
        """Allow this many rounds, and none once `is_stopped` returns True.

        `is_stopped` may be called from any thread.
        """
        self.rollouts = rollouts
        self.spent = 0
        """The number of rounds played out so far."""
        self.was_stopped = False
        """True if `is_stopped` has returned True."""
        self._is_stopped = is_stopped

    def has_time(self) -> bool:
        """Return True unless `is_stopped` returns True now, or has returned True before."""
        self.was_stopped = self.was_stopped or self._is_stopped()
        return not self.was_stopped

    def lasts(self) -> bool:
        """Return True if rounds are left and there is time."""
        return self.spent < self.rollouts and self.has_time()

    def spend(self, rollouts: int) -> None:
        """Count this many rounds as played out, even beyond the limit."""
        self.spent += rollouts
