"""One train of a whole hand where blanks are wild. [docs/rules.md §2.7]

A blank half joins any end and an open blank takes any half, so places and roads are not enough: the
tiles are tried one after the other. What keeps that short is that tiles without a blank fall into
walks, and that only a blank tile leads from one walk to the next.
"""

from collections.abc import Sequence

from engine.tiles import Joins, Tile


def wild_train(
    hand: Sequence[Tile], start: int, joins: Joins, *, covered: bool = False
) -> tuple[tuple[Tile, int], ...]:
    """All tiles of the hand from `start`, each with the half that joins; none if no train has all.

    `covered` wants no double at its end.
    """
    hopeless: set[tuple[frozenset[Tile], int]] = set()
    laid: list[tuple[Tile, int]] = []

    def goes_on(rest: frozenset[Tile], end: int) -> bool:
        if not rest:
            return not (covered and laid[-1][0].is_double)
        if (rest, end) in hopeless or _walks(rest) > 1 + sum(tile.low == 0 for tile in rest):
            return False
        for tile in sorted(rest, reverse=True):
            for half in joins[tile][end]:
                laid.append((tile, half))
                if goes_on(rest - {tile}, tile.other_end(half)):
                    return True
                laid.pop()
        hopeless.add((rest, end))
        return False

    return tuple(laid) if hand and goes_on(frozenset(hand), start) else ()


def _walks(tiles: frozenset[Tile]) -> int:
    """How many walks take all tiles without a blank: at least one for each part that hangs apart.

    A part of which more than two pips are odd takes one for each two of them.
    """
    parts: list[tuple[int, int]] = []
    for low, high in tiles:
        if not low:
            continue
        pips = 1 << low | 1 << high
        odd = 1 << low ^ 1 << high
        apart = []
        for part in parts:
            if part[0] & pips:
                pips, odd = pips | part[0], odd ^ part[1]
            else:
                apart.append(part)
        parts = [*apart, (pips, odd)]
    return sum(max(1, odd.bit_count() // 2) for _, odd in parts)
