"""The time that this computer has slept, measured by two clocks: only one runs on during sleep.

    system      runs on                stands still
    Linux       CLOCK_BOOTTIME         CLOCK_MONOTONIC
    macOS       CLOCK_MONOTONIC_RAW    CLOCK_UPTIME_RAW
    Windows     GetTickCount64         QueryUnbiasedInterruptTime
    any other   the wall clock         time.monotonic

Nobody can set the clocks of the first three. Where there is only the wall clock, setting it forward
looks like a sleep. Windows needs its own row because its `time.monotonic` runs on during sleep.
"""

import ctypes
import sys
import time
from collections.abc import Callable
from functools import cache, partial
from typing import Any, Final, NamedTuple

from netgame.limits import SLEEP_GAP_S

Clock = Callable[[], float]
"""A function that returns the seconds since any fixed moment."""

_NAMES: Final = {
    "linux": ("CLOCK_BOOTTIME", "CLOCK_MONOTONIC"),
    "darwin": ("CLOCK_MONOTONIC_RAW", "CLOCK_UPTIME_RAW"),
}


class Clocks(NamedTuple):
    """Two clocks that differ only by the time that a computer sleeps."""

    runs_on: Clock
    stands_still: Clock

    def slept_s(self) -> float:
        """Return the seconds slept so far, plus an unknown constant."""
        return self.runs_on() - self.stands_still()


class _Ticks:
    """The two clocks of Windows, read through its library `kernel`."""

    def __init__(self, kernel: Any) -> None:  # noqa: ANN401 - a library has no type
        self._count = kernel.GetTickCount64
        self._count.restype = ctypes.c_uint64
        self._query = kernel.QueryUnbiasedInterruptTime

    def runs_on(self) -> float:
        """Return the seconds since Windows started, including sleep."""
        return float(self._count()) / 1000

    def stands_still(self) -> float:
        """Return the seconds since Windows started, not counting sleep."""
        ticks = ctypes.c_uint64()
        self._query(ctypes.byref(ticks))
        return ticks.value / 10_000_000


def clocks_of(system: str, kernel: object = None) -> Clocks:
    """Return the clocks of `system`, named as in `sys.platform`; with `kernel`, those of Windows.

    A system without the clocks that it should have gets the last row of the table.
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
    """Return the clocks of this computer."""
    if sys.platform == "win32":
        return clocks_of("win32", ctypes.WinDLL("kernel32"))
    return clocks_of(sys.platform)


class SleepGauge:
    """A gauge that reports the length of each sleep of this computer once."""

    def __init__(self, clocks: Clocks | None = None) -> None:
        self._clocks = own_clocks() if clocks is None else clocks
        self._before = self._clocks.slept_s()

    def read(self) -> float:
        """Return the seconds slept since the last reading; 0 if no more than `SLEEP_GAP_S`."""
        before, self._before = self._before, self._clocks.slept_s()
        gap = self._before - before
        return gap if gap > SLEEP_GAP_S else 0.0
