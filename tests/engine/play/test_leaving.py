"""Seats that leave the table for good, and how the others play on. [docs/rules.md §7.11]"""

from engine.play.apply import apply, score_round
from engine.play.calls import apply_calls, calls_due
from engine.play.judge import why_illegal
from engine.play.leavers import leave
from engine.play.playable import draw_due
from engine.scoring import round_scores
from engine.table.events import TurnBegan
from engine.table.moves import Catch, Done, DrawTile, Pass, Tap
from engine.table.table import Ending, Outcome, RoundPhase
from engine.table.trains import TrainId
from engine.tiles import Tile
from tests.engine.play.small_tables import ANN, BOB, CY, DEB, lay, mixed, opened, table_of


def test_who_leaves_in_its_own_turn_ends_it():
    """Bob has drawn and leaves: it is Cy's turn, who may draw in its turn."""
    table, _ = apply(lay(table_of(5, 5, 5, boneyard=7), 1, 6), DrawTile(BOB))
    after, events = mixed(leave(table, [BOB]))
    assert (after.to_move, after.drawn, events) == (CY, False, (TurnBegan(CY),))


def test_a_double_comes_home_past_who_left():
    """§5.4: Bob has failed and Cy is gone, so Ann draws until she can cover her 1-1."""
    switches = {"continuous_draw": "yes", "cover": "layer-may"}
    table = lay(opened(6, 5, 5, boneyard=9, **switches), 0, 0)
    assert table.owed
    table, _ = apply(table, Done(ANN))
    table, _ = apply(apply(table, DrawTile(BOB))[0], Pass(BOB))
    table, _ = mixed(leave(table, [CY]))
    assert table.to_move == ANN
    table, _ = apply(table, DrawTile(ANN))
    assert draw_due(table)
    assert why_illegal(table, Pass(ANN)) is not None


def test_a_partner_plays_on_alone_for_the_pair():
    """Ann and Cy are partners: Cy's forfeit counts for both, and their train is not public."""
    table = table_of(4, 4, 4, 4, boneyard=8, partners="yes")
    table, _ = mixed(leave(table, [CY]))
    assert not table.train(TrainId(CY)).marker
    table = lay(table, 0, 6, train=TrainId(CY))
    assert table.to_move == BOB
    forfeit = dict(table.game.forfeits)[CY]
    hands = [[Tile(1, 1)] * 3, [Tile(2, 2)] * 4, [], [Tile(0, 1)] * 4]
    scores = round_scores(table.rules, Outcome(Ending.BLOCKED, None), hands, table.game)
    assert scores == (6 + forfeit, 20, 6 + forfeit, 20)


def test_a_lone_partner_that_fails_puts_the_marker_up():
    """Nobody is left whose turn could have been the better one."""
    table, _ = mixed(leave(table_of(4, 4, 4, 4, boneyard=8, partners="yes"), [CY]))
    table, _ = apply(apply(table, DrawTile(ANN))[0], Pass(ANN))
    assert table.train(TrainId(ANN)).marker
    assert table.train(TrainId(CY)).marker


def test_when_both_partners_have_left_their_train_is_public():
    """Both its ends."""
    table, _ = mixed(leave(table_of(4, 4, 4, 4, boneyard=8, partners="yes"), [ANN, CY]))
    assert [train.marker for train in table.trains[:4]] == [True, False, True, False]
    assert table.to_move == BOB


def test_a_seat_may_leave_while_the_boneyard_is_made():
    """Its tiles join those that are to be shuffled."""
    waiting = leave(leave(opened(5, 5, 5, 5, boneyard=7), [DEB]), [ANN])
    assert waiting.reshuffle.size == 7 + 4 + 4
    after, _ = mixed(waiting)
    assert after.to_move == BOB
    assert leave(waiting, [BOB]).outcome == Outcome(Ending.LEFT, None)


def test_who_left_silently_is_not_to_be_caught():
    """§7.7: Bob has left himself one tile, and leaves: nobody is due to call."""
    table = opened(4, 2, 4, 4, last_tile="tap", tap_penalty="2")
    assert calls_due(table) == (ANN, BOB, CY, DEB)
    assert calls_due(mixed(leave(table, [BOB]))[0]) == ()
    assert calls_due(mixed(leave(table, [CY]))[0]) == (ANN, BOB, DEB)


def test_the_seat_before_one_that_left_has_just_played():
    """§7.7: with Cy gone it is Deb's turn after Bob's, and Bob's tap is still in time."""
    table, _ = mixed(leave(table_of(4, 2, 4, 4, last_tile="tap", tap_penalty="2"), [CY]))
    table = lay(lay(table, 0, 6), 1, 6)
    assert table.to_move == DEB
    told, _ = apply_calls(table, [Tap(BOB), Catch(ANN, BOB)])
    assert len(told.hands[BOB]) == 1


def test_a_finished_game_stays_as_it_is():
    """A seat that goes when all is scored changes nothing."""
    over = leave(opened(5, 5, 5), [BOB, CY])
    finished, _ = score_round(over, [[Tile(5, 5)] * 4, [], []])
    assert finished.phase is RoundPhase.FINISHED
    assert leave(finished, [ANN]) == finished
