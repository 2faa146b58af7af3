"""The cheapest tiles to leave out so that a walk from one pip may use all others.

Pips that the walk would have to enter once more than it leaves are *odd*. Leaving out a path of
tiles between two of them makes both even; one stays odd, where the walk ends. A path costs its
tiles and their pips. Each of its two ends counts the pips of one half, and each pip between them
counts two halves. The ends therefore cost the same however they are paired: pairs differ only in
the pips and tiles between them, and a pair joined by one tile costs nothing more.
"""

from heapq import heappop, heappush
from typing import Final, NamedTuple

Ways = list[int]
"""For each pip, the bit set of the pips that a tile joins to it."""

_ENDLESS: Final = 1 << 40
_NO_PAIR: Final = (-1, -1)


class Price(NamedTuple):
    """The cost of each tile that is left out, and of each pip on it."""

    tile: int
    pip: int


class Mending(NamedTuple):
    """The pip where the walk ends, and the tiles left out for it, each as two pips."""

    end: int
    left_out: list[tuple[int, int]]


def pips_of(bits: int) -> list[int]:
    """Return the pips of a bit set in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def mend(ways: Ways, odd: int, ends: int, price: Price, limit: int) -> Mending | None:
    """Return the cheapest tiles to leave out of `ways` so that one odd pip remains: the end.

    The walk may end only at `ends`, which may include pips that are not odd yet. The number of pips
    in `odd` must be odd. Return None if no tiles will do, or if the cheapest would cost `limit` or
    more. But if one tile for each pair is certainly the cheapest, return that whatever it costs.
    """
    pips = pips_of(odd)
    found = _by_single_tiles(ways, odd, pips, ends, price)
    if found is not None:
        return found
    # every pairing costs at least a tile for each pair, and all odd pips but the highest as ends
    fixed = (len(pips) // 2) * price.tile + (sum(pips) - pips[-1]) * price.pip
    return _Pairing(ways, pips, ends, price).cheapest(limit - fixed)


def _by_single_tiles(
    ways: Ways, odd: int, pips: list[int], ends: int, price: Price
) -> Mending | None:
    """Return a mending by one tile for each pair, trying the highest ends first.

    Return None if that fails, or if a longer path may be cheaper.
    """
    alone = 0
    for pip in pips:
        if not ways[pip] & odd:
            alone |= 1 << pip
    if alone & alone - 1:
        return None  # one of two such pips may be the end, but the other needs a longer path
    possible = odd & ends & (alone or odd)
    highest = (odd & ends).bit_length() - 1
    dead: set[int] = set()
    while possible:
        end = possible.bit_length() - 1
        if (highest - end) * price.pip > price.tile:
            return None  # a blank between two pips might be cheaper than this end
        left_out: list[tuple[int, int]] = []
        if _pair_off(ways, odd ^ 1 << end, dead, left_out):
            return Mending(end, left_out)
        possible ^= 1 << end
    return None


def _pair_off(ways: Ways, odd: int, dead: set[int], left_out: list[tuple[int, int]]) -> bool:
    """Pair off the pips by tiles that join them, and return True if that worked.

    If so, append the tiles to `left_out`. `dead` contains the sets of pips that have failed.
    """
    if not odd:
        return True
    if odd in dead:
        return False
    low = odd & -odd
    pip = low.bit_length() - 1
    rest = odd ^ low
    others = ways[pip] & rest
    while others:
        other = others & -others
        others ^= other
        if _pair_off(ways, rest ^ other, dead, left_out):
            left_out.append((pip, other.bit_length() - 1))
            return True
    dead.add(odd)
    return False


class _Roads:
    """The cheapest paths from one pip: for each target pip, its `costs` and the pip `before` it.

    A cost counts all tiles of the path but one, and all its pips except those at its two ends.
    """

    def __init__(self, ways: Ways, start: int, price: Price) -> None:
        self.costs = [_ENDLESS] * len(ways)
        self.before = [start] * len(ways)
        self.costs[start] = 0
        seen = 1 << start
        due = [(0, start)]  # leaving a pip costs, not reaching it; each is reached most cheaply
        while due:
            cost, pip = heappop(due)
            new = ways[pip] & ~seen
            seen |= new
            for other in pips_of(new):
                self.costs[other], self.before[other] = cost, pip
                heappush(due, (cost + price.tile + 2 * other * price.pip, other))

    def path(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the tiles from `start` to `end`, the last one first; `end` must be reachable."""
        found = []
        while end != start:
            found.append((self.before[end], end))
            end = self.before[end]
        return found


