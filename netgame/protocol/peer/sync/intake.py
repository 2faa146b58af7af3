"""The intake of entries from any source: judge, then hold, prove or settle [protocol.md §7]."""

import math
from collections.abc import Iterable
from functools import partial

from netgame.limits import BODIES_PER_SLOT_MAX, HELD_ENTRIES_MAX, PROTOCOL_VERSION
from netgame.protocol.log import fault as checks
from netgame.protocol.log.entry import Entry, Slot, read_entry
from netgame.protocol.notices import Notice
from netgame.protocol.peer.context import PeerPart
from netgame.protocol.peer.effects import PeerKey, Persist
from netgame.protocol.peer.linked import PULL_PATIENCE_S, Peer
from netgame.protocol.peer.secrets.author import Author
from netgame.protocol.peer.status.faults import Faults
from netgame.protocol.peer.status.journal import Journal
from netgame.protocol.peer.status.lifetime import Lifetime
from netgame.protocol.peer.status.news import News
from netgame.protocol.peer.status.proofs import CheckedProofs
from netgame.protocol.peer.status.recovery import Recovery
from netgame.protocol.peer.sync.decisions import Decisions
from netgame.protocol.peer.sync.pulls import EarlyEntries, Pulls
from netgame.protocol.state.revision import is_other
from netgame.wire.codec import encode
from netgame.wire.messages import OpenTable, RecordEntry, RecordHeader, SignedEntry, SignedStatement


