"""The table's coin: the octets of all seats decide, in one fixed order."""

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
    """A roster out of order is misuse: the caller sorts it, since two orders give two sessions."""
    with pytest.raises(LocalMisuse):
        coin.session_id(*ARGS[:3], keys, ARGS[4], secrets)
