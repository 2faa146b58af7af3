"""One life of a simulated process: its scheduled actions, its clock, and its alarm."""

from collections.abc import Callable

from lab.simulation.computers.clock import VirtualTime


class Life:
    """One life of a process; actions scheduled in it never happen after its death."""

    def __init__(self, time: VirtualTime) -> None:
        self._time = time
        self.is_over = False

    def later(self, delay: float, act: Callable[[], object]) -> None:
        """Schedule an action after `delay` seconds, unless the process dies first."""
        self.at(self._time.now + delay, act)

    def at(self, when: float, act: Callable[[], object]) -> None:
        """Schedule an action at a time, unless the process dies first."""
        self._time.at(when, self.guard(act))

    def guard(self, act: Callable[[], object]) -> Callable[[], object]:
        """Return a function that calls `act`, or does nothing once the process has died."""
        return lambda: None if self.is_over else act()


class ComputerClock:
    """A computer's monotonic clock, which starts at any value and stops during sleep."""

    def __init__(self, time: VirtualTime, began_s: float) -> None:
        self._time = time
        self._lag = -began_s

    def now(self) -> float:
        """Return the time that the clock shows."""
        return self._time.now - self._lag

    def time_of(self, shown: float) -> float:
        """Return the virtual time at which this clock will show `shown`.

        If the computer sleeps before then, the clock will show it later.
        """
        return shown + self._lag

    def stood_still(self, seconds: float) -> None:
        """Note that the computer has slept for this many seconds."""
        self._lag += seconds


class WakeCall:
    """The one alarm of a core. It wakes the core when the clock shows the time last set."""

    def __init__(self, life: Life, clock: ComputerClock, wake: Callable[[], None]) -> None:
        self._life = life
        self._clock = clock
        self._wake = wake
        self._wanted_at: float | None = None
        self._set_at: float | None = None

    def set(self, at: float) -> None:
        """Set the alarm to ring when the clock shows this time, replacing any earlier setting."""
        self._wanted_at = at
        if self._set_at is None or at < self._set_at:
            self._set_at = at
            self._life.at(self._clock.time_of(at), lambda: self._ring(at))

    def set_anew(self) -> None:
        """Schedule the alarm again after a sleep, because the clock now shows its time later."""
        self._set_at = None
        if self._wanted_at is not None:
            self.set(self._wanted_at)

    def _ring(self, at: float) -> None:
        if self._set_at != at:
            return
        self._set_at = None
        wanted_at, self._wanted_at = self._wanted_at, None
        if wanted_at is not None and wanted_at > self._clock.now() + 1e-9:
            self.set(wanted_at)
        elif wanted_at is not None:
            self._wake()
