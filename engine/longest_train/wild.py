"""One train of a whole hand where blanks are wild. [docs/rules.md §2.7]

A blank half joins any end and an open blank takes any half. So where one of two tiles that meet
shows a blank to the other, they fit, and else both show the same pip. Whether a hand makes one
train is answered here by counting, as Euler did; the train is then laid tile by tile, each the
first after which what is left still makes one. No lay is ever taken back.

*Walks and gaps.* Take the tiles without a blank as roads between their two pips, a double as a road
from its pip to itself. In a train they stand in walks, which blank tiles part. Where a walk that
ends on u is followed by one that begins on v, there is a *gap*, and what lies in the gap closes it.
The double blank closes any gap. The tile 0-x closes it if x is u, with the blank behind it, or
if x is v, with the blank ahead. Blank tiles of which none is at u or v close nothing, however many
they are: the first would have to turn its blank to u, so would each one after it, and the last
would show its x to v. More than one in a gap do no harm: next to a blank half that closes the gap
there is room for every other blank tile, and behind the last walk there always is.

*The start* is a road too, from a signpost, where the train has to begin, to the pip that is to be
joined: the walk over it comes first, and if it goes no further there is a gap behind it. An open
blank is a pip where nothing else is, with a blank tile at it.

*Counting.* The roads fall into parts that hang together. A pip with an odd number of roads is odd;
a walk begins or ends there, so a part with some takes half as many walks as it has odd pips, and
one without takes one. There is a gap less than there are walks. A part may take more walks, and
each closes a gap at most if it has a blank tile at one of its ends; with these counts none can
close more gaps than it makes:

- A part with odd pips closes one gap for each that has a blank tile. To begin or end at an even pip
  some walk has to be cut there: one gap more, and the one blank tile there closes one.
- A part without odd pips is a round. It may begin wherever it has a blank tile, and closes one gap
  with it. A second such pip would cut it into two walks.

So a hand makes one train only if the gaps that are closed in this way, and one for the double
blank, are all. And then it does: let each walk with one closed end turn it backwards, and put
behind each walk with two of them, and behind a start with one, a walk with none. The double blank
goes before a walk with none as well. All gaps are closed if no walk with none remains, and that is
what was counted: start, walks with two and double blank are at least as many as walks with none.
How odd pips are paired by walks makes no difference to it.

*Covered* wants no double at the end. If not every blank tile is needed, one of the others comes
last; if only the double blank or the open blank at the start is too much, a hand without other
blanks has one part beside the start at most. If it has a tile that is no double, that can come
last: where it leads to a pip with a double and nothing else, this double goes before it, behind the
double blank. But if each blank tile has its own gap, nothing above may be wasted: each part is
walked as it was counted, and the last walk ends where no blank tile is. That is anywhere in a
round, or on an odd pip. Its double is laid on an earlier visit; so a round must be more than a
double, and an odd pip that has one must have three roads or more. The walk must also be another
than the one over the start, unless there is no other. That one ends on any odd pip of its part that
we choose, if there is a choice: two walks that meet can change their ends.

*What is ugly.* The prose is longer than the code, and the covered train is a list of cases. Small
hands of all kinds are held to a search through all orders by the tests.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Final, NamedTuple

from engine.longest_train.parity import Ways, pips_of
from engine.longest_train.search import hanging_together
from engine.tiles import PIP_MAX, Joins, Tile

_SIGNPOST: Final = PIP_MAX + 1
"""Where the road comes from that leads to the start."""


def wild_train(
    hand: Sequence[Tile], start: int, joins: Joins, *, covered: bool = False
) -> tuple[tuple[Tile, int], ...]:
    """All tiles of the hand from `start`, each with the half that joins; none if no train has all.

    `covered` wants no double at its end. Of all trains it is the one whose tiles come first, each
    the highest possible.
    """
    rest, end, laid = sorted(hand, reverse=True), start, list[tuple[Tile, int]]()
    if not rest or not _makes_one(rest, start, covered=covered):
        return ()
    while rest:
        tile, half = next(_going_on(rest, end, joins, covered=covered))
        laid.append((tile, half))
        rest.remove(tile)
        end = tile.other_end(half)
    return tuple(laid)


def _going_on(
    rest: Sequence[Tile], end: int, joins: Joins, *, covered: bool
) -> Iterator[tuple[Tile, int]]:
    """What may come next so that all others can follow: tiles, each with the half that joins."""
    for at, tile in enumerate(rest):
        for half in joins[tile][end]:
            after = [*rest[:at], *rest[at + 1 :]]
            if not after or _makes_one(after, tile.other_end(half), covered=covered):
                yield tile, half


class _Part(NamedTuple):
    """Tiles without a blank that hang together, or the signpost and what hangs on it."""

    pips: int
    odd: int

    @property
    def walks(self) -> int:
        """How many walks take all its tiles."""
        return max(1, self.odd.bit_count() // 2)

    def closes(self, blanks: int) -> int:
        """How many gaps it can close if there are blank tiles at these pips."""
        return (self.odd & blanks).bit_count() if self.odd else bool(self.pips & blanks)


def _makes_one(tiles: Collection[Tile], start: int, *, covered: bool) -> bool:
    """Whether these tiles, at least one, make one train from `start`."""
    ways, doubles, blanks = [0] * (_SIGNPOST + 1), 0, 0
    for low, high in tiles:
        if low == high:
            doubles |= 1 << low
        elif low == 0:
            blanks |= 1 << high
        else:
            ways[low] |= 1 << high
            ways[high] |= 1 << low
    has_other = bool(blanks or any(ways))
    blanks |= start == 0
    ways[start] |= 1 << _SIGNPOST
    ways[_SIGNPOST] = 1 << start
    parts = _parts(ways, doubles & ~1)
    gaps, double_blank = sum(part.walks for part in parts) - 1, doubles & 1
    if sum(part.closes(blanks) for part in parts) + double_blank < gaps:
        return False
    if not covered or blanks.bit_count() + double_blank > gaps:
        return has_other or not covered
    return any(_ends_well(part, ways, doubles, blanks, alone=not gaps) for part in parts)


def _parts(ways: Ways, doubles: int) -> list[_Part]:
    """Everything that hangs together, with its odd pips."""
    left, parts = doubles, list[_Part]()
    for way in ways:
        left |= way
    while left:
        pips = hanging_together(ways, left.bit_length() - 1)
        odd = sum(1 << pip for pip in pips_of(pips) if ways[pip].bit_count() & 1)
        parts.append(_Part(pips, odd))
        left &= ~pips
    return parts


def _ends_well(part: _Part, ways: Ways, doubles: int, blanks: int, *, alone: bool) -> bool:
    """Whether a train of which each blank tile closes a gap can end in this part on no double.

    `alone` if the train is one walk.
    """
    if not part.odd:
        return bool(part.pips & part.pips - 1)
    if part.odd >> _SIGNPOST and part.walks == 1 and not alone:
        return False
    ends = pips_of(part.odd & ~blanks & ~(1 << _SIGNPOST))
    return any(not doubles >> pip & 1 or ways[pip].bit_count() > 1 for pip in ends)
