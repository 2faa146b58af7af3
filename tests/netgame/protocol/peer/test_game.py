"""Whole games between cores, and what their records say."""

from tests.netgame.games import NAMES
from tests.netgame.protocol.happenings import until_in_play
from tests.netgame.simtable import full_table, standard


def test_everybody_sees_their_own_hand_and_no_other():
    """A view holds one hand; the positions of others stay closed."""
    table = full_table(NAMES[:3], standard(6, 3, 1), bots=False)
    until_in_play(table)
    seen = set()
    for sitter in table.sitters:
        view = sitter.view
        assert len(view.hand.tiles) == view.table.spec.hand
        tiles = {tile for _, tile in view.hand.tiles}
        assert not tiles & seen
        seen |= tiles
        assert not sitter.state.deck.tiles
