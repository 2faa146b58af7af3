"""The program on a computer that can sleep: `python -m tests.lan.sleeper FILE join …`.

A process that is stopped is not suspended: all clocks of its system run on meanwhile. Here those
that stand still in a sleep lag by as many seconds as the first eight octets of FILE say, which is
the sleep so far; `lags` writes them while the process is stopped. CLOCK_BOOTTIME and the wall clock
run on. What this cannot show: timers of the kernel run on too, and wake the loop in vain; sockets
are alive in the sleep, unless the cable of that computer is cut for as long.
"""

import mmap
import struct
import sys
import time
from collections.abc import Callable
from pathlib import Path

_LAG = struct.Struct("d")


def lags(file: Path, seconds: float) -> None:
    """Write down that the computer has slept for so long, in all."""
    file.write_bytes(_LAG.pack(seconds))


def _stand_still(file: Path) -> None:
    """Have the clocks of this process lag; before anybody has bound their functions."""
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
    """Run the program with the other words that were given."""
    _stand_still(Path(sys.argv.pop(1)))
    from cli.__main__ import main

    sys.exit(main())


if __name__ == "__main__":
    run()
