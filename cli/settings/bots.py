"""Which bots somebody wants: how many of the level that is set, or a level for each."""

from typing import Final

from cli.settings.chosen import chosen
from cli.settings.declared import LEVEL
from engine.bots.levels import LEVELS, BotLevel
from engine.rules.spec import SEATS_MAX

BOTS_MAX: Final = SEATS_MAX - 1


def read_bots(text: str) -> tuple[BotLevel, ...] | None:
    """Read `2`, or `hard,easy`; None if it is neither, or too many for any table."""
    if text.isascii() and text.isdigit() and len(text) <= 2:
        return (chosen(LEVEL),) * int(text) if int(text) <= BOTS_MAX else None
    words = text.lower().split(",")
    if len(words) > BOTS_MAX or not LEVELS.keys() >= set(words):
        return None
    return tuple(LEVELS[word] for word in words)
