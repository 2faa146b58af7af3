"""One train of a whole hand where blanks are wild. [docs/rules.md §2.7]

A blank half joins any end, and an open blank takes any half. So two tiles fit where one of them
shows the other a blank, and otherwise where both show the same pip. Whether a hand makes one train
is decided here by counting, as Euler did. The train is then laid tile by tile, each time with the
first tile after which the rest can still follow, so nothing is ever taken back.

*Walks and gaps.* Think of a tile without a blank as a road between its two pips, and of a double as
a road from its pip to itself. In a train the roads form walks, with blank tiles in between. Where
one walk ends on u and the next begins on v there is a *gap* for blank tiles to close. The double
blank closes any gap. The tile 0-x closes it if x is u, its blank then facing on, or if x is v, its
blank then facing back. Tiles 0-x of which none shows u or v close nothing, however many they are:
the first has to turn its blank to u, so does each one behind it, and the last shows v its x. More
blank tiles than a gap needs do no harm: beside the blank that closes it there is room for them all,
as there is at the end of the train.

*The start* is a road too, from a signpost to the pip that has to be joined, and the walk over it
comes first. An open blank is a pip without other roads, with a blank tile that nobody had to hold.

*Counting.* The roads fall into parts that hang together, and a pip with an odd number of roads is
*odd*. Each odd pip is an end of some walk. So a part with odd pips takes half as many walks as it
has of them, and a part without any, a *round*, takes one. There is one gap fewer than walks, and a
blank tile can close one if a walk has an end at its pip:

- In a part with odd pips, each blank tile at an odd pip closes a gap. For one at an even pip, a
  walk has to be cut there first, which makes the gap that it closes.
- A round may begin and end at any of its pips, so one blank tile there closes a gap. For a second
  one the round has to be cut, which makes the gap that it closes.

Cutting gains nothing, then. A hand makes one train only if the blank tiles that close a gap without
a cut, with the double blank, are at least as many as the gaps. And then it does make one. Count for
each walk at how many of its ends a blank tile waits; the start's walk has one end to count. Each
walk with one turns that end back and closes the gap before it. A walk with two closes the gap
before it, and the one behind it for a walk with none. The walk over the start, if it has one, does
this for another walk with none, and so does the double blank. No walk with none is left over, or
the blank tiles would be fewer than the gaps. Which odd pips a walk joins makes no difference.

*Shut* pips are those whose double may not come last. If some tile 0-x is not needed, it comes last.
If a hand without such tiles does not need its double blank, all its roads make one walk, which ends
on a tile that may come last, or can if there is one: a shut double at a pip of just one other road
is laid before that road, behind the double blank. There remain hands in which every blank tile
closes a gap of its own, so that every part is walked as it was counted and nothing may be cut. Then
the last walk ends where no blank tile waits: anywhere in a round, or else on an odd pip. A shut
double there is laid when the walk, or another one, comes by; so a round has to be more than a shut
double, and an odd pip with one needs three roads. Nor may it be the walk over the start, unless
that is the only one; if its part takes several walks any odd pip can be left to another of them,
for two walks that meet can trade their ends.

*What is ugly.* The prose is longer than the code, and what may come last is a list of cases. The
tests hold small hands of all kinds to a search through all orders.
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
    """All tiles of the hand from `start`, each with the half that joins; empty if no train has all.

    Blanks are wild. Doubles of the pips in the bit set `shut` may not come last. Of all such trains
    it is the one whose first tile is highest, then its second, and so on. Empty for an empty hand,
    too.
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
    """The tiles that may come next so that all others can follow, each with the half that joins.

    In the order of `rest`. Blanks are wild; doubles of the pips in `shut` may not come last.
    """
    for at, tile in enumerate(rest):
        for half in joins[tile][end]:
            after = [*rest[:at], *rest[at + 1 :]]
            if not after or _makes_one(after, tile.other_end(half), shut):
                yield tile, half


class _Part(NamedTuple):
    """Connected tiles without a blank, or the signpost and the tiles that hang on it."""

    pips: int
    """Bit set of its pips."""
    odd: int
    """Those of them at which an odd number of tiles meets."""

    @property
    def walks(self) -> int:
        """The fewest walks that take all its tiles: one for two odd pips, and one at least."""
        return max(1, self.odd.bit_count() // 2)

    def closes(self, blanks: int) -> int:
        """How many gaps between walks blank tiles at these pips close in it without a cut."""
        return (self.odd & blanks).bit_count() if self.odd else bool(self.pips & blanks)


def _makes_one(tiles: Collection[Tile], start: int, shut: int) -> bool:
    """Whether these tiles, at least one, make one train from `start` where blanks are wild.

    A double of a pip in the bit set `shut` may not come last, so it makes none by itself.
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
    blanks |= start == 0  # an open blank is a pip with a blank tile that nobody had to hold
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
    """The connected parts of these ways and of the pips in `doubles`, each with its odd pips."""
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
    """Whether a train can end in this part on a tile other than a double of a pip in `shut`.

    Asked where each blank tile has to close a gap. `alone` if the train is one walk.
    """
    if not part.odd:
        return bool(part.pips & ~shut or part.pips & part.pips - 1)
    if part.odd >> _SIGNPOST and part.walks == 1 and not alone:
        return False
    ends = pips_of(part.odd & ~blanks & ~(1 << _SIGNPOST))
    return any(not shut >> pip & 1 or ways[pip].bit_count() > 1 for pip in ends)
