"""Every value of every switch, every deal and every preset as a sentence for a player.

The sheet of a table, the menus and `rules --json` are made of these.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from cli.said.switch_values import FIRST_TEXT, ROWS
from engine.rules.deals import DEALS, DealTable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["OPTION_VALUES", "PRESETS", "VALUES", "Told", "deal_sentence", "spans_text"]


class Told(NamedTuple):
    """What a value means, in one sentence, and who wrote it so."""

    sentence: str
    source: str


PRESETS: Final[Mapping[str, Told]] = MappingProxyType(
    {
        "standard": Told(
            "One tile to open, and a double is covered at once on the double itself.",
            "the first text: what most rule sheets agree on",
        ),
        "parsons-1994": Told(
            "One tile to open, the Mexican train from the first turn, a second tile anywhere.",
            "Parsons 1994 (Puremco)",
        ),
        "galt-1994": Told(
            "Whole trains to open, on the first player's highest double.", "Galt 1994 (Cardinal)"
        ),
        "bauguess-2012": Told(
            "Whole trains to open, several doubles in a turn shared out among the players.",
            "Bauguess 2012",
        ),
        "roundhouse": Told(
            "The engine's holder leads, whole trains to open, doubles in chains, the last one "
            "covered first; tap at your last tile.",
            "roundhouse",
        ),
        "walnut": Told(
            "The engine's holder leads, whole trains to open, a second tile anywhere, the first "
            "open double covered first.",
            "walnut",
        ),
        "wolf-lake": Told(
            "Declared engines, spurs at doubles, markers by choice, Choo Choo, one last play each.",
            "wolf-lake",
        ),
        "fundex": Told("As standard, on the highest double that anybody holds.", "Fundex 2003"),
        "university": Told(
            "Wild blanks that cost 25 in the hand, a second tile anywhere.", "University Games 2015"
        ),
        "spruce": Told(
            "The engine's holder leads, whole trains to open, and you may cover your double.",
            "Spruce",
        ),
        "masters-of-games": Told(
            "The highest double held, whole trains to open, your last double must be covered.",
            "Masters of Games",
        ),
        "good-sam": Told(
            "The engine's holder leads, one tile to open, the Mexican train from the first turn.",
            "Good Sam, Idaho",
        ),
    }
)
"""Every preset by its name: what it is like, and whose it is."""

_DEAL_SOURCES: Final = {
    DealTable.STANDARD: "the first text, put together from Galt, Bauguess, roundhouse, DillyDally",
    DealTable.WALNUT: "walnut; its table was a picture, so the numbers are ours",
    DealTable.GALT: "Galt 1994",
    DealTable.PARSONS: "Parsons 1994",
    DealTable.BAUGUESS: "Bauguess 2012, RNK 2020",
    DealTable.ROUNDHOUSE: "roundhouse",
    DealTable.WOLF_LAKE: "wolf-lake",
}


OPTION_VALUES: Final[Mapping[str, Mapping[str, str]]] = MappingProxyType(
    {
        "draws": {
            "shown": "A tile that is laid shows when it was drawn.",
            "hidden": "Hands are mixed after a draw: a tile that is laid does not show when it was "
            "drawn.",
        },
        "audit": {
            "hands": "After a round all hands lie open and every draw and pass is judged again.",
            "keys": "After a round the keys are laid open too: every tile that was dealt or drawn, "
            "or left in the boneyard, can be read, and all is judged again.",
            "seeds": "After a round keys and seeds are laid open: every tile can be read, and "
            "every shuffle is done again.",
        },
        "leaver": {
            "rebuild": "When somebody has left for good the round goes on: their tiles go back, "
            "and everybody else keeps theirs.",
            "redeal": "When somebody has left for good the round is dealt again, and nobody "
            "scores what was played of it.",
        },
        "patience": {
            "five-minutes": "Who has been away for five minutes is given up.",
            "minute": "Who has been away for a minute is given up.",
            "vote": "Who is away is given up only when everybody else has voted for it.",
        },
        "latecomers": {
            "seated": "Who comes late has a seat from the next round on, and the worst total.",
            "watch": "Who comes when the game has begun watches.",
        },
    }
)
"""What a table may choose beside its rules, the usual value first; each value as a sentence."""


def spans_text(hands: Mapping[int, int]) -> str:
    """Write `{2: 15, 3: 15, 4: 12}` as `2-3 seats 15, 4 seats 12`."""
    spans: list[tuple[int, int, int]] = []
    for seats, hand in sorted(hands.items()):
        if spans and spans[-1][1] == seats - 1 and spans[-1][2] == hand:
            spans[-1] = (spans[-1][0], seats, hand)
        else:
            spans.append((seats, seats, hand))
    return ", ".join(
        f"{least}-{most} seats {hand}" if least != most else f"{least} seats {hand}"
        for least, most, hand in spans
    )


def deal_sentence(table: DealTable, sets: Sequence[int] | None = None) -> str:
    """Say how many tiles each gets by a deal table, for these sets or all that it knows."""
    rows = [
        f"double-{pip_max}: {spans_text(hands)}"
        for pip_max, hands in DEALS[table].items()
        if sets is None or pip_max in sets
    ]
    return f"Tiles each with {'; '.join(rows)}."


def _values() -> Mapping[str, Mapping[str, Told]]:
    deals = {
        table.value: Told(deal_sentence(table), _DEAL_SOURCES.get(table, FIRST_TEXT))
        for table in DealTable
    }
    told = {
        name: {value: Told(sentence, source) for value, sentence, source in rows}
        for name, rows in ROWS.items()
    }
    return MappingProxyType({"deal": deals, **told})


VALUES: Final[Mapping[str, Mapping[str, Told]]] = _values()
"""Every value of every switch."""
