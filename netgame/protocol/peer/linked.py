"""The state of each linked peer: how far its log goes, and what we asked of it [peer.md §4]."""

import math
from collections.abc import Iterable, Iterator
from typing import Final, TypeVar

from msgspec import Struct, field

from netgame.limits import PULL_BYTES_MAX
from netgame.protocol.ledger.poll import Decision
from netgame.protocol.log.entry import Entry, filled_mask, read_mask
from netgame.wire.messages import Head, Hello, Pull, Pulled, SignedEntry, SignedStatement

S = TypeVar("S", SignedEntry, SignedStatement)

PULL_PATIENCE_S: Final = 2.0
"""A peer that had nothing new, whatever its head says, is asked again only after this long. Nobody
else notices this or waits for it, so it is no limit of the table."""

_ENVELOPE_BYTES: Final = 80
_DIG_DEPTH: Final = 4


def is_ahead(head: Head, ours: Head | Pull) -> bool:
    """Whether a log with this head has something that ours lacks: an entry or a certificate."""
    has_more = head.step == ours.step and bool(read_mask(head.filled) - read_mask(ours.filled))
    return head.step > ours.step or head.polls > ours.polls or has_more


class Dig(Struct):
    """How far we have got in reading a peer's log again, to find where it leaves ours.

    Each dig begins further back than the last; from there it reads forward, frame by frame.
    """

    reach: int = _DIG_DEPTH
    """How many steps back the next dig begins."""
    active: bool = False
    """We are reading; the fields below say how far."""
    step: int = 0
    filled: frozenset[int] = frozenset()
    polls: int = 0

    def begin(self, step: int, decisions: Iterable[Decision]) -> Pull:
        """Begin a dig `reach` steps before `step`; returns the pull to send for it.

        The next dig goes four times as far back, unless this one begins at step 0. `decisions` are
        those of our log.
        """
        self.active = True
        self.step = max(0, step - self.reach)
        self.filled = frozenset()
        self.polls = sum(each.step < self.step for each in decisions)
        if self.step > 0:
            self.reach *= 4
        return self._pull()

    def go_on(self, entries: Iterable[Entry], mine: int) -> Pull | None:
        """The pull for what follows the entries just read; None once the dig ends.

        It ends if they lead no further, or behind `mine`, the step due here: nothing after it can
        differ from our log.
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
        return Pull(self.step, filled_mask(self.filled), self.polls)


class Peer(Struct):
    """The state of one linked peer."""

    came_at: float = 0.0
    """When the link came up."""
    hello: Hello | None = None
    """What it said last, of whatever table."""
    life: bytes = b""
    """A random value of its process."""
    rival: bytes = b""
    """The same of another process of its key, whose link was up when this one came."""
    greeted: bool = False
    """Its hello named our table or none, and it was welcomed."""
    dropped: bool = False
    """We have ended this link, and nothing that still comes over it counts."""
    head: Head | None = None
    """The last that it has told."""
    heard_at: float = -math.inf
    """When that came."""
    ahead_at: float = math.inf
    """Since when its heads have been ahead of our log."""
    told: Head | None = None
    """Our head, as last told to it."""
    told_at: float = -math.inf
    """When that was."""
    asked_at: float = -math.inf
    """When it was sent a pull that it has yet to answer."""
    idle_until: float = 0.0
    """It is asked nothing before this time."""
    dig: Dig = field(default_factory=Dig)
    evidence: tuple[Entry, ...] = ()
    """Entries said to prove a fault at a step not reached here."""
    proof: tuple[tuple[SignedEntry, ...], tuple[SignedStatement, ...]] | None = None
    """The same with statements."""
    shown: set[bytes] = set()
    """The names of statements that it was sent or has sent: of the open poll, and of the
    certificate of the one before."""
    guests: tuple[bytes, ...] = ()
    """Our guests, as it was told last."""


def batches(entries: Iterable[S]) -> Iterator[tuple[S, ...]]:
    """The entries, or statements, in order, in as few pieces as fit one frame each."""
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
    """The answer to a pull: as many of the first entries as fit one frame, if there are any."""
    return Pulled(next(batches(entries), ()))
