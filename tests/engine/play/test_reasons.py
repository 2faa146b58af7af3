"""Refusals name the rule that forbids a move, not a similar one."""

from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.judge import why_illegal, why_illegal_holding
from engine.refusals import RefusalReason as Reason
from engine.table.moves import Done, DrawTile, LayTile, Pass
from engine.table.trains import MEXICAN, TrainId
from engine.table.turn import LastTurns
from engine.tiles import Tile
from tests.engine.play.small_tables import ANN, BOB, holding, lay, marked, opened, table_of


def onto(table, tile, train, joined):
    """Return why the seat to move may not lay `tile` on this train, or None if it may.

    The tile is taken to be at the first place of the hand.
    """
    end = table.train(train).ends[0]
    at = table.hands[table.to_move][0]
    refusal = why_illegal(table, LayTile(table.to_move, at, tile, train, end.on, joined))
    return refusal and refusal.reason


def test_a_first_turn_that_may_go_to_the_mexican_train_is_told_so():
    """§4.2: the refusal of a lay in a first turn mentions the Mexican train.

    Under `first-player` only the first seat's refusal does.
    """
    for source, second in (("first-turn", Reason.FIRST_TURN_MEXICAN), ("first-player", None)):
        table = table_of(3, 3, 3, mexican_from=source)
        assert onto(table, Tile(1, 6), TrainId(1), 6) is Reason.FIRST_TURN_MEXICAN
        table = lay(table, 1, 6)
        assert onto(table, Tile(1, 2), TrainId(0), 1) is (second or Reason.FIRST_TURN)
    assert onto(table_of(3, 3), Tile(1, 6), TrainId(1), 6) is Reason.FIRST_TURN


def test_a_train_is_called_private_only_while_its_marker_is_down():
    """§3.6: a lay on another's train is refused as private only while its marker is down.

    With the marker up, the reason is that the seat holds no start for its own train. A seat that
    has drawn held none.
    """
    table = lay(table_of(3, 3, 3, opening_elsewhere="may"), 1, 6)
    assert onto(table, Tile(1, 2), TrainId(0), 1) is Reason.PRIVATE_TRAIN
    table = marked(table)
    hand = holding(table, Tile(1, 2), Tile(3, 3), Tile(2, 2))
    move = LayTile(BOB, hand.tiles[0][0], Tile(1, 2), TrainId(0), 0, 1)
    assert why_illegal_holding(table, hand, move).reason is Reason.START_NOT_HELD
    drawn, _ = apply(table, DrawTile(BOB))
    assert onto(drawn, Tile(1, 2), TrainId(0), 1) is Reason.START_NOT_HELD


def test_a_double_in_last_plays_is_refused_by_their_rule():
    """The refusal cites §7.8, and not §5.8 about several doubles in a turn."""
    table = opened(4, 4, 4, round_end="last-plays")
    memory = replace(table.memory, last=LastTurns(closing=False, left=3))
    table = replace(table, boneyard=(), memory=memory)
    assert onto(table, Tile(0, 0), TrainId(0), 0) is Reason.LAST_PLAY_ALONE


def test_who_may_not_draw_is_sent_to_a_word_that_is_allowed():
    """A seat that may not draw may say `done` or `pass` instead, depending on the rules.

    It is `done` under `cover=layer-may` (§5.2), and `pass` under `opening-miss=marker` (§3.2).
    """
    table = lay(opened(4, 4, 4, cover="layer-may"), 0, 0)
    assert why_illegal(table, DrawTile(ANN)).reason is Reason.NO_DRAW
    assert why_illegal(table, Done(ANN)) is None
    table = table_of(3, 3, 3, opening_miss="marker")
    assert why_illegal(table, DrawTile(ANN)).reason is Reason.NO_OPENING_DRAW
    assert why_illegal(table, Pass(ANN)) is None


def test_an_owed_double_is_named_by_the_rule_that_asks_for_its_tiles():
    """The refusal cites §4.3 while arms are missing, §5.7 for a double that takes three tiles.

    For any other owed double it cites §5.2.
    """
    arms = lay(table_of(4, 4, mexican="4-arms", branching="three-required"), 1, 6, train=MEXICAN)
    assert onto(arms, Tile(1, 2), MEXICAN, 1) is Reason.ARMS_OWED
    for low in (2, 3, 4):
        arms = lay(arms, low, 6, train=MEXICAN)
    arms = lay(arms, 2, 2, train=MEXICAN)
    assert onto(arms, Tile(1, 5), MEXICAN, 1) is Reason.THREE_OWED
    for branching, reason in (("three-required", Reason.THREE_OWED), ("none", Reason.DOUBLE_OWED)):
        table = lay(opened(4, 4, branching=branching), 0, 0)
        assert onto(table, Tile(3, 6), MEXICAN, 6) is reason
