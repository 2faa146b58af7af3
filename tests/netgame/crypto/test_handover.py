"""A hidden tile given away: the same tile under another key, or refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from netgame.crypto.group import Q, mul_base
from netgame.crypto.handover import prove_hand_over, verify_hand_over
from netgame.crypto.masking import Masked, reveal_token, tile_point, unmask
from netgame.errors import LocalMisuse
from tests.netgame.crypto.oracle_moving import hand_over_equations
from tests.netgame.crypto.table import CTX, fixed, some_point, tile_under

secrets = st.integers(1, Q - 1)


@settings(max_examples=20)
@given(secrets, secrets, secrets, st.binary(max_size=9))
def test_any_tile_may_go_to_any_key(x, y, r, ctx):
    """Whatever the keys, the randomness and the context: accepted, opened, and by both ways."""
    X, Y, tile = mul_base(x), mul_base(y), (2, 3)
    left = tile_under(X, r, tile)
    over = prove_hand_over(x, ctx, left, Y, fixed("any", ctx))
    assert verify_hand_over(X, ctx, Y, left, over)
    assert all(hand_over_equations(X, ctx, Y, left, over.masked, over._asdict()).values())
    assert unmask(over.masked, reveal_token(y, over.masked.A)) == tile_point(tile)


def test_an_open_tile_is_not_handed_over():
    """Everybody has seen it."""
    with pytest.raises(LocalMisuse):
        prove_hand_over(5, CTX, Masked(None, tile_point((0, 1))), some_point(), fixed("bare"))
