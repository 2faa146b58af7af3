"""One train of a whole hand where blanks are wild. [docs/rules.md §2.7]

A blank half joins any end, and an open blank takes any half. So two tiles fit if one of them shows
the other a blank, or if both show the same pip. This module decides by counting, as Euler did,
whether a hand makes one train. It then lays the train tile by tile, each time taking the first tile
after which the rest can still follow, so it never takes one back.

*Walks and gaps.* Think of a tile without a blank as a road between its two pips, and of a double as
a road from its pip to itself. In a train the roads form walks, with blank tiles between them. Where
one walk ends on u and the next begins on v there is a *gap* for blank tiles to close. The double
blank closes any gap. The tile 0-x closes it if x is u, with its blank facing forward, or if x is v,
with its blank facing back. Tiles 0-x that show neither u nor v close nothing, however many there
are: the first must turn its blank to u, so must each one after it, and the last shows its x to v.
More blank tiles than a gap needs do no harm: there is room for them all beside the blank that
closes it, and also at the end of the train.

*The start* is also a road, from a signpost to the pip that the train must join, and the walk over
it comes first. An open blank is a pip without other roads, with a blank tile that nobody holds.

*Counting.* The roads fall into connected parts, and a pip with an odd number of roads is *odd*.
Each odd pip is an end of some walk. So a part with odd pips takes half as many walks as it has odd
pips, and a part without any, a *round*, takes one. There is one gap fewer than walks, and a blank
tile can close a gap if a walk has an end at its pip:

- In a part with odd pips, each blank tile at an odd pip closes a gap. For a blank tile at an even
  pip, a walk must first be cut there, which makes the gap that the tile closes.
- A round may begin and end at any of its pips, so one blank tile there closes a gap. For a second
  one the round must be cut, which makes the gap that the tile closes.

So cutting gains nothing. A hand makes one train only if it has at least as many blank tiles that
close a gap without a cut, the double blank included, as it has gaps. That is also enough. To see
this, count for each walk the ends that have a blank tile; the walk over the start has only one end
to count. A walk with one such end is laid with that end first, where its blank tile closes the gap
before the walk. A walk with two closes the gap before it and also the gap after it, where a walk
without such an end can follow. One can also follow the walk over the start, if that has such an
end, and one can follow the double blank. All walks without such an end find a place in this way,
or there would be fewer blank tiles than gaps. It does not matter which odd pips a walk joins.

*Shut* pips are those whose double may not come last. If some tile 0-x is not needed, it comes last.
If a hand without any tile 0-x does not need its double blank, all its roads make one walk. That
walk can end on a tile that may come last, if there is one: a shut double at a pip with just one
other road is laid before that road, after the double blank. In all other hands every blank tile
closes a gap of its own, so every part is walked as it was counted and nothing may be cut. Then the
last walk ends at a pip without a blank tile: anywhere in a round, or else on an odd pip. A shut
double at that pip is laid when this walk or another one passes through. So a round must be more
than a shut double, and an odd pip with a shut double needs three roads. The last walk may not be
the walk over the start, unless that is the only one. If the start's part takes several walks, any
odd pip can be left to another of them, because two walks that meet can trade their ends.

*Drawbacks.* The proof is longer than the code, and the condition on the last tile is a list of
cases. The tests compare small hands of all kinds with a search through all orders.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from engine.longest_train.parity import Ways, pips_of
from engine.longest_train.search import hanging_together
from engine.tiles import PIP_MAX, Joins, Tile

_SIGNPOST: Final = PIP_MAX + 1
"""The far end of the road that leads to the start."""


def wild_train(
    hand: Sequence[Tile], start: int, joins: Joins, shut: int = 0
) -> tuple[tuple[Tile, int], ...]:
    """Return all tiles of the hand as a train from `start`, each with the half that joins.

    Blanks are wild, and `joins` must be the table of joining halves for wild blanks. Doubles of the
    pips in the bit set `shut` may not come last. Of all such trains return the one whose first tile
    is highest, then its second, and so on. Return () if no train has all tiles, or if the hand is
    empty.
    """
    rest = sorted(hand, reverse=True)
    end = start
    laid = list[tuple[Tile, int]]()
    if not rest or not _makes_one(rest, start, shut):
        return ()
    while rest:
        tile, half = next(_going_on(rest, end, joins, shut))
        laid.append((tile, half))
        rest.remove(tile)
        end = tile.other_end(half)
    return tuple(laid)


def _going_on(
    rest: Sequence[Tile], end: int, joins: Joins, shut: int
) -> Iterator[tuple[Tile, int]]:
    """Yield the tiles after which all others can follow, each with the half that joins.

    They are yielded in the order of `rest`. Blanks are wild; doubles of pips in `shut` may not come
    last.
    """
    for at, tile in enumerate(rest):
        for half in joins[tile][end]:
            after = [*rest[:at], *rest[at + 1 :]]
            if not after or _makes_one(after, tile.other_end(half), shut):
                yield tile, half


class _Part(NamedTuple):
    """A connected part of the roads: the tiles without a blank, and the signpost's road."""

    pips: int
    """Bit set of its pips."""
    odd: int
    """Bit set of the pips where an odd number of roads meets, doubles not counted."""

    @property
    def walks(self) -> int:
        """The fewest walks that take all its tiles: one for every two odd pips, at least one."""
        return max(1, self.odd.bit_count() // 2)

    def closes(self, blanks: int) -> int:
        """Return how many gaps the blank tiles at the pips in `blanks` close here without a cut."""
        return (self.odd & blanks).bit_count() if self.odd else bool(self.pips & blanks)


def _makes_one(tiles: Collection[Tile], start: int, shut: int) -> bool:
    """Return True if all these tiles make one train from `start` with wild blanks.

    There must be at least one tile. A double of a pip in the bit set `shut` may not come last, so
    it makes no train by itself.
    """
    ways = [0] * (_SIGNPOST + 1)
    doubles = 0
    blanks = 0
    for low, high in tiles:
        if low == high:
            doubles |= 1 << low
        elif low == 0:
            blanks |= 1 << high
        else:
            ways[low] |= 1 << high
            ways[high] |= 1 << low
    shut &= doubles
    has_other = bool(blanks or any(ways) or doubles & ~shut)
    blanks |= start == 0  # an open blank is a pip with a blank tile that nobody holds
    ways[start] |= 1 << _SIGNPOST
    ways[_SIGNPOST] = 1 << start
    parts = _parts(ways, doubles & ~1)
    gaps = sum(part.walks for part in parts) - 1
    double_blank = doubles & 1
    if sum(part.closes(blanks) for part in parts) + double_blank < gaps:
        return False
    if not shut or blanks.bit_count() + double_blank > gaps:
        return has_other
    return any(_ends_well(part, ways, blanks, shut, alone=not gaps) for part in parts)


def _parts(ways: Ways, doubles: int) -> list[_Part]:
    """Return the connected parts of `ways` and of the pips in `doubles`, with their odd pips."""
    left, parts = doubles, list[_Part]()
    for way in ways:
        left |= way
    while left:
        pips = hanging_together(ways, left.bit_length() - 1)
        odd = sum(1 << pip for pip in pips_of(pips) if ways[pip].bit_count() & 1)
        parts.append(_Part(pips, odd))
        left &= ~pips
    return parts


def _ends_well(part: _Part, ways: Ways, blanks: int, shut: int, *, alone: bool) -> bool:
    """Return True if a train can end in this part on a tile other than a double in `shut`.

    The answer is right only if every blank tile is needed to close a gap. `alone` is True if the
    train is a single walk.
    """
    if not part.odd:
        return bool(part.pips & ~shut or part.pips & part.pips - 1)
    if part.odd >> _SIGNPOST and part.walks == 1 and not alone:
        return False
    ends = pips_of(part.odd & ~blanks & ~(1 << _SIGNPOST))
    return any(not shut >> pip & 1 or ways[pip].bit_count() > 1 for pip in ends)
