"""Giving away a hidden tile: an open tile is refused."""

import pytest

from netgame.crypto.handover import prove_hand_over
from netgame.crypto.masking import Masked, tile_point
from netgame.errors import LocalMisuse
from tests.netgame.crypto.table import CTX, fixed, some_point


def test_an_open_tile_is_not_handed_over():
    """An open tile cannot be handed over as a hidden one, because everybody has seen it."""
    with pytest.raises(LocalMisuse):
        prove_hand_over(5, CTX, Masked(None, tile_point((0, 1))), some_point(), fixed("bare"))
