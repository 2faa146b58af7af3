"""The choice of bots: how many, all at the level in the settings, or the level of each."""

from typing import Final

from cli.choices.bots import Levels
from cli.choices.choice import Choice
from cli.settings.chosen import chosen
from cli.settings.declared import LEVEL

BOTS: Final = Choice(
    "bots", "how many bots play, or the level of each", Levels(lambda: chosen(LEVEL)), ()
)
