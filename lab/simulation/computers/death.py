"""Where a process of the simulation can die: with an entry of its own, or at any effect."""

from enum import Enum


class Point(Enum):
    """Where a process stands with an entry of its own, or with any effect."""

    WRITTEN = "written, not synced"
    SYNCED = "synced, not sent"
    SENT_ONCE = "sent to one"
    SENT = "sent to all"
    BEFORE = "not begun"
    AFTER = "carried out"


class Died(Exception):
    """The process was killed between two effects; caught where its input was taken."""
