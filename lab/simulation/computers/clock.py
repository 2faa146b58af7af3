"""Virtual time: a heap of what happens next, for the simulator and for tests alike.

Nothing here reads a clock. What is due at the same instant happens in the order it was asked for.
"""

import heapq
from collections.abc import Callable, Iterator
from typing import TypeAlias


class Stuck(Exception):
    """A wait has not ended in the time or the events that it may take."""


def bug_at(bug: BaseException) -> str:
    """A bug and its place, as a person looks for it."""
    trace = bug.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace else ""
    return f"{bug!r}{where}"


Later: TypeAlias = Callable[[float, Callable[[], object]], None]
"""Has something happen after so many seconds."""
Script: TypeAlias = Iterator[float]
"""Something that happens bit by bit; gives the seconds until its next bit."""


class VirtualTime:
    """Seconds since the beginning of one table, and what is still to happen."""

    def __init__(self, events_max: int | None = None) -> None:
        self.now = 0.0
        self.events = 0
        self.events_max = events_max
        self._queue: list[tuple[float, int, Callable[[], object]]] = []
        self.asked = 0
        """How many things were ever to happen."""

    def at(self, when: float, act: Callable[[], object]) -> None:
        """Have something happen at a time."""
        self.asked += 1
        heapq.heappush(self._queue, (when, self.asked, act))

    def later(self, delay: float, act: Callable[[], object]) -> None:
        """Have something happen after so many seconds."""
        self.at(self.now + delay, act)

    def follow(self, script: Script, later: Later | None = None) -> None:
        """Have what a script says happen, from now on; `later` puts off what comes next."""
        pause = next(script, None)
        if pause is not None:
            (later or self.later)(pause, lambda: self.follow(script, later))

    def run(self, is_over: Callable[[], bool], limit_s: float) -> None:
        """Let time pass until something is so. Raises `Stuck`."""
        queue, end = self._queue, self.now + limit_s
        while not is_over():
            if not queue:
                raise Stuck("nothing will ever happen again")
            when, _, act = heapq.heappop(queue)
            if when > self.now:
                self.now = when
            self.events += 1
            if self.now > end:
                raise Stuck(f"not over after {limit_s:.0f} simulated seconds")
            if self.events_max is not None and self.events > self.events_max:
                raise Stuck(f"not over after {self.events_max} events")
            act()
