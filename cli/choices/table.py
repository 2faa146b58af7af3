"""What a table may choose: rule set, size, what it hides and shows, and every switch of its rules.

What each means is declared where it is played: `engine.rules.switches`, `engine.rules.presets`
and the options of `netgame.protocol.fold`.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from cli.choices.choice import Choice
from cli.choices.kinds import Spelled, Text
from cli.language import say
from engine.rules.choose import STANDARD, SWITCHES
from engine.rules.deals import DealTable
from engine.rules.presets import PRESETS
from engine.rules.spec import ROUNDS_MAX, SEATS_MAX, SEATS_MIN
from engine.rules.switches import Switch
from engine.tiles import SET_SIZES
from netgame.protocol.fold.options import OPTIONS

USUAL: Final = "none"
"""What stands for no size of one's own: the usual one holds then."""


SEATS: Final = range(SEATS_MIN, SEATS_MAX + 1)

_SIZES: Final[tuple[tuple[str, str, str, Sequence[int], str], ...]] = (
    ("set", "the highest double of the set", "What suits so many players.", SET_SIZES, "12"),
    ("seats", "start by itself with so many players", "As many as the deal allows.", SEATS, "4"),
    (
        *("rounds", "rounds to play, if not one for each double"),
        *("One for each double.", range(1, ROUNDS_MAX + 1), "5"),
    ),
    ("deal", "tiles in each hand", "As the rules have it.", DealTable.numbers, "12"),
)
_DEALS: Final = {each.value: each.sentence for each in DealTable}

SIZES: Final[Mapping[str, Choice[str]]] = {
    key: Choice(
        key,
        about,
        Spelled({USUAL: usual} | (_DEALS if key == "deal" else {}), numbers),
        USUAL,
        example,
    )
    for key, about, usual, numbers, example in _SIZES
}
"""How big a game is; `none` takes back what was chosen. Of tiles there are tables, too."""

RULES: Final = Choice(
    "rules",
    "the rule set",
    Spelled({name: each.sentence for name, each in PRESETS.items()}),
    STANDARD,
)


def _of_switch(key: str, kind: type[Switch]) -> Choice[str]:
    told = {each.value: each.sentence for each in kind}
    return Choice(key, kind.decides, Spelled(told, kind.numbers), next(iter(told)))


TABLE: Final[Mapping[str, Choice[str]]] = {
    RULES.key: RULES,
    **SIZES,
    **{name: _of_switch(name, kind) for name, kind in OPTIONS.items()},
    **{name: _of_switch(name, kind) for name, kind in SWITCHES.items() if name not in SIZES},
    "tiles": SIZES["deal"],
}
"""Every choice of a table by what is typed for it; `tiles` is another word for `deal`."""

_NAME: Final = Text(60)
FIRST: Final = Choice("first-player", "who begins, with first = chosen-rotate", _NAME, "", "Ann")
NAME: Final = Choice("name", "what these rules are called", _NAME, "", "our rules")


def listed() -> str:
    """Say what can be chosen."""
    text = "The switches: {words}. Beside the rules: {others}."
    sizes = ("tiles" if name == "deal" else name for name in SIZES)
    return say(text, words=", ".join(SWITCHES), others=", ".join((*sizes, *OPTIONS)))
