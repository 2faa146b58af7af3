"""Files that anybody can verify: evidence of faults, and the verdict on a file.

An evidence file is the record up to the fault and one more frame with the offending entries. The
verifier replays the record and must come to the same fault by itself. A file is a good record, good
evidence, or refused (`FileFinding`). Only good evidence has a culprit. A verdict lists the keys
behind a file: every key that had a seat or was the host, and how many entries it signed. Names are
what people call themselves. One program can hold several keys, as a host does for its bots, so keys
are not people: to know who is meant, compare fingerprints. [protocol.md §6]
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import chain, islice
from typing import Final

from msgspec import Struct

from netgame.crypto.batch import Weights
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.ledger.departures import GoneSeat, departures_of
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.ledger.poll import Decision
from netgame.protocol.log import fault as checks
from netgame.protocol.log.entry import frame_payload
from netgame.protocol.log.fault import Fault, FaultKind
from netgame.protocol.state.phases import Member
from netgame.protocol.state.state import State
from netgame.protocol.text import fingerprint
from netgame.saying import Saying
from netgame.wire.codec import encode
from netgame.wire.messages import (
    EvidenceFrame,
    PlayedBy,
    RecordEntry,
    RecordHeader,
    RecordStatement,
)


def is_evidence_of(closing: EvidenceFrame, fault: Fault) -> bool:
    """Return True if a closing frame names this fault's check and shows nothing but its proof.

    False if the frame shows something twice, or something that is not part of the proof: one
    program might ignore that and another refuse it. Parts of the proof may be missing.
    """
    shown = (*closing.entries, *closing.statements)
    needed = {*fault.entries, *fault.statements}
    if len({*shown}) < len(shown) or not needed.issuperset(shown):
        return False
    return fault.finding.check.value == closing.check


def fault_of(ledger: Ledger, judgement: checks.Judgement, by: Weights) -> Fault | None:
    """Return the fault in a judged entry, or None; first run its pending proofs, if any.

    None does not mean that the entry is accepted. With a `Batch`, proofs are only added to it: None
    then holds only if the batch does.
    """
    match judgement:
        case checks.Guilty(fault):
            return fault
        case checks.Accepted(entry, checks.PendingProof() as judging):
            finding = judging.run(by)
            return ledger.fault_in(entry, finding) if finding else None
    return None


def record_frames(
    ledger: Ledger, last: int | None = None
) -> Iterator[RecordEntry | RecordStatement]:
    """Yield the entries and statements of this log, as frames of a record, in log order.

    The header and void entries are left out. The last step yielded is `last`, or the due step if
    that comes first or `last` is None.
    """
    decisions = list(ledger.decisions)
    steps = chain(ledger.steps, [ledger.slots.values()])
    for step, entries in enumerate(islice(steps, None if last is None else last + 1)):
        while decisions and decisions[0].step <= step:
            yield from (RecordStatement(each.signed) for each in decisions.pop(0).said)
        yield from (RecordEntry(each.signed) for each in entries)


def evidence_file(ledger: Ledger, fault: Fault) -> bytes:
    """Return the octets of an evidence file: a header, the log up to the fault, a closing frame.

    The log ends with step `fault.shown`, or is whole if that is None. A fork is proved on any log
    [§6.3], so its log ends before any shuffle proofs that have not been checked here: one of them
    may be false, and then nobody could read past it.
    """
    last, deal = fault.shown, ledger.state.deal
    if fault.kind is FaultKind.FORK and deal is not None and ledger.chain is not None:
        last = last if ledger.has_passed() else deal.proof_step - 1
    frames = [encode(RecordHeader(PROTOCOL_VERSION))]
    frames += map(encode, record_frames(ledger, last))
    closing = EvidenceFrame(fault.finding.check.value, fault.entries, fault.statements)
    frames.append(encode(closing))
    return b"".join(frame_payload(frame) for frame in frames)


def seat_name(table: State, key: bytes) -> str:
    """Return the name at the table of the holder of `key`, with the fingerprint in parentheses.

    The name is "the host" for a host without a seat, and "a stranger" for any other key that is
    not a member's.
    """
    member = table.member(key)
    name = member.name if member else ("the host" if key == table.host else "a stranger")
    return f"{name} ({fingerprint(key)})"


def fault_sentence(table: State, fault: Fault) -> str:
    """Return one sentence that says who did what, at which step, and which check it failed."""
    culprit = seat_name(table, fault.sender or fault.key)
    refusal = fault.finding.refusal
    rule = f", {refusal.code.value}" if refusal else ""
    return (
        f"{culprit} {fault.finding.says} "
        f"(step {fault.step}, check {fault.finding.check.value}{rule})."
    )


KEYS_ARE_NOT_PEOPLE: Final = (
    "A name stands for a key, not for a person: one program can hold several keys, as a host does "
    "for its bots. Compare the fingerprints with those of the people you mean."
)


@dataclass(frozen=True, slots=True)
class Signatory:
    """One key of a record: that of a seat or of the host."""

    name: str
    """Empty for a host without a seat."""
    key: str
    """The key, as 64 hex digits."""
    fingerprint: str
    entries: int
    """The number of entries it signed."""
    host: bool
    bot: bool
    """True if a program plays, according to its own join request."""
    tab: bool
    """True if a person plays in a browser tab, according to its own join request."""


class Signers(Struct):
    """Collects the members of a record while it is read, and counts the entries of each key."""

    _entries: dict[bytes, int] = {}
    _members: dict[bytes, Member] = {}
    _host: bytes = b""

    def note(self, key: bytes, host: bytes, members: Iterable[Member]) -> None:
        """Count a valid entry of `key`, and remember `host` and all members the table has now."""
        self._host = host
        self._entries[key] = self._entries.get(key, 0) + 1
        self._members.update((member.key, member) for member in members)

    def all(self) -> tuple[Signatory, ...]:
        """Return all keys that signed or had a seat, in the order in which they were first noted.

        The host's key comes first if it had no seat. Empty before anything was noted.
        """
        chair = {self._host: Member(self._host, "", (), PlayedBy.TERMINAL)}
        signers = self._members if self._host in self._members else chair | self._members
        return tuple(
            Signatory(
                member.name,
                key.hex(),
                fingerprint(key),
                self._entries.get(key, 0),
                host=key == self._host,
                bot=member.bot,
                tab=member.in_tab,
            )
            for key, member in signers.items()
            if key
        )


def all_departures(table: State, decisions: Iterable[Decision]) -> tuple[GoneSeat, ...]:
    """Return one `GoneSeat` for each seat that has left this table for good, in log order."""
    cuts = (decision for decision in decisions if decision.goes)
    return tuple(each for decision in cuts for each in departures_of(table, decision))


class FileFinding(Enum):
    """The possible findings on a file. [protocol.md §6.2]

    The file is read from its beginning, and the first finding that applies is the result. If a file
    is cut off, empty or made by another program, nobody need have cheated.
    """

    WHOLE_GAME = "whole game"
    """A game to its end, with every signature, move and proof in it."""
    UNFINISHED = "unfinished game"
    """A good record that ends after a whole frame, but before the game does."""
    EVIDENCE = "evidence"
    """It proves that somebody signed something no honest seat signs."""
    CUT_OFF = "cut off"
    """It ends within a frame; the frames before that are good."""
    EMPTY = "empty"
    OTHER_VERSION = "other version"
    """A record of another protocol version, which only another Boneyard can judge."""
    OTHER_REVISION = "other revision"
    """A game by another revision of the rules, which only another Boneyard can judge."""
    BAD = "bad"
    """Something in it is wrong, or it is not a record at all."""

    @property
    def is_record(self) -> bool:
        """True if the file is a good record, of a whole or an unfinished game."""
        return self in (FileFinding.WHOLE_GAME, FileFinding.UNFINISHED)

    @property
    def is_made_otherwise(self) -> bool:
        """True if only the Boneyard that made the file can judge it, and this one cannot."""
        return self in (FileFinding.OTHER_VERSION, FileFinding.OTHER_REVISION)


@dataclass(frozen=True, slots=True)
class RecordVerdict:
    """The verdict on a file: its finding, and the sentences that it `says`.

    For a refused file only `finding`, `says` and `revision` are filled in. Evidence has no `names`
    and no `scores`.
    """

    finding: FileFinding
    says: tuple[Saying, ...]
    """Sentences for people, in their order."""
    revision: int
    """The revision of the rules by which the game is played."""
    entries: int = 0
    """The number of good entries."""
    steps: int = 0
    """The step that is due after them."""
    head: str = ""
    """The final digest, as 128 hex digits."""
    names: tuple[str, ...] = ()
    scores: tuple[tuple[int, ...], ...] = ()
    """One row for each round."""
    winners: tuple[str, ...] = ()
    """Empty unless the game is `finished`."""
    culprit: str = ""
    """The name of the seat that evidence convicts, with its fingerprint."""
    check: str = ""
    """The name of the check that convicts it."""
    signers: tuple[Signatory, ...] = ()
    """The keys behind the file; a key is not a person."""
    departures: tuple[GoneSeat, ...] = ()
    """The seats that have left for good, and the members who named those that were removed."""

    @property
    def sentence(self) -> str:
        """All its sentences as one English text."""
        return " ".join(map(str, self.says))

    @property
    def ok(self) -> bool:
        """True if the file is a good record or good evidence."""
        return self.finding.is_record or self.finding is FileFinding.EVIDENCE

    @property
    def finished(self) -> bool:
        """True if it is a record of a game to its end."""
        return self.finding is FileFinding.WHOLE_GAME
