"""The longest train, by branch and bound over the tiles that are left out of it.

A case fixes some tiles that must be left out and some that must be played. For each case, `parity`
finds the cheapest further tiles to leave out, and so the least that any train of the case can lose.
If the remaining tiles are connected, they are the best train of that case. If not, each train of
the case either leaves out a whole loose part, or plays one of the tiles that join it to the rest;
each of these choices is a case of its own. The most promising case is split first, so its bound is
the bound of the search.
"""

from collections.abc import Iterable
from enum import Enum
from heapq import heappop, heappush
from typing import Final, NamedTuple

from engine.longest_train.parity import Price, Ways, mend, pips_of
from engine.longest_train.walk import lay_out
from engine.tiles import PIP_MAX, Tile

_UNIT: Final = 1 << 12
"""A number above both the tiles (190) and the pips (3,420) of the largest set."""
_ALL_PIPS: Final = (1 << PIP_MAX + 1) - 1
_NO_WAYS: Final = [0] * (PIP_MAX + 1)


class Aim(Enum):
    """The measure of the longest train: the most tiles or the most pips.

    The other measure decides between equal trains.
    """

    TILES = "tiles"
    PIPS = "pips"


class _Case(NamedTuple):
    """A set of trains from `start`, given by the tiles that may and must be played and the ends."""

    start: int
    ways: Ways
    """The tiles that may be played, except doubles."""
    kept: Ways
    """The tiles of `ways` that must be played."""
    doubles: int
    """Bit set of the pips whose doubles may be played."""
    ends: int
    """Bit set of the pips at which the train may end."""


class _Open(NamedTuple):
    """A case that is still to be split.

    Without the cheapest tiles to leave out, its tiles do not all make one train yet.
    """

    loss: int
    """The least that any train of this case loses."""
    number: int
    """The number of the case; of cases with equal losses, the older one comes first."""
    case: _Case
    used: Ways
    """The tiles that are not left out."""
    end: int


