"""The table's coin: it takes a sorted roster with a secret for each key."""

import pytest

from netgame.crypto import coin
from netgame.errors import LocalMisuse

KEYS = tuple(sorted(bytes([k]) * 32 for k in (9, 4, 7)))
SECRETS = tuple(bytes([k]) * 32 for k in (1, 2, 3))
ARGS = (b"t" * 64, 1, b"r" * 64, KEYS, b"d" * 64, SECRETS)


@pytest.mark.parametrize(
    ("keys", "secrets"),
    [(KEYS[::-1], SECRETS), ((KEYS[0], *KEYS[:2]), SECRETS), (KEYS, SECRETS[:2])],
)
def test_a_roster_out_of_order_is_a_bug(keys, secrets):
    """A roster is misuse if it is unsorted, repeats a key, or lacks a secret.

    The caller must sort it, because two orders would give two sessions.
    """
    with pytest.raises(LocalMisuse):
        coin.session_id(*ARGS[:3], keys, ARGS[4], secrets)