class Intake(PeerPart):
    """Takes entries one by one; entries with slow proofs wait in the ledger."""

    journal: Journal
    recovery: Recovery
    lifetime: Lifetime
    faults: Faults
    news: News
    author: Author
    early: EarlyEntries
    pulls: Pulls
    decisions: Decisions
    proofs: CheckedProofs
    _offered_at: tuple[int, int] = (-1, 0)
    """The step, and the number of decided polls, when kept entries were last judged."""
    _bodies: dict[tuple[PeerKey, Slot], int] = {}
    """For each peer and slot, the number of bodies that were judged by more than their form."""

    def offer(self, signed: SignedEntry, sender: PeerKey | None) -> bool:
        """Judge an entry from `sender` (None: our own, or one that we kept), and act on the result.

        Returns whether it was news: an entry that we lacked and now have, are judging or hold for
        later. Does nothing while the log shows a fault, or once another process signs with our key.
        """
        if self.faults.is_closed() or self.lifetime.is_elsewhere:
            return False
        match self.context.ledger.judge(signed):
            case checks.Accepted(entry, judging, beside):
                if self._has_said_enough(entry, sender):
                    return False
                if beside is not None:
                    self.faults.blame(beside, sender)
                return self.accept(entry, judging, sender)
            case checks.Later(entry):
                return self.early.keep(entry, sender or b"")
            case checks.Guilty(fault):
                if not self._has_said_enough(read_entry(signed), sender):
                    self.faults.blame(fault, sender)
            case checks.Unlinked(entry) if sender is not None:
                self.pulls.dig(sender, entry.step)
            case checks.Garbage(reason) if sender is not None:
                self.context.links.drop(sender, f"it sent an entry that is {reason}")
            case checks.Stray() if sender is not None:
                self._hear_stray(signed, sender)
            case _:
                pass
        return False

    def _has_said_enough(self, entry: Entry, sender: PeerKey | None) -> bool:
        """Count this body; return whether `sender` has sent too many bodies for the entry's slot.

        A liar can sign any number of bodies, and each may cost us the check of a proof. Always
        False for entries without a sender, which are our own or were kept.
        """
        if sender is None:
            return False
        if len(self._bodies) >= HELD_ENTRIES_MAX:
            # This bounds memory. A liar gains a few more bodies by it, once in that many slots.
            self._bodies.clear()
        at = sender, entry.slot
        self._bodies[at] = self._bodies.get(at, 0) + 1
        return self._bodies[at] > BODIES_PER_SLOT_MAX

    def _hear_stray(self, signed: SignedEntry, sender: PeerKey) -> None:
        """Read the sender's log again if this entry is of an epoch that our log does not know.

        Do nothing while our log is empty.
        """
        entry, state = read_entry(signed), self.context.state
        if state.company.of_id(entry.id) is None and state.host:
            self.pulls.dig(sender, min(entry.step, state.step))

    def accept(
        self, entry: Entry, judging: checks.PendingProof | None, sender: PeerKey | None
    ) -> bool:
        """Settle an entry, at once or once its proof is found good.

        Returns False only if the entry opens a table with another revision of the rules; we leave
        that table. Returns True even if the proof is still to be judged, or has failed. Our own
        fresh proofs are not judged.
        """
        if isinstance(entry.payload, OpenTable) and is_other(entry.payload.settings):
            self.lifetime.turn_away(entry.payload.settings)
            return False
        is_own = self.context.ledger.key_of(entry) == self.context.key
        if judging is None or (is_own and sender is None):
            self.settle(entry)
            return True
        self.context.ledger.pending[entry.seat] = entry
        if judging.is_brief:
            self._tried(entry, judging, judging.run(self.author.fresh()))
        elif self.context.bot:
            # The signed octets, which name all entries before, fix the result: bots judge it once.
            run = partial(judging.run, self.author.fresh())
            then = partial(self._tried, entry, judging)
            self.context.outbox.work(run, then, same=entry.signed)
        else:
            self.context.ledger.unjudged.append((entry, judging))
            self._judge_waiting()
        return True

    def _judge_waiting(self) -> None:
        """Judge all waiting entries together; do nothing while others are being judged.

        Entries that come meanwhile are judged together afterwards.
        """
        ledger = self.context.ledger
        if ledger.is_judging or not ledger.unjudged:
            return
        entries, judgings = zip(*ledger.unjudged, strict=True)
        ledger.unjudged, ledger.is_judging = [], True

        def judged(found: list[checks.Finding | None]) -> None:
            for entry, judging, each in zip(entries, judgings, found, strict=True):
                self._tried(entry, judging, each)
            ledger.is_judging = False
            self._judge_waiting()

        run = partial(checks.judge_together, judgings, self.author.fresh())
        self.context.outbox.work(run, judged)

    def _tried(
        self, entry: Entry, judging: checks.PendingProof, found: checks.Finding | None
    ) -> None:
        """Count an entry's proofs if they are good (`found` is None), and act on the result."""
        if found is None:
            self.proofs.note(judging.kinds)
        self.judged(entry, found)

    def judged(self, entry: Entry, found: checks.Finding | None) -> None:
        """Settle an entry whose proof is good; convict its author if the proof is bad.

        `found` is what is wrong with the proof, or None. Does nothing while the log shows a fault,
        or if the entry is not pending any more, for example after a cut.
        """
        ledger = self.context.ledger
        if self.faults.is_closed() or ledger.pending.get(entry.seat) is not entry:
            return
        if found is None:
            self.settle(entry)
        else:
            del ledger.pending[entry.seat]
            self.faults.convict(ledger.fault_in(entry, found))

    def settle(self, entry: Entry) -> None:
        """Write an entry down, send it to all if it is ours, and move on if its step is done.

        If our log has been level, an entry of our own that the journal lacks means that another
        process signs with our key: then the entry is not written, and this seat stops.
        """
        context = self.context
        own = context.ledger.key_of(entry) == context.key
        if isinstance(entry.payload, OpenTable):
            context.outbox.emit(Persist(encode(RecordHeader(PROTOCOL_VERSION)), sync=False))
        if own and not self.journal.knows(entry) and self.recovery.has_been_level(entry.step):
            self.lifetime.stop_here()
            return
        if own:
            self.journal.write(entry)
        context.outbox.emit(Persist(encode(RecordEntry(entry.signed)), sync=own))
        if own:
            context.links.tell_entry(entry.signed)
        self.recovery.meet_seating(entry.payload)
        before, told = context.state, context.ledger.settle(entry)
        context.stirred |= context.state is not before
        self.moved_on(told)

    def moved_on(self, told: Iterable[Notice]) -> None:
        """Pass on the notices of a step, and convict a seat that the step shows to have cheated.

        Carries out any decision about the step now due.
        """
        self.news.tell(told)
        self.faults.convict_late()
        self.decisions.follow()

    # ---- entries from peers ----

    def hear(self, key: PeerKey, peer: Peer, entries: tuple[SignedEntry, ...]) -> int:
        """Judge entries from a peer until it is dropped; return the number that were news."""
        return sum(not peer.dropped and self.offer(signed, key) for signed in entries)

    def hear_pulled(self, key: PeerKey, peer: Peer, entries: tuple[SignedEntry, ...]) -> int:
        """Judge a peer's answer to a pull, and pull again if more is missing.

        If the answer has no news, leave that peer alone for `PULL_PATIENCE_S`, except to go on with
        a dig. Returns the number of entries that were news.
        """
        digging = peer.dig.active
        if not digging:  # let an entry that does not link begin a dig, which pulls at once
            peer.asked_at = peer.idle_until = -math.inf
        news = self.hear(key, peer, entries)
        # Skip this if an entry in the answer has begun a dig: then its pull awaits an answer.
        if digging or peer.asked_at == -math.inf:
            peer.asked_at = -math.inf
            peer.idle_until = self.context.now + (0.0 if news else PULL_PATIENCE_S)
        if digging and not peer.dropped:
            read = (read_entry(signed) for signed in entries)
            question = peer.dig.go_on(read, self.context.state.step)
            if question is not None:
                self.pulls.pull(key, peer, question)
        self.pulls.pull_missing()
        return news

    def hear_evidence(
        self,
        key: PeerKey,
        peer: Peer,
        entries: tuple[SignedEntry, ...],
        statements: tuple[SignedStatement, ...],
    ) -> None:
        """Judge alleged evidence of a fault; set it aside if our log has not come that far.

        Its entries and statements are also judged like any others; entries of a later step are
        judged again once that step is due. As always, statements from a guest are ignored.
        """
        proved = self.context.ledger.proved(entries, statements)
        if proved is not None:
            self.faults.convict(proved)
        self.hear(key, peer, entries)
        for each in () if self.context.is_guest(key) else statements:
            self.decisions.hear(each, key)
        if not peer.dropped:
            read = (read_entry(signed) for signed in entries)
            peer.evidence = tuple(each for each in read if each.step > self.context.state.step)
            peer.proof = (entries, statements) if statements else None

    # ---- entries that were kept ----

    def offer_kept(self, step: int) -> None:
        """Judge entries and evidence that came before `step` was due or before the open poll began.

        Entries and evidence for even later steps are left where they are.
        """
        at = step, len(self.context.ledger.decisions)
        if at != self._offered_at:
            self._offered_at = at
            for entry in self.early.take(step):
                self.offer(entry.signed, None)
            self._look_at_proofs()
        for peer in self.context.links.peers.values():
            if peer.evidence and peer.evidence[0].step <= step:
                ripe, peer.evidence = peer.evidence, ()
                for entry in ripe:
                    self.offer(entry.signed, None)

    def _look_at_proofs(self) -> None:
        """Judge alleged evidence with statements again; its epoch may have been unknown before."""
        for peer in self.context.links.peers.values():
            proved = self.context.ledger.proved(*peer.proof) if peer.proof else None
            if proved is not None:
                peer.proof = None
                self.faults.convict(proved)

    def offer_again(self, step: int, entries: tuple[Entry, ...]) -> None:
        """Offer these entries while `step` is due, except those that the log already has."""
        for entry in entries:
            if self.context.state.step == step and entry not in self.context.ledger.holding():
                self.offer(entry.signed, None)
