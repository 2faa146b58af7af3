"""What a table may choose beside its rules: how much the protocol hides, and how much it shows.

The one list of these options; the host's offer names those that differ from the first value.
[protocol.md §4.6]
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import Final, NamedTuple

from netgame.wire.messages import Settings


class Draws(Enum):
    """What a lay tells of when its tile was drawn."""

    SHOWN = "shown"
    """A lay names its position, so all see when that tile came to the hand."""
    HIDDEN = "hidden"
    """After a turn in which a seat has drawn it mixes its own hand, so nobody can."""


class Audit(Enum):
    """What is laid open when a round is over."""

    HANDS = "hands"
    """The hands; every draw and pass is judged once more with them."""
    KEYS = "keys"
    """Also the round's keys: every tile of the deck is opened, and all is judged with all known."""
    SEEDS = "seeds"
    """Also what each shuffle was drawn from: every one of them is done again."""


class LeaverRule(Enum):
    """How a round goes on when a seat has left for good."""

    REBUILD = "rebuild"
    """The deck is rebuilt without its key; the others keep their hands."""
    REDEAL = "redeal"
    """The round is dealt again, and nobody scores what was played of it."""


class Patience(Enum):
    """When a seat that is away is given up."""

    FIVE_MINUTES = "five-minutes"
    """When it has been away that long, or when all others have voted for it."""
    MINUTE = "minute"
    """The same after a minute."""
    VOTE = "vote"
    """Only when all others have voted for it."""


class Latecomers(Enum):
    """What becomes of somebody who comes when the game has begun."""

    SEATED = "seated"
    """They have a seat from the next round on, with the points of who is last so far."""
    WATCH = "watch"
    """They watch to the end."""


class Options(NamedTuple):
    """What a table has chosen."""

    draws: Draws = Draws.SHOWN
    audit: Audit = Audit.HANDS
    leaver: LeaverRule = LeaverRule.REBUILD
    patience: Patience = Patience.FIVE_MINUTES
    latecomers: Latecomers = Latecomers.SEATED


class OptionProblem(NamedTuple):
    """An option that there is not, and what there is instead."""

    word: str
    known: tuple[str, ...]


OPTIONS: Final[dict[str, type[Enum]]] = {
    name: type(usual) for name, usual in Options()._asdict().items()
}
"""Options by name; their first value holds unless the table says otherwise."""


def parse_options(words: Iterable[str]) -> Options | OptionProblem:
    """Read `name=value` words, from anybody; of two for one option the last holds."""
    chosen: dict[str, Enum] = {}
    for word in words:
        name, _, value = word.partition("=")
        if name not in OPTIONS:
            return OptionProblem(word, tuple(OPTIONS))
        values = {str(each.value): each for each in OPTIONS[name]}
        if value not in values:
            return OptionProblem(word, tuple(f"{name}={each}" for each in values))
        chosen[name] = values[value]
    return Options(**chosen)  # type: ignore[arg-type]


def options_of(settings: Settings | None) -> Options:
    """The options of a table whose offer has been checked."""
    found = Options() if settings is None else parse_options(settings.options)
    assert isinstance(found, Options)
    return found
