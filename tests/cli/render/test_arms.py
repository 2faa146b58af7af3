"""Chickenfoot on a screen: everybody's arms, each tile once, and nobody's train."""

import pytest

from cli.render.board import tree_pieces
from cli.render.hand import turn_lines
from engine.table.trains import MEXICAN
from tests.cli.render.test_odds import odds_of
from tests.cli.render.test_render import SIZES
from tests.cli.scenes import check_screen, scenes_of


def scenes():
    """All of a few rounds of double-nine."""
    return [scene for scene in scenes_of("chickenfoot", 90, seeds=2, deal="7") if scene.table.hub]


@pytest.mark.parametrize("size", ["80x24", "40x24"])
def test_the_arms_look_as_they_were_reviewed(size):
    """What grows from the hub stands below the players, branch by branch."""
    mine = [scene for scene in scenes() if scene.can_move and scene.table.owed]
    check_screen(f"arms-{size}", turn_lines(mine[20], SIZES[size]))


def test_every_tile_stands_in_one_branch():
    """And each branch begins with the value on which it lies."""
    for scene in scenes():
        (train,) = scene.table.mexican_trains
        pieces = tree_pieces(train, scene.table.hub.low)
        joints = sum(piece.count("-") + piece.count("=") for piece in pieces)
        assert joints == len(train.lays)


def test_odds_speak_of_no_train_that_nobody_has():
    """The arms alone have ends, in the own turn and in another's."""
    for scene in scenes()[8:60:6]:
        odds = odds_of(scene)
        assert odds is None or {end.train for end in odds.ends} <= {MEXICAN}
