"""The public table: what a watcher sees, and what its checks find."""

from msgspec.structs import replace

from engine.table.trains import End, Seat, TrainId
from engine.tiles import Tile
from engine.view import SeatView
from lab.rounds.breaches import status
from tests.engine.deals import dealt, holder, spec_of
from tests.engine.play.small_tables import lay, table_of


def test_a_watcher_has_no_moves():
    """A view without a seat has no legal moves; that of the seat to move has some."""
    table, tiles = dealt(spec_of(6, 2))
    assert SeatView(table, None, None).legal == ()
    hand = holder(table, tiles)
    assert SeatView(table, hand.seat, hand).legal


def test_status_finds_what_is_broken():
    """`status` names a breach for each broken table, and none for a good one."""
    table = lay(table_of(5, 5), 1, 6)
    first, *others, mexican = table.trains
    (laid,) = first.lays

    def with_first(**changes):
        return replace(table, trains=(replace(first, **changes), *others, mexican))

    broken = [
        replace(table, seen=table.seen << 1),
        replace(table, boneyard=table.boneyard[1:]),
        replace(table, boneyard=(*table.boneyard, table.boneyard[0])),
        replace(table, to_move=Seat(2)),
        replace(table, hands=table.hands[1:]),
        replace(table, trains=table.trains[1:]),
        with_first(ends=(End(first.id, 0, laid.joined),)),
        with_first(lays=(replace(laid, joined=5, tile=Tile(1, 2)),)),
        with_first(lays=(replace(laid, on=0),)),
        with_first(lays=(laid, replace(laid, on=0))),
        replace(table, trains=(first, *others, replace(mexican, marker=True))),
        replace(table, trains=(*table.trains, replace(mexican, id=TrainId(-3)))),
    ]
    assert status(table) == ()
    assert [status(bad) == () for bad in broken] == [False] * len(broken)
