"""Several tiles on one line mean the same as those tiles typed one by one."""

from dataclasses import replace

import pytest
from msgspec import structs

from cli.input.plan import longest_plan, tiles_text
from cli.input.resolution import NotLegal, TileByTile, resolve
from cli.scene import forced_move, lays, tile_text
from cli.session.verbs.complete import complete
from cli.session.verbs.reading import parse
from engine.play.apply import apply
from engine.refusals import Refusal, RefusalReason
from engine.table.moves import Done, LayChain, LayTile
from engine.table.table import RoundPhase
from tests.cli.scenes import scenes_of


def typed(line, scene):
    """Return what a line resolves to."""
    return resolve(parse(line), scene)


def after(scene, move):
    """Return the scene after this seat's move, seen from the same seat."""
    table, _ = apply(scene.table, move)
    left = tuple(held for held in scene.hand.tiles if held[0] in table.hands[scene.seat])
    return replace(scene, table=table, hand=structs.replace(scene.hand, tiles=left))


def one_by_one(pairs, scene):
    """Return the scene after typing these tiles one by one, or None if one is refused."""
    for first, second in pairs:
        move = typed(f"{first}-{second} me", scene)
        if not isinstance(move, LayTile):
            return None
        scene = after(scene, move)
    return scene


def in_turn(scene, before) -> bool:
    """Return True if the turn in `before` still goes on in `scene`, with something to choose."""
    goes_on = scene.table.phase is RoundPhase.PLAY and scene.table.turns == before.table.turns
    return goes_on and not isinstance(forced_move(scene), Done)


@pytest.mark.parametrize("preset", ["walnut", "masters-of-games", "standard"])
def test_a_line_of_tiles_leaves_the_table_that_its_tiles_leave(preset):
    """A line of tiles leaves the same table as its tiles typed one by one.

    It is refused if one of them is. It is made as one move only if the turn ends with it.
    """
    open_ended = singly = ended = 0
    for scene in scenes_of(preset, 40, 12):
        train = longest_plan(scene)
        if train is None or not lays(scene):
            continue
        for count in range(2, len(train.pairs) + 1):
            pairs = train.pairs[:count]
            left, found = one_by_one(pairs, scene), typed(f"{tiles_text(pairs)} me", scene)
            if left is None:
                assert isinstance(found, NotLegal)
            elif isinstance(found, TileByTile):
                played = scene
                for lay in found.lays:
                    played = after(played, lay)
                assert played == left
                singly += 1
                open_ended += in_turn(left, scene)
            else:
                assert isinstance(found, LayChain)
                assert not in_turn(left, scene)
                ended += 1
    assert singly
    assert bool(open_ended) == bool(ended) == (preset != "standard")


def test_a_double_and_its_cover_are_typed_on_one_line():
    """A double and its cover, typed on one line, are played one by one; Tab offers the cover."""
    found = 0
    for scene in scenes_of("standard", 60, 12):
        for move in lays(scene):
            if not move.tile.is_double or scene.table.owed:
                continue
            behind = after(scene, move)
            covers = [lay for lay in lays(behind) if lay.train == move.train]
            for cover in covers:
                tiles = f"{tile_text(move.tile)} {tile_text(cover.tile)}"
                train = f" {scene.names[move.train]}" if move.train >= 0 else " m"
                both = typed(tiles + train, scene)
                assert isinstance(both, TileByTile)
                assert both.lays == (move, cover)
                assert not both.opens
                found += 1
            if covers and move.train == scene.seat:
                offered = {each.text for each in complete(f"{tile_text(move.tile)} ", scene)}
                assert {tile_text(cover.tile) for cover in covers} <= offered
    assert found > 5


@pytest.mark.parametrize("train", ["", " arms"])
def test_where_nobody_has_a_train_three_tiles_are_said_to_be_too_many(train):
    """Under chickenfoot three tiles on one line are refused as a chain, with or without `arms`."""
    refused = Refusal(RefusalReason.NO_CHAIN)
    for scene in scenes_of("chickenfoot", 60, deal="7"):
        if lays(scene) and len(scene.hand.tiles) > 2:
            tiles = " ".join(tile_text(tile) for _, tile in scene.hand.tiles[:3])
            found = typed(f"{tiles}{train}", scene)
            assert isinstance(found, NotLegal)
            assert found.refusal == refused


def test_where_all_open_at_once_a_line_is_the_whole_opening():
    """Where all seats open at once, a line of tiles is played as the whole opening."""
    scene = next(iter(scenes_of("standard", 1, opening="simultaneous")))
    train = longest_plan(scene)
    assert train is not None
    assert isinstance(typed(tiles_text(train.pairs[:2]), scene), LayChain)
