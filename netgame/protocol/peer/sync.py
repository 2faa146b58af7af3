"""Heads exchanged, missing entries pulled: how every peer gets the whole log [protocol.md §3.5].

Plain bookkeeping for `Core`: what each linked peer has said of its log, and what to ask of whom.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from netgame.limits import HELD_ENTRIES_MAX, HELD_PER_PEER_MAX, PULL_BYTES_MAX
from netgame.protocol.log.entry import Entry, filled_mask, read_mask
from netgame.wire.messages import Head, Pull, Pulled, SignedEntry

PULL_ELSEWHERE_S: Final = 0.3
"""An unanswered pull keeps us from asking another peer this long; 60 kB take 5 ms on a LAN."""

_PULL_PATIENCE_S: Final = 2.0
"""A peer that had nothing new, whatever its head says, is asked again only after this long."""

_ENVELOPE_BYTES: Final = 80
_DIG_DEPTH: Final = 4


def is_ahead(head: Head, step: int, filled: frozenset[int]) -> bool:
    """Whether a log with this head has an entry that one at `step` with slots `filled` lacks."""
    return head.step > step or (head.step == step and bool(read_mask(head.filled) - filled))


@dataclass(slots=True)
class Dig:
    """Reading a peer's log again, to find where it leaves ours.

    Each beginning is further back than the last; from there it goes forward, frame by frame.
    """

    reach: int = _DIG_DEPTH
    active: bool = False
    step: int = 0
    filled: frozenset[int] = frozenset()

    def begin(self, step: int) -> Pull:
        """Ask from some steps before `step`; next time from four times as many."""
        self.active, self.step, self.filled = True, max(0, step - self.reach), frozenset()
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
        return Pull(self.step, filled_mask(tuple(self.filled)))


@dataclass(slots=True)
class Peer:
    """What is known of one linked peer.

    `life` is what its process has thrown for itself, `rival` that of the process of the same key
    whose link was still up when this one came. `greeted`: its hello named our table. `dropped`: we
    have had enough of this link; nothing that still comes over it counts. `asked_at`: when it was
    sent a pull that it has not answered. `idle_until`: not asked before, as its last answer brought
    nothing. `evidence`: what it says proves a fault at a step we have not reached.
    """

    life: bytes = b""
    rival: bytes = b""
    greeted: bool = False
    dropped: bool = False
    head: Head | None = None
    asked_at: float | None = None
    idle_until: float = 0.0
    dig: Dig = field(default_factory=Dig)
    evidence: tuple[Entry, ...] = ()

    @classmethod
    def after(cls, before: Peer | None) -> Peer:
        """What is known of a new link; `before` is the one in whose place it comes, if any."""
        return cls() if before is None else cls(rival=before.life or before.rival)

    def has_rival(self) -> bool:
        """Whether this link took the place of another process's; else both sides have dialled."""
        return bool(self.life and self.rival) and self.life != self.rival

    def may_ask(self, now: float) -> bool:
        """Whether this peer is not asked already, or has had its time to answer."""
        waiting = self.asked_at is not None and now - self.asked_at < _PULL_PATIENCE_S
        return not waiting and now >= self.idle_until

    def answered(self, now: float, *, news: bool) -> None:
        """It has answered a pull; what brings nothing new is not asked for again at once."""
        self.asked_at = None
        if not news:
            self.idle_until = now + _PULL_PATIENCE_S

    def wants_pull(self, step: int, filled: frozenset[int], now: float) -> bool:
        """Whether this peer has something we lack and is not already asked for it."""
        return self.head is not None and self.may_ask(now) and is_ahead(self.head, step, filled)


@dataclass(slots=True)
class Held:
    """Entries of later steps, kept until theirs is due; what is over the bound is pulled again.

    The nearest steps have precedence, so that entries of far steps, which anybody can make up,
    keep nothing out.
    """

    by_step: dict[int, list[Entry]] = field(default_factory=dict)
    count: int = 0
    senders: dict[SignedEntry, bytes] = field(default_factory=dict)

    def keep(self, entry: Entry, sender: bytes = b"") -> bool:
        """Keep one entry, unless it is here already or a bound is reached; whether it was."""
        if entry in self.by_step.get(entry.step, ()):
            return False
        is_much = sender and self.sent_by(sender) >= HELD_PER_PEER_MAX
        if is_much and not self._make_room(entry.step, sender):
            return False
        if self.count >= HELD_ENTRIES_MAX and not self._make_room(entry.step):
            return False
        self.by_step.setdefault(entry.step, []).append(entry)
        self.senders[entry.signed] = sender
        self.count += 1
        return True

    def sent_by(self, sender: bytes) -> int:
        """How many of these entries a peer has sent."""
        return sum(each == sender for each in self.senders.values())

    def _make_room(self, step: int, sender: bytes | None = None) -> bool:
        """Forget an entry of the farthest step, or that of one sender, if it is later than `step`.

        Thus far entries of a peer keep none of its near ones out.
        """
        farthest = max(
            (entry for entries in self.by_step.values() for entry in reversed(entries)
             if sender in (None, self.senders[entry.signed])),
            key=lambda entry: entry.step,
        )  # fmt: skip
        if farthest.step <= step:
            return False
        self.by_step[farthest.step].remove(farthest)
        del self.senders[farthest.signed]
        self.count -= 1
        if not self.by_step[farthest.step]:
            del self.by_step[farthest.step]
        return True

    def reach(self, step: int) -> tuple[int, frozenset[int]]:
        """How far held entries go on from `step` without a gap: the last step, and whose of it."""
        while {step, step + 1} <= self.by_step.keys():
            step += 1
        return step, frozenset(entry.seat for entry in self.by_step.get(step, ()))

    def entries(self) -> Iterator[Entry]:
        """All that is kept."""
        for entries in self.by_step.values():
            yield from entries

    def take(self, step: int) -> list[Entry]:
        """Take out what waited for `step`, or for an earlier one: it may prove a fork there."""
        ripe = sorted(each for each in self.by_step if each <= step)
        taken = [entry for each in ripe for entry in self.by_step.pop(each)]
        self.count -= len(taken)
        for entry in taken:
            del self.senders[entry.signed]
        return taken


def batches(entries: Iterable[SignedEntry]) -> Iterator[tuple[SignedEntry, ...]]:
    """The entries in their order, in as few pieces as fit a frame each."""
    piece: list[SignedEntry] = []
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
