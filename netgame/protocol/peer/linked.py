"""The state of each linked peer: how far its log goes, and what we asked it for [peer.md §4]."""

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
"""A peer that had nothing new is asked again only after this long, no matter what its head says.
Nobody else notices this or waits for it, so it is not a limit of the protocol."""

_ENVELOPE_BYTES: Final = 80
_DIG_DEPTH: Final = 4


def is_ahead(head: Head, ours: Head | Pull) -> bool:
    """Return True if a log with this head has an entry or a certificate that ours lacks."""
    has_more = head.step == ours.step and bool(read_mask(head.filled) - read_mask(ours.filled))
    return head.step > ours.step or head.polls > ours.polls or has_more


class Dig(Struct):
    """Our progress in rereading a peer's log, to find where it departs from ours.

    Each dig begins further back than the last and reads forward from there, frame by frame.
    """

    reach: int = _DIG_DEPTH
    """The number of steps back at which the next dig begins."""
    active: bool = False
    """True while we are reading; the fields below say how far we are."""
    step: int = 0
    filled: frozenset[int] = frozenset()
    polls: int = 0

    def begin(self, step: int, decisions: Iterable[Decision]) -> Pull:
        """Begin a dig `reach` steps before `step`, and return the pull to send for it.

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
        """Return the pull for what follows the entries just read, or None once the dig ends.

        It ends if they lead no further, or past `mine`, the step due here: nothing after that can
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
    """The time at which the link came up."""
    hello: Hello | None = None
    """Its last hello, which may name any table."""
    life: bytes = b""
    """The random value of its process."""
    rival: bytes = b""
    """The random value of another process with its key, whose link was up when this one came."""
    greeted: bool = False
    """True if its hello named our table or none, and we welcomed it."""
    dropped: bool = False
    """True if we have ended this link; anything that still comes over it is ignored."""
    head: Head | None = None
    """The last head that it told us."""
    heard_at: float = -math.inf
    """The time at which that head came."""
    ahead_at: float = math.inf
    """The time since which its heads have been ahead of our log."""
    told: Head | None = None
    """Our head, as we last told it to this peer."""
    told_at: float = -math.inf
    """The time at which we last told it our head."""
    asked_at: float = -math.inf
    """The time at which we sent it a pull that it has yet to answer."""
    idle_until: float = 0.0
    """We ask it for nothing before this time."""
    dig: Dig = field(default_factory=Dig)
    evidence: tuple[Entry, ...] = ()
    """Entries of a step that our log has not reached, which it says prove a fault."""
    proof: tuple[tuple[SignedEntry, ...], tuple[SignedStatement, ...]] | None = None
    """Alleged evidence that includes statements, to be judged again."""
    shown: set[bytes] = set()
    """The names of statements that we sent it or that it sent us: those of the open poll, and of
    the certificate of the poll before."""
    guests: tuple[bytes, ...] = ()
    """Our guests, as we last told them to this peer."""


def batches(entries: Iterable[S]) -> Iterator[tuple[S, ...]]:
    """Split entries or statements, in order, into pieces that fit into one frame each."""
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
    """Return the answer to a pull: as many of the first entries as fit into one frame."""
    return Pulled(next(batches(entries), ()))
