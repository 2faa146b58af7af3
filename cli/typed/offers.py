"""What Tab offers behind a verb: words that continue the line, each with a sentence."""

from collections.abc import Sequence

from cli.choices.table import RULES, TABLE
from cli.language import say
from engine.bots.levels import LEVELS
from engine.rules.presets import PRESETS

Offers = list[tuple[str, str]]
"""What may be typed next, each with what it is."""


def topics(before: Sequence[str], _typing: str) -> Offers:
    """Offer every choice of a table, to be explained."""
    return [] if before else [(name, say(choice.about)) for name, choice in TABLE.items()]


def levels(_before: Sequence[str], typing: str) -> Offers:
    """Offer the level of one more bot."""
    head, sign, _ = typing.rpartition(",")
    return [(f"{head}{sign}{word}", say(level.sentence)) for word, level in LEVELS.items()]


def changes(before: Sequence[str], typing: str) -> Offers:
    """Offer rule sets and the keys of choices, or what the one may be that was named last."""
    waiting = ""
    for word in (part.lower() for each in before for part in each.split("=") if part):
        waiting = "" if waiting or word in PRESETS else word
    key, sign, _ = typing.rpartition("=")
    if (choice := TABLE.get(waiting or key.lower())) is not None:
        return [(f"{key}{sign}{word}", say(text)) for word, text in choice.kind.sentences.items()]
    keys = {name: choice.about for name, choice in TABLE.items()}
    return [(word, say(text)) for word, text in {**RULES.kind.sentences, **keys}.items()]
