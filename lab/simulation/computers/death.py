"""The points at which a simulated process can die: at an entry of its own, or at any effect."""

from enum import Enum
from typing import Final


class Point(Enum):
    """How far a process has got with an entry or statement of its own, or with any effect."""

    WRITTEN = "written, not synced"
    SYNCED = "synced, not sent"
    SENT_ONCE = "sent to one"
    SENT = "sent to all"
    BEFORE = "not begun"
    AFTER = "carried out"


OF_ENTRY: Final = (Point.WRITTEN, Point.SYNCED, Point.SENT_ONCE, Point.SENT)
"""The points of a process's own entry or statement, not of other effects."""


class Died(Exception):
    """The process was killed between two effects; `Process._work_off` catches it."""
