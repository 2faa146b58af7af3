"""Doubles that ask for less: outside an opening train, or taking the own marker down."""

import pytest

from engine.play.apply import apply
from engine.play.judge import hidden_claim, why_illegal
from engine.play.legal_moves import legal_moves
from engine.struct import replace
from engine.table.moves import Done, DrawTile, LayTile
from engine.table.trains import MEXICAN, TrainId
from engine.table.turn import LastTurns, MustCover
from engine.tiles import Tile
from tests.engine.play.small_tables import ANN, BOB, holding, lay, marked, opened, table_of

OWN = TrainId(0)


@pytest.mark.parametrize(
    "rules", [{"mexican_from": "first-turn"}, {"opening_elsewhere": "may"}], ids=str
)
def test_a_double_on_a_train_that_is_no_opening_needs_no_follower(rules):
    """§3.5: `opening-double=refused` is about the end of an opening train, and about no other."""
    opening = {"opening": "whole-train", "opening_double": "refused"}
    table = table_of(3, 3, 3, **opening, **rules)
    if "mexican_from" in rules:
        table = lay(table, 0, 6, MEXICAN)
        train, tiles = MEXICAN, (Tile(0, 0), Tile(1, 2), Tile(1, 3))
    else:
        table = marked(apply(lay(table, 0, 6, OWN), Done(ANN))[0])
        train, tiles = OWN, (Tile(0, 0), Tile(1, 6), Tile(1, 3))
    hand = holding(table, *tiles)
    double = LayTile(BOB, hand.tiles[0][0], Tile(0, 0), train, 0, 0)
    assert why_illegal(table, double) is None
    assert double in legal_moves(table, hand)
    table, _ = apply(table, double)
    assert (table.to_move, table.turn.stage) == (BOB, MustCover())


def test_a_first_turn_is_not_passed_with_a_double_for_the_mexican_train():
    """§2.3, §3.5: it is denied by a draw like any tile."""
    opening = {"opening": "whole-train", "opening_double": "refused"}
    table = lay(table_of(3, 3, 3, **opening, mexican_from="first-turn"), 0, 6, MEXICAN)
    assert Tile(0, 0) in hidden_claim(table, DrawTile(BOB))
    hand = holding(table, Tile(0, 0), Tile(1, 2), Tile(1, 3))
    assert [move.tile for move in legal_moves(table, hand)] == [Tile(0, 0)]


def test_a_second_double_that_needs_no_cover_is_laid_alone():
    """§5.6, §5.8: 0-0 takes Ann's marker down; 3-3 on the Mexican train is still to be covered."""
    rules = {"several": "two-held", "marker_double": "free", "cover": "on-double"}
    table = marked(opened(5, 5, 5, **rules))
    table = lay(table, 3, 6, MEXICAN)
    table = replace(table, to_move=ANN)
    table = lay(table, 3, 3, MEXICAN)
    assert table.turn.stage == MustCover()
    hand = holding(table, Tile(0, 0), Tile(1, 2))
    double = LayTile(ANN, hand.tiles[0][0], Tile(0, 0), OWN, 0, 0)
    assert Tile(0, 0) in hidden_claim(table, DrawTile(ANN))
    assert legal_moves(table, hand) == (double,)
    table, _ = apply(table, double)
    assert (table.to_move, table.turn.stage) == (ANN, MustCover())
    assert [owed.tile for owed in table.owed] == [Tile(3, 3)]


def test_a_last_play_may_be_a_double_that_needs_no_cover():
    """§5.6, §7.8: it takes the marker down, and nothing has to close it."""
    table = marked(opened(4, 4, 4, round_end="last-plays", marker_double="free"))
    memory = replace(table.memory, last=LastTurns(closing=False, left=3))
    table = replace(table, boneyard=(), memory=memory)
    hand = holding(table, Tile(0, 0), Tile(1, 2), Tile(1, 3))
    double = LayTile(ANN, hand.tiles[0][0], Tile(0, 0), OWN, 0, 0)
    assert legal_moves(table, hand) == (double,)
    table, _ = apply(table, double)
    assert (table.to_move, table.owed) == (BOB, ())
