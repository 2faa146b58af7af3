"""The second look finds what a liar did."""

from engine.audit import audit
from engine.chance import seeded
from engine.legality import RefusalCode, draw_due, legal_moves, playable_tiles
from engine.moves import DrawTile, LayTile, Pass
from engine.simulate import play_round
from engine.strategy import choose_any
from engine.transition import apply
from tests.engine.deals import dealt, first_lay, holder, spec_of


def test_an_honest_round_is_clean():
    """Nothing is found."""
    table, tiles = dealt(spec_of(9, 4))
    played = play_round(table, tiles, [choose_any] * 4, seeded(b"honest"))
    assert audit(played.history, tiles) is None


def test_a_draw_with_a_playable_tile_is_found():
    """The finding names the seat, the move and the tile."""
    table, tiles = dealt(spec_of(9, 4))
    lay = first_lay(table, tiles)
    draw = DrawTile(table.to_move)
    finding = audit([(table, draw)], tiles)
    assert (finding.seat, finding.step) == (lay.seat, 0)
    assert finding.code is RefusalCode.PLAYABLE_TILE
    assert finding.tile in playable_tiles(table, table.to_move)


def test_a_pass_with_the_drawn_tile_playable_is_found():
    """A seat that draws what fits and passes all the same."""
    spec = spec_of(6, 2)
    for seed in range(200):
        table, tiles = dealt(spec, bytes([seed]))
        history = []
        while not isinstance(legal_moves(table, holder(table, tiles))[0], DrawTile):
            move = legal_moves(table, holder(table, tiles))[0]
            history.append((table, move))
            table, _ = apply(table, move)
            if not table.boneyard or table.outcome:
                break
        if table.outcome or not draw_due(table):
            continue
        drawn = tiles[table.boneyard[0]]
        history.append((table, DrawTile(table.to_move)))
        table, _ = apply(*history[-1])
        if drawn in playable_tiles(table, table.to_move):
            history.append((table, Pass(table.to_move)))
            finding = audit(history, tiles)
            assert (finding.step, finding.tile) == (len(history) - 1, drawn)
            return
    raise AssertionError("no deal led there")


def test_a_tile_that_was_not_there_is_found():
    """A lay that names another tile than the position held."""
    table, tiles = dealt(spec_of(9, 4))
    lay = first_lay(table, tiles)
    others = [tile for tile in playable_tiles(table, lay.seat) if tile != lay.tile]
    lie = LayTile(lay.seat, lay.position, others[0], lay.train, lay.on, lay.joined)
    finding = audit([(table, lie)], tiles)
    assert (finding.code, finding.tile) == (RefusalCode.NOT_YOUR_TILE, others[0])
    assert finding.rule.startswith("rules.md §")


def test_a_move_that_was_illegal_for_all_to_see_is_found():
    """Also what needs no open hands."""
    table, tiles = dealt(spec_of(9, 4))
    finding = audit([(table, first_lay(table, tiles)), (table, Pass(1))], tiles)
    assert (finding.step, finding.code, finding.tile) == (1, RefusalCode.NOT_YOUR_TURN, None)
