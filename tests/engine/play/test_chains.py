"""Chains that may not end on a double: which doubles are legal, and how many lays are tried."""

import pytest

from engine.play import chain
from engine.play.apply import apply
from engine.play.judge import why_illegal, why_illegal_holding
from engine.play.lay import lay_step
from engine.play.legal_moves import legal_moves
from engine.refusals import RefusalReason
from engine.table.moves import DrawTile, LayTile
from engine.table.table import Hand
from engine.table.trains import TrainId
from engine.tiles import Tile
from tests.engine.play.small_tables import ANN, holding, table_of

OWN = TrainId(0)
REFUSED = {"opening": "whole-train", "opening_double": "refused"}


def at_the_hub(*tiles, **switches):
    """Return a table on which Ann is to begin her chain at the hub, and her hand of these tiles."""
    table = table_of(len(tiles), 3, 3, **REFUSED, **switches)
    return table, holding(table, *tiles)


def lay(table, hand, tile, on):
    """Lay the next tile of a chain; return the table and the rest of the hand."""
    at = next(at for at, held in hand.tiles if held == tile)
    end = table.trains[ANN].ends[0]
    move = LayTile(ANN, at, tile, OWN, on, end.pip)
    assert move in legal_moves(table, hand)
    table, _ = apply(table, move)
    return table, Hand(ANN, tuple(held for held in hand.tiles if held[1] != tile))


@pytest.mark.parametrize("last", [(), (Tile(16, 17),)])
def test_doubles_that_all_fit_are_followed_up_in_few_steps(last, monkeypatch):
    """§2.7, §3.5: any double fits a blank; checking 18 of them tries at most 18 lays for each."""
    doubles = [Tile(pip, pip) for pip in range(18)]
    table, hand = at_the_hub(Tile(0, 18), *doubles, *last, pip_max=18, wild_blanks="yes")
    table, hand = lay(table, hand, Tile(0, 18), -1)
    laid = []

    def counted(table, move):
        laid.append(move)
        return lay_step(table, move)

    monkeypatch.setattr(chain, "lay_step", counted)
    listed = [move.tile for move in legal_moves(table, hand) if isinstance(move, LayTile)]
    assert {*doubles}.intersection(listed) == ({*doubles} if last else set())
    assert len(doubles) < len(laid) <= len(doubles) ** 2


def test_a_start_on_a_double_that_can_be_followed_has_to_be_made():
    """§3.5, §7.6: a seat may not draw if it holds the double blank and a tile to follow it."""
    table, hand = at_the_hub(Tile(0, 0), Tile(3, 4), wild_blanks="yes")
    assert [type(move) for move in legal_moves(table, hand)] == [LayTile]
    assert why_illegal(table, DrawTile(ANN)) is None
    assert why_illegal_holding(table, hand, DrawTile(ANN)).reason is RefusalReason.CHAIN_HELD
