"""The audit finds every lie once the hands are open."""

import pytest

from engine.audit import audit
from engine.notation.notation import parse
from engine.notation.position import known_hand
from engine.notation.referee import follow
from engine.play.judge import hidden_claim, playable_tiles, why_illegal
from engine.play.playable import draw_due
from engine.refusals import RefusalCode
from engine.table.moves import DrawTile, LayTile, Pass
from engine.table.trains import Seat, TrainId
from engine.tiles import Tile
from lab.rounds.any_move import choose_any
from tests.engine.deals import dealt, first_lay, played, spec_of
from tests.engine.play.small_tables import BOB, lay, marked, table_of


def test_an_honest_round_is_clean():
    """The audit finds nothing in an honest round."""
    history, end = played(spec_of(9, 4), b"honest", choose_any)
    assert history
    assert audit(history, end.tiles) is None


def tile_of(finding):
    """Return the tile that a finding names."""
    return dict(finding.refusal.facts)["tile"]


def test_a_draw_with_a_playable_tile_is_found():
    """If a seat draws although it could lay, the finding names it and a tile that it could lay."""
    table, tiles = dealt(spec_of(9, 4))
    lay = first_lay(table, tiles)
    draw = DrawTile(table.to_move)
    finding = audit([(table, draw)], tiles)
    assert (finding.seat, finding.refusal.code) == (lay.seat, RefusalCode.PLAYABLE_TILE)
    assert tile_of(finding) in playable_tiles(table, table.to_move)


def test_a_tile_that_was_not_there_is_found():
    """A lay that names a tile other than the one at its position is found."""
    table, tiles = dealt(spec_of(9, 4))
    lay = first_lay(table, tiles)
    others = [tile for tile in playable_tiles(table, lay.seat) if tile != lay.tile]
    lie = LayTile(lay.seat, lay.position, others[0], lay.train, lay.on, lay.joined)
    finding = audit([(table, lie)], tiles)
    assert (finding.refusal.code, tile_of(finding)) == (RefusalCode.NOT_YOUR_TILE, others[0])
    assert finding.refusal.rule.startswith("rules.md §")


def test_a_move_that_was_illegal_for_all_to_see_is_found():
    """The audit also finds a move whose fault everybody could see."""
    table, tiles = dealt(spec_of(9, 4))
    finding = audit([(table, first_lay(table, tiles)), (table, Pass(1))], tiles)
    assert (finding.seat, finding.refusal.code) == (1, RefusalCode.NOT_YOUR_TURN)


def _after_a_double(rest):
    """Return a table where Ann, with `rest` in hand, has laid 5-5 and Bob's public end is 4."""
    hands = [(Tile(5, 6), Tile(5, 5), *rest), (Tile(4, 6), Tile(0, 0)), (Tile(3, 6), Tile(0, 2))]
    tiles = dict(enumerate(tile for held in hands for tile in held))
    table = table_of(*map(len, hands), several="two-held")
    for low in (5, 4, 3):
        table = lay(table, low, 6)
    return lay(marked(table, BOB), 5, 5), tiles


def test_a_draw_with_a_pair_is_found_though_no_single_tile_is_playable():
    """§5.8: the audit finds the draw of a seat that holds a double and its cover.

    The draw's claim is true, because it is about single tiles only.
    """
    pair = (Tile(4, 4), Tile(2, 4), Tile(0, 1))
    table, tiles = _after_a_double(pair)
    draw = DrawTile(Seat(0))
    assert why_illegal(table, draw) is None
    assert not set(hidden_claim(table, draw)) & set(pair)
    finding = audit([(table, draw)], tiles)
    assert (finding.seat, finding.refusal.code) == (Seat(0), RefusalCode.PLAYABLE_TILE)
    assert (tile_of(finding), finding.refusal.rule) == (Tile(4, 4), "rules.md §5.8")


def test_either_half_of_a_pair_may_be_held_at_a_draw():
    """§5.8: a draw with only the double, or only the cover, is honest."""
    for rest in ((Tile(4, 4), Tile(0, 1)), (Tile(2, 4), Tile(0, 1))):
        table, tiles = _after_a_double(rest)
        assert audit([(table, DrawTile(Seat(0)))], tiles) is None


PROVED_BY_NOBODY = {
    "§5.8": """with: several=two-held
set: 9
seats: Ann Bob
hand Ann: 9-5 9-4 5-5 4-4 4-1
hand Bob: 9-8 8-2 2-2
boneyard: 6-3

Ann 9-5 Ann
Bob 9-8 Bob
Ann 9-4 mexican
Bob 8-2 Bob
Ann 5-5 Ann
! Ann draw : playable-tile
""",
    "§7.8": """with: round-end=last-plays wild-blanks=yes
set: 9
seats: Ann Bob
hand Ann: 9-5 1-1 6-6
hand Bob: 9-4 0-0 7-3
boneyard: 7-7

Ann 9-5 Ann
Bob 9-4 Bob
Ann draw
Ann pass
! Bob pass : playable-tile
""",
    "§3.5": """with: opening=whole-train opening-double=refused wild-blanks=yes
set: 9
seats: Ann Bob
hand Ann: 0-0 7-3
hand Bob: 9-4 7-1
boneyard: 7-7

! Ann draw : playable-tile
""",
}
"""Draws and passes that deny two tiles at once, by the section with the rule. [§7.6]"""


@pytest.mark.parametrize("rule", PROVED_BY_NOBODY)
def test_a_double_and_its_follower_are_denied_by_no_proof_and_found_by_the_audit(rule):
    """The public judge and the claim allow the denial of a pair; only the audit finds it."""
    *_, (verdict, setting) = follow(parse(PROVED_BY_NOBODY[rule]))
    table, hand = setting.table, known_hand(setting, setting.table.to_move)
    move = DrawTile(hand.seat) if draw_due(table) else Pass(hand.seat)
    assert verdict.ok, verdict
    assert verdict.refusal.rule == f"rules.md {rule}"
    assert why_illegal(table, move) is None
    assert not set(hidden_claim(table, move)) & {tile for _, tile in hand.tiles}
    assert audit([(table, move)], dict(hand.tiles)).refusal.rule == f"rules.md {rule}"


def test_a_first_turn_elsewhere_without_a_start_is_found_by_the_audit_alone():
    """§3.6: Cy lays on Ann's train without a start of his own, which only his open hand shows."""
    *_, (verdict, setting) = follow(
        parse(
            "with: opening-elsewhere=may\nset: 9\nseats: Ann Bob Cy\nhand Ann: 1-1 2-2\n"
            "hand Bob: 9-8 9-7 3-3\nhand Cy: 8-1 5-5\nboneyard: 4-4 6-6\n"
            "Ann draw\nAnn pass\nBob 9-8 Ann\n! Cy 8-1 Ann : train-closed\n"
        )
    )
    table, hand = setting.table, known_hand(setting, Seat(2))
    position = next(at for at, tile in hand.tiles if tile == Tile(1, 8))
    move = LayTile(Seat(2), position, Tile(1, 8), TrainId(0), 0, 8)
    assert verdict.ok, verdict
    assert why_illegal(table, move) is None
    assert hidden_claim(table, move) is None
    finding = audit([(table, move)], dict(hand.tiles))
    assert (finding.seat, finding.refusal.rule) == (2, "rules.md §3.6")
