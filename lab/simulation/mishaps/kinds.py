"""Every kind of mishap in a simulated game."""

from enum import Enum
from typing import Final

from lab.simulation.computers.death import Point


class Mishap(Enum):
    """Everything that can go wrong."""

    PARTITION = "partition"
    CUT = "network cut in parts"
    NAMED = "people name who is missing"
    FAREWELL = "farewell"
    STALL = "stalled link"
    RESET = "reset link"
    SLOW_LINK = "slow link"
    SLOW_WORK = "slow processor"
    SLOW_CHECK = "slow check"
    PIECES = "octets cut up"
    REPEATS = "repeated frames"
    DIES_UNSYNCED = "power cut before the sync"
    DIES_UNSENT = "crash before the first send"
    DIES_HALF_SENT = "crash between two sends"
    DIES_SENT = "crash after the last send"
    OTHER_DIES = "crash of another seat"
    ALL_DIE = "power cut for all"
    FLIP = "flipped bit in the record"
    FLIP_JOURNAL = "flipped bit in the journal"
    OLD_BACKUP = "old backup of the record"
    ROLLBACK = "folder put back"
    COPIED = "copied folder"
    DISK_LIES = "disk that lied about a sync"
    DISK_FULL = "full disk"
    SYNC_FAILS = "failing sync"
    CLOCK_JUMPS = "clock jump"
    SLEEPS = "suspend and resume"


POINTS: Final = {
    Mishap.DIES_UNSYNCED: Point.WRITTEN,
    Mishap.DIES_UNSENT: Point.SYNCED,
    Mishap.DIES_HALF_SENT: Point.SENT_ONCE,
    Mishap.DIES_SENT: Point.SENT,
    Mishap.DISK_LIES: Point.SENT_ONCE,
}
"""The point, at an entry of its own, where a process dies of each of these."""

CRASHES: Final = tuple(fault for fault in POINTS if fault is not Mishap.DISK_LIES)
"""The deaths after which the disk has everything that it claimed to have synced."""
