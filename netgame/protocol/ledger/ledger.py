"""Receipt: a log that takes an entry only after every check of protocol.md §7, in its order.

The same object serves a live peer and the offline verifier. `judge` says what is to become of an
entry without changing anything; `settle` puts an accepted one into its slot.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from netgame.crypto.coin import table_id
from netgame.crypto.signing import is_public_key
from netgame.errors import Malformed
from netgame.protocol.epochs.company import Company
from netgame.protocol.fold.deck import Deal
from netgame.protocol.fold.leavers import complete_without
from netgame.protocol.fold.session import check_payload, complete_step, due
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.votes import Naming, Poll, Votes, fork_of, is_in_turn, poll_at, poll_of
from netgame.protocol.log import fault as checks
from netgame.protocol.log.entry import Entries, Entry, filled_mask, is_fork, read_entry, said
from netgame.protocol.log.fault import CheckCode, Fault, Finding
from netgame.protocol.log.steps import NO_SHELF, Shelf, Steps
from netgame.protocol.notices import DealPhase, Notice
from netgame.wire.messages import CHAIR, Checked, Missing, OpenTable, Proof, SignedEntry

_NOBODY: Final[frozenset[int]] = frozenset()

ChainId = tuple[bytes, int]
"""The session or table in which a chain is made, and the step at which its deal began."""


class Ledger:
    """The log of one table and the state it folds to.

    `steps` are the done steps, the older ones as `record` has them, `slots` the entries of the due
    step that have been settled, `pending` those accepted whose proofs are still being judged, or
    wait `unjudged` until others have been; `missing` what seats have said they lack of it. `before`
    has, by step, what stood in logs of this table that were read before this one.

    The step in which all sign that the chain of a deal is checked waits, full or given up, until
    this peer has checked it too (`pass_chain`), whether it has a part in the chain or not.
    """

    def __init__(
        self,
        table: bytes,
        record: Shelf = NO_SHELF,
        before: Mapping[int, Sequence[Entry]] | None = None,
    ) -> None:
        self.state = State(table_id=table, company=Company.of_table(table))
        self.steps = Steps(record)
        self._before = {} if before is None else before
        self._closed: dict[int, Naming] = {}
        self._wrote: dict[bytes, array[int]] = {}
        self._heads: list[bytes] = [self.state.head]
        self._in_turn = bytearray()
        self.slots: dict[int, Entry] = {}
        self.pending: dict[int, Entry] = {}
        self.unjudged, self.is_judging = list[tuple[Entry, checks.Judging]](), False
        self.missing = Votes()
        self._passed: ChainId | None = None

    @property
    def chain(self) -> ChainId | None:
        """The chain of shuffles whose proofs are all there and have yet to be signed off."""
        deal = self.state.deal
        if deal is None or deal.phase is not DealPhase.CHECKED:
            return None
        return self.state.log_id, deal.born

    def has_passed(self) -> bool:
        """Whether the chain to be signed off is good, as this peer has found itself."""
        return self.chain is not None and self._passed == self.chain

    def is_waiting(self) -> bool:
        """Whether the due step cannot be closed before this peer has checked a chain."""
        if self.chain is None or self.has_passed():
            return False
        return Checked in due(self.state).kinds

    def pass_chain(self, chain: ChainId | None) -> tuple[Notice, ...]:
        """All proofs of this chain hold: what has waited for that moves on."""
        waited = self.is_waiting()
        self._passed = chain
        return self._close_if_done() if waited else ()

    def judge(self, signed: SignedEntry) -> checks.Judgement:
        """Run checks 7.1 to 7.11 on an entry from anywhere, and hand back 7.12 to be run."""
        try:
            entry = read_entry(signed)
        except Malformed as problem:
            return checks.Garbage(str(problem))
        state = self.state
        if entry.step > state.step:
            return checks.Later(entry)
        if any(each.signed == entry.signed for each in self._standing(entry.step)):
            return checks.Repeat()  # judged before; who sends it once more shall not cost much
        if entry.table != state.log_id_at(entry.step):
            return checks.Stray("an entry of another table")
        key = self._key_of(entry)
        if key is None:
            return checks.Stray("an entry of an author that is not at this table")
        if not entry.is_by(key):
            finding = Finding(CheckCode.SIGNATURE, "passed on an entry with a wrong signature")
            return _guilty(entry, b"", finding)
        return self._judge_signed(entry, key)

    def _key_of(self, entry: Entry) -> bytes | None:
        """Whose signature the slot needs; the host's key, until it is known, from the table id."""
        if self.state.host:
            return self.state.author_key(entry.step, entry.seat)
        opening = entry.payload
        if not isinstance(opening, OpenTable) or entry.seat != CHAIR:
            return None
        is_host = table_id(opening.host, opening.nonce) == self.state.table_id
        return opening.host if is_host and is_public_key(opening.host) else None

    def _judge_signed(self, entry: Entry, key: bytes) -> checks.Judgement:
        """Checks 7.6 to 7.11, on an entry that `key` has certainly signed."""
        other = fork_of(entry, self._standing(entry.step))
        if other is not None and other.signed.body == entry.signed.body:
            return checks.Repeat()
        other = other or self._otherwise_before(entry, key)
        if other is not None:
            return self._fork(other, entry, key)
        is_vote = isinstance(entry.payload, Missing)
        if not is_vote and entry.seat in self._gone_on_without(entry.step):
            return checks.Stray("an entry that was waited for and given up")
        linked = entry.prev == self.head_before(entry.step)
        if linked and is_vote != (entry.stage > 0):
            finding = Finding(CheckCode.KIND, "signed an entry for a slot of another kind")
            return _guilty(entry, key, finding)
        if isinstance(entry.payload, Missing):
            return self._judge_missing(entry, entry.payload, key, linked=linked)
        return self._judge_due(entry, key) if linked else checks.Unlinked(entry)

    def _otherwise_before(self, entry: Entry, key: bytes) -> Entry | None:
        """What its author has signed instead in a log that was read before; numbers may differ."""
        others = (each for each in self._before.get(entry.step, ()) if is_fork(each, entry))
        return next((each for each in others if each.is_by(key)), None)

    def _judge_due(self, entry: Entry, key: bytes) -> checks.Judgement:
        """Checks 7.8 to 7.11, on an entry of stage 0 that follows the steps before it."""
        if entry.step < self.state.step or entry.seat not in due(self.state).authors:
            return _guilty(entry, key, Finding(CheckCode.TURN, "wrote out of turn"))
        checked = check_payload(self.state, entry)
        if isinstance(checked, Finding):
            return _guilty(entry, key, checked)
        return checks.Accepted(entry, checked)

    def _standing(self, step: int) -> Entries:
        """All entries of a done or due step that stand in it, or are about to."""
        return self.steps[step] if step < self.state.step else tuple(self.holding())

    def _fork(self, one: Entry, other: Entry, key: bytes) -> checks.Guilty:
        finding = Finding(CheckCode.FORK, "signed two different entries for one slot")
        return checks.Guilty(Fault(finding, key, other.step, (one.signed, other.signed)))

    def fork(self, entries: tuple[SignedEntry, ...]) -> Fault | None:
        """The fault that two entries prove by themselves, wherever this log has come to.

        It is enough to know whose slot it is: an honest author signs one body for it, on any log.
        """
        if len(entries) != 2:
            return None
        try:
            one, other = (read_entry(signed) for signed in entries)
        except Malformed:
            return None
        if not is_fork(one, other) or one.table != self.state.log_id_at(one.step):
            return None
        key = self._key_of(one)
        if key is None or key != self._key_of(other) or not (one.is_by(key) and other.is_by(key)):
            return None
        return self._fork(one, other, key).fault

    def _judge_missing(
        self, entry: Entry, payload: Missing, key: bytes, *, linked: bool
    ) -> checks.Judgement:
        """A vote fills a slot of its own; it counts once what its seat owes the step is there."""
        state, step = self.state, entry.step
        done = step < state.step
        if linked and not self.poll(step).may_say_missing(entry.seat, payload):
            finding = Finding(CheckCode.SHAPE, "said that somebody is missing who is not due")
            return _guilty(entry, key, finding)
        if done:
            # What is behind another log can be about anybody: only those who read it can tell.
            return checks.Stray("something missing in a done step", entry if linked else None)
        if not linked:
            return checks.Unlinked(entry)
        is_full = len(self.slots) == len(due(state).authors)
        if self.is_waiting() and (is_full or self._agreed_missing() is not None):
            return checks.Stray("something missing in a step that waits for nobody any more")
        owes = entry.seat in due(state).authors and entry.seat not in self.slots
        if owes and not (payload.unplayed or payload.whole):
            return checks.Stray("something missing, from a seat that is waited for itself")
        return checks.Accepted(entry, None)

    def closed_by(self, step: int) -> Naming:
        """What closed a done step: of ballot -1 and nobody, where all had written."""
        return self._closed.get(step, Naming(-1, _NOBODY))

    def given_up(self, step: int) -> frozenset[int]:
        """The seats without whose entries a done step was closed."""
        return self.closed_by(step).seats

    def _gone_on_without(self, step: int) -> frozenset[int]:
        """Likewise, of a step that is done, or that all would close but for a chain to be checked.

        A record has its entries in the order in which they counted: what comes to such a step must
        not follow, as whoever reads it later and waits for nothing has closed the step before.
        """
        if step < self.state.step:
            return self.given_up(step)
        without = self._agreed_missing()
        return _NOBODY if without is None else without.seats

    def present(self, step: int) -> tuple[int, ...]:
        """The seats that were there when `step`, which is done or due, was due."""
        return self.state.company.at(step).present

    def poll(self, step: int | None = None) -> Poll:
        """What decides who may say who is missing in a done step, or, if none is given, the due."""
        state = self.state
        if step is None or step == state.step:
            poll = poll_of(state)
        else:
            in_turn = bool(self._in_turn[step])
            poll = poll_at(state.company, step, state.table_id, in_turn=in_turn)
        return poll._replace(wrote=tuple(self._wrote_before(key, poll.step) for key in poll.keys))

    def _wrote_before(self, key: bytes, step: int) -> int:
        """The last done step before `step` in which this key has filled its slot; -1 if in none."""
        steps = self._wrote.get(key, array("L"))
        at = bisect_left(steps, step)
        return steps[at - 1] if at else -1

    def has_gone_on(self, step: int, seat: int) -> bool:
        """Whether who had this seat in a done step has filled its slot of a later one."""
        key, due_step = self.state.author_key(step, seat), self.state.step
        is_here = any(self.state.author_key(due_step, each) == key for each in self.slots)
        return is_here or self._wrote_before(key or b"", due_step) > step

    def seat_at(self, step: int, key: bytes) -> int | None:
        """Which of the seats that were there when `step` was due this key had."""
        here = self.present(step)
        return next((seat for seat in here if self.state.author_key(step, seat) == key), None)

    def head_before(self, step: int) -> bytes:
        """The digest that entries of `step`, which is done or due, must name."""
        return self._heads[step]

    def slot(self, step: int, author: int) -> Entry | None:
        """What stands, or is about to stand, in a slot."""
        if step < self.state.step:
            slots = (each for each in self.steps[step] if not isinstance(each.payload, Missing))
            return next((each for each in slots if each.seat == author), None)
        return self.slots.get(author) or self.pending.get(author)

    def await_proof(self, entry: Entry) -> None:
        """Let an accepted entry stand in its slot for now: its proof is being judged."""
        self.pending[entry.seat] = entry

    def awaits_proof(self, entry: Entry) -> bool:
        """Whether this very entry still stands there so."""
        return self.pending.get(entry.seat) is entry

    def disprove(self, entry: Entry) -> None:
        """Its proof does not hold: the slot is empty again."""
        del self.pending[entry.seat]

    def settle(self, entry: Entry) -> tuple[Notice, ...]:
        """Put an accepted entry whose proof holds into its slot; a full step moves the state on."""
        assert entry.step == self.state.step
        self.steps.write(entry)
        if isinstance(entry.payload, Missing):
            self.missing.add(entry)
        else:
            self.pending.pop(entry.seat, None)
            self.slots[entry.seat] = entry
        return self._close_if_done()

    def _close_if_done(self) -> tuple[Notice, ...]:
        if self.is_waiting():
            return ()
        entries = tuple(self.slots[author] for author in sorted(self.slots))
        if (without := self._agreed_missing()) is not None:
            kept = tuple(each for each in entries if each.seat not in without.seats)
            ordered = (*kept, *self.missing.of(without))
            self._closed[self.state.step] = without
            return self._close(ordered, *complete_without(self.state, kept, ordered, without.seats))
        if len(entries) < len(due(self.state).authors):
            return ()
        return self._close(entries, *complete_step(self.state, entries))

    def _agreed_missing(self) -> Naming | None:
        """What all that stay say of who is missing, once what those owe is there."""
        owed = frozenset(due(self.state).authors) - self.slots.keys() if self.missing else None
        for naming in self.missing.agreed(frozenset(self.state.present)):
            unplayed = any(said(each, Missing).unplayed for each in self.missing.of(naming))
            if owed is not None and (owed <= naming.seats or unplayed):
                return naming
        return None

    def _close(
        self, entries: Entries, after: State, notices: tuple[Notice, ...]
    ) -> tuple[Notice, ...]:
        self.steps.close(entries)
        for entry in entries:
            if not isinstance(entry.payload, Missing):
                key = self.state.author_key(entry.step, entry.seat) or b""
                self._wrote.setdefault(key, array("L")).append(entry.step)
        self._in_turn.append(is_in_turn(self.state))
        self.state = after
        self._heads.append(self.state.head)
        self.slots, self.pending, self.missing = {}, {}, Votes()
        return notices

    def late_fault(self) -> Fault | None:
        """A fault that only the whole of the last done step shows (equal keys, the audit).

        The last entry of its author convicts it, which has opened a key of the round at least; who
        has left has none in that step.
        """
        if self.state.late is None:
            return None
        (seat, finding), last = self.state.late, self.state.step - 1
        slots = (self.slot(step, seat) for step in range(last, -1, -1))
        entry = next(entry for entry in slots if entry is not None)
        return Fault(finding, self.state.seats[seat].key, entry.step, (entry.signed,), shown=last)

    def chain_fault(self, deal: Deal, seat: int, finding: Finding) -> Fault:
        """The fault of the seat whose shuffle proof, which is in the log, does not hold."""
        entry = self.slot(deal.proof_step, seat)
        assert entry is not None  # a chain is checked once all its authors have proved their links
        key = self.state.seats[seat].key
        return Fault(finding, key, entry.step, (entry.signed,), shown=entry.step)

    def proofs(self, deal: Deal) -> tuple[Proof, ...]:
        """The shuffle proofs of a deal whose proof step is done, in seat order."""
        payloads = (entry.payload for entry in self.steps[deal.proof_step])
        return tuple(payload for payload in payloads if isinstance(payload, Proof))

    def holds(self, entry: Entry) -> bool:
        """Whether these octets stand in the due step, or are about to."""
        return any(each.signed.body == entry.signed.body for each in self.holding())

    def holding(self) -> Iterator[Entry]:
        """What has come of the due step, and counts or is being judged."""
        yield from self.slots.values()
        yield from self.pending.values()
        yield from self.missing.values()

    def filled(self) -> bytes:
        """Mask of the authors of the due step whose entries are settled."""
        return filled_mask(tuple(self.slots))

    def entries_from(
        self, step: int, filled: frozenset[int] = frozenset(), *, last: int | None = None
    ) -> Iterator[SignedEntry]:
        """All settled entries from this step on, or to step `last`, in the order of the log.

        Of this first step those of the authors in `filled` are left out.
        """
        for number in range(step, (self.state.step if last is None else last) + 1):
            done = number < self.state.step
            entries = self.steps[number] if done else (*self.slots.values(), *self.missing.values())
            for entry in entries:
                beside = isinstance(entry.payload, Missing)
                if beside or number > step or entry.seat not in filled:
                    yield entry.signed


def _guilty(entry: Entry, key: bytes, finding: Finding) -> checks.Guilty:
    return checks.Guilty(Fault(finding, key, entry.step, (entry.signed,)))
