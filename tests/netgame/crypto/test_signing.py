"""Identity keys: each signature has one purpose, and weak keys are refused."""

import pytest

from netgame.crypto import ciphers, signing
from netgame.errors import LocalMisuse
from tests.conformance import edwards
from tests.netgame.crypto.table import SEED

KEY = signing.make_signing_key(SEED)
DOMAIN, DATA = "test/entry", b"5-8 to the Mexican train"
FOR_ANYTHING = edwards.encode(edwards.NEUTRAL) + bytes(32)
"""A signature that is valid for every message if the key is the neutral point."""


def test_a_boundary_between_domain_and_data_cannot_be_moved():
    """A zero octet ends the domain, and no domain contains one, so the boundary cannot move.

    A domain that contains one is misuse, and so is an empty one.
    """
    assert KEY.sign("ab", b"c") != KEY.sign("a", b"bc")
    for domain in ("", "a\x00b"):
        with pytest.raises(LocalMisuse):
            KEY.sign(domain, DATA)


@pytest.mark.parametrize("times", range(8))
def test_a_key_of_small_order_is_refused(times):
    """A key of small order is refused, because one signature would fit many messages."""
    point = edwards.mul(times, edwards.with_y(edwards.ORDER_8, 0))
    assert edwards.mul(8, point) == edwards.NEUTRAL
    octets = edwards.encode(point)
    for key in (octets, octets[:31] + bytes([octets[31] ^ 128])):
        assert not signing.is_public_key(key)
        assert not signing.verify_signature(key, DOMAIN, DATA, key + bytes(32))


def test_keys_that_are_not_canonical_are_refused():
    """A key whose y is p or more, or whose length is not 32 octets, is refused.

    Otherwise one key would have two encodings, and one seat two names. The second encoding of the
    neutral point would even fit a signature that anybody can make.
    """
    neutral = (edwards.P + 1).to_bytes(32, "little")
    assert ciphers.is_signed(neutral, DATA, FOR_ANYTHING)
    assert not signing.verify_signature(neutral, DOMAIN, DATA, FOR_ANYTHING)
    for octets in (
        neutral,
        edwards.P.to_bytes(32, "little"),
        (edwards.P + 3).to_bytes(32, "little"),
        b"",
        SEED[:31],
    ):
        assert not signing.is_public_key(octets)
    assert signing.is_public_key(KEY.public_bytes)


def test_a_seed_of_another_length_is_a_bug():
    """A seed of 31 octets is misuse: a seed must have exactly 32."""
    with pytest.raises(LocalMisuse):
        signing.make_signing_key(SEED[:31])
