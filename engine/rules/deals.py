"""The size of a dealt hand: the published tables, by set and number of seats.

For the numbers and their sources see docs/rules.md §1.3. A table is text so that readers can
compare it with the page by eye: `2-4:15` means fifteen tiles each for two to four seats.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.rules.switches.switch import Switch, switch

_HAND_MAX: Final = 95
"""Half of the largest set: two seats cannot hold more each."""


@switch(
    "deal",
    "How many tiles each seat is dealt: a published table, or a number.",
    "the first text's table; roundhouse, walnut, wolf-lake; other publishers",
    numbers=range(1, _HAND_MAX + 1),
    counted="{count} tiles each.",
)
class DealTable(Switch):
    """The name of a published table of dealt hands. [docs/rules.md §1.3]

    The numbers are in `DEALS`, by set and number of seats; every table has gaps.
    """

    STANDARD = (
        "standard",
        "",
        "the first text, put together from Galt, Bauguess, roundhouse, DillyDally",
    )
    ROUNDHOUSE = ("roundhouse", "", "roundhouse")
    WOLF_LAKE = ("wolf-lake", "", "wolf-lake")
    GALT = ("galt", "", "Galt 1994")
    PARSONS = ("parsons", "", "Parsons 1994")
    BAUGUESS = ("bauguess", "", "Bauguess 2012, RNK 2020")
    WALNUT = ("walnut", "", "walnut; its table was a picture, so the numbers are ours")
    UNIVERSITY = ("university", "", "the first text")
    FUNDEX = ("fundex", "", "the first text")
    MASTERS_OF_GAMES = ("masters-of-games", "", "the first text")
    SPRUCE = ("spruce", "", "the first text")
    GOOD_SAM = ("good-sam", "", "the first text")
    GLOWING_EYE = ("glowing-eye", "", "the first text")
    DILLY_DALLY = ("dilly-dally", "", "the first text")
    FUN_2015 = ("fun-2015", "", "Mexican Train Fun 2015")
    ENDLESS = ("endless", "", "the first text")
    PAGAT = ("pagat", "", "pagat.com, htfbw.com")
    CHICKENFOOT = (
        "chickenfoot",
        "",
        "onlinedominogames.com, htfbw.com, Wikipedia and docslib's leaflet on Chicken Foot",
    )
    LONGANA = ("longana", "", "gamerules.com on Longana")
    PRIVATE_TRAINS = ("private-trains", "", "Wikipedia on Private Trains")
    MALTESE_CROSS = ("maltese-cross", "", "gamerules.com on Maltese Cross")

    @property
    def sentence(self) -> str:
        """The sentence on how many tiles each seat is dealt, for every set in the table."""
        rows = (
            f"double-{pip_max}: {', '.join(f'{a} seats {b}' for a, b in spans(hands))}"
            for pip_max, hands in DEALS[self].items()
        )
        return f"Tiles each with {'; '.join(rows)}."


_GALT_12: Final = "2-4:15 5-6:12 7-8:11"
_ROUNDHOUSE_15: Final = "2-6:15 7-8:13 9-12:11"

_STANDARD: Final = {
    6: "2:9 3:8 4:6",
    9: "2:15 3:13 4:10 5-7:7 8:6",
    12: _GALT_12,
    15: _ROUNDHOUSE_15 + " 13:9",
    18: _ROUNDHOUSE_15 + " 13-14:11",
}
"""The deal combined from four tables; docs/rules.md §1.3 names the source of each row.

