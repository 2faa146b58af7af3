"""The choice of bots: how many, or a level for each."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from cli.choices.kinds import Kind, meant, read_number
from cli.language import say
from engine.bots.levels import LEVELS, BotLevel
from engine.rules.spec import SEATS_MAX

BOTS_MAX: Final = SEATS_MAX - 1


@dataclass(frozen=True, slots=True)
class Levels(Kind[tuple[BotLevel, ...]]):
    """The kind of a choice of bots, which is typed as a level for each bot or as their number."""

    usual: Callable[[], BotLevel] = lambda: BotLevel.NORMAL
    """Returns the level of bots if only their number is typed; called at each reading."""

    @property
    def words(self) -> str:
        """A phrase for what is accepted: a number, or a list of levels."""
        text = "a whole number from 0 to {most}, or levels such as easy,normal of: {levels}"
        return say(text, most=BOTS_MAX, levels=", ".join(LEVELS))

    @property
    def sentences(self) -> Mapping[str, str]:
        """Every level's word with the sentence, in English, on how well it plays."""
        return {word: level.sentence for word, level in LEVELS.items()}

    def read(self, raw: object) -> tuple[BotLevel, ...] | None:
        """Return a level for each bot, or None if there are too many, or `raw` cannot be read.

        A number means that many bots of the `usual` level, so 0 means an empty tuple. Levels may be
        abbreviated, and their case does not matter.
        """
        if (number := read_number(raw)) is not None:
            return (self.usual(),) * number if number <= BOTS_MAX else None
        words = re.split(r"[,\s]+", raw.strip()) if isinstance(raw, str) else []
        levels = [LEVELS[word] for each in words if (word := meant(each, LEVELS)) is not None]
        return tuple(levels) if len(levels) == len(words) in range(1, BOTS_MAX + 1) else None

    def shown(self, value: tuple[BotLevel, ...]) -> str:
        """Return the level of each bot, separated by commas, or "0" for no bots."""
        return ",".join(level.value for level in value) or "0"
