"""Every setting, declared once: its key, its comment, what it may be, and what holds without it.

The file, the environment, `boneyard config` and its complaints are made of this.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from cli.drawn.palette import GlyphSet, Theme, Wish
from cli.language import AS_SYSTEM, LANGUAGES
from cli.settings.kinds import OneOf, OnOff, Seconds, Text, ValueKind, word_of
from cli.settings.place import LANGUAGE_KEY, variable_of
from cli.typed.intent import HAND_ORDERS, HandOrder
from cli.typed.names import is_no_name
from engine.bots.levels import BotLevel
from netgame.limits import NAME_CELLS_MAX

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Setting(Generic[T]):
    """One setting. `example` stands in the file where the `usual` value is nothing to show."""

    key: str
    about: str
    kind: ValueKind[T]
    usual: T
    example: T | None = None

    @property
    def variable(self) -> str:
        """Return the name that it has in the environment."""
        return variable_of(self.key)


class Bell(Wish):
    """When the terminal's bell rings."""

    OFF = ("off", "Never.")
    TURN = ("turn", "When you can choose a move.")
    ALL = ("all", "Also when a game begins, a round ends or somebody talks.")


NAME: Final = Setting(
    "name",
    "Your name at every table; your login if there is none here.",
    Text(NAME_CELLS_MAX, is_no_name),
    "",
    example="Ann",
)
LANGUAGE: Final = Setting(
    LANGUAGE_KEY,
    "What the program speaks to you; auto is what your system speaks.",
    OneOf({each: each for each in (AS_SYSTEM, *LANGUAGES)}),
    AS_SYSTEM,
)
LEVEL: Final = Setting(
    "level", "How well bots play for which no level is named.", word_of(BotLevel), BotLevel.NORMAL
)
PACE: Final = Setting(
    "pace", "How long a bot takes for a move, so that you can follow.", Seconds(most=60), 0.4
)
SORT: Final = Setting(
    "sort", "How your hand lies when a game begins.", OneOf(HAND_ORDERS), HandOrder.NUMBER
)
PLAIN: Final = Setting(
    "plain",
    "Sentences and numbered choices in place of drawings, for a screen reader too.",
    OnOff(),
    usual=False,
)
COLOURS: Final = Setting("colours", "The colours of drawings.", word_of(Theme), Theme.AUTO)
GLYPHS: Final = Setting(
    "glyphs", "The characters of lines, boxes and dots.", word_of(GlyphSet), GlyphSet.AUTO
)
TIMES: Final = Setting(
    "times", "The time of day before each sentence on a terminal.", OnOff(), usual=True
)
BELL: Final = Setting("bell", "When the terminal's bell rings.", word_of(Bell), Bell.TURN)
TITLE: Final = Setting(
    "title", "The title of the window says whose turn and whose table it is.", OnOff(), usual=True
)
NOTICE: Final = Setting(
    "notice",
    "A notice of the desktop for your turn, where the terminal can and you have typed nothing for "
    "ten seconds.",
    OnOff(),
    usual=True,
)
CLOCK: Final = Setting(
    "clock",
    "After so long in your own turn the status line tells how long you have been thinking, and the "
    "bell rings once; 0 for never.",
    Seconds(most=3600),
    0.0,
)
REDUCED_MOTION: Final = Setting(
    "reduced-motion",
    "Nothing changes by itself below the prompt but the status line, and no clock runs there.",
    OnOff(),
    usual=False,
)
CONFIRM: Final = Setting(
    "confirm", "Ask before you leave a table where others wait for you.", OnOff(), usual=True
)

SETTINGS: Final[Mapping[str, Setting[Any]]] = {
    each.key: each for each in tuple(vars().values()) if isinstance(each, Setting)
}
"""All settings by key, in the order in which they are shown."""