class _Pairing:
    """The cheapest way to pair off odd pips along paths, by branch and bound.

    Costs count only the excess over one tile per pair with the highest pip as the end. The pip that
    stays odd is paired with the *stop*, which has the number after the highest pip.
    """

    def __init__(self, ways: Ways, pips: list[int], ends: int, price: Price) -> None:
        self._stop = len(ways)
        self._roads = {pip: _Roads(ways, pip, price) for pip in pips}
        self._ends: dict[int, int] = {}
        """For each pip, the cheapest end of the walk if that pip is paired with the stop."""
        self._options: dict[int, list[tuple[int, int]]] = {}
        """For each pip, its pairings as (cost, other pip or stop), cheapest first."""
        self._least = {self._stop: 0}
        """For each pip, the least cost of pairing it with another pip."""
        lonely = []
        for pip, roads in self._roads.items():
            costs = roads.costs
            options = [
                (costs[other], other) for other in pips if other != pip and costs[other] < _ENDLESS
            ]
            if not options:
                lonely.append(pip)
            self._least[pip] = min(options)[0] if options else 0
            stops = [
                (price.tile + (pips[-1] + end) * price.pip + costs[end], end)
                for end in pips_of(ends & ~(1 << pip))
            ]
            if ends >> pip & 1:
                stops.append(((pips[-1] - pip) * price.pip, pip))
            if stops:
                cost, self._ends[pip] = min(stops)
                options.append((cost, self._stop))
            self._options[pip] = sorted(options)
        dear = sorted(pips, key=lambda pip: (-self._least[pip], -pip))
        # pips with the worst choices come first, so that bad branches fail early
        self._order = lonely + [pip for pip in dear if pip not in lonely]
        self._known: dict[int, tuple[int, tuple[int, int]]] = {}

    def cheapest(self, limit: int) -> Mending | None:
        """Return the cheapest mending, or None if its cost, as counted here, is `limit` or more."""
        odd = sum(1 << pip for pip in self._least)
        if self._cost(odd, sum(self._least.values()), limit) >= limit:
            return None
        end, left_out = 0, list[tuple[int, int]]()
        while odd:
            pip, other = self._known[odd][1]
            odd ^= 1 << pip ^ 1 << other
            if other == self._stop:
                end = other = self._ends[pip]
            left_out += self._roads[pip].path(pip, other)
        return Mending(end, left_out)

    def _cost(self, odd: int, doubled: int, limit: int) -> int:
        """Return the cost of pairing off the pips in `odd`, exact only if below `limit`.

        `doubled` is the sum of their least costs, which counts every pair twice.
        """
        if not odd:
            return 0
        known, pair = self._known.get(odd, (0, _NO_PAIR))
        if pair != _NO_PAIR or known >= limit:
            return known
        pip = self._dearest(odd)
        least = self._least[pip]
        # the pip paired with the stop may cost less than its least cost: at worst it is this one
        spared = least if odd >> self._stop & 1 else 0
        if doubled - spared >= 2 * limit:
            return limit
        for more, other in self._options[pip]:
            if more >= limit:
                break
            if odd >> other & 1:
                rest = doubled - least - self._least[other]
                cost = more + self._cost(odd ^ 1 << pip ^ 1 << other, rest, limit - more)
                if cost < limit:
                    limit, pair = cost, (pip, other)
        self._known[odd] = limit, pair
        return limit

    def _dearest(self, odd: int) -> int:
        """Return the odd pip that is first in `_order`: one without a partner, or the dearest.

        Return the stop if only that is left.
        """
        for pip in self._order:
            if odd >> pip & 1:
                return pip
        return self._stop
