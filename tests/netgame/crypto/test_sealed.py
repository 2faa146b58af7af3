"""Openings committed to at once: bound to their place, and read again by their own seat alone."""

import pytest

from netgame.crypto.sealed import seal, unseal
from netgame.errors import LocalMisuse, Malformed
from netgame.limits import OPENING_BOX_BYTES
from tests.netgame.crypto.table import flips

SAID, SECRET, KEY = b"a whole opening", bytes(range(32)), b"\x05" * 32


@pytest.mark.parametrize("size", [0, 1, OPENING_BOX_BYTES - 18])
def test_a_box_gives_back_what_was_sealed(size):
    """From nothing to the largest; all boxes are of one size."""
    said = bytes(range(1, 250)) * 5
    box = seal(KEY, said[:size])
    assert len(box) == OPENING_BOX_BYTES
    assert unseal(KEY, box) == said[:size]


def test_a_box_opens_under_its_own_key_only():
    """Another key, and any octet changed, is malformed; what does not fit is a bug of ours."""
    box = seal(KEY, SAID)
    with pytest.raises(Malformed):
        unseal(b"\x06" * 32, box)
    for bad in flips(box, 13):
        with pytest.raises(Malformed):
            unseal(KEY, bad)
    with pytest.raises(LocalMisuse):
        seal(KEY, bytes(OPENING_BOX_BYTES - 17))
