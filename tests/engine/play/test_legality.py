"""The judge has an answer to any move that a hostile peer may send."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.judge import why_illegal, why_illegal_holding
from engine.refusals import RefusalCode
from engine.table.moves import DrawTile, LayTile, Pass
from engine.tiles import Tile
from tests.engine.deals import dealt, first_lay, holder, spec_of

ANY = st.integers(-(2**63), 2**63) | st.integers(-3, 30)


@given(seat=ANY, position=ANY, low=ANY, high=ANY, train=ANY, on=ANY, joined=ANY)
def test_no_lay_of_a_hostile_peer_is_more_than_refused(
    seat, position, low, high, train, on, joined
):
    """The judge answers without an error, whatever numbers a lay contains."""
    table, _ = dealt(spec_of(9, 3))
    refusal = why_illegal(table, LayTile(seat, position, Tile(low, high), train, on, joined))
    if refusal is None:
        assert (seat, train, on, joined) == (0, 0, -1, 9)
        assert position in table.hands[0]


@given(seat=ANY)
def test_no_other_move_of_a_hostile_peer_is_more_than_refused(seat):
    """Only the seat to move may draw, and nobody may pass, whatever the number of the seat."""
    table, _ = dealt(spec_of(9, 3))
    assert (why_illegal(table, DrawTile(seat)) is None) == (seat == 0)
    assert why_illegal(table, Pass(seat)) is not None


def test_the_first_rule_that_is_broken_is_named():
    """Of several faults, the one whose code comes first in `RefusalCode` is named."""
    table, tiles = dealt(spec_of(6, 2))
    lay = first_lay(table, tiles)
    hand = holder(table, tiles)
    assert why_illegal(table, replace(lay, train=-2)).code is RefusalCode.NO_SUCH_TRAIN
    elsewhere = next(tile for at, tile in hand.tiles if at != lay.position)
    both = replace(lay, train=-2, tile=elsewhere)
    assert why_illegal_holding(table, hand, both).code is RefusalCode.NOT_YOUR_TILE
    assert why_illegal_holding(table, hand, Pass(hand.seat)).code is RefusalCode.PLAYABLE_TILE


def test_an_illegal_move_is_never_carried_out():
    """Applying a move that the judge refuses raises AssertionError."""
    table, _ = dealt(spec_of(6, 2))
    with pytest.raises(AssertionError):
        apply(table, Pass(table.to_move))
