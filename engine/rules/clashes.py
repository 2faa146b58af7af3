"""Switches that contradict each other, with the reason. [docs/rules.md §8.2]

A row names two switches, the values of each that clash, and why. Everything else works together.
"""

from typing import Final, NamedTuple


class Clash(NamedTuple):
    """Two settings that cannot both be; `one` with any of its values against any of `other`'s."""

    one: str
    one_values: tuple[str, ...]
    other: str
    other_values: tuple[str, ...]
    reason: str


_NOBODY_LAYS: Final = "nobody lays a double that is set aside"
_KNOWN_BY_LAYING: Final = "the first seat cannot be known by what it lays"
_NOBODY_OWES: Final = "nobody owes the double"
_NOTHING_FOLLOWS: Final = "nothing is owed, so nothing follows"
_ONE_COVER: Final = "the tile after a double has to go on it"
_ON_DOUBLE_ONLY: Final = "it says who covers which double, so doubles must be covered"
_THREE: Final = "three tiles must go on one double before anything else"
_FREE_TILE: Final = "the free tile breaks the order of the drive"

CLASHES: Final = (
    Clash("engine", ("set-aside",), "first", ("engine-layer", "after-layer"), _NOBODY_LAYS),
    Clash("engine", ("first-seat",), "first", ("engine-layer", "after-layer"), _KNOWN_BY_LAYING),
    Clash("cover", ("optional", "anywhere"), "last-double", ("must-cover",), _NOBODY_OWES),
    Clash("cover", ("optional", "anywhere"), "continuous-draw", ("yes",), _NOBODY_OWES),
    Clash("cover", ("optional", "anywhere"), "branching", ("three-required",), _NOBODY_OWES),
    Clash(
        "cover",
        ("optional",),
        "several",
        ("two-held", "share", "chain", "until-covered"),
        _NOTHING_FOLLOWS,
    ),
    Clash("several", ("chain",), "cover", ("on-double", "layer-may"), _ONE_COVER),
    Clash(
        "several",
        ("share", "until-covered"),
        "cover",
        ("anywhere-then-duty", "anywhere", "layer-may"),
        _ON_DOUBLE_ONLY,
    ),
    Clash(
        "branching",
        ("three-required",),
        "cover",
        ("anywhere-then-duty", "layer-may"),
        _THREE,
    ),
    Clash(
        "branching",
        ("three-required",),
        "several",
        ("two-held", "share", "chain", "until-covered"),
        _THREE,
    ),
    Clash(
        "marker-double",
        ("free",),
        "double-public",
        ("yes",),
        "one takes down the marker that the other puts up",
    ),
    Clash(
        "own-train-first",
        ("elsewhere", "always"),
        "mexican-from",
        ("first-turn",),
        "the Mexican train cannot be both open and closed in the first turn",
    ),
    Clash(
        "own-train-first",
        ("elsewhere", "always"),
        "opening-elsewhere",
        ("may",),
        "one shuts other trains before the own one has a tile, the other opens them",
    ),
    Clash(
        "opening",
        ("delayed",),
        "opening-miss",
        ("marker",),
        "who cannot start is to draw one and may then start",
    ),
    Clash(
        "opening-double",
        ("refused",),
        "opening",
        ("single",),
        "there is no chain that could end on a double",
    ),
    Clash(
        "tap-penalty",
        ("1", "2"),
        "last-tile",
        ("none", "courtesy"),
        "nobody can be caught silent",
    ),
    Clash(
        "tap-penalty",
        ("0",),
        "last-tile",
        ("tap", "before-play"),
        "being caught silent has to cost something",
    ),
    Clash("swan-drive", ("yes",), "cover", ("anywhere-then-duty", "anywhere"), _FREE_TILE),
    Clash(
        "swan-drive",
        ("yes",),
        "several",
        ("two-held", "share", "chain", "until-covered"),
        "a second double breaks the order of the drive",
    ),
)
"""Every pair that is refused, `mexican=none` with a `mexican-from` of its own apart."""
