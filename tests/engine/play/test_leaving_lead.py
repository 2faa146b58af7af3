"""Who opens, leads and finds the engine when seats have left. [docs/rules.md §7.11]"""

from engine.play.apply import apply, score_round
from engine.play.due import due_seats
from engine.play.hub_outcome import reshuffled
from engine.play.leavers import leave, rebuilt, void_round
from engine.scoring import winners
from engine.table.moves import Declare, Done, LayHub, LayTile, NoDouble, PullBack, Silent, TurnUp
from engine.table.rounds import begin_round, next_round
from engine.table.table import Ending, Outcome, RoundPhase
from engine.table.trains import Position, TrainId
from engine.table.turn import GameMemory, SeekStep
from engine.tiles import Tile
from tests.engine.deals import spec_of
from tests.engine.play.small_tables import ANN, BOB, CY, DEB, lay, mixed, table_of


def test_an_engine_that_was_laid_in_a_round_given_up_may_be_laid_again():
    """Where each double is used once, the voided round has used none."""
    spec = spec_of(6, 3, 2, engine="declared")
    table = begin_round(spec, 0, ANN, None, past=())
    table, _ = apply(table, Declare(BOB, table.hands[BOB][0], Tile(6, 6)))
    assert table.game.hubs == (Tile(6, 6),)
    again = next_round(void_round(table, [CY]))
    assert Tile(6, 6) in again.now.asked


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
        game=GameMemory(winner=winner, gone=1 << BOB),
    )


def test_the_seat_after_who_laid_the_engine_is_one_that_is_here():
    """§1.5: under `after-layer` Cy begins when Ann has laid it, Bob having left."""
    table = without_bob(engine="holder", first="after-layer")
    table, _ = apply(table, LayHub(ANN, table.hands[ANN][0], Tile(6, 6)))
    assert (table.first, table.to_move) == (CY, CY)


def test_seats_that_are_here_turn_up_tiles_and_pull():
    """§1.7: Bob has won the last round and left: Cy turns up first, and Ann pulls from Cy."""
    table = without_bob(engine="declared", winner=BOB)
    while table.now.step is SeekStep.ASK:
        table, _ = apply(table, Silent(due_seats(table)[0]))
    for seat in (ANN, CY):
        table, _ = apply(table, NoDouble(seat))
    assert (table.now.step, due_seats(table)) == (SeekStep.TURN, (CY,))
    found = table.boneyard[0]
    table, _ = apply(table, TurnUp(CY, found, Tile(6, 6)))
    table, _ = apply(table, LayHub(CY, found, Tile(6, 6)))
    assert due_seats(table) == (ANN,)
    table, _ = apply(table, PullBack(ANN, CY, table.hands[CY][0]))
    assert table.phase is RoundPhase.RESHUFFLE


def test_a_double_that_lies_open_is_nothing_that_nobody_had_seen():
    """Ann has laid what she turned up, and a tile is still to be pulled: 6-6 is seen by all."""
    table = begin_round(
        spec_of(6, 3, 2, engine="declared"), 0, ANN, None, past=(), hand_sizes=(2, 2, 2)
    )
    while table.now.step is SeekStep.ASK:
        table, _ = apply(table, Silent(due_seats(table)[0]))
    for seat in (ANN, BOB, CY):
        table, _ = apply(table, NoDouble(seat))
    found = table.boneyard[0]
    table, _ = apply(table, TurnUp(ANN, found, Tile(6, 6)))
    table, _ = apply(table, LayHub(ANN, found, Tile(6, 6)))
    assert table.now.step is SeekStep.PULL
    assert void_round(table, [BOB]).game.forfeits == ((BOB, 11 + 10),)
