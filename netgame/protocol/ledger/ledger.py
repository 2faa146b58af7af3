"""The ledger: a log that accepts an entry only after all checks of protocol.md §7, in order.

A live peer and the offline verifier use the same class. `judge` returns the judgement of an entry
and changes nothing; `settle` puts an accepted one into its slot. A step is always closed by all its
authors. The log also has one open poll at a time (`hear`). When that is decided, the next poll
begins. Either nothing else changes; or the session that a coin has named begins; or the log is cut,
which makes all steps after the cut void and begins a new epoch there.

No cut goes back beyond the last step that all voters have signed, because no promise names a head
before the last step that its seat has signed (`epochs.cut`); earlier states are not kept. Void
entries stay in the record, before the statements that made them void, and are remembered here: a
seat that signs a different entry for such a slot, under the old id, is convicted by the two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from netgame.crypto.batch import Weights
from netgame.crypto.coin import table_id
from netgame.crypto.signing import is_public_key
from netgame.errors import Malformed
from netgame.protocol.epochs.company import Company
from netgame.protocol.ledger.evidence import against_entry, evidence_of
from netgame.protocol.ledger.past import Past
from netgame.protocol.ledger.poll import Decision, Poll, Reception, key_at, key_of
from netgame.protocol.log import fault as checks
from netgame.protocol.log.entry import (
    Entries,
    Entry,
    ReceivedStatement,
    Slot,
    filled_mask,
    is_fork,
    read_entry,
)
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind, Finding, bad_entry, fork, guilty
from netgame.protocol.log.steps import NO_RECORD, ReadRecord, Steps
from netgame.protocol.notices import DealPhase, Notice
from netgame.protocol.state import phases
from netgame.protocol.state.deck import ChainId, Deal
from netgame.protocol.state.leavers import open_epoch, told_of_undone
from netgame.protocol.state.lobby import open_session
from netgame.protocol.state.session import check_payload, complete_step, due
from netgame.protocol.state.state import State
from netgame.wire.messages import CHAIR, Checked, OpenTable, Proof, SignedEntry, SignedStatement
from netgame.wire.statements import Parting, Promise, Proposal, bit


class Ledger:
    """The log of one table, and the state to which it has led.

    In one step of a deal, all sign that they have checked its chain of shuffles. That step stays
    open, even when full, until this peer has checked the chain, too (`pass_chain`), whether or not
    it took part in shuffling.
    """

    def __init__(self, table: bytes, record: ReadRecord = NO_RECORD) -> None:
        self.state = State(table_id=table, company=Company.of_table(table))
        self.past = Past(record, self.state)
        self.slots: dict[int, Entry] = {}
        """The settled entries of the due step, by author."""
        self.pending: dict[int, Entry] = {}
        """Accepted entries of the due step whose proofs are being judged, by author."""
        self.unjudged: list[tuple[Entry, checks.PendingProof]] = []
        """Pending entries, with their proofs, that wait until others have been judged."""
        self.is_judging = False
        """True while others are being judged."""
        self.poll = Poll.begin(self.state.company, 0, self)
        """The open poll."""
        self.decisions: list[Decision] = []
        """The decisions of the closed polls, in their order."""
        self._passed: ChainId | None = None
        """The last chain of shuffles that this peer has found good."""

    @property
    def steps(self) -> Steps:
        """The entries of each done step, in log order."""
        return self.past.steps

    @property
    def void(self) -> Mapping[Slot, Entry]:
        """The entries that cuts have made void, by slot."""
        return self.past.void

    @property
    def chain(self) -> ChainId | None:
        """The chain of shuffles whose proofs are all in the log but not signed off yet, or None."""
        deal = self.state.deal
        if deal is None or deal.phase is not DealPhase.CHECKED:
            return None
        return self.state.log_id, deal.born

    def has_passed(self) -> bool:
        """Return True if this peer has found `chain` good; False if there is none."""
        return self.chain is not None and self._passed == self.chain

    def is_waiting(self) -> bool:
        """Return True if the due step cannot be closed before this peer has checked a chain."""
        if self.chain is None or self.has_passed():
            return False
        return Checked in due(self.state).kinds

    def pass_chain(self, chain: ChainId | None) -> tuple[Notice, ...]:
        """Note that all proofs of this chain hold; None means that no chain has been found good.

        If the due step waited for that and is full, close it. Return its notices, or () if no step
        is closed.
        """
        waited = self.is_waiting()
        self._passed = chain
        return self._close_if_done() if waited else ()

    def judge(self, signed: SignedEntry) -> checks.Judgement:
        """Return the result of checks 7.1 to 7.11, and 7.15, on an entry that may be hostile.

        Nothing is changed. For an `Accepted` entry, 7.12 has still to be run. For a wrong
        signature, `Guilty` has an empty key.
        """
        try:
            entry = read_entry(signed)
        except Malformed as problem:
            return checks.Garbage(str(problem))
        state = self.state
        if entry.step > state.step:
            return checks.Later(entry)
        if any(each.signed == entry.signed for each in self._standing(entry.step)):
            return checks.Repeat()  # judged before; a repeat must not cost much
        if entry.id != state.company.at(entry.step).id:
            # A decision that we have yet to hear of may have opened an epoch unknown here.
            is_new = state.company.of_id(entry.id) is None and entry.step == state.step > 0
            return checks.Later(entry) if is_new else self._judge_void(entry)
        if entry.id == self.poll.id and entry.poll > self.poll.number:
            return checks.Later(entry)
        key = self.key_of(entry)
        if key is None:
            return checks.Stray()
        if not entry.is_by(key):
            says = "passed on an entry with a wrong signature"
            return guilty(entry, b"", Finding(CheckCode.SIGNATURE, says))
        return self._judge_signed(entry, key)

    def _judge_void(self, entry: Entry) -> checks.Judgement:
        """Judge an entry whose id is not that of its step: a fork of a void entry, or a stray."""
        other = self.void.get(entry.slot)
        key = key_at(self.state.company, entry.id, entry.seat)
        if other is None or key is None or not is_fork(other, entry) or not entry.is_by(key):
            return checks.Stray()
        return checks.Guilty(fork(other, entry, key))

    def key_of(self, entry: Entry) -> bytes | None:
        """Return the key that must have signed an entry; None if its step has no such author.

        For the first entry it is the key of the host that it names, if the table's id is made from
        it.
        """
        if self.state.host:
            return self.state.author_key(entry.step, entry.seat)
        opening = entry.payload
        if not isinstance(opening, OpenTable) or entry.seat != CHAIR:
            return None
        is_host = table_id(opening.host, opening.nonce) == self.state.table_id
        return opening.host if is_host and is_public_key(opening.host) else None

    def _judge_signed(self, entry: Entry, key: bytes) -> checks.Judgement:
        """Return the result of checks 7.6 to 7.11, and 7.15, on an entry that `key` has signed."""
        other = self.slot(entry.step, entry.seat)
        if other is not None:
            is_same = other.signed.body == entry.signed.body
            return checks.Repeat() if is_same else checks.Guilty(fork(other, entry, key))
        if entry.prev != self.head_before(entry.step):
            return checks.Unlinked(entry)
        if entry.step < self.state.step or entry.seat not in due(self.state).authors:
            return guilty(entry, key, Finding(CheckCode.TURN, "wrote out of turn"))
        pair = against_entry(self.poll.by(entry.seat), entry, key)
        checked = check_payload(self.state, entry)
        if isinstance(checked, Finding):
            return guilty(entry, key, checked) if pair is None else checks.Guilty(pair)
        return checks.Accepted(entry, checked, pair)

    def would_stand(self, entry: Entry, by: Weights) -> bool:
        """Return True if an entry passes 7.8 to 7.12 in the state in which its step was due.

        False if it does not link to our log, or no cut can go back to its step. Its signature and
        slot are not judged; its proof is checked at once.
        """
        # A settled entry has passed. The proof of a pending one is still to be run.
        if self.pending.get(entry.seat) != entry and entry in self._standing(entry.step):
            return True
        if not self.past.holds(entry.step, entry.prev):
            return False
        state = self.past.state_at(entry.step)
        if entry.seat not in due(state).authors:
            return False
        checked = check_payload(state, entry)
        if isinstance(checked, Finding):
            return False
        return checked is None or checked.run(by) is None

    def newest_first(self) -> Iterator[Entry]:
        """Yield the settled entries of the log, those of the newest step first."""
        yield from self.slots.values()
        for step in range(self.state.step - 1, -1, -1):
            yield from self.steps[step]

    def shows(self, fault: Fault) -> bool:
        """Return True if the step that shows a fault is in the log, and no cut made it void."""
        if fault.shown is None or fault.shown >= self.state.step:
            return False
        return self.head_before(fault.shown + 1) == fault.head

    def _standing(self, step: int) -> Entries:
        """Return the entries of a step, done or due, that are settled or pending."""
        return self.steps[step] if step < self.state.step else tuple(self.holding())

    def proved(
        self, signed: tuple[SignedEntry, ...], statements: tuple[SignedStatement, ...] = ()
    ) -> Fault | None:
        """Return the fault that two entries prove, or that statements and at most one entry prove.

        None if they prove none. All may be hostile. If there are statements and more than one
        entry, the entries are ignored.
        """
        try:
            entries = tuple(map(read_entry, signed))
        except Malformed:
            return None
        if statements:
            one = entries if len(entries) <= 1 else ()
            return evidence_of(self.state.company, self.poll, statements, one)
        company = self.state.company
        if len(entries) != 2 or not is_fork(*entries) or company.of_id(entries[0].id) is None:
            return None
        # In the lobby an epoch has no keys yet; there `key_of` gives the host's.
        keys = {key_at(company, each.id, each.seat) or self.key_of(each) for each in entries}
        key = keys.pop() if len(keys) == 1 else None
        if key is None or not all(each.is_by(key) for each in entries):
            return None
        return fork(*entries, key)

    def head_before(self, step: int) -> bytes:
        """Return the digest that entries of `step`, done or due, must name in `prev`.

        Raises IndexError for a later step.
        """
        return self.past.head_before(step)

    def slot(self, step: int, author: int) -> Entry | None:
        """Return the entry, settled or pending, in this slot, or None.

        The step may be the due one or a done one.
        """
        return next((each for each in self._standing(step) if each.seat == author), None)

    def fault_in(self, entry: Entry, finding: Finding) -> Fault:
        """Return the fault of an entry's author for this finding; its key is empty if not known."""
        return bad_entry(entry, self.key_of(entry) or b"", finding)

    def shown_by(self, step: int, entry: Entry, finding: Finding) -> Fault:
        """Return the fault of an entry's author that the log itself shows once `step` is done."""
        key, head = self.key_of(entry) or b"", self.head_before(step + 1)
        signed = (entry.signed,)
        return Fault(FaultKind.SHOWN, finding, key, entry.step, signed, shown=step, head=head)

    def settle(self, entry: Entry) -> tuple[Notice, ...]:
        """Put an accepted entry into its slot of the due step, and close the step if it is full.

        The entry's proof is taken to hold. Return the notices if the step is closed, else ().
        """
        # Callers settle only an entry that `judge` accepted for the due step.
        assert entry.step == self.state.step
        self.steps.write(entry)
        self.pending.pop(entry.seat, None)
        self.slots[entry.seat] = entry
        return self._close_if_done()

    def _close_if_done(self) -> tuple[Notice, ...]:
        authors = due(self.state).authors
        if self.is_waiting() or len(self.slots) < len(authors):
            return ()
        entries = tuple(self.slots[author] for author in sorted(self.slots))
        # Every voter is among the authors. In the lobby nobody votes, and each step is a wall.
        is_wall = not self.state.company.now.voters & ~sum(map(bit, authors))
        self.state, notices = complete_step(self.state, entries)
        self.past.close(entries, self.state, is_wall=is_wall)
        self._begin_step()
        return notices

    def _begin_step(self) -> None:
        self.slots, self.pending = {}, {}
        now = self.state.company.now
        if not self.poll.cut.company and now.voters:  # the lobby is closed: its seats vote now
            self.poll = Poll.begin(self.state.company, 0, self)
            self.past.begin_epoch(self.state)
        self.poll.cut.guests = sum(map(bit, now.guests))

    # ---- who goes on ----

    def holds(self, step: int, head: bytes) -> bool:
        """Return True if `step` follows `head` in our log, and a cut can go back that far."""
        return self.past.holds(step, head)

    def is_final(self, step: int) -> bool:
        """Return True if `step` is due, and a coin has fallen or the game is over."""
        return step == self.state.step and isinstance(self.state.now, phases.FINAL)

    def hear(self, said: ReceivedStatement) -> Reception | Fault:
        """Judge a statement from anywhere, and hold it if its poll, open or closed, can use it.

        A `Fault` is that of its author, or of another seat whose statement it refutes. A statement
        that convicts its author together with an entry is still held, because seats that do not
        know that entry count it. `poll.said` contains the statements that are held.
        """
        # Compared with its signature: the same octets under a wrong one are a forgery, not known.
        if self.poll.said.get(said.name) == said:
            return Reception.KNOWN
        statement, company = said.statement, self.state.company
        if company.of_id(statement.id) is None:
            return Reception.LATER
        if statement.id == self.poll.id and statement.poll > self.poll.number:
            return Reception.LATER
        key = key_of(company, statement)
        if not key:
            return Reception.STRAY
        if not said.is_by(key):
            return Reception.FORGED
        if not self.poll.is_of(statement):
            return self._hear_old(said, key)
        pair = self.poll.against(said, key)
        if pair is not None:
            self.poll.keep_aside(said)
            return pair
        beside = self._entry_against(said, key)
        false = self.poll.why_false(said, key)
        if false is not None:
            return beside or false
        reception = self.poll.hold(said)
        return beside or self.poll.shown(company, by=said) or reception

    def _hear_old(self, said: ReceivedStatement, key: bytes) -> Reception | Fault:
        """Hear a statement of an earlier poll: a parting may count; any other can only convict."""
        over = (each.book for each in self.decisions if each.book.is_of(said.statement))
        heard = (book.hear_late(said, key) for book in over)
        reception = next((each for each in heard if each is not Reception.OLD), Reception.OLD)
        with_it = self.poll.with_parting(self.state.company, said)
        if with_it is None:
            return reception
        since = (self.poll, *(each.book for each in self.decisions))
        pairs = (poll.against(said, key) for poll in since if poll.id == said.statement.id)
        pair = next(filter(None, pairs), None)
        if pair is not None or reception is Reception.KNOWN:
            # Others may lack the other half, or not have known that this one is false, and count
            # it.
            self.poll.keep_aside(said)
            return reception if reception is Reception.KNOWN else pair or reception
        self.poll = with_it
        beside = self._entry_against(said, key)
        return beside or self.poll.shown(self.state.company) or Reception.NEWS

    def _entry_against(self, said: ReceivedStatement, key: bytes) -> Fault | None:
        """Return the fault of the latest entry that a promise or parting rules out, or None.

        Settled and void entries count. None, too, for another kind of statement.
        """
        statement = said.statement
        if not isinstance(statement, Promise | Parting):
            return None
        seat, epoch = statement.seat, statement.id
        void = (e for e in self.void.values() if (e.id, e.seat) == (epoch, seat))
        first = max(statement.last + 1, self.state.company.began(epoch))
        # `last` rules out entries after it. The statement also rules out an entry at the end of its
        # log that links to another head than it names.
        steps = {*range(first, self.state.step + 1), min(statement.step, self.state.step)}
        stands = filter(None, (self.slot(step, seat) for step in steps))
        entries = sorted((*stands, *void), key=lambda each: each.step, reverse=True)
        return next(filter(None, (against_entry((said,), each, key) for each in entries)), None)

    def decide(self) -> tuple[Decision, tuple[Notice, ...]] | None:
        """Carry out a decision and begin the next poll; return the decision and the notices.

        None while the open poll has decided nothing, or our log has not reached the step decided.
        None also for a decision to go back beyond a step that all voters have signed: only a quorum
        of liars, which went on signing after their promises, can make one.
        """
        proposal = self.poll.cut.decided()
        if proposal is None and (other := self.poll.by_rivals(self.state.company)) is not None:
            self.poll, proposal = other, other.cut.decided()
        if proposal is None or proposal.step > self.state.step:
            return None
        if proposal.goes and not self.past.reaches(proposal.step):
            return None
        table = self.state.table
        stopped = self.past.state_at(proposal.step) if proposal.goes else self.state
        number = 0 if table is None else table.round_number
        owing = due(stopped).authors
        decision = self.poll.decision(proposal, number, stopped.phase, frozenset(owing))
        self.decisions.append(decision)
        notices: tuple[Notice, ...] = ()
        if proposal.goes:
            notices = self._cut(proposal)
        # A decision at an earlier step has not seen the coin fall; another poll begins the session.
        elif isinstance(self.state.now, phases.CoinFallen) and proposal.step == self.state.step:
            self.state, notices = open_session(self.state, self.state.now)
        self.poll = self.poll.following(self.state.company)
        if self.poll.id != decision.book.id:
            self.past.begin_epoch(self.state)
            self._begin_step()
        return decision, notices

    def _cut(self, value: Proposal) -> tuple[Notice, ...]:
        """Cut the log where a proposal stops it; open an epoch there without the seats that go."""
        back = self.past.cut(value.step, self.holding())
        undone = told_of_undone(self.state, back)
        # Proofs that are still running will find that their entries are no longer pending
        # (`Intake.judged`).
        self.unjudged = []
        self.state, told = open_epoch(back, value.goes)
        self.past.close((), self.state, is_wall=True)
        return (*undone, *told)

    def late_fault(self) -> Fault | None:
        """Return a fault that only the last step as a whole shows, or else one that the poll shows.

        None if there is neither (`Poll.shown`). For equal keys and the audit, the last entry of the
        culprit convicts it. That may be one of an earlier step, if the culprit has left.
        """
        if self.state.late is None:
            return self.poll.shown(self.state.company)
        (seat, finding), last = self.state.late, self.state.step - 1
        slots = (self.slot(step, seat) for step in range(last, -1, -1))
        entry = next(entry for entry in slots if entry is not None)
        return self.shown_by(last, entry, finding)

    def chain_fault(
        self, deal: Deal, proofs: Sequence[Proof], seat: int, finding: Finding
    ) -> Fault | None:
        """Return the fault of the seat whose logged shuffle proof does not hold.

        `proofs` are those that were checked. None if they are no longer in the log: a check takes
        time, and a decision may have made their step void meanwhile.
        """
        if deal.proof_step >= self.state.step or self.proofs(deal) != tuple(proofs):
            return None
        entry = self.slot(deal.proof_step, seat)
        return None if entry is None else self.shown_by(entry.step, entry, finding)

    def proofs(self, deal: Deal) -> tuple[Proof, ...]:
        """Return the shuffle proofs of a deal whose proof step is done, in seat order."""
        payloads = (entry.payload for entry in self.steps[deal.proof_step])
        return tuple(payload for payload in payloads if isinstance(payload, Proof))

    def written(self) -> frozenset[int]:
        """Return the authors of the due step whose entries are settled or pending."""
        return frozenset(self.slots) | frozenset(self.pending)

    def holding(self) -> Iterator[Entry]:
        """Yield the entries of the due step, settled ones first, then pending ones."""
        yield from self.slots.values()
        yield from self.pending.values()

    def filled(self) -> bytes:
        """Return the authors of the due step whose entries are settled, as a mask of 32 octets."""
        return filled_mask(self.slots)

    def entries_from(
        self, step: int, filled: frozenset[int] = frozenset()
    ) -> Iterator[SignedEntry]:
        """Yield the settled entries from `step` on, in log order.

        Of `step` itself, leave out those of authors in `filled`. The settled entries of the due
        step come last, in the order in which they came.
        """
        for number in range(step, self.state.step + 1):
            done = number < self.state.step
            for entry in self.steps[number] if done else self.slots.values():
                if number > step or entry.seat not in filled:
                    yield entry.signed
