"""What `verify` says: no word for what it refuses, and of a fault who, what, where, who saw it."""

import pytest

from engine.rules.revision import RULES_REVISION
from netgame.crypto.transcript import expand
from netgame.limits import PROTOCOL_VERSION
from netgame.protocol.fold.phases import Phase
from netgame.protocol.ledger.verdict import (
    Difference,
    RecordVerdict,
    VerdictKind,
    evidence_file,
    seat_name,
)
from netgame.protocol.ledger.verification import verify_record
from netgame.protocol.log.entry import frame_payload, read_frames
from netgame.protocol.log.fault import CheckCode, Fault, Finding
from netgame.protocol.peer.parts import leave_for_good
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.games import ledger_until, played, signed_at
from tests.netgame.mallory import Mallory, when
from tests.netgame.simtable import SimTable, full_table, standard


def judged(octets: bytes) -> RecordVerdict:
    """What a third party is told."""
    return verify_record(octets, expand(bytes(32), "verify"))


@pytest.mark.parametrize("octets", [b"", b"no record", frame_payload(b"nor this")], ids=repr)
def test_a_refused_file_is_credited_with_nothing(octets: bytes) -> None:
    """No entries, steps, names, scores, winner or culprit of what is no record."""
    verdict = judged(octets)
    nothing = RecordVerdict(
        kind=VerdictKind.REFUSED, sentence=verdict.sentence, revision=RULES_REVISION,
        finished=False, entries=0, steps=0, head="", names=(), scores=(), winners=(),
        accused="", check="",
        differs=Difference.NONE if octets else Difference.EMPTY,
    )  # fmt: skip
    assert verdict == nothing
    assert not verdict.ok
    assert not verdict.culprit
    assert ("file is empty" if not octets else "no") in verdict.sentence
    assert octets != b"no record" or "not a Boneyard record" in verdict.sentence


def test_an_entry_whose_proof_does_not_hold_is_laid_to_who_signed_it() -> None:
    """The record is refused, and the sentence names its signer and the check."""
    ledger = ledger_until(lambda state: state.phase is Phase.COIN_REVEAL)
    lie = signed_at(ledger, wire.CoinReveal(b"\x07" * 32), 1)
    entries = (*ledger.entries_from(0), lie)
    frames = [wire.RecordHeader(PROTOCOL_VERSION), *map(wire.RecordEntry, entries)]
    verdict = judged(b"".join(frame_payload(encode(frame)) for frame in frames))
    assert not verdict.ok
    key = ledger.state.author_key(ledger.state.step, 1)
    assert key is not None
    assert seat_name(ledger.state, key) in verdict.sentence
    assert f"(step {ledger.state.step}, check proof)" in verdict.sentence


def test_a_game_that_was_over_before_it_began_is_no_game_that_waits() -> None:
    """Of two one leaves while the roster is signed."""
    table = full_table(("Ann", "Ben"), standard(6, 2, 1))
    ann, ben = table.sitters
    table.run(lambda: ann.core.state.phase is Phase.ROSTER)
    table.act(ben, leave_for_good)
    table.run(lambda: ann.core.state.phase is Phase.OVER)
    verdict = judged(ann.record_octets)
    assert verdict.sentence.startswith("A good record: a game that was over before it began. ")
    assert (verdict.finished, verdict.scores, verdict.winners) == (True, (), ())


def test_while_all_decide_on_a_coin_the_game_waits_for_nobody_by_name() -> None:
    """No entry is due then."""
    table = full_table(("Ann", "Ben"), standard(6, 2, 1))
    ann = table.sitters[0]
    table.run(lambda: ann.core.state.phase is Phase.COIN_FALLEN)
    sentence = judged(ann.record_octets).sentence
    assert sentence.startswith("A good record: a game that is not finished. Checked: ")


