"""The program on a computer that can sleep: `python -m tests.lan.sleeper FILE join …`.

A stopped process is not a suspended computer: all the clocks of its system run on. Here the clocks
that would stop in a sleep lag by the number of seconds in the first eight octets of FILE, the total
sleep so far; `lags` writes it while the process is stopped. CLOCK_BOOTTIME and the wall clock run
on. Two things this cannot show: kernel timers run on too, and wake the loop in vain; and sockets
stay alive, unless the computer's cable is cut for as long.
"""

import mmap
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

_LAG = struct.Struct("d")


def lags(file: Path, seconds: float) -> None:
    """Write to `file` how many seconds the computer has slept in all."""
    file.write_bytes(_LAG.pack(seconds))


def _stand_still(file: Path) -> None:
    """Make the clocks of this process lag; must run before any module binds their functions."""
    with file.open("r+b") as opened:
        octets = mmap.mmap(opened.fileno(), _LAG.size)

    def lagging(clock: Callable[[], float]) -> Callable[[], float]:
        return lambda: clock() - _LAG.unpack(octets)[0]

    read = time.clock_gettime
    still = lagging(lambda: read(time.CLOCK_MONOTONIC))
    time.perf_counter = lagging(time.perf_counter)
    time.monotonic = lagging(time.monotonic)
    time.clock_gettime = lambda number: still() if number == time.CLOCK_MONOTONIC else read(number)


def run() -> None:
    """Run the program on clocks that lag; the first argument is the file with the lag."""
    _stand_still(Path(sys.argv.pop(1)))
    from cli.__main__ import main

    sys.exit(main())


if __name__ == "__main__":
    run()
