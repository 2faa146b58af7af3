"""Chickenfoot on a screen: everybody's arms, each tile once, and nobody's train."""

import pytest

from cli.drawn.board import arm_pieces, board_lines
from cli.drawn.cells import line_cells
from cli.drawn.hand import strip_texts, turn_lines
from tests.cli.drawn.test_render import SIZES
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
        pieces = arm_pieces(train, scene.table.hub.low)
        joints = sum(piece.count("-") + piece.count("=") for piece in pieces)
        assert joints == len(train.lays)


@pytest.mark.parametrize("size", SIZES)
def test_no_line_is_too_wide_and_no_player_has_an_end(size):
    """The short line of ends, while others move, names the arms alone."""
    canvas = SIZES[size]
    for scene in scenes()[::5]:
        assert [e for e in board_lines(scene, canvas) if line_cells(e) > canvas.columns] == []
        if ends := strip_texts(scene, canvas)[:1]:
            assert not any(f"{name} {scene.table.hub.low}" in ends[0] for name in scene.names)
