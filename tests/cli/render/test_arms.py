"""Chickenfoot on screen: everybody's arms, each tile once, and no trains."""

from itertools import product

import pytest

from cli.render.board import board_lines, train_lines, whole_lines
from cli.render.cells import line_cells
from cli.render.chains import is_branched, tree_pieces
from cli.render.hand import turn_lines
from cli.wording.refusals import refusal_sentence, rule_sentence
from engine.play.judge import why_illegal_holding
from engine.table.moves import LayTile
from engine.table.trains import MEXICAN
from tests.cli.render.test_odds import odds_of
from tests.cli.render.test_render import SIZES
from tests.cli.scenes import check_screen, scenes_of, written


def scenes():
    """Return the scenes of a few double-nine rounds in which the hub is laid."""
    return [scene for scene in scenes_of("chickenfoot", 90, seeds=2, deal="7") if scene.table.hub]


@pytest.mark.parametrize("size", ["80x24", "40x24"])
def test_the_arms_look_as_they_were_reviewed(size):
    """The board draws the arms of the hub below the players, branch by branch."""
    mine = [scene for scene in scenes() if scene.can_move and scene.table.owed]
    check_screen(f"arms-{size}", turn_lines(mine[20], SIZES[size]))


def test_every_tile_stands_in_one_branch():
    """Each tile of the arms is drawn in exactly one branch."""
    for scene in scenes():
        (train,) = scene.table.mexican_trains
        pieces = tree_pieces(train, scene.table.hub.low)
        joints = sum(piece.count("-") + piece.count("=") for piece in pieces)
        assert joints == len(train.lays)


def joints_of(lines):
    """Return how many tiles are drawn below the first line."""
    drawn = written(lines[1:])
    return drawn.count("-") + drawn.count("=")


@pytest.mark.parametrize("preset", ["chickenfoot", "wolf-lake"])
@pytest.mark.parametrize("size", ["80x24", "40x24"])
def test_a_train_shown_by_name_has_all_its_branches(preset, size):
    """A train drawn by itself shows each of its tiles once, and fits the window.

    This holds for the arms of chickenfoot and for trains with spurs.
    """
    canvas, most = SIZES[size], 0
    for scene in scenes_of(preset, 90, deal="7"):
        for train in scene.table.trains if scene.table.hub else ():
            lines = train_lines(scene, train.id, canvas)
            assert joints_of(lines) == len(train.lays)
            assert max(map(line_cells, lines)) <= canvas.columns
            most = max(most, len(train.lays))
    assert most > 8


def test_arms_longer_than_the_window_go_on_in_the_next_row():
    """Arms are wrapped, so that no line is wider than a narrow window."""
    for scene in scenes_of("chickenfoot", 250, seeds=6, deal="7"):
        lines = board_lines(scene, SIZES["40x24"])
        assert max(map(line_cells, lines)) <= SIZES["40x24"].columns


def test_the_sign_of_a_double_to_cover_stands_beside_it():
    """A double to cover has its sign beside it, wherever it is on the arms."""
    told = 0
    for scene in scenes_of("chickenfoot", 90, seeds=4, deal="7"):
        head = written(board_lines(scene, SIZES["132x40"])).splitlines()[2]
        if scene.table.owed:
            assert f" {scene.table.owed[0].tile.high}!" in head
            told += len(scene.table.mexican_trains[0].ends) > 4
    assert told


def test_a_train_with_branches_is_not_whole_on_the_board():
    """F2 draws every branched train in full: its row shows only the newest tile's branch."""
    canvas = SIZES["132x40"]
    for scene in scenes_of("wolf-lake", 90, deal="7"):
        whole = whole_lines(scene, canvas, board_lines(scene, canvas))
        for train in scene.table.trains:
            if is_branched(train):
                drawn = train_lines(scene, train.id, canvas)
                assert written(drawn) in written(whole)


def test_a_refusal_and_its_rule_speak_of_the_arms():
    """Refusals and rules speak of arms, since nobody has a train in this game."""
    told = set()
    for scene in scenes_of("chickenfoot", 40, deal="7"):
        ends = scene.table.mexican_trains[0].ends
        for end, (at, tile) in product(ends[:1], scene.hand.tiles):
            lay = LayTile(scene.seat, at, tile, end.train, end.on, tile.high)
            refusal = why_illegal_holding(scene.table, scene.hand, lay)
            if refusal is not None:
                rules = scene.table.rules
                told.add(refusal_sentence(refusal, scene.names, scene.seat, rules))
                told.add(rule_sentence(refusal, rules))
    assert not [said for said in told if "Mexican" in said or "your own train" in said]
    assert any("does not fit: the arms take" in said for said in told)


def test_odds_speak_of_no_train_that_nobody_has():
    """The odds of any turn list only the ends of the arms, and no player's train."""
    for scene in scenes()[8:60:6]:
        odds = odds_of(scene)
        assert odds is None or {end.train for end in odds.ends} <= {MEXICAN}
