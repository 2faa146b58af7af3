"""Where a process of the simulation can die: with an entry of its own, or at any effect."""

from enum import Enum
from typing import Final


class Point(Enum):
    """Where a process stands with an entry of its own, or with any effect."""

    WRITTEN = "written, not synced"
    SYNCED = "synced, not sent"
    SENT_ONCE = "sent to one"
    SENT = "sent to all"
    BEFORE = "not begun"
    AFTER = "carried out"


OF_ENTRY: Final = (Point.WRITTEN, Point.SYNCED, Point.SENT_ONCE, Point.SENT)
"""Those that only an entry of its own comes to."""


class Died(Exception):
    """The process was killed between two effects; caught where its input was taken."""
