"""Detecting a sleep from two clocks, on each system."""

import ctypes
import sys
import time
from types import SimpleNamespace

import pytest

from netgame.io import sleep_gauge
from netgame.io.sleep_gauge import Clocks, SleepGauge, clocks_of, own_clocks
from netgame.limits import SLEEP_GAP_S


class Computer:
    """A computer with two clocks, one of which stops while it sleeps."""

    def __init__(self) -> None:
        self.now, self.slept, self.wall = 1000.0, 0.0, 5_000_000.0

    def runs(self, seconds: float, *, asleep: bool = False) -> None:
        """Let time pass while the computer is awake or asleep."""
        self.now += seconds
        self.wall += seconds
        self.slept += seconds if asleep else 0.0

    def gauge(self) -> SleepGauge:
        """Return a gauge of this computer's two clocks."""
        return SleepGauge(Clocks(lambda: self.now, lambda: self.now - self.slept))


def test_a_sleep_is_told_once_and_with_its_length():
    """A sleep is reported once, with its length; time awake and very short sleeps do not count."""
    computer = Computer()
    gauge = computer.gauge()
    computer.runs(500.0)
    assert gauge.read() == 0.0
    computer.runs(45.0, asleep=True)
    computer.runs(1.0)
    assert gauge.read() == pytest.approx(45.0)
    assert gauge.read() == 0.0
    computer.runs(SLEEP_GAP_S - 1, asleep=True)
    assert gauge.read() == 0.0


@pytest.mark.parametrize(
    ("system", "runs_on", "stands_still"),
    [
        ("linux", "CLOCK_BOOTTIME", "CLOCK_MONOTONIC"),
        ("darwin", "CLOCK_MONOTONIC_RAW", "CLOCK_UPTIME_RAW"),
    ],
)
def test_a_system_has_the_two_clocks_of_the_table(monkeypatch, system, runs_on, stands_still):
    """A system's two clocks are read by their names; setting the wall clock is not a sleep."""
    computer = Computer()
    read = {1: lambda: computer.now, 2: lambda: computer.now - computer.slept}
    fake = SimpleNamespace(
        **{runs_on: 1, stands_still: 2},
        clock_gettime=lambda number: read[number](),
        time=lambda: computer.wall,
        monotonic=lambda: computer.now - computer.slept,
    )
    monkeypatch.setattr(sleep_gauge, "time", fake)
    gauge = SleepGauge(clocks_of(system))
    computer.wall += 3600.0
    assert gauge.read() == 0.0
    computer.runs(45.0, asleep=True)
    assert gauge.read() == pytest.approx(45.0)


class Kernel:
    """A stand-in for the Windows library, with the two functions that the gauge calls."""

    def __init__(self, computer: Computer) -> None:
        self.GetTickCount64 = Function(lambda: int(computer.now * 1000))
        self.QueryUnbiasedInterruptTime = Function(
            lambda at: setattr(
                ctypes.cast(at, ctypes.POINTER(ctypes.c_uint64)).contents,
                "value",
                int((computer.now - computer.slept) * 10_000_000),
            )
        )


class Function:
    """A function whose result type can be set."""

    restype: object = None

    def __init__(self, call) -> None:
        self._call = call

    def __call__(self, *given):
        """Call the wrapped function."""
        return self._call(*given)


def test_windows_has_two_counts_of_its_own():
    """On Windows the gauge reads two counters of the system.

    There, `time.monotonic` runs on during a sleep, so it does not reveal one.
    """
    computer = Computer()
    gauge = SleepGauge(clocks_of("win32", Kernel(computer)))
    computer.runs(100.0)
    assert gauge.read() == 0.0
    computer.runs(45.0, asleep=True)
    assert gauge.read() == pytest.approx(45.0, abs=0.1)


@pytest.mark.parametrize("system", ["freebsd14", "linux"])
def test_without_these_clocks_the_wall_clock_is_asked(monkeypatch, system):
    """A system without such clocks, or a sandbox that refuses them, uses the wall clock."""

    def refuses(_number):
        raise OSError("no such clock")

    fake = SimpleNamespace(
        CLOCK_BOOTTIME=7,
        CLOCK_MONOTONIC=1,
        clock_gettime=refuses,
        time=time.time,
        monotonic=time.monotonic,
    )
    monkeypatch.setattr(sleep_gauge, "time", fake)
    assert clocks_of(system) == Clocks(time.time, time.monotonic)


def test_the_clocks_of_this_computer_run_alike():
    """The two clocks of this computer advance alike while it is awake.

    On Linux, macOS and Windows they are the system's own pair, not the wall clock.
    """
    clocks = own_clocks()
    before = clocks.slept_s()
    time.sleep(0.05)
    assert clocks.slept_s() == pytest.approx(before, abs=0.02)
    has_own = sys.platform in ("linux", "darwin", "win32")
    assert (clocks != Clocks(time.time, time.monotonic)) == has_own