The rule sheets that the first text merges use these numbers where they have no row of their own."""

_ROWS: Final[Mapping[DealTable, Mapping[int, str]]] = {
    DealTable.STANDARD: _STANDARD,
    DealTable.ROUNDHOUSE: {
        6: "2:9 3:8 4:6",
        9: "2-4:9 5-7:7 8:6",
        12: _GALT_12,
        15: _ROUNDHOUSE_15,
    },
    DealTable.WOLF_LAKE: {
        6: "2:8 3:7 4:5",
        9: "2-4:9 5-7:7",
        12: "2:15 3-4:12 5-7:9",
        15: "2-6:15 7:13",
    },
    DealTable.GALT: _STANDARD,
    DealTable.PARSONS: _STANDARD | {9: "2:12 3:11 4:10 5-7:7 8:6", 12: "2-4:15 5:12 6:11 7:10 8:9"},
    DealTable.BAUGUESS: _STANDARD | {12: "2-3:16 4:15 5:14 6:12 7:10 8:9"},
    DealTable.WALNUT: {9: "2-4:9 5-7:7 8:6", 12: _GALT_12 + " 9-10:8"},
    DealTable.UNIVERSITY: {12: "2:16 3:15 4:14 5:12 6:11 7:10 8:9"},
    DealTable.FUNDEX: {12: "2-4:15 5-6:11 7-8:8"},
    DealTable.MASTERS_OF_GAMES: {12: "2-4:15 5-6:12 7-8:10"},
    DealTable.SPRUCE: {9: "2-3:15", 12: "4:15 5-6:12 7-8:11"},
    DealTable.GOOD_SAM: {12: "2:16 3:15 4:14 5:13 6:12 7:11 8:10"},
    DealTable.GLOWING_EYE: {6: "2:9 3:8 4:6", 9: "2-3:15 4:10", 12: "2-4:15 5-6:12 7-8:10"},
    DealTable.DILLY_DALLY: {
        6: "2-4:5",
        9: "2-7:7",
        12: _GALT_12,
        15: "9:13 10:12 11:11 12:10 13:9",
        18: "13-14:11",
    },
    DealTable.FUN_2015: {9: "2-3:8", 12: "4-6:12 7-8:10", 15: "9-12:11", 18: "13-14:11"},
    DealTable.ENDLESS: {12: "2-4:12 5-8:10"},
    DealTable.PAGAT: {12: "2-4:15 5-6:12 7-8:10 9-10:8"},
    DealTable.CHICKENFOOT: {6: "2-4:5", 9: "2:9 3-6:7", 12: "4:15 5-10:7"},
    DealTable.LONGANA: {9: "2-4:8"},
    DealTable.PRIVATE_TRAINS: {6: "2-3:7", 9: "2-4:10", 12: "2-4:13", 15: "2-4:16", 18: "2-4:19"},
    DealTable.MALTESE_CROSS: {6: "2:7 3-4:5"},
}

SMALL_FIRST: Final = {
    DealTable.ROUNDHOUSE: ((3, 6), (5, 9), (8, 12), (12, 15)),
    DealTable.WALNUT: ((5, 9), (10, 12)),
    DealTable.CHICKENFOOT: ((6, 9), (10, 12)),
}
"""Pairs (most seats, set) of the texts that suggest small sets for few players. [rules.md §1.1]"""


def _row(text: str) -> dict[int, int]:
    hands: dict[int, int] = {}
    for span in text.split():
        seats, _, hand = span.partition(":")
        first, _, last = seats.partition("-")
        hands.update(dict.fromkeys(range(int(first), int(last or first) + 1), int(hand)))
    return hands


DEALS: Final[Mapping[DealTable, Mapping[int, Mapping[int, int]]]] = MappingProxyType(
    {
        table: MappingProxyType({pip_max: _row(text) for pip_max, text in rows.items()})
        for table, rows in _ROWS.items()
    }
)
"""Tiles per seat, by deal table, highest pip value of the set, and number of seats."""


def dealt_hand(deal: DealTable | int, pip_max: int, seats: int) -> int | None:
    """Return how many tiles each seat is dealt, or None if the deal table has no number.

    A deal that is itself a number is returned as it is, for any set and seats.
    """
    return deal if isinstance(deal, int) else DEALS[deal].get(pip_max, {}).get(seats)


def spans(hands: Mapping[int, int]) -> list[tuple[str, int]]:
    """Return `{2: 15, 3: 15, 4: 12}` as a list of spans: `[("2-3", 15), ("4", 12)]`.

    The spans are in the order of the numbers of seats. A new span begins after a missing number of
    seats, and where the hand changes. The list is empty if `hands` is.
    """
    found: list[tuple[int, int, int]] = []
    for seats, hand in sorted(hands.items()):
        if found and found[-1][1] == seats - 1 and found[-1][2] == hand:
            found[-1] = (found[-1][0], seats, hand)
        else:
            found.append((seats, seats, hand))
    return [(f"{a}-{b}" if a != b else str(a), hand) for a, b, hand in found]
