"""A record judged offline, entry by entry, exactly as a live peer judged it [protocol.md §6].

`walk` replays a record through the same ledger; `verify_record` says in one sentence whether all of
it holds: signatures, rules, shares, proofs, shuffles, scores, and, in an evidence file, the fault.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from engine.scoring import winners
from netgame.crypto.batch import Batch, Begin, Weights
from netgame.crypto.group import Entropy
from netgame.crypto.signing import verify_signature
from netgame.errors import Malformed
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.fold.deal import why_bad_chain
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.session import due
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Decision, Heard
from netgame.protocol.ledger.verdict import (
    RecordVerdict,
    Signers,
    VerdictKind,
    all_departures,
    fault_sentence,
    is_evidence_of,
    seat_name,
    witness_octets,
)
from netgame.protocol.log import fault as checks
from netgame.protocol.log.entry import (
    FRAME_HEADER_BYTES,
    WITNESS_DOMAIN,
    Entry,
    read_frames,
    read_statement,
)
from netgame.protocol.log.fault import CheckCode, Fault
from netgame.protocol.notices import Notice
from netgame.protocol.text import counted, join_names
from netgame.wire.codec import decode, decode_any
from netgame.wire.messages import (
    CHAIR,
    Body,
    EvidenceFrame,
    RecordFrame,
    RecordHeader,
    RecordStatement,
    SignedEntry,
    SignedStatement,
)


class BadRecord(Malformed):
    """A record that does not hold; the text says what is wrong, and where."""


NOT_OUR_VERSION: Final = (
    "this is a record of protocol version {version}, and this program reads version {ours}: use "
    "the Boneyard that wrote it"
)


class OtherVersion(BadRecord):
    """A record of another protocol version, of which this program can say no more."""

    def __init__(self, version: int) -> None:
        super().__init__(NOT_OUR_VERSION, version=version, ours=PROTOCOL_VERSION)
        self.version = version


class Walked(Struct, frozen=True):
    """One entry of a record, the state before it, and what its step brought if it was the last.

    Without an `entry` it is the statement with which a poll was `decided`.
    """

    entry: Entry | None
    before: State
    after: State
    notices: tuple[Notice, ...]
    decided: Decision | None = None

    @property
    def number(self) -> int:
        """The step that this belongs to."""
        return self.before.step if self.decided is None else self.decided.step


class _Misplaced(BadRecord):
    """What does not hold, without saying where: it is in the frame that is being read."""


@dataclass(slots=True)
class Reading:
    """A record as far as it has been read; `found` holds the first fault seen in what stands.

    `frames` and `octets` have been read so far. What is read by a batch is no finding yet.
    """

    by: Weights
    ledger: Ledger = field(default_factory=lambda: Ledger(b""))
    entries: int = 0
    found: list[Fault] = field(default_factory=list)
    closing: EvidenceFrame | None = None
    checked: tuple[bytes, int] | None = None
    places: dict[SignedEntry, str] = field(default_factory=dict)
    signers: Signers = field(default_factory=Signers)
    frames: int = 0
    octets: int = 0

    def read_on(self, octets: bytes) -> Iterator[Walked]:
        """Read what follows, frame by frame; raises `BadRecord` saying where."""
        payloads, damage = read_frames(octets)
        begun = self.octets
        for payload in payloads:
            place = f"frame {self.frames} at octet {self.octets} (step {self.ledger.state.step})"
            try:
                walked = self.take(payload, place)
            except _Misplaced as problem:
                raise BadRecord(f"{place}: {problem}") from None
            self.frames += 1
            self.octets += FRAME_HEADER_BYTES + len(payload)
            if walked is not None:
                yield walked
        if self.closing is None:
            self.refuse_what_is_found()
        if damage is not None:
            if not self.frames:
                raise BadRecord("octet 0: this is not a Boneyard record, or it is damaged here")
            raise BadRecord(f"{damage.reason} at octet {begun + damage.offset}")
        if not self.frames:
            raise BadRecord("the file is empty")

    def verdict(self, octets: bytes = b"") -> RecordVerdict:
        """Whether all of it holds, `octets` being what follows what has been read."""
        try:
            for _ in self.read_on(octets):
                pass
            if self.closing is not None:
                return _evidence_verdict(self, self.closing)
        except OtherVersion as problem:
            return RecordVerdict(VerdictKind.REFUSED, f"Not verified: {problem}")
        except BadRecord as problem:
            return RecordVerdict(VerdictKind.REFUSED, f"Not a good record: {problem}")
        return _record_verdict(self)

    def take(self, payload: bytes, place: str) -> Walked | None:
        """Take one frame, which is at `place`."""
        if not self.frames:
            check_header(payload)
            return None
        if self.closing is not None:
            raise _Misplaced("there is more after the evidence")
        try:
            frame: RecordFrame = decode_any(payload, RecordFrame)
        except Malformed as problem:
            raise _Misplaced(f"it is {problem}") from None
        if isinstance(frame, RecordHeader):
            raise _Misplaced("a second header")
        if isinstance(frame, EvidenceFrame):
            self.closing = frame
            return None
        if isinstance(frame, RecordStatement):
            return self._take_statement(frame.statement)
        return self._take_entry(frame.entry, place)

    def _take_statement(self, signed: SignedStatement) -> Walked | None:
        """A statement that has helped to decide a poll, and what it decides, if anything."""
        try:
            said = read_statement(signed)
        except Malformed as problem:
            raise _Misplaced(f"it is {problem}") from None
        before = self.ledger.state
        heard = self.ledger.hear(said)
        if isinstance(heard, Fault):
            raise _Misplaced(fault_sentence(before, heard))
        if heard in (Heard.LATER, Heard.FORGED, Heard.STRAY):
            raise _Misplaced("a statement that nobody can have signed here")
        self.ledger.steps.note()
        decided = self.ledger.decide()
        if decided is None:
            return None
        decision, notices = decided
        self.refuse_what_is_found()
        return Walked(None, before, self.ledger.state, notices, decision)

    def _take_entry(self, signed: SignedEntry, place: str) -> Walked:
        if not self.ledger.state.table_id:
            self.ledger = Ledger(_table_of(signed))
        before = self.ledger.state
        if before.phase is Phase.OVER:
            raise _Misplaced("there is more after the end of the game")
        judgement = self.ledger.judge(signed)
        self.refuse_what_is_found(judgement)
        entry = _accepted(self.ledger, judgement, self.by)
        notices = self.ledger.settle(entry)
        self.entries += 1
        self.signers.note(entry, before, self.ledger.state)
        self.places[signed] = place
        late = self.ledger.late_fault()
        if late is not None:
            self.found.append(late)
        self._check_chain()
        if isinstance(self.by, Batch):
            self.by.begin()
        return Walked(entry, before, self.ledger.state, notices)

    def refuse_what_is_found(self, judgement: checks.Judgement | None = None) -> None:
        """Stop at a fault that stands in the log: no step is closed behind one.

        An entry of the step that waits for the chain to be good closes none.
        """
        closes_nothing = self.ledger.is_waiting() and isinstance(judgement, checks.Accepted)
        if self.found and not closes_nothing:
            fault = self.found[0]
            place = self.places[fault.entries[0]]  # a fault in what stands names an entry there
            raise BadRecord(f"{place}: {fault_sentence(self.ledger.state, fault)}")

    def _check_chain(self) -> None:
        """Verify the shuffles of a deal as soon as all its proofs are there."""
        deal, chain = self.ledger.state.deal, self.ledger.chain
        if deal is None or chain is None or self.checked == chain:
            return
        self.checked = chain
        bad = why_bad_chain(deal, self.ledger.proofs(deal), self.by)
        if bad is None:
            self.ledger.pass_chain(chain)
        else:
            self.found.append(self.ledger.chain_fault(deal, *bad))


def _table_of(entry: SignedEntry) -> bytes:
    try:
        return decode(entry.body, Body).id
    except Malformed as problem:
        raise _Misplaced(f"it is {problem}") from None


def _fault_of(ledger: Ledger, judgement: checks.Judgement, by: Weights) -> Fault | None:
    """The fault that a judgement comes to, what takes time being run at once; None if to none."""
    match judgement:
        case checks.Guilty(fault):
            return fault
        case checks.Accepted(entry, checks.Judging() as judging):
            finding = judging.run(by)
            key = ledger.state.author_key(entry.step, entry.seat) or b""
            return Fault(finding, key, entry.step, (entry.signed,)) if finding else None
    return None


def _accepted(ledger: Ledger, judgement: checks.Judgement, by: Weights) -> Entry:
    """The entry, if it passes every check; raises `BadRecord`."""
    fault = _fault_of(ledger, judgement, by)
    if fault is not None and fault.finding.check is CheckCode.SIGNATURE:
        raise _Misplaced(f"the signature of an entry of step {fault.step} does not fit")
    if fault is not None:
        raise _Misplaced(fault_sentence(ledger.state, fault))
    match judgement:
        case checks.Accepted(entry):
            return entry
        case checks.Garbage(reason):
            raise _Misplaced(f"it is {reason}")
        case checks.Repeat():
            raise _Misplaced("an entry that is there already")
        case _:
            raise _Misplaced("an entry that does not follow from those before it")


def check_header(payload: bytes) -> None:
    """The first frame says of what version the others are; raises `BadRecord`."""
    try:
        header = decode(payload, RecordHeader)
    except Malformed:
        raise _Misplaced("this is not a record of this program") from None
    if header.version != PROTOCOL_VERSION:
        raise OtherVersion(header.version)


def walk(octets: bytes, by: Weights) -> Iterator[Walked]:
    """Replay a record; raises `BadRecord` at the first thing that does not hold.

    By a `Batch` proofs are only added up: they hold if it `holds`.
    """
    yield from Reading(by).read_on(octets)


def verify_record(octets: bytes, entropy: Entropy, begin: Begin | None = None) -> RecordVerdict:
    """Whether all of a record, or of an evidence file, holds, in one sentence.

    `octets` may be hostile; `entropy` gives secret weights of sums, which `begin` begins elsewhere.
    """
    batch = Batch(entropy, begin)
    bug: Exception | None = None
    try:
        verdict = Reading(batch).verdict(octets)
        if verdict.kind is VerdictKind.RECORD and batch.holds():
            return verdict
    except Exception as error:  # what is folded here has yet to be proved: it may come to anything
        bug = error
    verdict = Reading(entropy).verdict(octets)
    if bug is not None and verdict.kind is VerdictKind.RECORD:
        raise bug  # all proofs hold, so nothing that was folded can be to blame
    return verdict


def _record_verdict(reading: Reading) -> RecordVerdict:
    state = reading.ledger.state
    names = tuple(member.name for member in state.seats or state.members)
    finished = state.phase is Phase.OVER
    scores = state.table.past if state.table is not None else ()
    won: tuple[str, ...] = ()
    if finished and state.table is not None:
        won = tuple(names[seat] for seat in winners(state.table))
        rounds = counted(len(scores), "round", "rounds")
        says = f"a whole game of {rounds} between {join_names(names)}"
    elif reading.entries:
        missing = [at for at in due(state).authors if at not in reading.ledger.slots]
        called = ["the host" if at == CHAIR else state.name_of(at) for at in missing]
        says = "a game that is not finished"
        says += f" and waits for {join_names(called)}" if called else ""
    else:
        says = "a table that was never opened"
    if reading.entries:
        checked = f"{counted(reading.entries, 'entry', 'entries')} up to step {state.step}"
        says += f". Checked: {checked}, with every signature, move and proof"
        says += f". Final digest {state.head.hex()[:16]}"
    return RecordVerdict(
        kind=VerdictKind.RECORD,
        sentence=f"A good record: {says}.",
        finished=finished,
        entries=reading.entries,
        steps=state.step,
        head=state.head.hex(),
        names=names,
        scores=scores,
        winners=won,
        signers=reading.signers.all(),
        departures=all_departures(reading.ledger),
    )


def _evidence_verdict(reading: Reading, closing: EvidenceFrame) -> RecordVerdict:
    """Judge the closing frame of an evidence file against the record before it."""
    state = reading.ledger.state
    fault = _witnessed(reading.ledger, closing) if closing.sender else _proved(reading, closing)
    if fault is None or not is_evidence_of(closing, fault):
        return RecordVerdict(
            VerdictKind.REFUSED, "Not good evidence: it does not prove what it says."
        )
    kind, sentence = VerdictKind.EVIDENCE, f"Good evidence: {fault_sentence(state, fault)}"
    if fault.sender:
        told = fault_sentence(state, fault)
        by = f"So says {seat_name(state, closing.witness)}, who received it."
        kind = VerdictKind.HEARSAY
        sentence = f"Hearsay, which proves nothing to anybody else: {told} {by}"
    return RecordVerdict(
        kind=kind,
        sentence=sentence,
        entries=reading.entries,
        steps=state.step,
        head=state.head.hex(),
        accused=seat_name(state, fault.sender or fault.key),
        check=closing.check,
        signers=reading.signers.all(),
        departures=all_departures(reading.ledger),
    )


def _proved(reading: Reading, closing: EvidenceFrame) -> Fault | None:
    """The fault that the frame proves on the log before it; a wrong signature binds nobody."""
    if not reading.entries and closing.entries:  # the very first entry of the table is the bad one
        reading.ledger = Ledger(_table_of(closing.entries[0]))
    found = next((each for each in reading.found if each.entries == closing.entries), None)
    if fault := found or reading.ledger.proved(closing.entries, closing.statements):
        return fault
    ledger = reading.ledger
    alone = (_fault_of(ledger, ledger.judge(each), reading.by) for each in closing.entries)
    first = next(filter(None, alone), None)
    return None if first and first.finding.check is CheckCode.SIGNATURE else first


def _witnessed(ledger: Ledger, closing: EvidenceFrame) -> Fault | None:
    """A wrong signature binds nobody: here a member of the table says who sent it."""
    if len(closing.entries) != 1 or ledger.state.member(closing.witness) is None:
        return None
    (signed,) = closing.entries
    octets = witness_octets(signed, closing.sender)
    if not verify_signature(closing.witness, WITNESS_DOMAIN, octets, closing.signature):
        return None
    match ledger.judge(signed):
        case checks.Guilty(fault) if fault.finding.check is CheckCode.SIGNATURE:
            return replace(fault, sender=closing.sender)
    return None
