"""Evidence files as a peer saves them, and forgeries made from them."""

from msgspec.structs import replace

from netgame.protocol.ledger.verdict import FileFinding
from netgame.protocol.log.entry import read_frames, sign_entry
from netgame.wire import messages as wire
from netgame.wire.codec import decode_any, encode
from tests.netgame.games import Driven, due_body, played
from tests.netgame.protocol.happenings import file_of, verified
from tests.netgame.protocol.peer.test_guards import at_table, of_due_step, promise, sign


def parts_of(octets: bytes) -> tuple[list[bytes], wire.EvidenceFrame]:
    """Return the frames of the record in an evidence file, and the closing frame."""
    *before, last = read_frames(octets)[0]
    closing: wire.RecordFrame = decode_any(last, wire.RecordFrame)
    assert isinstance(closing, wire.EvidenceFrame)
    return before, closing


def found_with(octets: bytes, **changes: object) -> FileFinding:
    """Return the finding on a file with its closing frame changed."""
    before, closing = parts_of(octets)
    return verified(file_of([*before, encode(replace(closing, **changes))])).finding


def test_a_wrong_signature_leaves_no_file_and_is_no_evidence() -> None:
    """An entry with a wrong signature leaves no evidence file; a file that contains one is bad.

    Otherwise anybody could make up a file that accuses a player of passing on a forgery.
    """
    one, ben, cy = at_table()
    forged = wire.SignedEntry(of_due_step(one, cy).body, bytes(64))
    one.hear(ben, wire.Entries((forged,)))
    assert not one.evidence
    one.hear(cy, wire.Entries((bad_entry(one, cy),)))
    (octets,) = one.evidence
    for check in ("signature", "kind", "turn"):
        assert found_with(octets, check=check, entries=(forged,)) is FileFinding.BAD


def bad_entry(one: Driven, key: bytes) -> wire.SignedEntry:
    """Return an entry that is not due, correctly signed by the seat of `key`."""
    body = due_body(one.ledger, one.state.seat_of(key), wire.Checked(0))
    return sign_entry(played().by_key[key].signer, body)


def test_evidence_holds_its_proof_once_and_nothing_else() -> None:
    """An evidence file is bad if its proof is in it twice or with anything else.

    It is also bad if it names another check. Otherwise one program might accept a file that
    another refuses.
    """
    one, ben, cy = at_table()
    one.hear(ben, wire.Entries((signed := bad_entry(one, cy),)))
    (octets,) = one.evidence
    assert found_with(octets, entries=(signed, signed)) is FileFinding.BAD
    other = sign(one, ben, promise(one, ben))
    assert found_with(octets, statements=(other,)) is FileFinding.BAD
    assert found_with(octets, check="fork") is FileFinding.BAD
