"""Heads exchanged, missing entries pulled: how every peer gets the whole log [protocol.md §3.5].

Plain bookkeeping for `Core`: what each linked peer has said of its log, and what to ask of whom.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from netgame.limits import CHAT_BURST, CHAT_PER_S, HELD_ENTRIES_MAX, PULL_BYTES_MAX
from netgame.protocol.log import Entry, read_mask
from netgame.wire.messages import Entries, Head, SignedEntry

__all__ = ["Held", "Peer", "batches", "is_ahead"]

_PULL_PATIENCE_S = 2.0
_ENVELOPE_BYTES = 80


def is_ahead(head: Head, step: int, filled: frozenset[int]) -> bool:
    """Whether a log with this head has an entry that one at `step` with slots `filled` lacks."""
    return head.step > step or (head.step == step and bool(read_mask(head.filled) - filled))


@dataclass(slots=True)
class Peer:
    """What is known of one linked peer. `greeted`: its hello named our table."""

    greeted: bool = False
    head: Head | None = None
    pulled_at: float | None = None
    dug_from: int | None = None
    chat_allowance: float = float(CHAT_BURST)
    chat_at: float = 0.0

    def wants_pull(self, step: int, filled: frozenset[int], now: float) -> bool:
        """Whether this peer has something we lack and is not already asked for it."""
        if self.head is None:
            return False
        if self.pulled_at is not None and now - self.pulled_at < _PULL_PATIENCE_S:
            return False
        return is_ahead(self.head, step, filled)

    def may_chat(self, now: float) -> bool:
        """Take one line off the peer's allowance, if there is one left."""
        earned = (now - self.chat_at) * CHAT_PER_S
        self.chat_allowance = min(float(CHAT_BURST), self.chat_allowance + earned)
        self.chat_at = now
        if self.chat_allowance < 1.0:
            return False
        self.chat_allowance -= 1.0
        return True


@dataclass(slots=True)
class Held:
    """Entries of later steps, kept until theirs is due; what is over the bound is pulled again."""

    by_step: dict[int, list[SignedEntry]] = field(default_factory=dict)
    count: int = 0

    def keep(self, entry: Entry) -> None:
        """Keep one entry, unless it is here already or the bound is reached."""
        waiting = self.by_step.setdefault(entry.step, [])
        if entry.signed not in waiting and self.count < HELD_ENTRIES_MAX:
            waiting.append(entry.signed)
            self.count += 1

    def take(self, step: int) -> list[SignedEntry]:
        """Take out what waited for `step`; what waited for an earlier one is forgotten."""
        taken = self.by_step.pop(step, [])
        self.count -= len(taken)
        for stale in [each for each in self.by_step if each < step]:
            self.count -= len(self.by_step.pop(stale))
        return taken


def batches(entries: list[SignedEntry]) -> Entries:
    """As many of the entries, from the first on, as fit one frame."""
    chosen: list[SignedEntry] = []
    size = 0
    for entry in entries:
        size += len(entry.body) + _ENVELOPE_BYTES
        if chosen and size > PULL_BYTES_MAX:
            break
        chosen.append(entry)
    return Entries(tuple(chosen))
