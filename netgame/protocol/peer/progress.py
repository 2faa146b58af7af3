"""How one peer's log moves on: entries judged, settled, written, and faults made known.

The lowest part of `Core`: the ledger (what is agreed), the author (what this seat alone knows) and
the effects; `writing` adds what this peer writes, `seating` and `watching` who sits and who looks
on, `core` what peers say to each other.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

from netgame.crypto.group import Entropy
from netgame.limits import HEARSAY_MAX, PROTOCOL_VERSION
from netgame.protocol import notices
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.evidence import evidence_file, fault_sentence, seat_name
from netgame.protocol.ledger.ledger import (
    Accepted,
    Garbage,
    Guilty,
    Later,
    Ledger,
    Stray,
    Unlinked,
)
from netgame.protocol.ledger.votes import naming_of
from netgame.protocol.log.entry import Entry, Signer, filled_mask, read_entry
from netgame.protocol.log.fault import CheckCode, Fault, Finding, Judging
from netgame.protocol.log.fingerprint import fingerprint
from netgame.protocol.peer import effects as fx
from netgame.protocol.peer.author import Author
from netgame.protocol.peer.ballots import Course, SetAside, course, is_bound, may_vouch
from netgame.protocol.peer.budget import Budget
from netgame.protocol.peer.calls import Calling
from netgame.protocol.peer.effects import Effect, PeerKey
from netgame.protocol.peer.journal import Journal
from netgame.protocol.peer.patience import AwayWatch
from netgame.protocol.peer.quiet import Silence
from netgame.protocol.peer.sync import PULL_ELSEWHERE_S, Dig, Held, Peer
from netgame.protocol.peer.voices import Voices
from netgame.wire import messages as wire
from netgame.wire.codec import encode

_WITHOUT_YOU = "The others have gone on without you."

_ELSEWHERE = (
    "Another program plays with the key of this seat, perhaps from a copy of its folder; this one "
    "stops, so that no move is signed twice. Close all but one, then come back to the table."
)
_HALT_S = 3.0
"""A halted table stays this long to pass the evidence on."""


class Progress:
    """Ledger, author and peers of one process at one table; see `Core` for the inputs."""

    def __init__(self, signer: Signer, entropy: Entropy, secret: bytes) -> None:
        self.signer = signer
        self.key = cast("PeerKey", signer.public_bytes)
        self._new_author = partial(Author, signer.public_bytes, secret, entropy)
        self.author = self._new_author()
        self.ledger = Ledger(b"")
        self.journal = Journal(signer.public_bytes)
        self.peers: dict[PeerKey, Peer] = {}
        self.fault: Fault | None = None
        self.now = 0.0
        self._out: list[Effect] = []
        self._jobs: dict[int, Callable[[object], None]] = {}
        self._job = 0
        self._held = Held()
        self._writing: int | None = None
        self._announced: int | None = None
        self._chain: tuple[bytes, int] | None = None
        self._proving: tuple[bytes, int] | None = None
        self._deal_note = ""
        self._told: tuple[int, bytes] | None = None
        self._tell_at: float | None = None
        self._beat_at = 0.0
        self._leave_at: float | None = None
        self._finished = False
        self._has_left = False
        self._witnessed: set[PeerKey] = set()
        self._voices = Voices()
        self.budget = Budget()
        self.quiet = Silence()
        self._last_heads: dict[bytes, wire.Head] = {}
        self.aside = SetAside()
        self._floor = (-1, 0)
        """A step that is read anew, and the first ballot in which it can be closed."""
        self._is_elsewhere = False
        self._behind_told_at = 0.0
        self._standing_told = ""
        self.applicants: dict[PeerKey, wire.JoinAsk] = {}
        self.calling = Calling()
        self.watch = AwayWatch()

    # ---- what the state says ----

    @property
    def state(self) -> State:
        """The fold of the log so far."""
        return self.ledger.state

    @property
    def table_id(self) -> bytes:
        """The table's id; empty while this peer has none."""
        return self.state.table_id

    def _belongs(self, key: bytes) -> bool:
        """Whether this key sits at the table, or has opened it."""
        return key == self.state.host or self.state.member(key) is not None

    # ---- effects ----

    def emit(self, effect: Effect) -> None:
        """Ask the shell for something, after what was asked before."""
        self._out.append(effect)

    def notify(self, notice: notices.Notice) -> None:
        """Tell the person here."""
        if isinstance(notice, notices.DealStage):
            self._deal_note = notice.text
        self.emit(fx.Notify(notice))

    def send(self, peer: PeerKey, message: wire.LinkMessage) -> None:
        """Say something to one peer."""
        self.emit(fx.Send(peer, encode(message)))

    def tell_all(self, message: wire.LinkMessage) -> None:
        """Say something to every peer that is at our table."""
        for key, peer in self.peers.items():
            if peer.greeted and not peer.dropped:
                self.send(key, message)

    def work(
        self,
        run: Callable[[], object],
        then: Callable[[object], None],
        *,
        long: bool = False,
        checks: tuple[bytes, int] | None = None,
    ) -> None:
        """Have `run` run elsewhere, and `then` with its result."""
        self._job += 1
        self._jobs[self._job] = then
        self.emit(fx.Work(self._job, run, long, checks))

    def finish_job(self, job: int, result: object) -> None:
        """Hand the result of a piece of work to who wanted it."""
        self._jobs.pop(job)(result)

    # ---- receiving ----

    def offer(self, signed: wire.SignedEntry, sender: PeerKey | None) -> bool:
        """Judge an entry from `sender` (None: from our own keeping) and do what follows.

        Returns whether it was news: an entry we lacked and have now, or hold for later.
        """
        if self.fault is not None or self._is_elsewhere:
            return False
        match self.ledger.judge(signed):
            case Accepted(entry, judging):
                return self._accept(entry, judging, sender)
            case Later(entry):
                return self._held.keep(entry, sender or b"")
            case Guilty(fault):
                self._blame(fault, sender)
            case Unlinked(entry) if sender is not None:
                self.dig(sender, entry.step)
            case Garbage(reason) if sender is not None:
                self.drop(sender, f"it sent an entry that is {reason}")
            case Stray(entry=vote):
                self._hear_stray(signed, vote, sender)
            case _:
                pass
        return False

    def _hear_stray(
        self, signed: wire.SignedEntry, vote: Entry | None, sender: PeerKey | None
    ) -> None:
        """What does not count may still tell that others have another log."""
        if vote is not None:
            self._hear_of_done(vote, sender)
        elif sender is not None and self._is_before_a_coin(signed):
            self.dig(sender, self.state.step)

    def _is_before_a_coin(self, signed: wire.SignedEntry) -> bool:
        """Whether a coin has fallen here, and for who signed this has not: its log is another."""
        entry, step = read_entry(signed), self.state.step
        return 0 < step == entry.step and entry.table == self.state.log_id_at(step - 1)

    def _is_unvouched(self, entry: Entry, sender: PeerKey | None) -> bool:
        """Whether we have said that this entry's author is missing, and nobody has gone on with it.

        Else some might close the step with it, others without, as all have said. The same holds for
        what a seat says is missing.
        """
        own, votes = self.author.seat(self.state), self.ledger.missing
        if self._is_under_floor(entry):
            return True
        if own is None or not is_bound(votes, own, frozenset(self.state.present), entry):
            return False
        peer = None if sender is None else self.peers.get(sender)
        if sender is None or peer is None or peer.head is None:
            return True
        voucher = self.state.seat_of(sender)
        return peer.head.step <= self.state.step or not may_vouch(votes, own, entry, voucher)

    def _is_under_floor(self, entry: Entry) -> bool:
        """Whether it is a vote by which all who stay have bound themselves to close nothing."""
        (step, ballot), said = self._floor, entry.payload
        return isinstance(said, wire.Missing) and entry.step == step and said.ballot < ballot

    def hear_evidence(
        self, key: PeerKey, peer: Peer, entries: tuple[wire.SignedEntry, ...]
    ) -> None:
        """Judge what is said to prove a fault; keep it apart if our log has not come so far."""
        fork = self.ledger.fork(entries)
        if fork is not None:
            self.convict(fork)
            return
        self.hear_entries(key, peer, entries)
        if self.fault is None and not peer.dropped:
            read = (read_entry(signed) for signed in entries)
            peer.evidence = tuple(entry for entry in read if entry.step > self.state.step)

    def _accept(self, entry: Entry, judging: Judging | None, sender: PeerKey | None) -> bool:
        """Settle an entry, at once or when its proof has been judged; whether it counts."""
        if self._is_unvouched(entry, sender):
            if not isinstance(entry.payload, wire.Missing):
                self.aside.keep(entry)
            return False
        if judging is None:
            self._settle(entry)
            return True
        self.ledger.pending[entry.seat] = entry
        run, entropy = judging.run, self.author.fresh()
        self.work(lambda: run(entropy), lambda found: self._judged(entry, found))
        return True

    def dig(self, sender: PeerKey, step: int) -> None:
        """Its log is not ours: read it again from further back, until the fork is found."""
        peer = self.peers.get(sender)
        if peer is not None and peer.may_ask(self.now):
            self.pull(sender, peer, peer.dig.begin(step))

    def pull(self, key: PeerKey, peer: Peer, question: wire.Pull) -> None:
        """Ask a peer for entries."""
        peer.asked_at = self.now
        self.send(key, question)

    def pull_missing(self) -> None:
        """Ask somebody who has more than we have; one at a time, unless it does not answer.

        Who watches is asked only where nobody who sits can be.
        """
        sitting = [(key, peer) for key, peer in self.peers.items() if self._belongs(key)]
        asked = [peer.asked_at for _, peer in sitting if peer.asked_at is not None]
        if asked and self.now - max(asked) < PULL_ELSEWHERE_S:
            return
        step, have = self._reach()
        for key, peer in sitting or self.peers.items():
            if peer.greeted and not peer.dropped and peer.wants_pull(step, have, self.now):
                self.pull(key, peer, wire.Pull(step, filled_mask(tuple(have))))
                return

    def _reach(self) -> tuple[int, frozenset[int]]:
        """The first step of which we lack an entry, and whose entries of it we have."""
        step = self.state.step
        have = frozenset(self.ledger.slots) | frozenset(self.ledger.pending)
        if not have.issuperset(due(self.state).authors):
            return step, have
        return self._held.reach(step + 1)  # the due step is only being judged

    def hear_entries(self, key: PeerKey, peer: Peer, entries: tuple[wire.SignedEntry, ...]) -> bool:
        """Judge what a peer has sent; whether any of it was news."""
        news = False
        for signed in entries:
            if not peer.dropped:
                news |= self.offer(signed, key)
        return news

    def hear_pulled(self, key: PeerKey, peer: Peer, entries: tuple[wire.SignedEntry, ...]) -> None:
        """Judge what a peer has answered, and go on asking while it brings something."""
        digging = peer.dig.active
        if not digging:
            peer.asked_at = None  # what follows no step of ours begins a dig, which asks at once
        news = self.hear_entries(key, peer, entries)
        if digging or peer.asked_at is None:
            peer.answered(self.now, news=news)
        if digging and not peer.dropped and self.fault is None:
            read = (read_entry(signed) for signed in entries)
            question = peer.dig.go_on(read, self.state.step)
            if question is not None:
                self.pull(key, peer, question)
        self.pull_missing()

    def _hear_of_done(self, entry: Entry, sender: PeerKey | None) -> None:
        """Others may have closed a step in another way than we: if all have who could, we go.

        Who only looks on, and who was given up while its last entry was on its own disk alone, can
        read their log instead.
        """
        payload = entry.payload
        if not isinstance(payload, wire.Missing):
            return
        voices = self._voices.add(entry.seat, entry.step, naming_of(payload))
        match course(self.ledger, entry, voices, self.key):
            case Course.ANSWER if sender is not None:
                self._answer(entry, sender)
            case Course.GONE:
                self._table_is_gone(_WITHOUT_YOU)
            case Course.ANEW:
                self._floor = entry.step, payload.ballot
                self.start_anew(entry.step)
            case _:
                pass

    def _answer(self, entry: Entry, sender: PeerKey) -> None:
        """Say to who asks that a step was closed here with all entries."""
        del entry, sender

    def start_anew(self, step: int) -> None:
        """Read the table's log from its first entry: its members closed `step` otherwise than we.

        For who looks on, and for who has been given up while its last entries were on its own disk
        alone: the journal keeps these, and nothing is signed beside them. What is still being
        judged counts no more.
        """
        self.emit(fx.StartAnew())
        self.ledger = Ledger(self.table_id)
        self.journal.read_anew(step)
        self.author = self._new_author()  # what it has seen and made is of another branch
        self.quiet.begin(self.now)
        self._jobs = dict.fromkeys(self._jobs, lambda _: None)
        self._held, self._voices = Held(), Voices()
        self._chain = self._proving = None
        for peer in self.peers.values():
            peer.dig, peer.asked_at = Dig(), None

    def _table_is_gone(self, reason: str) -> None:
        """Nothing is left to do here for this peer."""
        if not self._finished:
            self._finished = True
            self.notify(notices.TableClosed(reason))
            self.emit(fx.Finished())

    def _judged(self, entry: Entry, found: object) -> None:
        """The proof of an accepted entry has been judged."""
        if self.fault is not None or self.ledger.pending.get(entry.seat) is not entry:
            return
        if isinstance(found, Finding):
            self.ledger.pending.pop(entry.seat)
            key = self.state.author_key(entry.step, entry.seat)
            assert key is not None
            self.convict(Fault(found, key, entry.step, (entry.signed,)))
            return
        self._settle(entry)

    def _settle(self, entry: Entry) -> None:
        """Write an entry down, pass ours on, and move on if its step is done."""
        if isinstance(entry.payload, wire.OpenTable):
            own = entry.payload.host == self.key
            self.emit(fx.Persist(encode(wire.RecordHeader(PROTOCOL_VERSION)), sync=False))
        else:
            own = self.state.author_key(entry.step, entry.seat) == self.key
        if own and not self.journal.knows(entry) and self._has_been_level(entry.step):
            self._stop_here()
            return
        record = encode(wire.RecordEntry(entry.signed))
        if own and self.journal.keep(entry):
            self.emit(fx.Journalled(record))
        self.emit(fx.Persist(record, sync=own))
        if own:
            self.tell_all(wire.Entries((entry.signed,)))
        self._moved_on(self.ledger.settle(entry))

    def _moved_on(self, told: tuple[notices.Notice, ...]) -> None:
        """Tell what a step has brought, and convict whom it shows to have cheated."""
        for notice in told:
            self.notify(notice)
        late = self.ledger.late_fault()
        if late is not None:
            self.convict(late)

    # ---- a second process of this seat ----

    def _has_been_level(self, step: int) -> bool:
        """Whether an own entry of this step that we did not sign is another program's."""
        return self.quiet.has_been_level(step)

    def _stop_here(self) -> None:
        """Somebody signs with our key and is not us: sign nothing more, and say so."""
        self._is_elsewhere = True
        self._table_is_gone(_ELSEWHERE)

    # ---- faults ----

    def _blame(self, fault: Fault, sender: PeerKey | None) -> None:
        """A fault in an entry: its signer's, or, where nobody signed it, the sender's."""
        if fault.finding.check is CheckCode.FORK and fault.key == self.key:
            self._stop_here()
            return
        if fault.finding.check is not CheckCode.SIGNATURE:
            self.convict(fault)
            return
        if sender is None:
            return
        if sender not in self._witnessed and len(self._witnessed) < HEARSAY_MAX:
            self._witnessed.add(sender)
            named = Fault(fault.finding, fault.key, fault.step, fault.entries, sender)
            self._publish(named)
        self.drop(sender, "it passed on an entry with a wrong signature")

    def convict(self, fault: Fault) -> None:
        """Stop the table on a proved fault; the evidence is kept and passed on."""
        if self.fault is not None:
            return
        self.fault = fault
        self._publish(fault)
        self.tell_all(wire.Evidence(fault.entries))
        self._leave_at = self.now + _HALT_S

    def _publish(self, fault: Fault) -> None:
        state = self.state
        culprit_mark = fingerprint(fault.sender or fault.key)
        name = f"evidence-{fault.step}-{fault.finding.check.value}-{culprit_mark}.bin"
        self.emit(fx.SaveEvidence(name, evidence_file(self.ledger, fault, self.signer)))
        culprit = seat_name(state, fault.sender or fault.key)
        sentence = fault_sentence(state, fault)
        self.notify(notices.FaultFound(culprit, fault.finding.check.value, sentence, name))

    def drop(self, peer: PeerKey, reason: str) -> None:
        """End a link whose other side does not speak the protocol; once."""
        if peer not in self.peers or self.peers[peer].dropped:
            return
        self.peers[peer].dropped = True
        self.emit(fx.Drop(peer, reason))
        name = seat_name(self.state, peer)
        self.notify(notices.Trouble(f"The link to {name} was closed: {reason}."))
