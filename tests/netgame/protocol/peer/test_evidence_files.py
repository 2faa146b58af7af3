"""Evidence and hearsay as a peer has saved them, and what others may have made of the files."""

from msgspec.structs import replace

from netgame.protocol.ledger.verdict import FileFinding, witness_octets
from netgame.protocol.log.entry import WITNESS_DOMAIN, read_frames, sign_entry
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.games import Driven, due_body, played
from tests.netgame.protocol.happenings import file_of, verified
from tests.netgame.protocol.peer.test_guards import LIAR, at_table, of_due_step, promise, sign


def parts_of(octets: bytes) -> tuple[list[bytes], wire.EvidenceFrame]:
    """The record in a file of evidence, and the frame that closes it."""
    *before, last = read_frames(octets)[0]
    closing: wire.RecordFrame = decode_any(last, wire.RecordFrame)
    assert isinstance(closing, wire.EvidenceFrame)
    return before, closing


def found_with(octets: bytes, **changes: object) -> FileFinding:
    """What a file is with its closing frame changed."""
    before, closing = parts_of(octets)
    return verified(file_of([*before, encode(replace(closing, **changes))])).finding


def test_hearsay_is_what_a_member_has_signed_and_no_more() -> None:
    """Anybody could make up a file in which somebody accuses another."""
    one, ben, cy = at_table()
    forged = wire.SignedEntry(of_due_step(one, cy).body, bytes(64))
    one.hear(ben, wire.Entries((forged,)))
    (octets,) = one.evidence
    assert verified(octets).finding is FileFinding.HEARSAY
    *before, last = read_frames(octets)[0]
    closing = decode_any(last, wire.RecordFrame)
    for changes in ({"signature": bytes(64)}, {"witness": cy}, {"witness": LIAR.public_bytes}):
        changed = encode(replace(closing, **changes))
        assert verified(file_of([*before, changed])).finding is FileFinding.BAD
    octets = witness_octets(forged, closing.sender)
    strange = LIAR.sign(WITNESS_DOMAIN, octets)
    changed = encode(replace(closing, witness=LIAR.public_bytes, signature=strange))
    assert verified(file_of([*before, changed])).finding is FileFinding.BAD


def bad_entry(one: Driven, key: bytes) -> wire.SignedEntry:
    """An entry of one of the others, well signed, that is not due."""
    body = due_body(one.ledger, one.state.seat_of(key), wire.Checked(0))
    return sign_entry(played().by_key[key].signer, body)


def test_a_messenger_is_blamed_for_no_fault_of_a_signer() -> None:
    """Though a member witnesses that it has sent the entry: that is what it should do."""
    one, ben, cy = at_table()
    one.hear(ben, wire.Entries((signed := bad_entry(one, cy),)))
    (octets,) = one.evidence
    assert found_with(octets) is FileFinding.EVIDENCE
    words = played().host.signer.sign(WITNESS_DOMAIN, witness_octets(signed, ben))
    testimony = {"sender": ben, "witness": one.key, "signature": words}
    assert found_with(octets, **testimony) is FileFinding.BAD
    assert found_with(octets, witness=one.key, signature=words) is FileFinding.BAD


def test_evidence_holds_its_proof_once_and_nothing_else() -> None:
    """One program might pass over what another stumbles over."""
    one, ben, cy = at_table()
    one.hear(ben, wire.Entries((signed := bad_entry(one, cy),)))
    (octets,) = one.evidence
    assert found_with(octets, entries=(signed, signed)) is FileFinding.BAD
    other = sign(one, ben, promise(one, ben))
    assert found_with(octets, statements=(other,)) is FileFinding.BAD
    assert found_with(octets, check="fork") is FileFinding.BAD
