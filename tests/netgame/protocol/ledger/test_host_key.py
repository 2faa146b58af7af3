"""The key of who opens a table: one that nobody can sign for in another's name."""

import pytest

from netgame.crypto.coin import table_id
from netgame.crypto.signing import make_signing_key
from netgame.protocol.fold.revision import offered
from netgame.protocol.ledger.ledger import Ledger
from netgame.protocol.log.entry import sign_entry
from netgame.protocol.log.fault import Accepted, Stray
from netgame.wire import messages as wire
from netgame.wire.codec import encode
from tests.netgame.simtable import standard

pytestmark = pytest.mark.real_group

SMALL_ORDER = (
    bytes(32),
    b"\x01" + bytes(31),
    b"\xec" + b"\xff" * 30 + b"\x7f",
    bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"),
    bytes.fromhex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a"),
)
NOT_CANONICAL = b"\xee" + b"\xff" * 30 + b"\x7f"
SIGNER = make_signing_key(b"\x09" * 32)


def opened_by(host: bytes, signature: bytes | None = None) -> object:
    """What becomes of a first entry under `host`, whose key and nonce name the table."""
    opening = wire.OpenTable(host, bytes(32), offered(standard()))
    body = wire.Body(table_id(host, bytes(32)), 0, bytes(64), wire.CHAIR, 0, opening)
    signed = sign_entry(SIGNER, body)
    if signature is not None:
        signed = wire.SignedEntry(encode(body), signature)
    return Ledger(body.id).judge(signed)


def test_a_good_key_opens_its_table() -> None:
    """Else what follows would show nothing."""
    assert isinstance(opened_by(SIGNER.public_bytes), Accepted)


@pytest.mark.parametrize("host", [*SMALL_ORDER, NOT_CANONICAL], ids=bytes.hex)
@pytest.mark.parametrize(
    "signature", [None, bytes(64), b"\x01" + bytes(63)], ids=["of another key", "zeros", "R = 1"]
)
def test_7_4_author_a_key_anybody_can_sign_for_opens_nothing(
    host: bytes, signature: bytes | None
) -> None:
    """It is nobody's entry: not even a wrong signature that somebody is to be shown for."""
    assert isinstance(opened_by(host, signature), Stray)
