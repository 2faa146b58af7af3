"""How long this computer has slept, by two clocks of which one stands still meanwhile.

    system      runs on                stands still
    Linux       CLOCK_BOOTTIME         CLOCK_MONOTONIC
    macOS       CLOCK_MONOTONIC_RAW    CLOCK_UPTIME_RAW
    Windows     GetTickCount64         QueryUnbiasedInterruptTime
    any other   the wall clock         time.monotonic

Nobody can set the clocks of the first three. Where there is only the wall clock, setting it forward
looks like a sleep; on Windows `time.monotonic` runs on, so it could not be compared with that.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, NamedTuple

from netgame.limits import SLEEP_GAP_S

Clock = Callable[[], float]
"""Seconds since any moment."""

_NAMES: Final = {
    "linux": ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"),
    "darwin": ("CLOCK_MONOTONIC_RAW", "CLOCK_UPTIME_RAW"),
}


class Clocks(NamedTuple):
    """Two clocks that run alike, but for the time that a computer sleeps."""

    runs_on: Clock
    stands_still: Clock

    def slept_s(self) -> float:
        """The seconds slept so far, more or less some number that stays the same."""
        return self.runs_on() - self.stands_still()


class _Ticks:
    """The two clocks of Windows, from a library with its functions."""

    def __init__(self, kernel: Any) -> None:  # noqa: ANN401 - a library has no type
        self._count = kernel.GetTickCount64
        self._count.restype = ctypes.c_uint64
        self._query = kernel.QueryUnbiasedInterruptTime

    def runs_on(self) -> float:
        """The milliseconds since the start, those of sleep too, as seconds."""
        return float(self._count()) / 1000

    def stands_still(self) -> float:
        """The tenths of a microsecond since the start, without those of sleep, as seconds."""
        ticks = ctypes.c_uint64()
        self._query(ctypes.byref(ticks))
        return ticks.value / 10_000_000


def clocks_of(system: str, kernel: object = None) -> Clocks:
    """The clocks of a system, called as in `sys.platform`; of Windows from this `kernel` library.

    Where a system lacks those it should have, it is the last row of the table.
    """
    if kernel is not None:
        ticks = _Ticks(kernel)
        return Clocks(ticks.runs_on, ticks.stands_still)
    found = [getattr(time, name, None) for name in _NAMES.get(system, ())]
    read = getattr(time, "clock_gettime", None)  # Windows has none
    clocks = [partial(read, each) for each in found if each is not None and read is not None]
    try:
        if len(clocks) == 2:
            named = Clocks(*clocks)
            named.slept_s()
            return named
    except OSError:  # some sandboxes know the number of a clock, and not the clock
        pass
    return Clocks(time.time, time.monotonic)


@cache
def own_clocks() -> Clocks:
    """The clocks of this computer."""
    if sys.platform == "win32":
        return clocks_of("win32", ctypes.WinDLL("kernel32"))
    return clocks_of(sys.platform)


class SleepGauge:
    """Tells after each sleep of this computer, once, how long it was."""

    def __init__(self, clocks: Clocks | None = None) -> None:
        self._clocks = own_clocks() if clocks is None else clocks
        self._before = self._clocks.slept_s()

    def read(self) -> float:
        """The seconds slept since the last reading; 0 for less than `SLEEP_GAP_S`."""
        before, self._before = self._before, self._clocks.slept_s()
        gap = self._before - before
        return gap if gap > SLEEP_GAP_S else 0.0
