"""The table's coin: everybody's octets decide, in one order only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

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
    """The caller sorts the roster: two orders would be two sessions."""
    with pytest.raises(LocalMisuse):
        coin.session_id(*ARGS[:3], keys, ARGS[4], secrets)


@given(sid=st.binary(min_size=64, max_size=64), order=st.permutations(KEYS))
def test_seats_do_not_depend_on_who_came_first(sid, order):
    """The order of the roster leaves no trace in the order of the seats."""
    assert coin.seat_order(sid, order) == coin.seat_order(sid, KEYS)
    assert sorted(coin.seat_order(sid, order)) == list(KEYS)
