"""The audit of a finished round: with all keys known, every position opens."""

from netgame.crypto import audit
from netgame.crypto.masking import tile_point
from tests.netgame.crypto.table import dealt

TABLE = dealt()


def test_all_keys_open_every_tile_once():
    """All keys open every tile once; a missing or repeated key leaves no tile readable."""
    points = {tile_point(tile) for tile in TABLE.tiles}
    assert set(audit.open_points(TABLE.deck, TABLE.xs)) == points
    for few in (TABLE.xs[1:], (*TABLE.xs, TABLE.xs[0])):
        assert not points & set(audit.open_points(TABLE.deck, few))
