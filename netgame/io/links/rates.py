"""How much of something there may be in a while."""

from __future__ import annotations


class TokenBucket:
    """Allows `per_s` in the long run and `burst` at once; `now` is in seconds, never going back."""

    def __init__(self, per_s: float, burst: float, now: float) -> None:
        self._per_s = per_s
        self._burst = burst
        self._tokens = burst
        self._at = now

    def take(self, amount: float, now: float) -> float:
        """Take `amount`; return how many seconds to wait before going on."""
        self._fill(now)
        self._tokens -= amount
        return max(0.0, -self._tokens / self._per_s)

    def would_wait(self, now: float) -> bool:
        """Whether not even one is left."""
        self._fill(now)
        return self._tokens < 1

    def _fill(self, now: float) -> None:
        self._tokens = min(self._burst, self._tokens + (now - self._at) * self._per_s)
        self._at = now
