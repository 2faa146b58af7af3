"""Seats that leave the table for good. [docs/rules.md §7.11]"""

from engine.due import due_seats
from engine.judge import why_illegal
from engine.leaving import leave, rebuilt, void_round
from engine.moves import DrawTile, LayTile, Pass, RoundEnded, TurnBegan
from engine.table import Ending, Phase, begin_round, next_round, status
from engine.tiles import Tile
from engine.trains import Position, Seat, TrainId
from engine.transition import apply, score_round
from tests.engine.deals import spec_of

ANN, BOB, CY, DEB = map(Seat, range(4))


def table_of(*sizes, boneyard=None, first=ANN, rounds=2, **switches):
    """A double-six table in its first round, with hands of these sizes."""
    spec = spec_of(6, len(sizes), rounds, **switches)
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
    assert waiting.phase is Phase.RESHUFFLE
    assert due_seats(waiting) == ()
    assert waiting.boneyard == ()
    assert waiting.reshuffle.size == 7 + 5
    after, events = mixed(waiting)
    assert (after.phase, after.to_move, events) == (Phase.PLAY, BOB, ())
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
    after, events = mixed(leave(table, [BOB]))
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
    after, _ = mixed(leave(table, [ANN]))
    assert after.to_move == BOB
    assert [owed.tile for owed in after.owed] == [Tile(1, 1)]
    refusal = why_illegal(after, LayTile(BOB, after.hands[BOB][0], Tile(2, 4), TrainId(BOB), 0, 2))
    assert refusal.code.value == "owed-double"


def test_when_one_seat_is_left_the_round_and_the_game_are_over():
    """Nobody plays alone: the round is scored, and who stayed has won whatever it holds."""
    table = lay(table_of(5, 5, 5, boneyard=0), 1, 6)
    over = leave(table, [BOB, CY])
    assert over.phase is Phase.OVER
    assert over.outcome.ending is Ending.LEFT
    scored, events = score_round(over, [[Tile(5, 5)] * 4, [], []])
    assert scored.phase is Phase.FINISHED
    assert events[-1].winners == (ANN,)


def test_who_leaves_forfeits_the_heaviest_unseen_tiles():
    """Of what nobody has seen, Bob's five are 5-5, 6-4, 5-4, 6-3, 4-4 at their worst."""
    table = leave(lay(table_of(5, 5, 5, boneyard=0), 5, 6), [BOB])
    assert table.aside.forfeits == ((BOB, 10 + 10 + 9 + 9 + 8),)


def test_a_round_that_is_given_up_is_dealt_again():
    """Nobody scores; the double and the lead are the same, and who left gets no tiles."""
    table = lay(table_of(5, 5, 5, boneyard=7, first=BOB), 1, 6)
    void = void_round(table, [CY])
    assert void.phase is Phase.SCORED
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
    """With an empty boneyard a lay, a pass of Bob and one of Ann end the round; Cy is gone."""
    table, _ = mixed(leave(table_of(2, 2, 1, boneyard=0), [CY]))
    table = lay(table, 1, 6)
    table, _ = apply(table, DrawTile(BOB))
    table, _ = apply(table, Pass(BOB))
    assert table.to_move == ANN
    table, events = apply(table, Pass(ANN))
    assert events[-1] == RoundEnded(Ending.BLOCKED, None)
