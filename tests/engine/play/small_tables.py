"""Double-six tables with few tiles in each hand, and short ways to play on them."""

from engine.play.apply import apply
from engine.play.leavers import rebuilt
from engine.table.moves import LayTile
from engine.table.rounds import begin_round
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile
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
        table, LayTile(seat, table.hands[seat][at], Tile(low, high), train, ends[0].on, ends[0].pip)
    )[0]


def mixed(table):
    """The table with its new boneyard, of positions that nothing had before."""
    fresh = [Position(100 + at) for at in range(table.reshuffle.size)]
    return rebuilt(table, fresh)


def opened(*sizes, **switches):
    """A table on which every seat has laid the first tile of its train."""
    table = table_of(*sizes, **switches)
    for low in range(len(sizes)):
        table = lay(table, low, 6)
    return table