class TrainSearch:
    """The search for the longest train of one hand.

    It has a train from the beginning. Each step improves that train, or helps to prove that no
    train is better. Without `start` the train may begin with any pip. With `covered` it does not
    end on a double, which would have to be covered. Blanks join blanks only.

    Most hands need no step. A step takes some tens of microseconds. It takes milliseconds in hands
    that are hard to pair off, and a tenth of a second in contrived ones.
    """

    def __init__(
        self,
        hand: Iterable[Tile],
        start: int | None = None,
        aim: Aim = Aim.TILES,
        *,
        covered: bool = False,
    ) -> None:
        self._price = Price(_UNIT, 1) if aim is Aim.TILES else Price(1, _UNIT)
        self._covered = covered
        ways = [0] * (PIP_MAX + 1)
        doubles = 0
        for low, high in hand:
            if low == high:
                doubles |= 1 << low
            else:
                ways[low] |= 1 << high
                ways[high] |= 1 << low
        self._total = self._worth(ways, doubles, _ALL_PIPS)
        self._loss = self._total
        self._best: tuple[int, Ways, int] = (start or 0, _NO_WAYS, 0)
        self._open: list[_Open] = []
        self._cases = 0
        for pip in reversed(range(PIP_MAX + 1)) if start is None else (start,):
            if ways[pip] or doubles >> pip & 1:
                self._enter(_Case(pip, ways, _NO_WAYS, doubles, _ALL_PIPS))

    @property
    def is_proven(self) -> bool:
        """True if the search has proved that no train is better than the best so far."""
        return not self._open or self._open[0].loss >= self._loss

    @property
    def bound(self) -> int:
        """An upper bound on the tiles of any train, or on its pips if `aim` is pips."""
        loss = self._loss if self.is_proven else self._open[0].loss
        return (self._total - loss) // _UNIT

    @property
    def reached(self) -> int:
        """The number of tiles in the best train so far, or of its pips if `aim` is pips."""
        return (self._total - self._loss) // _UNIT

    def best(self) -> tuple[int, tuple[Tile, ...]]:
        """Return the pip that the best train so far begins with, and its tiles in order.

        If no tile can begin a train, there are no tiles, and the pip is `start`, or 0 without one.
        """
        start, used, doubles = self._best
        return start, lay_out(used, doubles, start)

    def step(self) -> None:
        """Split the most promising case into cases that together contain all its trains.

        Do nothing once the best train is proven.
        """
        if self.is_proven:
            return
        found = heappop(self._open)
        case = found.case
        end = 1 << found.end
        loose = self._loose_part(found)
        if loose:
            ways = [0 if loose >> pip & 1 else way & ~loose for pip, way in enumerate(case.ways)]
            self._enter(case._replace(ways=ways))
            joining = _leading_out(case.ways, loose)
        else:  # the end is an open double: leave it out, end elsewhere, or play more at that pip
            self._enter(case._replace(doubles=case.doubles & ~end))
            self._enter(case._replace(ends=case.ends & ~end))
            case = case._replace(ends=end)
            joining = [(found.end, pip) for pip in pips_of(case.ways[found.end])]
            joining = [tile for tile in joining if not found.used[tile[0]] >> tile[1] & 1]
        for number, tile in enumerate(joining):  # play this tile, and none of those before it
            ways = _turned(case.ways, joining[:number])
            self._enter(case._replace(ways=ways, kept=_turned(case.kept, [tile])))

    def _enter(self, case: _Case) -> None:
        """Keep the train found for a case if it is the best so far.

        Queue the case if it may contain a better train; drop it if it cannot.
        """
        joined = hanging_together(case.ways, case.start)
        loss = self._total - self._worth(case.ways, case.doubles, joined)
        apart = pips_of(_ALL_PIPS & ~joined)
        if loss >= self._loss or any(case.kept[pip] for pip in apart):
            return
        # leave out tiles that are not kept until only the end is odd
        free = [way & ~kept for way, kept in zip(case.ways, case.kept, strict=True)]
        mending = mend(free, _odd(case, joined), case.ends & joined, self._price, self._loss - loss)
        if mending is None:
            return
        used = _turned(case.ways, mending.left_out)
        for tile in mending.left_out:
            loss += self._price.tile + sum(tile) * self._price.pip
        doubles = case.doubles
        if self._covered and used[mending.end].bit_count() < 2:
            doubles &= ~(1 << mending.end)
        # the tiles connected to the start already are a train, perhaps not the best of the case
        laid = hanging_together(used, case.start)
        loss_here = self._total - self._worth(used, doubles, laid)
        if loss_here < self._loss:
            self._loss = loss_here
            self._best = (case.start, used, doubles)
        if loss < loss_here:
            self._cases += 1
            heappush(self._open, _Open(loss, self._cases, case, used, mending.end))

    def _worth(self, ways: Ways, doubles: int, pips: int) -> int:
        """Return the worth of all tiles with both halves among these pips, including doubles.

        A tile is worth `_UNIT` and a pip 1; the reverse if pips are the aim.
        """
        halves = value = 0
        for pip in pips_of(pips):
            count = (ways[pip] & pips).bit_count() + 2 * (doubles >> pip & 1)
            halves += count
            value += count * pip
        return (halves >> 1) * self._price.tile + value * self._price.pip

    def _loose_part(self, found: _Open) -> int:
        """Return the bit set of the pips of the loose part that the fewest tiles join to the rest.

        A loose part is a connected group of tiles that is not connected to the start. Return 0 if
        there is none.
        """
        case, best, fewest = found.case, 0, 0
        seen = hanging_together(found.used, case.start)
        for pip in pips_of(hanging_together(case.ways, case.start)):
            if seen >> pip & 1:
                continue
            part = hanging_together(found.used, pip)
            seen |= part
            tiles = len(_leading_out(case.ways, part))
            has_tiles = found.used[pip] or case.doubles >> pip & 1
            if has_tiles and (not best or tiles < fewest):
                best, fewest = part, tiles
        return best


def longest_train(hand: Iterable[Tile], start: int) -> tuple[Tile, ...]:
    """Return the tiles, in order, of the train from `start` that has the most tiles.

    Of equally long trains, return one with the most pips. Return () if no tile joins. Blanks join
    blanks only.
    """
    return proven(TrainSearch(hand, start)).best()[1]


def proven(search: TrainSearch) -> TrainSearch:
    """Continue the search until its best train is proven, and return the search itself."""
    while not search.is_proven:
        search.step()
    return search


def _odd(case: _Case, joined: int) -> int:
    """Return the bit set of pips that a walk over all tiles would enter once more than it leaves.

    Only pips in `joined` are considered; they must be connected to the start. Their number is
    always odd.
    """
    odd = 1 << case.start
    for pip, way in enumerate(case.ways):
        if way.bit_count() & 1 and joined >> pip & 1:
            odd ^= 1 << pip
    return odd


def _turned(ways: Ways, tiles: list[tuple[int, int]]) -> Ways:
    """Return the ways with these tiles toggled: removed if present, else added."""
    turned = list(ways)
    for low, high in tiles:
        turned[low] ^= 1 << high
        turned[high] ^= 1 << low
    return turned


def _leading_out(ways: Ways, pips: int) -> list[tuple[int, int]]:
    """Return the tiles with just one half among these pips, as pairs with that half first."""
    return [(pip, other) for pip in pips_of(pips) for other in pips_of(ways[pip] & ~pips)]


def hanging_together(ways: Ways, start: int) -> int:
    """Return the bit set of the pips that can be reached from `start`, including `start`."""
    seen = new = 1 << start
    while new:
        found = 0
        for pip in pips_of(new):
            found |= ways[pip]
        new = found & ~seen
        seen |= new
    return seen
