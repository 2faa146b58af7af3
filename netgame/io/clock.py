"""The time by this computer's clocks, which only this module and `sleep_gauge` read.

Timeouts in trio use trio's clock, and the protocol is handed the time.
"""

import datetime
import time


def seconds() -> float:
    """Return the seconds since some fixed moment, to measure durations; it never goes back."""
    return time.monotonic()


def unix_time() -> float:
    """Return the current Unix time, which jumps if the user sets the clock."""
    return time.time()


def local_now(form: str) -> str:
    """Return the local date and time in `form`, a format for `strftime`."""
    return datetime.datetime.now().astimezone().strftime(form)


def today() -> str:
    """Return today's date in UTC, in ISO format."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def stand_still(pause_s: float) -> None:
    """Block this thread for `pause_s` seconds; never call it in an event loop."""
    time.sleep(pause_s)
