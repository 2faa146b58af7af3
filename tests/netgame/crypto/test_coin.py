"""The table's coin: everybody's octets decide, in one order only."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from netgame.crypto import coin
from netgame.errors import LocalMisuse
from tests.netgame.crypto import oracle

KEYS = tuple(sorted(bytes([k]) * 32 for k in (9, 4, 7)))
SECRETS = tuple(bytes([k]) * 32 for k in (1, 2, 3))
ARGS = (b"t" * 64, 1, b"r" * 64, KEYS, b"d" * 64, SECRETS)


def test_names_are_the_hashes_of_the_text():
    """Table id, commitment and session id follow protocol.md 5.2."""
    tid = coin.table_id(KEYS[0], b"n" * 32)
    assert tid == oracle.hashed("table", KEYS[0], b"n" * 32)
    commitment = coin.coin_commitment(tid, KEYS[1], SECRETS[1])
    assert commitment == oracle.hashed("n", tid, KEYS[1], SECRETS[1])
    assert coin.session_id(*ARGS) == oracle.hashed("sid", *ARGS)


def test_every_input_moves_the_session():
    """Whoever changes one thing, even their own secret, gets another session."""
    other = (b"T" * 64, 2, b"R" * 64, (*KEYS[:2], b"\xff" * 32), b"D" * 64, SECRETS[::-1])
    seen = {coin.session_id(*ARGS)}
    for at in range(len(ARGS)):
        seen.add(coin.session_id(*ARGS[:at], other[at], *ARGS[at + 1 :]))
    assert len(seen) == 1 + len(ARGS)


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


def test_every_seat_can_be_first():
    """Over many sessions each of three seats begins about as often."""
    firsts = [coin.first_seat(bytes([a, b]) * 32, 3) for a in range(20) for b in range(20)]
    assert all(100 < firsts.count(seat) < 170 for seat in range(3))
    sid = b"q" * 64
    assert coin.first_seat(sid, 5) == oracle.number("first", sid) % 5
