"""Reads a record offline, entry by entry, and judges it exactly as a live peer would. [§6]

`walk` replays the record through the ledger that live peers use. It stops at a record of another
protocol version, or of a game by another revision of the rules: only the program that made such a
record can judge it.
"""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct, field

from engine.rules import revision
from netgame.crypto.batch import Batch, Weights
from netgame.errors import Malformed
from netgame.frozen import FrozenStruct
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Decision, Reception, SaidBySeat
from netgame.protocol.ledger.verdict import FileFinding, Signers, fault_of, fault_sentence
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
from netgame.protocol.state.deal import why_bad_chain
from netgame.protocol.state.phases import Phase
from netgame.protocol.state.revision import is_other
from netgame.protocol.state.state import State
from netgame.saying import saying
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
CUT_OFF: Final = "{reason} at octet {octet}; what comes before it is good, up to step {step}"
CUT_OFF_AT_ONCE: Final = "the file breaks off inside its first frame, before anything is said"
EMPTY: Final = "the file is empty"


class BadRecord(Malformed):
    """The file is not a good record.

    `finding` is the kind of the failure; the text says what is wrong and where.
    """

    def __init__(
        self, text: str, /, finding: FileFinding = FileFinding.BAD, **facts: object
    ) -> None:
        super().__init__(text, **facts)
        self.finding = finding


def other_revision(theirs: int) -> BadRecord:
    """Return the error for a game by a revision of the rules that this program does not play."""
    ours = revision.RULES_REVISION
    return BadRecord(NOT_OUR_REVISION, FileFinding.OTHER_REVISION, revision=theirs, ours=ours)


class Walked(FrozenStruct):
    """One frame of a record that changed the log, with the states before and after it."""

    entry: Entry | None
    """None if the frame is the statement that decided a poll."""
    before: State
    after: State
    notices: tuple[Notice, ...]
    """The notices of the step that the frame closes, or of the decision that it completes. Empty if
    it does neither."""
    decided: Decision | None = None
    """The decision that the frame completes, if any."""

    @property
    def number(self) -> int:
        """The step that this entry or decision belongs to."""
        return self.before.step if self.decided is None else self.decided.step


