"""Identity keys: one signature for one purpose, and no key that anybody can sign for."""

import pytest

from netgame.crypto import signing
from netgame.errors import LocalMisuse
from tests.netgame.crypto.table import SEED, flips

KEY = signing.make_signing_key(SEED)
DOMAIN, DATA = "test/entry", b"5-8 to the Mexican train"
SIGNATURE = KEY.sign(DOMAIN, DATA)
FIELD = 2**255 - 19


def test_a_key_is_that_of_rfc_8032():
    """Section 7.1, test 1: the seed and its public key."""
    seed = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    assert signing.make_signing_key(seed).public_bytes.hex() == public


def test_a_signature_holds_for_its_domain_and_data_alone():
    """Another purpose, other data or another key: no."""
    other = signing.make_signing_key(SEED[::-1]).public_bytes
    assert signing.verify_signature(KEY.public_bytes, DOMAIN, DATA, SIGNATURE)
    assert KEY.sign(DOMAIN, DATA) == SIGNATURE
    assert not signing.verify_signature(KEY.public_bytes, "test/other", DATA, SIGNATURE)
    assert not signing.verify_signature(KEY.public_bytes, DOMAIN, DATA + b"!", SIGNATURE)
    assert not signing.verify_signature(other, DOMAIN, DATA, SIGNATURE)


def test_a_boundary_between_domain_and_data_cannot_be_moved():
    """The zero octet ends the domain, and no domain holds one."""
    assert KEY.sign("ab", b"c") != KEY.sign("a", b"bc")
    for domain in ("", "a\x00b"):
        with pytest.raises(LocalMisuse):
            KEY.sign(domain, DATA)


def test_any_flipped_octet_breaks_a_signature():
    """Signature, data and key, octet by octet."""
    check = signing.verify_signature
    assert not any(check(KEY.public_bytes, DOMAIN, DATA, bad) for bad in flips(SIGNATURE))
    assert not any(check(KEY.public_bytes, DOMAIN, bad, SIGNATURE) for bad in flips(DATA))
    assert not any(check(bad, DOMAIN, DATA, SIGNATURE) for bad in flips(KEY.public_bytes))


def test_signatures_of_another_length_or_with_a_large_scalar_are_refused():
    """No second signature is made from a first by adding the order to its scalar."""
    order = 2**252 + 27742317777372353535851937790883648493
    large = (int.from_bytes(SIGNATURE[32:], "little") + order).to_bytes(32, "little")
    for bad in (b"", SIGNATURE[:63], SIGNATURE + b"\x00", SIGNATURE[:32] + large):
        assert not signing.verify_signature(KEY.public_bytes, DOMAIN, DATA, bad)


@pytest.mark.parametrize("sign_bit", [0, 1])
@pytest.mark.parametrize("y", sorted(signing._SMALL_ORDER))
def test_a_key_of_small_order_is_refused(y, sign_bit):
    """With such a key one signature fits many messages, so its evidence would mean nothing."""
    octets = (y | sign_bit << 255).to_bytes(32, "little")
    assert not signing.is_public_key(octets)
    assert not signing.verify_signature(octets, DOMAIN, DATA, octets + bytes(32))


def test_the_small_orders_are_the_small_orders():
    """Doubling each listed point three times on the Edwards curve ends at the neutral element."""
    d = -121665 * pow(121666, -1, FIELD) % FIELD
    for y in signing._SMALL_ORDER:
        x2 = (y * y - 1) * pow(d * y * y + 1, -1, FIELD) % FIELD
        x = pow(x2, (FIELD + 3) // 8, FIELD)
        if x * x % FIELD != x2:
            x = x * pow(2, (FIELD - 1) // 4, FIELD) % FIELD
        assert x * x % FIELD == x2
        for _ in range(3):
            product = d * x * x * y * y % FIELD
            x, y = (
                2 * x * y * pow(1 + product, -1, FIELD) % FIELD,
                (y * y + x * x) * pow(1 - product, -1, FIELD) % FIELD,
            )
        assert (x, y) == (0, 1)


def test_keys_that_are_not_canonical_are_refused():
    """A y of p or more would give one seat two names."""
    for octets in (
        FIELD.to_bytes(32, "little"),
        (FIELD + 3).to_bytes(32, "little"),
        b"",
        SEED[:31],
    ):
        assert not signing.is_public_key(octets)
        assert not signing.verify_signature(octets, DOMAIN, DATA, SIGNATURE)
    assert signing.is_public_key(KEY.public_bytes)


def test_a_key_does_not_print_its_secret():
    """Neither octets nor hex of the seed appear in the text of a key."""
    assert SEED.hex() not in repr(KEY)
    assert repr(SEED) not in repr(KEY)
    with pytest.raises(LocalMisuse):
        signing.make_signing_key(SEED[:31])
