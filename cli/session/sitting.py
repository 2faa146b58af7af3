"""A person's sitting: their seat and habits, and how they came to the present table."""

from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field

from cli.choices.bots import Levels
from cli.choices.choice import Choice
from cli.choices.kinds import Text
from cli.language import say
from cli.program import typed_in_shell
from cli.render.layout import HandOrder
from cli.render.palette import Line
from cli.session.muted import Muted
from cli.session.teacher import NO_TEACHER, Teacher
from engine.bots.levels import BotLevel
from netgame.io.tables.options import HostOptions, JoinOptions, at_once
from netgame.limits import NAME_CELLS_MAX
from netgame.wire.messages import Settings

Change: TypeAlias = Callable[[Settings, Sequence[str], Callable[[Settings], str]], Settings | str]
"""Applies words to an offer: returns the new offer, or a sentence on why not. The last argument may
refuse the result with a sentence; it returns an empty one otherwise."""


def no_settings(_words: Sequence[str], _columns: int) -> "SettingsTold":
    """Return the answer that settings are changed in the shell."""
    text = "Settings are changed in your shell: {command}"
    return SettingsTold((say(text, command=typed_in_shell("config")),))


class Habits(Struct, frozen=True):
    """The settings of a person that apply at every table where they sit."""

    confirms: bool = True
    """True to ask them before they leave."""

    order: HandOrder = HandOrder.NUMBER
    """How their hand is arranged."""

    clock_s: float = 0.0
    """Seconds into a turn before they are told how long it takes; 0 for never."""

    clock_ticks: bool = True
    """True to tell them again every few seconds."""

    grace_s: float = 0.0
    """Seconds for which a typed move is held and can be taken back."""

    asks_draw: bool = False
    """True to ask them before the program draws for them."""

    name: Choice[str] = Choice("name", "", Text(NAME_CELLS_MAX), "")
    """Reads a name that the person types to replace their own."""

    keep_name: Callable[[str], str] = lambda _name: ""
    """Keeps a name for later games; returns a sentence for the person, or an empty one."""

    bots: Choice[tuple[BotLevel, ...]] = Choice("bots", "", Levels(), ())
    """Reads the typed bots of a table."""

    config: Callable[[Sequence[str], int], "SettingsTold"] = no_settings
    """Shows or changes the settings, from the typed words and the number of columns."""


class SettingsTold(Struct, frozen=True):
    """An answer about the settings: sentences to say, lines to show, and the new habits."""

    said: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    habits: "Habits | None" = None
    """None if nothing has changed that matters at this table."""
    rearranges: bool = False
    """True to rearrange the hand by the new habits."""


class Visit(Struct, frozen=True):
    """How a person came to this table, and what is known from their earlier tables."""

    addresses: tuple[str, ...] = ()
    """The addresses at which others join this table, if this person hosts it."""

    host_at: tuple[str, ...] = ()
    """The addresses at which the host was found, if somebody else hosts it."""

    returns: bool = False
    """True if they have been at this table before."""

    known: Settings | None = None
    """The settings at the last table of the same company."""

    company: frozenset[bytes] = frozenset()
    """The keys of the other people at the last table, if it was reopened before a game."""

    last: Path | None = None
    """The folder of the last game of the same company."""

    was_refused: bool = False
    """True if the rules have refused a move that this program chose, at an earlier table."""


class Sitting(Struct, frozen=True):
    """One person's sitting, for a whole evening: made once, from the options and the settings.

    From table to table the `seat` and the `visit` change; everything else stays.
    """

    seat: HostOptions | JoinOptions
    """The options of the seat: its name and files, whether a bot plays it, and at which table."""

    habits: Habits = Habits()
    visit: Visit = Visit()
    came_to_watch: bool = False
    """True if they came to watch at the first table; at a later one they may sit."""

    on_wall: bool = False
    """True if the screen hangs on a wall, for a whole room."""

    change: Change = lambda *_: say("Nothing can be changed.")
    """Changes the table's settings by a host's words."""

    teacher: Teacher = NO_TEACHER
    """The teacher, which may want one particular play in a turn; Enter plays it."""

    has_read: Callable[[], Awaitable[None]] = at_once
    """Awaited after each notice, before the next is told: a teacher may explain it first."""

    muted: Muted = field(default_factory=Muted)
    """The people whose talk they do not want to read."""

    offers_trains: bool = True
    """True to offer the longest train in hand as a plan."""

    @property
    def auto(self) -> bool:
        """True if a bot plays the seat."""
        return self.seat.auto

    @property
    def watches(self) -> bool:
        """True if they take no seat at somebody else's table."""
        return isinstance(self.seat, JoinOptions) and self.seat.watches

    @property
    def looks_first(self) -> bool:
        """True if they read the table's rules before they sit down."""
        return isinstance(self.seat, JoinOptions) and self.seat.looks_first

    @property
    def stays(self) -> bool:
        """True if the session goes on when its input ends, as nobody has to type anything."""
        hosts_only = isinstance(self.seat, HostOptions) and not self.seat.seated
        return self.auto or self.came_to_watch or hosts_only

    @property
    def starts_itself(self) -> bool:
        """True if the game at their own table begins without `start`."""
        return isinstance(self.seat, HostOptions) and self.seat.start_at is not None

    @property
    def resumable(self) -> bool:
        """True if they can come back to a game here; False if it is from a seed or a lesson."""
        return self.seed is None and self.teacher is NO_TEACHER

    @property
    def seed(self) -> int | None:
        """The seed of every deal at their own table; None without a seed, or at another's table."""
        return self.seat.seed if isinstance(self.seat, HostOptions) else None
