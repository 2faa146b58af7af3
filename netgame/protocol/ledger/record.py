"""A record read offline, entry by entry, and judged exactly as a live peer judged it [§6].

`walk` replays it through the same ledger. Where the revision of the rules under which it was made
parts from ours, nobody is blamed, and then only checks that need no rules are made (`signed_log`).
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Final, TypeVar

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
from netgame.protocol.ledger.signed_log import SignedLog, Unsigned
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
    RecordEntry,
    RecordFrame,
    RecordHeader,
    RecordStatement,
    SignedEntry,
    SignedStatement,
)

T = TypeVar("T")


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
    """A record that holds for all that this program knows; another Boneyard can say more."""


class EmptyRecord(BadRecord):
    """An empty file."""

    differs = Difference.EMPTY


class CutOff(BadRecord):
    """A file that ends inside a frame; the frames before that hold."""

    differs = Difference.CUT_OFF


class OtherRevision(MadeOtherwise):
    """A record of a game by another revision of the rules, which this program does not play."""

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
    """A frame that does not hold: at `place`, or else the one being read.

    `of_rules`: another revision might accept it. Then `step`, or the due one, is first in doubt.
    """

    def __init__(
        self, text: str, *, of_rules: bool = True, place: str = "", step: int | None = None
    ) -> None:
        super().__init__(text)
        self.of_rules, self.place, self.step = of_rules, place, step


class Reading(Struct):
    """A record as far as it was read; `entries` counts settled ones, `found` holds their faults.

    `frames`, `octets` and `said` count what was read; nothing is final before a batch's sum holds.
    For other rules, `signed` is the log without rules, and `parted_at` where the revisions part.
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
    signed: SignedLog | None = None
    parted_at: int | None = None

    @property
    def revision(self) -> int:
        """The revision of the rules by which the game is played; ours until that is known."""
        return revision.RULES_REVISION if self.signed is None else self.signed.settings.revision

    def read_on(self, octets: bytes) -> Iterator[Walked]:
        """Read the frames that follow; yield each entry and each decision judged by our rules.

        Raises `BadRecord` with the place of a bad frame; at the end, for damage or an empty file.
        """
        payloads, damage = read_frames(octets)
        begun = self.octets
        for payload in payloads:
            place = f"frame {self.frames} at octet {self.octets} (step {self._step})"
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
                self._while_agreed(self.refuse_what_is_found)
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
            return CutOff(text, reason=saying(damage.reason), octet=octet, step=self._step)
        if self.frames:
            return BadRecord(DAMAGED, reason=saying(damage.reason), octet=octet)
        if frame_payload(encode(RecordHeader(PROTOCOL_VERSION))).startswith(octets):
            return CutOff("the file breaks off inside its first frame, before anything is said")
        return BadRecord(NO_RECORD)

    @property
    def _step(self) -> int:
        """The due step: the ledger's while moves are judged, else that of the log without rules."""
        if self.signed is None or self.parted_at is None:
            return self.ledger.state.step
        return self.signed.step

    def take(self, payload: bytes, place: str) -> Walked | None:
        """Take a frame or raise `BadRecord`; None unless our rules see an entry or a decision."""
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
        self._note_revision(frame)
        if isinstance(frame, RecordStatement):
            return self._take_said(frame.statement)
        if self.signed is not None:
            self._take_signed(self.signed, frame.entry)
        return self._while_agreed(partial(self._take_entry, frame.entry, place))

    def _take_said(self, signed: SignedStatement) -> Walked | None:
        """Take a statement by rules and without, or raise `_Misplaced`; None unless it decides."""
        try:
            said = read_statement(signed)
        except Malformed as problem:
            raise _Misplaced(f"it is {problem}", of_rules=False) from None
        if self.signed is not None:
            self._take_signed(self.signed, said)
        walked = self._while_agreed(partial(self._take_statement, said))
        if not self.said.has_room(said):
            raise _Misplaced("more statements of a seat than a record holds", of_rules=False)
        return walked

    def _note_revision(self, frame: RecordEntry | RecordStatement) -> None:
        """If the first entry offers another revision, begin to read the log without rules, too."""
        if self.signed is not None or self.entries or not isinstance(frame, RecordEntry):
            return
        with suppress(Malformed):
            opening = decode(frame.entry.body, Body).payload
            if isinstance(opening, OpenTable) and is_other(opening.settings):
                self.signed = SignedLog(opening)

    def _take_signed(self, log: SignedLog, taken: SignedEntry | ReceivedStatement) -> None:
        """Take this into the log without rules; raise `_Misplaced` if it is wrong in any log."""
        try:
            if isinstance(taken, SignedEntry):
                self.signers.note(log.take(taken), log.host, log.members)
            elif not log.hear(taken):
                raise _Misplaced("a statement that nobody can have signed here", of_rules=False)
        except Unsigned as problem:
            fault = problem.fault
            text = str(problem) if fault is None else fault_sentence(log, fault)
            raise _Misplaced(text, of_rules=False) from None
        except Malformed as problem:
            raise _Misplaced(f"it is {problem}", of_rules=False) from None

    def _while_agreed(self, judge: Callable[[], T]) -> T | None:
        """Run `judge` as long as both revisions agree; None once they have parted.

        With another revision they part at a `_Misplaced` that depends on rules; others are raised.
        """
        if self.parted_at is not None:
            return None
        try:
            return judge()
        except _Misplaced as problem:
            if self.signed is None or not problem.of_rules:
                raise
            due = self.ledger.state.step
            self.parted_at = due if problem.step is None else min(due, problem.step)
            return None

    def _take_statement(self, said: ReceivedStatement) -> Walked | None:
        """Take a statement by our rules or raise `_Misplaced`; None unless it decides a poll."""
        before = self.ledger.state
        heard = self.ledger.hear(said)
        if isinstance(heard, Fault) and heard.kind is not FaultKind.BESIDE:
            raise _Misplaced(fault_sentence(before, heard), of_rules=heard.finding.of_rules)
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
        if self.signed is None:
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
                of_rules=fault.finding.of_rules,
                # a fault in the log names an entry of it, one in a poll may name none
                place=self.places[fault.entries[0]] if fault.entries else "",
                step=fault.shown,
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
        of_rules = fault.finding.of_rules
        raise _Misplaced(fault_sentence(ledger.state, fault), of_rules=of_rules, step=fault.step)
    match judgement:
        case checks.Accepted(entry):
            return entry
        case checks.Garbage(reason):
            raise _Misplaced(f"it is {reason}")
        case checks.Repeat():
            raise _Misplaced("an entry that is there already")
        case checks.Later(entry) | checks.Unlinked(entry):
            raise _Misplaced("an entry that does not follow from those before it", step=entry.step)
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

    Raises `BadRecord` where it is bad, `OtherVersion` at its header, `OtherRevision` at its end if
    the rules have parted. With a `Batch`, proofs are only added up, and good if that `holds`.
    """
    reading = Reading(by)
    yield from reading.read_on(octets)
    if reading.parted_at is not None:
        raise OtherRevision(reading.revision)
