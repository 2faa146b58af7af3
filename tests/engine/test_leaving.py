"""Seats that leave the table for good. [docs/rules.md §7.11]"""

from dataclasses import replace

from engine.chance import seeded
from engine.play.apply import apply, reshuffled, score_round
from engine.play.calls import apply_calls, calls_due
from engine.play.due import due_seats
from engine.play.judge import unseen_tiles, why_illegal
from engine.play.leavers import leave, rebuilt, void_round
from engine.play.legality import legal_moves
from engine.play.playable import draw_due
from engine.rules.choose import RuleSet
from engine.rules.switches import BlockedWinner
from engine.scoring import round_scores, winners
from engine.table.breaches import status
from engine.table.events import RoundEnded, TurnBegan
from engine.table.moves import (
    Catch,
    Declare,
    Done,
    DrawTile,
    LayHub,
    LayTile,
    NoDouble,
    Pass,
    PullBack,
    Silent,
    Tap,
    TurnUp,
)
from engine.table.rounds import begin_round, next_round, round_winner
from engine.table.table import Ending, Hand, Outcome, RoundPhase
from engine.table.trains import Position, Seat, TrainId
from engine.table.turn import FRESH, Aside, TurnStep
from engine.tiles import Tile
from lab.rounds.rollout import rollout
from tests.engine.deals import spec_of

ANN, BOB, CY, DEB = map(Seat, range(4))


def table_of(*sizes, boneyard=None, first=ANN, rounds=2, **switches):
    """A double-six table in its first round, with hands of these sizes."""
    named = {name.rstrip("_"): value for name, value in switches.items()}
    spec = spec_of(6, len(sizes), rounds, **named)
    return begin_round(
        spec, 0, first, Tile(6, 6), past=(), hand_sizes=sizes, boneyard_count=boneyard
    )


def lay(table, low, high, on=-1, train=None, at=0):
    """The seat in turn lays the tile at a place of its hand, by default on its own train."""
    seat = table.to_move
    train = TrainId(seat) if train is None else train
    ends = [end for end in table.train(train).ends if end.pip in (low, high)]
    return apply(
        table,
        LayTile(seat, table.hands[seat][at], Tile(low, high), train, ends[0].on, ends[0].pip),
    )[0]


def mixed(table):
    """The table with its new boneyard, of positions that nothing had before."""
    fresh = [Position(100 + at) for at in range(table.reshuffle.size)]
    return rebuilt(table, fresh)


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


def test_when_one_seat_is_left_the_round_and_the_game_are_over():
    """Nobody plays alone: the round is scored, and who stayed has won whatever it holds."""
    table = lay(table_of(5, 5, 5, boneyard=0), 1, 6)
    over = leave(table, [BOB, CY])
    assert over.phase is RoundPhase.OVER
    assert over.outcome.ending is Ending.LEFT
    scored, events = score_round(over, [[Tile(5, 5)] * 4, [], []])
    assert scored.phase is RoundPhase.FINISHED
    assert events[-1].winners == (ANN,)


def test_who_leaves_forfeits_the_heaviest_unseen_tiles():
    """Of what nobody has seen, Bob's five are 5-5, 6-4, 5-4, 6-3, 4-4 at their worst."""
    table = leave(lay(table_of(5, 5, 5, boneyard=0), 5, 6), [BOB])
    assert table.aside.forfeits == ((BOB, 10 + 10 + 9 + 9 + 8),)


def test_a_round_that_is_given_up_is_dealt_again():
    """Nobody scores; the double and the lead are the same, and who left gets no tiles."""
    table = lay(table_of(5, 5, 5, boneyard=7, first=BOB), 1, 6)
    void = void_round(table, [CY])
    assert void.phase is RoundPhase.SCORED
    assert void.outcome.ending is Ending.VOID
    assert void.past == ()
    again = next_round(void)
    assert (again.round_number, again.hub, again.to_move) == (0, Tile(6, 6), BOB)
    hand = again.spec.hand
    assert [len(held) for held in again.hands] == [hand, hand, 0]
    assert len(again.boneyard) == 27 - 2 * hand
    assert again.aside.forfeits[0][0] == CY
    assert status(void) == status(again) == ()


def test_the_lead_goes_round_those_who_are_left():
    """Bob has led and Cy, who would be next, has left: Deb leads."""
    table = void_round(table_of(5, 5, 5, 5, first=CY), [CY])
    assert next_round(table).first == DEB


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


