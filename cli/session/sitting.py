"""How a person sits, and how they came to the table at which they sit now."""

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
"""Makes of an offer and words another offer, or says why not; the last may refuse what comes out,
with a sentence."""


def no_settings(_words: Sequence[str], _columns: int) -> "SettingsTold":
    """Say where settings can be changed, if not here."""
    text = "Settings are changed in your shell: {command}"
    return SettingsTold((say(text, command=typed_in_shell("config")),))


class Habits(Struct, frozen=True):
    """The settings of a person, for every table at which they sit."""

    confirms: bool = True
    """Whether they are asked before they leave."""

    order: HandOrder = HandOrder.NUMBER
    """How their hand is arranged."""

    clock_s: float = 0.0
    """After so many seconds in a turn they are told how long it takes; 0: never."""

    clock_ticks: bool = True
    """Whether they are told so again and again."""

    grace_s: float = 0.0
    """For so many seconds a typed move is held, and can be taken back."""

    asks_draw: bool = False
    """Whether they are asked before the program draws for them."""

    name: Choice[str] = Choice("name", "", Text(NAME_CELLS_MAX), "")
    """Reads what is typed for another name."""

    keep_name: Callable[[str], str] = lambda _name: ""
    """Keeps a name for later games; returns what the person is told, empty for nothing."""

    bots: Choice[tuple[BotLevel, ...]] = Choice("bots", "", Levels(), ())
    """Reads what is typed for the bots of a table."""

    config: Callable[[Sequence[str], int], "SettingsTold"] = no_settings
    """Shows or changes the settings by what is typed, on so many columns."""


class SettingsTold(Struct, frozen=True):
    """An answer about the settings: what is said, what is shown, and how the person sits now."""

    said: tuple[str, ...]
    lines: tuple[Line, ...] = ()
    habits: "Habits | None" = None
    """None where nothing has changed that acts at this table."""
    rearranges: bool = False
    """True if the hand is to be arranged anew by them."""


class Visit(Struct, frozen=True):
    """How somebody came to this table, and what they have kept from those before."""

    addresses: tuple[str, ...] = ()
    """Where others join this table, if its host sits here."""

    host_at: tuple[str, ...] = ()
    """Where its host was found, if that is somebody else."""

    returns: bool = False
    """Whether they have been at this table before."""

    known: Settings | None = None
    """What was played at the last table of the same company."""

    company: frozenset[bytes] = frozenset()
    """The keys of the other people who sat there, where it was opened anew before a game."""

    last: Path | None = None
    """The folder of the last game of the same company."""

    was_refused: bool = False
    """Whether the rules have refused a move that this program chose, at a table before."""


class Sitting(Struct, frozen=True):
    """How one person sits, for a whole evening: made once, from the options and the settings.

    From table to table its `seat` and the `visit` are others; all else stays.
    """

    seat: HostOptions | JoinOptions
    """How the seat is taken: its name and files, whether a bot plays it, and at which table."""

    habits: Habits = Habits()
    visit: Visit = Visit()
    came_to_watch: bool = False
    """True if they came to watch at the first table; at a later one they may sit."""

    on_wall: bool = False
    """True if a room sees the table."""

    change: Change = lambda *_: say("Nothing can be changed.")
    """What a host's words make of the table."""

    teacher: Teacher = NO_TEACHER
    """Somebody who wants one play in a turn; Enter plays it."""

    has_read: Callable[[], Awaitable[None]] = at_once
    """Awaited after each notice, before the next is told: a teacher may explain the one before."""

    muted: Muted = field(default_factory=Muted)
    """Whose talk they do not want to read."""

    offers_trains: bool = True
    """Whether the longest train in hand is offered as a plan."""

    @property
    def auto(self) -> bool:
        """Whether something else plays the seat."""
        return self.seat.auto

    @property
    def watches(self) -> bool:
        """Whether they take no seat at somebody's table."""
        return isinstance(self.seat, JoinOptions) and self.seat.watches

    @property
    def looks_first(self) -> bool:
        """Whether they read what is played before they sit down."""
        return isinstance(self.seat, JoinOptions) and self.seat.looks_first

    @property
    def stays(self) -> bool:
        """Whether the table is kept when the input ends: nobody has to type anything."""
        hosts_only = isinstance(self.seat, HostOptions) and not self.seat.seated
        return self.auto or self.came_to_watch or hosts_only

    @property
    def starts_itself(self) -> bool:
        """Whether the game at their own table begins without `start`."""
        return isinstance(self.seat, HostOptions) and self.seat.start_at is not None

    @property
    def resumable(self) -> bool:
        """Whether one can come back to a game here: not to one from a seed, nor to a lesson."""
        return self.seed is None and self.teacher is NO_TEACHER

    @property
    def seed(self) -> int | None:
        """The seed of all that is dealt; None without one."""
        return self.seat.seed if isinstance(self.seat, HostOptions) else None
