"""The time, as this computer's clocks have it: nowhere else is it read, but in `sleep_gauge`.

What is timed in trio goes by trio's clock, and the protocol is handed the time.
"""

import datetime
import time


def seconds() -> float:
    """Seconds since some moment, for how long something takes; never set back."""
    return time.monotonic()


def unix_time() -> float:
    """The time of the day and year, in Unix time; somebody may set it."""
    return time.time()


def local_now(form: str) -> str:
    """The time of the day and year here, in the `form` of `strftime`; empty for an empty one."""
    return datetime.datetime.now().astimezone().strftime(form)


def today() -> str:
    """The day in UTC, as an ISO date."""
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def stand_still(pause_s: float) -> None:
    """Do nothing for so many seconds, and let nobody else in this thread: not for a loop."""
    time.sleep(pause_s)