def test_a_seat_that_drew_nobody_asks_for_the_engine():
    """After Cy has left, Ann and Bob answer for the double, and that is all who are asked."""
    table = table_of(5, 5, 5, 5, first=ANN, engine="holder")
    table = next_round(void_round(table, [CY]))
    assert table.phase is RoundPhase.ENGINE
    assert due_seats(table) == (ANN, BOB, DEB)
    for seat in (ANN, BOB, DEB):
        table, _ = apply(table, NoDouble(seat))
    assert table.aside.seek.step is TurnStep.ALL_DRAW
    assert due_seats(table) == (ANN, BOB, DEB)


def test_an_engine_that_was_laid_in_a_round_given_up_may_be_laid_again():
    """Where each double is used once, the voided round has used none."""
    spec = spec_of(6, 3, 2, engine="declared")
    table = begin_round(spec, 0, ANN, None, past=())
    table, _ = apply(table, Declare(BOB, table.hands[BOB][0], Tile(6, 6)))
    assert table.aside.hubs == (Tile(6, 6),)
    again = next_round(void_round(table, [CY]))
    assert Tile(6, 6) in again.aside.seek.asked


def test_who_left_turns_up_nothing_for_the_first_turn():
    """Three seats of four draw for the lead, and the highest of them begins."""
    table = next_round(void_round(table_of(5, 5, 5, 5, first=ANN, first_="high-draw"), [BOB]))
    assert due_seats(table) == (ANN, CY, DEB)
    for seat, tile in ((ANN, Tile(1, 2)), (CY, Tile(5, 6)), (DEB, Tile(3, 3))):
        table, _ = apply(table, TurnUp(seat, table.boneyard[seat], tile))
    assert table.phase is RoundPhase.RESHUFFLE
    assert table.first == CY
    table = reshuffled(table, [Position(50 + at) for at in range(table.reshuffle.size)])
    assert [bool(held) for held in table.hands] == [True, False, True, True]
    assert table.to_move == CY


def test_an_opening_of_all_at_once_is_that_of_all_who_are_left():
    """Bob has left: when Ann and Cy have laid their chains it is the first seat's turn."""
    table = next_round(void_round(table_of(5, 5, 5, opening="simultaneous"), [BOB]))
    assert due_seats(table) == (ANN, CY)
    for seat, tile in ((ANN, Tile(1, 6)), (CY, Tile(2, 6))):
        table, _ = apply(table, LayTile(seat, table.hands[seat][0], tile, TrainId(seat), -1, 6))
        table, _ = apply(table, Done(seat))
    assert (table.phase, table.to_move) == (RoundPhase.PLAY, ANN)
    assert not table.opening


def test_the_chain_of_who_leaves_stays_and_its_last_double_is_owed():
    """Bob leaves in the middle of his first train: once Cy has opened, Ann owes his 1-1."""
    table = table_of(6, 6, 6, first=ANN, opening="whole-train")
    table, _ = apply(lay(table, 2, 6), Done(ANN))
    table = lay(lay(table, 1, 6), 1, 1)
    after, _ = mixed(leave(table, [BOB]))
    assert after.to_move == CY
    assert after.owed == ()
    after, _ = apply(lay(after, 3, 6), Done(CY))
    assert after.to_move == ANN
    assert [owed.tile for owed in after.owed] == [Tile(1, 1)]


def opened(*sizes, **switches):
    """A table on which every seat has laid the first tile of its train."""
    table = table_of(*sizes, **switches)
    for low in range(len(sizes)):
        table = lay(table, low, 6)
    return table


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


def test_in_the_next_round_who_left_has_no_train():
    """Nobody begins the train of a seat that was gone before the deal, marker or no marker."""
    table, _ = mixed(leave(opened(2, 5, 5, boneyard=4), [BOB]))
    table, _ = score_round(lay(table, 0, 5), [[], [], [Tile(1, 1)] * 4])
    table = next_round(table)
    assert (table.round_number, table.hub, table.to_move) == (1, Tile(5, 5), CY)
    table = lay(lay(table, 1, 5), 2, 5)
    refusal = why_illegal(table, LayTile(CY, table.hands[CY][0], Tile(3, 5), TrainId(BOB), -1, 5))
    assert refusal.code.value == "train-closed"


def test_who_leaves_scores_the_forfeit_once_and_then_nothing():
    """Bob scores the four heaviest tiles in the round he left, then 0, and never wins."""
    table, _ = mixed(leave(opened(2, 5, 5, boneyard=4), [BOB]))
    table, _ = score_round(lay(table, 0, 5), [[], [], [Tile(1, 1)] * 4])
    assert table.past == ((0, 11 + 10 + 10 + 9, 8),)
    table = next_round(table)
    assert table.aside.forfeits == ()
    table = leave_all_hands(table)
    table, events = score_round(table, [[Tile(4, 4)], [], [Tile(4, 4)]])
    assert table.past[1] == (8, 0, 8)
    assert round_winner(table) == ANN
    assert events[-1].winners == (ANN,)


