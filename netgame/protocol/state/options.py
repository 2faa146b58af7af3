"""The options of a table beside its rules, such as how much is shown and who may come in.

This is the only declaration of these options, with a sentence for players for each value:
arguments, menus, sheets, table files and `rules --json` are made from it. The host's offer names
only values other than the first of their option. [protocol.md §4.6]
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from engine.rules.switches.switch import Switch, switch
from netgame.wire.messages import Settings

_PAGE: Final = "protocol.md §4.6"


@switch("draws", "whether a tile shows when it was drawn", _PAGE)
class Draws(Switch):
    """The rule on whether a played tile shows when it was drawn."""

    SHOWN = "shown", "When you play a tile, everybody can tell when you drew it."
    """A lay names its position, so all see when that tile came to the hand."""
    HIDDEN = (
        "hidden",
        "Your hand is mixed after you draw, so nobody can tell when you drew the tile you play.",
    )
    """A seat that has drawn in a turn mixes its own hand after that turn."""


@switch("audit", "what is opened after a round", _PAGE)
class Audit(Switch):
    """The secrets that are opened when a round is over."""

    HANDS = "hands", "After a round all hands are opened, and every draw and pass is judged again."
    KEYS = (
        "keys",
        "After a round the keys are opened too: everybody can read every tile that was dealt, "
        "drawn or left in the boneyard, and all of it is judged again.",
    )


@switch("leaver", "how a round goes on when somebody leaves for good", _PAGE)
class LeaverRule(Switch):
    """The rule on how a round goes on when a seat has left for good."""

    REBUILD = (
        "rebuild",
        "If somebody leaves for good, the round goes on: their tiles go back, and everybody else "
        "keeps theirs.",
    )
    """The deck is rebuilt without the key of that seat."""
    REDEAL = (
        "redeal",
        "If somebody leaves for good, the round is dealt again, and what was played of it does "
        "not count.",
    )


@switch("patience", "when a player who is away is removed", _PAGE)
class Patience(Switch):
    """The rule on removing an absent seat; a vote of more than half removes it at any time."""

    FIVE_MINUTES = (
        "five-minutes",
        "A player who is away is removed after the table has waited five minutes.",
    )
    MINUTE = "minute", "A player who is away is removed after the table has waited a minute."
    VOTE = "vote", "A player who is away is removed only when more than half vote for it."


@switch("latecomers", "what happens to people who come after the start", _PAGE)
class Latecomers(Switch):
    """The rule on seats for people who come when the game has begun."""

    SEATED = "seated", "A latecomer gets a seat at the next round, and the worst total so far."
    WATCH = "watch", "Latecomers only watch."


@switch("newcomers", "whether a newcomer needs a join code", _PAGE)
class Newcomers(Switch):
    """The rule on join codes for newcomers."""

    CODE = "code", "A newcomer needs the join code."
    OPEN = "open", "Anybody on this network can come in, without a join code."


class Options(NamedTuple):
    """The options that a table has chosen."""

    draws: Draws = Draws.SHOWN
    audit: Audit = Audit.HANDS
    leaver: LeaverRule = LeaverRule.REBUILD
    patience: Patience = Patience.FIVE_MINUTES
    latecomers: Latecomers = Latecomers.SEATED
    newcomers: Newcomers = Newcomers.CODE

    @property
    def is_open(self) -> bool:
        """True if newcomers need no join code."""
        return self.newcomers is Newcomers.OPEN


USUAL: Final = Options()


class OptionProblem(NamedTuple):
    """An unknown `name=value` word, with the words that are known.

    `known` has the names of all options or, if only the value is unknown, all words with that name.
    """

    word: str
    known: tuple[str, ...]


OPTIONS: Final[dict[str, type[Switch]]] = {
    name: type(usual) for name, usual in USUAL._asdict().items()
}
"""Options by name; the first value of each is the default."""


def parse_options(words: Iterable[str]) -> Options | OptionProblem:
    """Return the options given by `name=value` words; the last word for a name counts.

    An option that is not named has its first value. If a word is unknown, return an `OptionProblem`
    about it instead.
    """
    chosen: dict[str, Switch | int] = {}
    for word in {word.partition("=")[0]: word for word in words}.values():
        name, _, value = word.partition("=")
        if name not in OPTIONS:
            return OptionProblem(word, tuple(OPTIONS))
        found = OPTIONS[name].read(value)
        if found is None:
            return OptionProblem(word, tuple(f"{name}={each}" for each in OPTIONS[name].words()))
        chosen[name] = found
    return Options(**chosen)  # type: ignore[arg-type]


def is_open(settings: Settings) -> bool:
    """Return True if a table with these settings lets newcomers in without a join code.

    False if this program does not know some of the options.
    """
    options = parse_options(settings.options)
    return isinstance(options, Options) and options.is_open
