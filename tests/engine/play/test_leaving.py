"""Seats that leave the table for good, and how the others play on. [docs/rules.md §7.11]"""

from dataclasses import replace

from engine.play.apply import apply
from engine.play.calls import apply_calls, calls_due
from engine.play.due import due_seats
from engine.play.judge import unseen_tiles, why_illegal
from engine.play.leavers import leave
from engine.play.legal_moves import legal_moves
from engine.play.playable import draw_due
from engine.rules.switches import BlockedWinner
from engine.scoring import round_scores
from engine.table.events import RoundEnded, TurnBegan
from engine.table.moves import Catch, Done, DrawTile, LayTile, Pass, Tap
from engine.table.table import Ending, Hand, Outcome, RoundPhase
from engine.table.trains import TrainId
from engine.table.turn import FRESH, GameMemory
from engine.tiles import Tile
from lab.rounds.breaches import status
from lab.rounds.rollout import rollout
from tests.engine.play.small_tables import ANN, BOB, CY, DEB, lay, mixed, opened, table_of


def test_the_tiles_of_who_leaves_flow_back():
    """Three play on with a boneyard that is larger by the hand of the fourth."""
    table = lay(table_of(5, 5, 5, 5, boneyard=7), 1, 6)
    assert table.to_move == BOB
    waiting = leave(table, [DEB])
    assert waiting.phase is RoundPhase.RESHUFFLE
    assert due_seats(waiting) == ()
    assert waiting.boneyard == ()
    assert waiting.reshuffle.size == 7 + 5
    after, events = mixed(waiting)
    assert (after.phase, after.to_move, events) == (RoundPhase.PLAY, BOB, ())
    assert [len(held) for held in after.hands] == [4, 5, 5, 0]
    assert len(after.boneyard) == 12
    assert after.present == (ANN, BOB, CY)
    assert after.train(TrainId(DEB)).marker
    assert status(waiting) == status(after) == ()


def test_the_turns_of_who_left_go_by():
    """After Bob comes Cy, and after Cy comes Ann, when Deb has left; turns are counted on."""
    table, _ = mixed(leave(lay(table_of(5, 5, 5, 5, boneyard=7), 1, 6), [DEB]))
    table = lay(lay(table, 2, 6), 3, 6)
    assert table.to_move == ANN
    assert table.turns == 4
    assert not table.opening
    assert why_illegal(table, Pass(DEB)) is not None


def test_who_leaves_in_its_own_turn_ends_it():
    """Bob has drawn and leaves: it is Cy's turn, who may draw in its turn."""
    table, _ = apply(lay(table_of(5, 5, 5, boneyard=7), 1, 6), DrawTile(BOB))
    waiting = leave(table, [BOB])
    assert not waiting.drawn
    after, events = mixed(waiting)
    assert after.to_move == CY
    assert events == (TurnBegan(CY),)
    assert not after.drawn
    assert len(after.boneyard) == 6 + 6


def test_a_double_of_who_leaves_is_owed_by_the_others():
    """Ann lays a double and leaves before she covers it: Bob owes it, and nothing else is open."""
    table = lay(table_of(5, 5, 5, boneyard=7), 1, 6)
    for low, high in ((2, 6), (3, 6), (1, 1)):
        table = lay(table, low, high)
    assert table.to_move == ANN
    waiting = leave(table, [ANN])
    assert waiting.turn == FRESH
    after, _ = mixed(waiting)
    assert after.to_move == BOB
    assert [owed.tile for owed in after.owed] == [Tile(1, 1)]
    refusal = why_illegal(after, LayTile(BOB, after.hands[BOB][0], Tile(2, 4), TrainId(BOB), 0, 2))
    assert refusal.code.value == "owed-double"