def leave_all_hands(table):
    """The round blocked, with one tile in each hand that there is."""
    outcome = Outcome(Ending.BLOCKED, None)
    hands = tuple(held[:1] for held in table.hands)
    return table._replace(phase=RoundPhase.OVER, outcome=outcome, hands=hands)


def test_what_is_forfeited_in_a_round_given_up_is_scored_when_it_is_dealt_again():
    """A round that is dealt again is the same round: leaving it costs the same."""
    table = next_round(void_round(opened(5, 5, 5), [BOB]))
    ((seat, points),) = table.aside.forfeits
    table, _ = score_round(leave_all_hands(table), [[Tile(0, 1)], [], [Tile(0, 2)]])
    assert seat == BOB
    assert table.past == ((1, points, 2),)


def test_a_blocked_round_gives_nothing_for_having_left():
    """§7.3: the lowest hand of those who are left scores 0 under `blocked-winner=zero`."""
    zero = RuleSet(blocked_winner=BlockedWinner.ZERO)
    hands = [[Tile(1, 2)], [], [Tile(4, 4)]]
    assert round_scores(zero, Outcome(Ending.BLOCKED, None), hands, Aside(gone=0b010)) == (0, 0, 8)


def test_a_partner_plays_on_alone_for_the_pair():
    """Ann and Cy are partners: Cy's forfeit counts for both, and their train is not public."""
    table = table_of(4, 4, 4, 4, boneyard=8, partners="yes")
    table, _ = mixed(leave(table, [CY]))
    assert not table.train(TrainId(CY)).marker
    table = lay(table, 0, 6, train=TrainId(CY))
    assert table.to_move == BOB
    forfeit = dict(table.aside.forfeits)[CY]
    hands = [[Tile(1, 1)] * 3, [Tile(2, 2)] * 4, [], [Tile(0, 1)] * 4]
    blocked = Outcome(Ending.BLOCKED, None)
    scores = round_scores(table.rules, blocked, hands, table.aside)
    assert scores == (6 + forfeit, 20, 6 + forfeit, 20)
    zero = replace(table.rules, blocked_winner=BlockedWinner.ZERO)
    assert round_scores(zero, blocked, hands, Aside(gone=1 << CY)) == (0, 20, 0, 20)


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
    assert table.aside.last is not None
    after, _ = mixed(leave(table, [CY]))
    assert after.aside.last is None
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


def test_between_rounds_a_seat_leaves_without_a_forfeit():
    """A scored round stays scored, and a finished game stays as it is."""
    over = leave_all_hands(opened(5, 5, 5))
    scored, _ = score_round(over, [[Tile(1, 1)], [Tile(2, 2)], [Tile(3, 3)]])
    after = leave(scored, [ANN])
    assert (after.phase, after.past) == (RoundPhase.SCORED, scored.past)
    assert next_round(after).aside.forfeits == ()
    assert winners(after) == (BOB,)
    finished = leave(after, [BOB])
    assert (finished.phase, winners(finished)) == (RoundPhase.FINISHED, (CY,))
    assert leave(finished, [CY]) == finished


def test_who_leaves_before_its_hand_is_opened_forfeits():
    """The round is over and Cy will not show: it scores as if it had left before the end."""
    over = leave(leave_all_hands(opened(5, 5, 5)), [CY])
    assert over.phase is RoundPhase.OVER
    scored, _ = score_round(over, [[Tile(1, 1)], [Tile(2, 2)], []])
    assert scored.past == ((2, 4, 11),)


def test_a_round_is_played_out_at_random_without_who_left():
    """Search takes the long way at such a table, and comes to an end."""
    table, _ = mixed(leave(opened(5, 5, 5), [BOB]))
    tiles = dict(zip(table.boneyard, unseen_tiles(table), strict=False))
    left = [tile for tile in unseen_tiles(table) if tile not in tiles.values()]
    tiles |= dict(zip((at for held in table.hands for at in held), left, strict=True))
    end = rollout(table, tiles, seeded(b"end"))
    assert end.hands[BOB] == ()
    assert end.outcome.ending in (Ending.OUT, Ending.BLOCKED)


