"""A rate limit: how much of something is allowed over time."""


class TokenBucket:
    """Allows `per_s` a second in the long run, and up to `burst` at once.

    A new bucket is full. It never waits by itself: `take` tells its caller how long to wait. Times
    are in seconds, and no call may pass an earlier time than the call before.
    """

    def __init__(self, per_s: float, burst: float, now: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = float(burst)
        self._at = now

    def take(self, amount: float, now: float) -> float:
        """Take `amount`, even if less is left; return the seconds until the rest is there, or 0.0.

        What is missing is owed, so later calls have to wait longer too.
        """
        self._tokens = self._tokens_at(now) - amount
        self._at = now
        return max(0.0, -self._tokens / self._per_s)

    def take_all(self, amount: float, now: float) -> bool:
        """Take all of `amount` and return True; if less is left, take nothing and return False."""
        if self._tokens_at(now) < amount:
            return False
        self.take(amount, now)
        return True

    def give_back(self, amount: float, now: float) -> None:
        """Put `amount` back, for example because it was not used; anything over `burst` is lost."""
        self._tokens = min(self._burst, self._tokens_at(now) + amount)
        self._at = now

    def would_wait(self, now: float) -> bool:
        """Return True if taking 1 would mean waiting; nothing is taken."""
        return self._tokens_at(now) < 1

    def is_full(self, now: float) -> bool:
        """Return True if the bucket is as full as a new one."""
        return self._tokens_at(now) >= self._burst

    def _tokens_at(self, now: float) -> float:
        return min(self._burst, self._tokens + (now - self._at) * self._per_s)
