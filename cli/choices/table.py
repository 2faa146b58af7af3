"""Every choice for a table: the rule set, sizes, options on what is hidden, and switches.

The meaning of each value is declared where it is used: in `engine.rules.switches`,
`engine.rules.presets` and the options of `netgame.protocol.state`.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from cli.choices.choice import Choice, find
from cli.choices.kinds import OneOf, Text, one_of
from cli.language import say
from engine.rules.choose import STANDARD, SWITCHES
from engine.rules.deals import DealTable
from engine.rules.presets import PRESETS
from engine.rules.spec import ROUNDS_MAX, SEATS_MAX, SEATS_MIN
from engine.rules.switches import Switch
from engine.tiles import SET_SIZES
from netgame.protocol.state.options import OPTIONS

IN_MENUS: Final = "change switches lists what can be changed."
"""The hint for an unknown key if no shell command can be typed."""

USUAL: Final = "none"
"""The word typed to choose no size, so that the usual one applies."""


class Usual(NamedTuple):
    """The size that a table gets if none is chosen; `sentence` names it, in English."""

    sentence: str


def _size(
    key: str, about: str, usual: str, numbers: Sequence[int], example: int, *tables: Switch
) -> Choice[Any]:
    kind = OneOf({USUAL: Usual(usual), **{each.value: each for each in tables}}, numbers)
    return Choice(key, about, kind, Usual(usual), example)


def _of_switch(key: str, kind: type[Switch]) -> Choice[Any]:
    return Choice(key, kind.decides, one_of(kind, kind.numbers), next(iter(kind)))


SEATS: Final = range(SEATS_MIN, SEATS_MAX + 1)

SIZES: Final = {
    each.key: each
    for each in (
        _size("set", "the highest double of the set", "Whatever suits the players.", SET_SIZES, 12),
        _size("seats", "start once this many players have joined", "All that can sit.", SEATS, 4),
        _size(
            "rounds",
            "rounds to play, if not one for each double",
            "One for each double.",
            range(1, ROUNDS_MAX + 1),
            5,
        ),
        _size("deal", "tiles in each hand", "By the rules.", DealTable.numbers, 12, *DealTable),
    )
}
"""The sizes of a game. The word `none` undoes a choice; `deal` also takes a deal table's name."""

RULES: Final = Choice("rules", "the rule set", OneOf(PRESETS), PRESETS[STANDARD])

TABLE: Final[Mapping[str, Choice[Any]]] = {
    RULES.key: RULES,
    **SIZES,
    **{name: _of_switch(name, kind) for name, kind in OPTIONS.items()},
    **{name: _of_switch(name, kind) for name, kind in SWITCHES.items() if name not in SIZES},
    "tiles": SIZES["deal"],
}
"""Every choice of a table by the word typed for it; `tiles` is another word for `deal`."""

_NAME: Final = Text(60)
FIRST: Final = Choice("first-player", "who begins, with first = chosen-rotate", _NAME, "", "Ann")
NAME: Final = Choice("name", "what these rules are called", _NAME, "", "our rules")


def listed() -> str:
    """Return two sentences that list every switch, then the sizes and the options of a table."""
    text = "The switches: {words}. Other options: {others}."
    sizes = ("tiles" if name == "deal" else name for name in SIZES)
    return say(text, words=", ".join(SWITCHES), others=", ".join((*sizes, *OPTIONS)))


def read_changes(words: Sequence[str]) -> list[tuple[str, str]]:
    """Read `walnut set 9 blanks=25-50` as pairs of key and proper word, in the order typed.

    The name of a rule set needs no key, and a value may be typed with spaces for its hyphens.
    Returns an empty list for no words. Raises `CommandFailed` for the first mistake, such as a key
    without a value.
    """
    found, waiting = [], [part for word in words for part in re.split("[=,;]", word) if part]
    while waiting:
        if waiting[0].lower() in PRESETS:
            waiting = [RULES.key, *waiting]
        key, *waiting = waiting
        choice = find(TABLE, key, say(IN_MENUS))
        taken = _words_of_value(choice, waiting)
        found.append((choice.key, choice.word("-".join(waiting[:taken]) or None)))
        waiting = waiting[taken:]
    return found


def _words_of_value(choice: Choice[Any], waiting: Sequence[str]) -> int:
    """Return how many words make up this choice's value: two for `whole train`, usually one."""
    spaced = (
        count
        for count in range(len(waiting), 1, -1)
        if "-".join(waiting[:count]).lower() in choice.kind.sentences
    )
    return next(spaced, 1)
