"""Levelling logs: tell our head, ask for missing entries, keep early ones.

Most of the time nothing here is needed, because an author sends its entry over every link. An entry
is missing only if a link broke, a program slept or was restarted, or somebody held it back.

A *head* says how far a log goes: the due step, the digest before it, the authors whose entries it
has, and the number of decided polls. `Heads` tells ours, a moment after it changes and each second
while somebody lacks it. At a table in play each seat tells one other seat at a time, so that heads
do not outnumber entries; everybody still hears somebody in each step.

If a peer's head is further than ours, `Pulls` asks it for what follows. It asks one peer at a time,
because several would answer the same. The peer sends a frame, and we ask again while that brings
news. If it brings none, although the peer's head is ahead, we leave the peer alone for some
seconds.

If a peer's head differs from ours at a step that we have completed, that peer has another log:
somebody has signed a slot twice. To find the slot we read that peer's log again from a few steps
back, and four times as far back if that was not enough (`linked.Dig`). The ledger convicts by the
first entry that differs.

Entries of later steps wait in `EarlyEntries`, within limits: anybody can make such entries up, so
near steps push far ones out, and no sender's entries take more than that sender's share. [peer.md
§4]
"""

import math
from bisect import insort
from collections.abc import Iterable
from operator import attrgetter
from typing import Final

from msgspec import Struct

from netgame import limits
from netgame.protocol.log.entry import Entry, filled_mask
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey
from netgame.protocol.peer.linked import PULL_PATIENCE_S, Peer, is_ahead
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.session import due
from netgame.wire.messages import Head, Pull, SignedEntry


class EarlyEntries(Struct):
    """Entries that came too early; those beyond the limits are pulled again later.

    Near steps take precedence, so entries of far steps, which anybody can make up, cannot keep
    others out. No arriving entry costs a walk over all of them.
    """

    by_step: dict[int, dict[SignedEntry, Entry]] = {}
    senders: dict[SignedEntry, bytes] = {}
    """The sender of each entry."""
    _sent: dict[bytes, list[Entry]] = {}
    """The entries of each sender, the farthest step last."""

    def keep(self, entry: Entry, sender: bytes = b"") -> bool:
        """Keep an entry, unless we have it or a limit is reached; return whether it was news.

        An entry that was kept by pushing out another of the same sender is not news.
        """
        if entry.signed in self.senders:
            return False
        full = self._full_of(sender)
        if full is not None and not self._make_room(entry.step, full):
            return False
        self.by_step.setdefault(entry.step, {})[entry.signed] = entry
        self.senders[entry.signed] = sender
        insort(self._sent.setdefault(sender, []), entry, key=attrgetter("step"))
        return not sender or full != sender

    def sent_by(self, sender: bytes) -> int:
        """Return the number of held entries from this sender."""
        return len(self._sent.get(sender, ()))

    def _full_of(self, sender: bytes) -> bytes | None:
        """Return the sender that must make room for an entry of `sender`; None if there is room.

        That is `sender` itself at its own limit. If everything is full, it is the sender of the
        most entries, if it has at least two more here than `sender`; otherwise it is `sender`. With
        a difference of one, senders could go on pushing each other's entries out.
        """
        sent = self.sent_by(sender)
        if sender and sent >= limits.HELD_PER_PEER_MAX:
            return sender
        if len(self.senders) < limits.HELD_ENTRIES_MAX:
            return None
        most = max(self._sent, key=self.sent_by)
        return most if self.sent_by(most) > sent + 1 else sender

    def _make_room(self, step: int, sender: bytes) -> bool:
        """Forget a sender's farthest entry if its step is after `step`; return True if so.

        So a peer's far entries do not keep its near ones out.
        """
        farthest = self._sent[sender][-1] if sender in self._sent else None
        if farthest is None or farthest.step <= step:
            return False
        self._forget(farthest, -1)
        del self.by_step[farthest.step][farthest.signed]
        if not self.by_step[farthest.step]:
            del self.by_step[farthest.step]
        return True

    def _forget(self, entry: Entry, at: int) -> None:
        """Remove an entry from `senders`, and from its sender's list, where it is first or last.

        `at` is its index there: 0 or -1.
        """
        sender = self.senders.pop(entry.signed)
        del self._sent[sender][at]
        if not self._sent[sender]:
            del self._sent[sender]

    def reach(self, step: int) -> tuple[int, frozenset[int]]:
        """Follow the entries we hold from `step` on, without a gap; return the last step reached.

        Also return the authors of the entries held for that step. If no entry of `step` is held,
        return `step` and no authors.
        """
        while {step, step + 1} <= self.by_step.keys():
            step += 1
        return step, frozenset(entry.seat for entry in self.by_step.get(step, {}).values())

    def take(self, step: int) -> list[Entry]:
        """Remove and return, by ascending step, the entries of `step` and of earlier steps.

        Those of earlier steps may still prove a fork.
        """
        ripe = sorted(each for each in self.by_step if each <= step)
        taken = [entry for each in ripe for entry in self.by_step.pop(each).values()]
        for entry in taken:
            self._forget(entry, 0)
        return taken


PULL_ELSEWHERE_S: Final = 0.3
"""An unanswered pull keeps us from asking another peer for this long; 60 kB take 5 ms on a LAN."""


