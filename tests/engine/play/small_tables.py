"""Tables with small hands, mostly of double-six, and helpers for playing on them."""

from msgspec.structs import replace

from engine.play.apply import apply
from engine.play.leavers import rebuilt
from engine.table.moves import ChainLink, LayChain, LayTile
from engine.table.rounds import begin_round
from engine.table.table import Hand
from engine.table.trains import Position, Seat, TrainId
from engine.tiles import Tile, make_tile
from tests.engine.deals import spec_of

ANN, BOB, CY, DEB = map(Seat, range(4))


def table_of(*sizes, boneyard=None, first=ANN, rounds=2, pip_max=6, **switches):
    """Return a table in its first round, with hands of these sizes.

    An underscore at the end of a switch's name is ignored.
    """
    named = {name.rstrip("_"): value for name, value in switches.items()}
    spec = spec_of(pip_max, len(sizes), rounds, **named)
    hub = Tile(pip_max, pip_max)
    return begin_round(spec, 0, first, hub, past=(), hand_sizes=sizes, boneyard_count=boneyard)


def lay(table, low, high, train=None, at=0):
    """Lay a tile for the seat to move, by default on its own train; return the table after it.

    `at` is the tile's place in the hand.
    """
    seat = table.to_move
    train = TrainId(seat) if train is None else train
    ends = [end for end in table.train(train).ends if end.pip in (low, high)]
    return apply(
        table, LayTile(seat, table.hands[seat][at], Tile(low, high), train, ends[0].on, ends[0].pip)
    )[0]


def chain(table, seat, *tiles):
    """Return a chain of these tiles, from the first places of a hand, on the seat's own train."""
    (end, *_) = table.train(TrainId(seat)).ends
    links = []
    pip = end.pip
    for at, tile in zip(table.hands[seat], map(make_tile, *zip(*tiles, strict=True)), strict=False):
        links.append(ChainLink(at, tile, pip))
        pip = tile.other_end(pip)
    return LayChain(seat, TrainId(seat), tuple(links), end.on)


def marked(table, seat=ANN):
    """Return the table with this seat's marker up."""
    trains = list(table.trains)
    trains[seat] = replace(trains[seat], marker=True)
    return replace(table, trains=tuple(trains))


def holding(table, *tiles):
    """Return the hand of the seat to move: these tiles in its first places, the rest unknown."""
    return Hand(table.to_move, tuple(zip(table.hands[table.to_move], tiles, strict=False)))


def mixed(table):
    """Fill the new boneyard with unused positions; return the table and the events."""
    fresh = [Position(100 + at) for at in range(table.reshuffle.size)]
    return rebuilt(table, fresh)


def opened(*sizes, **switches):
    """Return a table on which every seat has laid the first tile of its train."""
    table = table_of(*sizes, **switches)
    for low in range(len(sizes)):
        table = lay(table, low, 6)
    return table
