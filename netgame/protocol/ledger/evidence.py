"""Faults made transferable: a file anybody can verify, and a sentence anybody can read.

An evidence file is the record up to the fault and one more frame that holds the offending entries;
the verifier replays the record and must come to the same fault by itself [protocol.md §6.3].
"""

from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.fold.state import State
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import WITNESS_DOMAIN, Signer
from netgame.protocol.log.fault import Fault
from netgame.protocol.log.record_frames import frame_payload
from netgame.protocol.text import fingerprint
from netgame.wire.codec import encode
from netgame.wire.messages import EvidenceFrame, RecordEntry, RecordHeader, SignedEntry


def witness_octets(entry: SignedEntry, sender: bytes) -> bytes:
    """What a witness signs: that `sender` passed on these octets with this signature."""
    return sender + entry.signature + entry.body


def evidence_frame(fault: Fault, witness: Signer) -> EvidenceFrame:
    """The closing frame for a fault; signed by a witness only where the entries bind nobody."""
    check = fault.finding.check.value
    if not fault.sender:
        return EvidenceFrame(check, fault.entries, b"", b"", b"")
    signature = witness.sign(WITNESS_DOMAIN, witness_octets(fault.entries[0], fault.sender))
    return EvidenceFrame(check, fault.entries, fault.sender, witness.public_bytes, signature)


def evidence_file(ledger: Ledger, fault: Fault, witness: Signer) -> bytes:
    """The whole file: header, every entry up to the fault, the closing frame."""
    frames = [encode(RecordHeader(PROTOCOL_VERSION))]
    frames += [encode(RecordEntry(entry)) for entry in ledger.entries_from(0, last=fault.shown)]
    frames.append(encode(evidence_frame(fault, witness)))
    return b"".join(frame_payload(frame) for frame in frames)


def seat_name(state: State, key: bytes) -> str:
    """The name at the table of who holds `key`, and the fingerprint that decides."""
    member = state.member(key)
    name = member.name if member else ("the host" if key == state.host else "a stranger")
    return f"{name} ({fingerprint(key)})"


def fault_sentence(state: State, fault: Fault) -> str:
    """One sentence: who, what, at which step, by which check."""
    culprit = seat_name(state, fault.sender or fault.key)
    code = fault.finding.refusal.code.value if fault.finding.refusal else None
    rule = f", {code}" if code else ""
    return (
        f"{culprit} {fault.finding.says} "
        f"(step {fault.step}, check {fault.finding.check.value}{rule})."
    )
