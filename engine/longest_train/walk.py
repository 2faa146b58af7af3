"""The order of the tiles in a train."""

from collections.abc import Iterable, Iterator

from engine.tiles import Tile, make_tile


def joints(start: int, train: Iterable[Tile]) -> Iterator[tuple[Tile, int]]:
    """Yield the tiles of a train from `start` in order, each with the half that joins.

    Whether each tile fits the one before is not checked.
    """
    pip = start
    for tile in train:
        yield tile, pip
        pip = tile.other_end(pip)


def lay_out(ways: list[int], doubles: int, start: int) -> tuple[Tile, ...]:
    """Return the tiles of `ways` as one train from `start`. [Hierholzer 1873]

    The tiles must be connected, and at most one pip besides `start` may be on an odd number of
    them. At each pip, the walk first tries the tile that leads to the highest pip. Each of the
    `doubles` is laid where its pip first appears; doubles at pips that the train does not reach are
    left out.
    """
    left = list(ways)
    path, backwards = [start], list[int]()
    while path:
        pip = path[-1]
        if left[pip]:
            other = left[pip].bit_length() - 1
            left[pip] ^= 1 << other
            left[other] ^= 1 << pip
            path.append(other)
        else:
            backwards.append(path.pop())
    train: list[Tile] = []
    pip = -1
    for other in reversed(backwards):
        if pip >= 0:
            train.append(make_tile(pip, other))
        if doubles >> other & 1:
            doubles ^= 1 << other
            train.append(Tile(other, other))
        pip = other
    return tuple(train)
