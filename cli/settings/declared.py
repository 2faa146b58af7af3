"""Every setting, declared once: its key, its comment, its possible values, and its default.

The settings file, the environment, `boneyard config` and its complaints all use this.
"""

from collections.abc import Mapping
from typing import Any, Final

from cli.choices.choice import Choice
from cli.choices.kinds import ON_OFF, OneOf, Seconds, Text, one_of
from cli.language import AS_SYSTEM
from cli.render.layout import HAND_ORDERS, HandOrder
from cli.render.palette import GlyphSet, LookChoice, Theme
from cli.session.verbs.table import is_no_name
from cli.settings.place import LANGUAGE_KEY, language_kind
from engine.bots.levels import BotLevel
from netgame.limits import NAME_CELLS_MAX


class Bell(LookChoice):
    """The occasions on which the terminal's bell rings."""

    OFF = ("off", "Never.")
    TURN = ("turn", "When you can choose a move.")
    ALL = ("all", "Also when a game begins, a round ends or somebody talks.")


class WhoDraws(LookChoice):
    """The choice of who draws in a turn in which the player can only draw."""

    AUTO = ("auto", "The program draws for you.")
    ASK = ("ask", "It asks first, and Enter draws.")


NAME: Final = Choice(
    "name",
    "Your name at every table; your login name if this is empty.",
    Text(NAME_CELLS_MAX, is_no_name),
    "",
    example="Ann",
)
LANGUAGE: Final = Choice(
    LANGUAGE_KEY, "The program's language; auto follows your system.", language_kind(), AS_SYSTEM
)
LEVEL: Final = Choice(
    "level", "How well bots play when no level is named.", one_of(BotLevel), BotLevel.NORMAL
)
PACE: Final = Choice(
    "pace", "How long a bot takes for a move, so that you can follow.", Seconds(most=60), 0.4
)
SORT: Final = Choice(
    "sort", "How your hand is arranged when a game begins.", OneOf(HAND_ORDERS), HandOrder.NUMBER
)
PLAIN: Final = Choice(
    "plain",
    "Sentences and numbered choices instead of drawings; it works with a screen reader.",
    ON_OFF,
    usual=False,
)
COLOURS: Final = Choice("colours", "The colours of drawings.", one_of(Theme), Theme.AUTO)
GLYPHS: Final = Choice(
    "glyphs", "The characters of lines, boxes and dots.", one_of(GlyphSet), GlyphSet.AUTO
)
TIMES: Final = Choice(
    "times", "The time of day in front of each sentence, at a terminal.", ON_OFF, usual=True
)
BELL: Final = Choice("bell", "When the terminal's bell rings.", one_of(Bell), Bell.TURN)
TITLE: Final = Choice(
    "title", "The title of the window says whose turn and whose table it is.", ON_OFF, usual=True
)
NOTICE: Final = Choice(
    "notice",
    "A desktop notification when it is your turn, if the terminal can show one and you have "
    "typed nothing for ten seconds.",
    ON_OFF,
    usual=True,
)
CLOCK: Final = Choice(
    "clock",
    "How many seconds into your turn the status line begins to show your thinking time and the "
    "bell rings once; 0 for never.",
    Seconds(most=3600),
    0.0,
)
GRACE: Final = Choice(
    "grace",
    "How many seconds a move is held after you type it; back stops it meanwhile, and 0 turns "
    "this off. Once made, a move is signed and stays.",
    Seconds(most=60),
    0.0,
)
DRAW: Final = Choice(
    "draw",
    "Who draws when nothing you hold fits: the program at once, or you, when it asks. Where other "
    "people wait, it draws for you after 30 seconds.",
    one_of(WhoDraws),
    WhoDraws.AUTO,
)
REDUCED_MOTION: Final = Choice(
    "reduced-motion",
    "The table is printed at each turn: in between only the status line changes, and it "
    "shows no clock.",
    ON_OFF,
    usual=False,
)
MOUSE: Final = Choice(
    "mouse",
    "A click on a tile, a play or a train fills the line, and a second click or Enter plays. The "
    "wheel then turns answers; most terminals select text while you hold Shift.",
    ON_OFF,
    usual=False,
)
CONFIRM: Final = Choice(
    "confirm", "Ask before you leave a table where others wait for you.", ON_OFF, usual=True
)

SETTINGS: Final[Mapping[str, Choice[Any]]] = {
    each.key: each for each in tuple(vars().values()) if isinstance(each, Choice)
}
"""All settings by key, in the order in which they are shown."""
