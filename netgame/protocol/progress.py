"""How one peer's log moves on: entries judged, settled, written, and faults made known.

The lower half of `Core`: the ledger (what is agreed), the author (what this seat alone knows) and
the effects; `core` adds what peers say to each other and how one comes to sit at a table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from engine.legality import Refusal, RefusalCode, why_illegal_holding
from engine.moves import Catch, Quiet
from engine.trains import Seat
from netgame.limits import CALL_S, HEAD_DELAY_S, HEAD_S, LEAVE_AFTER_S, PROTOCOL_VERSION
from netgame.protocol import effects as fx
from netgame.protocol import notices
from netgame.protocol.author import Author, Making
from netgame.protocol.calling import Calling
from netgame.protocol.deal import why_bad_chain
from netgame.protocol.evidence import evidence_file, fault_sentence, seat_name
from netgame.protocol.fault import CheckCode, Fault, Finding, Judging
from netgame.protocol.fingerprint import fingerprint
from netgame.protocol.ledger import (
    Accepted,
    Garbage,
    Guilty,
    Later,
    Ledger,
    Repeat,
    Stray,
    Unlinked,
)
from netgame.protocol.log import Entry, Signer, filled_mask, read_entry, sign_entry
from netgame.protocol.session import due
from netgame.protocol.state import DealPhase, Phase, State
from netgame.protocol.sync import PULL_ELSEWHERE_S, Held, Peer, is_ahead
from netgame.protocol.turns import bare_entry
from netgame.protocol.views import build_view
from netgame.wire import messages as wire
from netgame.wire.codec import encode

if TYPE_CHECKING:
    from collections.abc import Callable

    from engine.moves import Move
    from netgame.crypto.group import Entropy
    from netgame.protocol.effects import Effect, PeerKey
    from netgame.protocol.view import TableView

__all__ = ["Progress"]

_HALT_S = 3.0
"""A halted table stays this long to pass the evidence on."""


class Progress:
    """Ledger, author and peers of one process at one table; see `Core` for the inputs."""

    def __init__(self, signer: Signer, entropy: Entropy, secret: bytes) -> None:
        self.signer = signer
        self.key = cast("PeerKey", signer.public_bytes)
        self.author = Author(signer.public_bytes, secret, entropy)
        self.ledger = Ledger(b"")
        self.peers: dict[PeerKey, Peer] = {}
        self.fault: Fault | None = None
        self.now = 0.0
        self._out: list[Effect] = []
        self._jobs: dict[int, Callable[[object], None]] = {}
        self._job = 0
        self._held = Held()
        self._writing: int | None = None
        self._announced: int | None = None
        self._chain: tuple[bytes, int, bool] | None = None
        self._proving: tuple[bytes, int] | None = None
        self._deal_note = ""
        self._told: tuple[int, bytes] | None = None
        self._tell_at: float | None = None
        self._beat_at = 0.0
        self._leave_at: float | None = None
        self._finished = False
        self._witnessed: set[PeerKey] = set()
        self._heard: set[bytes] = set()
        self._last_heads: dict[bytes, wire.Head] = {}
        self._quiet_until: float | None = None
        self.calling = Calling()

    # ---- what the state says ----

    @property
    def state(self) -> State:
        """The fold of the log so far."""
        return self.ledger.state

    @property
    def table_id(self) -> bytes:
        """The table's id; empty while this peer has none."""
        return self.state.table_id

    def view(self) -> TableView:
        """A snapshot of what the person here may see."""
        return build_view(
            self.state,
            self.author,
            {key for key, peer in self.peers.items() if peer.greeted},
            self.fault,
            self._deal_note,
            can_move=self._is_my_turn(),
        )

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

    def work(self, run: Callable[[], object], then: Callable[[object], None]) -> None:
        """Have `run` run elsewhere, and `then` with its result."""
        self._job += 1
        self._jobs[self._job] = then
        self.emit(fx.Work(self._job, run))

    def finish_job(self, job: int, result: object) -> None:
        """Hand the result of a piece of work to who wanted it."""
        self._jobs.pop(job)(result)

    def flush(self) -> tuple[Effect, ...]:
        """Follow up on what has changed, and hand over all effects in order."""
        self._advance()
        self._pace()
        out, self._out = tuple(self._out), []
        return out

    # ---- receiving ----

    def offer(self, signed: wire.SignedEntry, sender: PeerKey | None) -> bool:
        """Judge an entry from `sender` (None: from our own keeping) and do what follows.

        Returns whether it was news: an entry we lacked and have now, or hold for later.
        """
        if self.fault is not None:
            return False
        match self.ledger.judge(signed):
            case Accepted(entry, judging):
                self._accept(entry, judging)
                return True
            case Later(entry):
                return self._held.keep(entry)
            case Guilty(fault):
                self._blame(fault, sender)
            case Unlinked(entry) if sender is not None:
                self.dig(sender, entry.step)
            case Garbage(reason) if sender is not None:
                self.drop(sender, f"it sent an entry that is {reason}")
            case Garbage() | Stray() | Repeat() | Unlinked():
                pass
        return False

    def hear_evidence(
        self, key: PeerKey, peer: Peer, entries: tuple[wire.SignedEntry, ...]
    ) -> None:
        """Judge what is said to prove a fault; keep it apart if our log has not come so far."""
        self.hear_entries(key, peer, entries)
        if self.fault is None and not peer.dropped:
            read = (read_entry(signed) for signed in entries)
            peer.evidence = tuple(entry for entry in read if entry.step > self.state.step)

    def _accept(self, entry: Entry, judging: Judging | None) -> None:
        """Settle an entry, at once or when its proof has been judged."""
        if judging is None:
            self._settle(entry)
            return
        self.ledger.pending[entry.seat] = entry
        entropy = self.author.fresh()
        self.work(lambda: judging.run(entropy), lambda found: self._judged(entry, found))

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
        """Ask somebody who has more than we have; one at a time, unless it does not answer."""
        asked = [peer.asked_at for peer in self.peers.values() if peer.asked_at is not None]
        if asked and self.now - max(asked) < PULL_ELSEWHERE_S:
            return
        step, have = self._reach()
        for key, peer in self.peers.items():
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
        news = self.hear_entries(key, peer, entries)
        peer.answered(self.now, news=news)
        if digging and not peer.dropped and self.fault is None:
            read = (read_entry(signed) for signed in entries)
            question = peer.dig.go_on(read, self.state.step)
            if question is not None:
                self.pull(key, peer, question)
        self.pull_missing()

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
        self.emit(fx.Persist(encode(wire.RecordEntry(entry.signed)), sync=own))
        if own:
            self.tell_all(wire.Entries((entry.signed,)))
        for notice in self.ledger.settle(entry):
            self.notify(notice)
        late = self.ledger.late_fault()
        if late is not None:
            self.convict(late)

    # ---- faults ----

    def _blame(self, fault: Fault, sender: PeerKey | None) -> None:
        """A fault in an entry: its signer's, or, where nobody signed it, the sender's."""
        if fault.finding.check is not CheckCode.SIGNATURE:
            self.convict(fault)
            return
        if sender is None or sender in self._witnessed:
            return
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

    # ---- writing ----

    def _advance(self) -> None:
        """Take what waited for the due step and write what we owe, until nothing moves."""
        while self.fault is None and self.table_id:
            step = self.state.step
            self._offer_kept(step)
            self._prove_and_check_deck()
            self._write_owed()
            if self.state.step == step:
                return

    def _offer_kept(self, step: int) -> None:
        """Judge what came before its step was due."""
        for entry in self._held.take(step):
            self.offer(entry.signed, None)
        for peer in self.peers.values():
            if peer.evidence and peer.evidence[0].step <= step:
                ripe, peer.evidence = peer.evidence, ()
                for entry in ripe:
                    self.offer(entry.signed, None)

    def _prove_and_check_deck(self) -> None:
        """Start, once each, the proof of our link of the chain and the check of the others'."""
        deal = self.state.deal
        if deal is None or self.fault is not None:
            return
        this = (self.state.log_id, deal.born)
        if self._proving != this:
            making = self.author.shuffle_proof(self.state)
            if making is not None:
                self._proving = this
                self.work(making.run, lambda made: self._proof_made(deal.born, made))
        if deal.phase is DealPhase.CHECKED and (self._chain is None or self._chain[:2] != this):
            self._chain = (*this, False)
            proofs, own = self.ledger.proofs(), self.author.seat(self.state)
            entropy = self.author.fresh()
            self.work(
                lambda: why_bad_chain(deal, proofs, entropy, own),
                lambda found: self._chain_checked(this, found),
            )

    def _proof_made(self, born: int, made: object) -> None:
        self.author.keep_proof(born, cast("wire.Proof", made))

    def _chain_checked(self, this: tuple[bytes, int], found: object) -> None:
        if found is None:
            self._chain = (*this, True)
            return
        seat, finding = cast("tuple[int, Finding]", found)
        self.convict(self.ledger.chain_fault(seat, finding))

    def _chain_is_good(self) -> bool:
        deal = self.state.deal
        return deal is not None and self._chain == (self.state.log_id, deal.born, True)

    def may_write(self) -> bool:
        """Whether our slot of the due step is ours to fill now."""
        state = self.state
        seat = self.author.seat(state)
        if self.fault is not None or seat is None or seat not in due(state).authors:
            return False
        if self._is_quiet() or self._writing == state.step:
            return False
        return self.ledger.slot(state.step, seat) is None

    def _is_quiet(self) -> bool:
        """After a restart: silent until all heads that can be had are known, and we have caught up.

        A seat that forgot its last entry and wrote another would look exactly like a cheater.
        """
        if self._quiet_until is None:
            return False
        heads = [peer.head for peer in self.peers.values() if peer.greeted and peer.head]
        unheard = {member.key for member in self.state.members} - self._heard - {self.key}
        if unheard and (self.now < self._quiet_until or not heads):
            return True
        filled = frozenset(self.ledger.slots)
        if any(is_ahead(head, self.state.step, filled) for head in heads):
            return True
        self._quiet_until = None
        return False

    def _write_owed(self) -> None:
        """Fill our slot if what it takes needs no decision; else say that it is our turn."""
        state = self.state
        if state.phase is Phase.LOBBY or not self.may_write():
            return
        if state.phase is Phase.CALLS:
            self._write_call()
            return
        owed = self.author.owed(state, chain_checked=self._chain_is_good())
        if owed is not None:
            self.write(owed)
        elif self._may_decide() and self._announced != state.step:
            self._announced = state.step
            self.notify(notices.YourTurn())

    def _write_call(self) -> None:
        """Say what this seat calls, or tell the person here that they may."""
        step, table, seat = self.state.step, self.state.table, self.author.seat(self.state)
        assert table is not None
        assert seat is not None
        asked = self.calling.is_waiting(step)
        call = self.calling.answer(table, Seat(seat), step, self.now)
        if call is not None:
            self.write(bare_entry(call))
        elif not asked:
            self.notify(notices.MayCall(CALL_S))

    def write(self, payload: wire.Payload | Making) -> None:
        """Write our entry for the due step, now or when it is made."""
        state, step = self.state, self.state.step
        self._writing = step
        if isinstance(payload, Making):
            self.work(payload.run, lambda made: self._sign(step, cast("wire.Payload", made)))
            return
        seat = wire.CHAIR if state.phase is Phase.LOBBY else self.author.seat(state)
        assert seat is not None
        body = wire.Body(state.log_id, step, state.head, seat, payload)
        self.offer(sign_entry(self.signer, body), None)

    def _sign(self, step: int, payload: wire.Payload) -> None:
        if self.fault is None and self.state.step == step:
            self.write(payload)

    def try_move(self, move: Move) -> Refusal | None:
        """Make our move, or say which rule is against it."""
        state = self.state
        table, hand = self.author.table(state), self.author.hand(state)
        if table is None or hand is None or not self._is_my_turn():
            return Refusal(RefusalCode.NOT_YOUR_TURN, (), "docs/rules.md §2")
        if isinstance(move, Catch | Quiet):
            said = (("action", type(move).__name__.lower()),)  # a step of its own asks for these
            return Refusal(RefusalCode.NOT_ALLOWED, said, "docs/rules.md §7.7")
        refusal = why_illegal_holding(table, hand, move)
        if refusal is not None:
            return refusal
        if state.phase is Phase.OPENING_COMMIT:
            self._announced = None
            sealed = self.author.plan(state, move)
            if sealed is not None:
                self.write(sealed)
        else:
            self.write(self.author.turn(state, move))
        return None

    def _is_my_turn(self) -> bool:
        return self._may_decide() and self.may_write()

    def _may_decide(self) -> bool:
        """Whether the step that is due is one in which seats decide something."""
        state = self.state
        if state.phase is Phase.OPENING_COMMIT:
            return True
        return state.phase is Phase.PLAY and not state.interlude and state.sealed is None

    # ---- time ----

    def _pace(self) -> None:
        """Tell our head soon after it changed and every second; leave when all is done."""
        state = self.state
        mark = (state.step, self.ledger.filled())
        if mark != self._told and self._tell_at is None:
            self._tell_at = self.now + HEAD_DELAY_S
        if state.phase is Phase.OVER and self._leave_at is None:
            self._leave_at = self.now + LEAVE_AFTER_S
            self._tell_at = self.now
        if self.now >= self._beat_at or self._tell_is_due():
            self._told, self._tell_at, self._beat_at = mark, None, self.now + HEAD_S
            self.tell_all(wire.Head(state.step, state.head, mark[1]))
        if not self._finished and self._leave_at is not None and self._may_leave():
            self._finished = True
            self.emit(fx.Finished())
        at = min(self._beat_at, self._tell_at or self._beat_at)
        self.emit(fx.Wake(min(at, self.calling.wake_at(state.step, self.now) or at)))

    def _tell_is_due(self) -> bool:
        return self._tell_at is not None and self.now >= self._tell_at

    def _may_leave(self) -> bool:
        """Whether every member is known to have the whole log, or has been waited for enough."""
        assert self._leave_at is not None
        if self.now >= self._leave_at:
            return True
        others = (member.key for member in self.state.members if member.key != self.key)
        return self.fault is None and all(self._has_all(key) for key in others)

    def _has_all(self, key: bytes) -> bool:
        head = self._last_heads.get(key)
        return head is not None and (head.step, head.digest) == (self.state.step, self.state.head)