class Pulls(PeerPart):
    """Asks peers for entries that we lack; each `Peer` stores the time of our pull, and its dig."""

    early: EarlyEntries

    def dig(self, sender: PeerKey, step: int) -> None:
        """Read a peer's log again from before `step`, to find where it departs from ours.

        Does nothing without a link, or while we leave that peer alone.
        """
        peer = self.context.links.peers.get(sender)
        if peer is not None and self.context.reached(peer.idle_until):
            self.pull(sender, peer, peer.dig.begin(step, self.context.ledger.decisions))

    def pull(self, key: PeerKey, peer: Peer, question: Pull) -> None:
        """Ask a peer for entries, and leave it alone for `PULL_PATIENCE_S` unless it answers."""
        peer.asked_at, peer.idle_until = self.context.now, self.context.now + PULL_PATIENCE_S
        self.context.reached(peer.asked_at + PULL_ELSEWHERE_S)
        self.context.outbox.send(key, question)

    def pull_missing(self) -> None:
        """Ask one peer whose log is ahead of ours for the entries that follow.

        After one member is asked, we wait for its answer, but no longer than `PULL_ELSEWHERE_S`,
        before we ask another peer. A watcher is asked only if no member is linked.
        """
        context, peers = self.context, self.context.links.peers
        sitting = [(key, peer) for key, peer in peers.items() if context.belongs(key)]
        asked_at = max((peer.asked_at for _, peer in sitting), default=-math.inf)
        if not context.reached(asked_at + PULL_ELSEWHERE_S):
            return
        step, have = self._reach()
        question = Pull(step, filled_mask(have), len(context.ledger.decisions))
        for key, peer in sitting or peers.items():
            ahead = peer.head is not None and is_ahead(peer.head, question)
            if ahead and not peer.dropped and context.reached(peer.idle_until):
                self.pull(key, peer, question)
                return

    def _reach(self) -> tuple[int, frozenset[int]]:
        """Return the step from which to ask for entries, and those of its authors that we have."""
        ledger, step = self.context.ledger, self.context.state.step
        have = ledger.written()
        if not have.issuperset(due(ledger.state).authors):
            return step, have
        return self.early.reach(step + 1)  # we have the due step, and are only judging it


class Heads(PeerPart):
    """Tells our head a moment after it changes, and each second while others lack it.

    At a table in play heads are told in rounds: each seat tells one other seat and, in the next
    step or after `HEAD_TURN_S`, the next one. So in a round each seat is told one head, not all.
    """

    lifetime: Lifetime
    _told: Head | None = None
    """Our head, as it was when the last round began."""
    _since: float = 0.0
    """The time at which the first round with that head began."""
    round_at: float = 0.0
    """The time at which the next round begins; infinite while none is due."""

    def tell(self) -> None:
        """Send our head to every peer that is due to hear it; begin a round if it is time."""
        context, head = self.context, self._look()
        if self.lifetime.begins_to_end():
            self.round_at = context.now
        is_round = context.now >= self.round_at
        if is_round and head != self._told:
            self._told, self._since = head, context.now
        self.round_at = math.inf if is_round else self.round_at
        self._tell(context.links.at_table(), head, is_round=is_round)

    def answer(self, key: PeerKey | None) -> None:
        """After an input that changed little, tell only `key` our head, if it is due to hear it.

        If a round is due, do as `tell` does instead.
        """
        head = self._look()
        if self.context.now >= self.round_at:
            self.tell()
        else:
            told = [each for each in self.context.links.at_table() if each[0] == key]
            self._tell(told, head, is_round=False)

    def _look(self) -> Head:
        """Return our head; if it has changed since the last round, schedule a round soon."""
        head = self.context.head()
        if head != self._told:
            self.round_at = min(self.round_at, self.context.now + limits.HEAD_DELAY_S)
        return head

    def _tell(self, peers: Iterable[tuple[PeerKey, Peer]], head: Head, *, is_round: bool) -> None:
        now, told = self.context.now, self._told or head
        plays = self._plays()
        turn = limits.HEAD_TURN_S if plays else limits.HEAD_S
        for key, peer in peers:
            # Both have the same log, and each knows that of the other.
            is_level = peer.head == peer.told == told
            # In play, besides its turns, a peer hears our head again only if it has told us one
            # since ours changed.
            speaks = peer.heard_at >= self._since or not plays
            pause = limits.HEAD_S if speaks and not is_level else limits.HEAD_QUIET_S
            is_new = peer.told != told or now >= peer.told_at + limits.HEAD_S
            has_turn = is_round and is_new and not (is_level or (plays and self._waits(key)))
            if has_turn or self.context.reached(peer.told_at + pause):
                peer.told, peer.told_at = told, now
                self.context.outbox.send(key, told)
            if not is_level:
                self.round_at = min(self.round_at, now + turn)
                self.context.reached(now + limits.HEAD_S)

    def _plays(self) -> bool:
        """Return True if we sit at a table in play; otherwise our head is sent to all at once.

        A table that is over, stopped by a fault or in a poll is not in play.
        """
        context, state = self.context, self.context.state
        is_polled = context.ledger.poll.has_begun()
        ends = state.phase is Phase.OVER or context.fault is not None or is_polled
        return bool(state.seats) and context.sits(context.key) and not ends

    def _waits(self, key: PeerKey) -> bool:
        """Return True if it is not `key`'s turn to hear us in this round; False unless both sit."""
        state, seats = self.context.state, self.context.state.present
        own, seat = state.seat_of(self.context.key), state.seat_of(key)
        if own is None or seat not in seats:
            return False
        distance = seats.index(seat) - seats.index(own) - 1
        at = state.step + round((self.context.now - self._since) / limits.HEAD_TURN_S)
        # In round `at` each seat tells the one `1 + at % (n - 1)` further on [peer.md §2].
        return (distance % len(seats) - at) % (len(seats) - 1) != 0
