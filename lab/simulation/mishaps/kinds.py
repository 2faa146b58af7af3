"""Every kind of thing that can go wrong in a simulated game."""

from enum import Enum


class Mishap(Enum):
    """Everything that can go wrong."""

    PARTITION = "partition"
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
    OLD_BACKUP = "old backup of the record"
    ROLLBACK = "folder put back"
    COPIED = "copied folder"
    DISK_LIES = "disk that lied about a sync"
    DISK_FULL = "full disk"
    SYNC_FAILS = "failing sync"
    CLOCK_JUMPS = "clock jump"
    SLEEPS = "suspend and resume"
