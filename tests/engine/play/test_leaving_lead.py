"""Opening, leading and finding the engine after seats have left. [docs/rules.md §7.11]"""

from msgspec.structs import replace

from engine.play.apply import apply, score_round
from engine.play.due import due_seats
from engine.play.hub_search import turned_now
from engine.play.latecomers import with_seats
from engine.play.leavers import leave, rebuilt, void_round
from engine.scoring import winners
from engine.table.moves import Done, LayHub, NoDouble, Silent, TurnUp
from engine.table.rounds import begin_round, next_round, start_game
from engine.table.table import Ending, Outcome, RoundPhase, absentees
from engine.table.turn import SeekStep
from engine.tiles import Tile, full_set
from tests.engine.deals import spec_of
from tests.engine.play.small_tables import ANN, BOB, CY, DEB, lay, mixed, table_of


def test_who_is_out_may_leave_before_the_others_have_opened():
    """§3.5: Ann lays all her tiles and leaves; the round's outcome is still that she went out."""
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
    """Bob's open double is owed after the opening, whether he leaves with Deb or after her."""
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
    """A 6-6 that Ann has turned up and laid counts as seen, so the forfeit does not include it."""
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


def test_who_is_back_and_goes_again_forfeits_each_time():
    """Bob forfeits a hand each time he leaves after the deal, but none if he leaves before it."""
    table = void_round(start_game(spec_of(6, 2, 2, deal="2"), ANN), [BOB])
    once = 11 + 10
    assert table.game.forfeits == ((BOB, once),)
    back = with_seats(table, table.spec, [BOB])
    in_the_deal = leave(back, [BOB])
    assert in_the_deal.game.forfeits == ((BOB, once),)
    again = next_round(with_seats(in_the_deal, table.spec, [BOB]))
    assert again.round_number == 0
    assert void_round(again, [BOB]).game.forfeits == ((BOB, 2 * once),)


def test_who_goes_once_a_tile_is_due_to_be_turned_up_forfeits_the_hand_that_is_dealt_next():
    """Bob forfeits a full hand if he leaves while tiles are turned up or shuffled again."""
    table = start_game(spec_of(6, 3, 2, deal="2", first="high-draw"), ANN)
    assert table.phase is RoundPhase.HIGH_DRAW
    heaviest = ((BOB, 11 + 10),)  # the heaviest two tiles except 6-6, which is set aside
    assert void_round(table, [BOB]).game.forfeits == heaviest
    for (seat, at, _), tile in zip(turned_now(table), full_set(6), strict=False):
        table, _ = apply(table, TurnUp(seat, at, tile))
    assert table.phase is RoundPhase.RESHUFFLE
    assert void_round(table, [BOB]).game.forfeits == heaviest


def test_whoever_leaves_has_played_that_round_and_none_after_it():
    """Cy, who leaves in this round, counts as present in it; Bob, who left earlier, as absent."""
    over = leave(table_of(5, 5, 5), [BOB])
    over = replace(over, game=replace(over.game, forfeits=()))
    scored, _ = score_round(leave(over, [CY]), [[Tile(5, 5)] * 5, [], []])
    assert absentees(scored) == (1 << BOB,)


def test_a_finished_game_stays_as_it_is():
    """A seat that leaves a finished game changes nothing."""
    over = leave(table_of(5, 5, 5), [BOB, CY])
    finished, _ = score_round(over, [[Tile(5, 5)] * 5, [], []])
    assert finished.phase is RoundPhase.FINISHED
    assert leave(finished, [ANN]) == finished