class Reading(Struct):
    """The state of reading one record: its log so far, the faults in it, and the place reached."""

    by: Weights
    """The weights for checking proofs. With a `Batch`, no result is final until the batch holds."""
    ledger: Ledger = field(default_factory=lambda: Ledger(b""))
    entries: int = 0
    """The number of entries settled so far."""
    found: list[Fault] = []
    """The faults that the log shows so far."""
    closing: EvidenceFrame | None = None
    """The last frame of an evidence file; None for a record."""
    checked: tuple[bytes, int] | None = None
    """The chain of shuffles that was checked last, good or not."""
    place: str = ""
    """The place of the frame being read, in words."""
    places: dict[SignedEntry, str] = {}
    """The place of each entry that was settled."""
    signers: Signers = field(default_factory=Signers)
    frames: int = 0
    """The number of frames read so far."""
    octets: int = 0
    """The number of octets read so far."""
    said: SaidBySeat = field(default_factory=SaidBySeat)
    """Counts the statements of each seat read so far."""
    revision: int = field(default_factory=lambda: revision.RULES_REVISION)
    """The game's revision of the rules: this program's, unless the record names another."""

    def read_on(self, octets: bytes) -> Iterator[Walked]:
        """Read the next frames of the record; yield each entry and each decision.

        Raises `BadRecord`, with the place, for a bad frame, and for a record of another version or
        revision. After the last good frame it does so for damage, an empty file, and a fault that
        was found in the log.
        """
        payloads, damage = read_frames(octets)
        begun = self.octets
        for payload in payloads:
            step = self.ledger.state.step
            self.place = f"frame {self.frames} at octet {self.octets} (step {step})"
            walked = self._take(payload)
            self.frames += 1
            self.octets += FRAME_HEADER_BYTES + len(payload)
            if walked is not None:
                yield walked
        if self.closing is None:
            self.refuse_what_is_found()
        if damage is not None:
            raise self._damaged(damage, begun + damage.offset, octets)
        if not self.frames:
            raise BadRecord(EMPTY, FileFinding.EMPTY)

    def _damaged(self, damage: Damage, octet: int, octets: bytes) -> BadRecord:
        """Return the error for damage: `CUT_OFF` if the record only ends too early, else `BAD`."""
        reason, step = saying(damage.reason), self.ledger.state.step
        if damage.is_cut and self.frames:
            return BadRecord(CUT_OFF, FileFinding.CUT_OFF, reason=reason, octet=octet, step=step)
        if self.frames:
            return BadRecord(DAMAGED, reason=reason, octet=octet)
        if frame_payload(encode(RecordHeader(PROTOCOL_VERSION))).startswith(octets):
            return BadRecord(CUT_OFF_AT_ONCE, FileFinding.CUT_OFF)
        return BadRecord(NO_RECORD)

    def _bad(self, text: str, place: str = "") -> BadRecord:
        """Return the error for a bad frame, at `place` or, without one, at the frame being read."""
        return BadRecord(f"{place or self.place}: {text}")

    def _take(self, payload: bytes) -> Walked | None:
        """Take the next frame, or raise `BadRecord` if it is bad.

        Return None unless the frame is an entry or completes a decision.
        """
        if not self.frames:
            check_header(payload, f"{self.place}: ")
            return None
        if self.closing is not None:
            raise self._bad("there is more after the evidence")
        try:
            frame: RecordFrame = decode_any(payload, RecordFrame)
        except Malformed as problem:
            raise self._bad(f"it is {problem}") from None
        if isinstance(frame, RecordHeader):
            raise self._bad("a second header")
        if isinstance(frame, EvidenceFrame):
            self.closing = frame
            return None
        if isinstance(frame, RecordStatement):
            return self._take_said(frame.statement)
        if not self.ledger.state.table_id:
            self._begin(frame.entry)
        return self._take_entry(frame.entry)

    def _begin(self, first: SignedEntry) -> None:
        """Begin the log of the table that the first entry names.

        Raises `BadRecord` if that entry does not decode, or opens a table of another revision.
        """
        try:
            body = decode(first.body, Body)
        except Malformed as problem:
            raise self._bad(f"it is {problem}") from None
        opening = body.payload
        if isinstance(opening, OpenTable) and is_other(opening.settings):
            self.revision = opening.settings.revision
            raise other_revision(self.revision)
        self.ledger = Ledger(body.id)

    def _take_said(self, signed: SignedStatement) -> Walked | None:
        try:
            said = read_statement(signed)
        except Malformed as problem:
            raise self._bad(f"it is {problem}") from None
        walked = self._take_statement(said)
        if not self.said.has_room(said):
            raise self._bad("more statements of a seat than a record holds")
        return walked

    def _take_statement(self, said: ReceivedStatement) -> Walked | None:
        """Take a statement, or raise `BadRecord` if it is bad.

        Return None unless the statement decides a poll.
        """
        before = self.ledger.state
        reception = self.ledger.hear(said)
        # An entry or statement that rules this one out convicts its author, but seats that lacked
        # that half have counted this one. Another fault may show as well.
        poll = self.ledger.poll
        shown = reception if isinstance(reception, Fault) else None
        if shown is not None and poll.is_of(said.statement):
            shown = poll.why_false(said, shown.key) or shown
        while shown is not None:
            if shown.kind is FaultKind.FALSE_STATEMENT:
                raise self._bad(fault_sentence(before, shown))
            shown = poll.shown(before.company)
        if reception in (Reception.LATER, Reception.FORGED, Reception.STRAY):
            raise self._bad("a statement that nobody can have signed here")
        self.ledger.steps.note()
        decided = self.ledger.decide()
        if decided is None:
            return None
        decision, notices = decided
        # Void entries show no fault: a peer may have taken them and gone on.
        shows = self.ledger.shows
        self.found = [e for e in self.found if e.kind is not FaultKind.SHOWN or shows(e)]
        self.refuse_what_is_found()
        return Walked(None, before, self.ledger.state, notices, decision)

    def _take_entry(self, signed: SignedEntry) -> Walked:
        before = self.ledger.state
        if before.phase is Phase.OVER:
            raise self._bad("there is more after the end of the game")
        judgement = self.ledger.judge(signed)
        self.refuse_what_is_found(judgement)
        entry = self._accepted(judgement)
        notices = self.ledger.settle(entry)
        self.entries += 1
        state = self.ledger.state
        # Before the first entry the log has no host; that entry names it.
        key = before.author_key(entry.step, entry.seat) or state.host
        self.signers.note(key, state.host, (*state.members, *state.seats))
        self.places[signed] = self.place
        late = self.ledger.late_fault()
        if late is not None:
            self.found.append(late)
        self._check_chain()
        if isinstance(self.by, Batch):
            # If there is enough so far, it is summed up elsewhere while we read on.
            self.by.begin()
        return Walked(entry, before, self.ledger.state, notices)

    def refuse_what_is_found(self, judgement: checks.Judgement | None = None) -> None:
        """Raise `BadRecord` if a fault was found in the log: no step may close after one.

        Do nothing if `judgement` accepts an entry while the due step waits for a chain to be
        checked: such an entry closes no step.
        """
        closes_nothing = self.ledger.is_waiting() and isinstance(judgement, checks.Accepted)
        if self.found and not closes_nothing:
            fault = self.found[0]
            # A fault in the log names an entry of it; one in a poll may name none.
            place = self.places[fault.entries[0]] if fault.entries else ""
            raise self._bad(fault_sentence(self.ledger.state, fault), place)

    def _accepted(self, judgement: checks.Judgement) -> Entry:
        """Return the entry if it passes every check; raise `BadRecord` otherwise."""
        fault = fault_of(self.ledger, judgement, self.by)
        if fault is not None and fault.finding.check is CheckCode.SIGNATURE:
            raise self._bad(f"the signature of an entry of step {fault.step} does not fit")
        if fault is not None:
            raise self._bad(fault_sentence(self.ledger.state, fault))
        match judgement:
            case checks.Accepted(entry):
                return entry
            case checks.Garbage(reason):
                raise self._bad(f"it is {reason}")
            case checks.Repeat():
                raise self._bad("an entry that is there already")
            case _:
                raise self._bad("an entry that does not follow from those before it")

    def _check_chain(self) -> None:
        """Check a deal's proofs once all are there; pass the chain or note a fault in `found`."""
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


def check_header(payload: bytes, place: str = "") -> None:
    """Raise `BadRecord` if a record's first payload is not a header of our protocol version.

    `place` is put before the text of the error if the payload is not a header at all.
    """
    try:
        header = decode(payload, RecordHeader)
    except Malformed:
        raise BadRecord(f"{place}this is not a record of this program") from None
    if header.version != PROTOCOL_VERSION:
        versions = {"version": header.version, "ours": PROTOCOL_VERSION}
        raise BadRecord(NOT_OUR_VERSION, FileFinding.OTHER_VERSION, **versions)


def walk(octets: bytes, by: Weights) -> Iterator[Walked]:
    """Replay a record; yield its entries, including void ones, and its decisions, in file order.

    Raises `BadRecord` if the record is bad, or is of another version or revision. With a `Batch`,
    proofs are only added to it, and are good if the batch `holds`.
    """
    return Reading(by).read_on(octets)
