"""What each linked peer has said of its log, and what it has been asked [peer.md §3.5]."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeVar

from netgame.limits import PULL_BYTES_MAX
from netgame.protocol.log.entry import Entry, filled_mask, read_mask
from netgame.wire.messages import Head, Pull, Pulled, SignedEntry, SignedStatement

S = TypeVar("S", SignedEntry, SignedStatement)

PULL_PATIENCE_S: Final = 2.0
"""A peer that had nothing new, whatever its head says, is asked again only after this long.

Nobody else can tell, or is kept waiting: so this is no limit of the table.
"""

_ENVELOPE_BYTES: Final = 80
_DIG_DEPTH: Final = 4


def is_ahead(head: Head, step: int, filled: frozenset[int], polls: int) -> bool:
    """Whether a log with this head has what one at `step` with slots `filled` lacks.

    An entry, or what has decided a poll, where that one has come to the end of `polls`.
    """
    has_more = head.step == step and bool(read_mask(head.filled) - filled)
    return head.step > step or head.polls > polls or has_more


@dataclass(slots=True)
class Dig:
    """Reading a peer's log again, to find where it leaves ours.

    Each beginning is further back than the last; from there it goes forward, frame by frame.
    """

    reach: int = _DIG_DEPTH
    active: bool = False
    step: int = 0
    filled: frozenset[int] = frozenset()
    polls: int = 0

    def begin(self, step: int, polls: Callable[[int], int]) -> Pull:
        """Ask from some steps before `step`; next time from four times as many.

        `polls` gives how many polls we have decided before a step.
        """
        self.active, self.step, self.filled = True, max(0, step - self.reach), frozenset()
        self.polls = polls(self.step)
        if self.step > 0:
            self.reach *= 4
        return self._pull()

    def go_on(self, entries: Iterable[Entry], mine: int) -> Pull | None:
        """Ask for what follows the entries just read; None if they lead no further.

        `mine` is the step due here: what comes after it cannot differ from anything.
        """
        before = (self.step, self.filled)
        for entry in entries:
            if entry.step > self.step:
                self.step, self.filled = entry.step, frozenset()
            if entry.step == self.step:
                self.filled |= {entry.seat}
        self.active = (self.step, self.filled) != before and self.step <= mine
        return self._pull() if self.active else None

    def _pull(self) -> Pull:
        return Pull(self.step, filled_mask(tuple(self.filled)), self.polls)


@dataclass(slots=True)
class Peer:
    """What is known of one linked peer.

    The link came at `came_at`; it `has_spoken` once its hello is here, for whichever table.
    `life` is what its process has thrown for itself, `rival` that of the process of the same key
    whose link was still up when this one came. `greeted`: its hello named our table. `dropped`: we
    have had enough of this link; nothing that still comes over it counts. `asked_at`: when it was
    sent a pull that it has not answered; it is asked nothing before `idle_until`. `told`: our head
    as it was told it last, at `told_at`; its own came at `heard_at`. `evidence`: what it says
    proves a fault at a step not reached here, `proof` with statements among it. `shown` are the
    names of the statements of the open poll, and of what decided the one before, that it was sent,
    or has sent.
    """

    came_at: float = 0.0
    has_spoken: bool = False
    life: bytes = b""
    rival: bytes = b""
    greeted: bool = False
    dropped: bool = False
    head: Head | None = None
    heard_at: float = -math.inf
    told: Head | None = None
    asked_at: float = -math.inf
    idle_until: float = 0.0
    told_at: float = -math.inf
    dig: Dig = field(default_factory=Dig)
    evidence: tuple[Entry, ...] = ()
    proof: tuple[tuple[SignedEntry, ...], tuple[SignedStatement, ...]] | None = None
    shown: set[bytes] = field(default_factory=set)


def batches(entries: Iterable[S]) -> Iterator[tuple[S, ...]]:
    """The entries, or statements, in their order, in as few pieces as fit a frame each."""
    piece: list[S] = []
    size = 0
    for entry in entries:
        size += len(entry.body) + _ENVELOPE_BYTES
        if piece and size > PULL_BYTES_MAX:
            yield tuple(piece)
            piece, size = [], len(entry.body) + _ENVELOPE_BYTES
        piece.append(entry)
    if piece:
        yield tuple(piece)


def pulled(entries: Iterable[SignedEntry]) -> Pulled:
    """The answer to a pull: as many of the entries, from the first on, as fit one frame."""
    return Pulled(next(batches(entries), ()))
