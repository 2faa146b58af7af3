"""A record read offline, entry by entry, and judged exactly as a live peer judged it [§6].

`walk` replays it through the same ledger. A record of another protocol version, or of a game by
another revision of the rules, is not read on: only the program that made it can judge it.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from engine.rules import revision
from netgame.crypto.batch import Batch, Weights
from netgame.errors import Malformed
from netgame.frozen import FrozenStruct
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.fold.deal import why_bad_chain
from netgame.protocol.fold.phases import Phase
from netgame.protocol.fold.revision import is_other
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Decision, Heard, SaidBySeat
from netgame.protocol.ledger.verdict import Difference, Signers, fault_of, fault_sentence, saying
from netgame.protocol.log import fault as checks
from netgame.protocol.log.entry import (
    FRAME_HEADER_BYTES,
    Damage,
    Entry,
    ReceivedStatement,
    frame_payload,
    read_frames,
    read_statement,
)
from netgame.protocol.log.fault import CheckCode, Fault, FaultKind
from netgame.protocol.notices import Notice
from netgame.wire.codec import decode, decode_any, encode
from netgame.wire.messages import (
    Body,
    EvidenceFrame,
    OpenTable,
    RecordFrame,
    RecordHeader,
    RecordStatement,
    SignedEntry,
    SignedStatement,
)


class BadRecord(Malformed):
    """A record that does not hold; the text says what is wrong and where."""

    differs = Difference.NONE


NOT_OUR_VERSION: Final = (
    "this is a record of protocol version {version}, and this program reads version {ours}: use "
    "the Boneyard that wrote it"
)
NOT_OUR_REVISION: Final = (
    "this is a game by revision {revision} of the rules, and this program plays revision {ours}: "
    "use the Boneyard that began it"
)
NO_RECORD: Final = "octet 0: this is not a Boneyard record, or it is damaged here"
DAMAGED: Final = "{reason} at octet {octet}"


class MadeOtherwise(BadRecord):
    """A record that this program cannot judge, and the Boneyard that made it can."""


class EmptyRecord(BadRecord):
    """An empty file."""

    differs = Difference.EMPTY


class CutOff(BadRecord):
    """A file that ends inside a frame; the frames before that hold."""

    differs = Difference.CUT_OFF


class OtherRevision(MadeOtherwise):
    """A record of a game by another revision of the rules, which this program does not play."""

    differs = Difference.OTHER_REVISION

    def __init__(self, theirs: int) -> None:
        super().__init__(NOT_OUR_REVISION, revision=theirs, ours=revision.RULES_REVISION)


class OtherVersion(MadeOtherwise):
    """A record of another protocol version, which this program does not read."""

    differs = Difference.OTHER_VERSION

    def __init__(self, version: int) -> None:
        super().__init__(NOT_OUR_VERSION, version=version, ours=PROTOCOL_VERSION)


class Walked(FrozenStruct):
    """One entry of a record, the state before and after, and the notices of a step that it closes.

    If `entry` is None, it is the statement by which a poll was `decided`.
    """

    entry: Entry | None
    before: State
    after: State
    notices: tuple[Notice, ...]
    decided: Decision | None = None

    @property
    def number(self) -> int:
        """The step that this entry or decision belongs to."""
        return self.before.step if self.decided is None else self.decided.step


class _Misplaced(BadRecord):
    """A frame that does not hold: at `place`, or else the one being read."""

    def __init__(self, text: str, *, place: str = "") -> None:
        super().__init__(text)
        self.place = place


class Reading(Struct):
    """A record as far as it was read; `entries` counts settled ones, `found` holds their faults.

    `frames`, `octets` and `said` count what was read; nothing is final before a batch's sum holds.
    `revision` is that of the rules by which the game is played; ours until the record says.
    """

    by: Weights
    ledger: Ledger = field(default_factory=lambda: Ledger(b""))
    entries: int = 0
    found: list[Fault] = []
    closing: EvidenceFrame | None = None
    checked: tuple[bytes, int] | None = None
    places: dict[SignedEntry, str] = {}
    signers: Signers = field(default_factory=Signers)
    frames: int = 0
    octets: int = 0
    said: SaidBySeat = field(default_factory=SaidBySeat)
    revision: int = field(default_factory=lambda: revision.RULES_REVISION)

    def read_on(self, octets: bytes) -> Iterator[Walked]:
        """Read the frames that follow; yield each entry and each decision.

        Raises `BadRecord` with the place of a bad frame; at the end, for damage or an empty file.
        `OtherVersion` and `OtherRevision` are raised where the record says so.
        """
        payloads, damage = read_frames(octets)
        begun = self.octets
        for payload in payloads:
            place = f"frame {self.frames} at octet {self.octets} (step {self.ledger.state.step})"
            try:
                walked = self.take(payload, place)
            except _Misplaced as problem:
                raise BadRecord(f"{problem.place or place}: {problem}") from None
            self.frames += 1
            self.octets += FRAME_HEADER_BYTES + len(payload)
            if walked is not None:
                yield walked
        if self.closing is None:
            try:
                self.refuse_what_is_found()
            except _Misplaced as problem:
                raise BadRecord(f"{problem.place}: {problem}") from None
        if damage is not None:
            raise self._damaged(damage, begun + damage.offset, octets)
        if not self.frames:
            raise EmptyRecord("the file is empty")

    def _damaged(self, damage: Damage, octet: int, octets: bytes) -> BadRecord:
        """The error for a damaged rest: `CutOff` if the file just ends there, else `BadRecord`."""
        if damage.is_cut and self.frames:
            text = "{reason} at octet {octet}; what stands before it holds, up to step {step}"
            return CutOff(
                text, reason=saying(damage.reason), octet=octet, step=self.ledger.state.step
            )
        if self.frames:
            return BadRecord(DAMAGED, reason=saying(damage.reason), octet=octet)
        if frame_payload(encode(RecordHeader(PROTOCOL_VERSION))).startswith(octets):
            return CutOff("the file breaks off inside its first frame, before anything is said")
        return BadRecord(NO_RECORD)

    def take(self, payload: bytes, place: str) -> Walked | None:
        """Take a frame or raise `BadRecord`; None unless it is an entry or completes a decision."""
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
            return self._take_said(frame.statement)
        if not self.entries:
            self._refuse_other_rules(frame.entry)
        return self._take_entry(frame.entry, place)

    def _refuse_other_rules(self, first: SignedEntry) -> None:
        """Raise `OtherRevision` if the first entry offers a table of another revision."""
        try:
            opening = decode(first.body, Body).payload
        except Malformed:
            return  # judging it says what is wrong
        if isinstance(opening, OpenTable) and is_other(opening.settings):
            self.revision = opening.settings.revision
            raise OtherRevision(self.revision)

    def _take_said(self, signed: SignedStatement) -> Walked | None:
        try:
            said = read_statement(signed)
        except Malformed as problem:
            raise _Misplaced(f"it is {problem}") from None
        walked = self._take_statement(said)
        if not self.said.has_room(said):
            raise _Misplaced("more statements of a seat than a record holds")
        return walked

    def _take_statement(self, said: ReceivedStatement) -> Walked | None:
        """Take a statement or raise `_Misplaced`; None unless it decides a poll."""
        before = self.ledger.state
        heard = self.ledger.hear(said)
        if isinstance(heard, Fault) and heard.kind is not FaultKind.BESIDE:
            raise _Misplaced(fault_sentence(before, heard))
        if heard in (Heard.LATER, Heard.FORGED, Heard.STRAY):
            raise _Misplaced("a statement that nobody can have signed here")
        self.ledger.steps.note()
        decided = self.ledger.decide()
        if decided is None:
            return None
        decision, notices = decided
        # What a decision makes void shows no fault: a peer may have taken it and gone on.
        shows = self.ledger.shows
        self.found = [e for e in self.found if e.kind is not FaultKind.SHOWN or shows(e)]
        self.refuse_what_is_found()
        return Walked(None, before, self.ledger.state, notices, decision)

    def _take_entry(self, signed: SignedEntry, place: str) -> Walked:
        if not self.ledger.state.table_id:
            self.ledger = Ledger(table_of(signed))
        before = self.ledger.state
        if before.phase is Phase.OVER:
            raise _Misplaced("there is more after the end of the game")
        judgement = self.ledger.judge(signed)
        self.refuse_what_is_found(judgement)
        entry = _accepted(self.ledger, judgement, self.by)
        notices = self.ledger.settle(entry)
        self.entries += 1
        state = self.ledger.state
        key = before.author_key(entry.step, entry.seat) or state.host
        self.signers.note(key, state.host, (*state.members, *state.seats))
        self.places[signed] = place
        late = self.ledger.late_fault()
        if late is not None:
            self.found.append(late)
        self._check_chain()
        if isinstance(self.by, Batch):
            self.by.begin()
        return Walked(entry, before, self.ledger.state, notices)

    def refuse_what_is_found(self, judgement: checks.Judgement | None = None) -> None:
        """Raise `_Misplaced` for the first fault found in the log, as no step is closed behind one.

        None is raised if `judgement` accepts an entry while a chain is awaited: it closes no step.
        """
        closes_nothing = self.ledger.is_waiting() and isinstance(judgement, checks.Accepted)
        if self.found and not closes_nothing:
            fault = self.found[0]
            raise _Misplaced(
                fault_sentence(self.ledger.state, fault),
                # a fault in the log names an entry of it, one in a poll may name none
                place=self.places[fault.entries[0]] if fault.entries else "",
            )

    def _check_chain(self) -> None:
        """Once a deal has all its proofs, check them: pass the chain or note a fault in `found`."""
        deal, chain = self.ledger.state.deal, self.ledger.chain
        if deal is None or chain is None or self.checked == chain:
            return
        self.checked = chain
        proofs = self.ledger.proofs(deal)
        bad = why_bad_chain(deal, proofs, self.by)
        if bad is None:
            self.ledger.pass_chain(chain)
        elif fault := self.ledger.chain_fault(deal, proofs, *bad):
            self.found.append(fault)


def table_of(entry: SignedEntry) -> bytes:
    """The id that the first entry of a log carries; raises `BadRecord` if it does not decode."""
    try:
        return decode(entry.body, Body).id
    except Malformed as problem:
        raise _Misplaced(f"it is {problem}") from None


def _accepted(ledger: Ledger, judgement: checks.Judgement, by: Weights) -> Entry:
    """The entry, if it passes every check; raises `BadRecord` otherwise."""
    fault = fault_of(ledger, judgement, by)
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
    """Raise `BadRecord` if the first frame is no header, `OtherVersion` if not of our version."""
    try:
        header = decode(payload, RecordHeader)
    except Malformed:
        raise _Misplaced("this is not a record of this program") from None
    if header.version != PROTOCOL_VERSION:
        raise OtherVersion(header.version)


def walk(octets: bytes, by: Weights) -> Iterator[Walked]:
    """Replay a record: yield its entries, void ones too, and its decisions, in their order.

    Raises `BadRecord` where it is bad, `OtherVersion` at its header, `OtherRevision` at its first
    entry. With a `Batch`, proofs are only added up, and good if that `holds`.
    """
    return Reading(by).read_on(octets)
