"""The state of each linked peer: how far its log goes, and what we asked of it [peer.md §3.5]."""

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

    Each dig begins further back than the last, by `reach` steps; from there it reads forward, frame
    by frame. While it is `active`, `step`, `filled` and `polls` say how far it has read.
    """

    reach: int = _DIG_DEPTH
    active: bool = False
    step: int = 0
    filled: frozenset[int] = frozenset()
    polls: int = 0

    def begin(self, step: int, decisions: Iterable[Decision]) -> Pull:
        """Begin a dig `reach` steps before `step`; returns the pull to send for it.

        The next dig goes four times as far back, unless this one begins at step 0. `decisions` are
        those of our log.
        """
        self.active, self.step, self.filled = True, max(0, step - self.reach), frozenset()
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
    """The state of one linked peer.

    The link came up at `came_at`; `hello` is what it said last, of whatever table. `life` is a
    random value of its process, `rival` that of a process of the same key whose link was up when
    this one came. `greeted`: its hello named our table or none, and it was welcomed. `dropped`: we
    have ended this link, and nothing that still comes over it counts. `asked_at` is when it was
    sent a pull not yet answered; it is asked nothing before `idle_until`. `told` is our head as
    last told to it, at `told_at`; its own `head` came at `heard_at`. `evidence` are entries said to
    prove a fault at a step not reached here, `proof` the same with statements. `shown` names the
    statements of the open poll, and of the certificate of the one before, that it was sent or has
    sent; `guests` are ours as it was told last. Its heads have been ahead of our log since
    `ahead_at`.
    """

    came_at: float = 0.0
    hello: Hello | None = None
    life: bytes = b""
    rival: bytes = b""
    greeted: bool = False
    dropped: bool = False
    head: Head | None = None
    heard_at: float = -math.inf
    ahead_at: float = math.inf
    told: Head | None = None
    asked_at: float = -math.inf
    idle_until: float = 0.0
    told_at: float = -math.inf
    dig: Dig = field(default_factory=Dig)
    evidence: tuple[Entry, ...] = ()
    proof: tuple[tuple[SignedEntry, ...], tuple[SignedStatement, ...]] | None = None
    shown: set[bytes] = set()
    guests: tuple[bytes, ...] = ()


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