def test_who_is_out_may_leave_before_the_others_have_opened():
    """§3.5: Ann has laid all she had and leaves with nothing; the round still ends by her."""
    table = table_of(1, 3, 3, boneyard=0, opening="whole-train")
    waiting = leave(lay(table, 1, 6), [ANN])
    assert waiting.reshuffle.size == 0
    table, events = rebuilt(waiting, ())
    assert (table.to_move, table.boneyard, events) == (BOB, (), ())
    for low in (2, 3):
        table, _ = apply(lay(table, low, 6), Done(table.to_move))
    assert table.outcome == Outcome(Ending.OUT, ANN)
    scored, _ = score_round(table, [[], [Tile(1, 1)] * 2, [Tile(2, 2)] * 2])
    assert scored.past == ((0, 4, 8),)
    assert winners(scored) == (BOB,)


def without_bob(boneyard=4, *, winner=None, **switches):
    """Ann and Cy look for the engine; Bob has left in an earlier round."""
    spec = spec_of(6, 3, 2, **switches)
    sizes, hub = (5, 0, 5), Tile(6, 6) if switches["engine"] == "holder" else None
    return begin_round(
        spec,
        0,
        ANN,
        hub,
        past=(),
        hand_sizes=sizes,
        boneyard_count=boneyard,
        winner=winner,
        gone=1 << BOB,
    )


def test_the_seat_after_who_laid_the_engine_is_one_that_is_here():
    """§1.5: under `after-layer` Cy begins when Ann has laid it, Bob having left."""
    table = without_bob(engine="holder", first="after-layer")
    table, _ = apply(table, LayHub(ANN, table.hands[ANN][0], Tile(6, 6)))
    assert (table.first, table.to_move) == (CY, CY)


def test_all_draw_as_long_as_the_boneyard_serves_those_who_are_here():
    """§1.6: two tiles are enough for Ann and Cy; one is not, and the round is dealt again."""
    for boneyard, phase in ((2, RoundPhase.ENGINE), (1, RoundPhase.SCORED)):
        table = without_bob(boneyard, engine="holder")
        for seat in (ANN, CY):
            table, _ = apply(table, NoDouble(seat))
        assert table.phase is phase


def test_seats_that_are_here_turn_up_tiles_and_pull():
    """§1.7: Bob has won the last round and left: Cy turns up first, and Ann pulls from Cy."""
    table = without_bob(engine="declared", winner=BOB)
    while table.aside.seek.step is TurnStep.ASK:
        table, _ = apply(table, Silent(due_seats(table)[0]))
    for seat in (ANN, CY):
        table, _ = apply(table, NoDouble(seat))
    assert (table.aside.seek.step, due_seats(table)) == (TurnStep.TURN, (CY,))
    found = table.boneyard[0]
    table, _ = apply(table, TurnUp(CY, found, Tile(6, 6)))
    table, _ = apply(table, LayHub(CY, found, Tile(6, 6)))
    assert due_seats(table) == (ANN,)
    table, _ = apply(table, PullBack(ANN, CY, table.hands[CY][0]))
    assert table.phase is RoundPhase.RESHUFFLE


def test_a_turn_is_over_for_who_leaves_while_the_boneyard_is_made():
    """Bob's opening ends on 1-1, Deb leaves, then he does: Ann owes it, as if both had gone."""
    table = table_of(6, 6, 6, 6, first=ANN, opening="whole-train")
    table, _ = apply(lay(table, 2, 6), Done(ANN))
    table = lay(lay(table, 1, 6), 1, 1)
    one_by_one, _ = mixed(leave(leave(table, [DEB]), [BOB]))
    together, _ = mixed(leave(table, [BOB, DEB]))
    assert one_by_one.to_move == together.to_move == CY
    for after in (one_by_one, together):
        after, _ = apply(lay(after, 3, 6), Done(CY))
        assert [owed.tile for owed in after.owed] == [Tile(1, 1)]


def test_a_double_that_lies_open_is_nothing_that_nobody_had_seen():
    """Ann has laid what she turned up, and a tile is still to be pulled: 6-6 is seen by all."""
    table = begin_round(
        spec_of(6, 3, 2, engine="declared"), 0, ANN, None, past=(), hand_sizes=(2, 2, 2)
    )
    while table.aside.seek.step is TurnStep.ASK:
        table, _ = apply(table, Silent(due_seats(table)[0]))
    for seat in (ANN, BOB, CY):
        table, _ = apply(table, NoDouble(seat))
    found = table.boneyard[0]
    table, _ = apply(table, TurnUp(ANN, found, Tile(6, 6)))
    table, _ = apply(table, LayHub(ANN, found, Tile(6, 6)))
    assert table.aside.seek.step is TurnStep.PULL
    assert void_round(table, [BOB]).aside.forfeits == ((BOB, 11 + 10),)