def test_a_round_blocks_when_all_who_are_left_have_passed():
    """With an empty boneyard nobody asks Cy, who is gone; the last marker is Ann's."""
    table, _ = mixed(leave(table_of(2, 2, 1, boneyard=0), [CY]))
    table = lay(table, 1, 6)
    table, _ = apply(table, DrawTile(BOB))
    table, _ = apply(table, Pass(BOB))
    assert table.to_move == ANN
    table, _ = apply(table, Pass(ANN))
    assert table.phase is RoundPhase.PLAY
    assert table.to_move == BOB
    table, events = apply(table, Pass(BOB))
    assert events[-1] == RoundEnded(Ending.BLOCKED, None)


def test_the_train_of_who_left_is_public_whoever_lays_there():
    """Ann lays on the train of Bob, who has left, and so may Cy after her."""
    table, _ = mixed(leave(opened(5, 5, 5), [BOB]))
    table = lay(table, 1, 5, train=TrainId(BOB))
    assert table.to_move == CY
    assert table.train(TrainId(BOB)).marker
    assert lay(table, 3, 5, train=TrainId(BOB)).train(TrainId(BOB)).marker


def test_any_play_takes_down_the_marker_of_who_left():
    """Where whoever lays takes the marker down, that holds of such a train, too, and for good."""
    table, _ = mixed(leave(opened(5, 5, 5, marker_down="any-play"), [BOB]))
    table = lay(lay(table, 1, 5, train=TrainId(BOB)), 2, 3, train=TrainId(CY))
    assert table.to_move == ANN
    assert not table.train(TrainId(BOB)).marker


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
    blocked = Outcome(Ending.BLOCKED, None)
    scores = round_scores(table.rules, blocked, hands, table.game)
    assert scores == (6 + forfeit, 20, 6 + forfeit, 20)
    zero = replace(table.rules, blocked_winner=BlockedWinner.ZERO)
    assert round_scores(zero, blocked, hands, GameMemory(gone=1 << CY)) == (0, 20, 0, 20)


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


def test_last_plays_begin_anew_once_there_was_a_boneyard_again():
    """§7.8: Cy, who has one of the last plays, leaves its tiles to be drawn first."""
    table = opened(5, 5, 5, boneyard=1, round_end="last-plays")
    table, _ = apply(apply(table, DrawTile(ANN))[0], Pass(ANN))
    assert table.memory.last is not None
    after, _ = mixed(leave(table, [CY]))
    assert after.memory.last is None
    assert DrawTile(BOB) in legal_moves(after, Hand(BOB, ()))


def test_who_left_neither_calls_nor_is_caught():
    """§7.7: Bob has left himself one tile silently, and leaves: nobody is due to call."""
    table = opened(4, 2, 4, 4, last_tile="tap", tap_penalty="2")
    assert calls_due(table) == (ANN, BOB, CY, DEB)
    assert why_illegal(table, Catch(ANN, BOB)) is None
    after, _ = mixed(leave(table, [BOB]))
    assert calls_due(after) == ()
    assert calls_due(mixed(leave(table, [CY]))[0]) == (ANN, BOB, DEB)
    assert why_illegal(mixed(leave(table, [CY]))[0], Catch(CY, BOB)) is not None


def test_the_seat_before_one_that_left_has_just_played():
    """§7.7: with Cy gone it is Deb's turn after Bob's, and Bob's tap is still in time."""
    table, _ = mixed(leave(table_of(4, 2, 4, 4, last_tile="tap", tap_penalty="2"), [CY]))
    table = lay(lay(table, 0, 6), 1, 6)
    assert table.to_move == DEB
    told, _ = apply_calls(table, [Tap(BOB), Catch(ANN, BOB)])
    assert len(told.hands[BOB]) == 1


def test_a_round_is_played_out_at_random_without_who_left():
    """Search takes the long way at such a table, and comes to an end."""
    table, _ = mixed(leave(opened(5, 5, 5), [BOB]))
    tiles = dict(zip(table.boneyard, unseen_tiles(table), strict=False))
    left = [tile for tile in unseen_tiles(table) if tile not in tiles.values()]
    tiles |= dict(zip((at for held in table.hands for at in held), left, strict=True))
    end = rollout(table, tiles)
    assert end.hands[BOB] == ()
    assert end.outcome.ending in (Ending.OUT, Ending.BLOCKED)
