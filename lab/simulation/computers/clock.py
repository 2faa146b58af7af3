"""Virtual time: a heap of future events, for the simulator and for tests.

Nothing here reads a clock. Events due at the same instant happen in the order in which they were
scheduled.
"""

import heapq
from collections.abc import Callable, Iterator
from typing import TypeAlias


class Stuck(Exception):
    """A wait exceeded its time or number of events, or nothing is left to happen."""


def bug_at(bug: BaseException) -> str:
    """Return an exception as text, with the function and line that raised it."""
    trace = bug.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f" in {trace.tb_frame.f_code.co_qualname}:{trace.tb_lineno}" if trace else ""
    return f"{bug!r}{where}"


Later: TypeAlias = Callable[[float, Callable[[], object]], None]
"""Schedules an action after a number of seconds."""
Script: TypeAlias = Iterator[float]
"""A process in steps; yields the seconds until its next step."""


class VirtualTime:
    """The seconds since one table began, and the events still to come."""

    def __init__(self, events_max: int | None = None) -> None:
        self.now = 0.0
        self.events = 0
        self.events_max = events_max
        self._queue: list[tuple[float, int, Callable[[], object]]] = []
        self.asked = 0
        """How many events were ever scheduled."""

    def at(self, when: float, act: Callable[[], object]) -> None:
        """Schedule an action for the time `when`."""
        self.asked += 1
        heapq.heappush(self._queue, (when, self.asked, act))

    def later(self, delay: float, act: Callable[[], object]) -> None:
        """Schedule an action after `delay` seconds."""
        self.at(self.now + delay, act)

    def follow(self, script: Script, later: Later | None = None) -> None:
        """Run the first step of a script at once, and each later one after the pause it yields.

        `later`, if given, schedules those steps in place of `self.later`.
        """
        pause = next(script, None)
        if pause is not None:
            (later or self.later)(pause, lambda: self.follow(script, later))

    def run(self, is_over: Callable[[], bool], limit_s: float) -> None:
        """Let time pass until `is_over` returns True.

        Raises `Stuck` if that takes more than `limit_s` seconds or too many events, or if no event
        is left.
        """
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