def test_a_signature_that_does_not_fit_is_laid_to_nobody() -> None:
    """Anybody can write one under another's name: the sentence says where, and no name."""
    ledger = ledger_until(lambda state: state.phase is Phase.COIN_REVEAL)
    *entries, last = ledger.entries_from(0)
    forged = wire.SignedEntry(last.body, bytes(64))
    frames = [wire.RecordHeader(PROTOCOL_VERSION), *map(wire.RecordEntry, (*entries, forged))]
    verdict = judged(b"".join(frame_payload(encode(frame)) for frame in frames))
    assert verdict.kind is VerdictKind.REFUSED
    step = ledger.state.step - 1
    assert f"the signature of an entry of step {step} does not fit" in verdict.sentence
    assert not verdict.accused


def test_a_statement_with_a_wrong_signature_is_refused() -> None:
    """It would decide with whatever word is put into somebody's mouth."""
    record = list(played(3, 6, 1).sitters[0].record)
    read = [decode_any(payload, wire.RecordFrame) for payload in record]
    at = next(n for n, each in enumerate(read) if isinstance(each, wire.RecordStatement))
    forged = wire.SignedStatement(read[at].statement.body, bytes(64))
    record[at] = encode(wire.RecordStatement(forged))
    assert "nobody can have signed" in judged(b"".join(map(frame_payload, record))).sentence


def test_hearsay_has_no_culprit_and_is_never_ok() -> None:
    """Whoever is accused, with whatever else: only good evidence convicts."""
    for kind in VerdictKind:
        verdict = RecordVerdict(kind, "", 1, accused="Ben (aaaaaaaa)", check="signature")
        assert bool(verdict.culprit) == (kind is VerdictKind.EVIDENCE)
        assert verdict.ok == (kind in (VerdictKind.EVIDENCE, VerdictKind.RECORD))


def test_testimony_is_hearsay_of_sender_step_and_witness() -> None:
    """A wrong signature binds nobody: who saw it says who passed it on, at which step."""
    ledger = ledger_until(lambda state: state.phase is Phase.ROSTER)
    good = signed_at(ledger, wire.Roster(bytes(64)), 1)
    bad = wire.SignedEntry(good.body, bytes(64))
    ann, ben = played().sitters[:2]
    finding = Finding(CheckCode.SIGNATURE, "passed on an entry with a wrong signature")
    fault = Fault(finding, b"", ledger.state.step, (bad,), ben.core.key)
    verdict = judged(evidence_file(ledger, fault, ann.signer))
    assert verdict.kind is VerdictKind.HEARSAY, verdict.sentence
    assert not verdict.ok
    assert not verdict.culprit
    assert verdict.sentence.startswith("Hearsay, which proves nothing to anybody else: Ben (")
    assert f"(step {ledger.state.step}, check signature)" in verdict.sentence
    assert verdict.accused == seat_name(ledger.state, ben.core.key)
    assert seat_name(ledger.state, ann.core.key) in verdict.sentence
    assert verdict.steps == ledger.state.step


def test_a_bad_shuffle_is_proved_by_the_entry_that_holds_its_proof_and_no_other() -> None:
    """The record itself shows it, so the frame that closes it must name that very entry."""
    table = SimTable(standard(6, 3, 1))
    table.seat("Ann", start_at=3)
    table.seat("Ben")
    mallory = table.seat("Mallory", core_class=Mallory)

    def spoil(_: Mallory, proof: wire.Proof) -> wire.Proof:
        return wire.Proof(proof.round, proof.proof[:-1] + bytes([proof.proof[-1] ^ 1]))

    mallory.core.bend = when(wire.Proof, spoil)
    ann = table.sitters[0]
    table.run(lambda: bool(ann.faults()))
    octets = ann.evidence[ann.faults()[0].evidence]
    verdict = judged(octets)
    assert verdict.ok, verdict.sentence
    assert verdict.check == "shuffle"
    assert verdict.culprit == seat_name(ann.core.state, mallory.core.key)
    payloads, _ = read_frames(octets)
    closing = decode_any(payloads[-1], wire.RecordFrame)
    for payload in payloads[-4:-1]:
        other = decode_any(payload, wire.RecordFrame).entry
        if other in closing.entries:
            continue
        frames = (*payloads[:-1], encode(wire.EvidenceFrame("shuffle", (other,), b"", b"", b"")))
        wrong = judged(b"".join(map(frame_payload, frames)))
        assert not wrong.ok
        assert not wrong.culprit
