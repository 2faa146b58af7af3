"""Laying a train: putting the tiles of a walk in order."""

from collections.abc import Iterable, Iterator

from engine.tiles import Tile, make_tile


def joints(start: int, train: Iterable[Tile]) -> Iterator[tuple[Tile, int]]:
    """The tiles of a train from `start`, each with the half that joins the one before.

    In the order of the train. Nothing checks that they fit.
    """
    pip = start
    for tile in train:
        yield tile, pip
        pip = tile.other_end(pip)


def lay_out(ways: list[int], doubles: int, start: int) -> tuple[Tile, ...]:
    """The tiles of `ways` as one train from `start`, each double where its pip first appears.

    The tiles must be connected, and at most one pip beside `start` odd. Where there is a choice,
    the heaviest tile comes first. Doubles at pips that the train does not reach are left out.
    [Hierholzer 1873]
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
