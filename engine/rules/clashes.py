"""Switches that contradict each other, with the reason. [docs/rules.md §8.2]

Each row of the table names values of two switches that clash, below the reason for it. All other
combinations work.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.rules.ruleset import SWITCHES
from engine.rules.switches import Mexican, MexicanFrom, Switch


class Clash(NamedTuple):
    """Values that exclude each other: any of `ones` with any of `others`.

    `ones` are values of one switch, `others` of another.
    """

    ones: tuple[Switch, ...]
    others: tuple[Switch, ...]
    reason: str

    @property
    def one(self) -> str:
        """The key of the first switch."""
        return self.ones[0].key

    @property
    def other(self) -> str:
        """The key of the second switch."""
        return self.others[0].key


_TABLE: Final = """
nobody plays a double that is set aside
    engine set-aside | first engine-layer after-layer
the first seat cannot be known by what it plays
    engine first-seat | first engine-layer after-layer
nobody owes the double
    cover optional anywhere none | last-double must-cover
    cover optional anywhere none | continuous-draw yes
    cover optional anywhere none | branching three-required
nothing is owed, so nothing follows
    cover optional | several two-held share chain until-covered
the tile after a double has to go on it
    several chain | cover on-double layer-may
it says who covers which double, so doubles must be covered
    several share until-covered | cover anywhere-then-duty anywhere layer-may
three tiles must go on one double before anything else
    branching three-required | cover anywhere-then-duty layer-may
    branching three-required | several two-held share chain until-covered
one takes down the marker that the other puts up
    marker-double free | double-public yes
the Mexican train cannot be both open and closed in the first turn
    own-train-first elsewhere always | mexican-from first-turn first-player
one shuts other trains before the own one has a tile, the other opens them
    own-train-first elsewhere always | opening-elsewhere may
a seat that cannot start draws one and may then start
    opening delayed | opening-miss marker draw-until
there is no chain that could end on a double
    opening-double refused | opening single
nobody can be caught silent
    tap-penalty 1 2 | last-tile none courtesy
being caught silent has to cost something
    tap-penalty 0 | last-tile tap before-play
there a round at 0 is one that was lost
    scoring winner-takes | ties zero-rounds
there points are no penalty
    scoring winner-takes | strategic-error yes
nobody has a train of their own there
    mexican 4-arms 6-arms 8-arms | opening whole-train simultaneous delayed
    mexican 4-arms 6-arms 8-arms | opening-miss draw-until
    mexican 4-arms 6-arms 8-arms | own-train-first elsewhere always
    mexican 4-arms 6-arms 8-arms | opening-elsewhere may
    mexican 4-arms 6-arms 8-arms | others-trains may
    mexican 4-arms 6-arms 8-arms | marker-voluntary yes
    mexican 4-arms 6-arms 8-arms | swan-drive yes
    mexican 4-arms 6-arms 8-arms | bullet yes
    mexican 4-arms 6-arms 8-arms | partners yes
the hub must have all its tiles first
    mexican 4-arms 6-arms 8-arms | round-end last-plays
a double that ends the turn asks its player for nothing
    cover next none | several two-held share chain until-covered
    cover next | last-double must-cover
    cover next none | last-double refused
    cover next | continuous-draw yes
    cover next none | layer-miss draw-only
    cover next none | drawn-double no-draw
    cover next none | swan-drive yes
a round would be dealt again and again for want of that one double
    engine-missing redeal | engine holder highest-unused
every double is looked for there, so none can be missing
    engine-missing next-lower | engine set-aside highest-held first-seat declared
    engine-missing next-lower | engine highest-unused last-winner
there the next double is a higher one
    engine-missing next-lower | start-double lowest
nobody draws in play
    draw none | opening delayed
    draw none | opening-miss draw draw-until
    draw none | others-trains may
    draw none | layer-miss draw-only
    draw none | drawn-double no-draw
    draw none | last-double must-cover refused
    draw none | continuous-draw yes
    draw none | round-end last-plays
the first turns are no time for it
    double-anywhere yes | opening whole-train simultaneous delayed
    double-anywhere yes | opening-elsewhere may
one shuts trains that the other opens
    double-anywhere yes | own-train-first elsewhere always
    double-anywhere yes | others-trains may
a turn would have two orders
    double-anywhere yes | swan-drive yes
    double-anywhere yes | bullet yes
nobody has a train that could be closed
    mexican 4-arms 6-arms 8-arms | double-anywhere yes
there are no arms
    arms-then doubles | mexican one none many
the second tiles must lie before anything else
    arms-then doubles | cover on-double anywhere-then-duty anywhere layer-may next optional
the free tile breaks the order of the drive
    swan-drive yes | cover anywhere-then-duty anywhere
a second double breaks the order of the drive
    swan-drive yes | several two-held share chain until-covered
""".strip()
"""The reasons; below each, indented, the pairs of switches that clash for it, with the values."""


def _rows(table: str) -> Iterator[Clash]:
    reason = ""
    for line in table.splitlines():
        if not line.startswith(" "):
            reason = line
            continue
        one, other = line.split("|")
        yield Clash(_values(one), _values(other), reason)


def _values(side: str) -> tuple[Switch, ...]:
    key, *words = side.split()
    return tuple(SWITCHES[key](word) for word in words)


CLASHES: Final = tuple(_rows(_TABLE))
"""All refused combinations except `NO_MEXICAN`."""

NO_MEXICAN: Final = Clash(
    tuple(each for each in Mexican if not each.has_any),
    tuple(MexicanFrom),
    "there is no Mexican train to be started",
)
"""Refused only if somebody sets `mexican-from` by hand; a preset may have any value of it."""
