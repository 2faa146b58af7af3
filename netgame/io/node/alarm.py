"""The time at which a core wants to be woken."""

import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import trio


@dataclass(frozen=True, slots=True)
class Woken:
    """The time asked for has come."""


class Alarm:
    """Awaits `ring` once at the time that was set last."""

    def __init__(self, ring: Callable[[Woken], Awaitable[None]]) -> None:
        self._ring = ring
        self._at = math.inf
        self._scope = trio.CancelScope()

    def set(self, at: float) -> None:
        """Ring at this monotonic time, in seconds, and at no earlier one set before."""
        self._at = self._scope.deadline = at

    async def run(self) -> None:
        """Ring until cancelled."""
        while True:
            with trio.CancelScope(deadline=self._at) as self._scope:
                await trio.sleep_forever()
            if trio.current_time() >= self._at:
                self._at = math.inf
                await self._ring(Woken())
